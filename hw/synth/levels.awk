# The longest path of a netlist between registers, from Yosys's write_blif -attr-less output with
# cells as .subckt. Prints: levels of LUTs (a distributed RAM's read is one), CARRY4s and MUXF7/8s
# on the path, and its delay in ns by two sets of assumptions.
#   -v net=0.9      ns of wiring for each net between LUTs: the estimate that a person would make
#   -v ratio=5.14   wiring as a multiple of logic, the source document's 142.3 / 27.7
# Logic, in ns, near a Virtex-5 of the slowest grade: LUT 0.1, MUXF 0.2, CARRY4 0.1 a cell, flip-flop
# 0.5 out and 0.4 in, block RAM 2.5 out and 0.4 in. Wiring within a slice (MUXF, carry) is free.
BEGIN {
    if (net == "") net = 0.9
    if (ratio == "") ratio = 5.14
}
$1 != ".subckt" { next }
{
    cell = $2
    outputs = ""
    inputs = ""
    for (i = 3; i <= NF; i++) {
        eq = index($i, "=")
        port = substr($i, 1, eq - 1)
        wire = substr($i, eq + 1)
        sub(/\[.*/, "", port)
        if (port ~ /^(O|CO|Q|LO|DO[A-D]?P?|DOADO|DOBDO|DO[AB]?DOP?|DOPADOP|DOPBDOP|DOP[AB]?|CASCADEOUT.*|Q31)$/)
            outputs = outputs " " wire
        else if (!(cell ~ /^RAM[0-9]+[MX]/ && port !~ /^ADDR|^A[0-9]|^DPRA/) && port !~ /^(CLK|C|WCLK|CLKA|CLKB|CLKARDCLK|CLKBWRCLK|RDCLK|WRCLK)$/)
            inputs = inputs " " wire
        # What a distributed RAM is written is stored, not passed on.
        else if (cell ~ /^RAM[0-9]+[MX]/ && port !~ /CLK/)
            ends[wire] = 0.4
    }
    if (cell ~ /^(LUT|INV|MUXF|CARRY4|RAM[0-9]+[MX]|BUFG)/) {
        n = split(outputs, o, " ")
        for (i = 1; i <= n; i++) {
            driver[o[i]] = cell
            from[o[i]] = inputs
        }
    } else { # a register: a path ends and another begins
        out = cell ~ /^RAMB/ ? 2.5 : 0.5
        n = split(outputs, o, " ")
        for (i = 1; i <= n; i++) start[o[i]] = out
        n = split(inputs, o, " ")
        for (i = 1; i <= n; i++) ends[o[i]] = 0.4
    }
}
# Fills arrival[w] (estimate), logic[w], and through what it came.
function visit(w, list, i, n, best, in_, t, a, type) {
    if (w in arrival) return
    if (!(w in driver)) {
        logic[w] = w in start ? start[w] : 0
        arrival[w] = logic[w]
        luts[w] = carries[w] = muxes[w] = 0
        return
    }
    arrival[w] = -1 # a loop would come back here; there is none
    type = driver[w]
    n = split(from[w], list, " ")
    best = ""
    for (i = 1; i <= n; i++) {
        in_ = list[i]
        visit(in_)
        t = arrival[in_] + wiring(in_, type)
        if (best == "" || t > a) { a = t; best = in_ }
        if (logic[in_] > logic[w]) logic[w] = logic[in_]
    }
    luts[w] = luts[best]; carries[w] = carries[best]; muxes[w] = muxes[best]
    if (type ~ /^CARRY4/) { t = 0.1; carries[w]++ }
    else if (type ~ /^MUXF/) { t = 0.2; muxes[w]++ }
    else { t = 0.1; luts[w]++ }
    logic[w] += t
    arrival[w] = a + t
    came[w] = best
}
function wiring(w, to) {
    if (to ~ /^MUXF/ || (to ~ /^CARRY4/ && w in driver)) return 0
    return net
}
END {
    for (w in ends) {
        visit(w)
        t = arrival[w] + net + ends[w]
        if (t > worst) { worst = t; place = w }
        if (logic[w] + ends[w] > most) most = logic[w] + ends[w]
        if (luts[w] > levels) levels = luts[w]
    }
    printf "levels=%d luts=%d carries=%d muxes=%d ns=%.1f logic_ns=%.1f ns_by_ratio=%.1f\n",
           levels, luts[place], carries[place], muxes[place], worst, most, most * (1 + ratio)
    if (path) for (w = place; w != ""; w = came[w]) print "  " arrival[w], driver[w], w
}
