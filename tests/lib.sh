# What the scripts share; they include it first.
# shellcheck shell=bash
set -u
failed=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export YOMI_CONFIG='' YOMI_CACHE='' # not the settings of whoever runs the tests

fail() { # WHAT...
    echo "FAILED: $*"
    # shellcheck disable=SC2034 # the scripts exit with it
    failed=1
}
has() { # FILE PATTERN
    grep -q -- "$2" "$1" || fail "no '$2' in $(basename "$1"): $(head -c 300 "$1")"
}
# What the program said last is in $tmp/out; where its lines are broken does not matter.
says() { # TEXT...: each of these
    local text
    for text; do
        tr -s ' \n' ' ' <"$tmp/out" | grep -qF -e "$text" || fail "does not say: $text, but: $(head -c 500 "$tmp/out")"
    done
}
says_not() { # TEXT...: none of these
    local text
    for text; do
        tr -s ' \n' ' ' <"$tmp/out" | grep -qF -e "$text" && fail "says: $text"
    done
}
# Waits for an event: until the command succeeds, for a minute at most, since a busy machine may be late.
eventually() { # COMMAND...
    local end=$((SECONDS + 60))
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}
# Whether a part named by `yomi version` is built in.
built_in() { # NAME
    "$YOMI" version | grep "^$1" | grep -qv 'not built in'
}
# What a program that links libyomi.a needs besides, as yomi.pc says.
read -ra yomi_needs < <(pkg-config --static --libs "$BUILD/yomi.pc" | sed 's/-lyomi//')
# GPU kernels compiled for the host and run: tests/eval/FOLDER/NAME.cpp.
lane_by_lane() { # FOLDER/NAME [COMPILER-OPTION...]
    local program source=tests/eval/$1.cpp
    program=$tmp/$(basename "$1")
    shift
    # shellcheck disable=SC2086
    "${CXX:?no C++ compiler was found}" -std=c++17 -O1 -Wall -Wextra -Wno-unknown-pragmas \
        ${SANITIZE:+-fsanitize=$SANITIZE} -Iinclude -Isrc -Itests "$@" "$source" \
        "$BUILD/libtest_helpers.a" "$BUILD/libyomi.a" -lcmocka "${yomi_needs[@]}" -o "$program" &&
        "$program"
}
# Whether a terminal can be had: it is said if not, and fails if only the machine's set-up is at fault.
has_terminal() {
    if ! command -v script >/dev/null; then
        echo "not checked: a terminal (no script)"
        return 1
    fi
    script -qec true /dev/null >"$tmp/out" 2>&1 </dev/null && return
    fail "a terminal cannot be had (is /dev/pts mounted?): $(cat "$tmp/out")"
    return 1
}
# Types the keys into `yomi play` with these options. Ctrl-C reaches the
# shell that script starts as well; the trap keeps it alive to tell the status, whichever shell it is.
terminal() { # OPTIONS ENVIRONMENT: with keys from stdin
    # shellcheck disable=SC2086
    env -u NO_COLOR -u LC_ALL -u LC_CTYPE COLUMNS=80 XDG_STATE_HOME="$tmp/state" $2 \
        script -qec "trap : INT; '$YOMI' play $1; echo status \$?" /dev/null >"$tmp/out" 2>&1
}
# The same, but each key when the text before it is on the screen.
play_when() { # OPTIONS ENVIRONMENT [TEXT KEYS]...
    local options=$1 environment=$2
    shift 2
    : >"$tmp/out"
    while (($#)); do
        for _ in $(seq 600); do
            grep -qF -e "$1" "$tmp/out" && break
            sleep 0.1
        done
        printf '%b' "$2"
        shift 2
    done | terminal "$options" "$environment"
}
