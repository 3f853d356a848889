/* yomi match: what a person sees of it, results and, on a terminal, how far the games are that are
 * being played. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "cmd/match/match.h"

/* ---- progress ---- */

static int width(void) {
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

static void show(struct match *m) {
    struct yo_buf line = {0};
    for (int i = 0; i < m->jobs; i++) {
        const struct match_table *t = &m->tables[i];
        if (!t->match) continue;
        yo_buf_printf(&line, "%sgame %zu: ", line.len ? ", " : "", t->game + 1);
        yo_buf_printf(&line, t->moves ? "move %zu" : "begins", t->moves);
    }
    fprintf(stderr, "\r%.*s\033[K", width() - 1, yo_buf_text(&line));
    fflush(stderr);
    m->shown = true;
    yo_buf_free(&line);
}

static void moved(void *user, size_t moves) {
    struct match_table *t = user;
    struct match *m = t->match;
    pthread_mutex_lock(&m->lock);
    t->moves = moves;
    show(m);
    pthread_mutex_unlock(&m->lock);
}

struct yo_match_watcher yo_match_progress_begin(struct match *m, size_t game) {
    struct match_table *t = m->tables;
    if (!isatty(STDERR_FILENO)) return (struct yo_match_watcher){0};
    pthread_mutex_lock(&m->lock);
    while (t->match) /* there are as many as games at the same time */
        t++;
    *t = (struct match_table){.match = m, .game = game};
    show(m);
    pthread_mutex_unlock(&m->lock);
    return (struct yo_match_watcher){.moved = moved, .user = t};
}

void yo_match_progress_end(struct match *m, const struct yo_match_watcher *watcher) {
    if (!watcher->user) return;
    pthread_mutex_lock(&m->lock);
    ((struct match_table *)watcher->user)->match = NULL;
    yo_match_progress_hide(m);
    pthread_mutex_unlock(&m->lock);
}

void yo_match_progress_hide(struct match *m) {
    if (m->shown) fputs("\r\033[K", stderr);
    m->shown = false;
}

/* ---- results ---- */

static void format_elo(double elo, char out[16]) {
    if (isinf(elo))
        strcpy(out, elo > 0 ? "+inf" : "-inf");
    else
        snprintf(out, 16, "%+.0f", fabs(elo) < 0.5 ? 0.0 : elo); /* no "-0" */
}

void yo_match_print_tally(const struct match *m) {
    const struct yo_tally *t = &m->tally;
    const unsigned *pairs = m->pairs.counts;
    double low, high;
    char elo[3][16];
    yo_tally_interval(t, &low, &high);
    format_elo(yo_stats_elo(yo_tally_score(t)), elo[0]);
    format_elo(yo_stats_elo(low), elo[1]);
    format_elo(yo_stats_elo(high), elo[2]);
    printf("%s %u - %u %s", m->engines[0].name, t->wins, t->losses, m->engines[1].name);
    if (t->draws) printf(", %u drawn", t->draws);
    printf(": %.1f%% [%.1f, %.1f], Elo %s [%s, %s]", 100 * yo_tally_score(t), 100 * low, 100 * high,
           elo[0], elo[1], elo[2]);
    if (m->has_sprt)
        printf(", LLR %.2f [%.2f, %.2f], pairs %u %u %u %u %u",
               yo_pairs_llr(&m->pairs, m->elo0, m->elo1), -YO_SPRT_BOUND, YO_SPRT_BOUND, pairs[0],
               pairs[1], pairs[2], pairs[3], pairs[4]);
    printf("\n");
}

void yo_match_print_game(struct match *m, size_t game, bool first_is_black,
                         const struct yo_match_result *r) {
    yo_match_progress_hide(m);
    printf("game %zu of %zu: %s, Black %s (%s, %zu moves)", game + 1, m->games, r->score,
           m->engines[first_is_black ? 0 : 1].name, yo_match_end_name(r->end), r->moves);
    if (r->fault[0]) printf("; %s", r->fault);
    printf("\n  ");
    yo_match_print_tally(m);
    fflush(stdout);
}
