# shellcheck shell=bash
# What the experiments of this folder share; sourced by them. Sets root and yomi, and PATH.
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/setup.sh"
help_if_asked "$0" "$@"
yomi=${YOMI:-$root/build/release/yomi}
[ -x "$yomi" ] || "$root/run" version >/dev/null
PATH=$(dirname "$yomi"):$PATH

# Under what a table was made: commit, machine, date, command.
made_by() { # COMMAND
    local commit
    commit=${YOMI_COMMIT:-$(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)}
    echo "Made by \`$1\`, commit $commit," \
        "$(date -u +%F), $(awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), one thread."
}

# Reads a script's arguments: a name into out, and after it options, each with a value, into variables
# of their names ("shogi-depth" into shogi_depth).
read_options() { # NAMES ARGUMENT...: the names of the options there are
    local names=" $1 " name
    shift
    [ $# -gt 0 ] || usage 2
    case $1 in -*) usage 2 ;; esac
    # shellcheck disable=SC2034 # the scripts use it
    out=$1
    shift
    while [ $# -gt 0 ]; do
        name=${1#--}
        if [ $# -eq 1 ] || [ "$name" = "$1" ] || [[ $names != *" $name "* ]]; then usage 2; fi
        printf -v "${name//-/_}" %s "$2"
        shift 2
    done
}
