#!/usr/bin/env bash
# From game records to a Go network and back, at a tiny scale: rows, training that is killed and goes
# on, the exported file against the network that was trained.
. tests/train/lib.sh
here=train/go

# Games in which every move goes on in the direction of the two before it: what is to be learned can
# be seen in the planes of the last moves, and turns with the board.
"$python" - "$folder/games.tsv" <<'PY'
import random
import sys

random.seed(4)
letters = "abcdefghijklmnopqrs"
with open(sys.argv[1], "w") as file:
    for game in range(400):
        size = 9 if game % 5 == 0 else 19
        dy, dx = random.choice([(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1)])
        y, x = random.randrange(size), random.randrange(size)
        moves = ""
        while 0 <= y < size and 0 <= x < size:
            moves += "BW"[len(moves) // 3 % 2] + letters[x] + letters[y]
            y, x = y + dy, x + dx
        file.write("%d\t2000\t6.5\t%s\t%s\n" % (size, random.choice(["B+R", "W+2.5"]), moves))
PY

# The tool built by a compiler alone, without the engine's libraries, makes the same files as the
# build's.
"$BUILD/go_rows" "$folder/rows" "$folder/games.tsv" --threads 2 --held 10
mkdir "$folder/poison"
for header in jansson zlib png; do echo "#error not here" > "$folder/poison/$header.h"; done
CPATH=$folder/poison CC=${CC:-cc} bash "$here/build.sh" "$folder/go_rows"
"$folder/go_rows" "$folder/again" "$folder/games.tsv" --threads 1 --held 10
cmp "$folder/rows.train" "$folder/again.train"
cmp "$folder/rows.held" "$folder/again.held"

options=(--blocks 3 --channels 16 --pool 8 --batch 64 --report-s 5 --save-s 5 --device cpu
    --rate 1e-2)
last() { tail -n 1 "$folder/run/log.csv" | cut -d, -f"$1"; } # COLUMN

# Killed after its first checkpoint, it goes on from there.
"$python" "$here/train.py" "$folder/run" "$folder/rows" --minutes 0.7 "${options[@]}" &
while [ ! -e "$folder/run/state.0" ]; do
    sleep 1
    kill -0 $! || exit 1
done
kill -9 $!
wait $! || true
before=$(last 2)
"$python" "$here/train.py" "$folder/run" "$folder/rows" --minutes 0.7 "${options[@]}" |
    tee "$folder/log"
grep -q "goes on after step" "$folder/log"
[ "$(last 2)" -gt "$before" ]
[ -s "$folder/run/curve.svg" ]

# It has learned more than chance (1 in 361) would find.
awk -v top1="$(last 9)" 'BEGIN { exit !(top1 > 0.1) }' || { echo "top-1 $(last 9)"; exit 1; }

# What is in the file is what was trained, on both sizes.
"$python" "$here/check.py" "$folder/run" "$folder/rows" --count 200

# Another shape, a damaged file of rows and a run that learns nothing are told.
refuses() { # TEXT TRAIN-ARGUMENTS...
    if "$python" "$here/train.py" "${@:2}" 2> "$folder/error"; then
        echo "accepted: $1"
        exit 1
    fi
    grep -q "$1" "$folder/error" || { cat "$folder/error"; exit 1; }
}
# A checkpoint that got lost is told, and what was learned is not written over.
cp -r "$folder/run" "$folder/lost"
rm "$folder/lost"/state.*
refuses "no checkpoint" "$folder/lost" "$folder/rows" --minutes 9 "${options[@]}"
refuses "another network" "$folder/run" "$folder/rows" --minutes 9 "${options[@]}" --channels 24
head -c 3000 "$folder/rows.train" > "$folder/short.train"
cp "$folder/rows.held" "$folder/short.held"
refuses "ends early" "$folder/short" "$folder/short" --minutes 1 "${options[@]}"
status=0
"$python" "$here/train.py" "$folder/none" "$folder/rows" --minutes 1 "${options[@]}" --rate 0 \
    --report-s 1 --most-loss 3 --most-loss-after 1 || status=$?
[ "$status" = 3 ]
