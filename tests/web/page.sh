#!/usr/bin/env bash
# The page in a real browser: whole games, records, analysis, a lost connection, two tabs, a phone.
. tests/lib.sh
. tests/web/lib.sh
chromium=$(command -v chromium || command -v chromium-browser) || skip page "chromium is not installed"
command -v node >/dev/null || skip page "node is not installed"
built_in civetweb || skip page "yomi web is not built in (no civetweb)"

node tests/web/page.mjs "$YOMI" "$chromium" "$tmp"
case $? in
0) ;;
77) skip page "the page is not part of this build (no npm when it was built, or no packages to be had)" ;;
*) fail "the page" ;;
esac
exit $failed
