#!/usr/bin/env python3
"""Analyses a position with `yomi analysis`, which speaks KataGo's JSON: python3 analyse.py [YOMI]"""
import json
import subprocess
import sys

yomi = sys.argv[1] if len(sys.argv) > 1 else "yomi"
engine = subprocess.Popen(
    [yomi, "analysis", "--playouts", "200", "--threads", "1"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
query = {
    "id": "after five moves", "rules": "chinese", "komi": 7.5,
    "boardXSize": 9, "boardYSize": 9,
    "moves": [["B", "E5"], ["W", "E3"], ["B", "C4"], ["W", "G4"], ["B", "G5"]],
    "analyzeTurns": [3, 5],
}
answers, _ = engine.communicate(json.dumps(query) + "\n")
for answer in sorted(map(json.loads, answers.splitlines()), key=lambda a: a["turnNumber"]):
    best = answer["moveInfos"][0]
    print(f"move {answer['turnNumber']}: {best['move']}, Black wins {best['winrate']:.0%}, "
          f"{' '.join(best['pv'][:4])}")
sys.exit(engine.returncode)
