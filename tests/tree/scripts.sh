#!/usr/bin/env bash
# Shell scripts pass shellcheck.
set -eu
command -v shellcheck >/dev/null || { echo "shellcheck is not installed" >&2; exit 77; }
shellcheck -x -P SCRIPTDIR/.. -e SC1091 run check .ci/run tools/format tools/include_graph tools/musl tests/*.sh tests/*/*.sh tests/*/*/*.sh hw/bench/run hw/synth/run experiments/*/run experiments/*/*.sh experiments/tano/parallelism train/loop train/*.sh train/*/*.sh train/shogi/policy/*.sh
shellcheck -s bash tools/setup.sh tools/clang_format.sh
