#include "protocol/usi/usi.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/options.h"
#include "protocol/usi/internal.h"
#include "yomi/version.h"

void yo_usi_say(struct yo_usi *usi, const char *fmt, ...) {
    char line[1024], *text = line;
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int len = vsnprintf(line, sizeof line, fmt, args);
    if (len >= (int)sizeof line && (text = yo_alloc((size_t)len + 1, 1)))
        vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    va_end(args);
    pthread_mutex_lock(&usi->mutex);
    usi->write(usi->user, text ? text : line); /* if out of memory, a long line is cut */
    pthread_mutex_unlock(&usi->mutex);
    if (text != line) yo_free(text);
}

void yo_usi_complain(struct yo_usi *usi, const char *about, const struct yo_diag *diag) {
    char text[512];
    yo_diag_format(diag, text, sizeof text);
    text[strcspn(text, "\r\n")] = '\0'; /* quoted text may hold newlines */
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

static void notice(void *user, const char *text) { yo_usi_say(user, "info string %s", text); }

enum yo_err yo_usi_new(const struct yo_usi_config *config, struct yo_usi **out,
                       struct yo_diag *diag) {
    struct yo_usi *usi = yo_alloc(1, sizeof *usi);
    if (!usi) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    usi->write = config->write;
    usi->user = config->user;
    usi->places = config->tune ? YO_ON_USI | YO_ON_TUNE : YO_ON_USI;
    struct yo_session_config session = {.game = YO_SESSION_SHOGI,
                                        .options = config->options,
                                        .kinds = config->kinds,
                                        .notice = notice,
                                        .user = usi,
                                        .notices = {.notify = notice, .user = usi}};
    pthread_mutex_init(&usi->mutex, NULL);
    enum yo_err err = yo_session_new(&session, &usi->session, diag);
    if (!err && config->options && yo_session_text(config->options, "net"))
        err = yo_session_prepare_strictly(usi->session, diag);
    if (err)
        yo_usi_delete(usi);
    else
        *out = usi;
    return err;
}

void yo_usi_delete(struct yo_usi *usi) {
    if (!usi) return;
    yo_session_delete(usi->session);
    pthread_mutex_destroy(&usi->mutex);
    yo_free(usi);
}

void yo_usi_wait(struct yo_usi *usi) { yo_session_wait(usi->session); }

/* ---- Commands ---- */

static void do_usi(struct yo_usi *usi, const char *rest) {
    (void)rest;
    yo_usi_say(usi, "id name Yomi %s", yo_version());
    yo_usi_say(usi, "id author the Yomi authors");
    yo_usi_say_options(usi);
    yo_usi_say(usi, "usiok");
}

/* Clients also send isready to check that the engine is alive; it does not end a search. */
static void do_isready(struct yo_usi *usi, const char *rest) {
    (void)rest;
    struct yo_diag diag = {0};
    if (!yo_session_is_thinking(usi->session) && yo_session_prepare(usi->session, &diag))
        yo_usi_complain(usi, "", &diag);
    yo_usi_say(usi, "readyok");
}

static void do_usinewgame(struct yo_usi *usi, const char *rest) {
    (void)rest;
    yo_session_new_game(usi->session);
}

/* The table is cleared now: between usinewgame and the first move a clock may be running. */
static void do_gameover(struct yo_usi *usi, const char *rest) {
    (void)rest;
    yo_session_new_game(usi->session);
}

static void do_stop(struct yo_usi *usi, const char *rest) {
    (void)rest;
    yo_session_stop(usi->session);
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
        {"gameover", do_gameover},
    };
    char word[32];
    if (!yo_usi_word(&line, word, sizeof word)) return true;
    if (strcmp(word, "quit") == 0) {
        yo_session_stop(usi->session);
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
