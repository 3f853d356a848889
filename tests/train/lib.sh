# What the tests of training share: $python with PyTorch and NumPy, an empty $folder.
# shellcheck shell=bash
set -euo pipefail

for python in python3 /usr/bin/python3 none; do
    [ "$python" != none ] || { echo "skipped: no Python with PyTorch and NumPy here"; exit 77; }
    if "$python" -c 'import numpy, torch' 2>/dev/null; then break; fi
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMP_NUM_THREADS=1 YOMI_CONFIG='' YOMI_CACHE='' # not the settings of whoever runs the tests
