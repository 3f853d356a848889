# shellcheck shell=bash
# What the experiments of this folder share; sourced by them. Sets root and yomi, and PATH.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
yomi=${YOMI:-$root/build/release/yomi}
[ -x "$yomi" ] || "$root/run" version >/dev/null
PATH=$(dirname "$yomi"):$PATH

# Under what a table was made: commit, machine, date, command.
made_by() { # COMMAND
    echo "Made by \`$1\`, commit $(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)," \
        "$(date -u +%F), $(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), one thread."
}
