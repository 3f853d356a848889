/* Reading messages: syntax, kinds and bounds. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/json.h"
#include "cluster/message_fields.h"

static enum yo_err wrong(const struct message_field *f, struct yo_diag *diag) {
    static const char *const wants[] = {
        [TEXT] = "a text",          [OWNED] = "a text",  [INT] = "a whole number",
        [COUNT] = "a whole number", [REAL] = "a number", [FLAG] = "true or false"};
    return yo_diag_set(diag, YO_ERR_PARSE, "a message's %s has to be %s within its bounds", f->key,
                       wants[f->type]);
}

/* No text of ours has any, and people's terminals and line protocols would obey those of others. */
static void blank_controls(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == '\x7f') *text = ' ';
}

static enum yo_err read_text(char *at, const struct message_field *f, const json_t *value,
                             struct yo_diag *diag) {
    const char *text = yo_json_string(value);
    size_t size = (size_t)f->size;
    if (!text || strlen(text) >= size) return wrong(f, diag);
    if (f->type == TEXT) {
        strcpy(at, text);
        blank_controls(at);
        return YO_OK;
    }
    char **owned = (char **)(void *)at;
    *owned = yo_message_copy_text(text);
    if (!*owned) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for a message");
    blank_controls(*owned);
    return YO_OK;
}

static enum yo_err read_number(char *at, const struct message_field *f, const json_t *value,
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
static enum yo_err read_fields(void *base, const struct message_field *table, unsigned kind_bit,
                               const json_t *object, struct yo_diag *diag) {
    for (const struct message_field *f = table; f->key; f++) {
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
        enum yo_err err = read_fields(&m->found[i], yo_message_line_fields, ALL, line, diag);
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
        if (strcmp(kind, yo_message_kind_text((enum yo_message_kind)i)) == 0) {
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
    if (!err) err = read_fields(m, yo_message_fields, 1u << m->kind, object, diag);
    if (!err) err = check_names(m, diag);
    if (!err && m->kind == YO_MESSAGE_JOB) {
        const json_t *root = json_object_get(object, "root");
        if (!json_is_object(root)) return yo_diag_set(diag, YO_ERR_PARSE, "a job wants a root");
        err = read_fields(&m->root, yo_message_game_fields, ALL, root, diag);
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
