#!/usr/bin/env bash
# Networks on a machine that has a GPU, nvcc and cuDNN, but not the engine's libraries, from what
# `train/pack.sh build/device --tests` has packed:
#   tests/gpu/net_packed.sh check|speed [--pack FOLDER] [FILE...]
# check: the numbers of cuDNN's header are those that Yomi calls it with; then convolutions by cuDNN against
# the reference, with all shapes of networks and with network files. speed: the fused kernel, cuDNN and our own
# kernels side by side. --pack: build/device where it is not named. Status 1: something is wrong.
set -euo pipefail
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tools/setup.sh"
help_if_asked "$0" "$@"
cd "$(dirname "$0")/../.."
what=${1:-} pack=build/device
shift || true
if [ "${1:-}" = --pack ]; then
    pack=$2
    shift 2
fi
case $what in
check | speed) ;;
*) wrong_usage "$0" "it takes check or speed" ;;
esac
[ -e "$pack/net_conformance.o" ] || die "no $pack/net_conformance.o; run train/pack.sh $pack --tests where Yomi is built"
train/loop build --pack "$pack"
conformance=build/packed/net_conformance

if [ "$what" = speed ]; then
    "$conformance" --only-speed --short --backend=cuda --backend=cuda-cudnn --backend=cuda-cudnn-compiled \
        --backend=cuda-layers "$@"
    exit
fi
BUILD=build/packed bash tests/gpu/cudnn_header.sh || [ $? = 77 ] # a library without its header is tested, too
"$conformance" --short --backend=cuda-cudnn "$@"
