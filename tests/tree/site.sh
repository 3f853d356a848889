#!/usr/bin/env bash
# The documentation site: made without a complaint, every link leads somewhere, and its search works.
. tests/lib.sh
command -v python3 >/dev/null || { echo "not checked: the site (no python3)"; exit 77; }
tools/site "$tmp/site" >"$tmp/out" 2>&1 || fail "tools/site: $(cat "$tmp/out")"
for page in index match api examples-bot.c yomi-go.h; do
    has "$tmp/site/$page.html" '<main><h1'
done
python3 - "$tmp/site" <<'END' || fail "links"
import html.parser, os, sys
folder, bad = sys.argv[1], 0
for name in sorted(os.listdir(folder)):
    if not name.endswith(".html"):
        continue
    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag, attrs):
            global bad
            target = dict(attrs).get("href" if tag in ("a", "link") else "src")
            if not target or target.startswith(("http", "mailto", "#")):
                return
            if not os.path.exists(os.path.join(folder, target.split("#")[0])):
                print(f"{name}: {target}")
                bad = 1
    Reader().feed(open(os.path.join(folder, name), encoding="utf-8").read())
sys.exit(bad)
END
# What the converter did not understand would stand there as it was written.
grep -lE '<p>[^<]*(\*\*|\]\(|^\|)' "$tmp"/site/*.html && fail "Markdown is left"
mkdir "$tmp/other" # a link that leads nowhere is reported
cp -r README.md CONTRIBUTING.md CHANGELOG.md docs examples include tools "$tmp/other"
mkdir "$tmp/other/web"
cp web/icon.svg "$tmp/other/web"
echo 'See [that](nowhere.md) and [this](match.md#nothing).' >>"$tmp/other/docs/usi.md"
"$tmp/other/tools/site" "$tmp/bad" >"$tmp/out" 2>&1 && fail "overlooks a link that leads nowhere"
says "docs/usi.md: nowhere.md is not there" "docs/match.md has no #nothing"
if chromium=$(command -v chromium || command -v chromium-browser) && command -v node >/dev/null; then
    node tests/web/site.mjs "$chromium" "$tmp/site" || fail "the site in a browser"
else
    echo "not checked: the site's search (no chromium or node)"
fi
exit $failed
