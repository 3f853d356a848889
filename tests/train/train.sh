#!/usr/bin/env bash
# From games to a network and back: self-play, learning from nothing and going on, and the loop of both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export YOMI_CONFIG='' YOMI_CACHE='' # not the settings of whoever runs the tests

"$YOMI" selfplay shogi "$folder/games.psv" --games 40 --nodes 100 --asides 1 --threads 2 --eval material >"$folder/log"
"$YOMI" learn network "$folder/games.psv" --out "$folder/net.bin" --epochs 2 --batch 256 --threads 2 >"$folder/log"
grep -Eq '^epoch 2: loss [0-9.]+, held out' "$folder/log"
"$YOMI" eval - --eval "$folder/net.bin" <<<'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1' | grep -q lnsgkgsnl
"$YOMI" learn network "$folder/games.psv" --out "$folder/on.bin" --start "$folder/net.bin" --epochs 1 --rate 1e-4 \
    --results 0.2 >"$folder/log"
"$YOMI" learn network "$folder/games.psv" --start "$folder/on.bin" --epochs 0 >"$folder/log"
grep -q 'at the start: loss held out' "$folder/log"

refuses() { # MESSAGE ARGUMENT...
    local message=$1
    shift
    if "$YOMI" learn network "$@" >"$folder/log" 2>"$folder/error"; then
        echo "accepted: learn network $*"
        exit 1
    fi
    grep -q -- "$message" "$folder/error" || { cat "$folder/error"; exit 1; }
}
refuses "give --out" "$folder/games.psv"
refuses "no quiet position" /dev/null --out "$folder/x.bin"
refuses "HalfKA zones.* cannot be learned on" "$folder/games.psv" --out "$folder/x.bin" --start builtin
refuses "no network" "$folder/games.psv" --out "$folder/x.bin" --start material
refuses "cannot" "$folder/games.psv" --out "$folder/missing/x.bin"
refuses "README.md" README.md --out "$folder/x.bin"
refuses "--visits has no meaning in learn network" "$folder/games.psv" --out "$folder/x.bin" --visits 3
[ ! -e "$folder/x.bin" ]

# Positions scored anew, in the order of the files; a damaged one is named.
head -c 4000 "$folder/games.psv" >"$folder/a.psv"
tail -c 4000 "$folder/games.psv" >"$folder/b.psv"
"$YOMI" learn scores "$folder"/[ab].psv --out "$folder/scored.psv" --net builtin --share 0 >"$folder/log"
cmp <(cat "$folder"/[ab].psv) "$folder/scored.psv"
head -c 400 "$folder/games.psv" >"$folder/c.psv"
"$YOMI" learn scores "$folder/c.psv" --out "$folder/scored.psv" --visits 3 >"$folder/log"
grep -q '^10 positions' "$folder/log"
[ "$(wc -c <"$folder/scored.psv")" -eq 400 ] && ! cmp -s "$folder/c.psv" "$folder/scored.psv"
"$YOMI" learn scores "$folder/c.psv" --out "$folder/scored.psv" --nodes 200 --eval material >"$folder/log"
grep -q '^10 positions' "$folder/log"
[ "$(wc -c <"$folder/scored.psv")" -eq 400 ] && ! cmp -s "$folder/c.psv" "$folder/scored.psv"
"$YOMI" learn scores "$folder/c.psv" --out "$folder/x.psv" --nodes 200 --eval "$folder/none" 2>"$folder/error" && exit 1
grep -q "none" "$folder/error"
"$YOMI" learn scores "$folder/c.psv" --out "$folder/x.psv" --nodes 200 --visits 2 2>"$folder/error" && exit 1
grep -q -- "--visits has no meaning in learn scores with --nodes" "$folder/error"
"$YOMI" learn scores /dev/null --out "$folder/x.psv" 2>"$folder/error" && exit 1
grep -q 'no position' "$folder/error"
{ head -c 40 "$folder/games.psv" && head -c 40 /dev/zero; } >"$folder/damaged.psv"
"$YOMI" learn scores "$folder/a.psv" "$folder/damaged.psv" --out "$folder/x.psv" 2>"$folder/error" && exit 1
grep -q "damaged.psv: position 2" "$folder/error" || { cat "$folder/error"; exit 1; }
[ ! -e "$folder/x.psv" ]

# A loop of two steps, a network in both ways each; whoever wins its match plays the second.
python3 train/shogi/loop.py "$folder/loop" "$folder/games.psv" --yomi "$YOMI" --eval material --steps 50:2,60:2 \
    --learn new,on --scale 880 --epochs 1 --on-epochs 1 --threads 1 --match 4 --match-nodes 30 >"$folder/log"
[ -s "$folder/loop/net4.nn.bin" ] && [ -s "$folder/loop/games2b.psv" ]
grep -q 'plays on' "$folder/log"

# The same with a judge, whose scores are learned from a step later.
python3 train/shogi/loop.py "$folder/judged" --yomi "$YOMI" --eval material --steps 200:1,200:1 --leaves 2 --judge builtin --judge-share 1 --judge-visits 1 \
    --learn new --epochs 1 --threads 1 --match 2 --match-nodes 30 >"$folder/log"
[ -s "$folder/judged/judged2.psv" ] && [ -s "$folder/judged/net2.nn.bin" ] && [ ! -e "$folder/judged/net3.nn.bin" ]

# What is wrong is said before the first game.
for wrong in "--steps 50" "--steps 50:2 --judge $folder/none.onnx"; do
    # shellcheck disable=SC2086 # words of a command
    if python3 train/shogi/loop.py "$folder/wrong" --yomi "$YOMI" $wrong 2>"$folder/error"; then exit 1; fi
    grep -Eq "NODES:SECONDS|there is no file" "$folder/error"
done
[ ! -e "$folder/wrong" ]

# A file that is none is said to be none.
head -c 5000 nets/shogi.nn.bin > "$folder/short.bin"
if "$YOMI" selfplay shogi --eval "$folder/short.bin" --against material 2> "$folder/error"; then
    echo "a damaged network was accepted"
    exit 1
fi
grep -q "expected K-P or HalfKP" "$folder/error"
