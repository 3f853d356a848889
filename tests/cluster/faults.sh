#!/usr/bin/env bash
# A cluster of real processes, four workers and a broker, under faults: a worker is killed, half of
# them, the broker; one is stopped; one sends garbage, one reports illegal moves. A legal move comes in
# time every time, lost jobs are with others within two seconds, and `yomi cluster status` says who is there. The engines are
# scripts that cost no processor time; faults_long.sh has real ones.
# shellcheck disable=SC2317 # functions that `eventually` calls
. tests/lib.sh
. tests/cluster/processes.sh
has_nats || exit 77

start_broker
for name in w1 w2 w3 w4; do start_worker $name; done
status_has "w1 w2 w3 w4"
forget
start_master
think "no fault" nothing
said 'worker w4 joins'

forget
think "a worker is killed" kill_one w1
said 'worker w1 has left; its job goes to another'
status_has "w2 w3 w4"

start_worker w1
status_has "w1 w2 w3 w4"
think "garbage" send_garbage
think "half of the workers are killed" kill_half w1 w2
status_has "w3 w4"

# No room for logs: neither the worker nor the master minds.
"$YOMI" worker --server "$url" --name full -- "$tmp/engine" 2>/dev/full &
worker[full]=$!
status_has "full w3 w4"
full_joins() { # a move, and whether that worker answered its master before
    printf 'isready\nposition startpos\ngo movetime 1000\n' |
        "$YOMI" usi --cluster "$url" --strategy split --log /dev/full >"$tmp/full.out" 2>/dev/full
    grep -q '^bestmove [1-9]' "$tmp/full.out" || fail "a full disk: $(tail -3 "$tmp/full.out")"
    grep -q 'worker full joins' "$tmp/full.out"
}
eventually full_joins || fail "a full disk: worker full does not join"
kill "${worker[full]}"
status_has "w3 w4"

forget
think "a worker is stopped" stop_one w3
sleep 1
status_has "w4"
kill -CONT "${worker[w3]}"
status_has "w3 w4"
said 'worker w3 is silent'

start_worker evil EVIL=5e5d
status_has "evil w3 w4"
forget
think "illegal moves" nothing
think "illegal moves, again" nothing
said 'evil.*illegal'

forget
think "the broker is killed" kill_broker
think "there is no broker" nothing
said 'no worker is there: the master searches by itself'
start_broker
status_has "evil w3 w4"
forget
think "the broker is back" nothing
said 'workers are there'

say quit
wait "$master_pid" 2>/dev/null
exit $failed
