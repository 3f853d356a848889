#include "base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/charset.h"

struct reader {
    const char *start, *p, *end;
    struct yo_json *free_value; /* the next unused one */
    char *free_text;
    int depth;
    struct yo_diag *diag;
};

static enum yo_err fail_at(struct reader *r, const char *place, const char *what) {
    yo_diag_set(r->diag, YO_ERR_PARSE, "%s", what);
    yo_diag_where(r->diag, "", 1, (int)(place - r->start) + 1);
    return YO_ERR_PARSE;
}

static enum yo_err expected(struct reader *r, const char *what) {
    enum yo_err err;
    if (r->p == r->end)
        err = yo_diag_set(r->diag, YO_ERR_PARSE, "expected %s where the text ends", what);
    else if ((unsigned char)*r->p < ' ' || (unsigned char)*r->p > '~')
        err = yo_diag_set(r->diag, YO_ERR_PARSE, "expected %s, not byte %d", what,
                          (unsigned char)*r->p);
    else
        err = yo_diag_set(r->diag, YO_ERR_PARSE, "expected %s, not '%c'", what, *r->p);
    yo_diag_where(r->diag, "", 1, (int)(r->p - r->start) + 1);
    return err;
}

static void skip_space(struct reader *r) {
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
        r->p++;
}

static bool take(struct reader *r, char c) {
    if (r->p == r->end || *r->p != c) return false;
    r->p++;
    return true;
}

/* ---- strings ---- */

static bool read_hex4(struct reader *r, unsigned *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, r->p++) {
        if (r->p == r->end) return false;
        char c = *r->p;
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                                : 16;
        if (digit == 16) return false;
        *code = *code << 4 | digit;
    }
    return true;
}

static char *put_utf8(char *out, unsigned code) {
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }
    static const unsigned first[] = {0, 0xc0, 0xe0, 0xf0};
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *out++ = (char)(first[more] | code >> 6 * more);
    while (more-- > 0)
        *out++ = (char)(0x80u | (code >> 6 * more & 0x3fu));
    return out;
}

/* Behind "\u". Characters beyond the first 65536 come as two, a high and a low surrogate. */
static enum yo_err read_code(struct reader *r, char **out) {
    unsigned code, low;
    const char *place = r->p - 2;
    if (!read_hex4(r, &code)) return expected(r, "four hexadecimal digits");
    if (code >= 0xd800 && code < 0xdc00) {
        if (!take(r, '\\') || !take(r, 'u') || !read_hex4(r, &low) || low < 0xdc00 || low > 0xdfff)
            return fail_at(r, place, "half of a surrogate pair");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
        return fail_at(r, place, "half of a surrogate pair");
    }
    *out = put_utf8(*out, code);
    return YO_OK;
}

static enum yo_err read_escape(struct reader *r, char **out) {
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (take(r, 'u')) return read_code(r, out);
    const char *found = r->p < r->end && *r->p ? strchr(names, *r->p) : NULL;
    if (!found) return expected(r, "an escape such as \\n");
    r->p++;
    *(*out)++ = meanings[found - names];
    return YO_OK;
}

/* What is decoded is never longer than what was written, and the NUL has the room of a quotation
 * mark. */
static enum yo_err read_string(struct reader *r, const char **text, size_t *len) {
    char *out = r->free_text;
    *text = out;
    if (!take(r, '"')) return expected(r, "a string");
    for (;;) {
        if (r->p == r->end || (unsigned char)*r->p < ' ')
            return expected(r, "a closing quotation mark");
        if (take(r, '"')) break;
        if (take(r, '\\')) {
            enum yo_err err = read_escape(r, &out);
            if (err) return err;
            continue;
        }
        size_t bytes = yo_utf8_length(r->p, (size_t)(r->end - r->p));
        if (bytes == 0) return fail_at(r, r->p, "this is no UTF-8");
        memcpy(out, r->p, bytes);
        out += bytes;
        r->p += bytes;
    }
    *len = (size_t)(out - *text);
    *out++ = '\0';
    r->free_text = out;
    return YO_OK;
}

/* ---- the other values ---- */

static bool skip_digits(struct reader *r) {
    const char *start = r->p;
    while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
        r->p++;
    return r->p > start;
}

static enum yo_err read_number(struct reader *r, struct yo_json *value) {
    const char *start = r->p;
    bool whole = true;
    take(r, '-');
    if (!take(r, '0') && !skip_digits(r)) return expected(r, "a digit");
    if (take(r, '.')) {
        whole = false;
        if (!skip_digits(r)) return expected(r, "a digit");
    }
    if (take(r, 'e') || take(r, 'E')) {
        whole = false;
        if (!take(r, '+')) take(r, '-');
        if (!skip_digits(r)) return expected(r, "a digit");
    }
    value->type = YO_JSON_NUMBER;
    value->len = (size_t)(r->p - start);
    value->text = memcpy(r->free_text, start, value->len);
    r->free_text[value->len] = '\0';
    r->free_text += value->len + 1;
    value->number = strtod(value->text, NULL);
    errno = 0;
    value->integer = whole ? strtoll(value->text, NULL, 10) : 0;
    value->is_integer = whole && errno == 0;
    return YO_OK;
}

static enum yo_err read_word(struct reader *r, struct yo_json *value) {
    static const struct {
        const char *word;
        enum yo_json_type type;
        bool flag;
    } words[] = {{"null", YO_JSON_NULL, false},
                 {"true", YO_JSON_BOOL, true},
                 {"false", YO_JSON_BOOL, false}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t len = strlen(words[i].word);
        if ((size_t)(r->end - r->p) < len || memcmp(r->p, words[i].word, len) != 0) continue;
        r->p += len;
        value->type = words[i].type;
        value->flag = words[i].flag;
        return YO_OK;
    }
    return expected(r, "a value");
}

static enum yo_err read_value(struct reader *r, struct yo_json *value);

static bool has_key(const struct yo_json *object, const struct yo_json *member) {
    for (const struct yo_json *m = object->first; m && m != member; m = m->next)
        if (m->key_len == member->key_len && memcmp(m->key, member->key, m->key_len) == 0)
            return true;
    return false;
}

static enum yo_err read_key(struct reader *r, const struct yo_json *object,
                            struct yo_json *member) {
    const char *place = r->p;
    if (object->count == YO_JSON_MEMBERS_MAX) return fail_at(r, place, "too many names");
    if (r->p == r->end || *r->p != '"') return expected(r, "a name in quotation marks");
    enum yo_err err = read_string(r, &member->key, &member->key_len);
    if (err) return err;
    if (has_key(object, member)) {
        yo_diag_set(r->diag, YO_ERR_PARSE, "\"%.40s\" is given twice", member->key);
        yo_diag_where(r->diag, "", 1, (int)(place - r->start) + 1);
        return YO_ERR_PARSE;
    }
    skip_space(r);
    if (!take(r, ':')) return expected(r, "':'");
    skip_space(r);
    return YO_OK;
}

static enum yo_err read_inside(struct reader *r, struct yo_json *value, char close) {
    bool is_object = close == '}';
    const struct yo_json **link = &value->first;
    value->type = is_object ? YO_JSON_OBJECT : YO_JSON_ARRAY;
    skip_space(r);
    if (take(r, close)) return YO_OK;
    do {
        skip_space(r);
        struct yo_json *inner = r->free_value++;
        enum yo_err err = is_object ? read_key(r, value, inner) : YO_OK;
        if (!err) err = read_value(r, inner);
        if (err) return err;
        *link = inner;
        link = &inner->next;
        value->count++;
        skip_space(r);
    } while (take(r, ','));
    if (take(r, close)) return YO_OK;
    return expected(r, is_object ? "',' or '}'" : "',' or ']'");
}

static enum yo_err read_value(struct reader *r, struct yo_json *value) {
    char c = r->p < r->end ? *r->p : '\0';
    if (c == '"') {
        value->type = YO_JSON_STRING;
        return read_string(r, &value->text, &value->len);
    }
    if (c == '-' || (c >= '0' && c <= '9')) return read_number(r, value);
    if (c != '{' && c != '[') return read_word(r, value);
    if (r->depth == YO_JSON_DEPTH_MAX) return fail_at(r, r->p, "too many levels");
    r->p++;
    r->depth++;
    enum yo_err err = read_inside(r, value, c == '{' ? '}' : ']');
    r->depth--;
    return err;
}

/* Every value but the first stands behind a bracket or a comma. */
static size_t most_values(const char *bytes, size_t len) {
    size_t count = 1;
    for (size_t i = 0; i < len; i++)
        count += bytes[i] == ',' || bytes[i] == '[' || bytes[i] == '{';
    return count;
}

enum yo_err yo_json_parse(const char *bytes, size_t len, struct yo_json_doc *doc,
                          struct yo_diag *diag) {
    *doc = (struct yo_json_doc){.values = yo_alloc(most_values(bytes, len), sizeof *doc->values),
                                .text = yo_alloc(len + 2, 1)};
    if (!doc->values || !doc->text) {
        yo_json_free(doc);
        return yo_diag_set(diag, YO_ERR_NOMEM, "no memory to read JSON");
    }
    struct reader r = {bytes, bytes, bytes + len, doc->values + 1, doc->text, 0, diag};
    skip_space(&r);
    enum yo_err err = read_value(&r, doc->values);
    skip_space(&r);
    if (!err && r.p < r.end) err = expected(&r, "nothing more");
    if (err)
        yo_json_free(doc);
    else
        doc->root = doc->values;
    return err;
}

void yo_json_free(struct yo_json_doc *doc) {
    yo_free(doc->values);
    yo_free(doc->text);
    *doc = (struct yo_json_doc){0};
}

const struct yo_json *yo_json_find(const struct yo_json *object, const char *key) {
    size_t len = strlen(key);
    if (object->type != YO_JSON_OBJECT) return NULL;
    for (const struct yo_json *m = object->first; m; m = m->next)
        if (m->key_len == len && memcmp(m->key, key, len) == 0) return m;
    return NULL;
}

const char *yo_json_string(const struct yo_json *value) {
    if (value->type != YO_JSON_STRING || strlen(value->text) != value->len) return NULL;
    return value->text;
}
