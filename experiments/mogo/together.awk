# Several results files of `yomi match` between the same two engines as one result, and once more without
# the games that ended by a crash. Draws count half:
#   awk -f experiments/mogo/together.awk FILE...
/^[0-9]/ {
    n = split($0, field, ",")
    if (n < 6 || (field[3] != "first" && field[3] != "second" && field[3] != "draw")) next
    add(0, field[3])
    if (field[5] != "crashed") add(1, field[3])
}
function add(k, winner) {
    games[k]++
    won[k] += winner == "first"
    drawn[k] += winner == "draw"
}
function elo(p) { return p <= 0 ? "-inf" : p >= 1 ? "+inf" : sprintf("%+.0f", 400 * log(p / (1 - p)) / log(10)) }
# With Wilson's interval, as the match prints it.
function show(w, d, n,    p, z2, middle, half) {
    p = (w + d / 2) / n
    z2 = 1.959964 ^ 2
    middle = (p + z2 / 2 / n) / (1 + z2 / n)
    half = sqrt(z2 * (p * (1 - p) / n + z2 / 4 / n / n)) / (1 + z2 / n)
    printf "%d - %d%s: %.1f%% [%.1f, %.1f], Elo %s [%s, %s]\n", w, n - w - d, d ? ", " d " drawn" : "", 100 * p,
        100 * (middle - half), 100 * (middle + half), elo(p), elo(middle - half), elo(middle + half)
}
END {
    if (!games[0]) {
        print "no games in these files" > "/dev/stderr"
        exit 1
    }
    show(won[0], drawn[0], games[0])
    if (games[1] < games[0]) {
        printf "without %d that ended by a crash: ", games[0] - games[1]
        show(won[1], drawn[1], games[1])
    }
}
