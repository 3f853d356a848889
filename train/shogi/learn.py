"""Fitting a net to positions: what train.py and loop.py share."""

import copy
import time

import numpy as np
import torch
from torch.nn import functional

import psv


def fit_score_scale(records):
    """The scale at which sigmoid(score / scale) says best who wins."""
    score, won = records["score"].astype(np.float64), (1 + records["result"]) / 2

    def loss(scale):
        p = (1 / (1 + np.exp(-score / scale))).clip(1e-12, 1 - 1e-12)
        return -np.mean(won * np.log(p) + (1 - won) * np.log(1 - p))
    scales = np.arange(100, 1500, 20)
    return float(scales[np.argmin([loss(s) for s in scales])])


class Positions:
    """Unpacked positions on the device; some runs of them are held out."""

    def __init__(self, device):
        self.device, self.parts = device, []

    def add(self, records):
        inputs = []
        for at in range(0, len(records), 1 << 17):
            packed = np.ascontiguousarray(records["position"][at:at + (1 << 17)])
            inputs.append(psv.inputs(torch.from_numpy(packed).to(self.device)))
        score = records["score"].astype(np.float32) / fit_score_scale(records)
        score = torch.sigmoid(torch.from_numpy(score)).to(self.device)
        won = torch.from_numpy((1 + records["result"].astype(np.float32)) / 2).to(self.device)
        # Neighbours are of one game: whole runs are held out, so that few games stand on both sides.
        held_out = torch.arange(len(records), device=self.device) // 2000 % 20 == 7
        self.parts.append((torch.cat(inputs), score, won, held_out))

    def __len__(self):
        return sum(len(p[1]) for p in self.parts)

    def select(self, share, held_out, last=None):
        """Inputs and what a net should say: `share` of the score's chance to win, the rest from the
        result. Of the last so many files only, if that is given."""
        parts = self.parts[-last:] if last else self.parts
        inputs = torch.cat([p[0][p[3] == held_out] for p in parts])
        score = torch.cat([p[1][p[3] == held_out] for p in parts])
        won = torch.cat([p[2][p[3] == held_out] for p in parts])
        return inputs, share * score + (1 - share) * won


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
    """Only what belongs to single inputs is pulled towards zero: there is little to learn it from."""
    others = [p for name, p in net.named_parameters() if name != "own"]
    return torch.optim.AdamW([{"params": [net.own], "weight_decay": decay},
                              {"params": others, "weight_decay": 0}], lr=rate)


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
