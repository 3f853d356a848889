#!/usr/bin/env bash
# On a GPU: nothing that compute-sanitizer finds in short runs of both policies, neither accesses out
# of bounds nor races in shared memory.
set -eu
skip() {
    echo "$1" | tee "$BUILD/skipped_gpu_sanitizer"
    exit 77
}
"$YOMI" devices | grep -q '^  cuda  *available' || skip "no GPU: compute-sanitizer not run"
sanitizer=
for name in compute-sanitizer /usr/local/cuda/bin/compute-sanitizer; do
    if command -v "$name" >/dev/null; then sanitizer=$name; fi
done
[ -n "$sanitizer" ] || skip "compute-sanitizer is not installed; it comes with CUDA's toolkit"
"$sanitizer" --tool memcheck --error-exitcode 1 "$BUILD/gpu_conformance" short
"$sanitizer" --tool racecheck --error-exitcode 1 "$BUILD/gpu_conformance" tiny
