"""A network in training: steps, the average of its weights, checkpoints. A game gives the network and its
losses; a batch is a pair of the network's inputs (planes first) and of what the losses need."""
import copy

import torch

import checkpoint
from optimizer import make, set_rate


def tensors(value):
    """All of a batch, in a fixed order."""
    if torch.is_tensor(value):
        return [value]
    parts = value if isinstance(value, (list, tuple)) else vars(value).values()
    return [t for part in parts for t in tensors(part)]


class Trainer:
    def __init__(self, net, losses, device, rate, optimizer="muon", weight_decay=0.02, ema_steps=1500,
                 frozen=False, compiled=False, graphs=False):
        """losses(outputs, targets) gives the sum to descend, and its parts by name. frozen: normalisation
        keeps its statistics, so that the network that is exported is exactly the one that is trained.
        ema_steps: the average looks back about this many steps, early half of all. graphs: on a GPU, steps
        are recorded once for each shape of batches and played back, which takes the CPU no time."""
        self.losses, self.device, self.cuda = losses, device, device.startswith("cuda")
        self.kind, self.frozen, self.ema_steps = optimizer, frozen, ema_steps
        self.net = net.to(device)
        if self.cuda:
            torch.backends.cudnn.benchmark = True
            torch.set_float32_matmul_precision("high")
            self.net = self.net.to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.net).eval()
        self.graphs = {} if graphs and self.cuda and optimizer != "sgd" else None
        self.optimizers = make(self.net, optimizer, rate, weight_decay, self.graphs is not None)
        self.step, self.pairs = 0, None
        self.forward = self.net
        if compiled and self.cuda and hasattr(torch, "compile"):
            self.forward = torch.compile(self.net)
        self.net.train()
        if frozen:
            for m in self.net.modules():
                if isinstance(m, torch.nn.BatchNorm2d):
                    m.eval()

    # ---- a step ----

    def run(self, net, inputs):
        planes = inputs[0].to(torch.bfloat16 if self.cuda else torch.float32)
        if self.cuda:
            planes = planes.to(memory_format=torch.channels_last)
        with torch.autocast("cuda" if self.cuda else "cpu", torch.bfloat16, enabled=self.cuda):
            return net(planes, *inputs[1:])

    def train_step(self, batch, share):
        """share: of the full learning rate. Returns the losses, which are still on the device."""
        set_rate(self.optimizers, share)
        parts = self.descend(batch) if self.graphs is None else self.play_back(batch)
        self.follow()
        self.step += 1
        return parts

    def descend(self, batch):
        inputs, targets = batch
        for optimizer in self.optimizers:
            optimizer.zero_grad(set_to_none=True)
        total, parts = self.losses(self.run(self.forward, inputs), targets)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 4.0)
        for optimizer in self.optimizers:
            optimizer.step()
        return {k: v.detach() for k, v in parts.items()}

    def play_back(self, batch):
        key = tuple(t.shape for t in tensors(batch))
        if key not in self.graphs:
            return self.record(key, batch)
        held, graph, parts = self.graphs[key]
        for to, new in zip(tensors(held), tensors(batch)):
            to.copy_(new)
        graph.replay()
        return {k: v.clone() for k, v in parts.items()}

    def record(self, key, batch):
        """The steps that warm up are steps of training too."""
        held = copy.deepcopy(batch)
        aside = torch.cuda.Stream()
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):
            for _ in range(3):
                parts = self.descend(held)
        torch.cuda.current_stream().wait_stream(aside)
        for optimizer in self.optimizers:
            optimizer.zero_grad(set_to_none=True)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            recorded = self.descend(held)
        self.graphs[key] = (held, graph, recorded)
        return parts

    def first_step(self, batch, share):
        """As train_step; goes on without a compiler that fails."""
        try:
            self.train_step(batch, share)
        except Exception as error:  # the compiler's, of which there are many kinds
            if self.forward is self.net:
                raise
            print("not compiled: %s" % str(error).split("\n")[0], flush=True)
            self.forward = self.net
            self.train_step(batch, share)
        self.sync()

    @torch.no_grad()
    def follow(self):
        """The average moves towards the network."""
        share = max(1 / self.ema_steps, 10 / (self.step + 20))
        if self.pairs is None:
            every = zip(self.average.state_dict().values(), self.net.state_dict().values())
            self.pairs = list(zip(*[(a, b) for a, b in every if a.is_floating_point()]))
        mine, theirs = self.pairs
        torch._foreach_mul_(mine, 1 - share)
        torch._foreach_add_(mine, theirs, alpha=share)

    @torch.no_grad()
    def judge(self, net, batches):
        """The mean losses of a network on batches."""
        net.eval()
        parts = [self.losses(self.run(net, inputs), targets)[1] for inputs, targets in batches]
        return {k: float(sum(p[k] for p in parts)) / len(parts) for k in parts[0]}

    def sync(self):
        if self.cuda:
            torch.cuda.synchronize()

    # ---- going on ----

    def state(self):
        """In 16 bits, so that it travels."""
        nets = [{k: v.half() if v.dim() > 1 else v for k, v in net.state_dict().items()}
                for net in (self.net, self.average)]
        return {"net": nets[0], "average": nets[1], "shape": dict(vars(self.net.shape)),
                "step": self.step, "kind": self.kind,
                "optimizers": [checkpoint.halved(o.state_dict()) for o in self.optimizers]}

    def restore(self, state):
        if state["shape"] != vars(self.net.shape):
            raise ValueError("the checkpoint is of another network: %s" % state["shape"])
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.step = state["step"]
        if state["kind"] != self.kind:
            return
        for optimizer, saved in zip(self.optimizers, state["optimizers"]):
            settings = [{k: v for k, v in g.items() if k != "params"} for g in optimizer.param_groups]
            optimizer.load_state_dict(saved)
            for group, mine in zip(optimizer.param_groups, settings):
                group.update(mine)  # those of this call, not the checkpoint's
            for values in optimizer.state.values():
                if "step" in values and self.graphs is None:  # reading it on the GPU would wait
                    values["step"] = values["step"].cpu()
