# Games of a match's results.csv: won, lost and drawn by the first engine, and its share with the 95%
# interval (Wilson's, as yomi match prints it).
BEGIN { FS = "," }
/^[0-9]/ { games++; count[$3]++ }
END {
    if (!games) exit 1
    z2 = 1.959964 ^ 2
    share = (count["first"] + count["draw"] / 2) / games
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = sqrt(z2 * (share * (1 - share) / games + z2 / (4 * games * games))) / (1 + z2 / games)
    printf "won %d - %d lost, %d drawn: %.1f%% [%.1f, %.1f]\n", count["first"], count["second"], count["draw"], \
        100 * share, 100 * (middle - half), 100 * (middle + half)
}
