#!/usr/bin/env bash
# yomi selfplay go: games that are killed leave a file that can be read and added to; show prints
# what it holds; wrong command lines are refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
games=$folder/games.ysp
options=(--size 5 --visits 8 --fast-visits 4 --cheap-visits 2 --at-once 8 --groups 2 --threads 2)

# Killed at any moment it loses at most the games in progress.
"$YOMI" selfplay go "$games" "${options[@]}" --games 0 > "$folder/log" &
while [ ! -s "$games" ]; do
    sleep 0.1
    kill -0 $!
done
kill -9 $!
wait $! 2> /dev/null || true
before=$("$YOMI" selfplay show "$games" | sed -n 's/^\([0-9]*\) games.*/\1/p')
[ "$before" -ge 1 ]

# Half a record at the end is skipped, and cut off by the next run, which adds its games.
printf 'YMSP\100\0\0\0half a record' >> "$games"
"$YOMI" selfplay show "$games" | grep -q "the last record is not whole"
"$YOMI" selfplay go "$games" "${options[@]}" --games 3 | tail -n 1 | grep -q "3 games"
"$YOMI" selfplay show "$games" > "$folder/summary"
grep -q "^$((before + 3)) games" "$folder/summary"
grep -q "^5x5: $((before + 3))$" "$folder/summary"

# A game as SGF, which our own reader takes.
"$YOMI" selfplay show "$games" --game 1 > "$folder/game.sgf"
grep -q 'RE\[' "$folder/game.sgf"
printf 'loadsgf %s\nquit\n' "$folder/game.sgf" | "$YOMI" gtp | grep -q '^='

# Ended by a signal, the games in progress wait for the next run.
"$YOMI" selfplay go "$games" --size 5 --visits 5000 --fast-visits 5000 --at-once 4 --games 0 > "$folder/stopped" &
until grep -qs "games at once" "$folder/stopped"; do sleep 0.1; done
kill -TERM $!
wait $!
[ -s "$games.pending" ]
"$YOMI" selfplay show "$games.pending" | grep -q "unfinished: 4"
# The end of a terminal is such a signal, too.
"$YOMI" selfplay go "$folder/hang.ysp" --size 5 --visits 5000 --fast-visits 5000 --at-once 2 --games 0 > "$folder/stopped" &
until grep -qs "games at once" "$folder/stopped"; do sleep 0.1; done
kill -HUP $!
wait $!
[ -s "$folder/hang.ysp.pending" ]
# Before the number of games that was asked for, that is an interruption.
"$YOMI" selfplay go "$folder/cut.ysp" --size 5 --visits 5000 --fast-visits 5000 --at-once 2 --games 50 \
    > "$folder/stopped" 2> "$folder/error" &
until grep -qs "games at once" "$folder/stopped"; do sleep 0.1; done
kill -INT $!
status=0
wait $! || status=$?
[ $status -eq 130 ]
grep -q "stopped before the end; the next run goes on" "$folder/error"
# Also if games that were pending have ended meanwhile: more than were to begin.
cp "$games.pending" "$folder/more.ysp.pending"
"$YOMI" selfplay go "$folder/more.ysp" --size 5 --visits 500 --fast-visits 500 --at-once 2 --games 1 \
    > "$folder/stopped" 2> "$folder/error" &
until "$YOMI" selfplay show "$folder/more.ysp" 2> /dev/null | grep -q '[1-9][0-9]* games'; do sleep 0.1; done
kill -INT $!
status=0
wait $! || status=$?
[ $status -eq 130 ]
grep -q "stopped before the end; the next run goes on" "$folder/error"

# Two networks: a network wins half against itself, since each opening is played with both colours by the
# same rules.
"$YOMI" selfplay go --against builtin --games 8 --at-once 8 "${options[@]:0:6}" > "$folder/match"
tail -n 1 "$folder/match" | grep -q "^4 - 4, 0 drawn: 50.0%\\|^[0-9]* - [0-9]*, [1-8] drawn: 50.0%"
grep -q "^only [1-4] of 8 games differ" "$folder/match" # the two games of a pair are the same here

# Two backends of one network.
"$YOMI" selfplay go --against builtin --backend plain-float --against-backend plain-int8 --games 2 \
    --at-once 2 --size 3 --visits 2 > "$folder/match"
grep -q "^against .* on plain-int8$" "$folder/match"
tail -n 1 "$folder/match" | grep -q "^[0-2] - [0-2], [0-2] drawn"

refuses() { # TEXT ARGUMENTS...
    if "$YOMI" selfplay "${@:2}" > /dev/null 2> "$folder/error"; then
        echo "accepted: ${*:2}"
        exit 1
    fi
    grep -q "$1" "$folder/error" || { cat "$folder/error"; exit 1; }
}
# The two may search differently; exploration alone changes the games.
length_by() { # OPTION...
    "$YOMI" selfplay go --against builtin --games 4 --at-once 4 "${options[@]:0:6}" "$@" |
        grep -o "[0-9.]* moves a game.* evaluations"
}
same=$(length_by) alike=$(length_by --against-cpuct 1.1 --against-fpu-reduction 0.2 --against-policy-temperature 1)
wide=$(length_by --against-cpuct 50) eager=$(length_by --against-fpu-reduction -2) flat=$(length_by --against-policy-temperature 9)
if [ "$same" != "$alike" ] || [ "$same" = "$wide" ] || [ "$same" = "$eager" ] || [ "$same" = "$flat" ]; then
    printf '%s\n' "$same" "$alike" "$wide" "$eager" "$flat"
    exit 1
fi
# Games that begin at positions of others.
"$YOMI" selfplay shogi "$folder/begin.psv" --eval material --games 2 --nodes 30 --threads 1 > /dev/null
"$YOMI" selfplay shogi --search puct --against builtin --openings "$folder/begin.psv" --games 2 --at-once 2 --visits 2 \
    --against-cpuct 9 > "$folder/match"
tail -n 1 "$folder/match" | grep -q "^[0-2] - [0-2], [0-2] drawn"
"$YOMI" selfplay shogi "$folder/begun.ysp" --search puct --openings "$folder/begin.psv" --games 1 --at-once 1 --visits 2 \
    --fast-visits 2 > /dev/null
"$YOMI" selfplay show "$folder/begun.ysp" --game 1 --usi | grep -q "^sfen "
"$YOMI" selfplay shogi "$folder/mixed.ysp" --search puct --openings "$folder/begin.psv" --openings-share 0.5 --games 8 \
    --at-once 8 --visits 2 --fast-visits 2 --seed 1 > /dev/null
begun=$(for game in 1 2 3 4 5 6 7 8; do "$YOMI" selfplay show "$folder/mixed.ysp" --game $game --usi; done | grep -c "^sfen ")
[ "$begun" -ge 1 ] && [ "$begun" -le 7 ]
refuses "openings-share" shogi "$folder/x.ysp" --search puct --openings-share 0.5
refuses "openings" go "$games" --openings "$folder/begin.psv"
refuses "no such\|cannot" shogi "$folder/x.ysp" --search puct --openings "$folder/none.psv"
refuses "against-cpuct" go "$games" --against-cpuct 2
refuses "against-policy-temperature" go "$games" --against-policy-temperature 2
refuses "against-cpuct" shogi "$folder/x.psv" --against-cpuct 2
refuses "give a FILE" go
refuses "give a FILE" go "$games" --against builtin
refuses "no network backend" go --against builtin --against-backend abacus
refuses "give sizes" go "$games" --size 9,21
refuses "too few for --size, which has 3 sizes" go "$games" --size 5,5,7 --at-once 2
refuses "more than a board of 5x5 has points" go "$games" --size 9,5 --komi -26
refuses "give sizes" go "$games" --size 9-
refuses "area scoring" go "$games" --rules japanese
refuses "nodes" go "$games" --nodes 5
refuses "visits" shogi "$folder/x.psv" --visits 5
refuses "nodes" shogi "$games" --search puct --nodes 5
"$YOMI" selfplay shogi "$folder/built.ysp" --search puct --visits 2 --fast-visits 2 --at-once 2 --seconds 1

# Games from positions of earlier games: none of them is from before those, and a rerun changes nothing.
psv() { "$YOMI" selfplay shogi "$@" --eval material --nodes 40 --mate-nodes 0 --threads 2; }
first_ply() { od -An -v -w40 -t u2 "$1" | awk '{ print $19 }' | sort -n | head -n 1; }
psv "$folder/early.psv" --games 4 > /dev/null
tail -c $((40 * ($(wc -c < "$folder/early.psv") / 80))) "$folder/early.psv" > "$folder/half.psv"
psv "$folder/late.psv" --games 6 --random-moves 0 --openings "$folder/half.psv" > /dev/null
[ "$(first_ply "$folder/late.psv")" -ge "$(first_ply "$folder/half.psv")" ]
cp "$folder/late.psv" "$folder/again.psv"
cp "$folder/late.psv.state" "$folder/again.psv.state"
psv "$folder/again.psv" --games 6 --random-moves 0 --openings "$folder/half.psv" > /dev/null
cmp "$folder/late.psv" "$folder/again.psv"
refuses "was made otherwise" shogi "$folder/again.psv" --games 6 --random-moves 0 --eval material --nodes 40 --mate-nodes 0
psv --against material --games 4 --openings "$folder/half.psv" | tail -n 1 | grep -q "50.0%"
head -c 400 /dev/zero > "$folder/zeros.psv"
refuses "position 1" shogi "$folder/x.psv" --openings "$folder/zeros.psv"
: > "$folder/empty.psv"
refuses "no position with a score" shogi "$folder/x.psv" --openings "$folder/empty.psv"
refuses "cannot open" shogi "$folder/x.psv" --openings "$folder/none.psv"
# A full disk leaves an empty file without its state: the next run begins in it. Others are not touched.
psv "$folder/empty.psv" --games 1 > /dev/null
[ -s "$folder/empty.psv" ]
echo text > "$folder/text.psv"
refuses "no .state file" shogi "$folder/text.psv" --games 1
: > "$folder/empty.psv.state"
refuses "state is damaged" shogi "$folder/empty.psv" --games 1

# A game of shogi as KIF, which is read back, and as USI: the same moves.
"$YOMI" selfplay shogi "$folder/shogi.ysp" --search puct --net fuzz/corpus/net/pieces.onnx --visits 4 --fast-visits 2 \
    --games 1 --at-once 1
"$YOMI" selfplay show "$folder/shogi.ysp" --game 1 > "$folder/game.kifu"
"$YOMI" selfplay show "$folder/shogi.ysp" --game 1 --usi > "$folder/game.usi"
grep -q "^\*full search: [0-9.]*%" "$folder/game.kifu"
"$YOMI" convert "$folder/game.kifu" "$folder/game.csa" > /dev/null
[ "$(grep -c '^[-+][0-9]' "$folder/game.csa")" = $(($(wc -w < "$folder/game.usi") - 2)) ]
tail -n 1 "$folder/game.csa" | grep -q "^%"

# Games that the mate solver ended: their KIF says why it breaks off.
"$YOMI" selfplay shogi "$folder/mates.ysp" --search puct --visits 2 --fast-visits 2 --games 4 --at-once 4 > /dev/null
settled=$("$YOMI" selfplay show "$folder/mates.ysp" | sed -n 's/^settled: //p')
[ "$settled" -gt 0 ]
[ "$(for i in 1 2 3 4; do "$YOMI" selfplay show "$folder/mates.ysp" --game $i; done | grep -c '^\*The side to move can mate')" = "$settled" ]
refuses "mate-nodes" go "$games" --mate-nodes 5
refuses "leaf-mate" shogi "$folder/x.psv" --leaf-mate 5
refuses "usi" go "$games" --usi
refuses "no network for shogi" shogi "$games" --search puct --net nets/go.bin.gz
refuses "has .* games" show "$games" --game 999
refuses "no file of self-play games" show "$YOMI"
refuses "alpha-beta writes positions alone" show "$folder/begin.psv"
refuses "cannot" go "$folder/none/games.ysp"
