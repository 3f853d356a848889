#include "match/go.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/time.h"
#include "game/go/state.h"
#include "search/go/judge.h"

#define JUDGE_GAMES 4000
/* Setting up must not take longer than this even if moves may. */
#define SETUP_MS 60000
/* After this many occurrences of a position with the same side to move, the game is a cycle. */
#define CYCLES 3

struct table {
    struct yo_peer *const *engines;
    const struct yo_match_rules *rules;
    struct yo_go_game *game;
    struct yo_clock clock;
    struct yo_match_result *result;
    bool over;
};

/* ---- how games end ---- */

static char letter(enum yo_go_color color) { return color == YO_GO_BLACK ? 'B' : 'W'; }

/* `side` (0 Black) loses, for a reason that SGF writes with this letter. */
static void lose(struct table *t, int side, enum yo_match_end end, char why, const char *what) {
    struct yo_match_result *r = t->result;
    r->winner = side == 0 ? YO_GO_WHITE : YO_GO_BLACK;
    r->end = end;
    snprintf(r->score, sizeof r->score, "%c+%c", letter(r->winner), why);
    snprintf(r->fault, sizeof r->fault, "%.290s", what);
    t->over = true;
}

static void lose_by(struct table *t, int side, enum yo_match_end end, char why,
                    const struct yo_diag *diag) {
    char what[sizeof t->result->fault];
    yo_match_tell_fault(t->engines[side], diag, what);
    lose(t, side, end, why, what);
}

static void lose_by_fault(struct table *t, int side, const struct yo_diag *diag) {
    lose_by(t, side, yo_match_end_of_fault(t->engines[side]->fault), 'F', diag);
}

static enum yo_err count_board(struct table *t, struct yo_match_judge judge, struct yo_diag *diag) {
    struct yo_judgement judgement;
    struct yo_go_score score;
    yo_go_game_score(t->game, NULL, &score);
    if (t->rules->count == YO_MATCH_JUDGE) {
        struct yo_judge_limits limits = {.seed = 1, .games = JUDGE_GAMES, .net = judge.net};
        enum yo_err err = yo_judge_go(judge.playouts, t->game, &limits, &judgement, diag);
        if (err) return err;
        score = judgement.score;
    }
    t->result->winner = score.lead2 > 0 ? YO_GO_BLACK : score.lead2 < 0 ? YO_GO_WHITE : YO_GO_EMPTY;
    yo_go_score_format(&score, t->result->score);
    return YO_OK;
}

/* ---- talking to the engines ---- */

static int64_t setup_ms(const struct table *t) {
    return t->rules->timeout_ms < SETUP_MS ? t->rules->timeout_ms : SETUP_MS;
}

static bool tell(struct table *t, int side, const char *command) {
    struct yo_diag diag = {0};
    if (yo_peer_gtp_ask(t->engines[side], command, setup_ms(t), NULL, &diag) == YO_OK) return true;
    lose_by_fault(t, side, &diag);
    return false;
}

static bool tell_both(struct table *t, const char *command) {
    return tell(t, 0, command) && tell(t, 1, command);
}

static bool set_clock(struct table *t) {
    const struct yo_clock_settings *c = &t->rules->clock;
    char command[80];
    if (c->kind == YO_CLOCK_NONE) return true;
    if (c->kind == YO_CLOCK_FISCHER) {
        snprintf(command, sizeof command, "kata-time_settings fischer %lld %lld",
                 (long long)c->main_ms / 1000, (long long)c->period_ms / 1000);
        return tell_both(t, command);
    }
    snprintf(command, sizeof command, "time_settings %lld %lld %d", (long long)c->main_ms / 1000,
             (long long)c->period_ms / 1000, c->count);
    return tell_both(t, command);
}

/* The match has checked at its start that there are enough fixed places. */
static bool put_handicap(struct table *t) {
    char command[40];
    yo_go_point points[9];
    int stones = t->rules->handicap;
    if (stones == 0) return true;
    snprintf(command, sizeof command, "fixed_handicap %d", stones);
    return yo_go_handicap_points(t->rules->size, stones, points, NULL) == YO_OK &&
           yo_go_game_handicap_set(t->game, points, stones, NULL) == YO_OK && tell_both(t, command);
}

static bool give_both(struct table *t, const struct yo_go_game *opening) {
    for (int side = 0; opening && side < 2; side++) {
        struct yo_diag diag = {0};
        if (yo_match_give_opening(t->engines[side], opening, setup_ms(t), &diag) == YO_OK) continue;
        lose_by_fault(t, side, &diag);
        return false;
    }
    return true;
}

static bool set_up(struct table *t, uint64_t seed, const struct yo_go_game *opening) {
    char command[80];
    snprintf(command, sizeof command, "boardsize %d", t->rules->size);
    if (!tell_both(t, command) || !tell_both(t, "clear_board")) return false;
    snprintf(command, sizeof command, "komi %g", t->rules->rules.komi2 / 2.0);
    if (!tell_both(t, command) || !set_clock(t)) return false;
    /* A different seed for each game; the same seeds when the match is repeated. */
    snprintf(command, sizeof command, "set_random_seed %llu", (unsigned long long)seed);
    for (int side = 0; side < 2; side++)
        if (yo_peer_gtp_knows(t->engines[side], "set_random_seed", setup_ms(t)) &&
            !tell(t, side, command))
            return false;
    return put_handicap(t) && give_both(t, opening);
}

/* ---- a move ---- */

static bool tell_time(struct table *t, int side) {
    const struct yo_clock_side *left = &t->clock.side[side];
    char command[80];
    if (t->rules->clock.kind == YO_CLOCK_NONE) return true;
    snprintf(command, sizeof command, "time_left %c %lld %d", side ? 'W' : 'B',
             (long long)left->left_ms / 1000, left->count);
    return tell(t, side, command);
}

/* had: the clock before the move. */
static void lose_on_time(struct table *t, int side, int64_t spent_ms,
                         const struct yo_clock_side *had) {
    const struct yo_clock_settings *c = &t->rules->clock;
    struct yo_diag diag;
    char stones[64] = "";
    if (had->count)
        snprintf(stones, sizeof stones, " for %d stones", had->count);
    else if (c->kind == YO_CLOCK_CANADIAN)
        snprintf(stones, sizeof stones, ", then %g s for %d stones", (double)c->period_ms / 1000,
                 c->count);
    yo_diag_set(&diag, YO_ERR_STATE, "it took %.2f s for a move and had %.2f s left%s",
                (double)spent_ms / 1000, (double)had->left_ms / 1000, stones);
    lose_by(t, side, YO_MATCH_TIME, 'T', &diag);
}

/* An engine with time on its clock does not count as hung. */
static int64_t patience_ms(const struct table *t, int side) {
    const struct yo_clock_settings *c = &t->rules->clock;
    const struct yo_clock_side *left = &t->clock.side[side];
    int64_t has_ms = left->left_ms + (left->count ? 0 : c->period_ms) + t->rules->grace_ms;
    bool has_clock = c->kind != YO_CLOCK_NONE;
    return has_clock && has_ms > t->rules->timeout_ms ? has_ms : t->rules->timeout_ms;
}

static bool genmove(struct table *t, int side, struct yo_buf *answer) {
    struct yo_diag diag = {0};
    if (!tell_time(t, side)) return false;
    int64_t start = yo_time_awake_ms();
    enum yo_err err = yo_peer_gtp_ask(t->engines[side], side ? "genmove w" : "genmove b",
                                      patience_ms(t, side), answer, &diag);
    int64_t spent = yo_time_awake_ms() - start;
    t->result->spent_ms[side] += spent;
    if (err) {
        lose_by_fault(t, side, &diag);
        return false;
    }
    struct yo_clock_side had = t->clock.side[side];
    if (yo_clock_spend(&t->clock, side,
                       spent > t->rules->grace_ms ? spent - t->rules->grace_ms : 0))
        return true;
    lose_on_time(t, side, spent, &had);
    return false;
}

static void tell_move(struct table *t, int side, struct yo_go_played played) {
    struct yo_diag diag = {0};
    if (yo_match_say_move(t->engines[side], t->rules->size, played, setup_ms(t), &diag))
        lose_by_fault(t, side, &diag);
}

static void take_turn(struct table *t, int side) {
    struct yo_buf answer = {0};
    struct yo_diag diag = {0}, why = {0};
    enum yo_go_color color = side ? YO_GO_WHITE : YO_GO_BLACK;
    struct yo_go_played played = {.color = color};
    if (genmove(t, side, &answer)) {
        const char *said = yo_buf_text(&answer);
        if (yo_go_point_parse(said, t->rules->size, &played.move, &diag)) {
            yo_diag_set(&why, YO_ERR_PARSE, "it played '%.60s', which is no move", said);
            lose_by(t, side, YO_MATCH_NONSENSE, 'F', &why);
        } else if (played.move == YO_GO_RESIGN) {
            lose(t, side, YO_MATCH_RESIGNED, 'R', "");
        } else if (yo_go_game_play(t->game, color, played.move, &diag)) {
            yo_diag_set(&why, YO_ERR_ILLEGAL, "it played %.10s: %.100s", said, diag.what);
            lose_by(t, side, YO_MATCH_ILLEGAL, 'F', &why);
        } else {
            tell_move(t, 1 - side, played);
        }
    }
    yo_buf_free(&answer);
}

/* Under simple ko, longer cycles are left to the players' agreement, which engines cannot reach.
 * Two occurrences may be a coincidence, or moves in place of a pass. */
static bool is_cycle(const struct yo_go_game *game) {
    int times = 0;
    if (game->rules.ko != YO_GO_KO_SIMPLE || yo_go_game_passes(game) > 0) return false;
    for (size_t i = 0; i <= game->count; i++)
        times += game->situations[i] == game->situations[game->count];
    return times >= CYCLES;
}

static void end_without_result(struct table *t) {
    t->result->winner = YO_GO_EMPTY;
    t->result->end = YO_MATCH_REPEATED;
    strcpy(t->result->score, "Void");
    t->over = true;
}

static void show(const struct table *t) {
    struct yo_match_sight sight = {.moves = yo_go_game_move_count(t->game)};
    int points = t->rules->size * t->rules->size;
    for (int p = 0; p < points; p++)
        sight.board[p] = ".bw"[yo_go_game_at(t->game, (yo_go_point)p)];
    if (sight.moves > 0)
        yo_go_point_format(yo_go_game_move(t->game, sight.moves - 1).move, t->rules->size,
                           sight.last);
    t->rules->watcher.moved(t->rules->watcher.user, &sight);
}

/* An engine that refuses a move legal for the referee loses by its fault. */
static void play_out(struct table *t) {
    while (!t->over && yo_go_game_passes(t->game) < 2) {
        if (t->rules->move_limit && yo_go_game_move_count(t->game) >= t->rules->move_limit) {
            t->result->end = YO_MATCH_TOO_LONG;
            return;
        }
        take_turn(t, yo_go_game_to_move(t->game) == YO_GO_WHITE);
        if (!t->over && is_cycle(t->game)) end_without_result(t);
        if (t->rules->watcher.moved) show(t);
    }
}

enum yo_err yo_match_play(struct yo_peer *const engines[2], const struct yo_match_rules *rules,
                          const struct yo_go_game *opening, uint64_t seed,
                          struct yo_match_judge judge, struct yo_go_game **game,
                          struct yo_match_result *result, struct yo_diag *diag) {
    struct table table = {.engines = engines, .rules = rules, .result = result};
    *result = (struct yo_match_result){.end = YO_MATCH_COUNTED};
    enum yo_err err = opening ? yo_go_game_copy(opening, &table.game)
                              : yo_go_game_new(rules->size, &rules->rules, &table.game);
    if (err) return yo_diag_set(diag, err, "no memory for a game");
    yo_clock_start(&table.clock, &rules->clock);
    if (set_up(&table, seed, opening)) play_out(&table);
    if (!table.over) err = count_board(&table, judge, diag);
    result->moves = yo_go_game_move_count(table.game);
    *game = table.game;
    return err;
}
