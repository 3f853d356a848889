#!/usr/bin/env bash
# Each folder of src/ has a README.md with a line for each of its files and for no file that is gone,
# and src/README.md has a line for each folder.
set -eu
status=0
wrong() {
    echo "$1"
    status=1
}
while read -r folder; do
    grep -qF "](${folder#src/}/README.md)" src/README.md || wrong "src/README.md has no line for $folder"
    if [ ! -e "$folder/README.md" ]; then
        wrong "$folder has no README.md"
        continue
    fi
    # shellcheck disable=SC2016
    listed=$(grep '^| `' "$folder/README.md" | grep -oE '`[a-z_0-9]+(\.(c|h|cu|cuh|cpp))?`' | tr -d '`')
    while read -r file; do
        grep -qxe "$file" -e "${file%.*}" <<<"$listed" || wrong "$folder/README.md has no line for $file"
    done < <(cd "$folder" && find . -maxdepth 1 \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) | sed 's|^\./||' | sort)
    # shellcheck disable=SC2016
    while read -r entry; do
        compgen -G "$folder/$entry" >/dev/null || compgen -G "$folder/$entry.[ch]" >/dev/null ||
            wrong "$folder/README.md has a line for $entry, which is not there"
    done < <(grep '^| `' "$folder/README.md" | cut -d'|' -f2 | grep -oE '`[a-z_0-9.]+`' | tr -d '`')
done < <(find src -mindepth 1 \( -name '*.[ch]' -o -name '*.cu' \) -printf '%h\n' | sort -u)
exit $status
