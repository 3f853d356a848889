#!/usr/bin/env bash
# The program from outside: exit statuses, what goes to which stream, help for every command, and
# what the generated manual page and completions are worth to those who read them.
. tests/lib.sh

# expect STATUS OUT-PATTERN ERR-PATTERN ARGS...: an empty pattern means that nothing is written.
expect() {
    local status=$1 out=$2 err=$3
    shift 3
    "$YOMI" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    local got=$?
    ((got == status)) || fail "yomi $*: status $got, not $status"
    matches "$out" "$tmp/out" || fail "yomi $*: stdout: $(head -3 "$tmp/out")"
    matches "$err" "$tmp/err" || fail "yomi $*: stderr: $(head -3 "$tmp/err")"
}
matches() {
    if [ -z "$1" ]; then [ ! -s "$2" ]; else grep -qe "$1" "$2"; fi
}

expect 0 "^yomi $VERSION$" "" version
expect 0 "^yomi $VERSION$" "" --version
expect 0 "^yomi $VERSION$" "" -V
expect 0 "^jansson [0-9.]*: JSON$" "" version
expect 0 '^libpng\( [0-9.]*: PNG pictures\|: not built in (PNG pictures)\)$' "" version
expect 0 '^libedit\( [0-9.]*: line editing\|: not built in (line editing\)' "" version
expect 0 "^jansson [0-9.]*: JSON$" "" devices
for args in "" "help" "--help" "-h"; do
    # shellcheck disable=SC2086
    expect 0 "^  devices " "" $args
done
expect 2 "" "no command verison; did you mean version?" verison
expect 2 "" "no command xyzzy$" xyzzy
expect 2 "" "no option --frobnicate" --frobnicate
expect 2 "" "did you mean devices?" help device
expect 2 "" "gpt is not a COMMAND; did you mean gtp?$" help gpt
expect 2 "" "Try .yomi help devices." devices --frobnicate
expect 2 "" "extra is one argument too many" version extra
expect 2 "" "SHELL is missing" completion
expect 2 "" "not a SHELL; it takes bash, zsh" completion fish
expect 0 "^CPU: .* usable" "" devices
expect 0 "^GPU" "" devices
expect 0 "^  scalar  *available" "" devices
expect 0 "^  light  " "" devices
expect 0 "^depth  4 * 2976 " "" perft go --size 3 --depth 4
expect 0 "^depth  3 * 68 " "" perft go --size 2 --depth 3 --passes
expect 0 "^B2   13$" "" perft go --size 2 --depth 3 --passes --divide
expect 2 "" "unknown rules 'chinesse'" perft go --rules chinesse
for case in "chinese 7.5" "japanese 6.5" "new-zealand 7.0" "cgos 7.5"; do
    read -r rules komi <<<"$case"
    echo get_komi | "$YOMI" gtp --rules "$rules" | grep -q "^= $komi$" ||
        fail "yomi gtp --rules $rules: komi is not $komi"
done
expect 2 "" "GAME is missing; it takes go" perft
expect 2 "" "not a GAME; it takes go, shogi" perft chess
expect 0 "^depth  3 * 25470 " "" perft shogi --depth 3
expect 0 "^7g7f  30$" "" perft shogi --depth 2 --divide
expect 0 "^depth  1 * 85 " "" perft shogi --sfen "7lk/9/8S/9/9/9/9/7L1/8K b P 1" --depth 1
expect 2 "" "sfen: line 1, column 4: this is no piece" perft shogi --sfen "9/8x/9/9/9/9/9/9/9 b - 1"
expect 2 "" "size has no meaning in shogi" perft shogi --size 5
for command in gtp play "bench playout"; do # one judge of backends' names
    # shellcheck disable=SC2086
    {
        expect 2 "" "there is no playout backend .foo." $command --backend foo
        expect 2 "" "there is no playout backend .foo." $command --backend check:foo
        expect 2 "" "did you mean scalar" $command --backend scaler
        if "$YOMI" devices | grep -q "^  cuda  *not here"; then
            expect 1 "" "backend cuda needs an NVIDIA GPU" $command --backend cuda
        fi
        expect 1 "" "backend cuda:15 needs" $command --backend cuda:15
        expect 2 "" "there is no playout backend .cuda:x." $command --backend cuda:x
    }
done
expect 2 "" "size has no meaning in bench search" bench search --size 9
expect 2 "" "playouts has no meaning in bench search --game shogi" bench search --game shogi --playouts 5
# Options of another search than the one that the others choose.
expect 2 "" "root has no meaning in a search by playouts" gtp --search uct --root gumbel
expect 2 "" "mix has no meaning in a search by playouts" analysis --net none --mix 0.5
expect 2 "" "rave has no meaning in a search on a network" gtp --search puct --rave 100
expect 2 "" "group has no meaning in a search on a network" play --net builtin --group 3
expect 2 "" "nodes has no meaning in bench playout" bench playout --nodes 5
expect 2 "" "a check has no speed" bench playout --backend check:scalar
for name in auto check:auto check:scalar; do
    echo genmove b | "$YOMI" gtp --size 2 --playouts 100 --backend "$name" | grep -q "^= [AB]" ||
        fail "yomi gtp --backend $name: no move"
done

# Patterns from a file: the built-in ones give the same search, others another one.
analyse() { echo "kata-genmove_analyze b 0" | "$YOMI" gtp --size 9 --playouts 200 --threads 1 "$@" 2>&1; }
printf 'OOO\nO+O\nOOO\n' >"$tmp/own"
[ "$(analyse)" = "$(analyse --patterns src/game/go/mogo.patterns)" ] || fail "mogo.patterns are others"
[ "$(analyse)" = "$(analyse --patterns "$tmp/own")" ] && fail "--patterns changes nothing"
printf 'OOO\nO?O\nOOO\n' >"$tmp/own"
expect 2 "" "own: line 2, column 2: the middle of a pattern is +" gtp --patterns "$tmp/own"
expect 2 "" "own: line 2, column 2" analysis --patterns "$tmp/own"
expect 2 "" "own: line 2, column 2" play --patterns "$tmp/own"
expect 1 "" "cannot open $tmp/none" gtp --patterns "$tmp/none"

printf '# two problems\n4k4/9/4P4/9/9/9/9/9/9 b G 1\n\nmate\t4k4/9/9/9/9/9/9/9/4K4 b - 1\n' >"$tmp/mates"
expect 0 "^2: mate in 1: G\*5b " "" mate "$tmp/mates"
expect 0 "^4: no mate " "" mate "$tmp/mates" --shortest
expect 0 "^1 mates, 1 without mate, 0 not solved" "" mate "$tmp/mates"
expect 0 "^4: no mate within 3 plies  (" "" mate "$tmp/mates" --plies 3
echo '8k/9/9/7P1/9/9/9/9/4K4 b RG 1' >"$tmp/mates"
expect 0 "^1: no mate within 1 ply  (" "" mate "$tmp/mates" --plies 1
expect 0 "^1: mate in 3: " "" mate "$tmp/mates" --plies 3
printf '\357\273\2774k4/9/4P4/9/9/9/9/9/9 b G 1\r\n' >"$tmp/mates"
expect 0 "^1: mate in 1: G\*5b " "" mate "$tmp/mates"
echo "4k4/9 b - 1" >"$tmp/mates"
expect 1 "" "line 1, column 6: a rank of nine squares" mate "$tmp/mates"
expect 1 "" "cannot open $tmp/none" mate "$tmp/none"
expect 1 "" "cannot read $tmp" mate "$tmp"
expect 1 "" "cannot read $tmp" eval "$tmp"
expect 2 "" "99999999999999999999 is too large; it takes 0 or more" gtp --playouts 99999999999999999999
expect 1 "" "/dev/zero is too large" convert /dev/zero "$tmp/zero.kif"

# A file that is not there is no wrong usage.
none=$tmp/none/at/all
for words in "analyze $none.sgf" "analyze $none.kif" "convert $none.kif $tmp/out.csa" "mate $none" "eval $none" \
    "learn probability $none" "learn material $none" "net info $none" "net eval $none" "play $none.sgf" \
    "play $none.kif" "gtp --net $none" "gtp --log $none" "analysis --net $none" "bench net --net $none" \
    "selfplay shogi $none" "selfplay go $none" "cluster simulate $none"; do
    # shellcheck disable=SC2086
    "$YOMI" $words >"$tmp/out" 2>"$tmp/err" </dev/null
    (($? == 1)) || fail "yomi $words: a status other than 1"
    grep -q "cannot .*No such file" "$tmp/err" || fail "yomi $words: $(cat "$tmp/err")"
done

# Interrupted: 130, whichever signal it was and whatever was done before.
for signal in INT TERM; do
    "$YOMI" selfplay shogi "$tmp/$signal.psv" --games 100000 --nodes 300 >"$tmp/out" 2>"$tmp/err" &
    until [ -e "$tmp/$signal.psv" ]; do sleep 0.1; done
    kill -"$signal" $!
    wait $!
    (($? == 130)) || fail "selfplay ended by SIG$signal: another status than 130"
    grep -q "stopped before the end" "$tmp/err" || fail "selfplay: $(cat "$tmp/err")"
done

commands=$("$YOMI" help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
(($(wc -w <<<"$commands") >= 5)) || fail "commands listed: $commands"
for command in $commands; do
    expect 0 "^Usage: yomi $command" "" help "$command"
    cp "$tmp/out" "$tmp/help"
    expect 0 "^Usage: yomi $command" "" "$command" --help
    cmp -s "$tmp/help" "$tmp/out" || fail "help $command and $command --help differ"
    # One rule of exit statuses for all: 2 for what cannot be meant, 1 for what cannot be done.
    expect 2 "" "no option --no-such-option" "$command" --no-such-option
    grep -q "^Try .yomi help $command" "$tmp/err" || fail "$command: wrong usage, and no word of help"
    if [ -e /dev/full ]; then
        "$YOMI" "$command" --help >/dev/full 2>"$tmp/err"
        (($? == 1)) || fail "$command --help on a full disk: a status other than 1"
    fi
    awk 'length($0) > 80 { exit 1 }' "$tmp/help" || fail "help $command is wider than 80"
    # Help shows what people want; --help-all has the rest, and says the same of all others.
    shown=$(grep -c '^  --' "$tmp/help")
    expect 0 "^Usage: yomi $command" "" "$command" --help-all
    cp "$tmp/out" "$tmp/all"
    expect 0 "^Usage: yomi $command" "" help --all "$command"
    cmp -s "$tmp/all" "$tmp/out" || fail "help --all $command and $command --help-all differ"
    more=$(sed -n 's/^  --help-all .* \([0-9]*\) other options.*/\1/p' "$tmp/help")
    in_all=$(grep -c '^  --' "$tmp/all")
    ((shown - (more > 0) + more == in_all)) || fail "help $command: $shown and $more are not $in_all"
    ((more == 0 || shown <= 18)) || fail "help $command shows $shown options"
    "$YOMI" man | sed 's/\\-/-/g' | grep -q "^.SS yomi $command" || fail "$command is not in the manual page"
done

for key in game color size handicap komi rules time main-time byoyomi level playouts visits nodes net search threads ascii; do
    "$YOMI" help play | grep -qE "^  --(\[no-\])?$key( |$)" || fail "help play: no --$key"
done
for section in ENVIRONMENT FILES "SEE ALSO" "EXIT STATUS"; do
    "$YOMI" man | grep -q "^.SH $section" || fail "man: no $section"
done
"$YOMI" man | grep -q NO_COLOR || fail "man: no NO_COLOR"

# A reader that leaves must not be answered with a message; a full disk must be.
"$YOMI" man 2>"$tmp/err" | head -c 1 >/dev/null
[ ! -s "$tmp/err" ] || fail "closed pipe: $(cat "$tmp/err")"
if [ -e /dev/full ]; then
    "$YOMI" help >/dev/full 2>"$tmp/err" && fail "a full disk looks like success"
    grep -q "cannot write" "$tmp/err" || fail "full disk: $(cat "$tmp/err")"
fi
# Where nothing can be written, old files stay and no halves of new ones are left. (Pipes can.)
mkdir "$tmp/full"
echo kept >"$tmp/full/old.sgf"
without_room() { (ulimit -f 0 && "$YOMI" "$@" 2>&1); }
echo "printsgf $tmp/full/old.sgf" | without_room gtp | grep -q "^? cannot write" || fail "printsgf: full"
printf 'e5\nsave %s\n' "$tmp/full/new.sgf" | without_room play --color both | grep -q "Cannot write" ||
    fail "save: full"
[ "$(cat "$tmp/full/"*)" = kept ] || fail "left by a full disk: $(ls "$tmp/full")"
# A closed stream fails, and at once; it does not become the descriptor of something else.
timeout 120 "$YOMI" gtp <&- >"$tmp/out" 2>"$tmp/err"
(($? == 1)) || fail "closed stdin: status other than 1"
grep -q "cannot read commands" "$tmp/err" || fail "closed stdin: $(cat "$tmp/err")"
timeout 120 "$YOMI" usi <&- >"$tmp/out" 2>"$tmp/err" && fail "usi: a closed stdin looks like success"
grep -q "cannot read commands" "$tmp/err" || fail "usi: closed stdin: $(cat "$tmp/err")"
{ head -c 3000000 /dev/zero | tr '\0' a && printf '\nusi'; } | "$YOMI" usi >"$tmp/out" 2>&1
head -1 "$tmp/out" | grep -q "more than a megabyte was passed over" || fail "usi: a long line"
grep -q '^usiok$' "$tmp/out" || fail "usi: no answer after a long line, to a last line without an end"
"$YOMI" version >&- 2>"$tmp/err" && fail "a closed stdout looks like success"

"$YOMI" man >"$tmp/yomi.1"
if command -v mandoc >/dev/null; then
    # No date: the page must come out the same whenever it is built.
    mandoc -T lint -W warning "$tmp/yomi.1" | grep -v 'missing date' && fail "mandoc complains"
else
    echo "not checked: the manual page (no mandoc)"
fi

"$YOMI" completion bash >"$tmp/bash"
complete_bash() { # WORDS...: the completions of the last one
    bash --norc -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _yomi
        echo "${COMPREPLY[*]}"' - "$tmp/bash" "$@"
}
[ "$(complete_bash yomi dev)" = "devices" ] || fail "bash: dev: $(complete_bash yomi dev)"
[ "$(complete_bash yomi completion '')" = "--help bash zsh" ] ||
    fail "bash: completion: $(complete_bash yomi completion '')"
[ "$(complete_bash yomi help vers)" = "version" ] || fail "bash: help vers"
[ "$(complete_bash yomi cluster st)" = "status stop" ] || fail "bash: cluster st"
(
    cd "$tmp" && touch game.csa
    [ "$(complete_bash yomi net info g)" = "game.csa" ] || fail "bash: a file after a word"
    [ "$(complete_bash yomi convert g)" = "game.csa" ] || fail "bash: a record to convert"
    exit "$failed"
) || failed=1

# What help lists, completion offers and the manual page has.
for command in $commands; do
    offered=" $(complete_bash yomi "$command" --) "
    while read -r option; do
        case $option in
        "[no-]"*) words="--${option#*]} --no-${option#*]}" ;;
        *) words="--$option" ;;
        esac
        for word in $words; do
            [[ $offered == *" $word "* ]] || fail "bash: $command $word is not offered"
        done
        sed 's/\\-/-/g' "$tmp/yomi.1" | grep -qF -- "--$option" || fail "man: no --$option"
    done < <("$YOMI" help --all "$command" | sed -n 's/^  --\([][a-z0-9-]*\).*/\1/p')
done

if command -v zsh >/dev/null; then
    "$YOMI" completion zsh >"$tmp/_yomi"
    zsh -n "$tmp/_yomi" || fail "zsh: syntax"
    # shellcheck disable=SC2016
    zsh -fc 'fpath=($1 $fpath); autoload -U compinit; compinit -u -D
        [[ $_comps[yomi] == _yomi ]]' - "$tmp" || fail "zsh: not found by compinit"
else
    echo "not checked: zsh completion (no zsh)"
fi
exit $failed
