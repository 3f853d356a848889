"""A network file (netfile.py) as a model that can be trained on.

Files hold normalisation as a scale and a bias. The model gets them with mean 0 and variance 1, which is the
same function; `calibrate` then finds mean and variance of real inputs, so that training with the
statistics of batches begins at the same function too."""
import torch

import netfile
from model import USED_PLANES, Net, Shape


def shape_of(form):
    pools = [i for i, b in enumerate(form["blocks"]) if "pool_conv" in b]
    shape = Shape(len(form["blocks"]), form["stem"].shape[3],
                  form["blocks"][pools[0]]["pool_conv"].shape[3] if pools else 32,
                  form["policy_conv"].shape[3], form["value_2"].shape[1])
    if pools != shape.pool_blocks or form["stem"].shape[0] != 5:
        raise ValueError("the network has another shape than train/go/model.py makes")
    return shape


def put_conv(module, w):
    module.weight.data.copy_(torch.from_numpy(w.transpose(3, 2, 0, 1).copy()))


def put_matrix(module, w):
    module.weight.data.copy_(torch.from_numpy(w.T.copy()))


def put_norm(module, form):
    batch = module.batch
    batch.weight.data.copy_(torch.from_numpy(form["scale"]))
    batch.bias.data.copy_(torch.from_numpy(form["bias"]))
    batch.running_mean.zero_()
    batch.running_var.fill_(1 - batch.eps)


def model_of(form):
    unused = [p for p in range(netfile.PLANES) if p not in USED_PLANES]
    if abs(form["stem"][:, :, unused]).max() > 0:
        raise ValueError("the network uses planes that train/go/model.py does not")
    net = Net(shape_of(form))
    put_conv(net.stem, form["stem"][:, :, USED_PLANES])
    put_matrix(net.stem_global, form["stem_global"])
    for block, b in zip(net.blocks, form["blocks"]):
        put_norm(block.pre, b["pre"])
        put_conv(block.conv, b["conv"])
        put_norm(block.mid, b["mid"])
        put_conv(block.final, b["final"])
        if block.pools:
            put_conv(block.pool_conv, b["pool_conv"])
            put_norm(block.pool_norm, b["pool_norm"])
            put_matrix(block.pool_bias, b["pool_bias"])
    for part in ("tip", "policy_pool_norm", "policy_norm", "value_norm"):
        put_norm(getattr(net, part), form[part])
    for part in ("policy_conv", "policy_pool", "policy_out", "value_conv", "ownership"):
        put_conv(getattr(net, part), form[part])
    for part in ("policy_bias", "policy_pass", "value_2", "value_3", "score_3"):
        put_matrix(getattr(net, part), form[part])
    for part in ("value_2", "value_3", "score_3"):
        getattr(net, part).bias.data.copy_(torch.from_numpy(form[part + "_bias"]))
    return net


@torch.no_grad()
def calibrate(net, planes, numbers):
    """The same function, with the statistics that these positions have."""
    found = {}

    def look(module, inputs, _):
        x = inputs[0].float()
        found[module] = (x.mean((0, 2, 3)), x.var((0, 2, 3), unbiased=False))

    norms = [m for m in net.modules() if isinstance(m, torch.nn.BatchNorm2d)]
    hooks = [m.register_forward_hook(look) for m in norms]
    net.eval()
    net(planes, numbers)
    for hook in hooks:
        hook.remove()
    for m in norms:
        mean, variance = found[m]
        scale = m.weight / torch.sqrt(m.running_var + m.eps)
        bias = m.bias - m.running_mean * scale
        m.running_mean.copy_(mean)
        m.running_var.copy_(variance)
        m.weight.copy_(scale * torch.sqrt(variance + m.eps))
        m.bias.copy_(bias + mean * scale)
