"""What a run goes on from, as NAME.0, NAME.1 ... of at most 15 MB each."""
import io
import os
import re
import sys
import zipfile

import torch

PART, MARK = 15 << 20, 7  # bytes of data in a file; of the mark that parts of one call have in common


def halved(value):
    """Matrices in 16 bits, which is enough to go on from."""
    if isinstance(value, dict):
        return {k: halved(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [halved(v) for v in value]
    if torch.is_tensor(value) and value.dtype == torch.float32 and value.dim() > 1:
        return value.bfloat16()
    return value


def save(folder, name, value):
    """Every part begins with the call's mark, the number of parts and its own number. All new parts are
    written before the first old one goes, so that a call that is killed leaves the old or the new."""
    file = io.BytesIO()
    torch.save(value, file)
    data, mark = file.getvalue(), os.urandom(MARK)
    count = -(-len(data) // PART)
    paths = [os.path.join(folder, "%s.%d" % (name, i)) for i in range(count)]
    for i, path in enumerate(paths):
        with open(path + ".new", "wb") as out:
            out.write(mark + bytes([count, i]) + data[i * PART : (i + 1) * PART])
    for path in paths:
        os.replace(path + ".new", path)


def is_whole(data):
    """By the checksums of what torch.save writes, which torch.load does not look at."""
    try:
        return zipfile.ZipFile(io.BytesIO(data)).testzip() is None
    except Exception:  # by what is damaged, of many kinds
        return False


def load(folder, name, device):
    """None where there is none yet. Ends the program if there is one that is damaged or not all there: to begin
    anew would overwrite what was learned."""
    found = {}
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    names = [n for n in names if re.fullmatch(re.escape(name) + r"\.\d+(\.new)?", n)]
    for path in names:
        with open(os.path.join(folder, path), "rb") as file:
            data = file.read()
        if len(data) > MARK + 2:
            found.setdefault(data[: MARK + 1], {})[data[MARK + 1]] = data[MARK + 2 :]
    for mark, parts in found.items():
        if len(parts) == mark[MARK]:
            data = b"".join(parts[i] for i in range(len(parts)))
            if is_whole(data):
                return torch.load(io.BytesIO(data), map_location=device)
    if any(not n.endswith(".new") for n in names):
        sys.exit("%s: the checkpoint (%s) is damaged or not all there; copy its files again, or begin in another "
                 "folder" % (folder, ", ".join(n for n in names if not n.endswith(".new"))))
    return None
