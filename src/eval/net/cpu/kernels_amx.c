/* The kernels for AVX-512 with VNNI and AMX: convolutions by tiles of bytes. */
#include "eval/net/cpu/kernels.h"

#if defined(YOMI_X86)
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cpu.h"
#include "eval/net/cpu/body/vec_avx512.h"

/* The configuration of the tiles: all eight of 16 rows by 64 bytes. */
static const struct {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
} tiles = {.palette = 1,
           .row_bytes = {64, 64, 64, 64, 64, 64, 64, 64},
           .rows = {16, 16, 16, 16, 16, 16, 16, 16}};

#define TILES_BEGIN()              _tile_loadconfig(&tiles)
#define TILES_END()                _tile_release()
#define TILE_ZERO(tile)            _tile_zero(tile)
#define TILE_LOAD(tile, at, step)  _tile_loadd(tile, at, step)
#define TILE_STORE(tile, at, step) _tile_stored(tile, at, step)
#define TILE_DOT(a_signed, b_signed, sum, a, b)                                                    \
    do {                                                                                           \
        if ((a_signed) && (b_signed))                                                              \
            _tile_dpbssd(sum, a, b);                                                               \
        else if (a_signed)                                                                         \
            _tile_dpbsud(sum, a, b);                                                               \
        else if (b_signed)                                                                         \
            _tile_dpbusd(sum, a, b);                                                               \
        else                                                                                       \
            _tile_dpbuud(sum, a, b);                                                               \
    } while (0)

#include "eval/net/cpu/body/kernels_body.h"

#include "eval/net/cpu/body/amx.h"

/* A process must request permission for AMX tiles from Linux; it holds for all threads. */
static bool tiles_allowed(void) {
#if defined(__linux__)
    enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
    return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
#else
    return false;
#endif
}

static bool available(void) {
    const struct yo_cpu *cpu = yo_cpu_get();
    return cpu->level >= 4 && cpu->avx512vnni && cpu->amx_tile && cpu->amx_int8 && tiles_allowed();
}

YO_NET_KERNELS(amx, .begin = amx_begin, .end = amx_end, .bytes = amx_bytes, .split = amx_split);
#endif
