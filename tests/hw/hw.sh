#!/usr/bin/env bash
# The benches of the hardware unit, in whatever simulators there are.
exec bash hw/bench/run
