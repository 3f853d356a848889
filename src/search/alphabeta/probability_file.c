/* The file of a table of probabilities: what `yomi learn probability` writes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "search/alphabeta/probability.h"

static const char magic[] = "# yomi probability 1\n";

void yo_probability_write(const struct yo_probability_table *t, struct yo_buf *out) {
    yo_buf_str(out, magic);
    yo_buf_printf(out, "# games %" PRIu64 ", positions %" PRIu64 "\n", t->games, t->positions);
    yo_buf_str(out, "category,played,seen\n");
    for (int i = 0; i < YO_PROBABILITIES; i++)
        yo_buf_printf(out, "%s,%" PRIu64 ",%" PRIu64 "\n",
                      yo_probability_name((enum yo_probability_category)i), t->played[i],
                      t->seen[i]);
}

static int find_category(const char *name, size_t len) {
    for (int i = 0; i < YO_PROBABILITIES; i++) {
        const char *other = yo_probability_name((enum yo_probability_category)i);
        if (strlen(other) == len && memcmp(other, name, len) == 0) return i;
    }
    return -1;
}

static enum yo_err read_row(const char *line, struct yo_probability_table *t, bool *given,
                            struct yo_diag *diag) {
    size_t len = strcspn(line, ",\r\n");
    int category = find_category(line, len), used = 0;
    if (category < 0)
        return yo_diag_set(diag, YO_ERR_PARSE, "there is no category '%.*s'",
                           len < 40 ? (int)len : 40, line);
    if (given[category])
        return yo_diag_set(diag, YO_ERR_PARSE, "'%s' is there twice",
                           yo_probability_name((enum yo_probability_category)category));
    given[category] = true;
    uint64_t *played = &t->played[category], *seen = &t->seen[category];
    size_t row = strspn(line + len, ",0123456789");
    bool ends = line[len + row] == '\0' || strchr("\r\n", line[len + row]);
    if (sscanf(line + len, ",%15" SCNu64 ",%15" SCNu64 "%n", played, seen, &used) != 2 ||
        (size_t)used != row || !ends)
        return yo_diag_set(diag, YO_ERR_PARSE, "expected CATEGORY,PLAYED,SEEN");
    if (*played > *seen) return yo_diag_set(diag, YO_ERR_PARSE, "played more often than seen");
    return YO_OK;
}

static enum yo_err check_all(const bool *given, struct yo_diag *diag) {
    for (int i = 0; i < YO_PROBABILITIES; i++)
        if (!given[i])
            return yo_diag_set(diag, YO_ERR_PARSE, "the category '%s' is missing",
                               yo_probability_name((enum yo_probability_category)i));
    return YO_OK;
}

enum yo_err yo_probability_parse(const char *text, const char *name,
                                 struct yo_probability_table *table, struct yo_diag *diag) {
    struct yo_probability_table t = {0};
    bool given[YO_PROBABILITIES] = {false};
    enum yo_err err = YO_OK;
    int number = 1;
    if (strncmp(text, magic, sizeof magic - 1) != 0) {
        err = yo_diag_set(diag, YO_ERR_PARSE, "this is no table of probabilities");
        yo_diag_hint(diag, "yomi learn probability makes one");
    }
    for (; !err && *text; number++) {
        const char *end = text + strcspn(text, "\n");
        if (text[0] == '#')
            sscanf(text, "# games %15" SCNu64 ", positions %15" SCNu64, &t.games, &t.positions);
        else if (strncmp(text, "category,", 9) != 0 && text[strspn(text, " \t\r\n")] != '\0')
            err = read_row(text, &t, given, diag);
        if (err) break;
        text = *end ? end + 1 : end;
    }
    if (!err) err = check_all(given, diag);
    if (err) {
        yo_diag_where(diag, name, number, 0);
        return err;
    }
    yo_probability_settle(&t);
    *table = t;
    return YO_OK;
}

enum yo_err yo_probability_load(const char *path, struct yo_probability_table *table,
                                struct yo_diag *diag) {
    struct yo_buf text = {0};
    enum yo_err err = yo_file_read_text(path, &text, diag);
    if (!err) err = yo_probability_parse(yo_buf_text(&text), path, table, diag);
    yo_buf_free(&text);
    return err;
}
