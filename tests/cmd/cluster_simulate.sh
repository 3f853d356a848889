#!/usr/bin/env bash
# yomi cluster simulate: positions, games, faults; the same command gives the same output.
. tests/lib.sh

printf '# a comment\nstartpos moves 7g7f\n\nstartpos\n' >"$tmp/positions"
simulate() { "$YOMI" cluster simulate --workers 5 --seconds 0.1 "$@" >"$tmp/out" 2>"$tmp/err"; }

simulate --timeline "$tmp/positions" || fail "positions: $(cat "$tmp/err")"
[ "$(grep -c '^{"nodes":[0-9]*,"order":\[\["' "$tmp/out")" -eq 2 ] || fail "not two lines: $(head -c 300 "$tmp/out")"
has "$tmp/out" '"timeline":\[\['
cp "$tmp/out" "$tmp/first"
simulate --timeline "$tmp/positions"
cmp -s "$tmp/out" "$tmp/first" || fail "the same command gives other positions"

for strategy in split share majority optimistic exchange; do
    simulate --strategy "$strategy" || fail "$strategy: $(cat "$tmp/err")"
    has "$tmp/out" '"position":"startpos"'
done

simulate --dies 0.9 --mutes 0.5 --slows 0.5 --seed 4 --seconds 1 --speed 2000 --trace || fail "faults: $(cat "$tmp/err")"
has "$tmp/err" ' death '
cp "$tmp/err" "$tmp/first"
simulate --dies 0.9 --mutes 0.5 --slows 0.5 --seed 4 --seconds 1 --speed 2000 --trace
cmp -s "$tmp/err" "$tmp/first" || fail "a run with faults cannot be repeated"

simulate --against 1 --games 2 --speed 500 || fail "games: $(cat "$tmp/err")"
has "$tmp/out" '"cluster_first": false'
has "$tmp/err" '^5 workers against 1 threads: '
# Two clusters: no real threads, so that the games are the same again.
simulate --rival 3 --rival-strategy exchange --rival-entries 64 --games 2 --speed 500 || fail "rival: $(cat "$tmp/err")"
has "$tmp/err" '^5 workers against 3 workers: '
cp "$tmp/out" "$tmp/first"
simulate --rival 3 --rival-strategy exchange --rival-entries 64 --games 2 --speed 500
cmp -s "$tmp/out" "$tmp/first" || fail "the same command gives other games"
simulate --rival 3 --against 1 && fail "two opponents are accepted"
has "$tmp/err" 'exclude each other'
simulate --game go --strategy share --speed 200 --size 5 --against 1 --games 1 || fail "Go: $(cat "$tmp/err")"
has "$tmp/out" '"points": '
echo 'C3 pass B2' >"$tmp/go"
simulate --game go --size 5 --speed 500 "$tmp/go" || fail "Go position: $(cat "$tmp/err")"
has "$tmp/out" '"position":"C3 pass B2"'

# Mistakes: the place is named.
echo 'startpos moves 7g7f 7g7f' >"$tmp/bad"
simulate "$tmp/bad" && fail "an illegal move is accepted"
has "$tmp/err" 'bad: line 1'
simulate --order probability && fail "no table is accepted"
has "$tmp/err" 'probability-file'
simulate "$tmp/nowhere" && fail "a missing file is accepted"
exit $failed
