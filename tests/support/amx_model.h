/* AMX's tile instructions in plain C, as Intel's manual defines them for tiles of 16 rows by 64
 * bytes, under the names that eval/net/cpu/body/amx.h uses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint8_t model_tiles[8][16][64];
static bool model_ready; /* between TILES_BEGIN and TILES_END: otherwise the processor traps */

static void model_check(void) {
    if (!model_ready) __builtin_trap();
}

static inline void model_zero(int tile) {
    model_check();
    memset(model_tiles[tile], 0, sizeof model_tiles[tile]);
}

static inline void model_load(int tile, const void *at, ptrdiff_t step) {
    model_check();
    for (int row = 0; row < 16; row++)
        memcpy(model_tiles[tile][row], (const char *)at + row * step, 64);
}

static inline void model_store(int tile, void *at, ptrdiff_t step) {
    model_check();
    for (int row = 0; row < 16; row++)
        memcpy((char *)at + row * step, model_tiles[tile][row], 64);
}

/* TDPBSSD, TDPBSUD, TDPBUSD and TDPBUUD: bytes of `a` by bytes of `b`, each signed or not, added to
 * 32 bits. */
static inline void model_dot(bool a_signed, bool b_signed, int sum, int a, int b) {
    model_check();
    for (int row = 0; row < 16; row++)
        for (int column = 0; column < 16; column++) {
            int32_t total;
            memcpy(&total, &model_tiles[sum][row][4 * column], sizeof total);
            for (int k = 0; k < 64; k++) {
                uint8_t x = model_tiles[a][row][k], y = model_tiles[b][k / 4][4 * column + k % 4];
                total += (a_signed ? (int8_t)x : x) * (b_signed ? (int8_t)y : y);
            }
            memcpy(&model_tiles[sum][row][4 * column], &total, sizeof total);
        }
}

#define TILES_BEGIN()                           (model_ready = true)
#define TILES_END()                             (model_ready = false)
#define TILE_ZERO(tile)                         model_zero(tile)
#define TILE_LOAD(tile, at, step)               model_load(tile, at, step)
#define TILE_STORE(tile, at, step)              model_store(tile, at, step)
#define TILE_DOT(a_signed, b_signed, sum, a, b) model_dot(a_signed, b_signed, sum, a, b)
