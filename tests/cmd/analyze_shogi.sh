#!/usr/bin/env bash
# yomi analyze on records of shogi: what it writes in which format and charset, that nothing of the
# file is lost, and that a run that was stopped can go on.
. tests/lib.sh
analyze() { "$YOMI" analyze --threads 1 --nodes 2000 --hash 1 "$@" >"$tmp/out" 2>"$tmp/err"; }
count() { grep -c -- "$2" "$1"; }

# 1. KIF in Shift_JIS comes back in Shift_JIS, with all that was in it.
cp tests/data/shogi/shift_jis.kif "$tmp/game.kif"
analyze "$tmp/game.kif" || fail "does not analyse: $(cat "$tmp/err")"
[ -s "$tmp/err" ] && fail "said on stderr, though it is no terminal: $(cat "$tmp/err")"
has "$tmp/out" "Wrote $tmp/game.yomi.kif"
iconv -f CP932 -t UTF-8 "$tmp/game.yomi.kif" >"$tmp/text" || fail "not Shift_JIS"
has "$tmp/text" 'encoding=Shift_JIS'
has "$tmp/text" '^\*対局前の一言$'
has "$tmp/text" '^\*二行目$'
has "$tmp/text" '^&しおり$'
has "$tmp/text" '^\*#評価値=-\?[0-9]*$'
has "$tmp/text" '^\*#読み筋=▲'
has "$tmp/text" '^\*#深さ=[1-9]'
has "$tmp/text" '^\*#ノード数=[1-9]'
has "$tmp/text" '^\*#エンジン=Yomi '
# Six positions, five moves and the start: a line of reading for each.
[ "$(count "$tmp/text" '^\*#読み筋=')" = 6 ] || fail "not every position has a line"
has "$tmp/game.yomi.kif.svg" '山田'
has "$tmp/game.yomi.kif.svg" '</svg>'
if built_in libpng; then
    [ "$(head -c 4 "$tmp/game.yomi.kif.png" | tail -c 3)" = PNG ] || fail "no PNG"
fi
# What is not ours is as it was.
for text in '変化：4手' '２六歩(27)' '４四歩(43)'; do has "$tmp/text" "$text"; done

# 2. Once more changes nothing; beginning again gives the same and adds nothing twice.
cp "$tmp/game.yomi.kif" "$tmp/before"
analyze "$tmp/game.kif" || fail "second run failed"
cmp -s "$tmp/game.yomi.kif" "$tmp/before" || fail "the second run changed the record"
analyze "$tmp/game.kif" --no-resume || fail "--no-resume failed"
cmp -s "$tmp/game.yomi.kif" "$tmp/before" || fail "--no-resume is not the same"
analyze "$tmp/game.yomi.kif" --output "$tmp/game.yomi.kif" --no-resume || fail "over itself"
cmp -s "$tmp/game.yomi.kif" "$tmp/before" || fail "notes twice"

# The name of another kind of file decides about the charset.
analyze "$tmp/game.kif" --output "$tmp/named.kifu" --no-svg --no-png || fail "a .kifu of a .kif"
iconv -f UTF-8 -t UTF-8 "$tmp/named.kifu" >/dev/null 2>&1 || fail ".kifu is not UTF-8"

# 3. CSA gets floodgate's comments beside those that are there, and stays a file of version 2.
cp tests/data/shogi/floodgate.csa "$tmp/flood.csa"
analyze "$tmp/flood.csa" || fail "csa: $(cat "$tmp/err")"
has "$tmp/flood.yomi.csa" "^V2.2"
has "$tmp/flood.yomi.csa" "^'\*\* 30 -3334FU$"
[ "$(count "$tmp/flood.yomi.csa" "^'\*Yomi: depth")" = 6 ] || fail "csa: notes"
[ "$(count "$tmp/flood.yomi.csa" "^'\*\* -\?[0-9]* [+-][0-9]\{4\}[A-Z]")" = 7 ] || fail "csa: lines"
cp "$tmp/flood.yomi.csa" "$tmp/before"
analyze "$tmp/flood.csa" || fail "csa again"
cmp -s "$tmp/flood.yomi.csa" "$tmp/before" || fail "csa: not known again"

# 4. Another format and charset by name and option; KI2; a handicap.
analyze "$tmp/game.kif" --output "$tmp/other.csa" || fail "to csa: $(cat "$tmp/err")"
has "$tmp/err" 'no variations'
has "$tmp/other.csa" "^'\*\* "
analyze "$tmp/game.kif" --output "$tmp/other.kifu" --charset utf-8 || fail "charset"
has "$tmp/other.kifu" '#評価値='
cp tests/data/shogi/game.ki2 "$tmp/game.ki2"
analyze "$tmp/game.ki2" --no-svg --no-png || fail "ki2: $(cat "$tmp/err")"
[ -e "$tmp/game.yomi.ki2" ] || fail "ki2: nothing written"
cp tests/data/shogi/handicap.kif "$tmp/handicap.kifu"
analyze "$tmp/handicap.kifu" || fail "handicap: $(cat "$tmp/err")"
has "$tmp/handicap.yomi.kifu" '先手\(有利\|[優勝]勢\)'

# 5. A mate is a mate, and giving one away is a fault.
cat >"$tmp/mate.csa" <<'CSA'
P1 *  *  *  *  *  *  *  * -OU
P2 *  *  *  *  *  *  *  *  * 
P3 *  *  *  *  *  *  * +FU+FU
P+00KI59OU
P-00HI00HI
+
+5958OU
-0052HI
CSA
analyze "$tmp/mate.csa" --output "$tmp/mate.kifu" --charset utf-8 || fail "mate: $(cat "$tmp/err")"
has "$tmp/mate.kifu" '^\*#詰み=先手勝ち:1手$'
has "$tmp/mate.kifu" '^\*【大\?悪手】$'
has "$tmp/out" 'Black ▲５八玉: -[0-9]*%, better ▲１二金'

# 6. Asked to stop: what was found is kept, and how to go on is said.
rm -f "$tmp"/game.yomi.*
"$YOMI" analyze "$tmp/game.kif" --threads 1 --time 1 >"$tmp/out" 2>"$tmp/err" &
pid=$!
for _ in $(seq 600); do
    [ -s "$tmp/game.yomi.kif" ] && break
    sleep 0.05
done
kill -TERM $pid
wait $pid && fail "stopped, and says it is done"
has "$tmp/err" 'the same command goes on'
analyze "$tmp/game.kif" || fail "does not go on"
has "$tmp/err" 'going on after'

# A network with a policy.
analyze "$tmp/game.kif" --net fuzz/corpus/net/pieces.onnx --nodes 20 --output "$tmp/net.kif" ||
    fail "does not review with a network: $(cat "$tmp/err")"
[ -s "$tmp/net.kif" ] || fail "no review with a network"

# 7. What cannot be analysed.
refuse() {
    local what=$1
    shift
    analyze "$@" && fail "took $*"
    has "$tmp/err" "$what"
}
refuse 'No such file' "$tmp/none.kif"
printf '手合割：平手\n   1 ７五歩(77)\n' >"$tmp/wrong.kifu"
refuse 'line 2, column 6' "$tmp/wrong.kifu"
refuse 'one game' "$tmp/game.kif" --game-number 2 --output "$tmp/x.kif"
refuse "of another game" "$tmp/game.kif" --output "$tmp/handicap.yomi.kifu"
printf '手合割：平手\n先手：😀\n   1 ７六歩(77)\n' >"$tmp/smile.kifu"
refuse "no character '😀'" "$tmp/smile.kifu" --charset shift-jis
refuse "none.bin" "$tmp/game.kif" --eval "$tmp/none.bin" --output "$tmp/x.kif"
refuse "playouts has no meaning in shogi" "$tmp/game.kif" --playouts 5 --output "$tmp/x.kif"
refuse "zone has no meaning in shogi" "$tmp/game.kif" --zone --output "$tmp/x.kif"
refuse "no search flat for shogi" "$tmp/game.kif" --search flat --output "$tmp/x.kif"
refuse "records of Go" "$tmp/game.kif" --output "$tmp/x.sgf"
[ -e "$tmp/x.kif" ] && fail "wrote something although it failed"

[ $failed = 0 ] && echo "all good"
exit $failed
