#!/usr/bin/env bash
# Real desktop programs of Debian with the engine, on a screen of their own: a game in XBoard over USI
# through uci2wb, and one in qgo over GTP. With PICTURES=FOLDER it leaves pictures there.
. tests/lib.sh
PATH=$PATH:/usr/games
skip() {
    echo "not checked: $1"
    echo "$1" >"$BUILD/skipped_gui"
    exit 77
}
for program in Xvfb xdotool openbox qgo xboard uci2wb; do
    command -v "$program" >/dev/null || skip "$program is not installed"
done
export HOME=$tmp/home YOMI_CONFIG='' YOMI_CACHE=''
mkdir -p "$HOME/.config/qGo"

# ---- a screen ----
exec 3>"$tmp/display"
Xvfb -displayfd 3 -screen 0 1100x900x24 >"$tmp/xvfb" 2>&1 &
screen=$!
for _ in $(seq 200); do
    [ -s "$tmp/display" ] && break
    sleep 0.1
done
DISPLAY=:$(cat "$tmp/display")
export DISPLAY
openbox >/dev/null 2>&1 &
manager=$!
trap 'kill $manager $screen 2>/dev/null; rm -rf "$tmp"' EXIT
picture() { # NAME
    if [ -n "${PICTURES-}" ] && command -v import >/dev/null; then import -window root "$PICTURES/$1.png"; fi
}
wait_for() { # COUNT TEXT FILE: lines with the text
    for _ in $(seq 300); do
        [ -e "$3" ] && [ "$(grep -c -- "$2" "$3")" -ge "$1" ] && return
        sleep 0.2
    done
    fail "not $1 of '$2' in the log: $(tail -3 "$3" 2>/dev/null)"
}

# ---- XBoard: the engine against itself ----
printf '#!/bin/sh\nexec "%s" usi --log "%s/usi.log"\n' "$YOMI" "$tmp" >"$tmp/yomi-usi"
printf '#!/bin/sh\nexec "%s" gtp --time 0.5 --log "%s/gtp.log"\n' "$YOMI" "$tmp" >"$tmp/yomi-gnugo"
chmod +x "$tmp/yomi-usi" "$tmp/yomi-gnugo"
xboard -variant shogi -fcp "uci2wb -s $tmp/yomi-usi" -scp "uci2wb -s $tmp/yomi-usi" -mg 1 -mps 0 -tc 0:05 -inc 1 \
    -boardSize middling >/dev/null 2>&1 &
board=$!
wait_for 20 '< bestmove [1-9A-Z]' "$tmp/usi.log"
picture xboard
grep -i 'illegal' "$tmp/usi.log" && fail "XBoard and Yomi disagree about the rules"
kill $board
wait $board 2>/dev/null

# ---- qgo: clicks as Black, the engine is White ----
# qgo numbers its commands, and finds its answers by them, only if the engine's path ends in gnugo.
printf '[ENGINES]\n1\\path=%s\n1\\args=\n1\\name=Yomi\n1\\komi=7.5\n1\\default=true\nsize=1\n' "$tmp/yomi-gnugo" \
    >"$HOME/.config/qGo/qGo.conf"
qgo >"$tmp/qgo" 2>&1 &
board=$!
focus() { # NAME: waits for the window
    local window
    window=$(timeout 60 xdotool search --sync --onlyvisible --name "$1" | tail -1) || fail "no window $1"
    xdotool windowactivate --sync "$window"
    sleep 1
}
click() { xdotool mousemove "$1" "$2" click 1; }
focus 'qGo 2'
xdotool key ctrl+n
focus '^Dialog$'
eval "$(xdotool getactivewindow getwindowgeometry --shell)"
# xdotool counts the frame of the window twice.
click $((X + 85)) $((Y + 93)) # White is the computer
sleep 0.5
click $((X + 115)) $((Y + 264)) # OK
focus ' vs\. '
wait_for 1 'clear_board' "$tmp/gtp.log"
sleep 1
# Each next click is taken only if the engine's stone is on the board: else it is not Black's turn.
# K10 is at 294, 457 as qgo draws its board in a window of this size, and the next line 28 further.
played=0
for row in 0 1 -1 2 -2 3; do
    click 294 $((457 + 28 * row))
    played=$((played + 1))
    wait_for $played '> [0-9]* *genmove' "$tmp/gtp.log"
    wait_for $played '< =[0-9]* [A-T][1-9]' "$tmp/gtp.log"
    sleep 1
done
picture qgo
[ "$(grep -c '> [0-9]* *play' "$tmp/gtp.log")" -eq $played ] || fail "qgo has sent other moves than the clicks"
grep -q '< ?' "$tmp/gtp.log" && fail "the engine refuses: $(grep '< ?' "$tmp/gtp.log")"
kill $board
wait $board 2>/dev/null
exit $failed
