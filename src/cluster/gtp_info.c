#include "cluster/gtp_info.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cluster/lines.h"

enum { WORD = 32 };

static bool next_word(const char **rest, char out[WORD]) {
    *rest += strspn(*rest, " \t");
    size_t len = strcspn(*rest, " \t"), kept = len < WORD ? len : WORD - 1;
    memcpy(out, *rest, kept);
    out[kept] = '\0';
    *rest += len;
    return len > 0;
}

static int64_t count_of(const char *word) {
    long long n = strtoll(word, NULL, 10);
    return n < 0 ? 0 : n > INT64_C(1) << 52 ? INT64_C(1) << 52 : n;
}

/* In ten thousandths, or a share between 0 and 1. */
static double share_of(const char *word) {
    double n = strtod(word, NULL);
    if (!strchr(word, '.')) n /= 10000;
    return n >= 0 && n <= 1 ? n : n > 1 ? 1 : 0;
}

/* The words after "pv", up to the next "info"; at most so many as a message holds. */
static void read_pv(const char **rest, struct yo_buf *pv) {
    char word[WORD];
    for (;;) {
        const char *before = *rest;
        if (!next_word(rest, word)) return;
        if (strcmp(word, "info") == 0 || strcmp(word, "pvVisits") == 0) {
            *rest = before;
            return;
        }
        if (pv->len + strlen(word) + 2 < YO_MESSAGE_PV_MAX)
            yo_buf_printf(pv, "%s%s", pv->len ? " " : "", word);
    }
}

/* One entry, after its "info". False if it has no move. */
static bool read_entry(const char **rest, struct yo_message_line *line) {
    struct yo_buf pv = {0};
    char key[WORD], value[WORD], move[WORD] = "";
    *line = (struct yo_message_line){.winrate = 0.5};
    for (;;) {
        const char *before = *rest;
        if (!next_word(rest, key)) break;
        if (strcmp(key, "info") == 0) {
            *rest = before;
            break;
        }
        if (strcmp(key, "pv") == 0) {
            read_pv(rest, &pv);
            continue;
        }
        if (!next_word(rest, value)) break;
        if (strcmp(key, "move") == 0) strcpy(move, value);
        if (strcmp(key, "visits") == 0) line->visits = count_of(value);
        if (strcmp(key, "winrate") == 0) line->winrate = share_of(value);
        if (strcmp(key, "prior") == 0) line->prior = share_of(value);
    }
    line->pv = yo_message_copy_text(pv.len ? yo_buf_text(&pv) : move);
    yo_buf_free(&pv);
    return line->pv && *line->pv;
}

size_t yo_gtp_info_read(const char *text, struct yo_message_line *lines, size_t room,
                        int64_t *visits) {
    char word[WORD];
    size_t count = 0;
    *visits = 0;
    while (count < room && next_word(&text, word)) {
        if (strcmp(word, "info") != 0) continue;
        if (!read_entry(&text, &lines[count])) {
            yo_lines_free(&lines[count], 1);
            continue;
        }
        *visits += lines[count++].visits;
    }
    return count;
}
