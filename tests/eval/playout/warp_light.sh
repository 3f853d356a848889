#!/usr/bin/env bash
# The GPU kernels of the light policy, compared with the reference: no GPU needed.
. tests/lib.sh
lane_by_lane playout/warp_light
