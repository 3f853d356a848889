#!/usr/bin/env bash
# yomi convert: formats and charsets by the names of files, what cannot be written, what is told.
. tests/lib.sh
convert() { "$YOMI" convert "$@" >"$tmp/out" 2>"$tmp/err"; }
is_utf8() { iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1; }
from=tests/data/shogi/variations.kif

# There and back: the same file again, whatever lay between.
convert $from "$tmp/first.kifu" || fail "kifu: $(cat "$tmp/err")"
[ -s "$tmp/err" ] && fail "said something: $(cat "$tmp/err")"
is_utf8 "$tmp/first.kifu" || fail ".kifu is not UTF-8"
convert "$tmp/first.kifu" "$tmp/windows.kif" || fail "kif: $(cat "$tmp/err")"
is_utf8 "$tmp/windows.kif" && fail ".kif is not Shift_JIS"
iconv -f CP932 -t UTF-8 "$tmp/windows.kif" >"$tmp/windows.txt" || fail ".kif cannot be decoded"
has "$tmp/windows.txt" 'encoding=Shift_JIS'
has "$tmp/windows.txt" '山田　太郎'
convert "$tmp/windows.kif" "$tmp/again.kifu" || fail "back: $(cat "$tmp/err")"
cmp "$tmp/first.kifu" "$tmp/again.kifu" || fail "Shift_JIS lost something"
convert tests/data/shogi/shift_jis.kif "$tmp/known.kifu"
cmp "$tmp/first.kifu" "$tmp/known.kifu" || fail "what another program wrote reads differently"

# What a format cannot hold is told.
convert $from "$tmp/game.csa" || fail "csa"
has "$tmp/err" 'no variations'
has "$tmp/game.csa" '^V3.0'
convert $from "$tmp/game.ki2" || fail "ki2"
has "$tmp/err" 'no times'

# Options go before names; standard input and output.
convert - - --format ki2 --charset utf-8 <$from || fail "pipes: $(cat "$tmp/err")"
has "$tmp/out" '▲７六歩'
convert - - --format csa --charset shift-jis <$from || fail "CSA in Shift_JIS: $(cat "$tmp/err")"
has "$tmp/out" 'encoding=SHIFT_JIS'

# A line of USI, as `yomi selfplay show --usi` has it.
echo 'startpos moves 7g7f 3c3d resign' | convert - - --format ki2 --charset utf-8 || fail "USI: $(cat "$tmp/err")"
has "$tmp/out" '▲７六歩 △３四歩'
echo 'startpos moves 7g7f 7g7f' | convert - - --format ki2 && fail "USI: an illegal move was read"
has "$tmp/err" 'line 1, column 21: this move is illegal'

# What Shift_JIS lacks.
sed 's/角道を開けた/角道☗を開けた/' "$tmp/first.kifu" >"$tmp/marks.kifu"
convert "$tmp/marks.kifu" "$tmp/marks.kif" && fail "lost a character in silence"
has "$tmp/err" "no character '☗'"
has "$tmp/err" '\-\-replace'
[ -e "$tmp/marks.kif" ] && fail "wrote a file although it failed"
convert "$tmp/marks.kifu" "$tmp/marks.kif" --replace || fail "--replace: $(cat "$tmp/err")"
has "$tmp/err" 'lacks, written as 〓: 1$'

# Wrong uses.
convert $from "$tmp/game.txt" && fail "took .txt for a format"
has "$tmp/err" 'tells no format'
convert "$tmp/none.kif" "$tmp/x.csa" && fail "took a file that is not there"
has "$tmp/err" 'No such file'
echo nonsense >"$tmp/nonsense.kif"
convert "$tmp/nonsense.kif" "$tmp/x.csa" && fail "took nonsense"
has "$tmp/err" 'line 1'
[ -e "$tmp/x.csa" ] && fail "wrote a file although it failed"
# A colon makes no record of any text.
for text in '(;GM[1]FF[4]AP[CGoban:3]SZ[9];B[ee];W[cc])' 'Hello: world'; do
    echo "$text" >"$tmp/nonsense.kif"
    convert "$tmp/nonsense.kif" "$tmp/x.csa" && fail "took '$text'"
    has "$tmp/err" 'there is no game in this text'
done
# Who is to move tells who lost, unless the last line names the winner.
while read -r line end; do
    printf '手合割：平手\n▲７六歩\n%s\n' "$line" >"$tmp/end.ki2"
    convert "$tmp/end.ki2" "$tmp/end.csa" || fail "$line: $(cat "$tmp/err")"
    has "$tmp/end.csa" "^%$end\$"
    rm "$tmp/end.csa"
done <<'END'
まで1手で先手の勝ち TORYO
まで1手で後手の勝ち +ILLEGAL_ACTION
まで1手で後手の入玉宣言勝ち KACHI
まで1手で先手の反則負け +ILLEGAL_ACTION
まで1手で後手の反則負け ILLEGAL_MOVE
まで1手で後手の反則勝ち +ILLEGAL_ACTION
まで1手で時間切れにより先手の勝ち TIME_UP
まで1手で詰み TSUMI
END
for word in '時間切れ TIME_UP' '詰 TSUMI' 'トライ勝ち KACHI' 'トライ KACHI' '投了 TORYO'; do
    printf '手合割：平手\n   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 %s   ( 0:02/00:00:02)\n' "${word% *}" >"$tmp/end.kif"
    convert "$tmp/end.kif" "$tmp/end.csa" || fail "$word: $(cat "$tmp/err")"
    has "$tmp/end.csa" "^%${word#* }"
    rm "$tmp/end.csa"
done
printf '手合割：平手\n' >"$tmp/header.kif"
convert "$tmp/header.kif" "$tmp/x.csa" || fail "a game without moves: $(cat "$tmp/err")"

# Further games of a CSA file are told of.
printf 'PI\n+\n+7776FU\n%%TORYO\n' >"$tmp/one.csa"
{ cat "$tmp/one.csa"; printf '/\n'; } >"$tmp/end.csa"
{ cat "$tmp/end.csa" "$tmp/one.csa"; } >"$tmp/two.csa"
convert "$tmp/end.csa" "$tmp/x.kifu" || fail "one game and its end"
grep -q 'more games' "$tmp/err" && fail "says that one game is more"
convert "$tmp/two.csa" "$tmp/x.kifu" || fail "two games"
has "$tmp/err" 'has more games; the first is written'

[ $failed = 0 ] && echo "all good"
exit $failed
