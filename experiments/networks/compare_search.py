#!/usr/bin/env python3
"""Compares our PUCT with another program's on the same network, positions and visits.

    compare_search.py REFERENCE -- yomi analysis --net FILE [OPTION]...

REFERENCE is a text file (.xz is unpacked) of blocks

    POSITION size 9 rules aga komi 5.5 moves 44 visits 50
    BF3 WE6 ...
    G9 visits 20 winrate 0.1040 lead -3.27 prior 0.2971 pv G9 E9

with moves in the other program's order of preference. Prints a line for each block and a summary:
how often our first move is among its first one, two and three, and how far the shares of visits, the
priors, the win rates and the leads are apart. "same input" leaves out the blocks where a prior is more
than 0.005 apart: there the other program asked its network something else. (KataGo did where komi is
far from fair; its playout doubling advantage, an input of the network, may be the cause.)
"""
import json
import lzma
import subprocess
import sys


SAME = 0.005


def blocks(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt") as file:
        for text in file.read().strip().split("\n\n"):
            lines = text.split("\n")
            words = lines[0].split()
            head = dict(zip(words[1::2], words[2::2]))
            moves = [[m[0], m[1:]] for m in lines[1].split()]
            found = []
            for line in lines[2:]:
                w = line.split()
                row = {"move": w[0]}
                for key in ("visits", "winrate", "lead", "prior"):
                    row[key] = float(w[w.index(key) + 1])
                found.append(row)
            yield head, moves, found


def query(i, head, moves):
    size = int(head["size"])
    return {
        "id": str(i), "moves": moves, "rules": head["rules"], "komi": float(head["komi"]),
        "boardXSize": size, "boardYSize": size, "maxVisits": int(head["visits"]),
    }


def summary(title, groups):
    print(f"{title}\nsize visits positions top1 top2 top3 visits-apart max-prior-gap winrate-gap lead-gap")
    groups = dict(sorted(groups.items()))
    groups["all", ""] = [row for rows in groups.values() for row in rows]
    for key, rows in groups.items():
        n = len(rows)
        if n == 0:
            continue
        top = [sum(r[0] <= k for r in rows) / n for k in (1, 2, 3)]
        mean = [sum(r[k] for r in rows) / n for k in (1, 3, 4)]
        print(f"{key[0]:>4} {key[1]:>6} {n:9} {top[0]:.3f} {top[1]:.3f} {top[2]:.3f} {mean[0]:.3f} "
              f"{max(r[2] for r in rows):.4f} {mean[1]:.4f} {mean[2]:.2f}")


def main():
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__)
        return 0
    if len(sys.argv) < 4 or sys.argv[2] != "--":
        print(__doc__, file=sys.stderr)
        return 2
    theirs = list(blocks(sys.argv[1]))
    text = "".join(json.dumps(query(i, h, m)) + "\n" for i, (h, m, _) in enumerate(theirs))
    run = subprocess.run(sys.argv[3:], input=text, capture_output=True, text=True)
    if run.returncode:
        print(run.stderr, file=sys.stderr)
        return 1
    answers = {}
    for line in run.stdout.splitlines():
        a = json.loads(line)
        if "error" in a:
            print(a, file=sys.stderr)
            return 1
        answers[int(a["id"])] = a
    groups, alike = {}, {}
    for i, (head, moves, found) in enumerate(theirs):
        infos = sorted(answers[i]["moveInfos"], key=lambda m: m["order"])
        ours = {m["move"]: m for m in infos}
        side = moves[-1][0] if moves else "W"
        white = side == "B"  # to move
        total_theirs = sum(f["visits"] for f in found)
        total_ours = sum(m["visits"] for m in infos)
        names = set(ours) | {f["move"] for f in found}
        share = {f["move"]: f["visits"] / total_theirs for f in found}
        apart = 0.5 * sum(
            abs(share.get(n, 0) - ours.get(n, {"visits": 0})["visits"] / total_ours) for n in names)
        prior = max((abs(f["prior"] - ours[f["move"]]["prior"]) for f in found if f["move"] in ours),
                    default=0)
        first = infos[0]["move"]
        order = [f["move"] for f in found]
        rank = order.index(first) + 1 if first in order else 99
        best = max(found, key=lambda f: f["visits"])
        mine = ours.get(best["move"])
        gap = lead = 0
        if mine:
            rate = 1 - mine["winrate"] if white else mine["winrate"]
            gap = abs(rate - best["winrate"])
            lead = abs((-mine["scoreLead"] if white else mine["scoreLead"]) - best["lead"])
        row = (rank, apart, prior, gap, lead)
        groups.setdefault((int(head["size"]), int(head["visits"])), []).append(row)
        if prior < SAME:
            alike.setdefault((int(head["size"]), int(head["visits"])), []).append(row)
        print(f"{head['size']:>2} {head['rules']:>14} {head['visits']:>4}: ours {first:>4} "
              f"({infos[0]['visits']}), theirs {order[0]:>4} ({int(found[0]['visits'])}), rank {rank:2}, "
              f"visits apart {apart:.3f}, priors {prior:.4f}, win rate {gap:.4f}")
    summary("all", groups)
    summary("same input", alike)
    return 0


if __name__ == "__main__":
    sys.exit(main())
