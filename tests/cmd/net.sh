#!/usr/bin/env bash
# yomi net, and yomi bench net: small networks are in fuzz/corpus/net.
# shellcheck source=tests/lib.sh
. tests/lib.sh
net=fuzz/corpus/net/katago-v8.bin.gz

run() { # STATUS ARGS...
    local want=$1 got=0
    shift
    "$YOMI" "$@" >"$tmp/out" 2>&1 || got=$?
    [ "$got" -eq "$want" ] || fail "yomi $*: status $got: $(head -c 400 "$tmp/out")"
}

run 0 net info "$net" --backend reference
says "version 8" "22 planes" "Go, boards from 2x2 to 19x19" "convolutions" "parameters" \
    "reference, 9x9:" "evaluations/s"
run 0 net info fuzz/corpus/net/katago-v16.txt --no-speed --json
says '"version":16' '"policy":4' '"score":6' '"planes":22' '"speed":[]'
run 1 net info README.md
says "README.md" "not a network file"
head -c 1000 "$net" >"$tmp/cut.bin.gz"
run 1 net info "$tmp/cut.bin.gz"
says "cut.bin.gz" "damaged or cut off" "at byte"
run 2 net info "$net" --backend referense
says "did you mean reference?"
run 2 net info "$net" --size 9

# The choice of a backend is measured once, and kept.
YOMI_CACHE=$tmp/cache run 0 net info fuzz/corpus/net/dlshogi.onnx
says "auto here"
chosen=$(sed -n 's/^auto here *//p' "$tmp/out")
has "$tmp/cache/net-backends" " $chosen [0-9]* 119 planes, "
YOMI_CACHE=$tmp/cache run 0 doctor --seconds 0
says "Fastest for networks" "$chosen," "evaluations/s: 119 planes" "kept in $tmp/cache/net-backends"
YOMI_CACHE='' run 0 doctor --seconds 0
says "not measured"
run 2 net info "$net" x

run 0 net eval "$net" "E5 pass C3" --size 9 --komi 5.5
says "White to move: wins" "lead" "best moves" "policy, percent" "ownership"
grep -qE '^ 5 .*  X' "$tmp/out" || fail "no stone on E5"
run 0 net eval "$net" --size 5 --json
says '"boardSize":5' '"currentPlayer":"B"' '"policy":[' '"whiteWinProb":'
[ "$(sed -E 's/.*"policy":\[([^]]*)\].*/\1/' "$tmp/out" | tr ',' '\n' | wc -l)" -eq 26 ] ||
    fail "a policy of 26 numbers was expected"
printf '(;SZ[9]KM[6.5]RU[Japanese];B[ee];W[cc];B[gg])' >"$tmp/game.sgf"
run 0 net eval "$net" "$tmp/game.sgf" --move 3
says "Black to move"
run 0 net eval "$net" "$tmp/game.sgf"
says "White to move"
run 2 net eval "$net" "$tmp/game.sgf" --size 9
run 2 net eval "$net" E5 --rules own
says "unknown rules"
run 2 net eval "$net" E5 --komi 7.3
run 1 net eval "$net" "E5 E5" --size 9
says "E5"
run 1 net eval "$net" nosuchfile.sgf
says "an SGF file that exists"

# Shogi.
shogi=fuzz/corpus/net/dlshogi.onnx
run 0 net info "$shogi" --no-speed
says "shogi" "119 planes" "policy (2187), value" "name dlshogi.onnx"
run 0 net eval "$shogi" "startpos moves 7g7f"
says "White to move: wins" "w - 2"
run 0 net eval fuzz/corpus/net/pieces.onnx "4k4/9/9/9/9/9/9/9/4K4 b G 1" --json
says '"G*5b":' '"win":'
run 1 net eval "$shogi" "startpos moves 7g7e"
says "7g7e" "startpos moves"
run 2 net eval "$shogi" --size 9
run 1 net check "$shogi" README.md
says "for Go"
run 0 bench net --net "$shogi" --backend reference --seconds 0.05 --json
says '"size": 9'
run 1 bench net --net "$shogi" --backend reference --size 13 --seconds 0.05

# Answers that are its own are right; one digit changed, and they are not.
answers() { # SYMMETRY [OPTION...]
    "$YOMI" net eval "$net" "E5 C3 G3" --size 9 --rules aga --komi 6.5 --symmetry "$@" --raw
}
{
    echo "POSITION size 9 rules aga komi 6.5 moves 3"
    echo "BE5 WC3 BG3"
    answers 0
    answers 5
} >"$tmp/answers"
run 0 net check "$net" "$tmp/answers" --backend reference
says "2 answers of 1 positions" "is the same in 100.0%"
sed -E '/^whiteWin/s/0\.([0-9])/0.9\1/' "$tmp/answers" >"$tmp/wrong"
run 1 net check "$net" "$tmp/wrong"
says "win rate differs" "2 of 2 answers differ"
sed -E '0,/NAN/s//0.100/' "$tmp/answers" >"$tmp/wrong"
run 1 net check "$net" "$tmp/wrong"
says "legal for one only"
sed '/policyPass/,$d' "$tmp/answers" >"$tmp/wrong"
run 1 net check "$net" "$tmp/wrong"
says "wrong:" "ends"
run 2 net check "$net"
run 1 net check "$net" README.md

# GTP says the same.
printf 'boardsize 9\nkata-set-rules aga\nkomi 6.5\nplay b E5\nplay w C3\nplay b G3\nkata-raw-nn 5\n' |
    "$YOMI" gtp --net "$net" --net-backend reference 2>/dev/null | sed -n 's/^= symmetry/symmetry/;/^symmetry/,/^$/p' |
    sed '/^$/d' >"$tmp/gtp"
answers 5 --backend reference | cmp -s - "$tmp/gtp" || fail "kata-raw-nn differs: $(head -c 300 "$tmp/gtp")"
printf 'kata-raw-nn 0\n' | "$YOMI" gtp --net none >"$tmp/out" 2>/dev/null
says "there is no network"
# A wrong network is reported at the start, not at the first move.
for command in gtp analysis; do
    "$YOMI" "$command" --net "$tmp/missing" </dev/null >"$tmp/out" 2>"$tmp/err"
    [ $? -eq 1 ] || fail "$command --net $tmp/missing: wrong status"
    grep -q "$tmp/missing" "$tmp/err" || fail "$command does not name the file: $(cat "$tmp/err")"
done
# The choice is announced, once.
printf 'genmove b\ngenmove w\n' | "$YOMI" gtp --size 5 --visits 2 --net builtin >"$tmp/out" 2>"$tmp/err"
[ "$(grep -c 'search by puct, network yomi-go' "$tmp/err")" -eq 1 ] || fail "the network is not announced: $(cat "$tmp/err")"
# Small boards have a network of their own, also when the size changes; one that is named stays.
sizes='genmove b\nboardsize 10\ngenmove b\nboardsize 9\ngenmove b\n'
# shellcheck disable=SC2059
printf "$sizes" | "$YOMI" gtp --size 9 --visits 2 --net builtin 2>&1 >"$tmp/out" | sed -n 's/.*network \([^ ]*\) on.*/\1/p' >"$tmp/nets"
[ "$(uniq "$tmp/nets" | wc -l)" -eq 3 ] || fail "the sizes' networks: $(cat "$tmp/nets")"
[ "$(sort -u "$tmp/nets" | wc -l)" -eq 2 ] || fail "the sizes' networks: $(cat "$tmp/nets")"
# shellcheck disable=SC2059
printf "$sizes" | "$YOMI" gtp --size 9 --visits 2 --net nets/go.bin.gz 2>"$tmp/err" >"$tmp/out"
[ "$(grep -c 'search by puct' "$tmp/err")" -eq 1 ] || fail "a named network changed with the size: $(cat "$tmp/err")"
printf 'genmove b\n' | "$YOMI" gtp --size 5 --playouts 20 >"$tmp/out" 2>"$tmp/err"
grep -q 'search by uct' "$tmp/err" || fail "--playouts does not search by playouts: $(cat "$tmp/err")"

run 0 bench net --net "$net" --size 5 --backend reference --batch 3 --threads 2 --seconds 0.05 --json
says '"size": 5' '"backend": "reference"' '"batch": 3' '"threads": 2' '"evaluations_per_s": '
run 0 bench net --net "$net" --size 5 --backend all --part network --seconds 0.05
says "reference"
run 0 bench net --net "$net" --size 5 --backend reference --part inputs --batch 70 --seconds 0.05 --json
says '"part": "inputs"' '"batch": 70'
# Built-in networks: of the position's size, of --size, of each size.
run 0 net info builtin --no-speed
says "name yomi-go" "19x19"
grep -q '^9x9' "$tmp/out" && fail "the network for 19x19 tells of 9x9"
name() { sed -n 's/^name *//p' "$tmp/out"; }
large=$(name)
run 0 net info builtin --size 9 --backend reference
says "9x9" "reference, 9x9:" "evaluations/s"
[ "$(name)" != "$large" ] || fail "9x9 and 19x19 have the same network, $large"
for size in 9 10; do
    file=nets/go.bin.gz
    [ "$size" -gt 9 ] || file=nets/go9.bin.gz
    run 0 net eval builtin "C3" --size "$size" --raw --backend reference
    cp "$tmp/out" "$tmp/$size"
    "$YOMI" net eval "$file" "C3" --size "$size" --raw --backend reference | cmp -s - "$tmp/$size" ||
        fail "net eval builtin --size $size is not $file"
done
run 0 net eval builtin "$tmp/game.sgf" --raw --backend reference
"$YOMI" net eval nets/go9.bin.gz "$tmp/game.sgf" --raw --backend reference | cmp -s - "$tmp/out" ||
    fail "net eval builtin does not take the record's size"
{ echo "POSITION size 9 rules chinese komi 7.5 moves 1" && echo "BC3" && cat "$tmp/9"; } >"$tmp/answers"
run 0 net check builtin "$tmp/answers" --size 9 --backend reference
run 1 net check builtin "$tmp/answers" --backend reference
run 1 net eval builtin "startpos moves 7g7f"
run 0 bench net --size 5 --backend reference --seconds 0.01 --json
says '"size": 5' '"backend": "reference"'
run 0 bench net --net builtin --backend auto --part network --seconds 0.01
says "9x9" "13x13" "19x19"
run 2 bench net --net "$net" --playouts 5

# An analysis by territory, in a game that is over, has the pass as the search sees it.
{
    printf 'boardsize 7\nkomi 0.5\nkata-set-rules japanese\n'
    for row in 1 2 3 4 5 6 7; do printf 'play b d%d\nplay w e%d\n' "$row" "$row"; done
    printf 'lz-analyze b 10\n'
    sleep 1
    printf 'quit\n'
} | "$YOMI" gtp --threads 1 >"$tmp/out" 2>&1 || fail "the analysis failed"
says "info move" "move pass visits"
if grep -q 'move pass visits [0-9]* winrate [0-9]* prior 0 ' "$tmp/out"; then fail "the pass of the analysis is not the search's"; fi
exit "$failed"
