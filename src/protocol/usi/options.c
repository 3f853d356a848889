/* The options of the session, and the command setoption. */
#include <stdio.h>
#include <string.h>

#include "protocol/usi/internal.h"

/* Stands for an empty string, which USI cannot express. */
#define EMPTY "<empty>"

static void say_option(struct yo_usi *usi, const struct yo_option *row) {
    const char *name = row->usi ? row->usi : row->key;
    char kinds[256] = "";
    switch (row->type) {
    case YO_OPTION_BOOL:
        yo_usi_say(usi, "option name %s type check default %s", name, row->initial);
        return;
    case YO_OPTION_INT:
        yo_usi_say(usi, "option name %s type spin default %s min %.0f max %.0f", name, row->initial,
                   row->min, row->max);
        return;
    case YO_OPTION_CHOICE:
        for (const char *const *c = row->choices; *c; c++)
            snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), " var %s", *c);
        yo_usi_say(usi, "option name %s type combo default %s%s", name, row->initial, kinds);
        return;
    default:
        yo_usi_say(usi, "option name %s type string default %s", name,
                   row->initial ? row->initial : EMPTY);
    }
}

void yo_usi_say_options(struct yo_usi *usi) {
    for (const struct yo_option *row = yo_session_rows(YO_SESSION_SHOGI); row->key; row++)
        if (row->places & usi->places) say_option(usi, row);
}

/* The value is the rest of the line, since file names may hold blanks. False if it is too long. */
static bool read_value(const char *rest, char *value, size_t size) {
    rest += strspn(rest, " \t");
    size_t len = strcspn(rest, "\r\n");
    while (len > 0 && strchr(" \t", rest[len - 1]))
        len--;
    if (len >= size) return false;
    snprintf(value, size, "%.*s", (int)len, rest);
    return true;
}

void yo_usi_setoption(struct yo_usi *usi, const char *rest) {
    char word[64], name[64] = "", value[4096] = "";
    struct yo_diag diag = {0};
    if (!yo_usi_word(&rest, word, sizeof word) || strcmp(word, "name") != 0 ||
        !yo_usi_word(&rest, name, sizeof name)) {
        yo_usi_say(usi, "info string setoption name NAME value VALUE");
        return;
    }
    if (yo_usi_word(&rest, word, sizeof word)) {
        if (strcmp(word, "value") != 0) {
            yo_usi_say(usi, "info string setoption %s: expected value, not %s", name, word);
            return;
        }
        if (!read_value(rest, value, sizeof value)) {
            yo_usi_say(usi, "info string setoption %s: the value is too long", name);
            return;
        }
    }
    if (yo_session_set(usi->session, usi->places, name, value, &diag))
        yo_usi_complain(usi, "setoption", &diag);
}
