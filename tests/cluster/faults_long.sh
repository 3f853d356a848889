#!/usr/bin/env bash
# 500 moves of games that a cluster plays against itself, our own engines on four workers, while every
# second something goes wrong: a worker is killed and started again, stopped for two seconds, the broker
# dies for a second or hangs for eight, garbage comes. Every move is legal and in time, and at the end everybody is there.
. tests/lib.sh
. tests/cluster/processes.sh
has_nats || exit 77
LONG=1 # real engines
MOVES=${MOVES:-500}
MOVE_MS=300

# Faults until the file is gone, in a process of its own; what lives at its end is in pids.
chaos() {
    trap - EXIT
    local name n
    while [ -e "$tmp/chaos" ]; do
        name=w$((1 + RANDOM % 4))
        n=$((RANDOM % 9))
        echo "$n $name" >>"$tmp/chaos.log"
        case $n in
        0 | 1 | 2 | 3)
            kill -9 "${worker[$name]}" 2>/dev/null
            sleep 1
            start_worker $name
            ;;
        4 | 5)
            kill -STOP "${worker[$name]}"
            sleep 2
            kill -CONT "${worker[$name]}"
            ;;
        6)
            kill -9 "$broker"
            sleep 1
            start_broker
            ;;
        7)
            send_garbage
            sleep 1
            ;;
        8) # until its clients connect anew, and wait for it to say something
            kill -STOP "$broker"
            sleep 8
            kill -CONT "$broker"
            ;;
        esac
    done
    echo "$broker ${worker[*]}" >"$tmp/pids"
}

start_broker
for name in w1 w2 w3 w4; do start_worker $name; done
status_has "w1 w2 w3 w4"
start_master
touch "$tmp/chaos"
chaos 2>/dev/null &
chaos=$!
moves='' slowest=0 games=1
for ((i = 0; i < MOVES && !failed; i++)); do
    say "position startpos moves$moves"
    began=$(now_ms)
    say "go movetime $MOVE_MS"
    hear bestmove || break
    took=$(($(now_ms) - began))
    ((took > slowest)) && slowest=$took
    ((took < MOVE_MS + LATE_MS)) || fail "move $i took $took ms"
    read -r _ move _ <<<"$heard"
    moves+=" $move"
    if [[ $move == resign || $move == win ]] || (($(wc -w <<<"$moves") > 200)); then
        moves=
        games=$((games + 1))
    fi
done
rm "$tmp/chaos"
wait $chaos
read -r broker pids <"$tmp/pids"
say "position startpos moves$moves" # the last move too was legal
say isready
hear readyok
grep -q 'info string position' "$tmp/master.log" && fail "a move was not legal"
status_has "w1 w2 w3 w4"
echo "$i moves in $games games, $(wc -l <"$tmp/chaos.log") faults; the slowest move took $slowest ms"
# shellcheck disable=SC2086
kill $pids 2>/dev/null
say quit
exit $failed
