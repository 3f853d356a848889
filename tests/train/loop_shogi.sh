#!/usr/bin/env bash
# The learning loop of shogi at a tiny scale: a network from games of alpha-beta, self-play with it, rows,
# training, export, gate; ended and going on.
. tests/train/lib.sh
here=train/shogi/policy

YOMI=$BUILD/yomi bash $here/games.sh "$folder/games" --minutes 0.1 --nodes 60 --threads 1 >"$folder/log"
"$BUILD/shogi_rows" "$folder/rows" "$folder/games/games-1-00.psv" --held 10
"$python" $here/train.py "$folder/first" "$folder/rows" --minutes 0.1 --blocks 1 --channels 8 --batch 32 \
    --device cpu --rate 1e-2

loop() { # OUT ARGUMENTS...
    "$python" "$here/loop.py" "$1" --yomi "$BUILD/yomi" --play-rows "$BUILD/play_rows" --visits 8 \
        --fast-visits 4 --play-s 6 --row-uses 2 --batch 32 --match-visits 4 --device cpu \
        --play "--at-once 16 --groups 2 --cheap-visits 2 --resign-share 0.5" "${@:2}"
}
loop "$folder/run" --start "$folder/first/net.onnx" --minutes 5 --iterations 2 --gate 4 --elo-games 4 \
    --elo-every 2 | tee "$folder/log"
grep -q "^2 iterations" "$folder/log"
mkdir "$folder/kept"
echo mine >"$folder/kept/00001.ysp" # is not overwritten
loop "$folder/run" --start "$folder/first/net.onnx" --minutes 5 --iterations 1 --keep "$folder/kept" | tee "$folder/log"
grep -q "goes on after iteration 2" "$folder/log"
[ -s "$folder/run/curve.svg" ]
[ "$(cat "$folder/kept/00001.ysp")" = mine ]
rm "$folder/kept/00001.ysp"
"$YOMI" learn positions "$folder"/kept/*.ysp --out "$folder/kept.psv" | grep -q '^[1-9][0-9]* positions'
[ "$(find "$folder/run" -type f | wc -l)" -le 8 ]
[ "$(wc -l <"$folder/run/log.csv")" = 4 ]

# What is in the rows, and a game of the network that was learned.
"$YOMI" selfplay shogi "$folder/more" --search puct --net "$folder/run/net.onnx" --visits 8 --fast-visits 4 \
    --games 4 --at-once 4
"$BUILD/play_rows" "$folder/more.rows" "$folder/more"
"$python" "$here/check_play.py" "$folder/run/net.onnx" "$folder/more.rows"
"$YOMI" selfplay show "$folder/more" --game 1 --usi | grep -q '^startpos moves'

# A file of games of both kinds, a network from nothing and a start that is no file of ours.
"$YOMI" selfplay go "$folder/more" --size 5 --visits 4 --fast-visits 2 --games 1 --at-once 1 >"$folder/log"
if "$BUILD/play_rows" "$folder/none" "$folder/more" 2>"$folder/error"; then exit 1; fi
grep -q "more than one game" "$folder/error"
loop "$folder/new" --start none --blocks 1 --channels 8 --minutes 4 --iterations 2 | tee "$folder/log"
grep -q "^2 iterations" "$folder/log"
if loop "$folder/bad" --minutes 1 2>"$folder/error"; then exit 1; fi
grep -q "give --start" "$folder/error"
