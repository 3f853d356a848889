#!/usr/bin/env bash
# The network backend cuda with a driver that runs its kernels on the host: no GPU needed.
. tests/lib.sh
lane_by_lane net/net_cuda -fsanitize=alignment -fsanitize-undefined-trap-on-error
