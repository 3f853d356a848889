# What the page's tests share.
# shellcheck shell=bash

# skip NAME REASON: ./check repeats the reason in its last lines.
skip() {
    echo "not checked: $2"
    echo "$2" >"$BUILD/skipped_$1"
    exit 77
}

# need_modules NAME: sets $modules to the page's npm packages, with those that only tests need. They
# are installed once for each lock file.
need_modules() {
    command -v npm >/dev/null || skip "$1" "npm is not installed"
    local home=$BUILD/page_tests sum
    sum=$(cat web/package.json web/package-lock.json | cksum)
    # shellcheck disable=SC2034 # the scripts use it
    modules=$home/node_modules
    mkdir -p "$home"
    exec 8>"$home/lock"
    flock 8
    if [ "$sum" != "$(cat "$home/sum" 2>/dev/null)" ]; then
        rm -f "$home/sum"
        cp web/package.json web/package-lock.json web/.npmrc "$home"
        (cd "$home" && npm ci) >"$home/log" 2>&1 || skip "$1" "npm could not install the page's packages ($home/log)"
        echo "$sum" >"$home/sum"
    fi
    exec 8>&-
}
