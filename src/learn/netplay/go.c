#include "learn/netplay/go.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "eval/net/go_area.h"
#include "game/go/benson.h"
#include "game/go/game_ops.h"
#include "game/go/score.h"
#include "game/go/state.h"

enum { SETUP = 8 };

const struct yo_netplay_go_settings yo_netplay_go_defaults = {
    .rules = {.ko = YO_GO_KO_POSITIONAL, .scoring = YO_GO_AREA, .komi2 = 14},
    .random_rules = true,
    .komi = 7,
    .komi_stdev = 1,
    .komi_wide_stdev = 8,
    .komi_wide_share = 0.1,
};

/* ---- setups ---- */

static size_t put_setup(int size, const struct yo_go_rules *rules, uint8_t *setup) {
    unsigned komi = (unsigned)rules->komi2 & 0xffff;
    const uint8_t bytes[SETUP] = {(uint8_t)size,           (uint8_t)rules->ko,
                                  (uint8_t)rules->scoring, (uint8_t)rules->tax,
                                  (uint8_t)rules->suicide, (uint8_t)rules->friendly_pass_ok,
                                  (uint8_t)(komi & 255),   (uint8_t)(komi >> 8)};
    memcpy(setup, bytes, SETUP);
    return SETUP;
}

bool yo_netplay_go_setup(const uint8_t *setup, size_t len, int *size, struct yo_go_rules *rules) {
    if (len != SETUP || setup[0] < YO_GO_SIZE_MIN || setup[0] > YO_GO_SIZE_MAX ||
        setup[1] > YO_GO_KO_SITUATIONAL || setup[2] != YO_GO_AREA || setup[3] > YO_GO_TAX_ALL ||
        setup[4] > 1 || setup[5] > 1)
        return false;
    *size = setup[0];
    int komi2 = setup[6] | setup[7] << 8;
    *rules = (struct yo_go_rules){.ko = (enum yo_go_ko)setup[1],
                                  .scoring = YO_GO_AREA,
                                  .tax = (enum yo_go_tax)setup[3],
                                  .suicide = setup[4],
                                  .friendly_pass_ok = setup[5],
                                  .komi2 = komi2 < 0x8000 ? komi2 : komi2 - 0x10000};
    return rules->komi2 >= -1000 && rules->komi2 <= 1000;
}

static int size_of(const uint8_t *setup, size_t len) {
    struct yo_go_rules rules;
    int size;
    return yo_netplay_go_setup(setup, len, &size, &rules) ? size : 0;
}

static size_t moves_max(int size) { return (size_t)(size * size) + 1; }

static size_t draw(const void *of, int size, uint64_t *random, uint8_t *setup) {
    const struct yo_netplay_go_settings *s = of;
    struct yo_go_rules rules = s->rules;
    if (s->random_rules) {
        rules.ko = (enum yo_go_ko)(yo_splitmix64(random) % 3);
        rules.suicide = yo_splitmix64(random) & 1;
    }
    bool wide = yo_random_uniform(random) < s->komi_wide_share;
    double komi = s->komi + yo_random_normal(random) * (wide ? s->komi_wide_stdev : s->komi_stdev);
    double most = size * size;
    rules.komi2 = (int)lround(2 * fmin(fmax(komi, -most), most));
    return put_setup(size, &rules, setup);
}

static enum yo_err create(const uint8_t *setup, size_t len, void **game, struct yo_diag *diag) {
    struct yo_go_rules rules;
    struct yo_go_game *made;
    int size;
    if (!yo_netplay_go_setup(setup, len, &size, &rules))
        return yo_diag_set(diag, YO_ERR_PARSE, "the setup of a Go game is damaged");
    enum yo_err err = yo_go_game_new(size, &rules, &made);
    if (err) return yo_diag_set(diag, err, "not enough memory for a game");
    *game = made;
    return YO_OK;
}

static void destroy(void *game) { yo_go_game_delete(game); }

static enum yo_err play(void *of, yo_move move, struct yo_diag *diag) {
    struct yo_go_game *game = of;
    return yo_go_game_play(game, game->to_move, (yo_go_point)move, diag);
}

/* ---- the end ---- */

static bool settled(const struct yo_go_position *pos) {
    uint8_t alive[YO_GO_POINTS_MAX];
    yo_go_benson(&pos->board, pos->rules.suicide, alive);
    for (int p = 0; p < pos->board.geometry->points; p++)
        if (alive[p] == YO_GO_EMPTY) return false;
    return true;
}

/* Under simple ko a long cycle ends the game without result. A position made from a game does not
 * tell, so its history is compared. */
static bool cycled(const struct yo_go_position *pos) {
    if (pos->repeated) return true;
    if (pos->rules.ko != YO_GO_KO_SIMPLE || pos->last == YO_GO_PASS || pos->played > 0)
        return false;
    for (size_t i = 0; i + 1 < pos->game_count; i++)
        if (pos->game[i] == pos->game[pos->game_count - 1]) return true;
    return false;
}

/* yo_go_position_from_game counts at most one pass, so passes are those of the last two moves. */
static enum yo_netplay_end ended(const void *position) {
    const struct yo_go_position *pos = position;
    bool passed = pos->turns >= 2 && pos->last == YO_GO_PASS && pos->before == YO_GO_PASS;
    if (passed || cycled(pos)) return YO_NETPLAY_OVER;
    return settled(pos) ? YO_NETPLAY_SETTLED : YO_NETPLAY_UNFINISHED;
}

static int lead2_of(const struct yo_go_position *pos, uint8_t *owner) {
    int lead = 0;
    yo_go_area(&pos->board, pos->rules.suicide, pos->rules.tax != YO_GO_TAX_NONE, owner);
    for (int p = 0; p < pos->board.geometry->points; p++)
        lead += owner[p] == YO_GO_BLACK ? 1 : owner[p] == YO_GO_WHITE ? -1 : 0;
    return 2 * lead - yo_go_score_komi2(&pos->rules, pos->handicap);
}

static void result(const void *position, struct yo_netplay_result *out) {
    const struct yo_go_position *pos = position;
    out->cells = (size_t)pos->board.geometry->points;
    out->lead2 = lead2_of(pos, out->owner);
    out->outcome = out->lead2 == 0  ? YO_OUTCOME_DRAW
                   : out->lead2 > 0 ? YO_OUTCOME_FIRST
                                    : YO_OUTCOME_SECOND;
    if (cycled(pos)) {
        out->outcome = YO_OUTCOME_DRAW;
        out->lead2 = 0;
        out->cells = 0;
    }
}

static void finish(const void *position, struct yo_eval_value *value) {
    const struct yo_go_position *pos = position;
    uint8_t owner[YO_GO_POINTS_MAX];
    *value = (struct yo_eval_value){.draw = 1};
    if (pos->repeated) return;
    int lead2 = lead2_of(pos, owner);
    if (pos->to_move == YO_GO_WHITE) lead2 = -lead2;
    float lead = (float)lead2 / 2;
    *value = (struct yo_eval_value){
        .win = lead2 > 0, .draw = lead2 == 0, .score_mean = lead, .score_lead = lead};
}

/* ---- moves ---- */

/* A move into an unconditionally owned area changes nothing. */
static size_t root_moves(const void *position, yo_move *moves) {
    const struct yo_go_position *pos = position;
    uint8_t alive[YO_GO_POINTS_MAX];
    size_t all = yo_go_ops.moves(position, moves), kept = 0;
    yo_go_benson(&pos->board, pos->rules.suicide, alive);
    for (size_t i = 0; i < all; i++)
        if (moves[i] == YO_GO_PASS || alive[moves[i]] == YO_GO_EMPTY) moves[kept++] = moves[i];
    return kept;
}

static size_t cells(const void *position) {
    return (size_t)((const struct yo_go_position *)position)->board.geometry->points;
}

static int length_max(const void *position) { return 60 + 3 * (int)cells(position); }

const struct yo_netplay_rules yo_netplay_go = {
    .id = YO_NETPLAY_GO,
    .game = &yo_go_ops,
    .draw = draw,
    .create = create,
    .destroy = destroy,
    .size = size_of,
    .moves_max = moves_max,
    .play = play,
    .ended = ended,
    .result = result,
    .root_moves = root_moves,
    .finish = finish,
    .cells = cells,
    .length_max = length_max,
    .opening = 0.04,
};
