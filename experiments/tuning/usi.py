"""A USI engine as a child process: options, positions, searches."""

import re
import subprocess


class Engine:
    """One engine; options are (name, value) pairs sent before isready."""

    def __init__(self, command, options=()):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        bufsize=1)
        self.say("usi")
        self.wait("usiok")
        for name, value in options:
            self.say(f"setoption name {name} value {value}")
        self.say("isready")
        for line in self.wait("readyok"):
            if line.startswith("info string"):
                raise RuntimeError(line)

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, word):
        """Lines up to the one that begins with the word, that one included."""
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("the engine ended")
            lines.append(line.rstrip("\n"))
            if line.startswith(word):
                return lines

    def search(self, moves, limit):
        """Of the game that begins with these moves."""
        return self.search_position("startpos moves " + " ".join(moves) if moves else "startpos", limit)

    def search_position(self, position, limit):
        """[(score, first move)] of the deepest search, best line first; mates as +-30000."""
        self.say("position " + position)
        self.say("go " + limit)
        found = {}
        for line in self.wait("bestmove"):
            m = re.match(r"info depth .*? score (cp|mate) (\S+).*? pv (\S+)", line)
            if not m or "bound" in line:
                continue
            number = re.search(r" multipv (\d+)", line)
            if m[1] == "cp":
                score = int(m[2])
            else:
                score = -30000 if m[2].startswith("-") else 30000
            found[int(number[1]) if number else 1] = (score, m[3])
        return [found[k] for k in sorted(found)]

    def new_game(self):
        self.say("usinewgame")

    def close(self):
        self.say("quit")
        self.process.wait()
