#include "cluster/message.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"

/* ---- Fields ---- */

enum field_type {
    TEXT,  /* char[size] */
    OWNED, /* char *, at most `size` bytes */
    INT,   /* int64_t, from -size to size; counts are not negative */
    COUNT,
    REAL, /* within size on either side */
    FLAG
};

/* A field of a struct and its name in JSON. One that is missing is empty, 0 or false. */
struct field {
    const char *key;
    enum field_type type;
    unsigned kinds; /* bits of the messages that have it */
    size_t offset;
    double size;
};

#define BIT(kind) (1u << YO_MESSAGE_##kind)
#define EXACT     9007199254740992.0 /* 2^53 */
#define LONG_TEXT 100000
#define ALL       (~0u)

#define AT(type, member) offsetof(struct type, member)

static const struct field game_fields[] = {
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

static const struct field line_fields[] = {
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

#define FROM_WORKER (BIT(ANNOUNCE) | BIT(BEAT) | BIT(REPORT) | BIT(LEAVE))
#define FROM_MASTER (BIT(JOB) | BIT(KEEP) | BIT(STOP))

static const struct field fields[] = {
    {"worker", TEXT, FROM_WORKER | FROM_MASTER | BIT(QUIT) | BIT(ENTRIES), AT(yo_message, worker),
     YO_MESSAGE_NAME},
    {"master", TEXT, FROM_MASTER | BIT(BEAT) | BIT(REPORT) | BIT(ENTRIES), AT(yo_message, master),
     YO_MESSAGE_NAME},
    {"job", COUNT, FROM_MASTER | BIT(BEAT) | BIT(REPORT), AT(yo_message, job), EXACT},
    {"game", TEXT, BIT(ANNOUNCE), AT(yo_message, game), 8},
    {"engine", TEXT, BIT(ANNOUNCE), AT(yo_message, engine), 80},
    {"host", TEXT, BIT(ANNOUNCE), AT(yo_message, host), 64},
    {"threads", COUNT, BIT(ANNOUNCE), AT(yo_message, threads), 1e6},
    {"pid", COUNT, BIT(ANNOUNCE), AT(yo_message, pid), EXACT},
    {"up-ms", COUNT, BIT(ANNOUNCE), AT(yo_message, up_ms), EXACT},
    {"speed", REAL, BIT(ANNOUNCE) | BIT(BEAT), AT(yo_message, speed), 1e15},
    {"values", FLAG, BIT(ANNOUNCE), AT(yo_message, values), 0},
    {"searchmoves", FLAG, BIT(ANNOUNCE), AT(yo_message, searchmoves), 0},
    {"multi-pv", FLAG, BIT(ANNOUNCE), AT(yo_message, multi_pv), 0},
    {"table", TEXT, BIT(ANNOUNCE) | BIT(ENTRIES), AT(yo_message, table), 20},
    {"nodes", COUNT, BIT(BEAT) | BIT(REPORT), AT(yo_message, nodes), EXACT},
    {"busy-ms", COUNT, BIT(BEAT) | BIT(REPORT), AT(yo_message, busy_ms), EXACT},
    {"path", OWNED, BIT(JOB), AT(yo_message, path), 8000},
    {"only", OWNED, BIT(JOB), AT(yo_message, only), 8000},
    {"lines", COUNT, BIT(JOB), AT(yo_message, lines), 600},
    {"most-nodes", COUNT, BIT(JOB), AT(yo_message, most_nodes), EXACT},
    {"most-ms", COUNT, BIT(JOB), AT(yo_message, most_ms), EXACT},
    {"lease-ms", COUNT, BIT(JOB), AT(yo_message, lease_ms), 1e9},
    {"number", COUNT, BIT(JOB), AT(yo_message, number), 1e6},
    {"share", COUNT, BIT(JOB), AT(yo_message, share), 1e6},
    {"data", OWNED, BIT(ENTRIES), AT(yo_message, data), LONG_TEXT},
    {"done", FLAG, BIT(REPORT), AT(yo_message, done), 0},
    {"failed", FLAG, BIT(REPORT), AT(yo_message, failed), 0},
    {"note", OWNED, BIT(REPORT), AT(yo_message, note), 400},
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

static void free_fields(void *base, const struct field *table) {
    for (const struct field *f = table; f->key; f++)
        if (f->type == OWNED) {
            char **text = (char **)((char *)base + f->offset);
            yo_free(*text);
            *text = NULL;
        }
}

void yo_message_game_free(struct yo_message_game *game) { free_fields(game, game_fields); }

void yo_message_free(struct yo_message *message) {
    free_fields(message, fields);
    yo_message_game_free(&message->root);
    for (size_t i = 0; i < message->found_count; i++)
        free_fields(&message->found[i], line_fields);
    yo_free(message->found);
    *message = (struct yo_message){0};
}

/* ---- Writing ---- */

static json_t *text_value(const char *text) {
    return text ? yo_json_text(text, strlen(text)) : yo_json_text("", 0);
}

static json_t *value_of(const void *base, const struct field *f) {
    const char *at = (const char *)base + f->offset;
    switch (f->type) {
    case TEXT:
        return text_value(at);
    case OWNED:
        return text_value(*(char *const *)(const void *)at);
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
static bool is_empty(const void *base, const struct field *f) {
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

static void write_fields(json_t *object, const void *base, const struct field *table,
                         unsigned kind_bit, bool *failed) {
    for (const struct field *f = table; f->key; f++)
        if ((f->kinds & kind_bit) && !is_empty(base, f))
            yo_json_set(object, f->key, value_of(base, f), failed);
}

static json_t *lines_value(const struct yo_message *m, bool *failed) {
    json_t *array = yo_json_array();
    for (size_t i = 0; i < m->found_count && i < YO_MESSAGE_LINES_MAX; i++) {
        json_t *line = yo_json_object();
        write_fields(line, &m->found[i], line_fields, ALL, failed);
        yo_json_append(array, line, failed);
    }
    return array;
}

enum yo_err yo_message_write(const struct yo_message *m, struct yo_buf *out) {
    bool failed = false;
    json_t *object = yo_json_object();
    yo_json_set(object, "yomi", json_integer(YO_MESSAGE_VERSION), &failed);
    yo_json_set(object, "kind", text_value(kind_texts[m->kind]), &failed);
    write_fields(object, m, fields, 1u << m->kind, &failed);
    if (m->kind == YO_MESSAGE_JOB) {
        json_t *root = yo_json_object();
        write_fields(root, &m->root, game_fields, ALL, &failed);
        yo_json_set(object, "root", root, &failed);
    }
    if (m->kind == YO_MESSAGE_REPORT)
        yo_json_set(object, "found", lines_value(m, &failed), &failed);
    if (!failed) yo_json_write(out, object);
    json_decref(object);
    return failed ? YO_ERR_NOMEM : yo_buf_status(out);
}

/* ---- Reading ---- */

static enum yo_err wrong(const struct field *f, struct yo_diag *diag) {
    static const char *const wants[] = {
        [TEXT] = "a text",          [OWNED] = "a text",  [INT] = "a whole number",
        [COUNT] = "a whole number", [REAL] = "a number", [FLAG] = "true or false"};
    return yo_diag_set(diag, YO_ERR_PARSE, "a message's %s has to be %s within its bounds", f->key,
                       wants[f->type]);
}

static enum yo_err read_text(char *at, const struct field *f, const json_t *value,
                             struct yo_diag *diag) {
    const char *text = yo_json_string(value);
    size_t size = (size_t)f->size;
    if (!text || strlen(text) >= size) return wrong(f, diag);
    if (f->type == TEXT) {
        strcpy(at, text);
        return YO_OK;
    }
    char **owned = (char **)(void *)at;
    *owned = yo_message_copy_text(text);
    return *owned ? YO_OK : yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a message");
}

static enum yo_err read_number(char *at, const struct field *f, const json_t *value,
                               struct yo_diag *diag) {
    if (f->type == REAL) {
        double number = json_is_number(value) ? json_number_value(value) : NAN;
        if (!(fabs(number) <= f->size)) return wrong(f, diag);
        *(double *)(void *)at = number;
        return YO_OK;
    }
    int64_t number = json_integer_value(value);
    bool below = f->type == COUNT ? number < 0 : (double)number < -f->size;
    if (!json_is_integer(value) || below || (double)number > f->size) return wrong(f, diag);
    *(int64_t *)(void *)at = number;
    return YO_OK;
}

/* Names that are not in the table are passed over: a later program may have more. */
static enum yo_err read_fields(void *base, const struct field *table, unsigned kind_bit,
                               const json_t *object, struct yo_diag *diag) {
    for (const struct field *f = table; f->key; f++) {
        const json_t *value = json_object_get(object, f->key);
        char *at = (char *)base + f->offset;
        enum yo_err err = YO_OK;
        if (!value || !(f->kinds & kind_bit)) continue;
        if (f->type == FLAG && !json_is_boolean(value))
            err = wrong(f, diag);
        else if (f->type == FLAG)
            *(bool *)at = json_is_true(value);
        else if (f->type == TEXT || f->type == OWNED)
            err = read_text(at, f, value, diag);
        else
            err = read_number(at, f, value, diag);
        if (err) return err;
    }
    return YO_OK;
}

static enum yo_err read_lines(struct yo_message *m, const json_t *array, struct yo_diag *diag) {
    size_t count = json_array_size(array);
    if (!json_is_array(array) || count > YO_MESSAGE_LINES_MAX)
        return yo_diag_set(diag, YO_ERR_PARSE, "a report's found has to be a list of at most %d",
                           YO_MESSAGE_LINES_MAX);
    if (count == 0) return YO_OK;
    m->found = yo_alloc(count, sizeof *m->found);
    if (!m->found) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a message");
    m->found_count = count;
    for (size_t i = 0; i < count; i++) {
        const json_t *line = json_array_get(array, i);
        if (!json_is_object(line))
            return yo_diag_set(diag, YO_ERR_PARSE, "a line of a report has to be an object");
        enum yo_err err = read_fields(&m->found[i], line_fields, ALL, line, diag);
        if (err) return err;
    }
    return YO_OK;
}

static enum yo_err read_kind(const json_t *object, struct yo_message *m, struct yo_diag *diag) {
    const json_t *version = json_object_get(object, "yomi");
    const char *kind = yo_json_string(json_object_get(object, "kind"));
    if (!json_is_integer(version) || json_integer_value(version) != YO_MESSAGE_VERSION)
        return yo_diag_set(diag, YO_ERR_UNSUPPORTED,
                           "a message is not of version %d; use one version of yomi everywhere",
                           YO_MESSAGE_VERSION);
    for (int i = 0; kind && i < YO_MESSAGE_KINDS; i++)
        if (strcmp(kind, kind_texts[i]) == 0) {
            m->kind = (enum yo_message_kind)i;
            return YO_OK;
        }
    return yo_diag_set(diag, YO_ERR_UNKNOWN, "there is no message %.30s", kind ? kind : "");
}

/* Names become parts of subjects, so that nothing but a name may stand there. */
static enum yo_err check_names(const struct yo_message *m, struct yo_diag *diag) {
    unsigned bit = 1u << m->kind;
    bool wants_worker = bit & (FROM_WORKER | FROM_MASTER),
         wants_master = bit & (FROM_MASTER | BIT(ENTRIES));
    bool bad_worker = m->worker[0] || wants_worker ? !yo_message_is_name(m->worker) : false;
    bool bad_master = m->master[0] || wants_master ? !yo_message_is_name(m->master) : false;
    if (!bad_worker && !bad_master) return YO_OK;
    return yo_diag_set(diag, YO_ERR_PARSE, "a message's %s is no name",
                       bad_worker ? "worker" : "master");
}

static enum yo_err read_object(const json_t *object, struct yo_message *m, struct yo_diag *diag) {
    enum yo_err err = read_kind(object, m, diag);
    if (!err) err = read_fields(m, fields, 1u << m->kind, object, diag);
    if (!err) err = check_names(m, diag);
    if (!err && m->kind == YO_MESSAGE_JOB) {
        const json_t *root = json_object_get(object, "root");
        if (!json_is_object(root)) return yo_diag_set(diag, YO_ERR_PARSE, "a job wants a root");
        err = read_fields(&m->root, game_fields, ALL, root, diag);
    }
    if (!err && m->kind == YO_MESSAGE_REPORT)
        err = read_lines(m, json_object_get(object, "found"), diag);
    return err;
}

enum yo_err yo_message_read(const char *bytes, size_t len, struct yo_message *message,
                            struct yo_diag *diag) {
    json_t *object;
    *message = (struct yo_message){0};
    if (len > YO_MESSAGE_BYTES_MAX)
        return yo_diag_set(diag, YO_ERR_RANGE, "a message of %zu bytes is too long", len);
    enum yo_err err = yo_json_read(bytes, len, &object, diag);
    if (err) return err;
    err = json_is_object(object) ? read_object(object, message, diag)
                                 : yo_diag_set(diag, YO_ERR_PARSE, "a message is an object");
    json_decref(object);
    if (err) yo_message_free(message);
    return err;
}
