#include "match/shogi.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"

/* Setting up must not take longer than this even if moves may. */
#define SETUP_MS 60000

struct table {
    struct yo_peer *const *seats;
    const int *which;
    const struct yo_usi_match_rules *rules;
    struct yo_match_result *result;
    struct yo_shogi_position pos;
    struct yo_shogi_past *past;
    size_t past_count, past_cap;
    struct yo_buf moves; /* the position command so far */
    struct yo_shogi_record *record;
    int node;
    int64_t left_ms[2];
    bool over;
    enum yo_err err; /* of the match itself, not of an engine */
};

/* ---- how games end ---- */

static void end_record(struct table *t, enum yo_shogi_end end) {
    if (!t->err) t->err = yo_shogi_record_add(t->record, t->node, YO_SHOGI_NO_MOVE, end, &t->node);
}

static void win(struct table *t, int side, enum yo_match_end end, enum yo_shogi_end why,
                char letter, const char *fault) {
    struct yo_match_result *r = t->result;
    r->winner = side == YO_SHOGI_BLACK ? YO_GO_BLACK : YO_GO_WHITE;
    r->end = end;
    snprintf(r->score, sizeof r->score, "%c+%c", side ? 'W' : 'B', letter);
    snprintf(r->fault, sizeof r->fault, "%.290s", fault);
    t->over = true;
    end_record(t, why);
}

static void draw(struct table *t, enum yo_match_end end, enum yo_shogi_end why) {
    t->result->winner = YO_GO_EMPTY;
    t->result->end = end;
    strcpy(t->result->score, "0");
    t->over = true;
    end_record(t, why);
}

static void lose_by(struct table *t, int side, enum yo_match_end end, enum yo_shogi_end why,
                    char letter, const struct yo_diag *diag) {
    char what[sizeof t->result->fault];
    yo_match_tell_fault(t->seats[side], diag, what);
    win(t, side ^ 1, end, why, letter, what);
}

static void lose_by_fault(struct table *t, int side, const struct yo_diag *diag) {
    enum yo_match_end end = yo_match_end_of_fault(t->seats[side]->fault);
    lose_by(t, side, end, YO_SHOGI_END_ERROR, 'F', diag);
}

/* ---- talking ---- */

static bool tell(struct table *t, int side, const char *line) {
    struct yo_diag diag = {0};
    if (yo_peer_say(t->seats[side], line, &diag) == YO_OK) return true;
    lose_by_fault(t, side, &diag);
    return false;
}

static void put_go(const struct table *t, int side, char *out, size_t size) {
    const struct yo_usi_match_rules *r = t->rules;
    int which = t->which[side];
    if (r->nodes[which])
        snprintf(out, size, "go nodes %" PRIu64, r->nodes[which]);
    else if (r->depth[which])
        snprintf(out, size, "go depth %d", r->depth[which]);
    else if (r->movetime_ms[which])
        snprintf(out, size, "go movetime %" PRId64, r->movetime_ms[which]);
    else if (r->increment_ms)
        snprintf(out, size, "go btime %" PRId64 " wtime %" PRId64 " binc %" PRId64 " winc %" PRId64,
                 t->left_ms[0], t->left_ms[1], r->increment_ms, r->increment_ms);
    else
        snprintf(out, size, "go btime %" PRId64 " wtime %" PRId64 " byoyomi %" PRId64,
                 t->left_ms[0], t->left_ms[1], r->byoyomi_ms);
}

/* ---- a move ---- */

static bool has_clock(const struct yo_usi_match_rules *r) {
    return r->main_ms || r->byoyomi_ms || r->increment_ms;
}

/* False if the side lost on time. */
static bool spend(struct table *t, int side, int64_t spent_ms) {
    const struct yo_usi_match_rules *r = t->rules;
    int which = t->which[side];
    if (!has_clock(r) || r->nodes[which] || r->depth[which] || r->movetime_ms[which]) return true;
    spent_ms = spent_ms > r->grace_ms ? spent_ms - r->grace_ms : 0;
    /* By USI's definition a move may use its own increment, which the clock does not show yet. */
    int64_t over = spent_ms - t->left_ms[side] - r->increment_ms;
    t->left_ms[side] = over >= 0 ? 0 : -over;
    return over <= r->byoyomi_ms;
}

/* had_ms: the clock before the move. */
static void lose_on_time(struct table *t, int side, int64_t spent_ms, int64_t had_ms) {
    int64_t increment = t->rules->increment_ms, byoyomi = t->rules->byoyomi_ms;
    struct yo_diag diag;
    char more[80] = "";
    if (increment)
        snprintf(more, sizeof more, " and %.2f s of increment", (double)increment / 1000);
    size_t len = strlen(more);
    if (byoyomi)
        snprintf(more + len, sizeof more - len, " and %.2f s of byoyomi", (double)byoyomi / 1000);
    yo_diag_set(&diag, YO_ERR_STATE, "it took %.2f s for a move and had %.2f s left%s",
                (double)spent_ms / 1000, (double)had_ms / 1000, more);
    lose_by(t, side, YO_MATCH_TIME, YO_SHOGI_END_TIME_UP, 'T', &diag);
}

/* An engine with time left does not count as hung. */
static int64_t patience_ms(const struct table *t, int side) {
    const struct yo_usi_match_rules *r = t->rules;
    int64_t may_ms = r->movetime_ms[t->which[side]];
    if (!may_ms) may_ms = t->left_ms[side] + r->increment_ms + r->byoyomi_ms;
    may_ms += r->grace_ms;
    return may_ms > r->timeout_ms ? may_ms : r->timeout_ms;
}

static bool think(struct table *t, int side, struct yo_buf *answer, int64_t *spent_ms) {
    struct yo_diag diag = {0};
    char go[160];
    put_go(t, side, go, sizeof go);
    if (!tell(t, side, yo_buf_text(&t->moves))) return false;
    int64_t start = yo_time_awake_ms(), until = start + patience_ms(t, side);
    if (!tell(t, side, go)) return false;
    do {
        if (yo_peer_hear(t->seats[side], until, answer, &diag)) {
            lose_by_fault(t, side, &diag);
            return false;
        }
    } while (strncmp(yo_buf_text(answer), "bestmove ", 9) != 0);
    *spent_ms = yo_time_awake_ms() - start;
    t->result->spent_ms[side] += *spent_ms;
    int64_t had_ms = t->left_ms[side];
    if (spend(t, side, *spent_ms)) return true;
    lose_on_time(t, side, *spent_ms, had_ms);
    return false;
}

static void keep_move(struct table *t, yo_shogi_move move, int64_t spent_ms) {
    char text[YO_SHOGI_MOVE_TEXT];
    yo_shogi_play(&t->pos, move);
    if (t->past_count == t->past_cap) {
        void *grown = yo_realloc(t->past, 2 * t->past_cap, sizeof *t->past);
        if (!grown) {
            t->err = YO_ERR_NOMEM;
            return;
        }
        t->past = grown;
        t->past_cap *= 2;
    }
    t->past[t->past_count] = yo_shogi_past_next(&t->past[t->past_count - 1], &t->pos);
    t->past_count++;
    yo_buf_printf(&t->moves, " %s", yo_shogi_move_format(move, text));
    if (!t->err) t->err = yo_shogi_record_add(t->record, t->node, move, YO_SHOGI_GOES_ON, &t->node);
    if (!t->err) t->record->nodes[t->node].time_ms = spent_ms;
    t->result->moves++;
}

static void take_turn(struct table *t) {
    struct yo_buf answer = {0};
    int side = t->pos.side;
    int64_t spent_ms;
    char word[16] = "";
    struct yo_diag diag;
    yo_shogi_move move;
    if (think(t, side, &answer, &spent_ms)) {
        sscanf(yo_buf_text(&answer), "bestmove %15s", word);
        if (strcmp(word, "resign") == 0) {
            bool mated = !yo_shogi_can_move(&t->pos);
            win(t, side ^ 1, YO_MATCH_RESIGNED, mated ? YO_SHOGI_END_MATE : YO_SHOGI_END_RESIGN,
                'R', "");
        } else if (strcmp(word, "win") == 0 && yo_shogi_can_declare(&t->pos, &t->rules->rules)) {
            win(t, side, YO_MATCH_DECLARED, YO_SHOGI_END_DECLARATION, 'D', "");
        } else if (yo_shogi_move_parse(word, &move, NULL) ||
                   !yo_shogi_move_is_sound(&t->pos, move)) {
            yo_diag_set(&diag, YO_ERR_ILLEGAL, "it played '%.15s', which is not legal", word);
            lose_by(t, side, YO_MATCH_ILLEGAL, YO_SHOGI_END_FOUL, 'F', &diag);
        } else {
            keep_move(t, move, spent_ms);
        }
    }
    yo_buf_free(&answer);
}

static void look_for_end(struct table *t) {
    struct yo_shogi_history history = {.game = t->past, .game_count = t->past_count};
    enum yo_outcome outcome = yo_shogi_repetition(&history, 3);
    int side = t->pos.side, max = t->rules->rules.max_moves;
    if (outcome == YO_OUTCOME_DRAW)
        draw(t, YO_MATCH_REPEATED, YO_SHOGI_END_REPETITION);
    else if (outcome != YO_OUTCOME_NONE)
        win(t, outcome == YO_OUTCOME_FIRST ? YO_SHOGI_BLACK : YO_SHOGI_WHITE, YO_MATCH_REPEATED,
            outcome == YO_OUTCOME_FIRST ? YO_SHOGI_END_FOUL_BY_WHITE : YO_SHOGI_END_FOUL_BY_BLACK,
            'F', "");
    else if (!yo_shogi_can_move(&t->pos))
        win(t, side ^ 1, YO_MATCH_MATED, YO_SHOGI_END_MATE, 'M', "");
    else if (max && t->pos.ply >= max)
        draw(t, YO_MATCH_TOO_LONG, YO_SHOGI_END_MAX_MOVES);
}

/* ---- the whole ---- */

static void set_up(struct table *t, const struct yo_usi_opening *opening) {
    char sfen[YO_SHOGI_SFEN_MAX];
    t->pos = t->record->start = opening->start;
    t->past[0] = yo_shogi_past_first(&t->pos);
    t->past_count = 1;
    yo_buf_printf(&t->moves, "position sfen %s", yo_shogi_sfen_format(&t->pos, sfen));
    yo_buf_str(&t->moves, " moves");
    for (size_t i = 0; i < opening->count; i++)
        keep_move(t, opening->moves[i], -1);
    for (int side = 0; side < 2 && !t->over; side++) {
        struct yo_diag diag = {0};
        if (yo_peer_usi_get_ready(t->seats[side], SETUP_MS, &diag))
            lose_by_fault(t, side, &diag);
        else
            tell(t, side, "usinewgame");
    }
}

static void show(const struct table *t) {
    struct yo_match_sight sight = {.moves = t->result->moves};
    char sfen[YO_SHOGI_SFEN_MAX];
    snprintf(sight.board, sizeof sight.board, "%s", yo_shogi_sfen_format(&t->pos, sfen));
    t->rules->watcher.moved(t->rules->watcher.user, &sight);
}

enum yo_err yo_usi_match_play(struct yo_peer *const seats[2], const int which[2],
                              const struct yo_usi_match_rules *rules,
                              const struct yo_usi_opening *opening, struct yo_shogi_record **record,
                              struct yo_match_result *result, struct yo_diag *diag) {
    struct table t = {.seats = seats,
                      .which = which,
                      .rules = rules,
                      .result = result,
                      .past_cap = 512 + opening->count,
                      .left_ms = {rules->main_ms, rules->main_ms}};
    *result = (struct yo_match_result){.end = YO_MATCH_COUNTED};
    t.past = yo_alloc(t.past_cap, sizeof *t.past);
    t.err = t.past ? yo_shogi_record_new(&t.record) : YO_ERR_NOMEM;
    if (!t.err) set_up(&t, opening);
    while (!t.over && !t.err) {
        look_for_end(&t);
        if (!t.over) take_turn(&t);
        if (rules->watcher.moved) show(&t);
        if (!t.err) t.err = yo_buf_status(&t.moves);
    }
    for (int side = 0; side < 2 && !t.err; side++)
        if (seats[side]->fault <= YO_PEER_REFUSED) {
            bool won = result->winner == (side ? YO_GO_WHITE : YO_GO_BLACK);
            yo_peer_say(seats[side],
                        result->winner == YO_GO_EMPTY ? "gameover draw"
                        : won                         ? "gameover win"
                                                      : "gameover lose",
                        NULL);
        }
    yo_buf_free(&t.moves);
    yo_free(t.past);
    if (t.err) {
        yo_shogi_record_delete(t.record);
        return yo_diag_set(diag, t.err, "no memory for a game");
    }
    *record = t.record;
    return YO_OK;
}
