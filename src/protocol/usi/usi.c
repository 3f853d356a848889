#include "protocol/usi/usi.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "protocol/usi/internal.h"
#include "yomi/version.h"

static void say(struct yo_usi *usi, bool answers, const char *fmt, va_list args) {
    char line[1024], *text = line;
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(line, sizeof line, fmt, args);
    if (len >= (int)sizeof line && (text = yo_alloc((size_t)len + 1, 1)))
        vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    pthread_mutex_lock(&usi->mutex);
    usi->write(usi->user, text ? text : line); /* without memory a long line is cut */
    if (answers) usi->answered = true;
    pthread_mutex_unlock(&usi->mutex);
    if (text != line) yo_free(text);
}

void yo_usi_say(struct yo_usi *usi, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    say(usi, false, fmt, args);
    va_end(args);
}

void yo_usi_answer(struct yo_usi *usi, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    say(usi, true, fmt, args);
    va_end(args);
}

void yo_usi_complain(struct yo_usi *usi, const char *about, const struct yo_diag *diag) {
    char text[512];
    yo_diag_format(diag, text, sizeof text);
    text[strcspn(text, "\r\n")] = '\0'; /* whatever was quoted */
    yo_usi_say(usi, "info string %s%s%s", about, *about ? ": " : "", text);
}

bool yo_usi_word(const char **rest, char *word, size_t size) {
    *rest += strspn(*rest, " \t\r\n");
    size_t len = strcspn(*rest, " \t\r\n"), kept = len < size ? len : size - 1;
    memcpy(word, *rest, kept);
    word[kept] = '\0';
    *rest += len;
    return len > 0;
}

enum yo_err yo_usi_new(yo_usi_write_fn write, void *user, bool tune, struct yo_usi **out) {
    struct yo_usi *usi = yo_alloc(1, sizeof *usi);
    if (!usi) return YO_ERR_NOMEM;
    usi->write = write;
    usi->user = user;
    usi->places = tune ? YO_ON_USI | YO_ON_TUNE : YO_ON_USI;
    enum yo_err err = yo_shogi_game_new(NULL, &usi->game, NULL);
    if (!err) err = yo_options_init(&usi->options, yo_usi_options, NULL);
    if (err) {
        yo_shogi_game_delete(usi->game);
        yo_free(usi);
        return YO_ERR_NOMEM;
    }
    pthread_mutex_init(&usi->mutex, NULL);
    pthread_cond_init(&usi->changed, NULL);
    usi->random = (uint64_t)yo_time_ns();
    *out = usi;
    return YO_OK;
}

void yo_usi_delete(struct yo_usi *usi) {
    if (!usi) return;
    yo_usi_stop(usi, false);
    yo_ab_delete(usi->search);
    if (usi->mate.ops) usi->mate.ops->destroy(usi->mate.ctx);
    yo_usi_free_eval(usi);
    yo_shogi_book_delete(usi->book);
    yo_free(usi->book_asked);
    yo_options_free(&usi->options);
    pthread_cond_destroy(&usi->changed);
    pthread_mutex_destroy(&usi->mutex);
    yo_shogi_game_delete(usi->game);
    yo_shogi_game_delete(usi->before);
    yo_free(usi);
}

/* ---- What stands behind it ---- */

/* The rule that was chosen; where it cannot be, plain plies, and the client hears why. */
static const struct yo_ab_rule *get_rule(struct yo_usi *usi) {
    static const struct yo_ab_rule *const rules[] = {&yo_ab_rule_plain, &yo_ab_rule_half};
    size_t choice = yo_options_choice(&usi->options, "DepthRule");
    if (choice < 2) return rules[choice];
    const char *path = yo_usi_text_option(usi, "ProbabilityFile");
    struct yo_diag diag = {0};
    if (!path) {
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

/* As many threads as there is memory for, if only one. */
static enum yo_err set_search_options(struct yo_usi *usi) {
    struct yo_ab_options options = yo_ab_options_default;
    options.threads = (int)yo_options_int(&usi->options, "Threads");
    options.rule = get_rule(usi);
    options.pruning = (enum yo_ab_pruning)yo_options_choice(&usi->options, "Pruning");
    options.margins = yo_usi_margins(usi);
    options.eval = &usi->eval;
    options.details_ms = 1000; /* a depth that is over in no time needs none */
    enum yo_err err = yo_ab_set_options(usi->search, &options);
    if (!err || options.threads == 1) return err;
    yo_usi_say(usi, "info string not enough memory for %d threads; one is used", options.threads);
    options.threads = 1;
    return yo_ab_set_options(usi->search, &options);
}

/* A table as large as there is memory for, half of the machine's at most: the system lends more
 * than it has. A game is not given up for a wish. */
static enum yo_err make_search(struct yo_usi *usi) {
    size_t mb = (size_t)yo_options_int(&usi->options, "USI_Hash"), half = yo_memory_mb() / 2;
    if (usi->search && usi->table_mb == mb) return YO_OK;
    yo_ab_delete(usi->search);
    usi->search = NULL;
    usi->table_mb = mb;
    enum yo_err err = YO_ERR_NOMEM;
    for (size_t room = half && half < mb ? half : mb; err && room > 0; room /= 2) {
        err = yo_ab_new(room, &usi->search);
        if (!err && room < mb)
            yo_usi_say(usi, "info string not enough memory for USI_Hash %zu; %zu is used", mb,
                       room);
    }
    return err;
}

enum yo_err yo_usi_prepare(struct yo_usi *usi) {
    enum yo_err err = make_search(usi);
    if (!err && !usi->mate.ops) err = yo_mate_solver_new(64, &usi->mate);
    if (!err) err = yo_usi_prepare_eval(usi);
    if (!err) err = yo_usi_prepare_book(usi);
    return err ? err : set_search_options(usi);
}

/* ---- Commands ---- */

static void do_usi(struct yo_usi *usi, const char *rest) {
    (void)rest;
    yo_usi_say(usi, "id name Yomi %s", yo_version());
    yo_usi_say(usi, "id author the Yomi authors");
    yo_usi_say_options(usi);
    yo_usi_say(usi, "usiok");
}

/* Also a question whether we are still there, which no search is ended for. */
static void do_isready(struct yo_usi *usi, const char *rest) {
    (void)rest;
    if (!yo_usi_is_thinking(usi) && yo_usi_prepare(usi))
        yo_usi_say(usi, "info string not enough memory to play");
    yo_usi_say(usi, "readyok");
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
        {"setoption", yo_usi_setoption},
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
