#!/usr/bin/env bash
# yomi match: whole games of Go and shogi between processes, every way an engine can fail, and going
# on after an interruption. With GNU Go if it is here, against it too.
. tests/lib.sh
fail() {
    echo "FAILED: $*"
    cat "$tmp/out"
    failed=1
}
match() { "$YOMI" match "$@" --size 5 >"$tmp/out" 2>&1; }
good="'$YOMI' gtp --resign 0 --playouts 30 --threads 1"

# ---- a whole match, kept ----
match "$good" "$good --search flat" --games 4 --jobs 2 --out "$tmp/m" || fail "a plain match"
says "Yomi (1)" "Elo" "game 4 of 4"
[ "$(grep -c '^[0-9]*,' "$tmp/m/results.csv")" = 4 ] || fail "results.csv has not four games"
for i in 1 2 3 4; do
    grep -q 'PB\[Yomi' "$tmp/m/games/000$i.sgf" || fail "no record of game $i"
done

# ---- the same again: nothing is left to play; a game or half a line less: that one is ----
match "$good" "$good --search flat" --games 4 --out "$tmp/m" || fail "a finished match"
says "going on after 4 games"
cp "$tmp/m/results.csv" "$tmp/whole"
sed '$d' "$tmp/whole" >"$tmp/m/results.csv"
printf '4,sec' >>"$tmp/m/results.csv"
match "$good" "$good --search flat" --games 4 --out "$tmp/m" || fail "an interrupted match"
says "going on after 3 games"
[ "$(cut -d, -f1-6 "$tmp/m/results.csv" | sort)" = "$(cut -d, -f1-6 "$tmp/whole" | sort)" ] ||
    fail "a match that was interrupted comes to another result"
match "$good" "$good" --games 4 --out "$tmp/m" && fail "takes another match's folder"
says "is of another match"

# ---- more than two: everyone plays everyone, and a table ----
three() { # [OPTION]...
    match "$good" "$good --search flat" "$good --seed 7" --jobs 2 --out "$tmp/three" "$@"
}
three --games 12 || fail "a round robin"
says "rank engine" "Yomi (3)" "game 12 of 12" "seed 7"
[ "$(grep -c '^   [123]  Yomi ([123])  *[+-]*[0-9]* ' "$tmp/out")" = 3 ] || fail "the table has not three rows"
[ "$(sed -n 's/^\([0-9]*\),\([123]\),.*/\1 \2/p' "$tmp/three/results.csv" | sort -n | cut -d' ' -f2 | tr -d '\n')" = \
    121323121323 ] || fail "another schedule"
has "$tmp/three/results.csv" '^# engine 3: .*--seed 7'
has "$tmp/three/results.csv" '^# engine 2 is Yomi'
has "$tmp/three/results.csv" '^# round robin'
cp "$tmp/three/results.csv" "$tmp/whole"
grep -v '^7,' "$tmp/whole" >"$tmp/three/results.csv"
three --games 12 || fail "an interrupted round robin"
says "going on after 11 games" "game 7 of 12"
says_not "game 8 of 12"
[ "$(cut -d, -f1-6 "$tmp/three/results.csv" | sort)" = "$(cut -d, -f1-6 "$tmp/whole" | sort)" ] ||
    fail "a round robin that was interrupted comes to another result"
three --games 12 --schedule gauntlet && fail "takes the folder of a round robin"
rm -r "$tmp/three"
three --games 8 --schedule gauntlet || fail "a gauntlet"
says "Yomi (1) " "Yomi (3)"
grep -q 'Yomi (2) [0-9]* - [0-9]* Yomi (3)\|Yomi (3) [0-9]* - [0-9]* Yomi (2)' "$tmp/out" && fail "the others play, too"
three --sprt 0,30 && fail "a sequential test of three"
says "--sprt compares two engines, not 3"
match "$good" && fail "plays alone"
says "two engines at least"

# ---- random openings: another for each pair, the same for both colours ----
match "$good" "$good" --random-plies 3 --games 6 --out "$tmp/random" || fail "random openings"
for i in 1 2 3 4 5 6; do
    tr -d '\n' <"$tmp/random/games/000$i.sgf" | grep -o '\(;[BW]\[..\]\)\{3\}' | head -1
done >"$tmp/openings.txt"
[ "$(sort -u "$tmp/openings.txt" | grep -c .)" = 3 ] || fail "not three openings: $(cat "$tmp/openings.txt")"
[ "$(uniq -c <"$tmp/openings.txt" | awk '{ print $1 }' | tr -d '\n')" = 222 ] || fail "a pair has two openings"
has "$tmp/random/results.csv" '^# 3 random plies'
match "$good" "$good" --random-plies 3 --handicap 2 && fail "random moves and handicap"
says "does not go with --random-plies"

# ---- engines that cannot play are told of at once ----
match "$tmp/nothing" "$good" && fail "plays with no program"
says "there is no such program"
match "echo hello" "$good" && fail "plays with echo"
says "cannot play" "hello"
match "$good --playouts x" "$good" && fail "plays with an option that cannot be"
says "--playouts: x is not a whole number"
timeout 120 "$YOMI" match "'$YOMI' usi" "$good" >"$tmp/out" 2>&1 && fail "plays Go by USI"
says "it said what is no answer" "speaks GTP"
match "$good" "$good" --nodes 5 && fail "takes an option of shogi"
says "--nodes has no meaning in Go"
match "$good" "$good" --stones 5 && fail "takes stones without a period"
says "wants a --period"

# ---- interrupted: engines end, the score is told, and what was played is kept ----
stop_match() { # SIGNAL [OPTION]...: after a game
    local signal=$1 pid
    shift
    rm -f "$tmp/out" # what the last one said is no sign that this one plays
    "$YOMI" match "$good" "$good --seed 7" --size 5 --games 100000 "$@" >"$tmp/out" 2>&1 &
    pid=$!
    for _ in $(seq 600); do
        grep -qs '^game [0-9]' "$tmp/out" && break
        sleep 0.05
    done
    if [ "$signal" = second ]; then
        match "$good" "$good --seed 7" --games 100000 --out "$tmp/stopped" && fail "two in one folder"
        says "another match is writing to"
        signal=TERM
    fi
    kill -"$signal" $pid
    wait $pid
    (($? == 130)) || fail "an interrupted match has another status than 130"
}
stop_match INT
says "stopped before the end; with --out" "Elo"
stop_match TERM --out "$tmp/stopped"
says "stopped before the end; the same command goes on from here" "Elo"
stop_match second --out "$tmp/stopped"
"$YOMI" match "touch $tmp/started; sleep 1000; :" "$good" >"$tmp/out" 2>&1 &
pid=$!
for _ in $(seq 600); do
    [ -e "$tmp/started" ] && break
    sleep 0.05
done
kill -TERM $pid
wait $pid && fail "waits for an engine that does not answer"
says "stopped before the end"

# ---- on a terminal one sees that it goes on ----
if command -v script >/dev/null; then
    TERM=xterm script -qec "'$YOMI' match \"$good\" \"$good\" --size 5 --games 2" /dev/null >"$tmp/out" 2>&1 </dev/null
    says "game 1: begins" "game 1 of 2" "1 of 2, game 2: begins, 0:0" " left"
else
    echo "not checked: a terminal (no script)"
fi

# ---- engines that fail in the middle lose, and are named ----
engine() { # NAME: the rest is what it does for genmove, and $also what it does before all others
    local name=$1
    shift
    cat >"$tmp/$name" <<END
#!/usr/bin/env bash
while read -r command rest; do
    case \$command in
    ${also-}
    name) printf '= $name\n\n' ;;
    known_command) printf '= false\n\n' ;;
    genmove) $* ;;
    quit) printf '=\n\n'; exit ;;
    *) printf '= \n\n' ;; # as GNU Go has it
    esac
done
END
    chmod +x "$tmp/$name"
}
engine crasher 'echo "out of luck" >&2; exit 3'
engine sleeper 'sleep 30'
engine cheat "printf '= J9\n\n'"
engine occupier "printf '= C3\n\n'"
engine resigner "printf '= resign\n\n'"
engine refuser "printf '? no idea\n\n'"
expect() { # ENGINE TEXT...
    local name=$1 wait=60
    shift
    if [ "$name" = sleeper ]; then wait=1; fi
    match "$tmp/$name" "$good" --games 1 --timeout "$wait" || fail "$name ends the match"
    says "$name 0 - 1 Yomi" "$@"
}
expect crasher "crashed" "it ended with status 3" "out of luck"
expect sleeper "hung" "did not answer genmove"
expect cheat "nonsense" "J9"
expect resigner "W+R" "resigned"
expect refuser "no idea"
# Neither the end of an answer nor that of the process may be waited for for ever.
engine closer 'echo "no more from me" >&2; exec >&-; sleep 60'
timeout 120 "$YOMI" match "exec $tmp/closer" "$good" --size 5 --games 1 >"$tmp/out" 2>&1 ||
    fail "waits for the end of a process that does not end"
says "closer 0 - 1 Yomi" "crashed" "it closed its output, and did not end" "no more from me"
# With time on its clock an engine thinks.
engine thinker "sleep 2; printf '= resign\n\n'"
match "$tmp/thinker" "$good" --games 1 --timeout 1 --main-time 30 || fail "thinker ends the match"
says "thinker 0 - 1 Yomi" "W+R"
match "$tmp/thinker" "$good" --games 1 --timeout 1 --period 30 --stones 2 || fail "thinker in a period"
says "thinker 0 - 1 Yomi" "W+R"
# What comes too late is no answer to the next question.
also="known_command) sleep 3; printf '= false\n\n' ;;" engine dawdler "printf '= A1\n\n'"
match "$tmp/dawdler" "$good" --games 1 --timeout 1 || fail "dawdler ends the match"
says "dawdler 0 - 1 Yomi" "hung" "it did not answer known_command" "within 1 s"
# A Yomi that is older than its books plays without one.
also="known_command) printf '= true\n\n' ;; yomi-param) printf '? unknown parameter\n\n' ;;" engine elder "printf '= resign\n\n'"
match "$tmp/elder" "$good" --games 1 || fail "an engine without a book cannot play"
says "elder 0 - 1 Yomi" "W+R"
engine picky ''
sed -i "s/ name)/ boardsize) printf '? unacceptable size\\\\n\\\\n' ;;\n    name)/" "$tmp/picky"
match "$tmp/picky" "$good" --games 1 && fail "plays with an engine that refuses the board"
says "picky' cannot play: it answered: unacceptable size"
says_not "speaks GTP"
match "$tmp/refuser" "$good" --games 1 --main-time 60 --increment 1 && fail "an increment for all"
says "it does not know kata-time_settings"
match "$good" "$good" --games 1 --main-time 60 --increment 0.5 && fail "half a second"
says "--increment has whole seconds in Go"
# Its last float is the only weight of the ownership.
gzip -dc fuzz/corpus/net/katago-v8.bin.gz | head -c -5 >"$tmp/no_owners.bin"
printf '\0\0\0\0\n' >>"$tmp/no_owners.bin"
match "$good" "$good" --games 1 --judge-net "$tmp/no_owners.bin" && fail "a judge that knows no ownership"
says "--judge-net: $tmp/no_owners.bin does not know who owns points"
match "$good" "$good" --games 1 --judge-net builtin --count board && fail "a judge without work"
says "--judge-net goes with --count judge"
match "$tmp/occupier" "$tmp/occupier" --games 1 || fail "an illegal move ends the match"
says "illegal" "C3"

# ---- whatever the fault: the reason and the last words, in all three places ----
engine talker-j9 'echo "was it J9?" >&2; printf "= J9\n= or K9\n\n"'
engine talker-c3 "echo 'C3] it is' >&2; printf '= C3\n\n'"
engine talker-late "printf 'h\303\251 \377\n' >&2; sleep 1.3; printf '= A1\n\n'"
named() { # FOLDER RECORD TEXT...: what was said of the last game, in its table and its record too
    local folder=$1 record=$2 text
    shift 2
    says "$@"
    for text; do
        tail -1 "$folder/results.csv" | grep -qF "$text" || fail "results.csv does not say: $text"
        sed 's/[\]//g' "$folder/games/$record" | grep -qF "$text" || fail "$record does not say: $text"
    done
    iconv -f UTF-8 -t UTF-8 "$folder/games/$record" >/dev/null || fail "$record is not UTF-8"
}
match "$tmp/talker-j9" "$good" --games 1 --out "$tmp/f1" || fail "no move ends the match"
named "$tmp/f1" 0001.sgf "it played 'J9 = or K9', which is no move; last said:" "was it J9?"
match "$tmp/occupier" "$tmp/talker-c3" --games 1 --out "$tmp/f2" || fail "C3 twice ends the match"
named "$tmp/f2" 0001.sgf "C3 is occupied; last said:" "C3] it is"
says_not "=/" "= /"
match "$tmp/talker-late" "$good" --games 1 --out "$tmp/f3" --main-time 1 || fail "late ends the match"
named "$tmp/f3" 0001.sgf "it took 1." " s for a move and had 1.00 s left; last said:" "hé ?/= A1"
match "$tmp/talker-late" "$good" --games 1 --period 1 --stones 2 || fail "late ends the match"
says "had 1.00 s left for 2 stones"

# ---- what is damaged is played again, and nothing else ----
match "$good" "$tmp/resigner" --games 6 --out "$tmp/d" || fail "a match to be damaged"
damage() { # SED: on a whole file; the games that are left, and all again afterwards
    cp "$tmp/d/results.csv" "$tmp/d/whole"
    sed -i "$1" "$tmp/d/results.csv"
    match "$good" "$tmp/resigner" --games 6 --out "$tmp/d" || fail "a damaged match: $1"
    says "going on after $2 games"
    for i in 1 2 3 4 5 6; do
        grep -q "^$i,[fs][a-z]*,first," "$tmp/d/results.csv" || fail "no game $i after $1"
    done
    cp "$tmp/d/whole" "$tmp/d/results.csv"
}
damage 's/^2,.*/\x00\x00\x00/' 5
damage 's/^2,second,first/2,sec3,second/' 5
damage 's/^2,second/2,first/' 5
damage 's/^4,\(.*\),""$/4,\1/' 5
damage 's/^5,.*/99999999999999999999,first,first,B+R,resigned,1,0.00,0.00,""/' 5
# A disk that is full in the middle of a line: the line goes, and the others stay.
(
    trap '' XFSZ
    ulimit -f 1
    "$YOMI" match "$tmp/resigner" "$tmp/resigner" --size 5 --games 100 --out "$tmp/full" 2>&1 && exit 1
    exit 0
) | cat >"$tmp/out"
says "cannot write the results in"
[ "$(tail -c 1 "$tmp/full/results.csv")" = "" ] || fail "half a line is left on a full disk"
[ "$(tail -n 1 "$tmp/full/results.csv" | cut -d, -f5)" = resigned ] || fail "no game is left"

# ---- a signal that the engines get as well is no crash of theirs ----
engine both-end "exec >&-; sleep 0.3; kill -TERM \$(cat '$tmp/pid'); sleep 1; exit 9"
rm -f "$tmp/pid" # the engine waits for it
sed -i "s,^while,until [ -s '$tmp/pid' ]; do sleep 0.05; done\n&," "$tmp/both-end"
"$YOMI" match "exec $tmp/both-end" "$good" --size 5 --out "$tmp/both" >"$tmp/out" 2>&1 &
pid=$!
echo $pid >"$tmp/pid"
wait $pid
says "stopped before the end"
grep '^[0-9]' "$tmp/both/results.csv" && fail "an engine that was ended with us has lost"

# ---- which builds have played ----
also="version) printf '= %s\n\n' \"\$(cat '$tmp/version')\" ;;" engine built "printf '= resign\n\n'"
cp "$YOMI" "$tmp/copy"
built() { # GAMES
    match "$tmp/built" "'$tmp/copy' gtp --playouts 30 --threads 1" --games "$1" --out "$tmp/b" ||
        fail "a match of builds"
}
echo "1.0 of May" >"$tmp/version"
built 2
says_not "those that follow"
has "$tmp/b/results.csv" "^# first is built 1.0 of May"
has "$tmp/b/results.csv" "^# second is Yomi [0-9.]*\(, program [0-9a-f]\{16\}\)\{0,1\}$"
built 4
says_not "those that follow"
echo "1.1" >"$tmp/version"
built 4 # nothing is left to play
says_not "those that follow"
built 5
says "the games so far are of built 1.0 of May" "those that follow of built 1.1" "another --out"
says_not "of Yomi"
echo >>"$tmp/copy" # the same version, another program
built 6
if grep -q ', program ' "$tmp/b/results.csv"; then
    says "the games so far are of Yomi" "those that follow of Yomi"
    says_not "of built"
    [ "$(grep -o '^[0-9]\|^# [a-z]* is' "$tmp/b/results.csv" | tr -d '\n')" = \
        "# first is# second is1234# first is5# second is6" ] || fail "builds are not where they changed"
else
    echo "not checked: which program runs (the system does not show it)"
fi
sed -i '/ is /d' "$tmp/b/results.csv" # as files were before
built 7
says "going on after 6 games" "0 - 7"
says_not "those that follow"
has "$tmp/b/results.csv" "^# first is built 1.1"

# ---- a test that stops by itself ----
match "$good" "$tmp/resigner" --games 1000 --sprt 0,100 || fail "a sequential test"
says "LLR"
[ "$(grep -c ^game "$tmp/out")" -lt 100 ] || fail "the sequential test does not stop"
match "$good" "$good" --sprt 5 && fail "takes one bound for two"
says "for example --sprt 0,30"

# ---- a cycle that simple ko allows: three kos, and nobody gives in ----
# shellcheck disable=SC2016 # for the engine to expand
engine cycler 'moves=(C2 C8 C5); [ "$rest" = b ] || moves=(B8 B5 B2)
        printf "= %s\n\n" "${moves[i++ % 3]}"'
printf '(;SZ[9]AB[ab][ae][ah][ba][bc][bd][bf][bg][bi][cb][ce]AW[ca][cc][cd][cf][cg][ci][db][de][dh][bh]PL[W])' \
    >"$tmp/kos.sgf"
cycle() { # [OPTION]...
    "$YOMI" match "$tmp/cycler" "$tmp/cycler" --size 9 --games 2 --openings "$tmp/kos.sgf" "$@" >"$tmp/out" 2>&1
}
cycle --rules japanese --out "$tmp/kos" || fail "a match with a cycle"
says "game 2 of 2: Void" "(repetition, 12 moves)" "0 - 0 cycler (2), 2 drawn"
has "$tmp/kos/games/0001.sgf" 'RE\[Void\]'
cycle || fail "a match with a cycle, by superko"
says "illegal, 5 moves"

# ---- a clock ----
match "$good" "$good" --games 1 --main-time 60 --period 10 --stones 5 || fail "a match with clocks"
says "counted"

# ---- an opening, with both colours ----
printf '(;GM[1]SZ[5];B[cc];W[bb])' >"$tmp/openings.sgf"
match "$good" "$good" --games 2 --openings "$tmp/openings.sgf" --out "$tmp/o" || fail "openings"
for i in 1 2; do
    grep -q ';B\[cc\];W\[bb\]' "$tmp/o/games/000$i.sgf" || fail "game $i has another opening"
done

printf '(;GM[1]SZ[5];B[cc];W[bb])(;SZ[5];B[bb])' >"$tmp/openings.sgf"
match "$good" "$good" --games 3 --openings "$tmp/openings.sgf" --out "$tmp/o" || fail "other openings"
says "the file of openings has changed since the games so far"
match "$good" "$good" --games 4 --openings "$tmp/openings.sgf" --out "$tmp/o" || fail "the same openings"
says_not "has changed"

# ---- an opening with stones: the engines get them, the record has them, the right one moves ----
engine scribe "printf '= resign\n\n'"
sed -i "2iexec 3>>'$tmp/heard'" "$tmp/scribe"
sed -i "s/^while.*/&\n    echo \"\$command \$rest\" >\&3/" "$tmp/scribe"
heard() { # TEXT: in the last game, behind the seed's question
    local text
    text=$(tr -s '\n ' ' ' <"$tmp/heard" | sed 's/.*set_random_seed //')
    [[ $text = "$1"* ]] || fail "the engine heard: $text"
}
begins() { # GAME COLOUR: moves first
    grep -o ';[BW]\[' "$tmp/o/games/000$1.sgf" | head -1 | grep -q "$2" || fail "$2 does not begin"
}
opening() { # SGF [OPTION]...
    printf '%s' "$1" >"$tmp/openings.sgf"
    shift
    rm -rf "$tmp/heard" "$tmp/o"
    match "$tmp/scribe" "$good" --openings "$tmp/openings.sgf" --out "$tmp/o" "$@"
}
# The corner is whole only when its last stone is there; a stone taken off again is not played.
opening '(;SZ[5]AB[aa][ba][ee]AW[ab][bb][cb];AB[ca]AE[ee]PL[W];W[dd])' --games 2 || fail "stones"
for i in 1 2; do
    tr -d '\n' <"$tmp/o/games/000$i.sgf" >"$tmp/record"
    has "$tmp/record" 'AB\[aa\]\[ba\]\[ca\]AW\[ab\]\[bb\]\[cb\]PL\[W\].*;W\[dd\]'
done
has "$tmp/record" ';W\[dd\];B\['
heard "play B A5 play B B5 play B C5 play W A4 play W B4 play W C4 play W D2 play B "
has "$tmp/heard" "^genmove b" # the first game's
has "$tmp/heard" "^genmove w"
opening '(;SZ[5]AB[cc]PL[W])' --games 1 || fail "a stone, and White's move"
begins 1 W
opening '(;SZ[5];B[cc];PL[B])' --games 1 || fail "a move, and Black again"
heard "play B C3 genmove b"
opening '(;SZ[5]HA[2]AB[bb][dd])' --games 1 || fail "an opening with handicap"
has "$tmp/o/games/0001.sgf" 'HA\[2\]'
begins 1 W
heard "known_command set_free_handicap play B B4 play B D2 "
sed -i "s/ known_command)/ known_command) printf '= true\\\\n\\\\n' ;;\n    unknown)/" "$tmp/scribe"
opening '(;SZ[5]HA[2]AB[bb][dd])' --games 1 || fail "an opening with handicap"
has "$tmp/heard" "^set_free_handicap B4 D2"

# ---- openings that cannot be played are told of at once ----
opening '(;SZ[5];B[cc])(;SZ[5]AB[aa]AW[ab][bb][ca];W[cc];B[ba])' && fail "plays suicide"
says "opening 2 of" "move 2, illegal move: B5 is suicide" "--rules"
says_not "game 1"
opening '(;SZ[5]AB[aa]AW[ab][ba])' && fail "plays on with a string that has no liberty"
says "openings.sgf: line 1" "has no liberty"
opening '(;SZ[5];B[];W[])' && fail "begins where a game ended"
says "opening 1 of" "two passes"
opening '(;SZ[7];B[])' && fail "an opening of another size"
says "opening 1 of" "not on 5x5"
engine proud ''
sed -i "s/ name)/ play) printf '? not with me\\\\n\\\\n' ;;\n    name)/" "$tmp/proud"
printf '(;SZ[5])(;SZ[5];B[cc])' >"$tmp/openings.sgf"
match "$good" "$tmp/proud" --openings "$tmp/openings.sgf" && fail "plays with who refuses an opening"
says "proud' cannot play: opening 2: told play B C3, it answered: not with me"
says_not "game 1"
printf '(;GM[1]SZ[5];B[cc];W[bb])' >"$tmp/openings.sgf"

# ---- handicap, in the record and on the engines' boards ----
"$YOMI" match "$good" "$good" --size 7 --handicap 4 --games 2 --out "$tmp/h" >"$tmp/out" 2>&1 ||
    fail "a match with handicap"
says "counted"
for i in 1 2; do
    grep -q 'HA\[4\]' "$tmp/h/games/000$i.sgf" || fail "game $i has no handicap"
    grep -o ';[BW]\[' "$tmp/h/games/000$i.sgf" | head -1 | grep -q W || fail "Black begins game $i"
done
match "$good" "$good" --handicap 2 && fail "gives stones on 5x5"
says "no fixed handicap of 2 stones on 5x5"
match "$good" "$good" --handicap 2 --openings "$tmp/openings.sgf" && fail "an opening and handicap"
says "does not go with --openings"

# ---- shogi ----
shogi() { "$YOMI" match --game shogi "$@" >"$tmp/out" 2>&1; }
usi="'$YOMI' usi"
shogi "$usi" "$usi" --nodes 300 --nodes2 200 --games 2 --max-moves 120 --out "$tmp/s" \
    --second-options 'USI_Hash=1;MultiPV=2' || fail "a match of shogi"
says "Yomi" "game 2 of 2" "Elo"
[ "$(grep -c '^[0-9]*,' "$tmp/s/results.csv")" = 2 ] || fail "results.csv has not two games of shogi"
# A tree on the values of the static evaluation plays by the rules, too.
shogi "$usi --search uct" "$usi" --nodes 200 --games 2 --max-moves 80 --out "$tmp/su" ||
    fail "UCT plays no shogi"
[ "$(grep -c '^[0-9]*,' "$tmp/su/results.csv")" = 2 ] || fail "results.csv has not two games by UCT"
grep '^[0-9]*,' "$tmp/su/results.csv" | grep -v ',""$' && fail "UCT's shogi has a fault"
for i in 1 2; do
    grep -q '^N+Yomi' "$tmp/s/games/000$i.csa" || fail "no CSA record of game $i"
    grep -q '^%' "$tmp/s/games/000$i.csa" || fail "the record of game $i has no end"
done
"$YOMI" learn probability "$tmp"/s/games/*.csa --out "$tmp/table.csv" >"$tmp/out" 2>&1 ||
    fail "learning from the match"
says "2 games"
shogi "$usi" "$usi" --nodes 200 --games 1 --max-moves 40 --random-plies 0 \
    --first-options "DepthRule=realization;ProbabilityFile=$tmp/table.csv" \
    --second-options "DepthRule=half" || fail "a match of depth rules"
says "game 1 of 1"
# By USI's rules the first move may use its increment, so there need be no other time.
shogi "$usi" "$usi" --increment 2 --grace 50 --games 1 --max-moves 2 --random-plies 0 || fail "increments alone"
says "too-long, 2 moves"
shogi "$usi" "$usi" --games 1 && fail "plays without a limit for moves"
says "nothing says how long" "--byoyomi"
printf '# two\nstartpos moves 7g7f 3c3d\nsfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n' >"$tmp/openings"
shogi "$usi" "$usi" --games 3 --depth 2 --openings "$tmp/openings" --max-moves 20 --out "$tmp/so" ||
    fail "shogi with openings"
grep -q '^+7776FU' "$tmp/so/games/0002.csa" || fail "game 2 has another opening"
says "game 3 of 3: B+M"
printf 'startpos moves 7g7e\n' >"$tmp/openings"
shogi "$usi" "$usi" --depth 1 --openings "$tmp/openings" && fail "takes an illegal opening"
says "openings: line 1" "7g7e"
usi_engine() { # NAME: the rest is what it does for go
    local name=$1
    shift
    cat >"$tmp/$name" <<END
#!/usr/bin/env bash
while read -r command rest; do
    case \$command in
    usi) printf 'id name $name\nusiok\n' ;;
    isready) echo readyok ;;
    go) $* ;;
    quit) exit ;;
    esac
done
END
    chmod +x "$tmp/$name"
}
usi_engine usi-resigner "echo bestmove resign"
usi_engine usi-cheat "echo bestmove 1a1b"
usi_engine usi-liar "echo bestmove win"
usi_engine usi-crasher 'echo "out of luck" >&2; exit 3'
usi_engine usi-sleeper 'sleep 30'
for name in resigner cheat liar crasher; do
    shogi "$tmp/usi-$name" "$usi" --depth 1 --games 1 --random-plies 0 || fail "$name ends the match"
    says "usi-$name 0 - 1 Yomi"
done
says "it ended with status 3" "last said:" "out of luck"
usi_engine usi-talker 'echo info string oops; echo bestmove 1a1b'
usi_engine usi-late 'echo info string almost; sleep 0.6; echo bestmove 7g7f'
shogi "$tmp/usi-talker" "$usi" --depth 1 --games 1 --random-plies 0 --out "$tmp/f4" || fail "talker"
named "$tmp/f4" 0001.csa "it played '1a1b', which is not legal; last said:" "info string oops"
shogi "$tmp/usi-late" "$usi" --byoyomi 0.2 --games 1 --random-plies 0 --out "$tmp/f5" || fail "late"
named "$tmp/f5" 0001.csa "it took 0." " s for a move and had 0.00 s left and 0.20 s of byoyomi" "almost"
shogi "$tmp/usi-late" "$usi" --byoyomi 5 --games 1 --random-plies 0 --max-moves 1 --timeout 0.3 || fail "late"
says "too-long, 1 moves"
# Both stopped for longer than its patience, it does not find the engine late.
usi_engine usi-slow "echo \$\$ >'$tmp/slow-pid'; sleep 1; echo bestmove 7g7f"
"$YOMI" match --game shogi "$tmp/usi-slow" "$usi" --movetime 0.1 --timeout 2.5 --games 1 --random-plies 0 \
    --max-moves 1 >"$tmp/out" 2>&1 &
until [ -s "$tmp/slow-pid" ]; do
    kill -0 $! || { fail "ended before it asked: $(cat "$tmp/out")" && exit 1; }
    sleep 0.05
done
engine=$(cat "$tmp/slow-pid")
kill -STOP $! "$engine"
sleep 4
kill -CONT $!
sleep 0.4
kill -CONT "$engine"
wait $! || fail "stopped for a while"
says "too-long, 1 moves"
"$YOMI" convert "$tmp/f5/games/0001.csa" "$tmp/late.kif" >"$tmp/out" 2>&1 || fail "reads no comment"
shogi "$usi" "$usi" --depth 1 --games 1 --first-options "Thread=2" && fail "an option it has not"
says "it has no option Thread; did you mean Threads?"
shogi "$usi" "$usi" --depth 1 --games 1 --second-options "Threads" && fail "an option without a value"
says "its option Threads wants a value"
shogi "$usi" "$usi" --depth 1 --size 9 && fail "takes an option of Go"
says "--size has no meaning in shogi"
shogi "$good" "$usi" --depth 1 && fail "plays shogi by GTP"
says "unknown command 'usi'" "speaks USI"
shogi "$tmp/usi-sleeper" "$usi" --depth 1 --games 1 --timeout 1 || fail "sleeper ends the match"
says "hung"
shogi "$tmp/usi-sleeper" "$usi" --byoyomi 0.2 --games 1 --timeout 1 || fail "sleeper ends the match"
says "usi-sleeper 0 - 1"

# ---- without PATH engines are found where the shell finds them ----
(unset PATH && match "env $good" "$good" --games 1) || fail "without PATH"

# ---- a real opponent ----
gnugo=$(PATH=$PATH:/usr/games command -v gnugo) || gnugo=
if [ -n "$gnugo" ]; then
    # By its name alone, although PATH lacks the folder where Debian has games.
    (PATH=/usr/bin:/bin && match "$good" "gnugo --mode gtp --level 1 --chinese-rules" --games 2) || fail "against GNU Go"
    says "GNU Go" "counted"
else
    echo "not checked: a real opponent (no gnugo)"
fi
exit $failed
