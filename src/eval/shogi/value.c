#include "eval/shogi/value.h"

#include "eval/shogi/material.h"

enum yo_err yo_shogi_values_init(struct yo_shogi_values *v, const struct yo_shogi_net *net,
                                 int plies) {
    (void)plies;
    *v = (struct yo_shogi_values){.net = net};
    return YO_OK;
}

void yo_shogi_values_free(struct yo_shogi_values *v) { *v = (struct yo_shogi_values){0}; }

void yo_shogi_values_root(struct yo_shogi_values *v) { (void)v; }

void yo_shogi_values_play(struct yo_shogi_values *v, const struct yo_shogi_position *pos,
                          yo_shogi_move move) {
    (void)v;
    (void)pos;
    (void)move;
}

int yo_shogi_value(struct yo_shogi_values *v, const struct yo_shogi_position *pos) {
    (void)v;
    return yo_shogi_material(pos);
}
