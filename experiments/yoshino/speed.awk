# The speed table beside the document's, as Markdown (form=table) or as stacked bars of time by part in
# SVG (form=plot). Input: the CSV of bench_yoshino; the document's rows are here.
BEGIN {
    FS = ","
    parts = split("evaluation children features update rest", part, " ")
    split("#1b6ca8 #3c8d53 #c98a1b #8d5fa8 #bbbbbb", colour, " ")
    # search, evaluations/s, positions, search s, evaluation, children, features, update; the rest with
    # what went to and from the GPU
    document("dlshogi (document)", "110,1000,9.1,4.3,3.6,0.29,0.12")
    document("MCSS (document)", "1777,84956,47.8,4.6,3.6,26.6,2.5")
    document("MCSS, differences (document)", "3089,84956,27.5,4.6,3.6,7.1,2.5")
}
function document(called, numbers, f, i, known) {
    split(numbers, f, ",")
    name[++rows] = called; rate[rows] = f[1]; positions[rows] = f[2]; total[rows] = f[3]
    for (i = 1; i <= 4; i++) { time[rows, i] = f[3 + i]; known += f[3 + i] }
    time[rows, 5] = f[3] - known
}
/^#/ { note = note == "" ? substr($0, 3) : note "; " substr($0, 3); next }
/^search,/ { next }
{
    name[++rows] = $1 == "puct-1" ? "PUCT, one leaf at a time" : $1 == "puct" ? "PUCT" : "MCSS"
    rate[rows] = $2; positions[rows] = $3; total[rows] = $5
    for (i = 1; i <= parts; i++) time[rows, i] = $(5 + i)
    here++
}
function text(x, y, anchor, what) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, what
}
END {
    if (!here) { print "speed.awk: no rows" >"/dev/stderr"; exit 1 }
    if (form == "table") {
        print note ".\n"
        print "| search | evaluations/s | positions | search, s | evaluation | children | features | update | rest |"
        print "|---|---|---|---|---|---|---|---|---|"
        for (r = 1; r <= rows; r++) {
            printf "| %s | %.0f | %.0f | %.3f |", name[r], rate[r], positions[r], total[r]
            for (i = 1; i <= parts; i++) printf " %.4f |", time[r, i]
            print ""
        }
        print "\nSeconds for one search, means over the positions. Parts are timed alone and multiplied by their"
        print "number; the rest is tree, queue, waiting and, on a GPU, transfers. The document's search with one"
        print "leaf at a time is dlshogi's."
        exit
    }
    width = 760; left = 220; top = 60; step = 40; bottom = top + rows * step
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" ", width, bottom + 30
    print "font-family=\"sans-serif\" font-size=\"13\">"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", width, bottom + 30
    text(width / 2, 22, "middle", "<tspan font-weight=\"bold\">Where the time of a search goes (shares), and evaluations/s</tspan>")
    for (i = 1; i <= parts; i++)
        text(left + (i - 1) * 95, 45, "start", "<tspan fill=\"" colour[i] "\">■</tspan> " part[i])
    for (r = 1; r <= rows; r++) {
        y = top + (r - 1) * step
        x = left; sum = 0
        for (i = 1; i <= parts; i++) sum += time[r, i] > 0 ? time[r, i] : 0
        for (i = 1; i <= parts && sum > 0; i++) {
            share = (time[r, i] > 0 ? time[r, i] : 0) / sum * (width - left - 100)
            printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"24\" fill=\"%s\"/>\n", x, y, share, colour[i]
            x += share
        }
        text(left - 8, y + 17, "end", name[r])
        text(x + 6, y + 17, "start", sprintf("%.0f/s", rate[r]))
    }
    print "</svg>"
}
