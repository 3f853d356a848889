/* Shared by the files of alpha-beta: one worker per thread, one frame per ply. */
#pragma once

#include "game/shogi/game.h"
#include "search/alphabeta/alphabeta.h"
#include "search/alphabeta/correct.h"
#include "search/alphabeta/exchange.h"
#include "search/alphabeta/history.h"
#include "search/alphabeta/table.h"

enum { AB_INFINITE = 32500, AB_DRAW = 0, AB_REDUCTIONS = 64 };

struct ab_frame {
    struct yo_shogi_position pos;
    yo_shogi_move move;       /* the one being searched; none: null move */
    yo_shogi_move excluded;   /* left out while a singular extension is tested */
    yo_shogi_move killers[2]; /* quiet moves that cut at this ply */
    uint16_t slot;            /* of `move` in the histories */
    int number;               /* of `move` in the order, from 1; 0 for a null move */
    int doubles;              /* double extensions on the way here */
    int eval;                 /* static, or AB_NO_EVAL in check */
    int corrected;            /* the same after history correction */
    int length;
    yo_shogi_move line[YO_AB_PLY_MAX + 1]; /* principal variation from here */
};

struct ab_root_move {
    yo_shogi_move move;
    int score, last_score; /* -AB_INFINITE: below alpha, no value known */
    int seldepth;
    int length;
    yo_shogi_move line[YO_AB_PLY_MAX + 1];
};

/* Shared by the threads of a run. */
struct ab_shared {
    struct ab_table table;
    struct ab_exchange exchange;
    struct yo_ab_options options;
    struct yo_ab_margins margins;   /* scaled to the evaluation */
    int history_weights[AB_BEFORE]; /* 128: one */
    struct yo_search_limits limits;
    const struct yo_shogi_game *game;
    struct yo_shogi_rules rules;
    const atomic_bool *stop; /* set by the caller */
    atomic_bool halt;        /* set by the search */
    int64_t started_ms;
    struct yo_search_clock *clock, own_clock; /* the one in use, and the search's own */
    struct ab_worker **workers;
    int worker_count;
    struct yo_pool *pool; /* runs all workers but the first; NULL if there is only one */
    int16_t reductions[AB_REDUCTIONS][AB_REDUCTIONS]; /* by plies and number of the move */
    yo_search_report_fn report;
    void *user;
    /* What reports and results point to: `line_room` lines of YO_AB_PLY_MAX + 1 moves. */
    struct yo_search_move *lines;
    yo_move *line_moves;
    size_t line_room;
};

enum { AB_VALUES = 1 << 17 };

struct ab_worker {
    struct ab_shared *shared;
    int id; /* 0: the one that reports and ends the search */
    _Atomic uint64_t nodes;
    int depth, seldepth; /* of the iteration */
    int done_depth;      /* the last that was finished */
    int null_from;       /* no null move before this ply, while one is being verified */
    bool stopped;
    int64_t told_ms;            /* when the current root move was last reported */
    struct yo_shogi_past *past; /* the game, then the line being searched */
    size_t past_count, past_cap;
    void *states;     /* of the evaluation, one a frame */
    void *eval_cache; /* of the evaluation */
    size_t state_room, cache_room;
    struct ab_root_move *root_moves;
    size_t root_count, pv_index; /* MultiPV: moves before pv_index are excluded */
    struct ab_frame frames[YO_AB_PLY_MAX + 4];
    struct ab_histories histories;
    struct ab_corrections corrections;
    /* Static values by key, the upper 48 bits of the key and 16 of the value: one in six is asked
     * for again where the table has no entry, since most nodes are cut before they are stored. */
    uint64_t values[AB_VALUES];
};

/* ---- worker.c ---- */

enum yo_err yo_ab_worker_new(struct ab_shared *shared, int id, struct ab_worker **worker);
void yo_ab_worker_delete(struct ab_worker *worker);
/* Allocates the states in the size that the evaluation needs. They never become smaller: those of
 * the evaluation before fit in too, if the change to another fails later. */
enum yo_err yo_ab_worker_set_eval(struct ab_worker *worker, const struct yo_shogi_eval *eval);
enum yo_err yo_ab_worker_prepare(struct ab_worker *worker);
/* Iterative deepening, until a limit or halt. */
void yo_ab_worker_think(struct ab_worker *worker);
uint64_t yo_ab_nodes(const struct ab_shared *shared);

/* ---- report.c ---- */

/* Room for as many lines as the limits ask for. */
enum yo_err yo_ab_lines_reserve(struct ab_shared *shared);
void yo_ab_lines_free(struct ab_shared *shared);
size_t yo_ab_line_count(const struct ab_worker *worker);
/* `count` of the worker's root moves, from `first` on. */
void yo_ab_fill_result(struct ab_shared *shared, const struct ab_worker *worker, size_t first,
                       size_t count, struct yo_search_result *result);
/* A line that was found without searching; `score` as yo_ab_score has it. */
void yo_ab_fill_line(struct ab_shared *shared, int depth, int score, const yo_shogi_move *line,
                     size_t length, struct yo_search_result *result);
/* All lines of a depth that was finished. */
void yo_ab_report_depth(struct ab_worker *worker);
/* The value of the current line is at least (1) or at most (-1) the score. */
void yo_ab_report_bound(struct ab_worker *worker, int score, int bound);
/* A new best move within a depth: the root move of this number. */
void yo_ab_report_better(struct ab_worker *worker, size_t root_move);
/* Reports the root move that is being searched. */
void yo_ab_report_trying(struct ab_worker *worker, yo_shogi_move move);

/* ---- play.c ---- */

void yo_ab_play(struct ab_worker *worker, int ply, yo_shogi_move move);
static inline void ab_take_back(struct ab_worker *worker) { worker->past_count--; }
/* True if the game is over here for a reason other than mate. In the tree a single repetition
 * counts, since it can be repeated again. */
bool yo_ab_is_over(const struct ab_worker *worker, int ply, int *score);
/* Counts the node; true if the search has to end. */
bool yo_ab_enter(struct ab_worker *worker, int ply);
int yo_ab_eval(struct ab_worker *worker, int ply);
/* A static value of the position at this ply after history correction. */
int yo_ab_corrected(struct ab_worker *worker, int ply, int eval);
void yo_ab_keep_line(struct ab_worker *worker, int ply, yo_shogi_move move);

/* ---- search.c, quiesce.c ---- */

int yo_ab_search(struct ab_worker *worker, int ply, int depth, int alpha, int beta, bool cut_node);
/* Quiescence. `left`: YO_AB_QUIET_PLIES minus the plies of quiescence so far. */
int yo_ab_quiesce(struct ab_worker *worker, int ply, int left, int alpha, int beta);

/* ---- Time ---- */

static inline bool ab_is_timed(const struct ab_shared *s) {
    return yo_search_clock_end(s->clock) != 0;
}

/* ---- The table stores mate scores relative to the node. ---- */

static inline int ab_to_table(int score, int ply) {
    return score >= YO_AB_MATE_FROM ? score + ply : score <= -YO_AB_MATE_FROM ? score - ply : score;
}
static inline int ab_from_table(int score, int ply) {
    return score >= YO_AB_MATE_FROM ? score - ply : score <= -YO_AB_MATE_FROM ? score + ply : score;
}
