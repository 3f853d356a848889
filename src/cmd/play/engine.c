/* Thinking and judging for `yomi play`: the engine that the options ask for. */
#include <stdio.h>
#include <string.h>

#include "cmd/play/play.h"

#define JUDGE_GAMES 4000

void yo_play_engine_stop(struct yo_play *play) { yo_engine_stop(&play->engine); }

enum yo_err yo_play_engine_start(struct yo_play *play, struct yo_diag *diag) {
    struct yo_engine_setup setup = {.options = play->options,
                                    .backend = yo_options_text(play->options, "backend"),
                                    .net = yo_engine_net_options(play->options),
                                    .threads = (int)yo_options_int(play->options, "threads"),
                                    .seed = play->seed};
    return yo_engine_start(&play->engine, &setup, diag);
}

static void on_report(void *user, const struct yo_search_result *so_far) {
    struct yo_play *play = user;
    char text[80], point[8];
    if (so_far->move_count == 0) return;
    yo_go_point best = (yo_go_point)so_far->moves[0].move;
    snprintf(text, sizeof text, "thinking: %.1f s, %llu games, %s",
             (double)so_far->elapsed_ms / 1000, (unsigned long long)so_far->playouts,
             yo_go_point_format(best, yo_go_game_size(play->game), point));
    yo_term_spin(&play->term, text);
}

enum yo_err yo_play_think(struct yo_play *play, struct yo_search_result *result,
                          struct yo_diag *diag) {
    enum yo_err err = yo_play_engine_start(play, diag);
    if (err) return err;
    yo_term_spin(&play->term, "thinking");
    err = yo_search_run(play->engine.search, play->game, &play->limits, &yo_term_interrupted,
                        on_report, play, result, diag);
    yo_term_spin_end(&play->term);
    return err;
}

enum yo_err yo_play_judge(struct yo_play *play, struct yo_judgement *judgement,
                          struct yo_diag *diag) {
    struct yo_judge_limits limits = {
        .seed = play->seed, .games = JUDGE_GAMES, .stop = &yo_term_interrupted};
    enum yo_err err = yo_play_engine_start(play, diag);
    return err ? err : yo_judge_result(play->engine.eval, play->game, &limits, judgement, diag);
}

enum yo_err yo_play_result(struct yo_play *play, char out[16], struct yo_diag *diag) {
    if (play->resigned != YO_GO_EMPTY) {
        strcpy(out, play->resigned == YO_GO_BLACK ? "W+R" : "B+R");
        return YO_OK;
    }
    struct yo_judgement judgement;
    enum yo_err err = yo_play_judge(play, &judgement, diag);
    if (!err) yo_go_score_format(&judgement.score, out);
    return err;
}
