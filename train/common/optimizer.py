"""Muon for convolutions, AdamW for the rest.

Muon (K. Jordan and others, 2024, https://kellerjordan.github.io/posts/muon/) replaces the momentum
of a weight matrix by the nearest orthogonal matrix, found by five Newton-Schulz steps. The update
is scaled so that its root mean square is that of AdamW's (J. Liu and others, "Muon is scalable for
LLM training", 2025), so that one learning rate serves both."""
import torch

ADAM_SHARE = 0.5  # of Muon's rate


def orthogonal(m):
    """m: [k][rows][columns], rows <= columns."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = m / (m.norm(dim=(1, 2), keepdim=True) + 1e-7)
    x = x.bfloat16() if m.is_cuda else x
    for _ in range(5):
        s = x @ x.transpose(1, 2)
        x = a * x + (b * s + c * (s @ s)) @ x
    return x.float()


class Muon(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.95, weight_decay=0.05):
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            shapes = {}
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(p)
                m = state["momentum"]
                m.lerp_(p.grad, 1 - group["momentum"])
                shapes.setdefault(p.shape, []).append((p, p.grad.lerp(m, group["momentum"])))
            for shape, items in shapes.items():
                self.update(group, shape, items)

    @staticmethod
    def update(group, shape, items):
        flat = torch.stack([u.reshape(shape[0], -1) for _, u in items])
        tall = flat.shape[1] > flat.shape[2]
        out = orthogonal(flat.transpose(1, 2) if tall else flat)
        out = out.transpose(1, 2) if tall else out
        out = out * (0.2 * max(flat.shape[1:]) ** 0.5)
        for (p, _), u in zip(items, out):
            p.mul_(1 - group["lr"] * group["weight_decay"])
            p.sub_(u.reshape(shape) * group["lr"])


def make(net, kind, lr, weight_decay, recorded=False):
    """A list of optimizers, whose groups know their full rate as "base". recorded: their steps may be part
    of a CUDA graph, so the rate is a number on the GPU."""
    optimizers = make_plain(net, kind, lr, weight_decay, {"capturable": True} if recorded else {})
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["base"] = group["lr"]
            if recorded:
                group["lr"] = torch.tensor(group["lr"], device=group["params"][0].device)
    return optimizers


def set_rate(optimizers, share):
    """The rate of the next step, as a share of the full one."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            if torch.is_tensor(group["lr"]):
                group["lr"].fill_(share * group["base"])
            else:
                group["lr"] = share * group["base"]


def make_plain(net, kind, lr, weight_decay, more):
    convs, matrices, others = [], [], []
    for name, p in net.named_parameters():
        if p.dim() == 4 and p.shape[0] > 1 and p.shape[2] > 1:
            convs.append(p)
        else:
            (matrices if p.dim() > 1 else others).append(p)
    if kind == "sgd":
        groups = [{"params": convs + matrices, "weight_decay": weight_decay},
                  {"params": others, "weight_decay": 0}]
        return [torch.optim.SGD(groups, lr, momentum=0.9, nesterov=True)]
    adam = [{"params": matrices, "weight_decay": weight_decay}, {"params": others,
                                                                 "weight_decay": 0}]
    if kind == "adamw":
        adam[0]["params"] = convs + matrices
    optimizers = [torch.optim.AdamW(adam, lr, betas=(0.9, 0.99), **more)]
    if kind == "muon":
        optimizers[0] = torch.optim.AdamW(adam, lr * ADAM_SHARE, betas=(0.9, 0.99), **more)
        optimizers.append(Muon(convs, lr, weight_decay=weight_decay))
    return optimizers
