#!/usr/bin/env bash
# yomi analyze: what it writes, that nothing of the file is lost, and that a run that was killed can
# go on.
. tests/lib.sh
analyze() { "$YOMI" analyze --threads 1 --playouts 30 "$@" >"$tmp/out" 2>"$tmp/err"; }
count() { grep -o -- "$2" "$1" | wc -l; }

cat >"$tmp/game.sgf" <<'SGF'
(;GM[1]FF[4]SZ[9]KM[7]PB[A & B]PW[<C>]XX[mine]C[a game]
;B[ee]C[first move\]];W[ce];B[cd]SBKV[12.00];W[de](;B[dd];W[ed];B[fe])(;B[ff]C[other]))
SGF

# 1. The whole of it.
analyze "$tmp/game.sgf" || fail "does not analyse: $(cat "$tmp/err")"
out=$tmp/game.yomi.sgf
[ "$(count "$out" 'SBKV\[')" = 8 ] || fail "wrong number of SBKV"
[ "$(count "$out" 'Yomi: Black wins')" -ge 8 ] || fail "too few comments"
[ "$(count "$out" 'SBKV\[12.00\]')" = 0 ] || fail "the old win rate is still there"
has "$out" 'XX\[mine\]'
has "$out" 'C\[a game'
has "$out" 'first move\\\]'
has "$out" ';B\[ff\]C\[other\]'
has "$out" 'should play'
has "$tmp/out" 'Wrote '
[ -s "$tmp/err" ] && fail "said on stderr, though it is no terminal: $(cat "$tmp/err")"
has "$tmp/game.yomi.sgf.svg" 'A &amp; B'
has "$tmp/game.yomi.sgf.svg" '</svg>'
if built_in libpng; then
    [ "$(head -c 4 "$tmp/game.yomi.sgf.png" | tail -c 3)" = PNG ] || fail "no PNG"
else
    has "$tmp/out" 'pictures are SVG only: built without libpng'
    analyze "$tmp/game.sgf" --png && fail "--png without libpng"
    has "$tmp/err" '--png needs libpng'
fi
"$YOMI" gtp --playouts 1 <<<"loadsgf $out" 2>/dev/null | grep -q '^=' || fail "the result cannot be read"
for file in "$tmp"/*.??????; do
    [ -e "$file" ] && fail "a temporary file is left: $file"
done

# A board that is changed on the way: what is said of it stands where it is seen.
echo '(;GM[1]FF[4]SZ[9]KM[7];B[ee];W[ce];C[a word];AE[ee]AB[dd];B[dc];W[gg])' >"$tmp/setup.sgf"
analyze "$tmp/setup.sgf" || fail "does not analyse set-up: $(cat "$tmp/err")"
tr -d '\n' <"$tmp/setup.yomi.sgf" >"$tmp/one.sgf"
has "$tmp/one.sgf" 'AE\[ee\]AB\[dd\]C\[Yomi: [^]]*\]SBKV'
[ "$(count "$tmp/setup.yomi.sgf" 'SBKV\[')" = 5 ] || fail "set-up: wrong number of SBKV"

# 2. Once more changes nothing; --no-resume begins again and adds nothing twice.
cp "$out" "$tmp/before.sgf"
analyze "$tmp/game.sgf" || fail "second run failed"
cmp -s "$out" "$tmp/before.sgf" || fail "the second run changed the record"
has "$tmp/err" 'known already'
analyze "$tmp/game.sgf" --output "$out" --no-resume || fail "--no-resume failed"
[ "$(count "$out" 'SBKV\[')" = 8 ] || fail "SBKV twice"
[ "$(count "$out" 'should play')" = 8 ] || fail "comments twice"
[ "$(count "$out" ';B\[ff\]C\[other\]')" = 1 ] || fail "somebody else's variation is lost"

# 3. Killed at any moment: what is there can be read, and the next run goes on.
out=$tmp/killed.sgf
# Starts a long run and waits until it has written something.
start_long() {
    rm -f "$out"
    "$YOMI" analyze "$tmp/game.sgf" --threads 1 --time 1 --output "$out" >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    for _ in $(seq 600); do
        [ -s "$out" ] && return
        sleep 0.05
    done
    fail "nothing was written within 30 seconds"
}
for wait in 0 0.3; do
    start_long
    sleep $wait
    kill -9 $pid
    wait $pid 2>/dev/null
    "$YOMI" gtp --playouts 1 <<<"loadsgf $out" 2>/dev/null | grep -q '^=' || fail "unreadable after kill"
done
found=$(count "$out" 'SBKV\[')
analyze "$tmp/game.sgf" --output "$out" || fail "does not go on"
has "$tmp/err" 'going on after'
[ "$(count "$out" 'SBKV\[')" = 8 ] || fail "not finished after $found"

# 4. Asked to stop: what was found is kept, and how to go on is said.
start_long
kill -TERM $pid
wait $pid && fail "stopped, and says it is done"
has "$tmp/err" 'the same command goes on'
[ -s "$out" ] || fail "nothing kept"

# 5. What cannot be analysed.
refuse() {
    local what=$1
    shift
    analyze "$@" && fail "took $*"
    has "$tmp/err" "$what"
}
printf '(;GM[2]SZ[8];B[aa])' >"$tmp/othello.sgf"
refuse 'GM' "$tmp/othello.sgf"
printf '(;GM[1]SZ[9];B[ee]];W[aa])' >"$tmp/broken.sgf"
refuse 'broken.sgf: line 1, column' "$tmp/broken.sgf"
printf '(;GM[1]SZ[9]AB[zz];B[ee])' >"$tmp/illegal.sgf"
refuse 'is no point' "$tmp/illegal.sgf"
for name in othello broken illegal; do
    [ -e "$tmp/$name.yomi.sgf" ] && fail "wrote something for $name.sgf"
done
refuse 'No such file' "$tmp/none.sgf"
refuse 'choose with --game-number' "$tmp/game.sgf" --game-number 2
refuse 'there is no option --game; did you mean --game-number' "$tmp/game.sgf" --game 2
printf '(;GM[1]SZ[9];B[aa])' >"$tmp/another.sgf"
refuse 'of another game' "$tmp/game.sgf" --output "$tmp/another.sgf"
has "$tmp/another.sgf" '^(;GM\[1\]SZ\[9\];B\[aa\])$'
refuse 'cannot write' "$tmp/game.sgf" --output "$tmp/no/such/folder.sgf"
# A name that would be lost, or that is no file, is told of before anything is written.
refuse 'a name for pictures' "$tmp/game.sgf" --output "$tmp/x.svg"
refuse 'a name for pictures' "$tmp/game.sgf" --output "$tmp/x.png" --no-svg
refuse 'records of shogi' "$tmp/game.sgf" --output "$tmp/x.kif"
refuse 'is no file' "$tmp/game.sgf" --output -
refuse 'is no file' "$tmp/game.sgf" --output "$tmp"
refuse 'hash has no meaning in Go' "$tmp/game.sgf" --hash 8 --output "$tmp/x.sgf"
for file in "$tmp"/x.* -; do
    [ -e "$file" ] && fail "wrote $file although it was refused"
done

# 6. Setup, handicap, passes, an empty game.
printf '(;GM[1]SZ[9]HA[2]AB[gc][cg];W[ee];B[];W[]AW[aa])(;GM[1]SZ[5])' >"$tmp/odd.sgf"
analyze "$tmp/odd.sgf" || fail "odd: $(cat "$tmp/err")"
has "$tmp/err" 'odd.sgf has 2 games; this is the first, choose another with --game-number'
analyze "$tmp/odd.sgf" --game-number 2 || fail "the second: $(cat "$tmp/err")"
grep -q 'has 2 games' "$tmp/err" && fail "tells of other games though one was chosen"
[ -s "$tmp/odd.yomi.sgf.2.svg" ] || fail "the second game has no picture of its own"
analyze "$tmp/odd.sgf" --game-number 2 --output "$tmp/empty.sgf" --no-svg --no-png || fail "empty: $(cat "$tmp/err")"
[ -e "$tmp/empty.svg" ] && fail "drew although told not to"

# 7. Rules and komi that say nothing are told of, and the usual ones used.
printf '(;GM[1]SZ[5]RU[House]KM[many];B[cc])' >"$tmp/rules.sgf"
analyze "$tmp/rules.sgf" || fail "rules: $(cat "$tmp/err")"
has "$tmp/err" "rules 'House' are not known"
has "$tmp/err" "komi 'many' is not in whole or half points; 7.5 is used"
for odd in 99:'no stones for its handicap of 99' many:"handicap 'many' is no number"; do
    rm -f "$tmp"/handicap.*
    printf '(;GM[1]SZ[9]HA[%s]KM[6];W[cc])' "${odd%%:*}" >"$tmp/handicap.sgf"
    analyze "$tmp/handicap.sgf" || fail "handicap: $(cat "$tmp/err")"
    has "$tmp/err" "${odd#*:}"
done
for fine in 'HA[2];W[cc]' 'HA[10]AB[aa][bb][cc][dd][ee][ff][gg][hh][ii][ai];W[ba]' 'HA[12];B[cc]' 'HA[1];B[cc]' 'HA[];B[cc]'; do
    rm -f "$tmp"/handicap.*
    printf '(;GM[1]SZ[9]KM[6]%s)' "$fine" >"$tmp/handicap.sgf"
    analyze "$tmp/handicap.sgf" || fail "$fine: $(cat "$tmp/err")"
    [ -s "$tmp/err" ] && fail "complains of $fine: $(cat "$tmp/err")"
done
printf '(;GM[1]SZ[5]RU[Japanese]KM[];B[cc])' >"$tmp/known.sgf"
analyze "$tmp/known.sgf" || fail "known: $(cat "$tmp/err")"
[ -s "$tmp/err" ] && fail "complains of known rules: $(cat "$tmp/err")"

# 8. A file that was cut off, and a move that cannot be played: as far as it goes, saying where.
printf '(;GM[1]SZ[9]KM[7];B[ee];W[ce];B[c' >"$tmp/cut.sgf"
analyze "$tmp/cut.sgf" || fail "cut: $(cat "$tmp/err")"
has "$tmp/err" 'cut.sgf: line 1, column 32: the value of B that begins here has no end'
[ "$(count "$tmp/cut.yomi.sgf" 'SBKV\[')" = 3 ] || fail "cut: wrong number of SBKV"
printf '(;GM[1]SZ[9]KM[7];B[ee];W[ce];B[ee]C[mine];W[dd])' >"$tmp/onto.sgf"
for _ in 1 2; do # the second run knows its record again
    analyze "$tmp/onto.sgf" || fail "onto: $(cat "$tmp/err")"
    has "$tmp/err" 'onto.sgf: line 1, column 31: move 3, B\[ee\]: .*occupied'
    [ "$(count "$tmp/onto.yomi.sgf" 'SBKV\[')" = 3 ] || fail "onto: wrong number of SBKV"
done
tr -d '\n' <"$tmp/onto.yomi.sgf" | grep -q ';B\[ee\]C\[mine\];W\[dd\]' || fail "onto: the rest is lost"
# A long name is not cut at its end.
long=$tmp/$(printf 'folder-with-a-long-name/%.0s' $(seq 8))
mkdir -p "$long"
printf '(;GM[2])' >"$long/at-the-end.sgf"
refuse '\.\.\..*/at-the-end.sgf: line 1' "$long/at-the-end.sgf"

# 9. Records of one name have pictures of their own.
cp tests/data/shogi/shift_jis.kif "$tmp/game.kif"
cp "$tmp/game.yomi.sgf.svg" "$tmp/before.svg"
"$YOMI" analyze "$tmp/game.kif" --threads 1 --nodes 500 >"$tmp/out" 2>"$tmp/err" || fail "kif: $(cat "$tmp/err")"
cmp -s "$tmp/game.yomi.sgf.svg" "$tmp/before.svg" || fail "game.kif drew over game.sgf's picture"

# 10. The network of the record's own board, each comment with a move, and a score after one visit.
quick() { "$YOMI" analyze --threads 1 --visits 1 --no-resume "$@" >"$tmp/out" 2>"$tmp/err" || fail "$*: $(cat "$tmp/err")"; }
quick "$tmp/game.sgf" --output "$tmp/auto.sgf" --net auto
quick "$tmp/game.sgf" --output "$tmp/small.sgf" --net nets/go9.bin.gz
quick "$tmp/game.sgf" --output "$tmp/large.sgf" --net nets/go.bin.gz
rates() { grep -o 'SBKV\[[^]]*' "$1"; }
[ "$(rates "$tmp/auto.sgf")" = "$(rates "$tmp/small.sgf")" ] || fail "9x9 has not the network for 9x9"
[ "$(rates "$tmp/auto.sgf")" != "$(rates "$tmp/large.sgf")" ] || fail "both networks say the same"
[ "$(count "$tmp/auto.sgf" 'should play')" = "$(count "$tmp/auto.sgf" 'should play [A-Jp]')" ] || fail "no move to play"
[ "$(count "$tmp/auto.sgf" 'ahead by 0.0')" -lt 3 ] || fail "no score: $(grep ahead "$tmp/auto.sgf")"
echo '{"id":"a","moves":[["B","E5"]],"rules":"chinese","boardXSize":9,"boardYSize":9,"maxVisits":1,"includeOwnership":true}' |
    "$YOMI" analysis 2>"$tmp/err" >"$tmp/out" || fail "analysis"
field() { sed 's/.*"rootInfo"//' "$tmp/out" | grep -o "\"$1\":[-0-9.]*" | cut -d: -f2; }
awk -v lead="$(field scoreLead)" -v raw="$(field rawLead)" 'BEGIN { d = lead - raw; exit !(d * d < 0.01 && lead * lead > 0.01) }' ||
    fail "one visit: scoreLead $(field scoreLead), rawLead $(field rawLead)"
owner=$(grep -o '"ownership":\[[^]]*' "$tmp/out" | tail -n 1 | cut -d, -f41) # of Black's stone
awk -v owner="$owner" 'BEGIN { exit !(owner > 0.5) }' || fail "one visit: Black owns its stone by $owner"

# 11. A position's visits are counted with those that it had before its move was played.
echo '(;GM[1]FF[4]SZ[9]KM[7];B[ee];W[eg];B[ce];W[ge])' >"$tmp/kept.sgf"
"$YOMI" analyze --threads 1 --visits 60 "$tmp/kept.sgf" >"$tmp/out" 2>"$tmp/err" || fail "kept: $(cat "$tmp/err")"
[ "$(count "$tmp/kept.yomi.sgf" '(60 visits)')" = 5 ] || fail "not 60 visits: $(grep visits "$tmp/kept.yomi.sgf")"

# 12. A long name is cut between characters, so that the picture can be read.
name=$(printf 'x%.0s山山山山山山山山山山' 1 2 3)
echo "(;GM[1]FF[4]CA[UTF-8]SZ[9]KM[7]PB[$name]PW[$name];B[ee])" >"$tmp/long.sgf"
analyze "$tmp/long.sgf" || fail "long names: $(cat "$tmp/err")"
iconv -f UTF-8 -t UTF-8 "$tmp/long.yomi.sgf.svg" >/dev/null || fail "a name is cut inside a character"

[ $failed = 0 ] && echo "all good"
exit $failed
