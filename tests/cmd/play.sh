#!/usr/bin/env bash
# `yomi play` from outside: games through a pipe with right and wrong inputs, the count at the end,
# the record it saves, and what a terminal gets to see.
. tests/lib.sh

# play OPTION...: a game whose moves come from stdin, what it said in $tmp/out.
play() {
    "$YOMI" play "$@" >"$tmp/out" 2>"$tmp/err"
    local status=$?
    ((status == 0)) || fail "play $*: status $status: $(cat "$tmp/err")"
    [ ! -s "$tmp/err" ] || fail "play $*: stderr: $(head -3 "$tmp/err")"
}
both() { tr ' ' '\n' | play --color both --playouts 100 --seed 1 "$@"; }

# ---- wrong inputs: each is answered with what to do, and changes nothing ----
engine=(--playouts 400 --seed 1 --threads 1)
printf '%s\n' e5 e5 i3 z9 4d undoo xyzzy 'e4 e3' save 'new 20' 'new x' '' '# remark' \
    'save /nowhere/at/all.sgf' >"$tmp/wrong"
play "${engine[@]}" <"$tmp/wrong"
says "You are Black" "Illegal move: E5 is occupied; choose another point." \
    "the letter I is not used" "points are A1 to J9" "the letter comes first, as in d4" \
    "did you mean undo?" "'xyzzy' is neither a point nor a command" \
    "one move or command at a time" "for example: save game.sgf" "'20' is not a board size" \
    "'x' is not a board size" "Cannot write /nowhere/at/all.sgf: No such file" "Move 3: Black to play"
says_not "Move 5" "remark" "> "
grep -q $'[\033\r]' "$tmp/out" && fail "a pipe is sent escape sequences"
LC_ALL=C grep -q '[^ -~]' "$tmp/out" && fail "a pipe is sent more than ASCII"

# ---- the same seed and playouts play the same game, whatever plays them ----
printf '%s\n' e5 c3 g7 pass hint score undo d4 >"$tmp/moves"
without_greeting() { sed '/^Go on/,/^Type a point/d' "$tmp/out"; }
same_game() { # [OPTION]...
    play "${engine[@]}" "$@" <"$tmp/moves"
    without_greeting | cmp -s - "$tmp/first" || fail "$* plays another game"
}
for search in uct flat; do
    play "${engine[@]}" --search "$search" <"$tmp/moves"
    without_greeting >"$tmp/first"
    says "points on average" "Reading ahead, Yomi gives Black"
    same_game --search "$search" --backend scalar
    # Threads that share a tree are never twice alike.
    if [ "$search" = flat ]; then same_game --search flat --threads 3; fi
    play --playouts 400 --seed 2 --threads 1 --search "$search" <"$tmp/moves"
    without_greeting | cmp -s - "$tmp/first" && fail "the seed changes nothing"
done

# ---- what is said to play is what plays: leaves of the tree one at a time by the reference, unless
# the backend gains by batches ----
play "${engine[@]}" --search uct </dev/null
says "playouts by scalar,"
play "${engine[@]}" --search uct --backend check:scalar </dev/null
says "playouts by scalar and check:scalar,scalar,"
play "${engine[@]}" --search uct --backend check:scalar --leaf-wait </dev/null
says "playouts by check:scalar,scalar,"
play "${engine[@]}" --search flat --backend scalar </dev/null
says "(playouts by scalar)"

# ---- undo: both moves against the engine, one between two people ----
printf '%s\n' undo e5 c3 undo show | play "${engine[@]}"
says "no move of yours to take back" "Move 3: Black to play"
[ "$(grep -o 'Move [0-9]*' "$tmp/out" | tr -d '\n')" = "Move 1Move 3Move 5Move 3Move 3" ] ||
    fail "undo: $(grep -o 'Move [0-9]*' "$tmp/out" | tr '\n' ' ')"
printf 'undo\n' | play --color white "${engine[@]}"
says "You are White" "no move of yours" "Move 2: White to play"
echo "c3 d3 undo c2" | both
says "Last move: White D3" "Last move: White C2"

# ---- rules, as a person meets them ----
echo "c4 d4 b3 e3 c2 d2 d3 c3 d3" | both --size 5
says "White, captured 1" "Illegal move: D3 retakes the ko at once; play elsewhere first."
echo "a2 e5 b1 a1" | both --size 5
says "Illegal move: A1 is suicide; choose another point."

# ---- the end: counted, explained, saved ----
walls="c1 d1 c2 d2 c3 d3 c4 d4 c5 d5"
echo "$walls pass pass e1 undo show" | both --size 5 --komi 0.5
says "The game is over; type undo to play on" "stones 5 5" "territory 10 5" "komi 0 0.5" \
    "total 15 10.5" "Black wins by 4.5 points (B+4.5)." "Move 12: White to play"
grep -q '^ 5  b b X O w  5' "$tmp/out" || fail "the picture of the count is wrong"
echo "$walls pass pass" | both --size 5 --komi 4
says "Black wins by 1 point (B+1)."
lone="c1 e3 c2 pass c3 pass c4 pass c5 pass b2 pass b4 pass d2 pass d4 pass pass"
echo "$lone" | both --size 5 --rules japanese
says "taken off before the count: E3" "prisoners 1 0" "territory 16 0" "komi 0 6.5" "(B+10.5)"
grep -q '^ 3  b b X b o  3' "$tmp/out" || fail "the dead stone is not shown"
echo "$lone" | both --size 5 --rules tromp-taylor --komi 0.5
says_not "taken off"
says "(B+15.5)" # nobody is asked: the stone lives, and what both colours reach is no one's
alone="c1 pass c2 pass c3 pass c4 pass c5 pass b2 pass b4 pass d2 pass d4 pass score"
echo "$alone" | both --size 5 --rules japanese
says "Black 25, White 0 and 6.5 komi" "By territory Black is ahead by 9.5."
echo "$alone" | both --size 5 --rules chinese --komi 6.5
says "0 points are open. Black is ahead by 18.5."
echo "resign score undo e5 resign" | both
says "White wins by resignation" "Reading ahead, Yomi gives Black" "Last move: Black E5" \
    "Black wins by resignation"

{ tr ' ' '\n' <<<"$walls pass pass" && printf '%s\n' "save $tmp/a game" "save $tmp/a game.sgf" \
    "save $tmp/b.sgf" "new 7" b2 "save $tmp/b.sgf"; } >"$tmp/record"
echo kept >"$tmp/b.sgf"
play --color both --size 5 --komi 0.5 --playouts 100 <"$tmp/record"
says "Saved to $tmp/a game.sgf." "b.sgf: File exists; give another name" "Last move: Black B2"
grep -q 'SZ\[5\]KM\[0.5\].*RE\[B+4.5\]' "$tmp/a game.sgf" || fail "the record has no result"
[ "$(tr -d '\n' <"$tmp/a game.sgf" | grep -o ';[BW]\[[a-e]*\]' | tr -d '\n')" = \
    ";B[ce];W[de];B[cd];W[dd];B[cc];W[dc];B[cb];W[db];B[ca];W[da];B[];W[]" ] ||
    fail "the record has other moves"
[ "$(cat "$tmp/b.sgf")" = kept ] || fail "a file was written over"

# ---- Yomi against itself, to the end, on the smallest board and with a handicap ----
play --color none --playouts 300 --seed 1 --size 2 </dev/null
says "Yomi plays itself" "Next: new"
play --color none --playouts 300 --seed 1 --size 7 --handicap 4 </dev/null
says "komi 0.5" "Next: new"
says_not "undo (play on)"

# ---- whatever bytes come ----
head -c 20000 /dev/zero | tr '\0' 'x' >"$tmp/long"
{ printf 'e5\r\n\0\001\n\377\376\n' && cat "$tmp/long" && printf '\n\tquit\t\nd4\n'; } |
    play --color both
says "Last move: Black E5" "That line is too long"
says_not "D4"
printf 'e5' | play --color both
says "Last move: Black E5"
play --color both <"$tmp/long"
says "That line is too long"

# ---- clocks: shown, and a loss on time, by a person who does not move and by one whose move is late ----
printf '%s\n' e5 | play --color both --main-time 36000 --byoyomi 30 --periods 3
says "Each side has 10:00:00 and then 3 times 0:30 on its clock." "by its clock"
has "$tmp/out" 'Clocks: \(10:00:00\|9:59:..\), \(10:00:00\|9:59:..\)'
printf '%s\n' e5 'save '"$tmp"'/clock.sgf' | play --color both --byoyomi 600 --periods 2
says "Each side has 2 times 10:00 on its clock."
has "$tmp/out" 'Clocks: \(10:00\|9:5.\) (2), \(10:00\|9:5.\) (2)'
has "$tmp/clock.sgf" 'TM\[0\]OT\[2x600 byo-yomi\]'
# Once it is too late, input is taken again: the game has ended. With undo it goes on without clocks.
{
    eventually grep -q 'wins on time' "$tmp/out"
    printf '%s\n' "save $tmp/late.sgf" undo e5
} | play --color both --main-time 0.4 --byoyomi 0.2 --periods 2 --playouts 10
says "White wins on time." "The game goes on without clocks." "Move 2: White to play"
has "$tmp/late.sgf" 'RE\[W+T\]'
# --time limits what Yomi takes of its clock.
printf '%s\n' e5 | play --main-time 7200 --time 0.05 --book off --threads 1
says "Yomi thinks 0.05 s a move" "Yomi plays"

# ---- the command line ----
refuses() { # PATTERN OPTION...
    local pattern=$1
    shift
    "$YOMI" play "$@" </dev/null >"$tmp/out" 2>"$tmp/err"
    (($? == 2)) || fail "play $*: not refused"
    grep -qe "$pattern" "$tmp/err" || fail "play $*: $(cat "$tmp/err")"
}
refuses "no fixed handicap" --handicap 1
refuses "only boards of 7x7 to 19x19 have places for them$" --handicap 2 --size 5
refuses "cannot be the komi" --komi 7.25
refuses "unknown rules 'foo'" --rules foo
refuses "there is no playout backend 'foo'" --backend foo
refuses "would think for ever" --time 0

# ---- a terminal: prompt, colours or none, Ctrl-D, Ctrl-C ----
has_terminal || exit $failed
options="--playouts 200 --seed 1"
play_when "$options" "TERM=xterm-256color LANG=C.UTF-8" 'your move' 'e5\n' 'Black>' '\004'
says "your move (for example D4)>" "thinking" "Black>" "Goodbye." "status 0" "●" "╋" $'\033[48;5;179m'
for plain in "TERM=dumb LANG=C.UTF-8" "TERM=xterm LANG=C" "TERM=xterm LANG=C.UTF-8 NO_COLOR=1"; do
    play_when "$options" "$plain" 'your move' 'e5\n' 'Black>' 'quit\n'
    says "Black>" "Goodbye." "status 0" "(O)"
    says_not $'\033[4' "●"
done
play_when "--color both --main-time 36000" TERM=dumb ', your move' 'e5\n' 'White ' 'quit\n'
has "$tmp/out" 'Black \(10:00:00\|9:59:..\), your move'
has "$tmp/out" 'White \(10:00:00\|9:59:..\), your move'
says "status 0"
play_when "--color both --main-time 2" TERM=dumb 'your move' 'e5' 'on time' 'quit\n'
says "White wins on time." "status 0"
# A screen of 80 columns has room for the largest board and what is said beside it.
printf 'd4\n' | play --color both --size 19
grep -q '^19 .* 19   area scoring, komi 7.5$' "$tmp/out" || fail "nothing stands beside a 19x19 board"
play_when "$options" "TERM=xterm LANG=C.UTF-8" 'your move' 'e\003'
says "Goodbye." "status 0" $'\033[43m'
# A line can be edited, and the one before comes back: Ctrl-A, Ctrl-D, cursor up.
if built_in libedit; then
    play_when "--color both" "TERM=xterm LANG=C.UTF-8" 'your move' 'x5\001\004e\n' 'Move 2' '\033[A\n' 'occupied' 'quit\n'
    says "Move 2: White to play" "Illegal move: E5 is occupied" "status 0"
fi

# ---- a game goes on: from a file, and from where it is kept until it is saved or thrown away ----
kept() { find "$tmp/state" -name '*.sgf' 2>/dev/null; }
rm -rf "$tmp/state"
both=(--color both --playouts 100)
play_when "${both[*]}" TERM=dumb 'your move' 'e5\n' 'Move 2' 'c3\n' 'Move 3' 'quit\n'
file=$(kept)
says "The game is kept: yomi play $file" "status 0"
has "$file" ';B\[ee\];W\[cg\]'
play "${both[@]}" "$file" <<<'g7'
says "Move 3: Black to play" "Move 4: White to play"
play_when "${both[*]} $file" TERM=dumb 'Move 3' 'g7\n' 'Move 4' "save $tmp/mine.sgf\n" 'Saved' 'quit\n'
says_not "is kept"
has "$tmp/mine.sgf" ';B\[ee\];W\[cg\];B\[gc\]'
[ -z "$(kept)" ] || fail "kept although it is saved: $(kept)"
play_when "${both[*]} $tmp/mine.sgf" TERM=dumb 'Move 4' 'quit\n' # nothing new to keep
says_not "is kept"
play_when "${both[*]}" TERM=dumb 'your move' 'e5\n' 'Move 2' 'forget\n' 'thrown away' 'quit\n'
says_not "is kept"
[ -z "$(kept)" ] || fail "kept although it was thrown away: $(kept)"
play_when "${both[*]}" TERM=dumb 'your move' 'e5\n' 'Move 2' 'new\n' 'is kept' 'c3\n' 'C3' 'quit\n'
(($(kept | wc -l) == 2)) || fail "new lost a game: $(kept)"
# What a save would lose is not replaced unasked; what it wrote itself is.
printf '(;SZ[9]PB[Alice];B[ee]C[good];W[cc](;B[gg])(;B[gc]))' >"$tmp/alice.sgf"
cp "$tmp/alice.sgf" "$tmp/alice.copy"
play "${both[@]}" "$tmp/alice.sgf" <<<"save $tmp/alice.sgf"
says "File exists" "give another name"
cmp "$tmp/alice.sgf" "$tmp/alice.copy" || fail "a record with comments was replaced"
printf '%s\n' d5 "save $tmp/mine.sgf" | play "${both[@]}" "$tmp/mine.sgf"
has "$tmp/mine.sgf" ';W\[de\]'
printf '(;SZ[9];B[ee];W[ee])' >"$tmp/odd.sgf"
play "${both[@]}" "$tmp/odd.sgf" </dev/null
says "move 2, W[ee]" "Move 2: White to play"
(cd "$tmp" && "$YOMI" play "${both[@]}" odd.sgf) >"$tmp/out" </dev/null
says "odd.sgf: line 1"
refuses "--size has no meaning in a game from a file" "$tmp/odd.sgf" --size 9
printf '(;SZ[9]KM[six]RU[House rules];B[ee])' >"$tmp/house.sgf"
cp "$tmp/house.sgf" "$tmp/house.copy"
play "${both[@]}" "$tmp/house.sgf" <<<"save $tmp/house.sgf"
says "Rules 'House rules' are not known; chinese-kgs are used." "Komi 'six' is not" "File exists"
cmp "$tmp/house.sgf" "$tmp/house.copy" || fail "a record with rules of its own was replaced"
"$YOMI" play "$tmp/none.sgf" >"$tmp/out" 2>&1 </dev/null
(($? == 1)) || fail "a file that is not there: status other than 1"
says "none.sgf: cannot read the file: No such file"

# ---- Ctrl-C while it thinks makes it move ----
play_when "--time 3600 --book off" "TERM=xterm LANG=C.UTF-8" 'your move' 'e5\n' thinking '\003' 'Yomi plays' 'quit\n'
says "Yomi plays" "Goodbye." "status 0"
play_when "--time 3600 --book off" "TERM=xterm LANG=C.UTF-8" 'your move' 'hint\n' thinking '\003' '1: ' 'quit\n'
says "on average" "Goodbye." "status 0"
exit $failed
