#include "search/go/kept.h"

#include "game/go/state.h"

static uint64_t mix_history(const struct yo_go_game *game, size_t count) {
    uint64_t h = 0;
    for (size_t i = 0; i <= count; i++)
        h = (h ^ game->situations[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return h;
}

static bool same_rules(const struct yo_go_rules *a, const struct yo_go_rules *b) {
    return a->ko == b->ko && a->scoring == b->scoring && a->tax == b->tax &&
           a->handicap_bonus == b->handicap_bonus && a->suicide == b->suicide &&
           a->friendly_pass_ok == b->friendly_pass_ok && a->komi2 == b->komi2;
}

/* Do the sides alternate in the moves since then? */
static bool alternates(const struct yo_go_kept *kept, const struct yo_go_game *game) {
    enum yo_go_color color = kept->to_move;
    for (size_t i = kept->count; i < game->count; i++, color = yo_go_other(color))
        if (game->moves[i].color != color) return false;
    return game->to_move == color;
}

bool yo_go_kept_continues(const struct yo_go_kept *kept, const struct yo_go_game *game) {
    return kept->valid && kept->size == yo_go_game_size(game) && kept->handicap == game->handicap &&
           same_rules(&kept->rules, &game->rules) && game->count >= kept->count &&
           alternates(kept, game) && mix_history(game, kept->count) == kept->history;
}

void yo_go_kept_set(struct yo_go_kept *kept, const struct yo_go_game *game) {
    *kept = (struct yo_go_kept){.valid = true,
                                .size = yo_go_game_size(game),
                                .handicap = game->handicap,
                                .rules = game->rules,
                                .to_move = game->to_move,
                                .count = game->count,
                                .history = mix_history(game, game->count)};
}
