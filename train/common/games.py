"""Records of self-play (docs/selfplay.md) in a folder, oldest first."""
import os
import re
import shutil
import struct
import zlib

MAGIC, FRAME, FILES, FILE_BYTES, MARK = b"YMSP", 12, 3, 15 << 20, b"PENDING\n"


def replace(path, data):
    with open(path + ".new", "wb") as out:
        out.write(data)
    os.replace(path + ".new", path)


def frames(data):
    """The whole records in the bytes of a file of games; what is damaged between them is left out."""
    at = data.find(MAGIC)
    while 0 <= at <= len(data) - FRAME:
        length, checksum = struct.unpack_from("<II", data, at + 4)
        end = at + FRAME + length
        if end <= len(data) and zlib.crc32(memoryview(data)[at + FRAME : end]) == checksum:
            yield data[at:end]
            at = data.find(MAGIC, end)
        else:
            at = data.find(MAGIC, at + 1)


class Games:
    """The newest games, in one file for each iteration of this call; and the unfinished ones. In OUT these
    follow the last file's games, behind a mark."""

    def __init__(self, work, most, keep=None):
        """keep: a folder for files that are not the newest any more; None: they are deleted."""
        self.work, self.most, self.keep, self.files, self.number = work, most, keep, [], 0
        self.pending = os.path.join(work, "pending")

    def load(self, out):
        for i in range(FILES):
            path = os.path.join(out, "games.%d" % i)
            if not os.path.exists(path):
                continue
            with open(path, "rb") as file:
                data = file.read()
            finished, mark, pending = data.partition(MARK)
            self.files.append(os.path.join(self.work, "old.%d" % i))
            replace(self.files[-1], b"".join(frames(finished)))
            if mark:
                replace(self.pending, pending)

    def new_file(self):
        """A file for self-play to write, with the unfinished games beside it."""
        path = os.path.join(self.work, "games-%05d" % self.number)
        self.number += 1
        if os.path.exists(self.pending):
            shutil.copy(self.pending, path + ".pending")  # a save before the next end needs them too
        return path

    def add(self, path):
        self.files.append(path)
        if os.path.exists(path + ".pending"):
            os.replace(path + ".pending", self.pending)
        while len(self.files) > 1 and sum(map(os.path.getsize, self.files)) > self.most:
            self.drop(self.files.pop(0))

    def drop(self, path):
        if self.keep and not os.path.basename(path).startswith("old"):  # old: of the call before, which kept them
            os.makedirs(self.keep, exist_ok=True)
            numbers = [int(n[:-4]) for n in os.listdir(self.keep) if re.fullmatch(r"\d+\.ysp", n)]
            shutil.move(path, os.path.join(self.keep, "%05d.ysp" % (max(numbers, default=-1) + 1)))
        else:
            os.remove(path)

    def close(self):
        """What is in the window is kept, too."""
        for path in self.files if self.keep else []:
            self.drop(path)
        self.files = []

    def tail(self):
        if not os.path.exists(self.pending) or os.path.getsize(self.pending) > FILE_BYTES // 2:
            return b""
        with open(self.pending, "rb") as file:
            return MARK + file.read()

    def save(self, out):
        """The newest games first, into the last file, as many as fit."""
        records, tail = [], self.tail()
        for path in self.files:
            with open(path, "rb") as file:
                records += frames(file.read())
        chunks, size = [[]], len(tail)
        for record in reversed(records):
            if size + len(record) > FILE_BYTES:
                if len(chunks) == FILES:
                    break
                chunks.append([])
                size = 0
            chunks[-1].append(record)
            size += len(record)
        data = [b"".join(c[::-1]) for c in chunks[::-1]]
        data[-1] += tail
        for i in range(FILES):
            path = os.path.join(out, "games.%d" % i)
            if i < len(data):
                replace(path, data[i])
            elif os.path.exists(path):
                os.remove(path)
