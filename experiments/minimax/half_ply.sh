#!/usr/bin/env bash
# Table 3.1 of the survey in Tano's thesis (2010) again: what YSS's 0.5-ply extension costs.
#   experiments/minimax/half_ply.sh OUT [--branching N] [--depth N] [--shogi-depth N]
# OUT.md and OUT.csv get the leaves of a uniform tree with and without the extension, beside the
# thesis's figures, and the nodes of the real search with and without it in some positions of shogi,
# to one depth more at a time up to --shogi-depth.
set -euo pipefail
usage() { # STATUS
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit "$1"
}
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/common.sh"
out='' branching=20 depth=10 shogi_depth=4
command="experiments/minimax/half_ply.sh $*"
read_options "branching depth shogi-depth" "$@"
mkdir -p "$(dirname "$out")"

# Depth in halves: the best child costs one, the others two, and less than two is dropped.
tree() {
    awk -v b="$branching" -v n="$depth" '
    BEGIN {
        split("1.04 1.14 1.28 1.46 1.70 2.00 2.35 2.79 3.32", thesis, " ")
        leaves[0] = leaves[1] = 1
        longest[0] = longest[1] = 0
        for (h = 2; h <= 2 * n; h++) {
            leaves[h] = leaves[h - 1] + (b - 1) * leaves[h - 2]
            longest[h] = longest[h - 1] + 1
        }
        for (d = 2; d <= n; d++)
            printf "%d,%.0f,%.0f,%.4f,%s,%d\n", d, b ^ d, leaves[2 * d], leaves[2 * d] / b ^ d,
                b == 20 && d <= 10 ? thesis[d - 1] : "", longest[2 * d]
    }'
}

positions=(
    "startpos"
    "sfen ln1gk2nl/1rs2sgb1/p1pppp1pp/1p4p2/7P1/2P6/PP1PPPP1P/1BG4R1/LNS1KGSNL b - 13"
    "sfen ln5nl/1r2gkgs1/p1pp1pbp1/1p2psp1p/3P3P1/2P1PSP1P/PPSG1P1B1/2K1G2R1/LN5NL b - 1"
)
nodes() { # RULE DEPTH POSITION PRUNING
    printf 'setoption name DepthRule value %s\nsetoption name Pruning value %s\nisready\nposition %s\ngo depth %d\n' \
        "$1" "$4" "$3" "$2" | yomi usi | sed -n "s/^info depth $2 .* nodes \([0-9]*\) .*/\1/p" | tail -n 1
}
shogi() { # PRUNING DEPTH
    local d plain half i
    for ((d = 1; d <= $2; d++)); do
        plain=0 half=0
        for i in "${positions[@]}"; do
            plain=$((plain + $(nodes plain "$d" "$i" "$1")))
            half=$((half + $(nodes half "$d" "$i" "$1")))
        done
        echo "$d,$plain,$half,$(awk -v a="$half" -v b="$plain" 'BEGIN { printf "%.2f", a / b }')"
    done
}

tree_rows=$(tree)
exact_rows=$(shogi none "$shogi_depth")
safe_rows=$(shogi safe $((shogi_depth + 3)))
{
    echo "tree,depth,plain_leaves,half_leaves,cost,thesis,longest"
    awk '{ print "uniform," $0 }' <<<"$tree_rows"
    awk '{ print "shogi-exact," $0 }' <<<"$exact_rows"
    awk '{ print "shogi-table," $0 }' <<<"$safe_rows"
} >"$out.csv"
{
    echo "# The 0.5-ply extension: what it costs"
    echo
    made_by "$command"
    echo
    echo "Leaves of a uniform tree of $branching moves a node, where one child of each node costs half"
    echo "a ply; cost is their ratio to those without the extension."
    echo
    echo "| depth | cost | thesis, Table 3.1 | deepest line |"
    echo "|---|---|---|---|"
    echo "$tree_rows" | awk -F, '{ printf "| %d | %.2f | %s | %d |\n", $1, $4, $5, $6 }'
    echo
    echo "Alpha-beta of \`yomi usi\`, nodes summed over ${#positions[@]} positions of shogi, earlier depths"
    echo "included. Exact: without pruning that changes values (\`Pruning none\`), and the best child is"
    echo "found by looking at all of them one ply ahead, at every node, which is most of the cost. By the"
    echo "table: with what a playing search has (\`Pruning safe\`), where the best child is the one that"
    echo "the transposition table remembers. The thesis's cost is that of the whole tree; alpha-beta visits"
    echo "mostly best children, which are the ones that are read deeper, and pays more."
    echo
    echo "| depth | exact: plain | half plies | ratio | by the table: plain | half plies | ratio |"
    echo "|---|---|---|---|---|---|---|"
    awk -F, 'NR == FNR { exact[$1] = sprintf("%d | %d | %.2f", $2, $3, $4); next }
        { printf "| %d | %s | %d | %d | %.2f |\n", $1, $1 in exact ? exact[$1] : "| |", $2, $3, $4 }' \
        <(echo "$exact_rows") <(echo "$safe_rows")
} >"$out.md"
cat "$out.md"
