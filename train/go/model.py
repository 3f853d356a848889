"""The network: KataGo's architecture of model version 8 (pre-activation residual blocks, some with
global pooling, a policy head and a value head), on the input planes that pay."""
import torch
from torch import nn
from torch.nn import functional as F

# Of KataGo's 22 planes: what is on the board, stones, liberties, ko, five moves, ladders. Areas (18,
# 19) are empty under the rules that nearly all records were played by, the rest is for play after
# the end of the game. Their weights are written as zeros, so that an engine need not compute them.
USED_PLANES = [0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16, 17]
GLOBALS = 19


class Shape:
    def __init__(self, blocks=10, channels=128, pool=32, head=32, hidden=64):
        self.blocks, self.channels, self.pool = blocks, channels, pool
        self.head, self.hidden = head, hidden

    @property
    def pool_blocks(self):
        """Every third block looks at the whole board, beginning with the third."""
        return [i for i in range(self.blocks) if i % 3 == 2]


def conv(inputs, outputs, size=3):
    return nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)


class Norm(nn.Module):
    """Batch normalisation, relu, and nothing off the board."""

    def __init__(self, channels):
        super().__init__()
        self.batch = nn.BatchNorm2d(channels, momentum=0.02)

    def forward(self, x, mask):
        return F.relu(self.batch(x)) * mask


def pool(x, mask, area, value_head=False):
    mean = x.float().sum((2, 3)) / area
    side = area.sqrt() - 14
    if value_head:
        last = mean * (side * side * 0.01 - 0.1)
    else:
        last = (x.float() - (1 - mask)).amax((2, 3))
    return torch.cat([mean, mean * side * 0.1, last], 1)


class Block(nn.Module):
    def __init__(self, shape, pools):
        super().__init__()
        c, g = shape.channels, shape.pool if pools else 0
        self.pools = pools
        self.pre, self.conv = Norm(c), conv(c, c - g)
        if pools:
            self.pool_conv, self.pool_norm = conv(c, g), Norm(g)
            self.pool_bias = nn.Linear(3 * g, c - g, bias=False)
        self.mid, self.final = Norm(c - g), conv(c - g, c)

    def forward(self, x, mask, area):
        y = self.pre(x, mask)
        mid = self.conv(y)
        if self.pools:
            g = pool(self.pool_norm(self.pool_conv(y), mask), mask, area)
            mid = mid + self.pool_bias(g)[:, :, None, None]
        return x + self.final(self.mid(mid, mask))


class Net(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        c, h = shape.channels, shape.head
        self.stem = conv(len(USED_PLANES), c, 5)
        self.stem_global = nn.Linear(GLOBALS, c, bias=False)
        self.blocks = nn.ModuleList(Block(shape, i in shape.pool_blocks)
                                    for i in range(shape.blocks))
        self.tip = Norm(c)
        self.policy_conv, self.policy_pool = conv(c, h, 1), conv(c, h, 1)
        self.policy_pool_norm, self.policy_norm = Norm(h), Norm(h)
        self.policy_bias = nn.Linear(3 * h, h, bias=False)
        self.policy_out, self.policy_pass = conv(h, 1, 1), nn.Linear(3 * h, 1, bias=False)
        self.value_conv, self.value_norm = conv(c, h, 1), Norm(h)
        self.value_2 = nn.Linear(3 * h, shape.hidden)
        self.value_3, self.score_3 = nn.Linear(shape.hidden, 3), nn.Linear(shape.hidden, 4)
        self.ownership = conv(h, 1, 1)
        self.start()

    def start(self):
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
        for block in self.blocks:
            # Residual blocks begin small, so that depth does not blow the sum up.
            block.final.weight.data *= self.shape.blocks ** -0.5
        # Numbers that no record has (superko, passes before ...) must not disturb: they start
        # without influence, and keep none where nothing is learned of them. So does ownership.
        nn.init.zeros_(self.stem_global.weight)
        nn.init.zeros_(self.ownership.weight)
        for out in (self.policy_out, self.policy_pass, self.value_3, self.score_3):
            out.weight.data *= 0.1

    def forward(self, planes, numbers):
        """planes: [n][16][y][x]; returns policy [n][y * x + 1], value [n][3] (win, loss, no
        result), score [n][4], ownership [n][y][x], all before softmax and the like."""
        mask = planes[:, :1]
        area = mask.float().sum((2, 3))
        x = self.stem(planes) + self.stem_global(numbers)[:, :, None, None]
        for block in self.blocks:
            x = block(x, mask, area)
        x = self.tip(x, mask)

        g = pool(self.policy_pool_norm(self.policy_pool(x), mask), mask, area)
        p = self.policy_conv(x) + self.policy_bias(g)[:, :, None, None]
        p = self.policy_out(self.policy_norm(p, mask)).float()
        p = p.masked_fill(mask == 0, -1e4).flatten(1)
        policy = torch.cat([p, self.policy_pass(g).float()], 1)

        v = self.value_norm(self.value_conv(x), mask)
        hidden = F.relu(self.value_2(pool(v, mask, area, True)))
        value, score = self.value_3(hidden).float(), self.score_3(hidden).float()
        return policy, value, score, self.ownership(v).float()[:, 0]
