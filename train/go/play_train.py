"""One network in training on rows of self-play: losses of all heads, optimizer, average, checkpoint."""
import copy
import io
import os

import torch
from torch.nn import functional as F

import checkpoint
import import_net
import netfile
from export import export
from losses import SCORE_UNIT, average, value_target
from model import Net, Shape
from optimizer import make

WEIGHTS = {"policy": 1.0, "value": 1.0, "score": 0.1, "spread": 0.01, "owner": 0.3}
SEARCH_SHARE = 0.2  # of the search's chance in the value target; the rest is who won
PART = 15 << 20


def play_losses(outputs, batch):
    """Returns the sum to descend, and its parts."""
    policy, value, score, owner = outputs
    parts = {"policy": -(batch.policy * F.log_softmax(policy, 1)).sum(1).mean()}
    target, known = value_target(batch.result)
    search = torch.stack([batch.win, 1 - batch.win, torch.zeros_like(batch.win)], 1)
    target = (1 - SEARCH_SHARE) * target + SEARCH_SHARE * search
    parts["value"] = average(-(target * F.log_softmax(value, 1)).sum(1), known)
    counted = ~torch.isnan(batch.lead)
    lead = torch.nan_to_num(batch.lead) / SCORE_UNIT
    parts["score"] = average(F.smooth_l1_loss(score[:, 0], lead, reduction="none")
                             + F.smooth_l1_loss(score[:, 2], lead, reduction="none"), counted)
    spread = F.softplus(score[:, 1]) + 0.05
    off = (score[:, 0].detach() - lead).clamp(-4, 4)
    parts["spread"] = average(spread.log() + off * off / (2 * spread * spread), counted)
    # The engine takes tanh of the output: as a probability that is the sigmoid of twice it.
    each = F.binary_cross_entropy_with_logits(2 * owner, (1 + batch.owner) / 2, reduction="none")
    parts["owner"] = average(each.mean((1, 2)), batch.has_owner)
    return sum(WEIGHTS[k] * v for k, v in parts.items()), parts


class PlayTrainer:
    def __init__(self, device, start=None, shape=None, rate=1e-3, weight_decay=0.02, ema_steps=500,
                 frozen=True):
        """start: a network file; without one a new network of the shape. frozen: normalisation keeps
        its statistics, so that the network that plays is exactly the one that is trained."""
        self.device, self.cuda = device, device.startswith("cuda")
        self.start, self.frozen, self.ema_steps = start, frozen, ema_steps
        if self.cuda:
            torch.backends.cudnn.benchmark = True
            torch.set_float32_matmul_precision("high")
        net = import_net.model_of(netfile.read(start)) if start else Net(Shape(**(shape or {})))
        self.net = net.to(device)
        if self.cuda:
            self.net = self.net.to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.net).eval()
        self.optimizers = make(self.net, "muon", rate, weight_decay)
        self.step = 0

    # ---- a step ----

    def inputs(self, planes):
        planes = planes.to(torch.bfloat16 if self.cuda else torch.float32)
        return planes.to(memory_format=torch.channels_last) if self.cuda else planes

    def calibrate(self, batch):
        """Before the first step on a network from a file, if batches are to be normalised by their own
        statistics."""
        for net in (self.net, self.average):
            import_net.calibrate(net, batch.planes.float(), batch.numbers)

    def set_mode(self):
        self.net.train()
        if self.frozen:
            for m in self.net.modules():
                if isinstance(m, torch.nn.BatchNorm2d):
                    m.eval()

    def train_step(self, batch):
        for optimizer in self.optimizers:
            optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda" if self.cuda else "cpu", torch.bfloat16, enabled=self.cuda):
            outputs = self.net(self.inputs(batch.planes), batch.numbers)
        total, parts = play_losses(outputs, batch)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 4.0)
        warm = min(1.0, (self.step + 1) / 100)
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = warm * group["base"]
            optimizer.step()
        self.follow()
        self.step += 1
        return {k: v.detach() for k, v in parts.items()}

    @torch.no_grad()
    def follow(self):
        share = max(1 / self.ema_steps, 1 / (self.step + 1))
        mine, theirs = [], []
        for a, b in zip(self.average.state_dict().values(), self.net.state_dict().values()):
            if a.is_floating_point():
                mine.append(a)
                theirs.append(b)
            else:
                a.copy_(b)
        torch._foreach_mul_(mine, 1 - share)
        torch._foreach_add_(mine, theirs, alpha=share)

    def train(self, window, batch, steps):
        """Mean losses over the steps."""
        if self.step == 0 and self.start and not self.frozen:
            self.calibrate(window.draw(batch))
        self.set_mode()
        sums = {}
        for _ in range(steps):
            for k, v in self.train_step(window.draw(batch)).items():
                sums[k] = sums[k] + v if k in sums else v
        return {k: float(v) / steps for k, v in sums.items()}

    # ---- files ----

    def export(self, path, name):
        return export(self.average, path, name)

    def state(self):
        """In 16 bits, so that it travels: weights as fp16, the average as precise as its export."""
        return {"net": {k: v.half() if v.dim() > 1 else v
                        for k, v in self.net.state_dict().items()},
                "average": checkpoint.halved(dict(self.average.state_dict())),
                "shape": vars(self.net.shape), "step": self.step,
                "optimizers": [checkpoint.halved(o.state_dict()) for o in self.optimizers]}

    def restore(self, state):
        if state["shape"] != vars(self.net.shape):
            raise ValueError("the checkpoint is of another network: %s" % state["shape"])
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.step = state["step"]
        for optimizer, saved in zip(self.optimizers, state["optimizers"]):
            settings = [{k: v for k, v in g.items() if k != "params"}
                        for g in optimizer.param_groups]
            optimizer.load_state_dict(saved)
            for group, mine in zip(optimizer.param_groups, settings):
                group.update(mine)  # those of this call, not the checkpoint's
            for saved_of in optimizer.state.values():
                if "step" in saved_of:  # on the GPU, reading it would wait for all work there
                    saved_of["step"] = saved_of["step"].cpu()


def save_parts(folder, name, value):
    """What torch.save writes, as NAME.0, NAME.1 ... of at most 15 MB, each with the number of the call and
    of parts, so that parts of different calls are not taken for one."""
    file = io.BytesIO()
    torch.save(value, file)
    data = file.getvalue()
    pieces = [data[i : i + PART] for i in range(0, len(data), PART)]
    mark = os.urandom(7) + bytes([len(pieces)])
    for i, piece in enumerate(pieces):
        path = os.path.join(folder, "%s.%d" % (name, i))
        with open(path + ".new", "wb") as out:
            out.write(mark + piece)
        os.replace(path + ".new", path)
    return len(pieces)


def load_parts(folder, name, device):
    """None where there is none, or where one is not whole."""
    data, mark, i = b"", None, 0
    while mark is None or i < mark[7]:
        try:
            with open(os.path.join(folder, "%s.%d" % (name, i)), "rb") as file:
                piece = file.read()
        except OSError:
            return None
        if len(piece) < 8 or (mark is not None and piece[:8] != mark):
            return None
        mark, data, i = piece[:8], data + piece[8:], i + 1
    return torch.load(io.BytesIO(data), map_location=device)
