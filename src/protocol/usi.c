#include "protocol/usi.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "eval/shogi/net_open.h"
#include "protocol/usi_internal.h"
#include "yomi/version.h"

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
    YO_CHOICE("DepthRule", YO_ON_USI, "plain", depth_rules, "RULE", "what a move costs in depth"),
    YO_STRING("ProbabilityFile", YO_ON_USI, NULL, "FILE",
              "table of `yomi learn probability`, for the rule realization"),
    YO_CHOICE("Pruning", YO_ON_USI, "full", prunings, "KIND", "shortcuts that the search takes"),
    YO_BOOL("USI_Ponder", YO_ON_USI, "false", "the client lets the engine ponder"),
    YO_INT("NetworkDelay2", YO_ON_USI, "120", 0, 10000, "MS", "time lost on the way to the server"),
    YO_INT("ResignValue", YO_ON_USI, "99999", 0, 99999, "CP", "resigns when so far behind"),
    YO_INT("MaxMovesToDraw", YO_ON_USI, "0", 0, 100000, "N", "moves until a draw; 0 for no limit"),
    YO_CHOICE("EnteringKingRule", YO_ON_USI, "CSARule27", entering_rules, "RULE",
              "when an entered king wins"),
    YO_STRING("EvalFile", YO_ON_USI, YO_SHOGI_EVAL_DEFAULT, "FILE",
              "the network, a file of YaneuraOu's format; or builtin, or material"),
    YO_INT("FV_SCALE", YO_ON_USI, "16", 1, 128, "N",
           "the network's output that makes a hundredth of a pawn"),
    YO_OPTIONS_END,
};

void yo_usi_say(struct yo_usi *usi, const char *fmt, ...) {
    char line[4096];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    pthread_mutex_lock(&usi->mutex);
    usi->write(usi->user, line);
    pthread_mutex_unlock(&usi->mutex);
}

bool yo_usi_word(const char **rest, char *word, size_t size) {
    *rest += strspn(*rest, " \t\r\n");
    size_t len = strcspn(*rest, " \t\r\n"), kept = len < size ? len : size - 1;
    memcpy(word, *rest, kept);
    word[kept] = '\0';
    *rest += len;
    return len > 0;
}

enum yo_err yo_usi_new(yo_usi_write_fn write, void *user, struct yo_usi **out) {
    struct yo_usi *usi = yo_alloc(1, sizeof *usi);
    if (!usi) return YO_ERR_NOMEM;
    usi->write = write;
    usi->user = user;
    usi->past = yo_alloc(1, sizeof *usi->past);
    if (!usi->past || yo_options_init(&usi->options, yo_usi_options, NULL)) {
        yo_free(usi->past);
        yo_free(usi);
        return YO_ERR_NOMEM;
    }
    pthread_mutex_init(&usi->mutex, NULL);
    pthread_cond_init(&usi->changed, NULL);
    yo_shogi_position_start(&usi->pos);
    usi->past[0] = yo_shogi_past_first(&usi->pos);
    usi->past_count = 1;
    *out = usi;
    return YO_OK;
}

void yo_usi_delete(struct yo_usi *usi) {
    if (!usi) return;
    yo_usi_stop(usi, false);
    yo_ab_delete(usi->search);
    yo_dfpn_delete(usi->mate);
    yo_usi_free_eval(usi);
    yo_options_free(&usi->options);
    pthread_cond_destroy(&usi->changed);
    pthread_mutex_destroy(&usi->mutex);
    yo_free(usi->past);
    yo_free(usi);
}

/* The rule that was chosen; where it cannot be, plain plies, and the client hears why. */
static const struct yo_ab_rule *get_rule(struct yo_usi *usi) {
    static const struct yo_ab_rule *const rules[] = {&yo_ab_rule_plain, &yo_ab_rule_half};
    size_t choice = yo_options_choice(&usi->options, "DepthRule");
    if (choice < 2) return rules[choice];
    const char *path = yo_options_text(&usi->options, "ProbabilityFile");
    struct yo_diag diag = {0};
    if (!path || strcmp(path, "<empty>") == 0) {
        yo_usi_say(usi, "info string DepthRule realization wants a ProbabilityFile; plain is used");
        return &yo_ab_rule_plain;
    }
    if (strcmp(path, usi->probability_path) != 0) {
        usi->probability_path[0] = '\0';
        if (yo_probability_load(path, &usi->probabilities, &diag)) {
            yo_usi_say(usi, "info string ProbabilityFile: %s; DepthRule plain is used", diag.what);
            return &yo_ab_rule_plain;
        }
        usi->rule = yo_probability_rule(&usi->probabilities);
        if (strlen(path) < sizeof usi->probability_path) strcpy(usi->probability_path, path);
    }
    return &usi->rule;
}

static enum yo_err set_search_options(struct yo_usi *usi) {
    struct yo_ab_options options = yo_ab_options_default;
    options.threads = (int)yo_options_int(&usi->options, "Threads");
    options.multi_pv = (int)yo_options_int(&usi->options, "MultiPV");
    options.rule = get_rule(usi);
    options.pruning = (enum yo_ab_pruning)yo_options_choice(&usi->options, "Pruning");
    options.eval = &usi->eval;
    return yo_ab_set_options(usi->search, &options);
}

/* What is large is made at isready, or at the first go of a client that never asks. */
enum yo_err yo_usi_prepare(struct yo_usi *usi) {
    size_t mb = (size_t)yo_options_int(&usi->options, "USI_Hash");
    if (usi->search && usi->table_mb != mb) {
        yo_ab_delete(usi->search);
        usi->search = NULL;
    }
    enum yo_err err = YO_OK;
    if (!usi->search) err = yo_ab_new(mb, &usi->search);
    if (!err && !usi->mate) err = yo_dfpn_new(64, &usi->mate);
    usi->table_mb = mb;
    if (!err) err = yo_usi_prepare_eval(usi);
    return err ? err : set_search_options(usi);
}

/* ---- Commands ---- */

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
                   row->initial ? row->initial : "<empty>");
    }
}

static void do_usi(struct yo_usi *usi, const char *rest) {
    (void)rest;
    yo_usi_say(usi, "id name Yomi %s", yo_version());
    yo_usi_say(usi, "id author the Yomi authors");
    for (const struct yo_option *row = yo_usi_options; row->key; row++)
        say_option(usi, row);
    yo_usi_say(usi, "usiok");
}

static void do_isready(struct yo_usi *usi, const char *rest) {
    (void)rest;
    yo_usi_stop(usi, false);
    if (yo_usi_prepare(usi))
        yo_usi_say(usi, "info string not enough memory; make USI_Hash or Threads smaller");
    yo_usi_say(usi, "readyok");
}

/* The rest of the line, since names of files may hold blanks. */
static void read_value(const char *rest, char *value, size_t size) {
    rest += strspn(rest, " \t");
    size_t len = strcspn(rest, "\r\n");
    while (len > 0 && strchr(" \t", rest[len - 1]))
        len--;
    snprintf(value, size, "%.*s", (int)len, rest);
}

/* "name NAME value VALUE"; options that we do not have are the client's own business. */
static void do_setoption(struct yo_usi *usi, const char *rest) {
    char word[64], name[64] = "", value[1024] = "";
    struct yo_diag diag;
    if (!yo_usi_word(&rest, word, sizeof word) || strcmp(word, "name") != 0 ||
        !yo_usi_word(&rest, name, sizeof name)) {
        yo_usi_say(usi, "info string setoption name NAME value VALUE");
        return;
    }
    if (yo_usi_word(&rest, word, sizeof word)) read_value(rest, value, sizeof value);
    if (yo_options_set(&usi->options, YO_ON_USI, name, value, &diag))
        yo_usi_say(usi, "info string %s", diag.what);
}

static void do_usinewgame(struct yo_usi *usi, const char *rest) {
    (void)rest;
    yo_usi_stop(usi, false);
    if (usi->search) yo_ab_clear(usi->search);
}

static void do_stop(struct yo_usi *usi, const char *rest) {
    (void)rest;
    yo_usi_stop(usi, false);
}

bool yo_usi_line(struct yo_usi *usi, const char *line) {
    static const struct {
        const char *name;
        void (*run)(struct yo_usi *usi, const char *rest);
    } commands[] = {
        {"usi", do_usi},
        {"isready", do_isready},
        {"setoption", do_setoption},
        {"position", yo_usi_position},
        {"go", yo_usi_go},
        {"stop", do_stop},
        {"ponderhit", yo_usi_ponderhit},
        {"usinewgame", do_usinewgame},
        {"gameover", do_stop},
    };
    char word[32];
    if (!yo_usi_word(&line, word, sizeof word)) return true;
    if (strcmp(word, "quit") == 0) {
        yo_usi_stop(usi, false);
        return false;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(word, commands[i].name) == 0) {
            commands[i].run(usi, line);
            return true;
        }
    yo_usi_say(usi, "info string unknown command %s", word);
    return true;
}
