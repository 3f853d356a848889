#!/usr/bin/env bash
# The picture in docs/architecture.md is the one that the #include lines give.
. tests/lib.sh
tools/include_graph >"$tmp/want" || fail "tools/include_graph"
awk '/^```mermaid$/ { inside = 1; next } /^```$/ { inside = 0 } inside' docs/architecture.md >"$tmp/got"
diff "$tmp/got" "$tmp/want" || fail "docs/architecture.md is not current: run tools/include_graph --update"
# The tool sees what it should: a file that includes another folder's is an arrow.
grep -q '^  search_uct --> search$' "$tmp/want" || fail "no arrow from search/uct to search"
grep -q '^  base --> ' "$tmp/want" && fail "base includes something"
exit $failed
