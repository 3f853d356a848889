#!/usr/bin/env bash
# yomi book: small books of both games, that the engine then plays from.
. tests/lib.sh

"$YOMI" book --size 5 --positions 4 --visits 8 --threads 1 "$tmp/go.sgf" 2>"$tmp/said" || fail "no book of Go"
grep -q 'moves of 4 positions' "$tmp/said" || fail "what it made is not said"
grep -q 'SZ\[5\]' "$tmp/go.sgf" || fail "the book has no size"
"$YOMI" book --size 5 --positions 4 --visits 8 --threads 1 - 2>/dev/null | cmp -s - "$tmp/go.sgf" || fail "made twice, it differs"
printf 'boardsize 5\nclear_board\ngenmove b\n' | "$YOMI" gtp --book "$tmp/go.sgf" --net none --playouts 50 2>"$tmp/said" >"$tmp/out"
grep -q 'a move of the book' "$tmp/said" || fail "gtp does not play from it"
printf 'boardsize 5\nclear_board\ngenmove b\n' | "$YOMI" gtp --book off --net none --playouts 50 2>"$tmp/said" >"$tmp/out"
! grep -q 'a move of the book' "$tmp/said" || fail "a book that is off is used"

"$YOMI" book --game shogi --positions 3 --nodes 2000 --eval material "$tmp/shogi.db" 2>/dev/null || fail "no book of shogi"
printf 'isready\nposition startpos\ngo nodes 100\n' | "$YOMI" usi --book "$tmp/shogi.db" >"$tmp/out" || fail "usi failed"
grep -q 'info string a move of the book' "$tmp/out" || fail "usi does not play from it"
printf 'isready\nposition startpos\ngo nodes 100\n' | "$YOMI" usi >"$tmp/out" || fail "usi failed"
! grep -q 'a move of the book' "$tmp/out" || fail "the built-in book is used where nodes are limited"
printf 'isready\nposition startpos\ngo movetime 10\n' | "$YOMI" usi >"$tmp/out" || fail "usi failed"
! grep -q 'a move of the book' "$tmp/out" || fail "the built-in book is used where the time of a move is set"
printf 'isready\nposition startpos\ngo btime 1000 wtime 1000\n' | "$YOMI" usi >"$tmp/out" || fail "usi failed"
grep -q 'a move of the book' "$tmp/out" || fail "the built-in book is not used in a game"

printf "5g5f\nquit\n" | "$YOMI" play --game shogi --book "$tmp/shogi.db" --color white --nodes 100 2>&1 |
    grep -q 'from its book' || fail "play does not play from it"
if command -v script >/dev/null; then
    TERM=xterm script -qec "'$YOMI' book --size 7 --positions 30 --visits 40 -" /dev/null >"$tmp/out" 2>&1 </dev/null
    says "of about"
    has "$tmp/out" 'searches, [0-9]*:[0-9][0-9] left'
    TERM=dumb script -qec "'$YOMI' book --size 5 --positions 2 --visits 8 -" /dev/null >"$tmp/out" 2>&1 </dev/null
    says_not "of about"
else
    echo "not checked: a terminal (no script)"
fi
"$YOMI" gtp --book "$tmp/none.sgf" </dev/null 2>"$tmp/said" && fail "a missing book is no error"
grep -q 'none.sgf' "$tmp/said" || fail "the missing book is not named"
"$YOMI" play --book "$tmp/none.sgf" </dev/null 2>"$tmp/said" >/dev/null && fail "a missing book is no error in play"
grep -q 'none.sgf' "$tmp/said" || fail "play does not name the missing book"
# After given moves: the book has the answers to them, and says of mistakes in them.
"$YOMI" book --size 5 --after 'C3 b2' --positions 2 --visits 8 --threads 1 "$tmp/after.sgf" 2>/dev/null || fail "no book after two moves"
grep -q ';B\[cc\][^;]*;W\[bd\]' "$tmp/after.sgf" || fail "the book does not begin with the moves: $(cat "$tmp/after.sgf")"
printf 'boardsize 5\nclear_board\nplay b C3\nplay w B2\ngenmove b\n' | "$YOMI" gtp --book "$tmp/after.sgf" --net none --playouts 50 2>"$tmp/said" >"$tmp/out"
grep -q 'a move of the book' "$tmp/said" || fail "no answer after the moves"
"$YOMI" book --game shogi --after 7g7f,3c3d --positions 1 --nodes 500 --eval material "$tmp/after.db" 2>/dev/null || fail "no book of shogi after two moves"
[ "$(grep -c '^sfen' "$tmp/after.db")" = 3 ] || fail "not the three positions"
for wrong in 'C3 C3' Z9; do
    "$YOMI" book --size 5 --after "$wrong" --positions 1 - >"$tmp/out" 2>"$tmp/said" && fail "--after '$wrong' is taken"
done

# Options of the other game are no part of what is made, and so a mistake.
"$YOMI" book --game shogi --size 9 "$tmp/a.db" 2>"$tmp/said"
[ $? = 2 ] || fail "--size in shogi: not refused"
grep -q -- '--size' "$tmp/said" || fail "--size in shogi: not named"
"$YOMI" book --nodes 10 --size 5 "$tmp/a.sgf" 2>"$tmp/said"
[ $? = 2 ] || fail "--nodes in Go: not refused"
# A book that cannot be written is refused before the search, which would take for ever.
timeout 60 "$YOMI" book --positions 100000 --visits 1000000000 "$tmp/none/a.sgf" 2>"$tmp/said"
[ $? = 1 ] || fail "a folder that is not there: not refused at once"
grep -q 'cannot write' "$tmp/said" || fail "a folder that is not there: no reason"
exit "$failed"
