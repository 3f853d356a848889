/* The hardware unit (hw/rtl) as a C-callable model: a simulation with a driver's view of the
 * registers. One model for each board size that was built in. The C++ implementation is model.cpp,
 * built only where Verilator was found. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Addresses of the unit's registers, in words; docs/hardware.md describes them. */
enum yo_hw_register {
    YO_HW_NAME = 0x000,
    YO_HW_START = 0x001,
    YO_HW_BUSY = 0x002,
    YO_HW_SEED = 0x003,       /* two words */
    YO_HW_FIRST_GAME = 0x005, /* two words */
    YO_HW_GAMES = 0x007,
    YO_HW_SIDE = 0x008,
    YO_HW_KO = 0x009,
    YO_HW_KOMI2 = 0x00a,
    YO_HW_GAMES_DONE = 0x010,
    YO_HW_MOVES = 0x011,
    YO_HW_SCORE_SUM = 0x012,
    YO_HW_BLACK_WINS = 0x013,
    YO_HW_WHITE_WINS = 0x014,
    YO_HW_CYCLES = 0x015,
    YO_HW_ATTEMPTS = 0x016,
    YO_HW_REPEATS = 0x017,
    YO_HW_BLACK = 0x020,
    YO_HW_WHITE = 0x040,
    YO_HW_TALLY = 0x800, /* owners by point, then games by score */
};
#define YO_HW_KO_VALID  0x80000000u
#define YO_HW_GAMES_MAX 131071u /* of a batch; the tally has 18 bits */

/* Callbacks for events inside the unit; each may be NULL. `game` counts from 0. */
struct yo_hw_watch {
    void (*move)(void *user, uint32_t game, int point); /* -1 for a pass */
    void (*score)(void *user, uint32_t game, int score);
    void *user;
};

struct yo_hw_model {
    int size;
    void *(*create)(void); /* out of reset; NULL when there is no memory */
    void (*destroy)(void *unit);
    void (*write)(void *unit, uint32_t address, uint32_t data);
    uint32_t (*read)(void *unit, uint32_t address);
    /* Clocks the unit until it is idle; false if it is still busy after `cycles`. */
    bool (*wait)(void *unit, uint64_t cycles, const struct yo_hw_watch *watch);
};

/* Ends with a row whose size is 0. Weak: NULL in programs that are linked without it. */
extern const struct yo_hw_model yo_hw_models[] __attribute__((weak));

#ifdef __cplusplus
}
#endif
