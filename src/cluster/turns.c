#include "cluster/turns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* The value of a position as that of the move that leads to it. */
static struct yo_message_line turned(const struct yo_message_line *after) {
    struct yo_message_line line = *after;
    line.winrate = 1 - after->winrate;
    line.centipawns = -after->centipawns;
    line.score = -after->score;
    line.mate = after->mate > 0 ? -after->mate - 1 : after->mate < 0 ? 1 - after->mate : 0;
    line.bound = -after->bound;
    line.depth = after->depth + 1;
    line.seldepth = after->seldepth + 1;
    return line;
}

static bool begins_with(const char *pv, const char *move) {
    size_t len = strlen(move);
    return strncmp(pv, move, len) == 0 && (pv[len] == ' ' || pv[len] == '\0');
}

static void put(struct yo_turns *t, const char *move, struct yo_message_line line) {
    char pv[YO_MESSAGE_PV_MAX + 16];
    const char *rest = line.pv ? line.pv : "";
    size_t at = 0;
    while (at < t->count && !begins_with(t->lines[at].pv, move))
        at++;
    if (at == YO_TURNS_MAX) return;
    snprintf(pv, sizeof pv, "%.15s%s%s", move, *rest ? " " : "", rest);
    if (strlen(pv) >= YO_MESSAGE_PV_MAX) pv[strlen(move)] = '\0';
    line.pv = yo_message_copy_text(pv);
    if (!line.pv) return;
    if (at == t->count)
        t->count++;
    else
        yo_free(t->lines[at].pv);
    t->lines[at] = line;
}

void yo_turns_put(struct yo_turns *t, const char *move, const struct yo_message_line *after) {
    put(t, move, turned(after));
}

void yo_turns_put_win(struct yo_turns *t, const char *move) {
    put(t, move, (struct yo_message_line){.winrate = 1, .proven = true, .mate = 1, .depth = 1});
}

static int better(const void *a, const void *b) {
    const struct yo_message_line *x = a, *y = b;
    if (x->winrate != y->winrate) return x->winrate < y->winrate ? 1 : -1;
    if (x->centipawns != y->centipawns) return x->centipawns < y->centipawns ? 1 : -1;
    return strcmp(x->pv, y->pv);
}

void yo_turns_pass(struct yo_turns *t, yo_worker_found_fn found, void *user) {
    qsort(t->lines, t->count, sizeof *t->lines, better);
    size_t count = t->count < YO_MESSAGE_LINES_MAX ? t->count : YO_MESSAGE_LINES_MAX;
    if (count > 0) found(user, t->lines, count, t->nodes);
}

void yo_turns_free(struct yo_turns *t) {
    for (size_t i = 0; i < t->count; i++)
        yo_free(t->lines[i].pv);
    *t = (struct yo_turns){0};
}
