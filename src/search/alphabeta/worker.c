/* One thread of the search: iterative deepening, and when to end it. */
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "game/shogi/movegen.h"
#include "search/alphabeta/internal.h"

enum yo_err yo_ab_worker_new(struct ab_shared *shared, int id, struct ab_worker **out) {
    struct ab_worker *w = yo_alloc_large(sizeof *w);
    if (!w) return YO_ERR_NOMEM;
    w->shared = shared;
    w->id = id;
    w->root_moves = yo_alloc(YO_SHOGI_LIST, sizeof *w->root_moves);
    if (!w->root_moves || yo_ab_worker_set_eval(w, shared->options.eval)) {
        yo_ab_worker_delete(w);
        return YO_ERR_NOMEM;
    }
    *out = w;
    return YO_OK;
}

void yo_ab_worker_delete(struct ab_worker *w) {
    if (!w) return;
    yo_free(w->root_moves);
    yo_free(w->past);
    yo_free_aligned(w->states);
    yo_free_aligned(w->eval_cache);
    yo_free_large(w, sizeof *w);
}

static bool make_room(void **block, size_t *room, size_t size) {
    if (*block && size <= *room) return true;
    void *grown = yo_alloc_aligned(size);
    if (!grown) return false;
    yo_free_aligned(*block);
    *block = grown;
    *room = size;
    return true;
}

enum yo_err yo_ab_worker_set_eval(struct ab_worker *w, const struct yo_shogi_eval *eval) {
    size_t frames = sizeof w->frames / sizeof w->frames[0];
    bool fits = make_room(&w->states, &w->state_room, eval->state_size * frames) &&
                make_room(&w->eval_cache, &w->cache_room, eval->cache_size);
    return fits ? YO_OK : YO_ERR_NOMEM;
}

/* ---- Beginning ---- */

static void list_root_moves(struct ab_worker *w) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_legal_moves(&w->frames[0].pos, moves);
    w->root_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!yo_search_allows(&w->shared->limits, moves[i])) continue;
        struct ab_root_move *r = &w->root_moves[w->root_count++];
        r->move = r->line[0] = moves[i];
        r->length = 1;
        r->score = r->last_score = -AB_INFINITE;
        r->seldepth = 0;
    }
}

enum yo_err yo_ab_worker_prepare(struct ab_worker *w) {
    const struct yo_shogi_game *game = w->shared->game;
    const struct yo_shogi_position *pos = shogi_game_now(game);
    size_t count = game->count, need = count + sizeof w->frames / sizeof w->frames[0];
    if (need > w->past_cap) {
        void *grown = yo_realloc(w->past, need, sizeof *w->past);
        if (!grown) return YO_ERR_NOMEM;
        w->past = grown;
        w->past_cap = need;
    }
    memcpy(w->past, game->past, count * sizeof *w->past);
    w->past_count = count;
    atomic_store_explicit(&w->nodes, 0, memory_order_relaxed);
    w->stopped = false;
    w->told_ms = 0;
    w->seldepth = w->depth = w->done_depth = w->null_from = 0;
    for (size_t i = 0; i < sizeof w->frames / sizeof w->frames[0]; i++) {
        struct ab_frame *f = &w->frames[i];
        f->killers[0] = f->killers[1] = f->excluded = f->move = YO_SHOGI_NO_MOVE;
        f->slot = 0;
        f->number = f->doubles = 0;
        f->eval = f->corrected = AB_NO_EVAL;
    }
    w->frames[0].pos = *pos;
    const struct yo_shogi_eval *eval = w->shared->options.eval;
    if (eval->root) eval->root(eval->net, pos, w->states);
    if (eval->use_cache) eval->use_cache(w->states, w->eval_cache);
    list_root_moves(w);
    return YO_OK;
}

/* ---- One depth ---- */

/* Sorts by score, stable: moves without a value keep their order. */
static void sort_root_moves(struct ab_worker *w) {
    for (size_t i = w->pv_index + 1; i < w->root_count; i++) {
        struct ab_root_move moving = w->root_moves[i];
        size_t at = i;
        for (; at > w->pv_index && w->root_moves[at - 1].score < moving.score; at--)
            w->root_moves[at] = w->root_moves[at - 1];
        w->root_moves[at] = moving;
    }
}

/* Aspiration window around the last iteration's score, widened on failure. */
static void search_window(struct ab_worker *w) {
    const struct yo_ab_margins *m = &w->shared->margins;
    int width = m->window, alpha = -AB_INFINITE, beta = AB_INFINITE;
    int last = w->root_moves[w->pv_index].last_score, depth = w->depth, highs = 0;
    bool full = w->shared->options.pruning == YO_AB_FULL;
    if (depth >= 4 && w->shared->options.pruning != YO_AB_PLAIN && last > -YO_AB_MATE_FROM &&
        last < YO_AB_MATE_FROM) {
        alpha = last - width;
        beta = last + width;
    }
    for (;;) {
        /* Each fail high reduces the next search by a ply: the best move is clear, only its value
         * is missing. */
        int plies = full && depth > highs ? depth - highs : depth;
        int score = yo_ab_search(w, 0, plies * YO_AB_PLY, alpha, beta, false);
        sort_root_moves(w);
        if (w->stopped || (score > alpha && score < beta)) return;
        yo_ab_report_bound(w, score, score <= alpha ? -1 : 1);
        width = width * m->window_growth / 100 + 1;
        if (score <= alpha) {
            beta = (alpha + beta) / 2;
            alpha = width > m->window_max ? -AB_INFINITE : score - width;
            highs = 0;
        } else {
            beta = width > m->window_max ? AB_INFINITE : score + width;
            highs++;
        }
    }
}

/* ---- Iterative deepening ---- */

/* Less time if the best move is stable over iterations, more if it just changed. */
static int64_t soft_limit(const struct ab_shared *s, int64_t soft, int steady) {
    int64_t hard = yo_search_clock_read(&s->clock->hard),
            least = yo_search_clock_read(&s->clock->least);
    soft -= s->started_ms;
    soft = s->started_ms + soft * (steady >= 6 ? 70 : steady >= 3 ? 90 : 125) / 100;
    if (soft < least) soft = least;
    return hard && soft > hard ? hard : soft;
}

static bool is_time_up(const struct ab_shared *s, int steady) {
    int64_t soft = yo_search_clock_read(&s->clock->soft), now = yo_time_ms();
    if (!soft || now < soft_limit(s, soft, steady)) return false;
    return !yo_search_clock_ends_later(s->clock, now);
}

static bool is_enough(const struct ab_worker *w, int steady) {
    const struct ab_shared *s = w->shared;
    if (s->limits.depth && w->depth >= s->limits.depth) return true;
    if (w->id != 0) return false;
    if (is_time_up(s, steady)) return true;
    bool timed = ab_is_timed(s);
    int score = w->root_moves[0].score, mate = score < 0 ? -score : score;
    if (timed && w->root_count == 1 && w->depth >= 6) return true;
    return timed && mate >= YO_AB_MATE_FROM && YO_AB_MATE - mate <= w->depth;
}

/* Searches of one position that exchange their entries would all search the same tree. All but the
 * first leave out iterations: of 2s searches each leaves out every second block of s depths, for s
 * = 1, 2, 3 ..., each beginning at another depth. */
static bool skips_depth(unsigned number, int depth) {
    unsigned size = 1;
    if (number == 0 || depth < 3) return false;
    for (number--; number >= 2 * size; size++)
        number -= 2 * size;
    return ((unsigned)depth + number) / size % 2;
}

void yo_ab_worker_think(struct ab_worker *w) {
    yo_shogi_move before = YO_SHOGI_NO_MOVE;
    int steady = 0;
    /* Every second thread begins a ply deeper, so that threads search different trees. */
    for (w->depth = 1 + w->id % 2; w->depth < YO_AB_PLY_MAX; w->depth++) {
        if (!w->shared->limits.depth && skips_depth(w->shared->limits.number, w->depth)) continue;
        size_t lines = yo_ab_line_count(w);
        for (size_t i = 0; i < w->root_count; i++)
            w->root_moves[i].last_score = w->root_moves[i].score;
        for (w->pv_index = 0; w->pv_index < lines && !w->stopped; w->pv_index++) {
            w->seldepth = 0;
            search_window(w);
        }
        /* A new best move counts even if the iteration was not finished. */
        w->pv_index = 0;
        sort_root_moves(w);
        if (w->stopped) break;
        w->done_depth = w->depth;
        yo_ab_report_depth(w);
        steady = w->root_moves[0].move == before ? steady + 1 : 0;
        before = w->root_moves[0].move;
        if (is_enough(w, steady)) break;
    }
}
