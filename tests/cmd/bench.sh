#!/usr/bin/env bash
# The search still finds what it found. If a change is meant to alter the search, write the new
# signature here and say so in the commit; if it is meant to make it faster, the signature stays.
set -eu
want=3f18a2b99d857344
got=$("$YOMI" bench search --playouts 300 --threads 1 | sed -n 's/^signature //p')
if [ "$got" != "$want" ]; then
    echo "yomi bench search --playouts 300: signature $got, not $want"
    exit 1
fi
other=$("$YOMI" bench search --playouts 301 --threads 1 | sed -n 's/^signature //p')
if [ "$other" = "$want" ]; then
    echo "another number of playouts, and the same signature: it says nothing"
    exit 1
fi

# Alpha-beta for shogi: the same.
want=81d9d9146b1aff4c
got=$("$YOMI" bench search --game shogi --depth 7 --threads 1 | sed -n 's/^signature //p')
if [ "$got" != "$want" ]; then
    echo "yomi bench search --game shogi --depth 7: signature $got, not $want"
    exit 1
fi
other=$("$YOMI" bench search --game shogi --depth 6 --threads 1 | sed -n 's/^signature //p')
if [ "$other" = "$want" ]; then
    echo "another depth, and the same signature: it says nothing"
    exit 1
fi

# Searches on a network, by its 16-bit integers, which are the same on every machine.
integers=plain-int16
for backend in vnni-int16 avx512-int16 avx2-int16; do
    if "$YOMI" bench search --search puct --size 9 --playouts 1 --backend "$backend" >/dev/null 2>&1; then
        integers=$backend
        break
    fi
done
check_net() { # SIGNATURE SEARCH VISITS [OPTION]...
    local want=$1 search=$2 visits=$3 got other
    shift 3
    got=$("$YOMI" bench search --search "$search" --playouts "$visits" --threads 1 --backend "$integers" "$@" |
        sed -n 's/^signature //p')
    if [ "$got" != "$want" ]; then
        echo "yomi bench search --search $search --playouts $visits $*: signature $got, not $want"
        exit 1
    fi
    other=$("$YOMI" bench search --search "$search" --playouts 2 --threads 1 --backend "$integers" --size 9 |
        sed -n 's/^signature //p')
    if [ "$other" = "$want" ]; then
        echo "another number of visits, and the same signature: it says nothing"
        exit 1
    fi
}
check_net 04e54523dd37f3d7 puct 40
check_net dc515b90f7f9822c mcss 4 --size 9

# Shogi by the network that is named, as yomi usi names it.
shogi() { # ARGS...: the signature
    "$YOMI" bench search --game shogi --threads 1 "$@" | sed -n 's/^signature //p'
}
same() { # SIGNATURE SIGNATURE WHAT
    [ -n "$1" ] && [ "$1" = "$2" ] && return
    echo "bench search --game shogi: $3: $1 and $2"
    exit 1
}
other() { # the same
    [ -n "$1" ] && [ "$1" != "$2" ] && return
    echo "bench search --game shogi: $3: $1 twice"
    exit 1
}
material=$(shogi --depth 3)
builtin=$(shogi --depth 3 --eval builtin)
same "$material" "$(shogi --depth 3 --eval material)" "alpha-beta by material"
same "$builtin" "$(shogi --depth 3 --eval nets/shogi.nn.bin)" "the built-in network and its file"
other "$builtin" "$material" "a network and material"
builtin=$(shogi --search puct --playouts 8 --backend "$integers")
same "$builtin" "$(shogi --net nets/shogi.onnx --playouts 8 --backend "$integers")" "PUCT on the built-in network's file"
other "$builtin" "$(shogi --net fuzz/corpus/net/pieces.onnx --playouts 8)" "two networks"
refuses() { # TEXT ARGS...
    local text=$1 said
    shift
    said=$("$YOMI" bench search "$@" 2>&1) && echo "bench search $*: no error" && exit 1
    [[ $said == *"$text"* ]] && return
    echo "bench search $*: $said"
    exit 1
}
refuses 'is a network for go, not for shogi' --game shogi --net nets/go9.bin.gz
refuses '--eval has no meaning' --game shogi --net builtin --eval builtin
refuses '--net has no meaning' --search uct --net builtin
refuses '--eval has no meaning' --eval builtin
refuses 'no-such.nn.bin' --game shogi --eval no-such.nn.bin

# A median stands between the slowest and the fastest turn, and the table says how far away they are.
"$YOMI" bench playout --size 5 --backend scalar --seconds 0.05 --json |
    sed -nE 's/.*"playouts_per_s": ([0-9]+), "lowest": ([0-9]+), "highest": ([0-9]+), "turns": 5,.*/\1 \2 \3/p' |
    awk '{ good = $2 > 0 && $2 <= $1 && $1 <= $3 } END { exit !good }' || {
    echo "yomi bench playout --json: the lowest, median and highest rates are not in order"
    exit 1
}
"$YOMI" bench playout --size 5 --backend scalar --seconds 0.05 |
    grep -qE '^5x5 +scalar +[0-9]+ +[-+][0-9.]+\.\.\+[0-9.]+% ' || {
    echo "yomi bench playout: no spread"
    exit 1
}

# On a terminal: which position, and when it will end.
if command -v script >/dev/null; then
    said=$(TERM=xterm script -qec "'$YOMI' bench search --game shogi --depth 7 --threads 1" /dev/null </dev/null)
    case $said in
    *"position 1 of 5"*"end game"*signature*) ;;
    *) echo "no progress on a terminal: $said" && exit 1 ;;
    esac
else
    echo "not checked: a terminal (no script)"
fi

# The program behind docs/benchmarks-board.md: it ends if undo does not restore the board.
cmake --build "$BUILD" --target bench_board_copy >/dev/null
"$BUILD/bench_board_copy" | grep -q '^  19 *16 '
