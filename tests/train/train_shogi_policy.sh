#!/usr/bin/env bash
# From games of alpha-beta to a shogi network with a policy and back, at a tiny scale: rows, training
# that is ended and goes on, the exported file against the network that was trained, a search on it.
. tests/train/lib.sh
here=train/shogi/policy

# Games in files of whole positions; the same command with nothing to do says how it is used.
bash $here/games.sh --help | grep -q "$here/games.sh"
if bash $here/games.sh 2>"$folder/error"; then exit 1; fi
bash $here/slice.sh --help | grep -q "$here/slice.sh"
if bash $here/slice.sh "$folder/run" "$folder" 2>"$folder/error"; then exit 1; fi
grep -q "no .psv files" "$folder/error"
YOMI=$BUILD/yomi bash $here/games.sh "$folder/games" --minutes 0.1 --nodes 60 --threads 1 >"$folder/log"
games=$folder/games/games-1-00.psv
[ -s "$games" ] && [ $(($(stat -c %s "$games") % 40)) = 0 ]
[ ! -e "$folder/games/all-1.psv" ]

# The tool built by a compiler alone makes the same files as the build's.
"$BUILD/shogi_rows" "$folder/rows" "$games" --held 10
mkdir "$folder/poison"
for header in jansson zlib png; do echo "#error not here" >"$folder/poison/$header.h"; done
CPATH=$folder/poison CC=${CC:-cc} bash $here/build.sh "$folder/shogi_rows"
"$folder/shogi_rows" "$folder/again" "$games" --held 10
cmp "$folder/rows.train" "$folder/again.train"
cmp "$folder/rows.held" "$folder/again.held"
# Exit statuses are those of yomi, and no room on a disk (or in a file, here) is told.
for tool in go_rows play_rows shogi_rows; do
    "$BUILD/$tool" --help | grep -q "^usage: $tool OUT"
    status=0
    "$BUILD/$tool" "$folder/none" 2>"$folder/error" || status=$?
    [ $status = 2 ]
done
"$BUILD/yomi" selfplay go "$folder/some.ysp" --size 5 --games 4 --visits 2 --fast-visits 2 >/dev/null
status=0
(trap '' XFSZ; ulimit -f 1; "$BUILD/play_rows" "$folder/none" "$folder/some.ysp" 2>"$folder/error") || status=$?
[ $status = 1 ]
grep -q "File too large" "$folder/error"
if "$BUILD/shogi_rows" "$folder/none" "$games" --planes 7 2>/dev/null; then exit 1; fi
if "$BUILD/shogi_rows" "$folder/none" 2>/dev/null; then exit 1; fi

# A run of two calls, and another with the planes of the MC softmax search.
options=(--blocks 1 --channels 8 --batch 32 --report-s 1 --save-s 1 --device cpu --rate 1e-2)
ROWS=$folder/slice bash $here/slice.sh "$folder/run" "$folder/games" --minutes 0.15 --call-minutes 0.05 \
    "${options[@]}"
[ -s "$folder/slice/rows-0000-0000.train" ] && [ ! -e "$folder/slice/parts" ]
# More games than before: their rows are made, too.
mkdir "$folder/more"
cp -p "$games" "$folder/more/games-0.psv"
cp "$games" "$folder/more/games-1.psv"
touch -d '+2 seconds' "$folder/more/games-1.psv"
ROWS=$folder/slice bash $here/slice.sh "$folder/second" "$folder/more" --minutes 0.01 "${options[@]}" >"$folder/log"
[ -s "$folder/slice/rows-0001-0000.train" ]
before=$(tail -n 1 "$folder/run/log.csv" | cut -d, -f2)
"$python" $here/train.py "$folder/run" "$folder/rows" --minutes 0.15 "${options[@]}" | tee "$folder/log"
grep -q "goes on after step" "$folder/log"
[ "$(tail -n 1 "$folder/run/log.csv" | cut -d, -f2)" -gt "$before" ]
[ -s "$folder/run/curve.svg" ]
"$BUILD/shogi_rows" "$folder/pieces" "$games" --held 10 --planes 104
"$python" $here/train.py "$folder/run104" "$folder/pieces" --minutes 0.05 "${options[@]}"

# What is in the file is what was trained, and the engine plays with it.
"$python" $here/check.py "$folder/run" "$folder/rows" "$games" --yomi "$BUILD/yomi" --count 20
"$python" $here/check.py "$folder/run104" "$folder/pieces" "$games" --yomi "$BUILD/yomi" --count 20
printf 'isready\nposition startpos\ngo nodes 20\n' | "$BUILD/yomi" usi --net "$folder/run/net.onnx" |
    grep -q '^bestmove [^r]'

# A deeper network answers as the one that it was made of, and is no shallower.
"$python" $here/grow.py "$folder/run/net.onnx" "$folder/deep.onnx" --blocks 3
"$BUILD/yomi" net info "$folder/deep.onnx" | grep -q "9 of them convolutions"
"$BUILD/yomi" net eval "$folder/run/net.onnx" startpos --backend reference --json >"$folder/said"
"$BUILD/yomi" net eval "$folder/deep.onnx" startpos --backend reference --json | cmp - "$folder/said"
if "$python" $here/grow.py "$folder/deep.onnx" "$folder/none.onnx" --blocks 2 2>"$folder/error"; then exit 1; fi
grep -q "has 3 blocks already" "$folder/error"
for file in none.onnx rows.held; do
    if "$python" $here/grow.py "$folder/$file" "$folder/none" --blocks 3 2>"$folder/error"; then exit 1; fi
    grep -q "^grow.py: .*$file" "$folder/error"
done

# A flatter policy: the ratio of two moves' chances is that of the old one to the power of 1/2, the value is the same.
"$python" $here/flatten.py "$folder/run/net.onnx" "$folder/flat.onnx" --temperature 2
"$BUILD/yomi" net eval "$folder/flat.onnx" startpos --backend reference --json >"$folder/flat"
"$python" - "$folder" <<'PY'
import json, math, sys
said, flat = (json.load(open(sys.argv[1] + "/" + name)) for name in ("said", "flat"))
def ratio(of):
    return math.log(of["policy"]["2g2f"] / of["policy"]["7g7f"])
assert abs(ratio(said)) > 1e-3 and abs(ratio(said) - 2 * ratio(flat)) < 0.02 * abs(ratio(said)) + 1e-3
assert said["win"] == flat["win"]
PY
for file in none.onnx rows.held; do
    if "$python" $here/flatten.py "$folder/$file" "$folder/none" --temperature 2 2>"$folder/error"; then exit 1; fi
    grep -q "^flatten.py: .*$file" "$folder/error"
done
if "$python" $here/flatten.py "$folder/flat.onnx" "$folder/none/x" --temperature 2 2>"$folder/error"; then exit 1; fi
grep -q "^flatten.py: cannot write .*none/x" "$folder/error"

# Mirrored twice is what it was, and a mirrored move is a move of the mirrored board.
"$python" - <<'PY'
import sys
sys.path.insert(0, "train/shogi/policy")
import data
labels = data.mirrored_labels()
assert (labels[labels] == range(len(labels))).all()
up_left, up_right = 1, 2
assert labels[up_left * 81 + 0 * 9 + 3] == up_right * 81 + 8 * 9 + 3
PY

# Rows in several files are those of one. The move of a quiet position is among the quiet moves, those of the others
# are not, but for evasions; seen in a mirror too.
for part in 0 1; do
    head -c $((part * 4000 + 4000)) "$games" | tail -c 4000 >"$folder/part.psv"
    "$BUILD/shogi_rows" "$folder/many-$part" "$folder/part.psv" --held 0 >"$folder/log"
done
head -c 8000 "$games" >"$folder/part.psv"
"$BUILD/shogi_rows" "$folder/one" "$folder/part.psv" --held 0 >"$folder/log"
"$python" - "$folder" <<'PY'
import sys
sys.path.insert(0, "train/shogi/policy")
import data, torch
one, planes = data.load(sys.argv[1] + "/one", "train", "cpu")
many, _ = data.load(sys.argv[1] + "/many", "train", "cpu")
assert len(one) == 200 and torch.equal(one, many)
first, _ = data.load(sys.argv[1] + "/many", "train", "cpu", 1)
assert torch.equal(first, one[:100])
for base in "one", "pieces":
    rows, planes = data.load(sys.argv[1] + "/" + base, "train", "cpu")
    quiet = rows[:, planes * data.PLANE_BYTES + 5] & 1 > 0
    for mirror in False, True:
        inputs, label, _, _, loud = data.Unpacker(planes, "cpu")(rows, torch.full((len(rows),), mirror))
        loud = loud.gather(1, label[:, None])[:, 0]
        check = inputs[:, 118].amax((1, 2)) > 0 if planes == 119 else torch.zeros(len(rows)) > 0
        assert quiet.any() and not loud[quiet].any()
        assert planes == 104 or loud[~quiet & ~check].all()
        assert loud.any()
PY

# A run of one call, whose rate ends with it.
"$python" $here/train.py "$folder/whole" "$folder/rows" --minutes 0 --call-minutes 0.1 "${options[@]}"
awk -F, 'END { exit !($4 < 2e-3) }' "$folder/whole/log.csv"

refuses() { # TEXT TRAIN-ARGUMENTS...
    if "$python" $here/train.py "${@:2}" 2>"$folder/error"; then
        echo "accepted: $1"
        exit 1
    fi
    grep -q "$1" "$folder/error" || { cat "$folder/error"; exit 1; }
}
# From leaves of searches, which have no moves, the value learns; the policy stays what it was: their distance is a small
# part of what one move has.
"$BUILD/yomi" selfplay shogi "$folder/leaves.psv" --leaves 8 --nodes 200 --games 8 --seed 5 >"$folder/log"
"$BUILD/shogi_rows" "$folder/leaves" "$folder/leaves.psv" --held 10 | grep -q "leaves.train: [1-9]"
"$python" $here/train.py "$folder/kept" "$folder/leaves" --minutes 0.1 --start "$folder/run/net.onnx" --keep-policy \
    --score-share 1 "${options[@]}" --rate 2e-3
"$python" - "$folder" <<'PY'
import csv, sys
log = list(csv.DictReader(open(sys.argv[1] + "/kept/log.csv")))
assert float(log[-1]["held_policy"]) < 0.02, log[-1]
assert float(log[-1]["value"]) < float(log[0]["value"]), log
PY
if cmp -s "$folder/run/net.onnx" "$folder/kept/net.onnx"; then exit 1; fi
refuses "policy of --start, which is not given" "$folder/none" "$folder/rows" --minutes 1 "${options[@]}" --keep-policy
refuses "another network" "$folder/run" "$folder/rows" --minutes 9 "${options[@]}" --channels 16
head -c 3000 "$folder/rows.train" >"$folder/short.train"
cp "$folder/rows.held" "$folder/short.held"
refuses "no .*nothing.train" "$folder/short" "$folder/nothing" --minutes 1 "${options[@]}"
refuses "needs --call-minutes" "$folder/short" "$folder/rows" --minutes 0 "${options[@]}"
refuses "ends early" "$folder/short" "$folder/short" --minutes 1 "${options[@]}"
