/* Thinking and judging for `yomi play`: flat Monte-Carlo on playouts. */
#include <stdio.h>
#include <string.h>

#include "cmd/play.h"
#include "search/flat.h"

#define JUDGE_GAMES 4000

void yo_play_engine_stop(struct yo_play *play) {
    if (play->search.ops) play->search.ops->destroy(play->search.ctx);
    if (play->eval.ops) play->eval.ops->destroy(play->eval.ctx);
    play->search = (struct yo_search){0};
    play->eval = (struct yo_eval){0};
}

enum yo_err yo_play_engine_start(struct yo_play *play, struct yo_diag *diag) {
    if (play->search.ops) return YO_OK;
    int threads = (int)yo_options_int(play->options, "threads");
    enum yo_err err = yo_playouts_eval_open(yo_options_text(play->options, "backend"), threads,
                                            &play->eval, diag);
    if (err) return err;
    struct yo_flat_options options = {.policy = YO_PLAYOUT_LIGHT, .seed = play->seed};
    err = yo_flat_new(play->eval, &options, &play->search);
    if (!err) return YO_OK;
    yo_play_engine_stop(play);
    return yo_diag_set(diag, err, "no memory for the search");
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
    err = play->search.ops->run(play->search.ctx, play->game, &play->limits, &yo_term_interrupted,
                                on_report, play, result, diag);
    yo_term_spin_end(&play->term);
    return err;
}

enum yo_err yo_play_judge(struct yo_play *play, struct yo_judgement *judgement,
                          struct yo_diag *diag) {
    enum yo_err err = yo_play_engine_start(play, diag);
    return err ? err
               : yo_judge_result(play->eval, play->game, play->seed, JUDGE_GAMES, judgement, diag);
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
