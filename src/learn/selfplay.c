#include "learn/selfplay.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "eval/shogi/net_eval.h"
#include "game/shogi/game.h"
#include "game/shogi/movegen.h"
#include "game/shogi/see.h"
#include "game/shogi/text.h"
#include "learn/selfplay_leaves.h"
#include "search/alphabeta/alphabeta.h"
#include "search/mate/dfpn.h"

const struct yo_selfplay_settings yo_selfplay_defaults = {
    .seed = 1,
    .nodes = 1500,
    .mate_nodes = 300,
    .random_moves = 8,
    .random_plies = 8, /* as the games of matches begin */
    .max_moves = 320,
    .decided = 2500,
    .table_mb = 1,
};

/* Largest distance of positions beside the game, in random moves; and how far the PV is followed
 * from there. */
enum { ASIDE_MOVES = 3, ASIDE_LINE = 3 };

struct yo_selfplayer {
    struct yo_selfplay_settings settings;
    struct selfplay_leaves leaves;
    struct yo_ab *searches[2]; /* the second only in a match */
    struct yo_shogi_eval evals[2];
    struct yo_dfpn *mate; /* NULL: not used */
    struct yo_dfpn_answer mate_answer;
    struct yo_shogi_game *game;
    uint64_t random;
    int black_score;       /* of the last search, for Black */
    uint64_t random_plies; /* bit i: move i is random */
};

/* Leaves that a search of so many nodes draws. */
static uint64_t leaves_of(const struct yo_selfplay_settings *s, uint64_t nodes) {
    uint64_t leaves = (uint64_t)s->leaves;
    return s->nodes && nodes > s->nodes ? leaves * nodes / s->nodes : leaves;
}

static const struct yo_shogi_position *now(const struct yo_selfplayer *p) {
    return shogi_game_now(p->game);
}

/* ---- Making players ---- */

static enum yo_err make_search(struct yo_selfplayer *p, int i) {
    struct yo_ab_options options = yo_ab_options_default;
    p->evals[i] = yo_shogi_net_eval(p->settings.nets[i]);
    options.eval = &p->evals[i];
    options.mate_search = false; /* with few nodes its share would be too small */
    if (p->leaves.room) {
        options.leaf = yo_selfplay_leaves_meet;
        options.leaf_user = &p->leaves;
    }
    enum yo_err err = yo_ab_new(p->settings.table_mb, &p->searches[i]);
    return err ? err : yo_ab_set_options(p->searches[i], &options);
}

enum yo_err yo_selfplayer_new(const struct yo_selfplay_settings *settings,
                              struct yo_selfplayer **out) {
    struct yo_selfplayer *p = yo_alloc(1, sizeof *p);
    if (!p) return YO_ERR_NOMEM;
    p->settings = *settings;
    enum yo_err err = yo_shogi_game_new(NULL, &p->game, NULL);
    if (!err && !settings->match)
        err = yo_selfplay_leaves_init(&p->leaves, leaves_of(settings, settings->deep_nodes));
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
    yo_selfplay_leaves_free(&p->leaves);
    yo_shogi_game_delete(p->game);
    yo_free(p);
}

/* ---- Chance ---- */

static uint32_t draw(struct yo_selfplayer *p, uint32_t below) {
    return (uint32_t)((yo_splitmix64(&p->random) >> 32) * below >> 32);
}

/* Bit i: the move after i more is drawn at random. */
static uint64_t random_ahead(const struct yo_selfplayer *p) {
    size_t played = p->game->count - 1;
    return played < 64 ? p->random_plies >> played : 0;
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

/* A random legal move that gives nothing away, as the openings of matches have them; any legal move
 * if there is none. */
static yo_shogi_move random_move(struct yo_selfplayer *p) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(now(p), moves);
    yo_shogi_move first = 0;
    for (size_t left = count; left > 0; left--) {
        uint32_t i = draw(p, (uint32_t)left);
        yo_shogi_move move = moves[i];
        if (left == count) first = move;
        if (!yo_shogi_gives_away(now(p), move)) return move;
        moves[i] = moves[left - 1];
    }
    return first;
}

/* Result of a search or of the mate solver. */
struct found {
    int score;  /* yo_ab_score */
    bool known; /* the score is valid; false if the nodes were too few for a single move */
    uint64_t nodes;
    yo_shogi_move line[ASIDE_LINE + 1];
    size_t length; /* of the kept start of the line */
};

/* ---- A game ---- */

static enum yo_outcome win_of(int side) {
    return side == YO_SHOGI_BLACK ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND;
}

static enum yo_outcome outcome_now(const struct yo_selfplayer *p) {
    struct yo_shogi_history history = {.game = p->game->past, .game_count = p->game->count};
    enum yo_outcome outcome = yo_shogi_repetition(&history, 3);
    if (outcome != YO_OUTCOME_NONE) return outcome;
    if (!yo_shogi_can_move(now(p))) return win_of(now(p)->side ^ 1);
    if (yo_shogi_can_declare(now(p), &p->game->rules)) return win_of(now(p)->side);
    return now(p)->ply >= p->settings.max_moves ? YO_OUTCOME_DRAW : YO_OUTCOME_NONE;
}

static enum yo_err play(struct yo_selfplayer *p, yo_shogi_move move) {
    return yo_shogi_game_add(p->game, move);
}

static enum yo_err keep_sample(const struct yo_shogi_position *pos, int score, yo_shogi_move move,
                               uint8_t flags, struct yo_selfplay_game *game) {
    if (game->count == game->cap) {
        size_t cap = game->cap ? 2 * game->cap : 128;
        void *grown = yo_realloc(game->samples, cap, sizeof *game->samples);
        if (!grown) return YO_ERR_NOMEM;
        game->samples = grown;
        game->cap = cap;
    }
    struct yo_shogi_sample *sample = &game->samples[game->count++];
    *sample = (struct yo_shogi_sample){.score = (int16_t)score,
                                       .move = move,
                                       .ply = pos->ply,
                                       .result = (int8_t)(pos->side ? -1 : 1),
                                       .flags = flags};
    if (flags & YO_SHOGI_SAMPLE_ASIDE) sample->result = 0;
    return yo_shogi_pack(pos, sample->position);
}

/* `result` holds the sign of the side to move until the outcome is known. */
static void fill_results(struct yo_selfplay_game *game) {
    int black = game->outcome == YO_OUTCOME_FIRST ? 1 : game->outcome == YO_OUTCOME_SECOND ? -1 : 0;
    for (size_t i = 0; i < game->count; i++)
        game->samples[i].result = (int8_t)(game->samples[i].result * black);
}

/* Back to the start position, or to one of the openings. */
static void set_up(struct yo_selfplayer *p) {
    const struct yo_selfplay_openings *openings = p->settings.openings;
    p->game->count = 1;
    if (!openings) return;
    const struct yo_shogi_sample *sample = &openings->samples[draw(p, (uint32_t)openings->count)];
    struct yo_shogi_position *first = &p->game->positions[0];
    if (yo_shogi_unpack(sample->position, first, NULL)) return; /* it was read before */
    first->ply = sample->ply;
    p->game->past[0] = yo_shogi_past_first(first);
}

static void begin(struct yo_selfplayer *p, uint64_t number, struct yo_selfplay_game *game) {
    uint64_t opening = p->settings.match ? number / 2 : number;
    p->random = yo_mix64(yo_mix64(p->settings.seed + YO_SPLITMIX_STEP) + opening);
    p->leaves.random = yo_mix64(p->random);
    choose_random_plies(p);
    for (int i = 0; i < 1 + p->settings.match; i++)
        yo_ab_clear(p->searches[i]);
    set_up(p);
    p->black_score = 0;
    game->count = 0;
    game->nodes = 0;
    game->outcome = YO_OUTCOME_NONE;
}

/* One side is far ahead; in a match by both engines' scores. */
static enum yo_outcome decided(struct yo_selfplayer *p, int score) {
    int black = now(p)->side == YO_SHOGI_BLACK ? score : -score, before = p->black_score;
    p->black_score = black;
    if (!p->settings.match) before = black;
    if (black >= p->settings.decided && before >= p->settings.decided) return YO_OUTCOME_FIRST;
    if (black <= -p->settings.decided && before <= -p->settings.decided) return YO_OUTCOME_SECOND;
    return YO_OUTCOME_NONE;
}

/* Missed mates would decide games between weak searches, which makes them poor training data. */
static bool find_mate(struct yo_selfplayer *p, const atomic_bool *stop, struct found *r) {
    if (!p->mate) return false;
    const struct yo_dfpn_answer *a = &p->mate_answer;
    if (!yo_dfpn_mates(p->mate, now(p), p->settings.mate_nodes, stop, &p->mate_answer))
        return false;
    *r = (struct found){.score = YO_AB_MATE - (int)a->length, .known = true, .nodes = a->nodes};
    for (; r->length < a->length && r->length <= ASIDE_LINE; r->length++)
        r->line[r->length] = a->line[r->length];
    return true;
}

/* Nodes of the next search. Games without deep searches draw nothing. */
static uint64_t draw_nodes(struct yo_selfplayer *p) {
    const struct yo_selfplay_settings *s = &p->settings;
    if (!s->deep_nodes) return s->nodes;
    return draw(p, 1 << 20) < s->deep_share * (1 << 20) ? s->deep_nodes : s->nodes;
}

static enum yo_err find_best(struct yo_selfplayer *p, int who, const atomic_bool *stop,
                             struct found *r) {
    struct yo_search_limits limits = {.depth = p->settings.depth, .nodes = draw_nodes(p)};
    selfplay_leaves_begin(&p->leaves, leaves_of(&p->settings, limits.nodes));
    struct yo_search_result result;
    enum yo_err err = yo_search_run(yo_ab_as_search(p->searches[who]), p->game, &limits, stop, NULL,
                                    NULL, &result, NULL);
    if (err) return err;
    const struct yo_search_move *best = &result.moves[0];
    *r = (struct found){.score = yo_ab_score(&result),
                        .known = best->bound != YO_BOUND_UNKNOWN,
                        .nodes = result.nodes};
    for (; r->length < best->pv_count && r->length <= ASIDE_LINE; r->length++)
        r->line[r->length] = (yo_shogi_move)best->pv[r->length];
    return YO_OK;
}

static enum yo_err search(struct yo_selfplayer *p, int who, const atomic_bool *stop,
                          struct yo_selfplay_game *game, struct found *r) {
    selfplay_leaves_begin(&p->leaves, 0);
    enum yo_err err = find_mate(p, stop, r) ? YO_OK : find_best(p, who, stop, r);
    if (err) return err;
    if (stop && atomic_load_explicit(stop, memory_order_relaxed)) return YO_ERR_CANCELLED;
    game->nodes += r->nodes;
    return YO_OK;
}

/* Keeps the quiet positions at the start of the PV, each with the score for its side to move: one
 * search then labels several positions. */
static enum yo_err keep_quiet(struct yo_selfplayer *p, const struct found *r,
                              struct yo_selfplay_game *game) {
    int score = r->score;
    if (!r->known || score >= p->settings.decided || score <= -p->settings.decided) return YO_OK;
    for (size_t i = 0; i < r->length; i++, score = -score) {
        enum yo_err err = YO_OK;
        if (yo_shogi_sample_is_quiet(now(p), r->line[i]))
            err = keep_sample(now(p), score, r->line[i],
                              YO_SHOGI_SAMPLE_ASIDE | YO_SHOGI_SAMPLE_QUIET, game);
        if (!err) err = play(p, r->line[i]);
        if (err) return err;
    }
    return YO_OK;
}

/* Keeps a position some random moves away from the game, then returns to the game. */
static enum yo_err step_aside(struct yo_selfplayer *p, const atomic_bool *stop,
                              struct yo_selfplay_game *game) {
    size_t count = p->game->count;
    struct found r;
    enum yo_err err = YO_OK;
    enum yo_outcome outcome = YO_OUTCOME_NONE;
    for (uint32_t left = 1 + draw(p, ASIDE_MOVES); left > 0 && outcome == YO_OUTCOME_NONE; left--) {
        err = play(p, random_move(p));
        if (err) break;
        outcome = outcome_now(p);
    }
    if (!err && outcome == YO_OUTCOME_NONE) {
        err = search(p, 0, stop, game, &r);
        if (!err) err = keep_quiet(p, &r, game);
    }
    p->game->count = count;
    return err;
}

/* Keeps the quiet ones of the leaves that were drawn in the last search, without a move. */
static enum yo_err keep_leaves(struct yo_selfplayer *p, struct yo_selfplay_game *game) {
    enum yo_err err = YO_OK;
    for (uint64_t i = 0; i < selfplay_leaves_count(&p->leaves) && !err; i++) {
        const struct selfplay_leaf *leaf = &p->leaves.drawn[i];
        if (abs(leaf->score) < p->settings.decided && yo_selfplay_leaf_is_quiet(leaf))
            err = keep_sample(&leaf->pos, leaf->score, YO_SHOGI_NO_MOVE,
                              YO_SHOGI_SAMPLE_ASIDE | YO_SHOGI_SAMPLE_QUIET, game);
    }
    return err;
}

/* Plays one move by search, or decides the game. */
static enum yo_err think(struct yo_selfplayer *p, uint64_t number, const atomic_bool *stop,
                         struct yo_selfplay_game *game) {
    struct found r;
    int who = p->settings.match ? (int)(now(p)->side ^ (number & 1)) : 0;
    enum yo_err err = search(p, who, stop, game, &r);
    if (err) return err;
    if (r.known && (game->outcome = decided(p, r.score)) != YO_OUTCOME_NONE) return YO_OK;
    yo_shogi_move move = r.line[0];
    /* A position before a random move does not predict the result. */
    if (r.known && !random_ahead(p) && !p->settings.match)
        err = keep_sample(now(p), r.score, move,
                          yo_shogi_sample_is_quiet(now(p), move) ? YO_SHOGI_SAMPLE_QUIET : 0, game);
    if (!err && !random_ahead(p)) err = keep_leaves(p, game);
    for (int i = 0; i < p->settings.asides && !err && !p->settings.match; i++)
        err = step_aside(p, stop, game);
    return err ? err : play(p, move);
}

enum yo_err yo_selfplayer_play(struct yo_selfplayer *p, uint64_t number, const atomic_bool *stop,
                               struct yo_selfplay_game *game) {
    begin(p, number, game);
    while (game->outcome == YO_OUTCOME_NONE) {
        game->outcome = outcome_now(p);
        if (game->outcome != YO_OUTCOME_NONE) break;
        enum yo_err err;
        if (random_ahead(p) & 1)
            err = play(p, random_move(p));
        else
            err = think(p, number, stop, game);
        if (err) return err;
    }
    game->moves = now(p)->ply;
    fill_results(game);
    return YO_OK;
}
