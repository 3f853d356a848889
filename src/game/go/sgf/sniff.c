/* Detects the charset of a file before parsing. */
#include "game/go/sgf/charset.h"

#include <string.h>
#include <strings.h>

#include "base/charset.h"
#include "game/go/sgf/text.h"

static bool is_charset_id(const char *id, size_t len) {
    size_t capitals = 0;
    for (size_t i = 0; i < len; i++) {
        if (sgf_is_lower(id[i])) continue;
        if (capitals >= 2 || id[i] != "CA"[capitals]) return false;
        capitals++;
    }
    return capitals == 2;
}

/* The end of the value that begins at p, or end. */
static const char *value_end(const char *p, const char *end) {
    for (; p < end && *p != ']'; p++)
        if (*p == '\\' && p + 1 < end) p++;
    return p;
}

static const char *skip_space(const char *p, const char *end) {
    while (p < end && sgf_is_space(*p))
        p++;
    return p;
}

/* Scans like an SGF reader, one byte a character, up to the first branch or the end of the tree.
 * *stop is where the scan ended. */
static bool find_property(const char *p, const char *end, const char **value, size_t *len,
                          const char **stop) {
    while (p < end && *p != '(' && *p != ')') {
        const char *id = p;
        while (p < end && sgf_is_alnum(*p))
            p++;
        bool wanted = is_charset_id(id, (size_t)(p - id));
        p = skip_space(p, end);
        if (p == end || *p != '[') {
            if (p == id) p++;
            continue;
        }
        const char *start = ++p;
        p = value_end(p, end);
        if (wanted) {
            *value = start;
            *len = (size_t)(p - start);
            return true;
        }
        if (p < end) p++;
    }
    *stop = p;
    return false;
}

/* In Shift_JIS, GBK and Big5 a name before CA may end in a byte that looks like a backslash and so
 * hide the CA after it; a plain text search still finds it. */
static bool find_text(const char *p, const char *end, const char **value, size_t *len) {
    for (const char *start = p; (p = memmem(p, (size_t)(end - p), "CA[", 3)); p += 3) {
        if (p > start && !strchr("];\n\r\t ", p[-1])) continue;
        const char *close = memchr(p, ']', (size_t)(end - p));
        if (!close) return false;
        *value = p + 3;
        *len = (size_t)(close - *value);
        return true;
    }
    return false;
}

bool yo_sgf_charset_declared(const char *bytes, size_t len, const char **name, size_t *name_len) {
    const char *end = bytes + len, *stop = NULL;
    if (!find_property(bytes, end, name, name_len, &stop) &&
        !find_text(bytes, stop, name, name_len))
        return false;
    while (*name_len > 0 && sgf_is_space(**name)) {
        ++*name;
        --*name_len;
    }
    while (*name_len > 0 && sgf_is_space((*name)[*name_len - 1]))
        --*name_len;
    return *name_len > 0;
}

/* Byte order marks; then, for files without one, ASCII with every other byte zero. */
static const char *find_wide(const char *bytes, size_t len, size_t *mark) {
    static const struct {
        const char *mark;
        size_t len;
        const char *charset;
    } marks[] = {{"\xff\xfe\0\0", 4, "UTF-32LE"},
                 {"\0\0\xfe\xff", 4, "UTF-32BE"},
                 {"\xff\xfe", 2, "UTF-16LE"},
                 {"\xfe\xff", 2, "UTF-16BE"}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (len < marks[i].len || memcmp(bytes, marks[i].mark, marks[i].len) != 0) continue;
        *mark = marks[i].len;
        return marks[i].charset;
    }
    *mark = 0;
    if (len >= 4 && bytes[0] && !bytes[1] && bytes[2] && !bytes[3]) return "UTF-16LE";
    if (len >= 4 && !bytes[0] && bytes[1] && !bytes[2] && bytes[3]) return "UTF-16BE";
    return NULL;
}

static const char *find_stateful(const char *name, size_t len) {
    static const char *const known[] = {"ISO-2022-JP", "ISO-2022-KR", "ISO-2022-CN", "UTF-7"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (len >= strlen(known[i]) && strncasecmp(name, known[i], strlen(known[i])) == 0)
            return strcmp(known[i], "ISO-2022-CN") == 0 ? "ISO-2022-CN-EXT" : known[i];
    return NULL;
}

const char *yo_sgf_charset_unwrap(const char *bytes, size_t len, struct yo_buf *text) {
    size_t mark;
    const char *wide = find_wide(bytes, len, &mark);
    if (wide)
        return yo_charset_convert("UTF-8", wide, bytes + mark, len - mark, text) ? wide : NULL;
    const char *tree = memmem(bytes, len, "(;", 2);
    if (!tree) return NULL;
    const char *name;
    size_t name_len, before = (size_t)(tree - bytes) + 2;
    if (!yo_sgf_charset_declared(bytes + before, len - before, &name, &name_len)) return NULL;
    const char *stateful = find_stateful(name, name_len);
    return stateful && yo_charset_convert("UTF-8", stateful, bytes, len, text) ? stateful : NULL;
}
