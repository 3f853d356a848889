#!/usr/bin/env bash
# The Debian package in a clean Debian: made, installed by apt, used, removed. Needs root, debootstrap
# and a mirror, which is the one that apt uses here.
. tests/lib.sh
skip() {
    echo "not checked: $1"
    echo "$1" >"$BUILD/skipped_package"
    exit 77
}
case $BUILD in *release*) ;; *) skip "the package is made of the release build" ;; esac
[ -n "${SANITIZE-}" ] && skip "the package is made of the release build"
"$CMAKE" --build "$BUILD" --target package >"$tmp/out" 2>&1 || { fail "no package"; cat "$tmp/out"; exit 1; }
deb=$(ls "$BUILD"/yomi_"$VERSION"_*.deb) || { fail "the package has another name"; exit 1; }

# ---- what is in it ----
dpkg-deb -c "$deb" | awk '{ print $6 }' >"$tmp/files"
for file in usr/bin/yomi usr/include/yomi/yomi.h usr/lib/systemd/user/yomi-web.service \
    usr/lib/systemd/user/yomi-worker.service usr/share/applications/yomi.desktop \
    usr/share/icons/hicolor/scalable/apps/yomi.svg usr/share/man/man1/yomi.1; do
    has "$tmp/files" "^./$file\$"
done
grep -v '^\./usr/' "$tmp/files" | grep -v '^\./$' && fail "files outside of usr"
dpkg-deb -f "$deb" Depends >"$tmp/out"
says "libjansson4" "libc6"
if command -v desktop-file-validate >/dev/null; then
    desktop-file-validate packaging/yomi.desktop || fail "the desktop entry"
fi
if command -v systemd-analyze >/dev/null; then
    for unit in packaging/*.service; do
        systemd-analyze --user verify "$unit" 2>&1 | grep -F "$(basename "$unit")" && fail "$unit"
    done
fi

# ---- a clean Debian ----
[ "$(id -u)" = 0 ] || skip "only root can make a clean Debian to install the package in"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# shellcheck disable=SC2016 # for apt to expand
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" "Codename: $release" 2>/dev/null | head -1)
[ -n "$mirror" ] || skip "apt names no mirror of Debian"
root=$BUILD/package_root
trap 'umount "$root/proc" 2>/dev/null; rm -rf "$tmp" "$root"' EXIT
rm -rf "$root"
debootstrap --variant=minbase "$release" "$root" "$mirror" >"$tmp/out" 2>&1 ||
    skip "debootstrap failed: $(tail -1 "$tmp/out")"
# As apt gets its packages here: sources, proxies and keys.
for file in /etc/apt/apt.conf /etc/apt/apt.conf.d /etc/resolv.conf /etc/apt/sources.list /etc/apt/sources.list.d; do
    [ -e "$file" ] && rm -rf "${root:?}$file" && cp -rL "$file" "$root$file"
done
mount -t proc proc "$root/proc" || skip "no proc in the clean Debian"
cp "$deb" "$root/tmp/yomi.deb"
inside() { chroot "$root" env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get update -q >"$tmp/out" 2>&1 || skip "apt-get update in the clean Debian: $(tail -1 "$tmp/out")"
inside apt-get install -y -q --no-install-recommends /tmp/yomi.deb >"$tmp/out" 2>&1 || fail "apt cannot install it: $(tail -3 "$tmp/out")"

# ---- used as a stranger would ----
inside yomi version >"$tmp/out" 2>&1 || fail "yomi version"
says "yomi $VERSION"
printf 'boardsize 9\ngenmove b\nquit\n' | inside yomi gtp --time 0.2 >"$tmp/out" 2>&1 || fail "a move of Go"
grep -q '^= [A-J][1-9]' "$tmp/out" || fail "no move of Go: $(cat "$tmp/out")"
printf 'usi\nisready\nposition startpos\ngo depth 3\n' | inside yomi usi >"$tmp/out" 2>&1 || fail "a move of shogi"
says "bestmove"
inside yomi doctor --seconds 0.2 --write >"$tmp/out" 2>&1 || fail "the doctor"
says_not FAILS
says "Written to /root/.config/yomi/config"
inside yomi web --port 0 >"$tmp/address" 2>&1 &
for _ in $(seq 200); do
    grep -q '^http' "$tmp/address" && break
    sleep 0.1
done
curl -fsS "$(grep '^http' "$tmp/address")health" >"$tmp/out" 2>&1 || fail "the page's server"
says "\"version\""
# The server runs in the clean Debian; its parent here is the shell that waits.
for pid in $(pgrep -f '^yomi web --port 0$'); do
    [ "$(readlink "/proc/$pid/root")" = "$root" ] && kill "$pid"
done
wait

# ---- and away again ----
inside apt-get purge -y -q yomi >"$tmp/out" 2>&1 || fail "apt cannot remove it"
left=$(find "$root" -xdev -path "$root/proc" -prune -o -name '*yomi*' -print | grep -v "^$root\(/tmp/yomi.deb\|/root/\|/var/\(log\|lib/dpkg\|cache\)/\)")
[ -z "$left" ] || fail "left behind: $left"
exit $failed
