#!/usr/bin/env bash
# What a test left out inside reaches the last lines of ./check: the reader of ctest's log, on a log
# as ctest writes it.
. tests/lib.sh
cat >"$tmp/log" <<'LOG'
Start testing: Nov 16 02:00 UTC
----------------------------------------------------------
4/10 Testing: test_hw
4/10 Test: test_hw
Command: "/x/test_hw"
Output:
----------------------------------------------------------
[==========] Running 3 test(s).
[ RUN      ] plays
[       OK ] plays
[ RUN      ] models
[  SKIPPED ] models
[ RUN      ] cycles
[  SKIPPED ] cycles
[==========] 3 test(s) run.
[  PASSED  ] 1 test(s).
[  SKIPPED ] 2 test(s), listed below:
[  SKIPPED ] models
[  SKIPPED ] cycles

 2 SKIPPED TEST(S)
<end of output>
5/10 Testing: cli
5/10 Test: cli
Output:
not checked: zsh completion (no zsh)
<end of output>
6/10 Test: test_json
[  PASSED  ] 8 test(s).
LOG
awk -f tools/skipped.awk "$tmp/log" >"$tmp/out"
cat >"$tmp/want" <<'END'
test_hw: 2 skipped inside: models, cycles
cli: not checked: zsh completion (no zsh)
END
diff "$tmp/want" "$tmp/out" || fail "the reader of the log is wrong"
exit $failed
