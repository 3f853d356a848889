# Reads ctest's LastTest.log and prints a line for each test that passed but left something out:
# "NAME: 5 skipped inside: a, b" for cmocka's, "NAME: not checked: WHAT" for scripts'.
function flush() {
    if (skipped) print name ": " skipped " skipped inside: " names
    skipped = 0
    names = ""
}
/^[0-9]+\/[0-9]+ Test: / { flush(); name = $3; delete seen }
# cmocka repeats the names in its summary, after a line with their number.
/^\[  SKIPPED \] [a-z_0-9]+$/ {
    if (!($4 in seen)) {
        seen[$4] = 1
        names = names (skipped ? ", " : "") $4
        skipped++
    }
}
/^not checked: / { print name ": " $0 }
END { flush() }
