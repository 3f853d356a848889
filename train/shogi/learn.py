"""Fitting a net to positions: what train.py and loop.py share."""

import copy
import time

import numpy as np
import torch
from torch.nn import functional

import psv

LEARN_BELOW = 2500  # hundredths of a pawn; positions with such scores are not learned from


def fit_score_scale(records):
    """The scale at which sigmoid(score / scale) says best who wins."""
    records = records[(records["flags"] & psv.ASIDE) == 0]
    records = records[::1 + len(records) // 200000]
    won = (1 + records["result"]) / 2
    score = records["score"].astype(np.float64).clip(-3000, 3000)  # mates would count too much

    def loss(scale):
        p = (1 / (1 + np.exp(-score / scale))).clip(1e-12, 1 - 1e-12)
        return -np.mean(won * np.log(p) + (1 - won) * np.log(1 - p))
    scales = np.arange(100, 3000, 20)
    return float(scales[np.argmin([loss(s) for s in scales])])


def same_game(records):
    """Whether each record's successor is of the same game: it comes later in it, and who won is who
    won before."""
    black = records["result"] * (1 - 2 * (records["position"][:, 0] & 1).astype(np.int8))
    same = np.zeros(len(records), bool)
    same[:-1] = (records["ply"][1:] > records["ply"][:-1]) & (black[1:] == black[:-1])
    return same


def traced(score, won, white, same, trace):
    """What a game says of its positions, chances of the side to move all: (1 - trace) of the score,
    and the rest of what it says of the next position; after the last comes the result. That is the
    target of TD(lambda). Many steps at once: each pass doubles how far a position looks ahead."""
    black = torch.where(white, 1 - score, score)
    end = torch.where(white, 1 - won, won)
    value = (1 - trace) * black + trace * torch.where(same, torch.zeros_like(end), end)
    factor = trace * same.float()
    reach = 1
    while reach < 512:
        value[:-reach] += factor[:-reach] * value[reach:].clone()
        factor[:-reach] *= factor[reach:].clone()
        factor[-reach:] = 0
        reach *= 2
    return torch.where(white, 1 - value, value)


class Positions:
    """Unpacked positions on the device; some runs of them are held out."""

    def __init__(self, device, traces, below=LEARN_BELOW):
        self.device, self.traces, self.below, self.parts = device, traces, below, []

    def unpacked(self, records):
        parts, chunk = [], 1 << (20 if self.device != "cpu" else 17)
        for at in range(0, len(records), chunk):
            packed = np.ascontiguousarray(records["position"][at:at + chunk])
            parts.append(psv.inputs(torch.from_numpy(packed).to(self.device)))
        return torch.cat(parts)

    def targets(self, records, scale):
        """The chance to win for each trace. Positions beside the game have their score alone."""
        chance = torch.sigmoid(torch.from_numpy(records["score"].astype(np.float32) / scale))
        game = torch.from_numpy((records["flags"] & psv.ASIDE) == 0)
        played = records[game.numpy()]
        won = torch.from_numpy((1 + played["result"].astype(np.float32)) / 2)
        white = torch.from_numpy((played["position"][:, 0] & 1) == 1)
        same = torch.from_numpy(same_game(played))
        targets = []
        for trace in self.traces:
            target = chance.clone()
            target[game] = traced(chance[game], won, white, same, trace)
            targets.append(target)
        return torch.stack(targets)

    def add(self, records, step=0, scale=0):
        """Returns the scale of their scores (0: it is fitted), and how many are worth learning
        from."""
        scale = scale or fit_score_scale(records)
        keep = psv.quiet(records, self.below)
        targets = self.targets(records, scale)[:, torch.from_numpy(keep)].to(self.device)
        inputs = self.unpacked(records[keep])
        # Neighbours are of one game: whole runs are held out, so that few games stand on both sides.
        held_out = torch.arange(len(inputs), device=self.device) // 2000 % 20 == 7
        self.parts.append((inputs, targets, held_out, step))
        return scale, len(inputs)

    def select(self, trace, held_out, first_step=0):
        """Inputs and what a net should say of them. Only what was added with that step or a later
        one."""
        parts = [p for p in self.parts if p[3] >= first_step]
        at = self.traces.index(trace)
        return (torch.cat([p[0][p[2] == held_out] for p in parts]),
                torch.cat([p[1][at][p[2] == held_out] for p in parts]))


def loss_of(net, inputs, wanted):
    """Cross entropy, less the part that no net could avoid."""
    loss = functional.binary_cross_entropy_with_logits(net(inputs), wanted)
    return loss - functional.binary_cross_entropy(wanted, wanted)


def validate(net, inputs, wanted, batch=16384):
    if len(wanted) == 0:
        return float("nan")
    with torch.no_grad():
        parts = [loss_of(net, inputs[i:i + batch].long(), wanted[i:i + batch]).item() *
                 len(wanted[i:i + batch]) for i in range(0, len(wanted), batch)]
    return sum(parts) / len(wanted)


def rate_at(share, top):
    """A short climb, then half a cosine down."""
    return top * min(1, share / 0.03) * (0.02 + 0.49 * (1 + np.cos(np.pi * share)))


def make_optimizer(net, rate, decay):
    """Only what belongs to single inputs is pulled towards zero: there is little to learn it from. Gradients
    of inputs that are rarely on are about 1e-7; with this eps they take short steps."""
    fused = {"fused": True} if net.own.is_cuda else {}
    single = ("own", "relative")
    own = [p for name, p in net.named_parameters() if name in single]
    others = [p for name, p in net.named_parameters() if name not in single]
    return torch.optim.AdamW([{"params": own, "weight_decay": decay},
                              {"params": others, "weight_decay": 0}], lr=rate, eps=1e-6, **fused)


def fit(net, data, held_out, rate=2e-3, batch=4096, epochs=6, seconds=0, decay=0.1, tell=print):
    """Trains for a number of epochs, or less if the time runs out, and goes back to the state with
    the least loss held out: a net that has seen its positions too often knows them by heart.
    Returns that loss."""
    inputs, wanted = data
    mirror = psv.mirror().to(wanted.device)
    optimizer = make_optimizer(net, rate, decay)
    steps, started, step = -(-len(wanted) // batch), time.time(), 0
    best, best_state, share = float("inf"), None, 0.0
    for epoch in range(epochs):
        order = torch.randperm(len(wanted), device=wanted.device)
        total = torch.zeros((), device=wanted.device)
        for at in range(0, len(wanted), batch):
            share = max(step / (epochs * steps),
                        (time.time() - started) / seconds if seconds else 0)
            if share >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = rate_at(share, rate)
            chosen = order[at:at + batch]
            turned = inputs[chosen].long()
            if torch.rand(()) < 0.5:
                turned = mirror[turned]
            loss = loss_of(net, turned, wanted[chosen])
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            net.clip()
            total += loss.detach() * len(chosen)
            step += 1
        held = validate(net, *held_out)
        if tell:
            tell("  epoch %d: loss %.5f, held out %.5f, %.0f s" %
                 (epoch + 1, total.item() / len(wanted), held, time.time() - started))
        if not held >= best:  # not a number, where nothing is held out, counts as better
            best, best_state = held, copy.deepcopy(net.state_dict())
        if share >= 1:
            break
    net.load_state_dict(best_state)
    return best
