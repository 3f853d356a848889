# The tables, from "cycles key=value ..." and "synth key=value ..." lines.
function value(key, i, pair) {
    for (i = 2; i <= NF; i++) {
        split($i, pair, "=")
        if (pair[1] == key) return pair[2]
    }
    return 0
}
function commas(n, text) {
    text = sprintf("%d", n)
    while (match(text, /[0-9][0-9][0-9][0-9](,|$)/))
        text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
    return text
}
function least(a, b) { return a < b ? a : b }
$1 == "cycles" {
    s = value("size")
    moves[s] = value("moves") / value("games")
    cycles[s] = value("cycles") / value("moves")
    attempts[s] = value("attempts") / value("moves")
    repeats[s] = 100 * value("repeats") / value("attempts")
    games[s] = value("games")
}
$1 == "synth" {
    s = value("size")
    lut[s] = value("lut"); ff[s] = value("ff"); bram[s] = value("bram36")
    levels[s] = value("levels"); ns[s] = value("ns"); logic[s] = value("logic_ns")
    slow[s] = value("ns_by_ratio")
    fit[s] = int(least(least(28800 / lut[s], 28800 / ff[s]), 48 / bram[s]))
}
function rate(s, mhz) { return 1e6 * mhz / (cycles[s] * moves[s]) }
END {
    split("9 13 19", sizes, " ")
    print "Cycles a move, whole playouts from the empty board, passes counted as moves:\n"
    print "| board | games | moves a game | attempts a move | made twice | cycles a move |"
    print "|---|---|---|---|---|---|"
    for (i = 1; i <= 3; i++) {
        s = sizes[i]
        printf "| %dx%d | %s | %.1f | %.3f | %.2f%% | %.2f |\n", s, s, commas(games[s]), moves[s],
               attempts[s], repeats[s], cycles[s]
    }
    print "\nTable 1: playouts/s at 30 MHz, and the cycles a move that they leave\n"
    print "| playouts/s | 300 moves a playout (theirs) | moves of our 19x19 |"
    print "|---|---|---|"
    for (n = 1000000; n >= 1000; n /= 10)
        printf "| %s | %s | %.2g |\n", commas(n), 1e5 / n, 3e7 / n / moves[19]
    printf "| **%s**: ours, 19x19 | | **%.2f** |\n", commas(rate(19, 30)), cycles[19]
    print "\nTable 3: resources, of an XC5VLX50 (theirs: 19x19, placed; ours: synthesised)\n"
    print "| | there are | theirs | ours 9x9 | 13x13 | 19x19 |"
    print "|---|---|---|---|---|---|"
    printf "| registers | 28,800 | 7,806 (27%%) |"
    for (i = 1; i <= 3; i++) printf " %s (%d%%) |", commas(ff[sizes[i]]), 100 * ff[sizes[i]] / 28800
    printf "\n| LUTs | 28,800 | 16,154 (56%%) |"
    for (i = 1; i <= 3; i++) printf " %s (%d%%) |", commas(lut[sizes[i]]), 100 * lut[sizes[i]] / 28800
    printf "\n| block RAM, 36 Kbit | 48 | 306 Kbit (17%%) |"
    for (i = 1; i <= 3; i++) printf " %d (%d%%) |", bram[sizes[i]], 100 * bram[sizes[i]] / 48
    printf "\n| units that fit | | 1 |"
    for (i = 1; i <= 3; i++) printf " %d |", fit[sizes[i]]
    print "\n\nTable 4: the longest path, ns (theirs: placed; ours: estimated)\n"
    print "| | theirs | ours 9x9 | 13x13 | 19x19 |"
    print "|---|---|---|---|---|"
    printf "| levels of LUTs | not told |"
    for (i = 1; i <= 3; i++) printf " %d |", levels[sizes[i]]
    printf "\n| logic | 27.7 | %s | %s | %s |\n", logic[9], logic[13], logic[19]
    printf "| total, 0.9 ns a net | | %s | %s | %s |\n", ns[9], ns[13], ns[19]
    printf "| total, their ratio of wiring to logic | 170.0 | %s | %s | %s |\n", slow[9], slow[13], slow[19]
    printf "| clock, MHz | 5.9 |"
    for (i = 1; i <= 3; i++) printf " %d to %d |", 1000 / slow[sizes[i]], 1000 / ns[sizes[i]]
    print "\n\nPlayouts/s\n"
    print "| board | theirs | TLPG | ours at 30 MHz | one unit at our clock | as many as fit |"
    print "|---|---|---|---|---|---|"
    for (i = 1; i <= 3; i++) {
        s = sizes[i]
        low = rate(s, 1000 / slow[s]); high = rate(s, 1000 / ns[s])
        printf "| %dx%d | %s | %s | %s | %s to %s | %s to %s (%d) |\n", s, s, s == 19 ? "40" : "",
               s == 9 ? "40,649" : s == 19 ? "4,668" : "", commas(rate(s, 30)), commas(low),
               commas(high), commas(fit[s] * low), commas(fit[s] * high), fit[s]
    }
}
