# Rows of matches beside the paper's, as a Markdown table (form=table) or as an SVG plot (form=plot).
# Input: row,paper,plus-minus,"result","first","second","when"; a - where the paper has no number.
/^#/ { note = note == "" ? substr($0, 3) : note ". " substr($0, 3); next }
/^row,/ { next }
{
    rows++
    split($0, quoted, "\"")
    split(quoted[1], plain, ",")
    name[rows] = plain[1]; paper[rows] = plain[2]; spread[rows] = plain[3]
    first[rows] = quoted[4]; second[rows] = quoted[6]; when[rows] = quoted[8]
    match(quoted[2], /: [0-9.]+% \[[0-9.]+, [0-9.]+\]/)
    split(substr(quoted[2], RSTART + 2, RLENGTH - 2), number, /[][%, ]+/)
    score[rows] = number[1]; low[rows] = number[2]; high[rows] = number[3]
    match(quoted[2], /[0-9]+ - [0-9]+/)
    wins[rows] = substr(quoted[2], RSTART, RLENGTH)
}
function text(x, y, anchor, what) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, what
}
function px(v) { return left + v / 100 * (width - left - right) }
function bar(y, colour, at, from, to) {
    printf "<path d=\"M%.1f %.1fH%.1f\" stroke=\"%s\" stroke-width=\"3\" stroke-opacity=\"0.45\"/>\n", \
        px(from < 0 ? 0 : from), y, px(to > 100 ? 100 : to), colour
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n", px(at), y, colour
}
END {
    if (!rows) { print "report.awk: no rows" >"/dev/stderr"; exit 1 }
    if (form == "table") {
        print note ".\n"
        print "| row | the paper's | won - lost | share, 95% interval | engine | against | when |"
        print "|---|---|---|---|---|---|---|"
        for (i = 1; i <= rows; i++)
            printf "| %s | %s | %s | %.1f%% [%.1f, %.1f] | `%s` | `%s` | %s |\n", name[i], \
                paper[i] == "-" ? "" : paper[i] "%" (spread[i] == "-" ? "" : " ± " spread[i]), \
                wins[i], score[i], low[i], high[i], first[i], second[i], when[i]
        exit
    }
    width = 720; left = 130; right = 20; top = 50; step = 44
    for (i = 1; i <= rows; i++)
        if (left < 8 * length(name[i]) + 20) left = 8 * length(name[i]) + 20
    bottom = top + step * rows
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" ", width, bottom + 40
    print "font-family=\"sans-serif\" font-size=\"13\">"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, bottom + 40
    text((left + width - right) / 2, 20, "middle", "<tspan font-weight=\"bold\">" title ": games won, with 95% intervals</tspan>")
    for (v = 0; v <= 100; v += 25) {
        printf "<path d=\"M%.1f %dV%d\" stroke=\"%s\"/>\n", px(v), top - 8, bottom, v == 50 ? "#999" : "#ddd"
        text(px(v), bottom + 18, "middle", v "%")
    }
    for (i = 1; i <= rows; i++) {
        y = top + step * (i - 0.5)
        text(left - 10, y + 4, "end", name[i])
        bar(y - 7, "#1b6ca8", score[i], low[i], high[i])
        if (paper[i] != "-") bar(y + 7, "#888888", paper[i], paper[i] - spread[i], paper[i] + spread[i])
    }
    text(left, 38, "start", "<tspan fill=\"#1b6ca8\">● here</tspan> <tspan dx=\"12\" fill=\"#888888\">● the paper</tspan>")
    print "</svg>"
}
