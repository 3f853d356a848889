#!/usr/bin/env bash
# Every script for people answers --help with its usage, at once: with no module but Python's own, with
# nothing built, and leaving no file.
. tests/lib.sh
export PYTHONDONTWRITEBYTECODE=1

list() { # scripts are executable, or begin where Python begins
    find experiments train tools bench hw \( -name node_modules -o -name results \) -prune -o \
        -type f \( -perm -u+x -o -name '*.py' \) -print | while read -r file; do
        if [ -x "$file" ] || grep -q '^if __name__ == "__main__"' "$file"; then echo "$file"; fi
    done | sort
}
files() { find . -path ./build -prune -o -path ./.git -prune -o -print | sort; }

files >"$tmp/before"
list >"$tmp/scripts"
# What the documents name as a command can be started as one.
find experiments train tools bench hw -name node_modules -prune -o -type f ! -perm -u+x -print | while read -r file; do
    if [ "$(head -c 2 "$file" | tr -d '\0')" = '#!' ]; then echo "$file"; fi
done >"$tmp/plain"
[ -s "$tmp/plain" ] && fail "scripts that are not executable: $(cat "$tmp/plain")"
[ "$(wc -l <"$tmp/scripts")" -gt 30 ] || fail "only these scripts were found: $(cat "$tmp/scripts")"
while read -r script; do
    start=()
    # -S: no packages besides Python's own.
    if head -1 "$script" | grep -q python || [ "${script%.py}" != "$script" ]; then start=(python3 -S); fi
    for option in --help -h; do
        timeout 300 "${start[@]}" "$script" "$option" >"$tmp/out" 2>"$tmp/err" </dev/null ||
            fail "$script $option ends with status $?: $(tail -1 "$tmp/err")"
        [ "$(wc -c <"$tmp/out")" -gt 40 ] || fail "$script $option says too little: $(cat "$tmp/out")"
    done
done <"$tmp/scripts"
files | diff "$tmp/before" - || fail "--help leaves files"
exit "$failed"
