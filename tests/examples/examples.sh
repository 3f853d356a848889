#!/usr/bin/env bash
# The programs of examples/: built, run, and what they print.
. tests/lib.sh
sanitize=${SANITIZE:+-fsanitize=$SANITIZE}
build() { # NAME
    # shellcheck disable=SC2086
    "$CC" -std=c17 -Wall -Wextra -Wpedantic -Werror $sanitize -Iinclude "examples/$1.c" \
        "$BUILD/libyomi.a" "${yomi_needs[@]}" -o "$tmp/$1" || fail "$1 does not build"
}
run() { # NAME TEXT...
    local name=$1
    shift
    build "$name"
    "$tmp/$name" >"$tmp/out" 2>&1 </dev/null || fail "$name ends with $?"
    says "$@"
}
run errors "unknown name: " "did you mean chinese?"
run go "White took 1; ko at E4" "illegal move" "W+"
run playouts "of 10000; the middle is Black's"
run records "PB[Ann]" ";B[cg]C[A calm move.])"
run shogi "△" "▲５二金" "a mate"
run version "headers $VERSION, library $VERSION"
[ "$(find examples -name "*.c" | wc -l)" = 7 ] || fail "an example that nobody runs"
for header in include/yomi/*.h; do
    grep -q "include <yomi/$(basename "$header")>" examples/*.c || fail "no example for $header"
done

# The bot plays a whole game with the referee's approval.
build bot
[ "$(sed '/^\/\*/,/\*\/$/d' examples/bot.c | grep -c .)" -le 40 ] || fail "the bot has more than 40 lines"
"$YOMI" match "$tmp/bot" "$tmp/bot" --size 5 --games 1 >"$tmp/out" 2>&1 || fail "the bot in a match"
says "Forty lines (1)" "game 1 of 1"
says_not "illegal" "nonsense" "crashed"
printf 'boardsize x\nboardsize 99\nplay b Z9\nplay w D4\nplay b D4\nquit\n' | "$tmp/bot" | grep -o '^[=?]' | tr -d '\n' >"$tmp/out"
says '???=?='
# GTP passes over empty lines and comments.
printf 'boardsize x\n\n  \n# a comment\nclear_board\n\nquit\n' | "$tmp/bot" | grep -o '^[=?]' | tr -d '\n' >"$tmp/out"
[ "$(cat "$tmp/out")" = '?==' ] || fail "the bot answers lines that are no commands: $(cat "$tmp/out")"

if command -v python3 >/dev/null; then
    python3 examples/analyse.py "$YOMI" >"$tmp/out" 2>&1 || fail "the analysis from Python"
    says "move 3: " "move 5: " "Black wins"
else
    echo "not checked: the analysis from Python (no python3)"
fi
if command -v docker >/dev/null && docker info >/dev/null 2>&1; then
    docker compose -f examples/cluster/compose.yaml config >"$tmp/out" 2>&1 || fail "compose.yaml"
else
    echo "not checked: the cluster of containers (no docker)"
fi
exit $failed
