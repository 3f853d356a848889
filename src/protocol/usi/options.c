/* The options, and setoption. */
#include <stdio.h>
#include <string.h>

#include "eval/shogi/net_open.h"
#include "protocol/usi/internal.h"

static const char *const depth_rules[] = {"plain", "half", "realization", NULL};
static const char *const prunings[] = {
    [YO_AB_PLAIN] = "none", [YO_AB_SAFE] = "safe", [YO_AB_FULL] = "full", NULL};
static const char *const entering_rules[] = {
    "NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule", NULL};

/* Names as other engines and GUIs spell them. */
const struct yo_option yo_usi_options[] = {
    YO_INT("USI_Hash", YO_ON_USI, "64", 1, 65536, "MB", "size of the transposition table"),
    YO_INT("Threads", YO_ON_USI, "1", 1, YO_AB_THREADS_MAX, "N", "threads that search"),
    YO_INT("MultiPV", YO_ON_USI, "1", 1, 600, "N", "best moves that are reported"),
    YO_BOOL("USI_Ponder", YO_ON_USI, "false", "the client lets the engine ponder"),
    YO_BOOL("Stochastic_Ponder", YO_ON_USI, "false",
            "pondering is about all answers of the opponent, not the one that is expected"),
    YO_INT("NetworkDelay", YO_ON_USI, "120", 0, 10000, "MS",
           "time usually lost on the way to the server"),
    YO_INT("NetworkDelay2", YO_ON_USI, "120", 0, 10000, "MS",
           "time lost on the way to the server at worst"),
    YO_INT("MinimumThinkingTime", YO_ON_USI, "1000", 0, 100000, "MS",
           "a move takes so long, where the clock can afford it"),
    YO_INT("SlowMover", YO_ON_USI, "100", 1, 1000, "PERCENT", "of the usual time for a move"),
    YO_BOOL("RoundUpToFullSecond", YO_ON_USI, "true",
            "the rest of a second that the server charges anyway is used"),
    YO_INT("ResignValue", YO_ON_USI, "99999", 0, 99999, "CP", "resigns when so far behind"),
    YO_INT("MaxMovesToDraw", YO_ON_USI, "0", 0, 100000, "N", "moves until a draw; 0 for no limit"),
    YO_CHOICE("EnteringKingRule", YO_ON_USI, "CSARule27", entering_rules, "RULE",
              "when an entered king wins"),
    YO_BOOL("USI_OwnBook", YO_ON_USI, "true", "the engine may play from its book"),
    YO_STRING("BookFile", YO_ON_USI, USI_NO_BOOK, "FILE",
              "the book, a file of YaneuraOu's text format; or " USI_NO_BOOK),
    YO_STRING("EvalFile", YO_ON_USI, YO_SHOGI_EVAL_DEFAULT, "FILE",
              "the network, a file of YaneuraOu's format; or builtin, or material"),
    YO_INT("FV_SCALE", YO_ON_USI, "16", 1, 128, "N",
           "the network's output that makes a hundredth of a pawn"),
    YO_CHOICE("DepthRule", YO_ON_USI, "plain", depth_rules, "RULE", "what a move costs in depth"),
    YO_STRING("ProbabilityFile", YO_ON_USI, NULL, "FILE",
              "table of `yomi learn probability`, for the rule realization"),
    YO_CHOICE("Pruning", YO_ON_USI, "full", prunings, "KIND", "shortcuts that the search takes"),
#define X(name, initial, least, most, help)                                                        \
    YO_INT(#name, YO_ON_TUNE, #initial, least, most, "N", help),
    YO_AB_MARGIN_LIST(X)
#undef X
        YO_OPTIONS_END,
};

/* Clients cannot send nothing, and some send this for it. */
#define EMPTY "<empty>"

const char *yo_usi_text_option(const struct yo_usi *usi, const char *name) {
    const char *text = yo_options_text(&usi->options, name);
    return text && *text && strcmp(text, EMPTY) != 0 ? text : NULL;
}

static void say_option(struct yo_usi *usi, const struct yo_option *row) {
    char kinds[256] = "";
    switch (row->type) {
    case YO_OPTION_BOOL:
        yo_usi_say(usi, "option name %s type check default %s", row->key, row->initial);
        return;
    case YO_OPTION_INT:
        yo_usi_say(usi, "option name %s type spin default %s min %.0f max %.0f", row->key,
                   row->initial, row->min, row->max);
        return;
    case YO_OPTION_CHOICE:
        for (const char *const *c = row->choices; *c; c++)
            snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), " var %s", *c);
        yo_usi_say(usi, "option name %s type combo default %s%s", row->key, row->initial, kinds);
        return;
    default:
        yo_usi_say(usi, "option name %s type string default %s", row->key,
                   row->initial ? row->initial : EMPTY);
    }
}

void yo_usi_say_options(struct yo_usi *usi) {
    for (const struct yo_option *row = yo_usi_options; row->key; row++)
        if (row->places & usi->places) say_option(usi, row);
}

/* The rest of the line, since names of files may hold blanks. False: it is too long. */
static bool read_value(const char *rest, char *value, size_t size) {
    rest += strspn(rest, " \t");
    size_t len = strcspn(rest, "\r\n");
    while (len > 0 && strchr(" \t", rest[len - 1]))
        len--;
    if (len >= size) return false;
    snprintf(value, size, "%.*s", (int)len, rest);
    return true;
}

struct yo_ab_margins yo_usi_margins(const struct yo_usi *usi) {
    return (struct yo_ab_margins){
#define X(name, initial, least, most, help) .name = (int)yo_options_int(&usi->options, #name),
        YO_AB_MARGIN_LIST(X)
#undef X
    };
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
    if (yo_options_set(&usi->options, usi->places, name, value, &diag))
        yo_usi_complain(usi, "setoption", &diag);
}
