#!/usr/bin/env bash
# The benches of the hardware unit, all of them: every board of 3x3, boards up to 19x19.
exec bash hw/bench/run --long
