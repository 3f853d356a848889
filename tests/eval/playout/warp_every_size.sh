#!/usr/bin/env bash
# The GPU kernels of both policies on every board size, compared with the reference: no GPU needed.
. tests/lib.sh
lane_by_lane playout/warp_light -DEVERY_SIZE || fail "warp_light"
lane_by_lane playout/warp_mogo -DEVERY_SIZE || fail "warp_mogo"
exit $failed
