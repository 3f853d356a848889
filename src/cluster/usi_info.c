#include "cluster/usi_info.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "search/search.h"

enum { WORD = 32, MATE_UNKNOWN = 1, CP_MAX = 100000 };

static bool next_word(const char **rest, char out[WORD]) {
    *rest += strspn(*rest, " \t");
    size_t len = strcspn(*rest, " \t"), kept = len < WORD ? len : WORD - 1;
    memcpy(out, *rest, kept);
    out[kept] = '\0';
    *rest += len;
    return len > 0;
}

static int64_t bounded(const char *word, int64_t most) {
    long long n = strtoll(word, NULL, 10);
    return n > most ? most : n < -most ? -most : n;
}

/* "score cp N", "score mate N", "score mate +", and a bound after either. */
static bool take_score(const char **rest, struct yo_message_line *line) {
    char kind[WORD], word[WORD];
    if (!next_word(rest, kind) || !next_word(rest, word)) return false;
    if (strcmp(kind, "cp") == 0) {
        line->centipawns = bounded(word, CP_MAX);
        line->winrate = yo_search_winrate_of((double)line->centipawns);
    } else if (strcmp(kind, "mate") == 0) {
        bool lost = word[0] == '-';
        int64_t plies = bounded(word, 1000);
        line->mate = plies ? plies : lost ? -MATE_UNKNOWN : MATE_UNKNOWN;
        line->winrate = lost ? 0 : 1;
        line->proven = true;
    } else {
        return false;
    }
    const char *after = *rest;
    line->bound = YO_BOUND_EXACT;
    if (!next_word(&after, word)) return true;
    if (strcmp(word, "lowerbound") == 0) line->bound = YO_BOUND_LOWER;
    if (strcmp(word, "upperbound") == 0) line->bound = YO_BOUND_UPPER;
    if (line->bound != YO_BOUND_EXACT) *rest = after;
    return true;
}

/* A PV that is too long is cut between two moves. */
static char *copy_pv(const char *text) {
    char pv[YO_MESSAGE_PV_MAX];
    text += strspn(text, " \t");
    size_t len = strlen(text);
    if (len >= sizeof pv) {
        len = sizeof pv - 1;
        while (len > 0 && text[len] != ' ')
            len--;
    }
    memcpy(pv, text, len);
    pv[len] = '\0';
    return len > 0 ? yo_message_copy_text(pv) : NULL;
}

static void keep(struct yo_usi_info *info, struct yo_message_line *line, size_t rank) {
    if (rank > info->count) rank = info->count;
    if (rank == YO_MESSAGE_LINES_MAX) {
        yo_free(line->pv);
        return;
    }
    if (rank < info->count) yo_free(info->lines[rank].pv);
    if (rank == info->count) info->count++;
    info->lines[rank] = *line;
    info->scored = true;
}

bool yo_usi_info_take(struct yo_usi_info *info, const char *text) {
    struct yo_message_line line = {.winrate = 0.5};
    char word[WORD];
    int64_t rank = 1;
    bool scored = false;
    if (!next_word(&text, word) || strcmp(word, "info") != 0) return false;
    while (next_word(&text, word)) {
        char number[WORD] = "";
        if (strcmp(word, "string") == 0) break;
        if (strcmp(word, "pv") == 0) {
            line.pv = copy_pv(text);
            break;
        }
        if (strcmp(word, "score") == 0) {
            scored = take_score(&text, &line);
            continue;
        }
        int64_t *field = strcmp(word, "depth") == 0      ? &line.depth
                         : strcmp(word, "seldepth") == 0 ? &line.seldepth
                         : strcmp(word, "multipv") == 0  ? &rank
                         : strcmp(word, "nodes") == 0    ? &info->nodes
                                                         : NULL;
        if (field && next_word(&text, number))
            *field = bounded(number, field == &info->nodes ? INT64_C(1) << 52 : 100000);
        if (field && *field < 0) *field = 0;
    }
    if (scored && line.pv && rank >= 1) {
        keep(info, &line, (size_t)rank - 1);
        return true;
    }
    yo_free(line.pv);
    return false;
}

void yo_usi_info_free(struct yo_usi_info *info) {
    for (size_t i = 0; i < info->count; i++)
        yo_free(info->lines[i].pv);
    *info = (struct yo_usi_info){0};
}
