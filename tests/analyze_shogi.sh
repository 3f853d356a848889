#!/usr/bin/env bash
# yomi analyze on records of shogi: what it writes in which format and charset, that nothing of the
# file is lost, and that a run that was stopped can go on.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}
has() { grep -q -- "$2" "$1" || fail "no '$2' in $(basename "$1"): $(head -c 300 "$1")"; }
analyze() { "$YOMI" analyze --threads 1 --nodes 2000 --hash 1 "$@" >"$dir/out" 2>"$dir/err"; }
count() { grep -c -- "$2" "$1"; }

# 1. KIF in Shift_JIS comes back in Shift_JIS, with all that was in it.
cp tests/data/shogi/shift_jis.kif "$dir/game.kif"
analyze "$dir/game.kif" || fail "does not analyse: $(cat "$dir/err")"
[ -s "$dir/err" ] && fail "said on stderr, though it is no terminal: $(cat "$dir/err")"
has "$dir/out" "Wrote $dir/game.yomi.kif"
iconv -f CP932 -t UTF-8 "$dir/game.yomi.kif" >"$dir/text" || fail "not Shift_JIS"
has "$dir/text" 'encoding=Shift_JIS'
has "$dir/text" '^\*対局前の一言$'
has "$dir/text" '^\*二行目$'
has "$dir/text" '^&しおり$'
has "$dir/text" '^\*#評価値=-\?[0-9]*$'
has "$dir/text" '^\*#読み筋=▲'
has "$dir/text" '^\*#深さ=[1-9]'
has "$dir/text" '^\*#ノード数=[1-9]'
has "$dir/text" '^\*#エンジン=Yomi '
# Six positions, five moves and the start: a line of reading for each.
[ "$(count "$dir/text" '^\*#読み筋=')" = 6 ] || fail "not every position has a line"
has "$dir/game.yomi.svg" '山田'
has "$dir/game.yomi.svg" '</svg>'
[ "$(head -c 4 "$dir/game.yomi.png" | tail -c 3)" = PNG ] || fail "no PNG"
# What is not ours is as it was.
for text in '変化：4手' '２六歩(27)' '４四歩(43)'; do has "$dir/text" "$text"; done

# 2. Once more changes nothing; beginning again gives the same and adds nothing twice.
cp "$dir/game.yomi.kif" "$dir/before"
analyze "$dir/game.kif" || fail "second run failed"
cmp -s "$dir/game.yomi.kif" "$dir/before" || fail "the second run changed the record"
analyze "$dir/game.kif" --no-resume || fail "--no-resume failed"
cmp -s "$dir/game.yomi.kif" "$dir/before" || fail "--no-resume is not the same"
analyze "$dir/game.yomi.kif" --output "$dir/game.yomi.kif" --no-resume || fail "over itself"
cmp -s "$dir/game.yomi.kif" "$dir/before" || fail "notes twice"

# 3. CSA gets floodgate's comments beside those that are there, and stays a file of version 2.
cp tests/data/shogi/floodgate.csa "$dir/flood.csa"
analyze "$dir/flood.csa" || fail "csa: $(cat "$dir/err")"
has "$dir/flood.yomi.csa" "^V2.2"
has "$dir/flood.yomi.csa" "^'\*\* 30 -3334FU$"
[ "$(count "$dir/flood.yomi.csa" "^'\*Yomi: depth")" = 6 ] || fail "csa: notes"
[ "$(count "$dir/flood.yomi.csa" "^'\*\* -\?[0-9]* [+-][0-9]\{4\}[A-Z]")" = 7 ] || fail "csa: lines"
cp "$dir/flood.yomi.csa" "$dir/before"
analyze "$dir/flood.csa" || fail "csa again"
cmp -s "$dir/flood.yomi.csa" "$dir/before" || fail "csa: not known again"

# 4. Another format and charset by name and option; KI2; a handicap.
analyze "$dir/game.kif" --output "$dir/other.csa" || fail "to csa: $(cat "$dir/err")"
has "$dir/err" 'no variations'
has "$dir/other.csa" "^'\*\* "
analyze "$dir/game.kif" --output "$dir/other.kifu" --charset utf-8 || fail "charset"
has "$dir/other.kifu" '#評価値='
cp tests/data/shogi/game.ki2 "$dir/game.ki2"
analyze "$dir/game.ki2" --no-svg --no-png || fail "ki2: $(cat "$dir/err")"
[ -e "$dir/game.yomi.ki2" ] || fail "ki2: nothing written"
cp tests/data/shogi/handicap.kif "$dir/handicap.kifu"
analyze "$dir/handicap.kifu" || fail "handicap: $(cat "$dir/err")"
has "$dir/handicap.yomi.kifu" '先手[優勝]勢'

# 5. A mate is a mate, and giving one away is a fault.
cat >"$dir/mate.csa" <<'CSA'
P1 *  *  *  *  *  *  *  * -OU
P2 *  *  *  *  *  *  *  *  * 
P3 *  *  *  *  *  *  * +FU+FU
P+00KI59OU
P-00HI00HI
+
+5958OU
-0052HI
CSA
analyze "$dir/mate.csa" --output "$dir/mate.kifu" --charset utf-8 || fail "mate: $(cat "$dir/err")"
has "$dir/mate.kifu" '^\*#詰み=先手勝ち:1手$'
has "$dir/mate.kifu" '^\*【大\?悪手】$'
has "$dir/out" 'Black ▲５八玉: -[0-9]*%, better ▲１二金'

# 6. Asked to stop: what was found is kept, and how to go on is said.
rm -f "$dir"/game.yomi.*
"$YOMI" analyze "$dir/game.kif" --threads 1 --time 1 >"$dir/out" 2>"$dir/err" &
pid=$!
for _ in $(seq 600); do
    [ -s "$dir/game.yomi.kif" ] && break
    sleep 0.05
done
kill -TERM $pid
wait $pid && fail "stopped, and says it is done"
has "$dir/err" 'the same command goes on'
analyze "$dir/game.kif" || fail "does not go on"
has "$dir/err" 'going on after'

# 7. What cannot be analysed.
refuse() {
    local what=$1
    shift
    analyze "$@" && fail "took $*"
    has "$dir/err" "$what"
}
refuse 'No such file' "$dir/none.kif"
printf '手合割：平手\n   1 ７五歩(77)\n' >"$dir/wrong.kifu"
refuse 'line 2, column 6' "$dir/wrong.kifu"
refuse 'one game' "$dir/game.kif" --game 2 --output "$dir/x.kif"
refuse "of another game" "$dir/game.kif" --output "$dir/handicap.yomi.kifu"
printf '手合割：平手\n先手：😀\n   1 ７六歩(77)\n' >"$dir/smile.kifu"
refuse "no character '😀'" "$dir/smile.kifu" --charset shift-jis
refuse "none.bin" "$dir/game.kif" --eval "$dir/none.bin" --output "$dir/x.kif"
[ -e "$dir/x.kif" ] && fail "wrote something although it failed"

[ $failed = 0 ] && echo "all good"
exit $failed
