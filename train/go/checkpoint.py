"""Checkpoints: everything to go on from, in files of at most 15 MB, replaced as a whole."""
import io
import os
import shutil

import torch

PART = 15 << 20


def halved(value):
    """The optimizer's numbers need no more than 16 bits to go on."""
    if isinstance(value, dict):
        return {k: halved(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [halved(v) for v in value]
    if torch.is_tensor(value) and value.dtype == torch.float32 and value.dim() > 1:
        return value.bfloat16()
    return value


def save(folder, parts):
    """parts: name -> what torch.save takes. Whoever is killed meanwhile leaves the old one."""
    new, old = folder + ".new", folder + ".old"
    for left in (new, old):
        shutil.rmtree(left, ignore_errors=True)
    os.makedirs(new)
    for name, part in parts.items():
        file = io.BytesIO()
        torch.save(part, file)
        data = file.getvalue()
        for i in range(0, len(data), PART):
            with open(os.path.join(new, "%s.%d" % (name, i // PART)), "wb") as out:
                out.write(data[i : i + PART])
    with open(os.path.join(new, "complete"), "w") as out:
        out.write("\n".join(sorted(os.listdir(new))) + "\n")
    if os.path.exists(folder):
        os.rename(folder, old)
    os.rename(new, folder)
    shutil.rmtree(old, ignore_errors=True)


def is_complete(folder):
    try:
        with open(os.path.join(folder, "complete")) as file:
            names = [n for n in file.read().split("\n") if n]
    except OSError:
        return False
    return all(os.path.exists(os.path.join(folder, n)) for n in names)


def find(folder):
    for candidate in (folder, folder + ".new", folder + ".old"):
        if is_complete(candidate):
            return candidate
    return None


def load(folder, device):
    """name -> part, or None where there is no checkpoint."""
    found = find(folder)
    if not found:
        return None
    names = sorted({n.rsplit(".", 1)[0] for n in os.listdir(found) if n != "complete"})
    parts = {}
    for name in names:
        data, i = b"", 0
        while os.path.exists(os.path.join(found, "%s.%d" % (name, i))):
            with open(os.path.join(found, "%s.%d" % (name, i)), "rb") as file:
                data += file.read()
            i += 1
        parts[name] = torch.load(io.BytesIO(data), map_location=device)
    return parts
