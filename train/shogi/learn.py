"""Fitting a net to positions: what train.py and loop.py share."""

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


def fit(net, data, held_out, rate, batch, epochs=0, seconds=0, decay=0.1, tell=print):
    """Trains for a number of epochs or, if given, for a time. Returns the loss held out."""
    inputs, wanted = data
    mirror = psv.mirror().to(wanted.device)
    # Only what belongs to single inputs is pulled towards zero: there is little to learn it from.
    others = [p for name, p in net.named_parameters() if name != "own"]
    optimizer = torch.optim.AdamW([{"params": [net.own], "weight_decay": decay},
                                   {"params": others, "weight_decay": 0}], lr=rate)
    steps = -(-len(wanted) // batch)
    started, step, share = time.time(), 0, 0.0
    while share < 1:
        order = torch.randperm(len(wanted), device=wanted.device)
        total, seen = torch.zeros((), device=wanted.device), 0
        for at in range(0, len(wanted), batch):
            share = (time.time() - started) / seconds if seconds else step / (epochs * steps)
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
            seen += len(chosen)
            step += 1
            if not seconds:
                share = step / (epochs * steps)
        if seen and tell and (not seconds or share >= 1):
            tell("  epoch %.1f: loss %.5f, held out %.5f, %.0f s" %
                 (step / steps, total.item() / seen, validate(net, *held_out),
                  time.time() - started))
    return validate(net, *held_out)
