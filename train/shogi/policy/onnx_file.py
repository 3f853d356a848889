"""ONNX files of residual networks for shogi, written and read with NumPy alone.

The graph has Conv, Relu, Add, Flatten, Gemm, Sigmoid and Cast, operations that every reader of ONNX has:
`yomi`, ONNX Runtime, TensorRT. Matrices are stored with 16 bits. A network is a dictionary of arrays:
  stem.w [C,planes,3,3] stem.b [C]      for each block i: blockI.w1 .b1 .w2 .b2
  policy.w [27,C,1,1] policy.b [27*81]  value.w [V,C,1,1] value.b [V]
  hidden.w [H,V*81] hidden.b [H]        out.w [1,H] out.b [1]
Normalisations are folded into weights and biases before. `run` computes it again, slowly.
"""

import numpy as np

LABELS = 27 * 81
FLOAT, HALF = 1, 10
KINDS = {FLOAT: "<f4", HALF: "<f2"}


# ---- protocol buffers ----

def _varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _int(field, value):
    return _varint(field << 3) + _varint(value)


def _bytes(field, data):
    if isinstance(data, str):
        data = data.encode()
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _tensor(name, array, kind):
    array = np.ascontiguousarray(array, KINDS[kind])
    dims = b"".join(_int(1, size) for size in array.shape)
    return _bytes(5, dims + _int(2, kind) + _bytes(8, name) + _bytes(9, array.tobytes()))


def _ints(name, values):
    return _bytes(5, _bytes(1, name) + b"".join(_int(8, v) for v in values) + _int(20, 7))


def _number(name, value):
    return _bytes(5, _bytes(1, name) + _int(3, value) + _int(20, 2))


def _node(op, inputs, output, attributes=b""):
    body = b"".join(_bytes(1, name) for name in inputs)
    return _bytes(1, body + _bytes(2, output) + _bytes(3, output) + _bytes(4, op) + attributes)


def _port(field, name, shape):
    dims = _bytes(1, _bytes(2, "batch")) + b"".join(_bytes(1, _int(1, size)) for size in shape)
    tensor = _int(1, 1) + _bytes(2, dims)
    return _bytes(field, _bytes(1, name) + _bytes(2, _bytes(1, tensor)))


# ---- the graph ----

class _Graph:
    def __init__(self, net):
        self.net, self.nodes, self.tensors = net, b"", b""

    def constant(self, name):
        if self.net[name].ndim == 1:
            self.tensors += _tensor(name, self.net[name], FLOAT)
            return name
        self.tensors += _tensor(name, self.net[name], HALF)
        return self.node("Cast", [name], name + ".float", _number("to", FLOAT))

    def node(self, op, inputs, output, attributes=b""):
        self.nodes += _node(op, inputs, output, attributes)
        return output

    def conv(self, source, weights, bias, output):
        size = self.net[weights].shape[2]
        inputs = [source, self.constant(weights)] + ([self.constant(bias)] if bias else [])
        attributes = (_ints("kernel_shape", [size] * 2) + _ints("pads", [size // 2] * 4)
                      + _ints("strides", [1, 1]) + _ints("dilations", [1, 1]))
        return self.node("Conv", inputs, output, attributes)

    def relu(self, source, output):
        return self.node("Relu", [source], output)

    def flat(self, source, output):
        return self.node("Flatten", [source], output, _number("axis", 1))

    def dense(self, source, name, output):
        inputs = [source, self.constant(name + ".w"), self.constant(name + ".b")]
        return self.node("Gemm", inputs, output, _number("transB", 1))


def blocks(net):
    return sum(name.startswith("block") and name.endswith(".w1") for name in net)


def write(path, net, producer="yomi"):
    """Writes the network; its inputs are 104 planes, or dlshogi's 62 and 57 as input1 and input2."""
    graph = _Graph(net)
    planes = net["stem.w"].shape[1]
    if planes == 119:
        graph.net = net = dict(net, **{"stem.w1": net["stem.w"][:, :62], "stem.w2": net["stem.w"][:, 62:]})
        first = graph.conv("input1", "stem.w1", "stem.b", "stem.1")
        second = graph.conv("input2", "stem.w2", None, "stem.2")
        x = graph.relu(graph.node("Add", [first, second], "stem.sum"), "stem")
        ports = _port(11, "input1", [62, 9, 9]) + _port(11, "input2", [57, 9, 9])
    else:
        x = graph.relu(graph.conv("input", "stem.w", "stem.b", "stem.conv"), "stem")
        ports = _port(11, "input", [planes, 9, 9])
    for i in range(blocks(net)):
        name = "block%d" % i
        y = graph.relu(graph.conv(x, name + ".w1", name + ".b1", name + ".1"), name + ".relu")
        y = graph.conv(y, name + ".w2", name + ".b2", name + ".2")
        x = graph.relu(graph.node("Add", [y, x], name + ".sum"), name)
    policy = graph.flat(graph.conv(x, "policy.w", None, "policy.conv"), "policy.flat")
    graph.node("Add", [policy, graph.constant("policy.b")], "output_policy")
    value = graph.relu(graph.conv(x, "value.w", "value.b", "value.conv"), "value.relu")
    value = graph.dense(graph.flat(value, "value.flat"), "hidden", "hidden.out")
    value = graph.dense(graph.relu(value, "hidden.relu"), "out", "out.out")
    graph.node("Sigmoid", [value], "output_value")
    body = (graph.nodes + _bytes(2, "shogi") + graph.tensors + ports
            + _port(12, "output_policy", [LABELS]) + _port(12, "output_value", [1]))
    model = _int(1, 7) + _bytes(2, producer) + _bytes(7, body) + _bytes(8, _bytes(1, "") + _int(2, 13))
    with open(path, "wb") as file:
        file.write(model)


# ---- reading ----

def _fields(data):
    """The fields of a message: number, and value or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        value = varint()
        if key & 7 == 2:
            at += value
            if at > len(data):
                raise ValueError("the ONNX file ends early")
            value = data[at - value:at]
        elif key & 7 != 0:
            raise ValueError("a field of the ONNX file is of a kind that write() does not write")
        yield key >> 3, value


def read(path):
    """The network of a file that write() wrote."""
    with open(path, "rb") as file:
        model = memoryview(file.read())
    net = {}
    for graph in (value for field, value in _fields(model) if field == 7):
        for tensor in (value for field, value in _fields(graph) if field == 5):
            dims, parts = [], {}
            for field, value in _fields(tensor):
                if field == 1:
                    dims.append(value)
                else:
                    parts[field] = value
            array = np.frombuffer(parts[9], KINDS[parts[2]]).reshape(dims)
            net[bytes(parts[8]).decode()] = array.astype(np.float32)
    if "stem.w1" in net:
        net["stem.w"] = np.concatenate([net.pop("stem.w1"), net.pop("stem.w2")], 1)
    return net


# ---- the same computed here ----

def _convolve(x, w, b=None):
    size = w.shape[2]
    padded = np.pad(x, ((0, 0), (0, 0), (size // 2,) * 2, (size // 2,) * 2))
    out = np.zeros((len(x), len(w), 9, 9))
    for dy in range(size):
        for dx in range(size):
            out += np.einsum("nchw,oc->nohw", padded[:, :, dy:dy + 9, dx:dx + 9], w[:, :, dy, dx])
    return out if b is None else out + b[:, None, None]


def run(net, planes):
    """Policy logits [N,27*81] and chances to win [N] for planes [N,P,9,9]."""
    net = {name: np.asarray(array, np.float64) for name, array in net.items()}
    x = np.maximum(_convolve(planes, net["stem.w"], net["stem.b"]), 0)
    for i in range(blocks(net)):
        w1, b1, w2, b2 = (net["block%d.%s" % (i, part)] for part in ("w1", "b1", "w2", "b2"))
        x = np.maximum(_convolve(np.maximum(_convolve(x, w1, b1), 0), w2, b2) + x, 0)
    policy = _convolve(x, net["policy.w"]).reshape(len(x), -1) + net["policy.b"]
    value = np.maximum(_convolve(x, net["value.w"], net["value.b"]), 0).reshape(len(x), -1)
    value = np.maximum(value @ net["hidden.w"].T + net["hidden.b"], 0) @ net["out.w"].T + net["out.b"]
    return policy, 1 / (1 + np.exp(-value[:, 0]))
