#!/usr/bin/env bash
# From leaves of alpha-beta's searches, scored by a network, to a HalfKA zones network, at a tiny scale: the engine's
# values are those that were learned, to the last bit, and it plays with them.
. tests/train/lib.sh
here=train/shogi/eval

# Positions of games, and leaves that a network with a policy has scored.
"$BUILD/yomi" selfplay shogi "$folder/games.psv" --games 30 --nodes 100 --threads 1 >"$folder/log"
python3 $here/leaves.py "$folder/leaves" --seconds 2 --players 1 --nodes 1000 --leaves 80 --deep-share 0.1 \
    --net builtin,builtin --visits 1 --yomi "$BUILD/yomi" |
    tee "$folder/log"
grep -q "positions scored, 0 wait" "$folder/log"
[ $(($(stat -c %s "$folder/leaves/judged-0.psv") % 40)) = 0 ]
if ls "$folder"/leaves/leaves-* 2>/dev/null; then exit 1; fi
python3 $here/leaves.py "$folder/searched" --seconds 2 --players 1 --nodes 1000 --leaves 8 --deep-share 0.1 --search-nodes 300 \
    --search-threads 2 --yomi "$BUILD/yomi" | tee "$folder/log"
grep -q "positions scored, 0 wait" "$folder/log"
if python3 $here/leaves.py "$folder/leaves" --seconds 1 --players 1 --eval "$folder/none" --yomi "$BUILD/yomi" \
    2>"$folder/error"; then exit 1; fi
grep -q "leaves.py: a player failed: .*none" "$folder/error"

# Some of the quiet ones in their order; the same for the same seed; more than there are is refused.
for out in drawn again; do "$python" $here/draw.py "$folder/games.psv" --count 200 --out "$folder/$out.psv" | tee "$folder/log"; done
grep -q "^200 of [0-9]* positions that fit, of $(($(stat -c %s "$folder/games.psv") / 40))$" "$folder/log"
cmp "$folder/drawn.psv" "$folder/again.psv"
"$python" - "$folder" <<'END'
import sys

sys.path.append("train/shogi")
import numpy as np
import psv

drawn, games = (np.fromfile(f"{sys.argv[1]}/{name}.psv", psv.RECORD) for name in ("drawn", "games"))
assert (drawn["flags"] & 1 == 1).all() and (abs(drawn["score"].astype(int)) < 2000).all()
places = {row.tobytes(): at for at, row in enumerate(games)}
at = [places[row.tobytes()] for row in drawn]
assert at == sorted(set(at)), "not in their order"
END
quiet=$(sed -n 's/^200 of \([0-9]*\) .*/\1/p' "$folder/log") # --all: the others, too
[ "$("$python" $here/draw.py "$folder/games.psv" --count 200 --all --out "$folder/all.psv" | cut -d ' ' -f 3)" -gt "$quiet" ]
if "$python" $here/draw.py "$folder/games.psv" --count 1000000 --out "$folder/drawn.psv" 2>"$folder/error"; then exit 1; fi
grep -q "draw.py: .*fewer than --count 1000000" "$folder/error"

# From nothing; the loss falls.
options=(--batch 512 --report-s 1000 --device cpu)
files=("$folder/games.psv" "$folder"/leaves/judged-*.psv)
"$python" $here/train.py "${files[@]}" --out "$folder/new.nn.bin" --epochs 6 "${options[@]}" | tee "$folder/log"
awk '/at first/ { first = $NF } /^epoch/ { sub(",", "", $7); last = $7 } END { exit !(last < first) }' "$folder/log"
"$python" $here/check.py "$folder/new.nn.bin" "$folder/games.psv" --yomi "$BUILD/yomi" --count 300
printf 'isready\nposition startpos\ngo nodes 2000\n' | "$BUILD/yomi" usi --book off --eval "$folder/new.nn.bin" |
    grep -q '^bestmove [^r]'

# On from a file: what is not learned on has the same values.
"$python" $here/train.py "${files[@]}" --out "$folder/on.nn.bin" --start "$folder/new.nn.bin" --epochs 0.01 --rate 0 \
    "${options[@]}" >"$folder/log"
cmp "$folder/new.nn.bin" "$folder/on.nn.bin"
"$python" $here/train.py "${files[@]}" --out "$folder/on.nn.bin" --start nets/shogi.nn.bin --epochs 0.1 \
    "${options[@]}" >"$folder/log"
"$python" $here/check.py "$folder/on.nn.bin" "$folder/games.psv" --yomi "$BUILD/yomi" --count 100

# Of the other kinds; zones go on from them, they do not from zones.
for kind in kp relative; do
    "$python" $here/train.py "${files[@]}" --kind $kind --out "$folder/$kind.nn.bin" --epochs 2 "${options[@]}" | tee "$folder/log"
    awk '/at first/ { first = $NF } /^epoch/ { sub(",", "", $7); last = $7 } END { exit !(last < first) }' "$folder/log"
    "$python" $here/check.py "$folder/$kind.nn.bin" "$folder/games.psv" --yomi "$BUILD/yomi" --count 300
    "$python" $here/train.py "${files[@]}" --kind $kind --out "$folder/on.nn.bin" --start "$folder/$kind.nn.bin" --epochs 0.01 \
        --rate 0 "${options[@]}" >"$folder/log"
    cmp "$folder/$kind.nn.bin" "$folder/on.nn.bin"
done
"$python" $here/train.py "${files[@]}" --out "$folder/on.nn.bin" --start "$folder/kp.nn.bin" --epochs 0.01 "${options[@]}" >"$folder/log"

# The mean of networks of one kind is a start, and that of networks of any kind scores positions: twice the same is itself.
"$python" $here/train.py "${files[@]}" --out "$folder/on.nn.bin" --start "$folder/new.nn.bin,$folder/new.nn.bin" --epochs 0.01 \
    --rate 0 "${options[@]}" >"$folder/log"
cmp "$folder/new.nn.bin" "$folder/on.nn.bin"
"$python" $here/ensemble.py "$folder/games.psv" --nets "$folder/new.nn.bin,$folder/kp.nn.bin" --out "$folder/mean.psv" |
    tee "$folder/log"
grep -q "scored by 2 networks" "$folder/log"
"$python" $here/ensemble.py "$folder/mean.psv" --nets "$folder/new.nn.bin,$folder/kp.nn.bin:600" --out "$folder/again.psv" >"$folder/log"
cmp "$folder/mean.psv" "$folder/again.psv"
"$python" $here/ensemble.py "$folder/games.psv" --nets "$folder/new.nn.bin" --leaves --out "$folder/kept.psv" >"$folder/log"
"$python" - "$folder" <<'END'
import sys
import numpy as np
sys.path.append("train/shogi")
import psv
games, kept, mean = (np.fromfile(f"{sys.argv[1]}/{n}.psv", psv.RECORD) for n in ("games", "kept", "mean"))
games = games[games["flags"] & 1 != 0]
assert (games["score"] == kept["score"]).all(), "positions of games keep their scores"
assert (games["position"] == mean["position"]).all() and (games["score"] != mean["score"]).any()
END
if "$python" $here/ensemble.py "$folder/games.psv" --nets README.md --out "$folder/none" 2>"$folder/error"; then exit 1; fi
grep -q "ensemble.py: README.md: neither" "$folder/error"

# Files that are none, or hold nothing, are refused by name.
: >"$folder/empty.psv"
refuses() { # TEXT ARGUMENTS...
    if "$python" $here/train.py "${@:2}" --out "$folder/none" 2>"$folder/error"; then exit 1; fi
    grep -q "train.py: $1" "$folder/error" || { cat "$folder/error"; exit 1; }
}
refuses ".*README.md: neither" "$folder/games.psv" --start README.md
refuses "networks of several kinds" "$folder/games.psv" --start "$folder/new.nn.bin,$folder/kp.nn.bin"
refuses ".*new.nn.bin: .*--kind kp" "$folder/games.psv" --start "$folder/new.nn.bin" --kind kp
refuses ".*nothing.psv" "$folder/nothing.psv"
refuses "no quiet position" "$folder/empty.psv"
head -c 90 "$folder/games.psv" >"$folder/cut.psv"
refuses ".*cut.psv: not a whole number" "$folder/cut.psv"
if "$python" $here/train.py "$folder/games.psv" --out "$folder/none/x" 2>"$folder/error"; then exit 1; fi
grep -q "^train.py: .*none/x" "$folder/error"
