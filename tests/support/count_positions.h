/* How many legal positions a board has, counted with the engine's board. */
#pragma once

#include <stdint.h>

uint64_t count_positions(int size);
