#!/usr/bin/env bash
# The fused network kernel, compared with the reference: no GPU needed.
. tests/lib.sh
lane_by_lane net/net_tower -fsanitize=alignment -fsanitize-undefined-trap-on-error
