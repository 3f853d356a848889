#!/usr/bin/env bash
# The learning loop of Go at a tiny scale: games, rows, training, export, gate; killed and going on; its files
# within their limits.
. tests/train/lib.sh
here=train/go

# A network from nothing on 5x5: games of mixed sizes first, to check what rows are.
options=(--yomi "$YOMI" --play-rows "$BUILD/play_rows" --start none --blocks 3 --channels 16 --size 5 --visits 16
    --fast-visits 6 --play-s 4 --row-uses 8 --batch 64 --match-visits 8 --device cpu --rate 4e-3
    --play "--at-once 32 --groups 2 --cheap-visits 4")
loop() { # OUT ARGUMENTS...
    "$python" "$here/loop.py" "$1" "${options[@]}" "${@:2}"
}
loop "$folder/run" --minutes 5 --iterations 2 --gate 8 | tee "$folder/log"
grep -q "^2 iterations" "$folder/log"
"$YOMI" selfplay go "$folder/mixed" --net "$folder/run/net.bin.gz" --size 5,7,9 --visits 8 --fast-visits 4 \
    --games 24 --at-once 24
"$BUILD/play_rows" "$folder/rows" "$folder/mixed"
"$python" "$here/check_play.py" "$folder/run/net.bin.gz" "$folder/rows"
"$python" "$here/check_play.py" nets/go.bin.gz "$folder/rows"
"$python" "$here/check_records.py" "$folder/mixed" "$folder/rows"

# Killed after an iteration, it goes on from there.
"$python" "$here/loop.py" "$folder/run" "${options[@]}" --minutes 5 --iterations 50 > "$folder/log" &
until [ "$(wc -l < "$folder/run/log.csv")" -ge 4 ]; do
    sleep 1
    kill -0 $! || exit 1
done
sleep 2
kill -9 $!
wait $! 2> /dev/null || true
loop "$folder/run" --minutes 5 --iterations 1 --last-rate 4e-4 | tee "$folder/log"
grep -q "goes on after iteration [3-9]" "$folder/log"
[ -s "$folder/run/curve.svg" ]
[ "$(find "$folder/run" -type f | wc -l)" -le 8 ]
[ -z "$(find "$folder/run" -type f -size +16M)" ]

# Where it fails, the folder of --keep has the games of the iterations before.
"$python" "$here/loop.py" "$folder/kept" "${options[@]}" --keep "$folder/keep" --minutes 5 --iterations 50 \
    > "$folder/log" 2>&1 &
until [ -s "$folder/kept/log.csv" ] && [ "$(wc -l < "$folder/kept/log.csv")" -ge 2 ]; do
    sleep 1
    kill -0 $! || exit 1
done
until pkill -KILL -P $!; do sleep 0.2; done
if wait $!; then exit 1; fi
"$YOMI" selfplay show "$folder/keep/00000.ysp" | grep "^[1-9][0-9]* games"

# It has learned: the losses of the last iteration are below those of the first that had games to train on.
column() { # NAME LINE
    head -n 1 "$folder/run/log.csv" | tr ',' '\n' | grep -nx "$1" | cut -d: -f1 | {
        read -r number
        sed -n "$2p" "$folder/run/log.csv" | cut -d, -f"$number"
    }
}
for loss in policy value owner; do
    awk -v a="$(column $loss 3)" -v b="$(column $loss '$')" 'BEGIN { exit !(b < a) }' ||
        { echo "$loss: $(column $loss 3) then $(column $loss '$')"; exit 1; }
done

# What cannot be gone on with is refused by name, and stays as it is: another shape, a checkpoint with wrong bytes,
# cut off, or not there, a network that is cut off. So are programs that are not there.
refuses() { # TEXT OUT ARGUMENTS...
    if loop "$2" --minutes 1 --iterations 1 "${@:3}" 2> "$folder/error"; then exit 1; fi
    if ! grep -q "$1" "$folder/error" || grep -q Traceback "$folder/error"; then
        cat "$folder/error"
        exit 1
    fi
}
refuses "another network" "$folder/run" --channels 24
damage() { # KIND
    rm -rf "$folder/bad"
    cp -r "$folder/run" "$folder/bad"
    case $1 in
    bytes) head -c 500 /dev/urandom | dd of="$folder/bad/state.0" bs=500 seek=300 conv=notrunc status=none ;;
    short) truncate -s 100000 "$folder/bad/state.0" ;;
    games) printf '\377' | dd of="$folder/bad/games.0" bs=1 seek=6 conv=notrunc status=none ;;
    missing) rm "$folder/bad/state.0" ;;
    net) truncate -s 1000 "$folder/bad/net.bin.gz" ;;
    esac
}
for kind in bytes short; do
    damage $kind
    refuses "state.0) is damaged" "$folder/bad"
done
# Of games that are damaged the others stay: here the first one's length is wrong.
damage games
loop "$folder/bad" --minutes 1 --iterations 0 | grep "goes on after iteration .* [1-9][0-9]* rows"
damage missing
refuses "has a log, but no checkpoint" "$folder/bad"
cmp "$folder/run/net.bin.gz" "$folder/bad/net.bin.gz"
damage net
refuses "bad/net.bin.gz is damaged" "$folder/bad"
refuses "no program" "$folder/run" --yomi "$folder/none"
refuses "none.bin.gz" "$folder/new" --start "$folder/none.bin.gz"

# The programs packed for a machine without the engine's libraries, linked there, play too.
if train/pack.sh "$folder/run" 2> "$folder/error"; then exit 1; fi # its files are not packed ones: they stay
grep -q "nothing that was packed" "$folder/error"
[ -s "$folder/run/state.0" ]
train/pack.sh "$folder/pack" "-DCMAKE_C_COMPILER=${CC:-cc}"
loop=(go --minutes 3 --pack "$folder/pack" --iterations 1 --start none --blocks 3 --channels 16 --size 5
    --visits 8 --fast-visits 4 --play-s 3 --device cpu --play "--at-once 16 --groups 2")
train/loop "${loop[@]}" --out "$folder/packed" | tee "$folder/log"
grep -q "^1 iterations" "$folder/log"
train/loop "${loop[@]}" --out "$folder/more" --from "$folder/packed" | tee "$folder/log"
grep -q "goes on after iteration 1" "$folder/log"
if train/loop "${loop[@]}" --out "$folder/lost" --from "$folder/none" 2> "$folder/error"; then exit 1; fi
grep -q "none is no folder" "$folder/error"
if train/loop go --out "$folder/lost" --minutes 2> "$folder/error"; then exit 1; fi
grep -q "minutes needs a value" "$folder/error"
[ ! -e "$folder/lost" ]
if train/loop 2> "$folder/error"; then exit 1; fi
grep -q "train/loop GAME" "$folder/error"
