#include "learn/selfplay.h"

#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "eval/shogi/net_eval.h"
#include "game/shogi/movegen.h"
#include "game/shogi/see.h"
#include "game/shogi/text.h"
#include "search/alphabeta/alphabeta.h"
#include "search/mate/dfpn.h"

const struct yo_selfplay_settings yo_selfplay_defaults = {
    .seed = 1,
    .nodes = 1500,
    .mate_nodes = 300,
    .random_moves = 5,
    .random_plies = 24,
    .max_moves = 320,
    .decided = 2500,
    .table_mb = 1,
};

/* How far positions beside the game are from it at most, in random moves; and how far the line that
 * a search found is followed from there until it is quiet. */
enum { ASIDE_MOVES = 3, ASIDE_LINE = 3 };

struct yo_selfplayer {
    struct yo_selfplay_settings settings;
    struct yo_shogi_rules rules;
    struct yo_ab *searches[2]; /* the second only in a match */
    struct yo_shogi_eval evals[2];
    struct yo_dfpn *mate; /* NULL: not asked */
    struct yo_dfpn_answer mate_answer;
    struct yo_shogi_position pos;
    struct yo_shogi_past *past; /* room for max_moves + 1, and asides */
    size_t past_count;
    uint64_t random;
    int black_score;       /* of the last search, for Black */
    uint64_t random_plies; /* bit i: move i is drawn */
};

/* ---- Making players ---- */

static enum yo_err make_search(struct yo_selfplayer *p, int i) {
    struct yo_ab_options options = yo_ab_options_default;
    p->evals[i] = yo_shogi_net_eval(p->settings.nets[i]);
    options.eval = &p->evals[i];
    options.mate_search = false; /* at few nodes it has too small a part of them */
    enum yo_err err = yo_ab_new(p->settings.table_mb, &p->searches[i]);
    return err ? err : yo_ab_set_options(p->searches[i], &options);
}

enum yo_err yo_selfplayer_new(const struct yo_selfplay_settings *settings,
                              struct yo_selfplayer **out) {
    struct yo_selfplayer *p = yo_alloc(1, sizeof *p);
    if (!p) return YO_ERR_NOMEM;
    p->settings = *settings;
    p->rules = yo_shogi_rules_default;
    size_t room = (size_t)settings->max_moves + 1 + ASIDE_MOVES + ASIDE_LINE;
    p->past = yo_alloc(room, sizeof *p->past);
    enum yo_err err = p->past ? YO_OK : YO_ERR_NOMEM;
    for (int i = 0; i < 1 + settings->match && !err; i++)
        err = make_search(p, i);
    if (!err && settings->mate_nodes) err = yo_dfpn_new(0, &p->mate); /* cleared for each search */
    if (err) {
        yo_selfplayer_delete(p);
        return err;
    }
    *out = p;
    return YO_OK;
}

void yo_selfplayer_delete(struct yo_selfplayer *p) {
    if (!p) return;
    for (int i = 0; i < 2; i++)
        yo_ab_delete(p->searches[i]);
    yo_dfpn_delete(p->mate);
    yo_free(p->past);
    yo_free(p);
}

/* ---- Chance ---- */

static uint32_t draw(struct yo_selfplayer *p, uint32_t below) {
    return (uint32_t)((yo_splitmix64(&p->random) >> 32) * below >> 32);
}

static void choose_random_plies(struct yo_selfplayer *p) {
    int left = p->settings.random_moves, plies = p->settings.random_plies;
    p->random_plies = 0;
    for (int ply = 0; ply < plies && left > 0; ply++)
        if (draw(p, (uint32_t)(plies - ply)) < (uint32_t)left) {
            p->random_plies |= (uint64_t)1 << ply;
            left--;
        }
}

/* Any legal move that does not simply give something away; any at all where there is none such. */
static yo_shogi_move random_move(struct yo_selfplayer *p) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(&p->pos, moves), kept = 0;
    for (size_t i = 0; i < count; i++)
        if (yo_shogi_see(&p->pos, moves[i]) >= 0) {
            yo_shogi_move move = moves[i];
            moves[i] = moves[kept];
            moves[kept++] = move;
        }
    return moves[draw(p, (uint32_t)(kept ? kept : count))];
}

/* ---- A game ---- */

static enum yo_outcome win_of(int side) {
    return side == YO_SHOGI_BLACK ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND;
}

static enum yo_outcome outcome_now(const struct yo_selfplayer *p) {
    struct yo_shogi_history history = {.game = p->past, .game_count = p->past_count};
    enum yo_outcome outcome = yo_shogi_repetition(&history, 3);
    if (outcome != YO_OUTCOME_NONE) return outcome;
    if (!yo_shogi_can_move(&p->pos)) return win_of(p->pos.side ^ 1);
    if (yo_shogi_can_declare(&p->pos, &p->rules)) return win_of(p->pos.side);
    return p->pos.ply >= p->settings.max_moves ? YO_OUTCOME_DRAW : YO_OUTCOME_NONE;
}

static void play(struct yo_selfplayer *p, yo_shogi_move move) {
    yo_shogi_play(&p->pos, move);
    p->past[p->past_count] = yo_shogi_past_next(&p->past[p->past_count - 1], &p->pos);
    p->past_count++;
}

static bool is_quiet(const struct yo_shogi_position *pos, yo_shogi_move move) {
    return !shogi_in_check(pos) && !pos->board[shogi_to(move)] && !shogi_promotes(move);
}

static enum yo_err keep_sample(const struct yo_selfplayer *p, int score, yo_shogi_move move,
                               uint8_t flags, struct yo_selfplay_game *game) {
    if (game->count == game->cap) {
        size_t cap = game->cap ? 2 * game->cap : 128;
        void *grown = yo_realloc(game->samples, cap, sizeof *game->samples);
        if (!grown) return YO_ERR_NOMEM;
        game->samples = grown;
        game->cap = cap;
    }
    struct yo_shogi_sample *sample = &game->samples[game->count++];
    if (is_quiet(&p->pos, move)) flags |= YO_SHOGI_SAMPLE_QUIET;
    *sample = (struct yo_shogi_sample){.score = (int16_t)score,
                                       .move = move,
                                       .ply = p->pos.ply,
                                       .result = (int8_t)(p->pos.side ? -1 : 1),
                                       .flags = flags};
    if (flags & YO_SHOGI_SAMPLE_ASIDE) sample->result = 0;
    return yo_shogi_pack(&p->pos, sample->position);
}

/* The result was left as the sign of the side to move. */
static void fill_results(struct yo_selfplay_game *game) {
    int black = game->outcome == YO_OUTCOME_FIRST ? 1 : game->outcome == YO_OUTCOME_SECOND ? -1 : 0;
    for (size_t i = 0; i < game->count; i++)
        game->samples[i].result = (int8_t)(game->samples[i].result * black);
}

static void begin(struct yo_selfplayer *p, uint64_t number, struct yo_selfplay_game *game) {
    uint64_t opening = p->settings.match ? number / 2 : number;
    p->random = yo_mix64(yo_mix64(p->settings.seed + YO_SPLITMIX_STEP) + opening);
    choose_random_plies(p);
    for (int i = 0; i < 1 + p->settings.match; i++)
        yo_ab_clear(p->searches[i]);
    yo_shogi_position_start(&p->pos);
    p->past[0] = yo_shogi_past_first(&p->pos);
    p->past_count = 1;
    p->black_score = 0;
    game->count = 0;
    game->nodes = 0;
    game->outcome = YO_OUTCOME_NONE;
}

/* One side is far ahead, and in a match the other has said so too. */
static enum yo_outcome decided(struct yo_selfplayer *p, int score) {
    int black = p->pos.side == YO_SHOGI_BLACK ? score : -score, before = p->black_score;
    p->black_score = black;
    if (!p->settings.match) before = black;
    if (black >= p->settings.decided && before >= p->settings.decided) return YO_OUTCOME_FIRST;
    if (black <= -p->settings.decided && before <= -p->settings.decided) return YO_OUTCOME_SECOND;
    return YO_OUTCOME_NONE;
}

/* Games between weak searches are decided by who sees a mate; such games teach little if nobody
 * does. */
static bool find_mate(struct yo_selfplayer *p, const atomic_bool *stop, struct yo_ab_report *r) {
    if (!p->mate) return false;
    struct yo_dfpn_limits limits = {.nodes = p->settings.mate_nodes};
    const struct yo_dfpn_answer *a = &p->mate_answer;
    yo_dfpn_solve(p->mate, &p->pos, &limits, stop, &p->mate_answer);
    if (a->result != YO_DFPN_MATE || a->length == 0) return false;
    *r = (struct yo_ab_report){.score = YO_AB_MATE - (int)a->length,
                               .nodes = a->nodes,
                               .line = a->line,
                               .length = a->length};
    return true;
}

static enum yo_err search(struct yo_selfplayer *p, int who, const atomic_bool *stop,
                          struct yo_selfplay_game *game, struct yo_ab_report *r) {
    struct yo_ab_limits limits = {.depth = p->settings.depth, .nodes = p->settings.nodes};
    enum yo_err err = YO_OK;
    if (!find_mate(p, stop, r))
        err = yo_ab_run(p->searches[who], &p->pos, &p->rules, p->past, p->past_count, &limits, stop,
                        NULL, NULL, r);
    if (err) return err;
    if (stop && atomic_load_explicit(stop, memory_order_relaxed)) return YO_ERR_CANCELLED;
    game->nodes += r->nodes;
    return YO_OK;
}

/* The first quiet position on the line that was found, with the score that it has there. */
static enum yo_err keep_quiet(struct yo_selfplayer *p, const struct yo_ab_report *r,
                              struct yo_selfplay_game *game) {
    int score = r->score;
    if (score >= p->settings.decided || score <= -p->settings.decided) return YO_OK;
    for (size_t i = 0; i < r->length && i <= ASIDE_LINE; i++, score = -score) {
        if (is_quiet(&p->pos, r->line[i]))
            return keep_sample(p, score, r->line[i], YO_SHOGI_SAMPLE_ASIDE, game);
        play(p, r->line[i]);
    }
    return YO_OK;
}

/* Some random moves away from the game, and back again. */
static enum yo_err step_aside(struct yo_selfplayer *p, const atomic_bool *stop,
                              struct yo_selfplay_game *game) {
    struct yo_shogi_position here = p->pos;
    size_t past_count = p->past_count;
    struct yo_ab_report r;
    enum yo_err err = YO_OK;
    enum yo_outcome outcome = YO_OUTCOME_NONE;
    for (uint32_t left = 1 + draw(p, ASIDE_MOVES); left > 0 && outcome == YO_OUTCOME_NONE; left--) {
        play(p, random_move(p));
        outcome = outcome_now(p);
    }
    if (outcome == YO_OUTCOME_NONE) {
        err = search(p, 0, stop, game, &r);
        if (!err) err = keep_quiet(p, &r, game);
    }
    p->pos = here;
    p->past_count = past_count;
    return err;
}

/* One move found by searching; or the game is decided. */
static enum yo_err think(struct yo_selfplayer *p, uint64_t number, const atomic_bool *stop,
                         struct yo_selfplay_game *game) {
    struct yo_ab_report r;
    int who = p->settings.match ? (int)(p->pos.side ^ (number & 1)) : 0;
    enum yo_err err = search(p, who, stop, game, &r);
    if (err) return err;
    if ((game->outcome = decided(p, r.score)) != YO_OUTCOME_NONE) return YO_OK;
    yo_shogi_move move = r.line[0];
    /* What comes before a random move says nothing about how the game ended. */
    bool random_ahead = p->pos.ply < 64 && p->random_plies >> p->pos.ply;
    if (!random_ahead && !p->settings.match) err = keep_sample(p, r.score, move, 0, game);
    for (int i = 0; i < p->settings.asides && !err && !p->settings.match; i++)
        err = step_aside(p, stop, game);
    play(p, move);
    return err;
}

enum yo_err yo_selfplayer_play(struct yo_selfplayer *p, uint64_t number, const atomic_bool *stop,
                               struct yo_selfplay_game *game) {
    begin(p, number, game);
    while (game->outcome == YO_OUTCOME_NONE) {
        game->outcome = outcome_now(p);
        if (game->outcome != YO_OUTCOME_NONE) break;
        if (p->pos.ply < 64 && p->random_plies >> p->pos.ply & 1) {
            play(p, random_move(p));
            continue;
        }
        enum yo_err err = think(p, number, stop, game);
        if (err) return err;
    }
    game->moves = p->pos.ply;
    fill_results(game);
    return YO_OK;
}
