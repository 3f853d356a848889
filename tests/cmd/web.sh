#!/usr/bin/env bash
# yomi web, as pages and worse clients see it: tests/cmd/web_client.c talks to the real server.
. tests/lib.sh

if ! built_in civetweb; then
    "$YOMI" web --port 0 >"$tmp/out" 2>&1 && fail "a server that is not built in started"
    says 'libcivetweb-dev'
    echo "not checked: the server (built without civetweb)"
    exit 77
fi

start() { # OPTIONS...: starts a server; sets pid, address, port
    : >"$tmp/address"
    PATH=${web_path:-$PATH} "$YOMI" web --port 0 --threads 1 --memory 16 "$@" >"$tmp/address" 2>"$tmp/err" &
    pid=$!
    for ((i = 0; i < 600; i++)); do
        [ -s "$tmp/address" ] && break
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    address=$(head -1 "$tmp/address")
    port=$(sed -E 's#.*:([0-9]+)/.*#\1#' <<<"$address")
    [ -n "$port" ] || fail "no address: $(cat "$tmp/err")"
}
stop() {
    kill "$pid"
    wait "$pid" || fail "the server ended with status $?"
}
client() { # SCENARIO
    "$BUILD/web_client" "$port" "$1" >"$tmp/out" 2>&1 || fail "$1: $(tail -3 "$tmp/out")"
    kill -0 "$pid" || fail "$1 ended the server"
}
cpu() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; } # ticks of 10 ms
rss_kb() { awk '/^VmRSS/ { print $2 }' "/proc/$pid/status"; }

start --sessions 8
[[ $address == http://127.0.0.1:*/ ]] || fail "the address is '$address'"
[ "$(wc -l <"$tmp/address")" = 1 ] || fail "more than the address on standard output"
client origin
client go
client shogi
client leave
# A second without work: the search of the page that left has ended.
for ((i = 0; i < 60; i++)); do
    before=$(cpu)
    sleep 0.5
    [ $(($(cpu) - before)) -le 5 ] && break
done
[ "$i" -lt 60 ] || fail "the search went on after its page had left"
client full
client slow
client long
client flood
client garbage
client many
before=$(rss_kb)
client gigabyte
[ $(($(rss_kb) - before)) -lt 300000 ] || fail "a frame took $(($(rss_kb) - before)) KB"
client vanish
client full
client go
# The end of the server ends its connections, in the middle of a search too.
"$BUILD/web_client" "$port" stay >"$tmp/stay" 2>&1 &
staying=$!
for ((i = 0; i < 600; i++)); do
    grep -q ready "$tmp/stay" && break
    sleep 0.1
done
has "$tmp/stay" ready
stop
wait "$staying" || fail "stay: $(tail -3 "$tmp/stay")"

# Reached by others: only who knows the secret is let in.
start --host 0.0.0.0
[[ $address == http://*:*/\?key=* ]] || fail "the address is '$address'"
key=${address##*key=}
[ ${#key} = 32 ] || fail "the secret is '$key'"
status() { # URI
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET %s HTTP/1.1\r\nHost: somewhere\r\n\r\n' "$1" >&3
    head -1 <&3 | cut -d' ' -f2
    exec 3>&-
}
[ "$(status /health)" = 403 ] || fail "health without the secret: $(status /health)"
[ "$(status '/health?key=0123')" = 403 ] || fail "health with a wrong secret"
[ "$(status "/health?key=$key")" = 200 ] || fail "health with the secret"
[ "$(status "/")" = 403 ] || fail "the page without the secret"
"$BUILD/web_client" "$port" slow >"$tmp/out" 2>&1 && fail "a WebSocket without the secret was taken"
stop

# What cannot be is said.
"$YOMI" web --host no.such.host.invalid >"$tmp/out" 2>&1 && fail "an unknown host was taken"
says 'no.such.host.invalid'
start
"$YOMI" web --port "$port" >"$tmp/out" 2>&1 && fail "a port was taken twice"
says 'cannot listen' 'Address already in use' '--port 0'
stop
"$YOMI" web --host 198.51.100.1 --port 0 >"$tmp/out" 2>&1 && fail "an address of another machine was taken"
says 'cannot listen on 198.51.100.1' 'no such address'
# Where names have an address of both kinds, the one that can be listened on is taken.
start --host localhost
[[ $address == http://127.0.0.1:*/ || $address == 'http://[::1]:'*/ ]] || fail "localhost is '$address'"
stop
timeout 5 "$YOMI" web --host ::1 --port 0 >"$tmp/out" 2>&1 # starts, where civetweb knows IPv6
[ $? = 124 ] || says '::1' 'IPv6'
# A network that cannot be used is reported at the start, not to the first page.
for option in net shogi-net eval; do
    "$YOMI" web --port 0 --$option "$tmp/none" >"$tmp/out" 2>&1
    [ $? = 1 ] || fail "--$option with a file that is not there"
    says "$tmp/none"
    echo 'no network' >"$tmp/text"
    "$YOMI" web --port 0 --$option "$tmp/text" >"$tmp/out" 2>&1
    [ $? = 1 ] || fail "--$option with a text"
    says "$tmp/text"
done
start --net none
client go
stop
start --idle 1
client idle
stop
# A browser gets the address; without one the server runs all the same.
mkdir "$tmp/bin"
# shellcheck disable=SC2016 # the browser's own argument
printf '#!/bin/sh\necho "$1" >"%s/opened"\n' "$tmp" >"$tmp/bin/xdg-open"
chmod +x "$tmp/bin/xdg-open"
web_path=$tmp/bin start --open
for ((i = 0; i < 600; i++)); do
    [ -s "$tmp/opened" ] && break
    sleep 0.1
done
[ "$(cat "$tmp/opened")" = "$address" ] || fail "the browser got '$(cat "$tmp/opened")', not $address"
stop
rm "$tmp/bin/xdg-open"
web_path=$tmp/bin start --open
client origin
stop
exit $failed
