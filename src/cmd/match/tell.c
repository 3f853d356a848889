/* yomi match: prints results and, on a terminal, the progress of the running games. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/time.h"
#include "cmd/match/match.h"

/* ---- progress ---- */

static void show(struct match_view *v) {
    struct yo_buf line = {0};
    size_t played = v->match->played, done = v->before + played;
    if (played)
        yo_buf_printf(&line, "%zu of %s%zu", done, v->match->has_sprt ? "at most " : "",
                      v->match->games);
    for (int i = 0; i < v->match->jobs; i++) {
        if (!v->tables[i].used) continue;
        yo_buf_printf(&line, "%sgame %zu: ", line.len ? ", " : "", v->tables[i].game + 1);
        yo_buf_printf(&line, v->tables[i].moves ? "move %zu" : "begins", v->tables[i].moves);
    }
    yo_progress_say(&v->progress, (double)done, (double)v->match->games, "%s", yo_buf_text(&line));
    yo_buf_free(&line);
}

static void began(void *user, size_t game) {
    struct match_view *v = user;
    int i = 0;
    if (!v->started_ms) v->started_ms = yo_time_ms();
    while (v->tables[i].used) /* there is one table per concurrent game */
        i++;
    v->tables[i] = (struct match_table){.used = true, .game = game};
    show(v);
}

static void moved(void *user, size_t game, const struct yo_match_sight *sight) {
    struct match_view *v = user;
    for (int i = 0; i < v->match->jobs; i++) {
        struct match_table *t = &v->tables[i];
        if (!t->used || t->game != game) continue;
        t->moves = sight->moves;
        memcpy(t->board, sight->board, sizeof t->board);
        memcpy(t->last, sight->last, sizeof t->last);
    }
    yo_match_view_publish(v);
    show(v);
}

/* ---- results ---- */

void yo_match_format_elo(double elo, char out[16]) {
    if (isinf(elo))
        strcpy(out, elo > 0 ? "+inf" : "-inf");
    else
        snprintf(out, 16, "%+.0f", fabs(elo) < 0.5 ? 0.0 : elo); /* no "-0" */
}

static void print_tally(const struct yo_match *m, const struct yo_pairing *p) {
    const struct yo_tally *t = &m->scores.of[p->first][p->second];
    const unsigned *pairs = m->pairs.counts;
    double low, high;
    char elo[3][16];
    yo_tally_interval(t, &low, &high);
    yo_match_format_elo(yo_stats_elo(yo_tally_score(t)), elo[0]);
    yo_match_format_elo(yo_stats_elo(low), elo[1]);
    yo_match_format_elo(yo_stats_elo(high), elo[2]);
    printf("%s %u - %u %s", m->engines[p->first].name, t->wins, t->losses,
           m->engines[p->second].name);
    if (t->draws) printf(", %u drawn", t->draws);
    printf(": %.1f%% [%.1f, %.1f], Elo %s [%s, %s]", 100 * yo_tally_score(t), 100 * low, 100 * high,
           elo[0], elo[1], elo[2]);
    if (m->has_sprt)
        printf(", LLR %.2f [%.2f, %.2f], pairs %u %u %u %u %u",
               yo_pairs_llr(&m->pairs, m->elo0, m->elo1), -YO_SPRT_BOUND, YO_SPRT_BOUND, pairs[0],
               pairs[1], pairs[2], pairs[3], pairs[4]);
    printf("\n");
}

void yo_match_print_score(const struct yo_match *m) {
    struct yo_pairing p = yo_schedule_game(&m->schedule, 0);
    if (m->schedule.engines == 2)
        print_tally(m, &p);
    else
        yo_match_print_table(m);
}

static void print_game(const struct yo_match *m, size_t game, const struct yo_match_result *r) {
    struct yo_pairing p = yo_schedule_game(&m->schedule, game);
    printf("game %zu of %zu: %s, Black %s (%s, %zu moves)", game + 1, m->games, r->score,
           m->engines[yo_pairing_black(&p)].name, yo_match_end_name(r->end), r->moves);
    if (r->fault[0]) printf("; %s", r->fault);
    printf("\n  ");
    print_tally(m, &p);
    fflush(stdout);
}

static void ended(void *user, size_t game, const struct yo_match_result *result) {
    struct match_view *v = user;
    for (int i = 0; i < v->match->jobs; i++)
        if (v->tables[i].used && v->tables[i].game == game) v->tables[i].used = false;
    yo_progress_hide(&v->progress);
    if (result) print_game(v->match, game, result);
}

struct yo_match_events yo_match_view_events(struct match_view *view) {
    return (struct yo_match_events){.began = began, .moved = moved, .ended = ended, .user = view};
}
