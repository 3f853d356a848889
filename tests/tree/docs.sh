#!/usr/bin/env bash
# What the README promises: its C example compiles and runs, its commands exist, and every link of
# every page leads somewhere.
. tests/lib.sh

# example PAGE: compiles and runs the C program that a page shows; what it says is in $tmp/out.
example() {
    local sanitize=${SANITIZE:+-fsanitize=$SANITIZE}
    # shellcheck disable=SC2016
    sed -n '/^```c$/,/^```$/p' "$1" | sed '/^```/d' >"$tmp/example.c"
    # shellcheck disable=SC2086
    "$CC" -std=c11 -Wall -Wextra -Werror $sanitize -Iinclude "$tmp/example.c" "$BUILD/libyomi.a" \
        "${yomi_needs[@]}" -o "$tmp/example" || fail "$1: the C example does not compile"
    "$tmp/example" >"$tmp/out" || fail "$1: the C example fails"
}
example docs/shogi.md
grep -q '^White should play △.*, score -\?[0-9]*\.$' "$tmp/out" ||
    fail "docs/shogi.md: the C example says: $(cat "$tmp/out")"
example README.md
# Komi 7.5 leaves Black with a little less than half from the centre.
awk '/^After E5 Black wins/ { good = $5 + 0 > 40 && $5 + 0 < 60 } END { exit !good }' "$tmp/out" ||
    fail "the C example says: $(cat "$tmp/out")"

# shellcheck disable=SC2016
commands=$(grep -oE '`(\./run|yomi) [a-z-]+' README.md docs/*.md | sed 's/.* //' | sort -u)
(($(wc -w <<<"$commands") >= 4)) || fail "found only these commands: $commands"
for command in $commands; do
    "$YOMI" help "$command" >/dev/null || fail "there is no command $command"
done

links=0
for page in README.md CONTRIBUTING.md src/README.md docs/*.md; do
    while read -r link; do
        links=$((links + 1))
        [ -e "$(dirname "$page")/${link%%#*}" ] || fail "$page: no $link"
    done < <(grep -oE '\]\([^)]+\)' "$page" | sed 's/^](//; s/)$//' | grep -vE '^(https?:|#)')
done
((links >= 20)) || fail "found only $links links"
exit $failed
