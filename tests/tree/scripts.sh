#!/usr/bin/env bash
# Shell scripts pass shellcheck; training scripts explain themselves where PyTorch is not installed.
set -eu
for script in train/shogi/train.py train/go/train.py train/shogi/policy/train.py; do
    PYTHONDONTWRITEBYTECODE=1 python3 -S "$script" --help | grep -q -- --device || {
        echo "$script --help needs more than Python" >&2
        exit 1
    }
done
command -v shellcheck >/dev/null || { echo "shellcheck is not installed" >&2; exit 77; }
shellcheck -x -P SCRIPTDIR/.. -e SC1091 run check .ci/run tools/format tools/include_graph tests/*.sh tests/*/*.sh tests/*/*/*.sh hw/bench/run hw/synth/run experiments/*/run experiments/*/*.sh experiments/tano/parallelism train/shogi/policy/*.sh
shellcheck -s bash tools/setup.sh tools/clang_format.sh
