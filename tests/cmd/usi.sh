#!/usr/bin/env bash
# yomi usi as a client sees it: random commands at random moments, and a judge that counts answers.
. tests/lib.sh

# What is sent, and what is due for it: nothing, a bestmove or a checkmate.
commands=(
    '- usi'
    '- isready'
    '- isready'
    '- usinewgame'
    '- position startpos'
    '- position startpos moves 7g7f 3c3d 2g2f'
    '- position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1'
    '- position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1'
    '- position sfen 4K4/PPPPPPPPP/G8/9/9/9/9/9/4k4 b 2RB3P 1'
    '- position startpos moves 1a1b'
    '- position nonsense'
    '- setoption name MultiPV value 2'
    '- setoption name MultiPV value 1'
    '- setoption name Threads value 2'
    '- setoption name Threads value 1'
    '- setoption name Stochastic_Ponder value true'
    '- setoption name Stochastic_Ponder value false'
    '- setoption name BookFile value tests/data/usi/book.db'
    '- setoption name BookFile value no_book'
    '- setoption name DNN_Model value fuzz/corpus/net/pieces.onnx'
    '- setoption name DNN_Model value fuzz/corpus/net/dlshogi.onnx'
    '- setoption name search value puct'
    '- setoption name search value mcss'
    '- setoption name search value alphabeta'
    '- setoption name search value auto'
    '- setoption name Nonsense value 1'
    '- stop'
    '- stop'
    '- stop'
    '- ponderhit'
    '- ponderhit'
    '- ponderhit btime 50 wtime 50'
    '- ponderhit nonsense'
    '- gameover win'
    '- gameover draw'
    '- nonsense'
    '- go nonsense'
    '- go depth nonsense'
    '- '
    'b go'
    'b go infinite'
    'b go infinite'
    'b go ponder infinite'
    'b go ponder btime 1000 wtime 1000 byoyomi 30'
    'b go ponder btime 1000 wtime 1000 byoyomi 30'
    'b go btime 0 wtime 0 byoyomi 20'
    'b go btime 200 wtime 200 binc 10 winc 10'
    'b go btime 200 wtime 200'
    'b go btime -5 wtime -5 byoyomi 0'
    'b go movetime 10'
    'b go depth 3'
    'b go nodes 500'
    'c go mate 20'
    'c go mate infinite'
)

# talk END: random commands, each logged before it is sent; then END.
talk() {
    local line due
    printf 'setoption name USI_Hash value 1\n'
    for ((i = 0; i < 40; i++)); do
        line=${commands[RANDOM % ${#commands[@]}]}
        due=${line%% *}
        line=${line#* }
        printf '> %s %s\n' "$due" "$line" >>"$tmp/log"
        printf '%s\n' "$line"
        case $((RANDOM % 4)) in
        0) sleep 0.02 ;;
        1) sleep 0.00$((RANDOM % 10)) ;;
        esac
    done
    printf '%s\n' "$1"
}

# Never more answers than were asked for, of either kind, and in the end as many.
judge() {
    awk '
        /^> b/ { moves++ }
        /^> c/ { mates++ }
        /^< bestmove / && ++best > moves { print "line " NR ": " $0 ": nobody asked"; bad = 1 }
        /^< checkmate / && ++check > mates { print "line " NR ": " $0 ": nobody asked"; bad = 1 }
        /^< / && !/^< (id|option|usiok|readyok|info|bestmove|checkmate)/ {
            print "line " NR ": " $0 ": this is no USI"
            bad = 1
        }
        END {
            if (best != moves) { print moves+0 " searches, " best+0 " bestmoves"; bad = 1 }
            if (check != mates) { print mates+0 " problems, " check+0 " checkmates"; bad = 1 }
            exit bad
        }' "$1"
}

# The judge first: it must be able to say no.
said() { printf '%s\n' "$@" >"$tmp/log" && judge "$tmp/log" >/dev/null; }
said '> b go' '< info depth 1' '< bestmove 7g7f' || fail "the judge refuses what is right"
said '> b go' '< bestmove 7g7f' '< bestmove 7g7f' && fail "the judge takes two answers"
said '< bestmove 7g7f' '> b go' && fail "the judge takes an answer before the question"
said '> b go' && fail "the judge takes silence"
said '> c go mate' '< bestmove 7g7f' && fail "the judge takes a move for a mate"
said '< hello' && fail "the judge takes any word"

for seed in 1 2 3 4 5 6; do
    RANDOM=$seed
    ends=(quit stop $'go infinite\nquit' '')
    end=${ends[seed % 4]}
    : >"$tmp/log"
    talk "$end" | timeout 120 "$YOMI" usi | while IFS= read -r line; do
        printf '< %s\n' "$line" >>"$tmp/log"
    done
    ended=("${PIPESTATUS[@]}")
    [ "${ended[1]}" = 0 ] || fail "session $seed ended with ${ended[1]}"
    case $end in go*) echo '> b' | cat - "$tmp/log" >"$tmp/whole" && mv "$tmp/whole" "$tmp/log" ;; esac
    judge "$tmp/log" >"$tmp/verdict" || {
        fail "session $seed: $(cat "$tmp/verdict")"
        cat "$tmp/log"
    }
done

# A client that is gone, in the middle of a line too.
printf 'setoption name USI_Hash value 1\ngo infinite\nposition sta' | timeout 60 "$YOMI" usi >"$tmp/out"
[ "$(grep -c ^bestmove "$tmp/out")" = 1 ] || fail "no answer, or more than one, at the end of input"

# What a command line names is used, or refused.
refuses() { # WHAT ARGUMENT...
    local status=0
    "$YOMI" usi "${@:2}" </dev/null >"$tmp/out" 2>&1 || status=$?
    if [ "$status" != 2 ] || ! grep -q -- "$1" "$tmp/out"; then
        fail "usi ${*:2}: status $status, $(cat "$tmp/out")"
    fi
}
refuses "puct does not use --eval" --search puct --eval material
refuses "puct does not use --eval" --net builtin --eval material
refuses "alphabeta does not use --net" --search alphabeta --net builtin
exit $failed
