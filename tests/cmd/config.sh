#!/usr/bin/env bash
# The configuration file, --log, and yomi doctor.
. tests/lib.sh
unset YOMI_CONFIG
export XDG_CONFIG_HOME=$tmp/xdg HOME=$tmp/home
mkdir -p "$tmp/xdg/yomi" "$tmp/home/.config/yomi"
config=$tmp/xdg/yomi/config
ask() { # [OPTION]...: the level that the engine has
    echo "yomi-param level" | "$YOMI" gtp "$@" >"$tmp/out" 2>&1
}

# ---- which file, and what overrides what ----
ask || fail "no file is an error"
says "level 10"
printf '# mine\n\nlevel = 3\n[gtp]\n  komi=0.5 \n[usi]\nlevel = 2\n' >"$config"
ask || fail "a plain file"
says "level 3"
ask --level 7
says "level 7"
printf 'level = 4\n' >"$tmp/home/.config/yomi/config"
ask
says "level 3"
(
    unset XDG_CONFIG_HOME
    ask
)
says "level 4"
printf 'level = 5\n' >"$tmp/own"
YOMI_CONFIG=$tmp/own ask
says "level 5"
YOMI_CONFIG='' ask
says "level 10"
YOMI_CONFIG=$tmp/none ask && fail "a file that is named, and not there"
says "none"

# ---- what is wrong is named with its line, and the nearest name ----
wrong() { # TEXT MESSAGE...
    printf '%b' "$1" >"$config"
    shift
    ask && fail "takes a wrong file"
    says "$@"
}
wrong 'level = 3\nlevle = 3\n' "config: line 2: no command has an option levle" "did you mean level?"
wrong '[gtp]\nmulti-pv = 3\n' "line 2: yomi gtp has no option multi-pv"
wrong '[usi]\nmultipvs = 3\n' "line 2: yomi usi has no option multipvs"
wrong '[gpt]\n' "line 1: there is no command gpt; did you mean gtp?"
wrong '[gtp\nlevel = 3\n' "line 1: [gtp is not [COMMAND]"
wrong 'level 3\n' "line 1: level 3 is not OPTION = VALUE"
wrong '[gtp]\nlevel = 11\n' "line 2: level: 11 is out of range; it takes 1 to 10"
wrong '= 3' "line 1: no command has an option"
"$YOMI" gtp --help >"$tmp/out" 2>&1 || fail "no help with a broken file"
says "Usage: yomi gtp"
"$YOMI" doctor --seconds 0 >"$tmp/out" 2>&1 && fail "the doctor overlooks a broken file"
says "config: line 1: no command has an option"
printf '[usi]\nlevel = 11\n' >"$config" # another command's value
ask || fail "minds the value of another command"
"$YOMI" doctor --seconds 0 >"$tmp/out" 2>&1 && fail "the doctor overlooks a wrong value of another command"
says "line 2: level: 11 is out of range"
"$YOMI" doctor --seconds 0 --write >"$tmp/out" 2>&1
(($? == 2)) || fail "--write without anything to write"
says "--write needs --seconds"
printf '\xef\xbb\xbflevel = 3\r\n' >"$config" # as an editor of Windows writes it
ask || fail "a byte order mark is an error"
says "level 3"

# ---- the doctor, and what it writes ----
printf '# keep this\nlevel = 3\n\n[gtp]\nthreads = 9\n' >"$config"
"$YOMI" doctor --seconds 0.2 --write >"$tmp/out" 2>&1 || fail "the doctor"
says "playouts scalar works" "network reference works" "Best here: threads =" "Written to"
says_not FAILS
has "$config" '^# keep this$'
[ "$(grep -c '^threads = [0-9]*$' "$config")" = 3 ] || fail "not three lines of threads: $(cat "$config")"
has "$config" '^leaves = [0-9]*$'
[ "$(sed -n '/^.gtp/,/^.usi/p' "$config" | grep threads)" = "threads = 9" ] || fail "changes another section"
cp "$config" "$tmp/before"
"$YOMI" doctor --seconds 0.2 --write >"$tmp/out" 2>&1 || fail "the doctor's second visit"
[ "$(sed 's/[0-9]*//g' "$config")" = "$(sed 's/[0-9]*//g' "$tmp/before")" ] || fail "writes other lines the second time"
ask || fail "cannot read what the doctor has written"
rm -r "$tmp/xdg"
"$YOMI" doctor --seconds 0.2 --write >"$tmp/out" 2>&1 || fail "the doctor makes no folder"
has "$config" '^threads = '

# ---- lines for the other game ----
printf 'size = 9\n[play]\neval = material\n[analyze]\nnodes = 1000\n[match]\nsize = 9\n' >"$tmp/both"
echo '(;GM[1]SZ[9];B[ee])' >"$tmp/game.sgf"
passes() { YOMI_CONFIG=$tmp/both "$YOMI" "$@" </dev/null >"$tmp/out" 2>&1 || fail "$*: $(cat "$tmp/out")"; }
passes play --visits 1
passes play --game shogi --nodes 10
passes play --game shogi --search puct --nodes 2
passes analyze "$tmp/game.sgf" --visits 1
passes perft shogi --depth 1
YOMI_CONFIG=$tmp/both "$YOMI" play --eval material </dev/null >"$tmp/out" 2>&1 && fail "--eval on the command line"
says "--eval is for shogi"

# ---- logs ----
export YOMI_CONFIG=
printf 'name\nfoo\n' | "$YOMI" gtp --log "$tmp/log" >"$tmp/out" 2>&1 || fail "gtp --log"
printf 'usi\nquit\n' | "$YOMI" usi --log "$tmp/log" >"$tmp/out" 2>&1 || fail "usi --log"
echo '{"id":"a","action":"query_version"}' | "$YOMI" analysis --log "$tmp/log" >"$tmp/out" 2>&1 || fail "analysis --log"
for line in '# yomi gtp ' '> name' '< = Yomi' '> foo' '< ? unknown command' '# yomi usi ' '> usi' '< usiok' \
    '# yomi analysis ' '> {"id":"a","action"' '< {'; do
    grep -qF "$line" "$tmp/log" || fail "the log has no $line"
done
grep -qvE '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3} [<>#] ' "$tmp/log" && fail "a line without its time"
"$YOMI" gtp --log "$tmp/no/log" </dev/null >"$tmp/out" 2>&1 && fail "a log that cannot be"
says "cannot open the log"
if [ -e /dev/full ]; then
    echo name | "$YOMI" gtp --log /dev/full >"$tmp/out" 2>&1 && fail "a full disk is no matter"
    says "= Yomi" "the log lacks lines"
fi
exit $failed
