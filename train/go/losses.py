"""What a network should say of a position, and how well it does."""
import torch
from torch.nn import functional as F

# The records' winners come 200 positions at a time from the same game: a network can learn them by
# heart. Their weight is small against the moves', which are what the trunk is shaped by.
VALUE_WEIGHT, SCORE_WEIGHT, SPREAD_WEIGHT = 0.25, 0.05, 0.01
SCORE_UNIT = 20.0


def value_target(result):
    """[n][3]: win, loss, no result; a draw is half of each. Unknown results are told apart."""
    win = (result == 1).float() + 0.5 * (result == 0).float()
    loss = (result == -1).float() + 0.5 * (result == 0).float()
    return torch.stack([win, loss, torch.zeros_like(win)], 1), result != 2


def average(values, known):
    return torch.where(known, values, torch.zeros_like(values)).sum() / known.sum().clamp(min=1)


def losses(outputs, targets):
    """Returns the sum to descend, and its parts."""
    policy, value, score, _ = outputs
    move, result, lead = targets
    policy_loss = F.cross_entropy(policy, move)
    target, known = value_target(result)
    value_loss = average(-(target * F.log_softmax(value, 1)).sum(1), known)
    counted = ~torch.isnan(lead)
    lead = torch.nan_to_num(lead) / SCORE_UNIT
    score_loss = average(F.smooth_l1_loss(score[:, 0], lead, reduction="none")
                         + F.smooth_l1_loss(score[:, 2], lead, reduction="none"), counted)
    spread = F.softplus(score[:, 1]) + 0.05
    off = (score[:, 0].detach() - lead).clamp(-4, 4)
    spread_loss = average(spread.log() + off * off / (2 * spread * spread), counted)
    total = (policy_loss + VALUE_WEIGHT * value_loss + SCORE_WEIGHT * score_loss
             + SPREAD_WEIGHT * spread_loss)
    return total, {"policy": policy_loss, "value": value_loss, "score": score_loss}


class Tally:
    """How often the first move was the one played, and the likelier winner the one who won."""

    def __init__(self):
        self.moves = self.first = self.games = self.won = 0
        self.policy = self.value = 0.0

    def add(self, outputs, move, result, full_board):
        policy, value, _, _ = outputs
        on_board = (move < policy.shape[1] - 1) & full_board
        decided = (result.abs() == 1) & full_board
        target, _ = value_target(result)
        hit = (policy.argmax(1) == move) & on_board
        won = ((value[:, 0] > value[:, 1]) == (result == 1)) & decided
        nats = F.cross_entropy(policy, move, reduction="none")
        value_nats = -(target * F.log_softmax(value, 1)).sum(1)
        self.moves += int(on_board.sum())
        self.first += int(hit.sum())
        self.games += int(decided.sum())
        self.won += int(won.sum())
        self.policy += float((nats * on_board).sum())
        self.value += float(torch.where(decided, value_nats, torch.zeros_like(value_nats)).sum())

    def summary(self):
        moves, games = max(self.moves, 1), max(self.games, 1)
        return {"held_top1": self.first / moves, "held_policy": self.policy / moves,
                "held_winner": self.won / games, "held_value": self.value / games}
