#!/usr/bin/env bash
# `yomi play --game shogi` from outside: games through a pipe with right and wrong inputs, ends of
# games, the records it saves, and what a terminal gets to see.
. tests/lib.sh

# play OPTION...: a game whose moves come from stdin, what it said in $tmp/out.
play() {
    "$YOMI" play --game shogi --hash 1 "$@" >"$tmp/out" 2>"$tmp/err"
    local status=$?
    ((status == 0)) || fail "play $*: status $status: $(cat "$tmp/err")"
    [ ! -s "$tmp/err" ] || fail "play $*: stderr: $(head -3 "$tmp/err")"
}
both() { tr ' ' '\n' | play --color both --nodes 500 --threads 1 "$@"; }
engine=(--nodes 2000 --threads 1)

# ---- wrong inputs: each is answered with what to do, and changes nothing ----
printf '%s\n' 7g7f 7g7f 5e5x 99玉 ７七歩 undoo xyzzy '2g2f 3c3d' save 'save x.sgf' declare \
    '# remark' '' 'save /nowhere/at/all.kif' >"$tmp/wrong"
play "${engine[@]}" <"$tmp/wrong"
says "You are Black" "Illegal move: 7g7f; choose another move." "'5e5x': this is no square" \
    "moves are like 7g7f, 8h2b+ or P*5e" "'99玉':" "'７七歩':" "did you mean undo?" \
    "'xyzzy' is neither a move nor a command" "one move or command at a time" \
    "for example: save game.kif" "What format is x.sgf?" "That cannot be declared yet" \
    "Cannot write /nowhere/at/all.kif: No such file" "Move 3: Black to play"
says_not "Move 5" "remark" "> "
grep -q $'[\033\r]' "$tmp/out" && fail "a pipe is sent escape sequences"

# ---- the same nodes play the same game ----
printf '%s\n' 7g7f 26歩 hint score undo show >"$tmp/moves"
play "${engine[@]}" <"$tmp/moves"
cp "$tmp/out" "$tmp/first"
play "${engine[@]}" <"$tmp/moves"
cmp -s "$tmp/out" "$tmp/first" || fail "another game from the same moves"
says "Yomi would play" "Expected:" " pawns (" "Yomi plays" "to win)."
LC_ALL=C grep -q '[^ -~]' "$tmp/out" && fail "a pipe is sent more than ASCII"

# ---- undo: both moves against the engine, one between two people ----
printf '%s\n' undo 7g7f 2g2f undo | play "${engine[@]}"
says "no move of yours to take back"
[ "$(grep -o 'Move [0-9]*' "$tmp/out" | tr -d '\n')" = "Move 1Move 3Move 5Move 3" ] ||
    fail "undo: $(grep -o 'Move [0-9]*' "$tmp/out" | tr '\n' ' ')"
printf 'undo\n' | play --color white "${engine[@]}"
says "You are White" "no move of yours" "Move 2: White to play"
echo "7g7f 3c3d undo 8c8d" | both
says "Last move: White 3c3d" "Last move: White 8c8d"

# ---- moves in both spellings, hands, promotion, drops ----
echo "７六歩 ３四歩 22角成 同銀 B*4e" | both
says "Black, in hand: B" "White, in hand: B" "Last move: Black B*4e" "Move 6: White to play"
grep -q '^ e .* (B) ' "$tmp/out" || fail "the drop is not marked"
echo "7g7f 3c3d 8h2b+" | both
grep -q '(+B)' "$tmp/out" || fail "the promoted bishop is not shown"

# ---- ends ----
mate=(--sfen '8k/9/8P/9/9/9/9/9/8K b G 1')
echo "G*1b show undo" | both "${mate[@]}"
says "Black wins by mate." "The game is over" "Next: new"
echo "2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 7g7f" | both
says "fourth time" "The game is over; type undo to play on"
checks="9b9a 3a3b 9a9b 3b3a"
echo "$checks $checks $checks" | both --sfen "6k2/R8/9/9/9/9/9/9/8K b r2b4g4s4n4l18p 1"
says "White wins since the other gave nothing but check"
echo "resign undo 7g7f resign" | both
says "White wins by resignation" "Last move: Black 7g7f" "Black wins by resignation"
play --color white --nodes 2000 --threads 1 "${mate[@]}" </dev/null
says "Black (Yomi) wins by mate."
play --color none --nodes 200 --threads 1 --sfen '4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r 1' </dev/null
says "Yomi plays itself" "wins by mate" "Next: new"

# ---- by a network with a policy ----
for search in puct mcss; do
    play --color none --visits 10 --threads 1 --search $search --net fuzz/corpus/net/pieces.onnx \
        --sfen '4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r 1' </dev/null
    says "evaluation:" "pieces.onnx" "wins by mate"
done

# ---- what is saved can be read back ----
printf '%s\n' 7g7f 3c3d resign "save $tmp/a game" "save $tmp/b.csa" "save $tmp/c.kifu" \
    "save $tmp/d.ki2" new 2g2f "save $tmp/e.csa" >"$tmp/record"
echo kept >"$tmp/e.csa"
play --color both --nodes 100 <"$tmp/record"
says "Saved to $tmp/a game.kif." "e.csa: File exists; give another name"
iconv -f CP932 -t UTF-8 "$tmp/a game.kif" | grep -q '   3 投了' || fail "KIF: no resignation"
[ "$(tr '\n' ' ' <"$tmp/b.csa")" = "V2.2 N+Black N-White PI + +7776FU -3334FU %TORYO " ] ||
    fail "CSA: $(cat "$tmp/b.csa")"
grep -q '２ ３四歩\|３四歩(33)' "$tmp/c.kifu" || fail "KIF in UTF-8"
[ -s "$tmp/d.ki2" ] || fail "KI2"
[ "$(cat "$tmp/e.csa")" = kept ] || fail "a file was written over"

# ---- handicaps, and what does not go together ----
printf '3c3d\n' | play --color both --nodes 100 --handicap 2
says "Move 1: White to play" "Last move: White 3c3d"
grep -q '^ b   \.   \.   \.   \.   \.   \.   \.   \.   \.  b' "$tmp/out" || fail "no handicap"
refuses_as() { # STATUS PATTERN OPTION...
    local status=$1 pattern=$2
    shift 2
    "$YOMI" play "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
    (($? == status)) || fail "play $*: another status than $status"
    grep -qe "$pattern" "$tmp/err" || fail "play $*: $(cat "$tmp/err")"
}
refuses() { refuses_as 2 "$@"; }
refuses "no handicap of shogi" --game shogi --handicap 3
refuses "size is for Go" --game shogi --size 9
refuses "no search flat for shogi" --game shogi --search flat
refuses "no search alphabeta for Go" --search alphabeta
refuses "zone is for Go" --game shogi --zone
refuses "uct does not use the option net" --game shogi --search uct --net fuzz/corpus/net/pieces.onnx
refuses_as 1 "is a network for go, not for shogi" --game shogi --net fuzz/corpus/net/katago-v8.bin.gz
for search in uct puct; do # UCT uses it to judge dead stones
    refuses_as 1 "is a network for shogi, not for go" --search $search --net fuzz/corpus/net/pieces.onnx
done
refuses "needs a network" --game shogi --search puct --net none
refuses "sfen is for shogi" --sfen x
refuses "would think for ever" --game shogi --time 0
refuses_as 1 "cannot open /no/such" --game shogi --eval /no/such
refuses "nine squares" --game shogi --sfen '8k b - 1'

# ---- whatever bytes come ----
head -c 20000 /dev/zero | tr '\0' 'x' >"$tmp/long"
{ printf '7g7f\r\n\0\001\n\377\376\n' && cat "$tmp/long" && printf '\n\tquit\t\n3c3d\n'; } |
    play --color both
says "Last move: Black 7g7f" "That line is too long"
says_not "3c3d"

# ---- clocks, as in Go ----
{
    eventually grep -q 'wins on time' "$tmp/out"
    printf '%s\n' "save $tmp/late.csa" undo 7g7f
} | play --color both --main-time 0.6 --nodes 500
says "Each side has 0:01 on its clock." "in hand: nothing; 0:0" "White wins on time." \
    "The game goes on without clocks." "Move 2: White to play"
has "$tmp/late.csa" '^%TIME_UP'
printf '%s\n' 7g7f | play --main-time 36000 --byoyomi 30 --time 0.05 --book off --threads 1
says "10:00:00 and then 0:30 a move" "Yomi thinks 0.05 s a move" "Yomi plays"

# ---- a terminal: prompt, kanji and colours or none, Ctrl-D, Ctrl-C ----
has_terminal || exit $failed
options="--game shogi --nodes 500 --hash 1"
play_when "$options" "TERM=xterm-256color LANG=C.UTF-8" 'your move' '７六歩\n' 'Black>' '\004'
says "your move (for example 7g7f)>" "Black>" "Goodbye." "status 0" "v香" "△" $'\033[48;5;179m' "一"
play_when "$options" "TERM=xterm-256color LANG=C.UTF-8 NO_COLOR=1" 'your move' '７六歩\n' 'Black>' '\004'
says "v香" "△" "一" "status 0"
says_not $'\033[4' $'\033[3'
for plain in "TERM=dumb LANG=C.UTF-8" "TERM=xterm LANG=C"; do
    play_when "$options" "$plain" 'your move' '7g7f\n' 'Black>' 'quit\n'
    says "Black>" "Goodbye." "status 0"
    says_not $'\033[4' "香"
done
play_when "--game shogi --time 3600 --hash 1 --book off" "TERM=xterm LANG=C.UTF-8" 'your move' '7g7f\n' thinking '\003' \
    'Yomi plays' 'quit\n'
says "Yomi plays" "pawns (" "Goodbye." "status 0"
file=$(find "$tmp/state" -name '*.kifu' -newer "$tmp/wrong" -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2-)
says "The game is kept: yomi play $file"
play --color both "$file" </dev/null
says "Last move: White"
play_when "$options" "TERM=xterm LANG=C.UTF-8" 'your move' '\003'
says "Goodbye." "status 0" $'\033[43m'
exit $failed
