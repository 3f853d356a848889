#include "cluster/message.h"

#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "cluster/message_fields.h"

/* ---- Fields ---- */

#define AT(type, member) offsetof(struct type, member)

const struct message_field yo_message_game_fields[] = {
    {"game", TEXT, ALL, AT(yo_message_game, game), 8},
    {"start", OWNED, ALL, AT(yo_message_game, start), 1000},
    {"moves", OWNED, ALL, AT(yo_message_game, moves), LONG_TEXT},
    {"rules", TEXT, ALL, AT(yo_message_game, rules), 256},
    {"size", COUNT, ALL, AT(yo_message_game, size), 19},
    {"komi2", INT, ALL, AT(yo_message_game, komi2), 10000},
    {"handicap", COUNT, ALL, AT(yo_message_game, handicap), 361},
    {"max-moves", COUNT, ALL, AT(yo_message_game, max_moves), 1e6},
    {"white", FLAG, ALL, AT(yo_message_game, white), 0},
    {"white-now", FLAG, ALL, AT(yo_message_game, white_now), 0},
    {.key = NULL},
};

const struct message_field yo_message_line_fields[] = {
    {"pv", OWNED, ALL, AT(yo_message_line, pv), YO_MESSAGE_PV_MAX},
    {"winrate", REAL, ALL, AT(yo_message_line, winrate), 1},
    {"proven", FLAG, ALL, AT(yo_message_line, proven), 0},
    {"cp", INT, ALL, AT(yo_message_line, centipawns), 1e6},
    {"mate", INT, ALL, AT(yo_message_line, mate), 1e6},
    {"depth", COUNT, ALL, AT(yo_message_line, depth), 1e6},
    {"seldepth", COUNT, ALL, AT(yo_message_line, seldepth), 1e6},
    {"visits", COUNT, ALL, AT(yo_message_line, visits), EXACT},
    {"bound", INT, ALL, AT(yo_message_line, bound), 2},
    {"score", REAL, ALL, AT(yo_message_line, score), 1e6},
    {"prior", REAL, ALL, AT(yo_message_line, prior), 1},
    {.key = NULL},
};

const struct message_field yo_message_fields[] = {
    {"worker", TEXT, FROM_WORKER | FROM_MASTER | BIT(QUIT) | BIT(ENTRIES), AT(yo_message, worker),
     YO_MESSAGE_NAME},
    {"master", TEXT, FROM_MASTER | BIT(BEAT) | BIT(REPORT) | BIT(ENTRIES), AT(yo_message, master),
     YO_MESSAGE_NAME},
    {"job", COUNT, FROM_MASTER | BIT(BEAT) | BIT(REPORT), AT(yo_message, job), EXACT},
    {"game", TEXT, BIT(ANNOUNCE), AT(yo_message, game), 8},
    {"engine", TEXT, BIT(ANNOUNCE) | WORDS, AT(yo_message, engine), 80},
    {"host", TEXT, BIT(ANNOUNCE) | WORDS, AT(yo_message, host), 64},
    {"threads", COUNT, BIT(ANNOUNCE), AT(yo_message, threads), 1e6},
    {"pid", COUNT, BIT(ANNOUNCE), AT(yo_message, pid), EXACT},
    {"up-ms", COUNT, BIT(ANNOUNCE), AT(yo_message, up_ms), EXACT},
    {"speed", REAL, BIT(ANNOUNCE) | BIT(BEAT), AT(yo_message, speed), 1e15},
    {"values", FLAG, BIT(ANNOUNCE), AT(yo_message, values), 0},
    {"searchmoves", FLAG, BIT(ANNOUNCE), AT(yo_message, searchmoves), 0},
    {"multi-pv", FLAG, BIT(ANNOUNCE), AT(yo_message, multi_pv), 0},
    {"options", OWNED, BIT(ANNOUNCE) | WORDS, AT(yo_message, options), 1000},
    {"table", TEXT, BIT(ANNOUNCE) | BIT(ENTRIES), AT(yo_message, table), 20},
    {"nodes", COUNT, BIT(BEAT) | BIT(REPORT), AT(yo_message, nodes), EXACT},
    {"busy-ms", COUNT, BIT(BEAT) | BIT(REPORT), AT(yo_message, busy_ms), EXACT},
    {"moves", COUNT, BIT(BEAT), AT(yo_message, moves), 1e6},
    {"best", TEXT, BIT(BEAT), AT(yo_message, best), 16},
    {"winrate", REAL, BIT(BEAT), AT(yo_message, winrate), 1},
    {"cp", INT, BIT(BEAT), AT(yo_message, centipawns), 1e6},
    {"mate", INT, BIT(BEAT), AT(yo_message, mate), 1e6},
    {"depth", COUNT, BIT(BEAT), AT(yo_message, depth), 1e6},
    {"value-ms", COUNT, BIT(BEAT), AT(yo_message, value_ms), EXACT},
    {"path", OWNED, BIT(JOB) | BIT(BEAT), AT(yo_message, path), 8000},
    {"only", OWNED, BIT(JOB), AT(yo_message, only), 8000},
    {"lines", COUNT, BIT(JOB), AT(yo_message, lines), 600},
    {"most-nodes", COUNT, BIT(JOB), AT(yo_message, most_nodes), EXACT},
    {"most-ms", COUNT, BIT(JOB), AT(yo_message, most_ms), EXACT},
    {"lease-ms", COUNT, BIT(JOB), AT(yo_message, lease_ms), 1e9},
    {"report-ms", COUNT, BIT(JOB), AT(yo_message, report_ms), 1e6},
    {"number", COUNT, BIT(JOB), AT(yo_message, number), 1e6},
    {"share", COUNT, BIT(JOB), AT(yo_message, share), 1e6},
    {"serial", COUNT, BIT(ENTRIES), AT(yo_message, serial), 1e15},
    {"data", OWNED, BIT(ENTRIES), AT(yo_message, data), LONG_TEXT},
    {"done", FLAG, BIT(REPORT), AT(yo_message, done), 0},
    {"failed", FLAG, BIT(REPORT), AT(yo_message, failed), 0},
    {"note", OWNED, BIT(REPORT) | WORDS, AT(yo_message, note), 400},
    {.key = NULL},
};

static const char *const kind_texts[] = {
#define X(name, text) text,
    YO_MESSAGE_KIND_LIST(X)
#undef X
};

const char *yo_message_kind_text(enum yo_message_kind kind) { return kind_texts[kind]; }

bool yo_message_is_name(const char *name) {
    size_t len = strlen(name);
    for (const char *c = name; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (!letter && !(*c >= '0' && *c <= '9') && *c != '-' && *c != '_') return false;
    }
    return len > 0 && len < YO_MESSAGE_NAME;
}

char *yo_message_copy_text(const char *text) {
    size_t size = text ? strlen(text) + 1 : 0;
    char *copy = text ? yo_alloc(size, 1) : NULL;
    if (copy) memcpy(copy, text, size);
    return copy;
}

/* ---- Freeing ---- */

static void free_fields(void *base, const struct message_field *table) {
    for (const struct message_field *f = table; f->key; f++)
        if (f->type == OWNED) {
            char **text = (char **)((char *)base + f->offset);
            yo_free(*text);
            *text = NULL;
        }
}

void yo_message_game_free(struct yo_message_game *game) {
    free_fields(game, yo_message_game_fields);
}

void yo_message_free(struct yo_message *message) {
    free_fields(message, yo_message_fields);
    yo_message_game_free(&message->root);
    for (size_t i = 0; i < message->found_count; i++)
        free_fields(&message->found[i], yo_message_line_fields);
    yo_free(message->found);
    *message = (struct yo_message){0};
}

/* ---- Writing ---- */

static json_t *text_value(const char *text) {
    return text ? yo_json_text(text, strlen(text)) : yo_json_text("", 0);
}

/* Bytes that are not UTF-8, as a program's name may have, have become longer. */
static json_t *words_value(const char *text, size_t size) {
    json_t *value = text_value(text);
    const char *whole = yo_json_string(value);
    size_t len = whole ? strlen(whole) : 0;
    if (len < size) return value;
    for (len = size - 1; len > 0 && ((unsigned char)whole[len] & 0xc0) == 0x80;)
        len--;
    json_t *cut = yo_json_text(whole, len);
    json_decref(value);
    return cut;
}

static json_t *value_of(const void *base, const struct message_field *f) {
    const char *at = (const char *)base + f->offset;
    const char *text = f->type == OWNED ? *(char *const *)(const void *)at : at;
    switch (f->type) {
    case TEXT:
    case OWNED:
        return f->kinds & WORDS ? words_value(text, (size_t)f->size) : text_value(text);
    case INT:
    case COUNT:
        return json_integer(*(const int64_t *)(const void *)at);
    case REAL:
        return yo_json_real(*(const double *)(const void *)at);
    case FLAG:
        return json_boolean(*(const bool *)at);
    }
    return NULL;
}

/* Fields that are empty are left out. */
static bool is_empty(const void *base, const struct message_field *f) {
    const char *at = (const char *)base + f->offset;
    switch (f->type) {
    case TEXT:
        return !*at;
    case OWNED: {
        const char *text = *(char *const *)(const void *)at;
        return !text || !*text;
    }
    case INT:
    case COUNT:
        return *(const int64_t *)(const void *)at == 0;
    case REAL:
        return *(const double *)(const void *)at == 0;
    case FLAG:
        return !*(const bool *)at;
    }
    return true;
}

static void write_fields(json_t *object, const void *base, const struct message_field *table,
                         unsigned kind_bit, bool *failed) {
    for (const struct message_field *f = table; f->key; f++)
        if ((f->kinds & kind_bit) && !is_empty(base, f))
            yo_json_set(object, f->key, value_of(base, f), failed);
}

static json_t *lines_value(const struct yo_message *m, bool *failed) {
    json_t *array = yo_json_array();
    for (size_t i = 0; i < m->found_count && i < YO_MESSAGE_LINES_MAX; i++) {
        json_t *line = yo_json_object();
        write_fields(line, &m->found[i], yo_message_line_fields, ALL, failed);
        yo_json_append(array, line, failed);
    }
    return array;
}

enum yo_err yo_message_write(const struct yo_message *m, struct yo_buf *out) {
    bool failed = false;
    json_t *object = yo_json_object();
    yo_json_set(object, "yomi", json_integer(YO_MESSAGE_VERSION), &failed);
    yo_json_set(object, "kind", text_value(kind_texts[m->kind]), &failed);
    write_fields(object, m, yo_message_fields, 1u << m->kind, &failed);
    if (m->kind == YO_MESSAGE_JOB) {
        json_t *root = yo_json_object();
        write_fields(root, &m->root, yo_message_game_fields, ALL, &failed);
        yo_json_set(object, "root", root, &failed);
    }
    if (m->kind == YO_MESSAGE_REPORT)
        yo_json_set(object, "found", lines_value(m, &failed), &failed);
    if (!failed) yo_json_write(out, object);
    json_decref(object);
    return failed ? YO_ERR_NOMEM : yo_buf_status(out);
}
