/* What the small programs here share. */
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "game/go/game_ops.h"
#include "yomi/playout.h"

static inline _Noreturn void bench_fail(const struct yo_diag *diag) {
    char line[640];
    yo_diag_format(diag, line, sizeof line);
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, line);
    exit(1);
}

static inline void *bench_must(void *memory) {
    if (memory) return memory;
    fprintf(stderr, "%s: out of memory\n", program_invocation_short_name);
    exit(1);
}

/* So many random moves from the empty board, less those that are not legal. */
static inline void bench_scatter(struct yo_go_position *position, int size, int moves) {
    struct yo_go_board board;
    enum yo_go_color color = YO_GO_BLACK;
    yo_go_board_init(&board, size);
    for (int i = 0; i < moves; i++) {
        yo_go_point p = (yo_go_point)(rand() % (size * size));
        if (!yo_go_board_is_legal(&board, color, p)) continue;
        yo_go_board_play(&board, color, p);
        color = yo_go_other(color);
    }
    *position = (struct yo_go_position){.board = board,
                                        .rules = yo_go_rules_default,
                                        .last = YO_GO_NONE,
                                        .before = YO_GO_NONE,
                                        .to_move = (uint8_t)color,
                                        .ko_holds = true};
}
