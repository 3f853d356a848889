/* Search and judge for `yomi play`. */
#include <stdio.h>
#include <string.h>

#include "cluster/master.h"
#include "cmd/command.h"
#include "cmd/play/play.h"

/* More playouts for the judge than the default: a user can wait longer than a GTP referee. */
#define JUDGE_GAMES "4000"
#define SEEDS       UINT64_C(9000000000000000) /* the option takes seeds below this */

enum yo_err yo_play_session(struct yo_play *play, uint64_t seed, struct yo_diag *diag) {
    struct yo_session_config config = {.game = YO_SESSION_GO,
                                       .options = play->options,
                                       .kinds = yo_cluster_kinds,
                                       .notices = yo_cmd_notices,
                                       .patterns = play->patterns};
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)(seed % SEEDS));
    enum yo_err err = yo_session_new(&config, &play->session, diag);
    if (!err) err = yo_session_set(play->session, YO_ON_CLI, "judge", JUDGE_GAMES, diag);
    if (!err) err = yo_session_set(play->session, YO_ON_CLI, "seed", text, diag);
    if (!err) play->game = yo_session_go(play->session);
    return err;
}

static void on_report(void *user, const struct yo_search_result *so_far) {
    struct yo_play *play = user;
    char text[80], point[8];
    if (so_far->move_count == 0) return;
    yo_go_point best = (yo_go_point)so_far->moves[0].move;
    snprintf(text, sizeof text, "thinking: %.1f s, %llu visits, %s",
             (double)so_far->elapsed_ms / 1000, (unsigned long long)so_far->playouts,
             yo_go_point_format(best, yo_go_game_size(play->game), point));
    yo_term_spin(&play->term, text);
}

enum yo_err yo_play_think(struct yo_play *play, const struct yo_search_limits *limits,
                          struct yo_search_result *result, struct yo_diag *diag) {
    yo_term_spin(&play->term, "thinking");
    enum yo_err err = yo_session_analyse(play->session, NULL, limits, &yo_term_interrupted,
                                         on_report, play, result, diag);
    yo_term_spin_end(&play->term);
    return err;
}

enum yo_err yo_play_judge(struct yo_play *play, struct yo_judgement *judgement,
                          struct yo_diag *diag) {
    return yo_session_judge(play->session, NULL, judgement, diag); /* short: not interrupted */
}

const char *yo_play_given_up(const struct yo_play *play) {
    if (play->resigned == YO_GO_BLACK) return play->on_time ? "W+T" : "W+R";
    return play->on_time ? "B+T" : "B+R";
}

enum yo_err yo_play_result(struct yo_play *play, char out[16], struct yo_diag *diag) {
    if (play->resigned != YO_GO_EMPTY) {
        strcpy(out, yo_play_given_up(play));
        return YO_OK;
    }
    struct yo_judgement judgement;
    enum yo_err err = yo_play_judge(play, &judgement, diag);
    if (!err) yo_go_score_format(&judgement.score, out);
    return err;
}
