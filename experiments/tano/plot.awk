# A line plot as SVG. Input: "series TAB x TAB y" lines, ordered by x within a series. Variables:
# title, xname, yname; from and to (may be empty): a stretch of x that is marked as the thesis' peak.
BEGIN {
    FS = "\t"
    width = 720; height = 400; left = 60; right = 20; top = 40; bottom = 50
    split("#1b6ca8 #d1495b #3c8d53 #8d5fa8 #c98a1b", colours, " ")
}
{
    if (!($1 in number)) { number[$1] = ++count; names[count] = $1 }
    k = number[$1]
    x[k, ++length_of[k]] = $2
    y[k, length_of[k]] = $3
    if ($2 > xmax) xmax = $2
    if ($3 > ymax) ymax = $3
}
# The next of 1, 2, 5, 10, 20 ... that makes at most n steps of a range.
function nice(range, n, step) {
    for (step = 1e-6; ; step *= 10) {
        if (range / step <= n) return step
        if (range / (2 * step) <= n) return 2 * step
        if (range / (5 * step) <= n) return 5 * step
    }
}
function px(v) { return left + v / xmax * (width - left - right) }
function py(v) { return height - bottom - v / ymax * (height - top - bottom) }
function text(at_x, at_y, anchor, what) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", at_x, at_y, anchor, what
}
END {
    if (!count) { print "plot.awk: nothing to plot" >"/dev/stderr"; exit 1 }
    xstep = nice(xmax, 10); ystep = nice(ymax, 6)
    ymax = ystep * (int(ymax / ystep * 0.999999) + 1)
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" ", width, height
    print "font-family=\"sans-serif\" font-size=\"13\">"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, height
    if (from != "") {
        pad = from == to ? 0.5 : 0
        printf "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#f1e3b6\"/>\n", \
            px(from - pad), top, px(to + pad) - px(from - pad), height - top - bottom
    }
    for (v = 0; v <= ymax * 1.000001; v += ystep) {
        printf "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>\n", left, py(v), width - right
        text(left - 6, py(v) + 4, "end", v)
    }
    for (v = 0; v <= xmax; v += xstep) text(px(v), height - bottom + 18, "middle", v)
    text(width / 2, 22, "middle", "<tspan font-weight=\"bold\">" title "</tspan>")
    text((left + width - right) / 2, height - 12, "middle", xname)
    text(left - 6, top - 10, "start", yname)
    for (k = 1; k <= count; k++) {
        printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", colours[k]
        for (i = 1; i <= length_of[k]; i++) printf "%.1f,%.1f ", px(x[k, i]), py(y[k, i])
        print "\"/>"
    }
    # The key: at the bottom if the lines are high there, else at the top on the right.
    high = y[1, length_of[1]] > ymax / 2
    for (k = 1; k <= count + (from != ""); k++) {
        line = high ? height - bottom - 18 * (count - k + 1) : top + 18 * k
        mark = k > count
        printf "<rect x=\"%d\" y=\"%d\" width=\"18\" height=\"%d\" fill=\"%s\"/>\n", width - 250, \
            line - (mark ? 10 : 6), mark ? 12 : 3, mark ? "#f1e3b6" : colours[k]
        text(width - 225, line, "start", mark ? "the thesis' peak" : names[k])
    }
    print "</svg>"
}
