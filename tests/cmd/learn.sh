#!/usr/bin/env bash
# train/learn_moves learns what there is to learn: games in which Black always plays on one diagonal
# and White on the other are foretold well, and what it writes can be read back by the program's
# rules (magic, then whole entries).
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for i in $(seq 120); do
    case $((i % 2)) in
    0) echo '(;SZ[9];B[cc];W[gc];B[dd];W[fd];B[ff];W[df];B[gg];W[cg])' ;;
    1) echo '(;SZ[9];B[gg];W[cg];B[ff];W[df];B[dd];W[fd];B[cc];W[gc])' ;;
    esac
done >"$dir/games.sgf"
"$BUILD/learn_moves" "$dir/moves.bin" "$dir/games.sgf" --passes 3 >"$dir/log"
first=$(sed -n 's/.*9x9 .*first \([0-9]*\).*/\1/p' "$dir/log" | tail -n 1)
if [ "${first:-0}" -lt 80 ]; then
    echo "of moves that are always the same only ${first:-none} in 100 were foretold"
    cat "$dir/log"
    exit 1
fi
size=$(wc -c <"$dir/moves.bin")
if [ "$(head -c 12 "$dir/moves.bin")" != "yomi moves 1" ] || [ $(((size - 13 - 2048) % 6)) -ne 0 ] ||
    [ "$size" -le 2061 ]; then
    echo "no model was written: $size bytes"
    exit 1
fi
if "$BUILD/learn_moves" "$dir/moves.bin" "$dir/none.sgf" 2>"$dir/error"; then
    echo "a file that is not there was learned from"
    exit 1
fi
grep -q none.sgf "$dir/error"
