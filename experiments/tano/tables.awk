# results.md from the CSV files, the thesis' first: table51, table52, table53, then ours: gnugo,
# table51, fast, table52, table53, figures.
function commas(n, text) {
    text = sprintf("%.0f", n)
    while (match(text, /[0-9][0-9][0-9][0-9](,|$)/))
        text = substr(text, 1, RSTART) "," substr(text, RSTART + 1)
    return text
}
function millions(n) { return sprintf("%.2f M", n / 1e6) }
FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.csv$/, "", name)
    theirs = FILENAME ~ /thesis\//
    heading = 0
}
/^#/ {
    if (!theirs) { sub(/^# /, ""); made[name] = made[name] (made[name] == "" ? "" : "; ") $0 }
    next
}
!heading { heading = 1; next } # the names of the columns
theirs && name == "table51" { their_gnugo[++their_runs] = $0; their_gnugo_sum += $3; next }
theirs && name == "table52" { their_boards[$1] = $2; next }
theirs && name == "table53" { their_blocks[$1] = $2; next }
name == "gnugo" { gnugo[++runs] = $0; gnugo_sum += $3 }
name == "table51" { kernel[$2] = $5; kernel_low[$2] = $6; kernel_high[$2] = $7; kernel_at[$2] = $3 }
name == "fast" { fast = $1; fast_low = $2; fast_high = $3 }
name == "table52" { boards[$1, $2, $3 / $2] = $5; spread($7 / $6) }
name == "table53" { blocks[$2, $4] = $5; spread($7 / $6) }
name == "figures" && $2 > 1000 {
    for (i = 4; i <= 7; i++)
        if ($i > top[$1, i]) { top[$1, i] = $i; where[$1, i] = $3 }
}
name == "figures" { sampled = $2 }
function spread(ratio) { if (ratio > widest) widest = ratio }

function table51(i, ours, their) {
    print "\n## Table 5.1: GNU Go's playouts, and the kernels'\n"
    print "Made by `" made["gnugo"] "`.\n"
    print "| thesis: playouts | seconds | a second | ours: playouts | seconds | a second |"
    print "|---|---|---|---|---|---|"
    for (i = 1; i <= their_runs; i++) {
        split(their_gnugo[i], their, ",")
        split(gnugo[i], ours, ",")
        printf "| %s | %.2f | %s | %s | %.2f | %s |\n", commas(their[1]), their[2], \
            commas(their[3]), commas(ours[1]), ours[2], commas(ours[3])
    }
    printf "| mean | | %s | | | %s |\n", commas(their_gnugo_sum / their_runs), commas(gnugo_sum / runs)
    print "\n| playouts a second, 9x9, empty board | thesis | ours | lowest to highest | times GNU Go, thesis | ours |"
    print "|---|---|---|---|---|---|"
    row("GNU Go 3.8, one core", their_gnugo_sum / their_runs, gnugo_sum / runs, 0, 0)
    row("the thesis' kernel, " kernel_at[1] " boards a block", 70660, kernel[1], kernel_low[1], kernel_high[1])
    row("three boards in the 11 integers, " kernel_at[3] " a block", 0, kernel[3], kernel_low[3], kernel_high[3])
    row("Yomi's kernel, all rules", 0, fast, fast_low, fast_high)
    print "\nKernels: `" made["table51"] "`."
}
function row(what, thesis, ours, low, high) {
    printf "| %s | %s | %s | %s | %s | %s |\n", what, thesis ? commas(thesis) : "", \
        (ours > 1e6 ? millions(ours) : commas(ours)), low ? millions(low) " to " millions(high) : "", \
        thesis ? sprintf("%.1f", thesis / (their_gnugo_sum / their_runs)) : "", \
        commas(ours / (gnugo_sum / runs))
}
function table52(i, n) {
    print "\n## Table 5.2: boards a block\n"
    print "Made by `" made["table52"] "`; 10,000 blocks. Ours in two readings of the thesis: a warp\nwaits for the slowest of its three boards, or the block for the slowest of all. Packed: three times as\nmany boards as the first column says. [Plot](fig55.svg).\n"
    print "| boards a block | thesis | a warp waits | packed | a block waits | packed |"
    print "|---|---|---|---|---|---|"
    for (n = 3; n <= 24; n += 3)
        printf "| %d | %s | %s | %s | %s | %s |\n", n, commas(their_boards[n]), \
            millions(boards["warp", 1, n]), millions(boards["warp", 3, n]), \
            millions(boards["block", 1, n]), millions(boards["block", 3, n])
}
function table53(n) {
    print "\n## Table 5.3: number of blocks\n"
    print "Made by `" made["table53"] "`; 9 boards a block, packed 27; a warp waits. [Plot](fig56.svg).\n"
    print "| blocks | thesis | ours | packed |"
    print "|---|---|---|---|"
    for (n = 1000; n <= 50000; n += 1000)
        if (n <= 10000 || n % 5000 == 0 || n == 41000)
            printf "| %s | %s | %s | %s |\n", commas(n), commas(their_blocks[n]), \
                millions(blocks[1, n]), millions(blocks[3, n])
}
function figure(number, what, column, thesis) {
    printf "| [%s](fig%s.svg) | %s | %s | %d (%.2f) | %d (%.2f) |\n", number, \
        substr(number, 1, 1) substr(number, 3), what, thesis, where[10, column], top[10, column], \
        where[20, column], top[20, column]
}
function figures() {
    print "\n## Figures 5.1 to 5.4: by move number\n"
    print "Made by `" made["figures"] "`. Where each curve has its highest point, and how high it is,\nof " commas(sampled) " games; games that are over count as zero, as in the thesis, whose figures\nsurvive only as what its text says of them.\n"
    print "| figure | what | thesis: at move | ours, 10 draws | ours, 20 draws |"
    print "|---|---|---|---|---|"
    figure("5.1", "draws until a legal move, mean", 4, "about 80")
    figure("5.2", "the same, variance", 5, "90 to 100")
    figure("5.3", "spread steps, mean", 6, "about 80")
    figure("5.4", "the same, variance", 7, "90 to 100")
}
END {
    print "# Results\n"
    print "Medians of 11 launches, each timed by CUDA events round the kernel and the copy of its results; the\nfastest launch of a line of tables 5.2 and 5.3 was at most " sprintf("%.1f%%", 100 * (widest - 1)) " faster than the slowest. What it means is\nsaid in experiments/tano/README.md."
    table51()
    table52()
    table53()
    figures()
}
