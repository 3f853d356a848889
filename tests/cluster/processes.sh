# A broker, workers and a master as processes, and what can happen to them: for faults.sh and
# faults_long.sh, which include it after tests/lib.sh.
# shellcheck shell=bash disable=SC2154 # tests/lib.sh has tmp

has_nats() {
    command -v nats-server >/dev/null || {
        echo "not checked: there is no nats-server (Debian: apt-get install nats-server)"
        return 1
    }
    built_in libnats || {
        echo "not checked: built without libnats (Debian: apt-get install libnats-dev)"
        return 1
    }
}

# By how much a busy machine may be late: of the moves of faults_long.sh the latest came 1.7 s late, on two
# cores at a load of 30.
LATE_MS=2000
REASSIGN_MS=2000 # from a fault until others have the jobs of the workers that are lost

# ---- a broker, workers, a master ----

broker_port=
start_broker() { # once: a free port; later: the same
    local ports before
    listening() {
        sed -n 's/.*Listening for client connections on 127.0.0.1:\([0-9]*\)$/\1/p' "$tmp/broker.log" 2>/dev/null
    }
    before=$(listening | wc -l)
    nats-server -a 127.0.0.1 -p "${broker_port:--1}" --log "$tmp/broker.log" >/dev/null 2>&1 &
    broker=$!
    for _ in {1..400}; do
        ports=$(listening)
        [ "$(wc -w <<<"$ports")" -gt "$before" ] && break
        sleep 0.05
    done
    broker_port=${ports##*$'\n'}
    url=nats://127.0.0.1:$broker_port
}

cat >"$tmp/engine" <<'ENGINE'
#!/usr/bin/env bash
# Speaks USI, keeps to searchmoves, and reports the first move that it may play. Its log has what it
# searches: milliseconds, name, moves.
while read -r line; do
    case $line in
    usi) printf 'id name Script\nusiok\n' ;;
    isready) echo readyok ;;
    go*)
        best=2g2f
        [[ $line == *searchmoves\ * ]] && read -r best _ <<<"${line#*searchmoves }"
        [[ $line == *searchmoves\ * ]] && echo "$((${EPOCHREALTIME/./} / 1000)) $NAME ${line#*searchmoves }" >>"$JOBS"
        echo "info depth 5 score cp $((RANDOM % 50)) nodes 1000 pv ${EVIL:-$best}"
        ;;
    stop) echo "bestmove $best" ;;
    quit) exit ;;
    esac
done
ENGINE
chmod +x "$tmp/engine"

: >"$tmp/master.log"
: >"$tmp/jobs"
declare -A worker
start_worker() { # NAME [ENGINE-ENVIRONMENT]
    if [ -n "${LONG:-}" ]; then
        "$YOMI" worker --server "$url" --name "$1" --options memory=16 2>>"$tmp/workers.log" &
    else
        env "${2:-A=}" NAME="$1" JOBS="$tmp/jobs" "$YOMI" worker --server "$url" --name "$1" -- "$tmp/engine" 2>>"$tmp/workers.log" &
    fi
    worker[$1]=$!
}

say() { echo "$1" >&"${master[1]}"; }
now_ms() { echo $(($(date +%s%N) / 1000000)); }
# hear PATTERN: waits for a line of the master that begins so; it is in $heard.
hear() {
    heard=
    while read -t 60 -r heard <&"${master[0]}"; do
        echo "$heard" >>"$tmp/master.log"
        [[ $heard == $1* ]] && return
    done
    fail "the master does not say '$1' (log: $(tail -3 "$tmp/master.log"))"
    return 1
}
start_master() {
    coproc master { exec "$YOMI" usi --cluster "$url" --strategy split 2>&1; }
    master_pid=$master_PID # the shell forgets it when the process ends
    say isready
    hear readyok
}

# think WHAT FAULT [WORKER...]: has the master think for four seconds, does FAULT after half a second, and
# wants a legal move in time, and the jobs of the workers that are lost by it in the hands of others. A
# worker counts as lost after 1.5 s at most: on a busy machine, too, that comes before the move.
think() {
    local began fault took move name
    say "position startpos"
    began=$(now_ms)
    say "go movetime 4000"
    sleep 0.5
    for name in "${@:3}"; do
        eventually has_job "$name" "$began" || fail "$1: worker $name gets no job"
    done
    fault=$(now_ms)
    $2
    hear bestmove || return
    took=$(($(now_ms) - began))
    move=$(cut -d' ' -f2 <<<"$heard")
    ((took < 4000 + LATE_MS)) || fail "$1: the move took $took ms"
    ((took >= 3500)) || fail "$1: the move came after $took ms already"
    # As late as the move is, the jobs may be too: that is the machine.
    (($# < 3)) || reassigned "$1" "$began" "$fault" $((took > 4000 ? REASSIGN_MS + took - 4000 : REASSIGN_MS)) "${@:3}"
    say "position startpos moves $move"
    say isready
    hear readyok
    tail -5 "$tmp/master.log" | grep -q 'info string position' && fail "$1: $move is not legal"
    return 0
}
has_job() { # WORKER SINCE: whether it has been told what to search
    awk -v name="$1" -v since="$2" '$1 >= since && $2 == name { found = 1 } END { exit !found }' "$tmp/jobs"
}
# Each move that these workers were searching at the fault is another's not later than allowed.
reassigned() { # WHAT BEGAN FAULT ALLOWED WORKER...
    local most
    most=$(awk -v began="$2" -v fault="$3" -v lost=" ${*:5} " '
        index(lost, " " $2 " ") { if ($1 >= began && $1 <= fault) job[$2] = $0; next }
        $1 > fault { for (i = 3; i <= NF; i++) if (!($i in after)) after[$i] = $1 - fault }
        END {
            for (name in job) {
                words = split(job[name], move)
                for (i = 3; i <= words; i++) {
                    late = move[i] in after ? after[move[i]] : 1000000
                    if (late > most) most = late
                }
            }
            print most + 0
        }' "$tmp/jobs")
    echo "$1: others have the jobs of ${*:5} after $most ms"
    ((most > 0)) || fail "$1: ${*:5} had no job"
    ((most < $4)) || fail "$1: a job of ${*:5} is lost for $most ms"
}

# status_has NAMES: waits until the workers of the cluster are exactly these.
status_has() {
    local names
    for _ in {1..60}; do
        names=$("$YOMI" cluster status --server "$url" --json | grep '"announce"' |
            sed 's/.*"worker":"\([^"]*\)".*/\1/' | sort | tr '\n' ' ')
        [ "$names" = "$1 " ] && return
        sleep 0.2
    done
    fail "status says '$names', not '$1'"
}
said() { # since the last call of forget
    tail -n +"$from" "$tmp/master.log" | grep -q "$1" || fail "the master does not say: $1"
}
forget() { from=$(($(wc -l <"$tmp/master.log") + 1)); }

at_exit() {
    kill "${worker[@]}" "$broker" 2>/dev/null
    kill -CONT "${worker[@]}" 2>/dev/null
    [ -z "${master_pid:-}" ] || kill "$master_pid" 2>/dev/null
    rm -rf "$tmp"
}
trap at_exit EXIT

# ---- the faults ----

nothing() { :; }
kill_one() { kill -9 "${worker[w1]}"; }
kill_half() { kill -9 "${worker[w1]}" "${worker[w2]}"; }
stop_one() { kill -STOP "${worker[w3]}"; }
kill_broker() { kill -9 "$broker"; }
# What any program could send that may speak to the broker.
send_garbage() {
    local text
    exec 9<>"/dev/tcp/127.0.0.1/$broker_port"
    printf 'CONNECT {"verbose":false}\r\n' >&9
    for text in garbage '{}' '[1' '{"yomi":1,"kind":"report","worker":"w4","master":"m","job":1,"found":[]}' \
        '{"yomi":1,"kind":"beat","worker":"../../x"}' '{"yomi":1,"kind":"leave","worker":"nobody-else"}'; do
        printf 'PUB yomi.hello %d\r\n%s\r\n' ${#text} "$text" >&9
        printf 'PUB yomi.workers %d\r\n%s\r\n' ${#text} "$text" >&9
    done
    printf 'PING\r\n' >&9
    while read -t 5 -r text <&9 && [[ $text != PONG* ]]; do :; done
    exec 9<&-
}
