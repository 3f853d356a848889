#!/usr/bin/env bash
# The finished positions of tests/data/go/ends.txt against GNU Go, where it is there.
. tests/lib.sh
command -v python3 >/dev/null || { echo "no python3" && exit 77; }
python3 tests/data/go/check_ends.py >"$tmp/out" || fail "$(cat "$tmp/out")"
has "$tmp/out" '^1[0-9][0-9] positions, .* 0 problems'
! grep -q "which is not here" "$tmp/out" || echo "not checked: against GNU Go (no gnugo)"
exit $failed
