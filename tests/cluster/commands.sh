#!/usr/bin/env bash
# yomi cluster up, status and stop; local workers; what is refused, and with which words.
# shellcheck disable=SC2317,SC2154 # functions that `eventually` calls; coproc sets master_PID
. tests/lib.sh

run() { # ARGS...: what it says is in $tmp/out, its status in $status
    "$YOMI" "$@" >"$tmp/out" 2>&1 </dev/null
    status=$?
}
move() { # ARGS...: a move by yomi usi
    printf 'isready\nposition startpos\ngo movetime 300\n' | "$YOMI" usi "$@" >"$tmp/out" 2>&1
    grep -q '^bestmove [1-9]' "$tmp/out" || fail "usi $*: $(tail -3 "$tmp/out")"
}
# A search of 0.3 s may be over before a worker that is there has answered its master.
joined() { # ARGS...: a move, and whether a worker joined
    move "$@"
    grep -q joins "$tmp/out"
}
# Whether a line of `yomi cluster status` begins so.
status_says() { # LINE ARGS...
    local line=$1
    shift
    run cluster status "$@"
    grep -q "^$line" "$tmp/out"
}
logged() { grep -qs "$2" "$1"; } # FILE TEXT
LATE_MS=2000                     # by how much a busy machine may be late

# Local workers need no broker. One that cannot start is told.
move --cluster local:2 --memory 16
says 'worker local-1 joins' 'worker local-2 joins'
# What is the player's alone needs no new workers.
printf '%s\n' isready 'setoption name USI_Ponder value true' 'setoption name MultiPV value 2' 'position startpos' \
    'go nodes 3000' | "$YOMI" usi --cluster local:1 --memory 16 --book off >"$tmp/out" 2>&1
[ "$(grep -c 'worker local-1 joins' "$tmp/out")" = 1 ] || fail "new workers: $(cat "$tmp/out")"
printf 'boardsize 5\ngenmove b\n' | "$YOMI" gtp --cluster local:1 --search uct --time 0.3 >"$tmp/out" 2>&1
grep -qE '^= [A-E][1-5]' "$tmp/out" || fail "gtp: $(cat "$tmp/out")"
says 'worker local-1 joins'

# With a clock the workers start before the first move, whose time is short.
printf 'boardsize 9\ntime_settings 0 2 1\n' | "$YOMI" gtp --cluster local:1 --search uct >"$tmp/out" 2>&1
says 'worker local-1 joins'

# Where all is settled a pass saves the point that a move of its own would lose.
cat >"$tmp/settled.sgf" <<'END'
(;SZ[9]RU[japanese]KM[0.5]AB[da][ea][fa][ia][db][gb][hb][ib][cc][dc][ec][gc][ic][dd][ed][fd][be][ee][bf][ag][bg][cg][dg][eg][fg][gg][ah][eh][fh][ai][ci][di][fi][gi]
AW[ca][bb][cb][ac][bc][hc][ad][bd][cd][gd][hd][id][ae][ce][de][fe][ie][af][cf][df][ef][ff][gf][hf][hg][gh][hh][hi]PL[B])
END
printf '%s\n' "loadsgf $tmp/settled.sgf" 'genmove b' |
    "$YOMI" gtp --cluster local:1 --search puct --threads 1 --memory 64 --time 2 >"$tmp/out" 2>&1
says 'worker local-1 joins' '= pass'

# An analysis is the master's own search, helped by workers: what they visit counts.
echo '{"id":"a","moves":[],"rules":"chinese","boardXSize":9,"boardYSize":9,"maxVisits":3000}' |
    "$YOMI" analysis --cluster local:2 --search uct --threads 1 --memory 64 >"$tmp/out" 2>&1
says 'worker local-1 joins' '"rootInfo"' '"scoreStdev"'

printf '7g7f\nquit\n' | "$YOMI" play --game shogi --cluster local:1 --time 0.3 >"$tmp/out" 2>&1
says 'worker local-1 joins' 'Yomi plays'

for wrong in local:0 local:many elsewhere; do
    for command in usi gtp analysis play web; do
        run $command --cluster $wrong
        says "--cluster $wrong"
        [ $status -eq 2 ] || fail "$command --cluster $wrong: status $status"
    done
done
run usi --cluster local:1 --strategy predikt
says 'predikt is not one of the choices' 'did you mean predict?'
# The same as options of the protocols.
printf '%s\n' 'setoption name cluster value local:1' 'setoption name strategy value majority' isready \
    'position startpos' 'go movetime 3000' | "$YOMI" usi --memory 16 >"$tmp/out" 2>&1
says 'worker local-1 joins'
grep -q '^bestmove [1-9]' "$tmp/out" || fail "usi: $(tail -3 "$tmp/out")"
printf '%s\n' 'yomi-param cluster local:1' 'boardsize 5' 'genmove b' |
    "$YOMI" gtp --search uct --time 3 >"$tmp/out" 2>&1
says 'worker local-1 joins'
grep -qE '^= [A-E][1-5]' "$tmp/out" || fail "gtp: $(cat "$tmp/out")"
run worker --name 'a b' --server stdio
says 'is no name'
# A longer one would be cut, and two of them might be the same.
run worker --name "$(printf 'w%.0s' {1..48})"
[ $status = 2 ] || fail "a long name: $status"
says 'is no name: 1 to 47'
run worker --server nowhere
says '--server nowhere is no address'
for command in 'usi --cluster' 'worker --server' 'cluster status --server' 'cluster up --server'; do
    # shellcheck disable=SC2086
    run $command nats://127.0.0.1:abc
    [ $status = 2 ] || fail "$command at a port that is no number: $status"
    says 'the port abc is no number'
    says_not 'is there a broker'
done
run worker --server stdio -- /nonexistent/engine
says '/nonexistent/engine: there is no such program'
# A program that is slow to its first value has values.
cat >"$tmp/slow" <<'END'
while read -r x; do
    case $x in
    usi) printf 'id name Slow\nusiok\n' ;;
    isready) echo readyok ;;
    go*) (sleep 0.5 && echo 'info depth 1 score cp 5 nodes 700000 pv 6i5h') & ;;
    stop) echo 'bestmove 6i5h' ;;
    quit) exit ;;
    esac
done
END
run worker --server stdio -- sh "$tmp/slow"
says '"engine":"Slow"' '"values":true'
grep -q '"speed":[1-9]' "$tmp/out" || fail "the speed of a program is not measured: $(cat "$tmp/out")"

# A worker that is told to end does not wait for a program that never gets ready.
ended() { ! kill -0 "$1" 2>/dev/null; }
cat >"$tmp/loading" <<'END'
while read -r x; do
    if [ "$x" = usi ]; then printf 'id name Loading\nusiok\n'; fi
    if [ "$x" = isready ]; then touch "$1"; fi
done
END
"$YOMI" worker -- sh "$tmp/loading" "$tmp/loads" 2>"$tmp/out" &
loading=$!
eventually test -e "$tmp/loads" || fail "the program was not started: $(cat "$tmp/out")"
kill $loading
eventually ended $loading || fail "a worker waits for its program"
kill -9 $loading 2>/dev/null

if ! built_in libnats; then
    run worker --server nats://127.0.0.1:1
    says 'built without NATS' 'libnats-dev'
    echo "not checked: NATS (built without libnats)"
    exit $failed
fi
command -v nats-server >/dev/null || {
    echo "not checked: there is no nats-server (Debian: apt-get install nats-server)"
    exit $failed
}

# A port that nobody has.
free_port() {
    local port
    while port=$((20000 + RANDOM % 20000)) && (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
    echo $port
}
port=$(free_port)
at=(--server "nats://127.0.0.1:$port")
run cluster status "${at[@]}"
[ $status = 1 ] || fail "status without a broker: $status"
says 'is there a broker?'
for word in up status stop; do
    run cluster $word --server http://127.0.0.1
    [ $status = 2 ] || fail "$word at no address: $status"
    says '--server http://127.0.0.1 is no address'
done
run cluster stop "${at[@]}" --folder "$tmp/none"
says 'there is no cluster'
# What has no meaning is not passed over: stop ends the workers of all games.
refuses() { # WORD OPTION...
    run cluster "$@" "${at[@]}"
    [ $status = 2 ] || fail "$*: $status"
    says "$2 has no meaning in cluster $1"
}
refuses stop --game go
refuses status --game go
refuses up --json
for word in up status stop; do
    run cluster $word "${at[@]}" --cluster-name ../../x
    [ $status = 2 ] || fail "$word: a path as a name: $status"
    says 'is no name'
done
run cluster stop "${at[@]}" --folder "$tmp/none" --cluster-auth "$tmp/none.auth"
says 'none.auth'
# With the PATH of users that are no administrators, which Debian's nats-server is not in.
PATH=/usr/local/bin:/usr/bin:/bin run cluster up "${at[@]}" --folder "$tmp/up" --workers 2 --options memory=16
[ $status = 0 ] || fail "up: $status, $(cat "$tmp/out")"
says 'started a broker' '2 workers for shogi are there' 'yomi usi --cluster'
eventually status_says '2 workers at' "${at[@]}" || fail "not 2 workers: $(cat "$tmp/out")"
says 'Yomi' 'idle' 'threads 1, options memory=16'
# What each of them searches, and how fast.
printf 'isready\nposition startpos\ngo movetime 60000\n' |
    "$YOMI" usi --cluster "nats://127.0.0.1:$port" --strategy split --memory 16 >/dev/null 2>&1 &
master=$!
eventually status_says '  job [0-9]* of master-.* for [0-9.]* s, [0-9]* nodes: 15 moves; best [1-9][^ ]* cp [-+0-9]*, depth [1-9][0-9]*, [0-9.]* s old' "${at[@]}" ||
    fail "status does not say what is searched: $(cat "$tmp/out")"
kill $master
run cluster status "${at[@]}" --cluster-name other # two clusters may share a broker
says '0 workers at'
run cluster up "${at[@]}" --folder "$tmp/up" --workers 1 --options memory=16
says '2 workers for shogi are there' '1 of them were started before'
# At another address a second broker in that folder would hide the first from stop.
run cluster up --server "nats://127.0.0.1:$(free_port)" --folder "$tmp/up" --workers 1
[ $status = 1 ] || fail "up at another address: $status, $(cat "$tmp/out")"
says 'a broker that was started before'
run cluster up "${at[@]}" --folder "$tmp/up" --workers 1 --game go --options playouts=50
[ $status = 0 ] || fail "up for Go: $status, $(cat "$tmp/out")"
says '1 workers for go are there' 'yomi gtp --cluster'
eventually status_says '3 workers at' "${at[@]}" || fail "no worker for Go: $(cat "$tmp/out")"
eventually joined --cluster "nats://127.0.0.1:$port" || fail "no worker joins: $(tail -3 "$tmp/out")"
run cluster stop "${at[@]}" --folder "$tmp/elsewhere" # the broker is not of that folder
says 'stopped the workers; the broker at' 'goes on'
run cluster stop "${at[@]}" --folder "$tmp/up"
says stopped
run cluster status "${at[@]}"
[ $status = 1 ] || fail "there is still a broker after stop"

# Two at once start one cluster.
"$YOMI" cluster up "${at[@]}" --folder "$tmp/two" --workers 1 --options memory=16 >"$tmp/first" 2>&1 &
first=$!
run cluster up "${at[@]}" --folder "$tmp/two" --workers 1 --options memory=16
wait $first
[ "$(cat "$tmp/first" "$tmp/out" | grep -c 'started a broker')" = 1 ] || fail "two brokers: $(cat "$tmp/first" "$tmp/out")"
# The broker of one cluster goes on as long as another uses it.
beside=("${at[@]}" --cluster-name beside --folder "$tmp/beside")
run cluster up "${beside[@]}" --workers 1 --options memory=16
says 'there is a broker' '1 workers for shogi are there'
run cluster stop "${at[@]}" --folder "$tmp/two"
says 'stopped the workers; the broker' 'goes on, since the cluster beside uses it'
status_says '1 workers at' "${at[@]}" --cluster-name beside || fail "the other cluster is gone: $(cat "$tmp/out")"
run cluster stop "${beside[@]}"
says 'which was not started from here, goes on'
run cluster stop "${at[@]}" --folder "$tmp/two"
says stopped
run cluster status "${at[@]}"
[ $status = 1 ] || fail "there is still a broker after two started at once"

# A name is one worker's alone: the later of two gets another.
run cluster up "${at[@]}" --folder "$tmp/names" --workers 1 --options memory=16
"$YOMI" worker "${at[@]}" --name same --options memory=16 2>"$tmp/same.log" &
same=$!
eventually status_says 'same  ' "${at[@]}" || fail "no worker of that name: $(cat "$tmp/same.log" "$tmp/out")"
"$YOMI" worker "${at[@]}" --name same --options memory=16 2>"$tmp/same2.log" &
same2=$!
eventually status_says "same-$same2 " "${at[@]}" || fail "two workers of one name: $(cat "$tmp/same2.log" "$tmp/out")"
logged "$tmp/same2.log" "there is a worker same already: this one is called same-$same2" ||
    fail "the second of a name is not told: $(cat "$tmp/same2.log")"
says '3 workers at'

# A broker that hangs: a master that starts now has workers when it goes on, and stop ends them all.
hung=$(cut -d' ' -f1 "$tmp/names/broker.pid")
kill -STOP "$hung"
coproc master { exec "$YOMI" usi --cluster "nats://127.0.0.1:$port" --memory 16 --book off 2>&1; }
master_pid=$master_PID
echo isready >&"${master[1]}"
says_master() { # PATTERN: waits for it
    while read -t 60 -r line <&"${master[0]}"; do
        [[ $line =~ $1 ]] && return
    done
    fail "a master whose broker is not there yet does not say: $1"
}
says_master 'searching without a cluster until it answers'
says_master '^readyok'
kill -CONT "$hung"
printf 'position startpos\ngo movetime 20000\n' >&"${master[1]}"
says_master 'worker .* joins'
kill -STOP "$hung"
sleep 5 # until its clients connect anew, which nobody answers
took() { # COMMAND...: its milliseconds are in $took
    local began
    began=$(date +%s%N)
    "$@"
    took=$((($(date +%s%N) - began) / 1000000))
}
end_master() {
    echo quit >&"${master[1]}"
    wait "$master_pid" 2>/dev/null
}
took end_master
((took < 1000 + LATE_MS)) || fail "quit took $took ms while the broker hung"
took run cluster stop "${at[@]}" --folder "$tmp/names"
((took < 1200 + LATE_MS)) || fail "stop took $took ms while the broker hung"
says stopped
run cluster status "${at[@]}"
[ $status = 1 ] || fail "there is still a broker after it hung"
kill $same $same2 # they wait for a broker
wait $same $same2

# A master that is there before its broker has workers as soon as that is there.
coproc master { exec "$YOMI" usi --cluster "nats://127.0.0.1:$port" --memory 16 --book off 2>&1; }
master_pid=$master_PID
echo isready >&"${master[1]}"
says_master 'searching without a cluster until it is there'
says_master '^readyok'
run cluster up "${at[@]}" --folder "$tmp/late" --workers 1 --options memory=16
printf 'position startpos\ngo movetime 20000\n' >&"${master[1]}"
says_master 'worker .* joins'
echo quit >&"${master[1]}"
wait "$master_pid" 2>/dev/null
run cluster stop "${at[@]}" --folder "$tmp/late"

# A worker that is there before its broker waits for it.
"$YOMI" worker "${at[@]}" --name early --options memory=16 2>"$tmp/early.log" &
early=$!
eventually logged "$tmp/early.log" 'no broker at' || fail "a worker without a broker: $(cat "$tmp/early.log")"
run cluster up "${at[@]}" --folder "$tmp/up" --workers 1 --options memory=16
eventually status_says early "${at[@]}" || fail "the early worker is not there: $(cat "$tmp/out")"
run cluster stop "${at[@]}" --folder "$tmp/up"
wait $early || fail "the worker ended with $?"

# A broker with users: without credentials nobody gets in; with them a worker may do only what it needs.
port=$(free_port)
at=(--server "nats://127.0.0.1:$port")
sed -e '/^tls {/,/^}/d' -e "s/^listen:.*/listen: 127.0.0.1:$port/" docs/cluster-broker.conf >"$tmp/broker.conf"
printf 'user=worker\npassword=change-this\n' >"$tmp/worker.auth"
printf 'user=master\npassword=change-this-too\n' >"$tmp/master.auth"
run cluster up "${at[@]}" --folder "$tmp/users" --broker-config "$tmp/broker.conf" --workers 1
says 'wants credentials: --cluster-auth'
# Nor into one that is there already.
as_master=(--cluster-auth "$tmp/master.auth")
run cluster up "${at[@]}" --folder "$tmp/users" --broker-config "$tmp/broker.conf" --workers 1 \
    "${as_master[@]}" --worker-auth "$tmp/worker.auth" --options memory=16
[ $status = 0 ] || fail "up with two users: $status, $(cat "$tmp/out")"
says 'started a broker' '1 workers for shogi are there' "--cluster-auth $tmp/master.auth"
run cluster up "${at[@]}" --folder "$tmp/users" --broker-config "$tmp/broker.conf" --workers 1
[ $status = 1 ] || fail "up without credentials: $status, $(cat "$tmp/out")"
says 'wants credentials: --cluster-auth'
run cluster stop "${at[@]}" --folder "$tmp/none"
[ $status = 1 ] || fail "stop without credentials: $status, $(cat "$tmp/out")"
says 'wants credentials: --cluster-auth'
run cluster stop "${at[@]}" --folder "$tmp/users" "${as_master[@]}"
nats-server -c "$tmp/broker.conf" >"$tmp/broker.log" 2>&1 &
broker=$!
trap 'kill $broker ${worker:-} 2>/dev/null; rm -rf "$tmp"' EXIT
eventually logged "$tmp/broker.log" 'Server is ready' || fail "the broker: $(cat "$tmp/broker.log")"
run worker "${at[@]}"
[ $status = 1 ] || fail "a worker without credentials: $status"
says '--cluster-auth'
run cluster status "${at[@]}"
says '--cluster-auth'
printf '# the master\r\n\r\npasswort=x\r\n' >"$tmp/wrong.auth"
run worker "${at[@]}" --cluster-auth "$tmp/wrong.auth"
says 'wrong.auth: line 3'
printf 'user=worker\nca=%s\n' "$tmp/none.pem" >"$tmp/wrong.auth"
run worker "${at[@]}" --cluster-auth "$tmp/wrong.auth"
says 'wrong.auth: line 2' "cannot read $tmp/none.pem"
# Each user may do its own part only, and hears of it: a status that may not listen would see nobody.
run cluster status "${at[@]}" --cluster-auth "$tmp/worker.auth"
says 'not one for a master of the cluster yomi'
run worker "${at[@]}" --cluster-auth "$tmp/master.auth"
says 'not one for a worker of the cluster yomi'
"$YOMI" worker "${at[@]}" --cluster-auth "$tmp/worker.auth" --options memory=16 2>"$tmp/worker.log" &
worker=$!
eventually status_says '1 workers at' "${at[@]}" "${as_master[@]}" || fail "not 1 worker: $(cat "$tmp/out")"
eventually joined --cluster "nats://127.0.0.1:$port" "${as_master[@]}" || fail "no worker joins: $(tail -3 "$tmp/out")"
# A broker that comes back with other users, and then with the right ones.
restart() { # CONFIGURATION LOG
    kill $broker
    wait $broker
    nats-server -c "$1" >"$2" 2>&1 &
    broker=$!
    eventually logged "$2" 'Server is ready' || fail "the broker: $(cat "$2")"
}
sed 's/change-this/changed/' "$tmp/broker.conf" >"$tmp/others.conf"
restart "$tmp/others.conf" "$tmp/others.log"
eventually logged "$tmp/worker.log" 'refuses this worker' || fail "a worker that is refused: $(cat "$tmp/worker.log")"
# The right ones may be from before names were asked for.
sed 's/, "yomi.name.>"//' "$tmp/broker.conf" >"$tmp/older.conf"
restart "$tmp/older.conf" "$tmp/again.log"
eventually status_says '1 workers at' "${at[@]}" "${as_master[@]}" || fail "not 1 worker again: $(cat "$tmp/out")"
# A broker that hangs is not one that is missing.
kill -STOP $broker
run cluster status "${at[@]}" "${as_master[@]}"
says 'does not answer'
# A worker that starts meanwhile waits for it.
"$YOMI" worker "${at[@]}" --cluster-auth "$tmp/worker.auth" --name patient --options memory=16 2>"$tmp/patient.log" &
patient=$!
eventually logged "$tmp/patient.log" 'trying for a minute' || fail "a worker and a broker that hangs: $(cat "$tmp/patient.log")"
kill -CONT $broker
eventually status_says patient "${at[@]}" "${as_master[@]}" || fail "not there after the broker hung: $(cat "$tmp/patient.log")"
kill $patient
kill $worker $broker

# The example as it is, with TLS, and certificates made as docs/cluster.md says.
(
    cd "$tmp" || exit 1
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=ca -keyout ca.key -out ca.pem
    openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
        -keyout server.key -out server.csr
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -copy_extensions copy \
        -out server.pem
) 2>"$tmp/openssl.log" || fail "openssl: $(tail -2 "$tmp/openssl.log")"
port=$(free_port)
at=(--server "nats://127.0.0.1:$port")
sed "s/^listen:.*/listen: 127.0.0.1:$port/" docs/cluster-broker.conf >"$tmp/broker.conf"
# A log of its own: that of the first broker says already that it is ready.
(cd "$tmp" && exec nats-server -c broker.conf >"$tmp/tls.log" 2>&1) &
broker=$!
eventually logged "$tmp/tls.log" 'Server is ready' || fail "the broker with TLS: $(cat "$tmp/tls.log")"
run cluster status "${at[@]}" --cluster-auth "$tmp/master.auth" # it trusts nobody who signs for the broker
[ $status = 1 ] || fail "TLS without ca: $status"
says 'ca=FILE'
echo "ca=$tmp/ca.pem" | tee -a "$tmp/master.auth" "$tmp/worker.auth" >/dev/null
printf 'user=master\npassword=wrong\nca=%s\n' "$tmp/ca.pem" >"$tmp/wrong.auth"
run cluster status "${at[@]}" --cluster-auth "$tmp/wrong.auth"
says '--cluster-auth'
"$YOMI" worker "${at[@]}" --cluster-auth "$tmp/worker.auth" --options memory=16 2>"$tmp/worker.log" &
worker=$!
eventually status_says '1 workers at' "${at[@]}" "${as_master[@]}" || fail "TLS: not 1 worker: $(cat "$tmp/out")"
eventually joined --cluster "nats://127.0.0.1:$port" "${as_master[@]}" || fail "TLS: no worker joins: $(tail -3 "$tmp/out")"
exit $failed
