# results.md from the CSV files, the thesis' first: table51, table52, table53, then ours: gnugo,
# table51, fast, table52, table53, figures, waits.
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
    sub(/^# /, "")
    if (FNR == 1) sub(/^[^,]*/, "`&`") # the command
    made[name] = FNR == 1 ? $0 : made[name] "; " $0
    next
}
!heading { heading = 1; next } # the names of the columns
theirs && name == "table51" { their_gnugo[++their_runs] = $0; their_gnugo_sum += $3; next }
theirs && name == "table52" { their_boards[$1] = $2; next }
theirs && name == "table53" { their_blocks[$1] = $2; next }
name == "gnugo" { gnugo[++runs] = $0; gnugo_sum += $3 }
name == "table51" { kernel[$1, $2] = $5; lowest[$1, $2] = $6; highest[$1, $2] = $7 }
name == "fast" { fast = $1; fast_low = $2; fast_high = $3 }
name == "table52" { boards[$1, $2, $3 / $2] = $5; spread($7 / $6) }
name == "table53" { blocks[$1, $2, $4] = $5; spread($7 / $6) }
name == "figures" && $2 > 1000 {
    for (i = 4; i <= 7; i++)
        if ($i > top[$1, i]) { top[$1, i] = $i; where[$1, i] = $3 }
}
name == "figures" { sampled = $2 }
name == "waits" { waits[++groups] = $0 }
function spread(ratio) { if (ratio > widest) widest = ratio }

function table51(i, ours, their) {
    print "\n## Table 5.1: GNU Go's playouts, and the kernels'\n"
    print "Made by " made["gnugo"] ".\n"
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
    kernel_row("the thesis' kernel, 9 boards a block", 70660, "block", 1)
    kernel_row("its improvement: three boards in the 11 integers, 27 a block", 0, "block", 3)
    kernel_row("the same kernel, boards within warps", 0, "warp", 1)
    kernel_row("its improvement, boards within warps", 0, "warp", 3)
    row("Yomi's kernel, all rules ([docs/gpu.md](../../../docs/gpu.md))", 0, fast, fast_low, fast_high)
    print "\nKernels: " made["table51"] "; 40,000 blocks."
}
function row(what, thesis, ours, low, high) {
    printf "| %s | %s | %s | %s | %s | %s |\n", what, thesis ? commas(thesis) : "", \
        (ours > 1e6 ? millions(ours) : commas(ours)), low ? millions(low) " to " millions(high) : "", \
        thesis ? sprintf("%.1f", thesis / (their_gnugo_sum / their_runs)) : "", \
        commas(ours / (gnugo_sum / runs))
}
function kernel_row(what, thesis, how, k) {
    row(what, thesis, kernel[how, k], lowest[how, k], highest[how, k])
}
function table52(i, n) {
    print "\n## Table 5.2: boards a block\n"
    print "Made by " made["table52"] "; 10,000 blocks. Packed: three boards in\nthe 11 integers, so three times as many boards as the first column says. Within warps: no board\ncrosses warps, so that only a warp and not the block waits for its slowest board. [Plot](fig55.svg).\n"
    print "| boards a block | thesis | ours | packed | ours, within warps | packed, within warps |"
    print "|---|---|---|---|---|---|"
    for (n = 3; n <= 24; n += 3)
        printf "| %d | %s | %s | %s | %s | %s |\n", n, commas(their_boards[n]), \
            millions(boards["block", 1, n]), millions(boards["block", 3, n]), \
            millions(boards["warp", 1, n]), millions(boards["warp", 3, n])
}
function table53(n) {
    print "\n## Table 5.3: number of blocks\n"
    print "Made by " made["table53"] "; 9 boards a block, packed 27. [Plot](fig56.svg).\n"
    print "| blocks | thesis | ours | packed | ours, within warps | packed, within warps |"
    print "|---|---|---|---|---|---|"
    for (n = 1000; n <= 50000; n += 1000)
        if (n <= 10000 || n % 5000 == 0)
            printf "| %s | %s | %s | %s | %s | %s |\n", commas(n), commas(their_blocks[n]), \
                millions(blocks["block", 1, n]), millions(blocks["block", 3, n]), \
                millions(blocks["warp", 1, n]), millions(blocks["warp", 3, n])
}
function figure(number, what, column, thesis) {
    printf "| [%s](fig%s.svg) | %s | %s | %d (%.2f) | %d (%.2f) |\n", number, \
        substr(number, 1, 1) substr(number, 3), what, thesis, where[10, column], top[10, column], \
        where[20, column], top[20, column]
}
function figures() {
    print "\n## Figures 5.1 to 5.4: by move number\n"
    print "Made by " made["figures"] ". Where each curve has its highest point, and how high it is,\nof " commas(sampled) " games; games that are over count as zero, as in the thesis, whose figures\nsurvive only as what its text says of them.\n"
    print "| figure | what | thesis: at move | ours, 10 draws | ours, 20 draws |"
    print "|---|---|---|---|---|"
    figure("5.1", "draws until a legal move, mean", 4, "about 80")
    figure("5.2", "the same, variance", 5, "90 to 100")
    figure("5.3", "spread steps, mean", 6, "about 80")
    figure("5.4", "the same, variance", 7, "90 to 100")
}
function waiting(i, n) {
    print "\n## What boards wait for each other\n"
    print "Made by " made["waits"] ". A group is played in\nstep: each of its turns takes as many draws and spread steps as its slowest board. Means over groups;\nthe last column is draws and steps of a group for each of its boards.\n"
    print "| draws before a pass | boards in a group | turns | draws | spread steps | draws and steps a board |"
    print "|---|---|---|---|---|---|"
    for (i = 1; i <= groups; i++) {
        split(waits[i], n, ",")
        printf "| %d | %d | %.1f | %s | %s | %.1f |\n", n[1], n[2], n[3], commas(n[4]), \
            commas(n[5]), (n[4] + n[5]) / n[2]
    }
}
END {
    print "# Results\n"
    print "Medians of seven launches, each timed by CUDA events round the kernel and the copy of its results; the\nfastest launch of a line of tables 5.2 and 5.3 was at most " sprintf("%.1f%%", 100 * (widest - 1)) " faster than the slowest. What it means is\nsaid in experiments/tano/README.md."
    table51()
    table52()
    table53()
    figures()
    waiting()
}
