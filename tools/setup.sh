# Sourced by ./run and ./check: installing what is missing, choosing a compiler, configuring.
# All that is said goes to stderr; stdout belongs to the program.

say() { printf '\033[1m==\033[0m %s\n' "$*" >&2; }
[ -t 2 ] || say() { printf '== %s\n' "$*" >&2; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# progress DONE TOTAL WHAT: how far a script is and when it will end, "12 of 200 games, 1:05 left", by the
# time since its first call. Only on terminals, in one line that the next call replaces.
progress_since='' progress_from=0
progress() {
    local left='' seconds
    if [ -z "$progress_since" ]; then progress_since=$SECONDS progress_from=$1; fi
    if [ "$1" -gt "$progress_from" ]; then
        seconds=$(((SECONDS - progress_since) * ($2 - $1) / ($1 - progress_from)))
        printf -v left ', %d:%02d left' $((seconds / 60)) $((seconds % 60))
    fi
    printf '\r%d of %d %s%s\033[K' "$1" "$2" "$3" "$left" >&2
    [ "$1" -lt "$2" ] || printf '\r\033[K' >&2
}
[ -t 2 ] || progress() { :; }

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)

# help_if_asked SCRIPT ARGUMENT...: prints the comment at the head of a script and ends, if one of the
# arguments before -- asks for help.
help_if_asked() {
    local script=$1 word
    shift
    for word; do
        case $word in
        --) return ;;
        -h | --help)
            sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$script"
            exit 0
            ;;
        esac
    done
}
# wrong_usage SCRIPT MESSAGE: ends with status 2. Exit statuses are those of yomi: 1 it could not be
# done, 2 it was called wrongly.
wrong_usage() {
    printf 'error: %s; see %s --help\n' "$2" "$1" >&2
    exit 2
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "this needs root, and there is no sudo: $*"
    fi
}

# apt-get, asking nothing, heard only if it fails.
apt() {
    local log
    log=$(as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" 2>&1 </dev/null) ||
        die "apt-get $* failed:
$log"
}

# need COMMAND-OR-FILE=PACKAGE...: installs the packages whose command or file is not there. What
# came some other way than by apt is good enough, so that this also works elsewhere than on Debian.
need() {
    local pair missing=()
    for pair; do
        case ${pair%%=*} in
        */*) [ -e "${pair%%=*}" ] || missing+=("${pair#*=}") ;;
        *) command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}") ;;
        esac
    done
    install_packages "${missing[@]}"
}

apt_lists_are_fresh=
install_packages() {
    [ $# -gt 0 ] || return 0
    command -v apt-get >/dev/null || die "please install these (there is no apt-get here): $*"
    say "installing: $*"
    if [ -z "$apt_lists_are_fresh" ]; then
        apt update
        apt_lists_are_fresh=yes
    fi
    apt install -y --no-install-recommends "$@"
}

# need_libraries: the libraries that the program needs. Those that may be missing are not
# installed here; cmake/libraries.cmake names them.
need_libraries() {
    pkg-config --exists 'jansson >= 2.13' || install_packages libjansson-dev
    pkg-config --exists 'zlib >= 1.2' || install_packages zlib1g-dev
}

# need_web: what `yomi web` is built with, besides; without it the program has no server or no page.
need_web() {
    need /usr/include/civetweb.h=libcivetweb-dev npm=npm gzip=gzip
}

has_candidate() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]'; }

# choose_compiler NAME...: sets compiler to $CC if that is set, else to the first of the names that is
# there; installs clang if none is.
choose_compiler() {
    if [ -n "${CC:-}" ]; then
        command -v "$CC" >/dev/null || die "CC is '$CC', and there is no such program"
        compiler=$CC
        return
    fi
    for compiler; do
        if command -v "$compiler" >/dev/null; then return; fi
    done
    install_clang
}

install_clang() {
    if [ -z "$apt_lists_are_fresh" ] && command -v apt-get >/dev/null; then
        apt update
        apt_lists_are_fresh=yes
    fi
    compiler=clang
    if has_candidate clang-19; then compiler=clang-19; fi
    install_packages "$compiler" libc6-dev
}

cached() { # VARIABLE CACHE
    sed -n "s/^$1:[A-Z]*=//p" "$2"
}
is_ours() { # CACHE: made from this folder
    [ "$(cached CMAKE_HOME_DIRECTORY "$1")" = "$root" ]
}
has_our_compiler() { # CACHE
    local used
    used=$(cached CMAKE_C_COMPILER "$1")
    [ "$used" = "$compiler" ] || [ "$used" = "$(command -v "$compiler")" ]
}

# A build folder made by another compiler or in another place is of no use.
forget_foreign_build() { # FOLDER
    local cache=$1/CMakeCache.txt
    [ -e "$cache" ] || return 0
    if ! is_ours "$cache" || ! has_our_compiler "$cache"; then
        say "starting afresh: $1 was made elsewhere or by another compiler"
        rm -rf "$1"
    fi
}

# configure PRESET ARGS...
configure() {
    local preset=$1 log
    shift
    forget_foreign_build "$root/build/$preset"
    log=$(cd "$root" && cmake --preset "$preset" -DCMAKE_C_COMPILER="$compiler" "$@" 2>&1) ||
        die "cmake --preset $preset failed:
$log"
    grep -o 'yomi [0-9].*' <<<"$log" >&2 || true
}
