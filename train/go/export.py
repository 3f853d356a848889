"""A trained network in KataGo's format."""
import numpy as np
import torch

import netfile
from model import USED_PLANES


def folded(norm):
    norm = norm.batch
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return {"scale": array(scale), "bias": array(norm.bias - norm.running_mean * scale)}


def array(tensor):
    return tensor.detach().double().cpu().numpy()


def rounded(weights):
    """To the 8 bits of precision of bfloat16, which halves the file and costs nothing."""
    weights = np.asarray(weights, np.float16)  # as checkpoints have them
    bits = np.ascontiguousarray(weights, np.float32).view(np.uint32)
    bits = bits + 0x7FFF + (bits >> 16 & 1) & np.uint32(0xFFFF0000)
    return bits.view(np.float32)


def conv(module):
    return rounded(array(module.weight).transpose(2, 3, 1, 0))


def matrix(module):
    return rounded(array(module.weight).T)


def to_file_form(net, name):
    stem = np.zeros((5, 5, netfile.PLANES, net.shape.channels), np.float32)
    stem[:, :, USED_PLANES] = conv(net.stem)
    out = {"name": name, "stem": stem, "stem_global": matrix(net.stem_global), "blocks": []}
    for block in net.blocks:
        form = {"pre": folded(block.pre), "conv": conv(block.conv), "mid": folded(block.mid),
                "final": conv(block.final)}
        if block.pools:
            form.update(pool_conv=conv(block.pool_conv), pool_norm=folded(block.pool_norm),
                        pool_bias=matrix(block.pool_bias))
        out["blocks"].append(form)
    for part in ("tip", "policy_pool_norm", "policy_norm", "value_norm"):
        out[part] = folded(getattr(net, part))
    for part in ("policy_conv", "policy_pool", "policy_out", "value_conv", "ownership"):
        out[part] = conv(getattr(net, part))
    for part in ("policy_bias", "policy_pass", "value_2", "value_3", "score_3"):
        out[part] = matrix(getattr(net, part))
    for part in ("value_2", "value_3", "score_3"):
        out[part + "_bias"] = array(getattr(net, part).bias)
    return out


def export(net, path, name):
    """Returns the file's size."""
    return netfile.write(path, to_file_form(net, name))
