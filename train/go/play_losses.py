"""What a network should say of a position of self-play, all heads."""
import torch
from torch.nn import functional as F

from losses import SCORE_UNIT, average, value_target

WEIGHTS = {"policy": 1.0, "value": 1.0, "score": 0.1, "spread": 0.01, "owner": 0.3}


def play_losses(outputs, batch, search_share):
    """Returns the sum to descend, and its parts. search_share: of the search's chance in the value target; the
    rest is who won."""
    policy, value, score, owner = outputs
    parts = {"policy": -(batch.policy * F.log_softmax(policy, 1)).sum(1).mean()}
    target, known = value_target(batch.result)
    search = torch.stack([batch.win, 1 - batch.win, torch.zeros_like(batch.win)], 1)
    target = (1 - search_share) * target + search_share * search
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
