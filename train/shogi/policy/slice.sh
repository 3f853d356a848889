#!/usr/bin/env bash
# One slice of training, everything from the games on:
#   train/shogi/policy/slice.sh RUN GAMES [TRAIN-OPTION]...
# GAMES is a folder of .psv files (games.sh). Builds shogi_rows with a C compiler, makes the rows on all cores, and calls
# train.py, which goes on from the checkpoint in RUN. Without options: 60 minutes in all, 9 in a call, 10 blocks
# of 128 channels. ROWS in the environment names where the rows are kept (a folder of the system's).
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
. "$here/../../../tools/setup.sh"
help_if_asked "${BASH_SOURCE[0]}" "$@"
[ $# -gt 1 ] || wrong_usage "$0" "which run, and which games"
run=$1 games=$2
shift 2
[ $# -gt 0 ] || set -- --minutes 60 --call-minutes 9 --blocks 10 --channels 128
shopt -s nullglob
files=("$games"/*.psv)
[ ${#files[@]} -gt 0 ] || die "$games has no .psv files"
rows=${ROWS:-$(mktemp -d)}
mkdir -p "$rows"
[ -x "$rows/shogi_rows" ] || bash "$here/build.sh" "$rows/shogi_rows"
if [ ! -e "$rows/made" ] || [ -n "$(find "${files[@]}" -newer "$rows/made" -print -quit)" ]; then # on all cores: rows-*.train and .held, one of each for a part
    rm -rf "$rows"/rows-* "$rows/parts"
    mkdir "$rows/parts"
    for i in "${!files[@]}"; do split -b 6000000 -d -a 4 "${files[i]}" "$rows/parts/$(printf %04d "$i")-"; done
    find "$rows/parts" -type f -printf '%f\n' | sort |
        xargs -P "$(nproc)" -I{} "$rows/shogi_rows" "$rows/rows-{}" "$rows/parts/{}" > "$rows/made.new"
    rm -r "$rows/parts"
    mv "$rows/made.new" "$rows/made"
fi
for python in python3 /usr/bin/python3 none; do
    [ "$python" != none ] || die "there is no Python with NumPy and PyTorch"
    if "$python" -c 'import numpy, torch' 2>/dev/null; then break; fi
done
status=0
"$python" "$here/train.py" "$run" "$rows/rows" "$@" || status=$?
[ -n "${ROWS:-}" ] || rm -rf "$rows"
exit $status
