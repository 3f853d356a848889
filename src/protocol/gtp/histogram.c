/* A text histogram of Black's score in playouts from the position, komi included. */
#include "game/go/game_ops.h"
#include "protocol/gtp/internal.h"
#include "search/go/options.h"

#define BINS      20
#define BAR_MAX   50
#define SCORES    (2 * YO_GO_POINTS_MAX + 1)
#define GAMES_MIN 100

static enum yo_err play_games(struct yo_gtp *gtp, uint32_t *histogram,
                              struct yo_eval_result *result, struct yo_diag *diag) {
    struct yo_go_position position;
    struct yo_uct_go_options options = {0};
    struct yo_eval eval;
    enum yo_err err = yo_session_playouts(gtp->session, &eval, diag);
    if (err) return err;
    const struct yo_options *o = yo_session_options(gtp->session);
    yo_uct_go_options_read(o, &options);
    uint64_t games = (uint64_t)yo_options_int(o, "judge");
    yo_go_position_from_game(gtp->game, &position);
    yo_go_position_use_area(&position, false);
    *result = (struct yo_eval_result){.playouts = {.histogram = histogram}};
    struct yo_eval_item item = {.position = &position,
                                .want = YO_EVAL_PLAYOUTS,
                                .results = result,
                                .playout_policy =
                                    (int)yo_uct_policy(&options, yo_go_game_size(gtp->game), false),
                                .playouts = games > GAMES_MIN ? games : GAMES_MIN,
                                .seed = (uint64_t)yo_options_int(o, "seed")};
    return yo_eval_run(eval, &item, 1, diag);
}

/* The lowest and the highest score that occurred. */
static void find_range(const uint32_t *histogram, int scores, int *low, int *high) {
    for (*low = 0; *low < scores - 1 && !histogram[*low]; ++*low)
        continue;
    for (*high = scores - 1; *high > *low && !histogram[*high]; --*high)
        continue;
}

static void put_bins(struct yo_buf *out, const uint32_t *histogram, int low, int high, int points,
                     double komi) {
    uint32_t bins[BINS] = {0}, most = 1;
    int width = (high - low) / BINS + 1;
    for (int s = low; s <= high; s++)
        bins[(s - low) / width] += histogram[s];
    for (int b = 0; b < BINS; b++)
        if (bins[b] > most) most = bins[b];
    for (int b = 0; b < BINS && low + b * width <= high; b++) {
        double from = low + b * width - points - komi;
        yo_buf_printf(out, "\n%+7.1f .. %+7.1f %8u ", from, from + width - 1, bins[b]);
        for (uint32_t k = 0; k < (uint64_t)bins[b] * BAR_MAX / most; k++)
            yo_buf_char(out, '#');
    }
}

YO_GTP_HANDLER(yomi_histogram) {
    (void)line;
    uint32_t histogram[SCORES] = {0};
    struct yo_eval_result result;
    int size = yo_go_game_size(gtp->game), points = size * size, low, high;
    int komi2 = yo_judge_area_komi2(gtp->game, false);
    enum yo_err err = play_games(gtp, histogram, &result, diag);
    if (err) return err;
    double games = (double)result.playouts.games;
    yo_buf_printf(out, "%.0f playouts: Black wins %.1f%%, mean score %+.1f", games,
                  50 * (double)result.playouts.half_wins_first / games,
                  0.5 * (double)result.playouts.score2_first / games);
    find_range(histogram, 2 * points + 1, &low, &high);
    put_bins(out, histogram, low, high, points, komi2 / 2.0);
    return YO_OK;
}
