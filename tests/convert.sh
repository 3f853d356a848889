#!/usr/bin/env bash
# yomi convert: formats and charsets by the names of files, what cannot be written, what is told.
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    echo "FAIL: $*"
    failed=1
}
convert() { "$YOMI" convert "$@" >"$dir/out" 2>"$dir/err"; }
has() { grep -q -- "$2" "$1" || fail "no '$2' in $(basename "$1"): $(head -c 300 "$1")"; }
is_utf8() { iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1; }
from=tests/data/shogi/variations.kif

# There and back: the same file again, whatever lay between.
convert $from "$dir/first.kifu" || fail "kifu: $(cat "$dir/err")"
[ -s "$dir/err" ] && fail "said something: $(cat "$dir/err")"
is_utf8 "$dir/first.kifu" || fail ".kifu is not UTF-8"
convert "$dir/first.kifu" "$dir/windows.kif" || fail "kif: $(cat "$dir/err")"
is_utf8 "$dir/windows.kif" && fail ".kif is not Shift_JIS"
iconv -f CP932 -t UTF-8 "$dir/windows.kif" >"$dir/windows.txt" || fail ".kif cannot be decoded"
has "$dir/windows.txt" 'encoding=Shift_JIS'
has "$dir/windows.txt" '山田　太郎'
convert "$dir/windows.kif" "$dir/again.kifu" || fail "back: $(cat "$dir/err")"
cmp "$dir/first.kifu" "$dir/again.kifu" || fail "Shift_JIS lost something"
convert tests/data/shogi/shift_jis.kif "$dir/known.kifu"
cmp "$dir/first.kifu" "$dir/known.kifu" || fail "what another program wrote reads differently"

# What a format cannot hold is told.
convert $from "$dir/game.csa" || fail "csa"
has "$dir/err" 'no variations'
has "$dir/game.csa" '^V3.0'
convert $from "$dir/game.ki2" || fail "ki2"
has "$dir/err" 'no times'

# Options go before names; standard input and output.
convert - - --format ki2 --charset utf-8 <$from || fail "pipes: $(cat "$dir/err")"
has "$dir/out" '▲７六歩'
convert - - --format csa --charset shift-jis <$from || fail "CSA in Shift_JIS: $(cat "$dir/err")"
has "$dir/out" 'encoding=SHIFT_JIS'

# What Shift_JIS lacks.
sed 's/角道を開けた/角道☗を開けた/' "$dir/first.kifu" >"$dir/marks.kifu"
convert "$dir/marks.kifu" "$dir/marks.kif" && fail "lost a character in silence"
has "$dir/err" "no character '☗'"
has "$dir/err" '\-\-replace'
[ -e "$dir/marks.kif" ] && fail "wrote a file although it failed"
convert "$dir/marks.kifu" "$dir/marks.kif" --replace || fail "--replace: $(cat "$dir/err")"
has "$dir/err" 'lacks, written as 〓: 1$'

# Wrong uses.
convert $from "$dir/game.txt" && fail "took .txt for a format"
has "$dir/err" 'what format'
convert "$dir/none.kif" "$dir/x.csa" && fail "took a file that is not there"
has "$dir/err" 'No such file'
echo nonsense >"$dir/nonsense.kif"
convert "$dir/nonsense.kif" "$dir/x.csa" && fail "took nonsense"
has "$dir/err" 'line 1'
[ -e "$dir/x.csa" ] && fail "wrote a file although it failed"

[ $failed = 0 ] && echo "all good"
exit $failed
