# The rows of parallelism.csv as a Markdown table (form=table) or as an SVG plot of the share of games
# won by the batch's size (form=plot), with 95% intervals.
function field(line, n, i) { # of a line whose last three fields are quoted
    for (i = 1; i < n; i++) sub(/^[^,]*,/, "", line)
    sub(/,.*/, "", line)
    return line
}
function colour(name) {
    if (name == "weighed") return "#8a5fbf"
    if (name == "single") return "#c07f00"
    return name == "leaves" ? "#1b6ca8" : name == "each" ? "#d1495b" : "#3c8d53"
}
function says(name) {
    if (name == "norave") return "one leaf, without RAVE"
    if (name == "weighed") return "weight 2"
    if (name == "single") return "weight 2, one batch"
    return name == "leaves" ? "leaves" : name == "each" ? "playouts of one leaf" : "both alike"
}
function px(v) { return left + log(v) / log(2) / 20 * (width - left - right) }
function py(v) { return y0 - v / 100 * high }
function text(x, y, anchor, what) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, what
}
function panel(part, title, y, v, k, i, s, n, kinds, drawn) {
    y0 = y + high
    text((left + width - right) / 2, y - 10, "middle", "<tspan font-weight=\"bold\">" title "</tspan>")
    for (v = 0; v <= 100; v += 25) {
        printf "<path d=\"M%d %.1fH%d\" stroke=\"%s\"/>\n", left, py(v), width - right, \
            v == 50 ? "#999" : "#ddd"
        text(left - 6, py(v) + 4, "end", v "%")
    }
    for (v = 0; v <= 20; v += 2) text(px(2 ^ v), y0 + 18, "middle", "2<tspan dy=\"-5\" font-size=\"10\">" v "</tspan>")
    n = split("leaves each both weighed single", kinds, " ")
    drawn = 0
    for (k = 1; k <= n; k++) {
        s = ""
        for (i = 1; i <= rows; i++) {
            if (of[i] != part || kind[i] != kinds[k]) continue
            s = s sprintf("%.1f,%.1f ", px(batch[i]), py(score[i]))
            printf "<path d=\"M%.1f %.1fV%.1f\" stroke=\"%s\" stroke-opacity=\"0.4\" stroke-width=\"3\"/>\n", \
                px(batch[i]), py(low[i]), py(top[i]), colour(kinds[k])
            printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", px(batch[i]), py(score[i]), colour(kinds[k])
        }
        if (s == "") continue
        printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"%s\"/>\n", colour(kinds[k]), s
        text(left + 190 + 150 * drawn++, y0 - high + 16, "start", "<tspan fill=\"" colour(kinds[k]) "\">" says(kinds[k]) "</tspan>")
    }
}
/^#/ { note = note == "" ? substr($0, 3) : note ". " substr($0, 3); next }
/^part,/ { next }
{
    rows++
    of[rows] = field($0, 1)
    kind[rows] = field($0, 2)
    sub(/-.*/, "", kind[rows])
    batch[rows] = field($0, 3)
    split($0, quoted, "\"")
    result[rows] = quoted[2]
    first[rows] = quoted[4]
    second[rows] = quoted[6]
    match(quoted[2], /: [0-9.]+% \[[0-9.]+, [0-9.]+\]/)
    split(substr(quoted[2], RSTART + 2, RLENGTH - 2), number, /[][%, ]+/)
    score[rows] = number[1]; low[rows] = number[2]; top[rows] = number[3]
    match(quoted[2], / [0-9]+ - [0-9]+ /)
    wins[rows] = substr(quoted[2], RSTART + 1, RLENGTH - 2)
}
END {
    if (!rows) { print "parallelism.awk: no rows" >"/dev/stderr"; exit 1 }
    if (form == "table") {
        print note ".\n"
        print "| part | batch | made of | won - lost | share, 95% interval | engine | against |"
        print "|---|---|---|---|---|---|---|"
        for (i = 1; i <= rows; i++)
            printf "| %s | %d | %s | %s | %.1f%% [%.1f, %.1f] | `%s` | `%s` |\n", of[i], batch[i], \
                says(kind[i]), wins[i], score[i], low[i], top[i], first[i], second[i]
        exit
    }
    width = 720; left = 60; right = 20; high = 200
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" ", width, 780
    print "font-family=\"sans-serif\" font-size=\"13\">"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, 780
    panel("playouts", "Games won against one leaf at a time, equal playouts", 40)
    panel("chain", "Against a quarter of the batch, equal playouts", 290)
    panel("time", "Against one leaf at a time, equal time", 540)
    text((left + width - right) / 2, 772, "middle", "playouts in a batch")
    print "</svg>"
}
