#!/usr/bin/env bash
# From games to a network and back: a short run of self-play, an epoch of training, and the engine's
# values of the new network against the trainer's own.
. tests/train/lib.sh
"$YOMI" selfplay shogi "$folder/games.psv" --games 30 --nodes 100 --asides 1 --threads 2 \
    --eval material
"$python" train/shogi/train.py "$folder/games.psv" --out "$folder/net.bin" --epochs 1 --batch 256 \
    --trace 0.5 --device cpu
"$python" train/shogi/check.py "$folder/net.bin" "$folder/games.psv" --yomi "$YOMI" --count 400
"$python" train/shogi/train.py "$folder/games.psv" --out "$folder/relative.bin" --start "$folder/net.bin" \
    --relative --epochs 1 --batch 256 --scale 600 --device cpu
"$python" train/shogi/check.py "$folder/relative.bin" "$folder/games.psv" --yomi "$YOMI" --count 400
"$python" train/shogi/check.py nets/shogi.nn.bin "$folder/games.psv" --yomi "$YOMI" --count 400

# A loop of two steps, two networks each; whoever wins its match plays the second.
"$python" train/shogi/loop.py "$folder/loop" "$folder/games.psv" --yomi "$YOMI" --steps 50:2,60:2 \
    --learn new:0:0.1,on:0.7 --epochs 1 --fit 3 --threads 1 --match 4 --match-nodes 30 --device cpu
[ -s "$folder/loop/net4.bin" ] && [ -s "$folder/loop/games2b.psv" ]

# Targets by the doubling passes, against the definition.
"$python" train/shogi/check_targets.py "$folder/games.psv"

# A file that is none is said to be none.
head -c 5000 nets/shogi.nn.bin > "$folder/short.bin"
if "$YOMI" selfplay shogi --eval "$folder/short.bin" --against material 2> "$folder/error"; then
    echo "a damaged network was accepted"
    exit 1
fi
grep -q "expected K-P or HalfKP" "$folder/error"
