#include "peer/usi.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/nearest.h"
#include "base/time.h"

/* An engine should answer "usi" before it loads anything large, but not all do (GPSShogi), and on a
 * busy machine that takes half a minute. */
#define USI_MS 60000
#define NAME   80

/* ---- the answer to usi ---- */

/* Takes one line before usiok. A line with '?' is the answer of a GTP engine: a fault. */
static enum yo_err take_line(struct yo_peer *peer, const char *text, char name[64],
                             struct yo_buf *offered, struct yo_diag *diag) {
    if (text[0] == '?') {
        char what[200];
        snprintf(what, sizeof what, "it answered usi by: %.150s", text);
        return yo_peer_fail(peer, YO_PEER_NONSENSE, what, diag);
    }
    if (name && strncmp(text, "id name ", 8) == 0) snprintf(name, 64, "%.50s", text + 8);
    if (strncmp(text, "option name ", 12) == 0) yo_buf_printf(offered, "%s\n", text + 12);
    return yo_buf_status(offered);
}

/* The next line; a program that says nothing more is told from one that never spoke by the command
 * that it has not answered. */
static enum yo_err hear_until(struct yo_peer *peer, const char *command, int64_t since_ms,
                              int64_t timeout_ms, struct yo_buf *line, struct yo_diag *diag) {
    enum yo_err err = yo_peer_hear(peer, since_ms + timeout_ms, line, diag);
    if (!err || peer->fault != YO_PEER_HUNG) return err;
    char what[96];
    snprintf(what, sizeof what, "it did not answer %s within %g s", command,
             (double)timeout_ms / 1000);
    return yo_peer_fail(peer, YO_PEER_HUNG, what, diag);
}

static enum yo_err say_hello(struct yo_peer *peer, char name[64], struct yo_buf *offered,
                             struct yo_diag *diag) {
    struct yo_buf line = {0};
    int64_t since = yo_time_awake_ms();
    enum yo_err err = yo_peer_say(peer, "usi", diag);
    while (!err && !(err = hear_until(peer, "usi", since, USI_MS, &line, diag))) {
        if (strcmp(yo_buf_text(&line), "usiok") == 0) break;
        err = take_line(peer, yo_buf_text(&line), name, offered, diag);
    }
    yo_buf_free(&line);
    return err;
}

/* ---- options ---- */

/* The next of the lines "NAME type KIND ...": its name into out, and its kind is where *kind points
 * to. NULL after the last. */
static const char *next_offer(const char *lines, char out[NAME], const char **kind) {
    const char *end = strchr(lines, '\n'), *type = strstr(lines, " type ");
    if (!end) return NULL;
    size_t len = type && type < end ? (size_t)(type - lines) : (size_t)(end - lines);
    snprintf(out, NAME, "%.*s", (int)len, lines);
    *kind = type && type < end ? type + 6 : "";
    return end + 1;
}

static enum yo_err unknown(const char *lines, const char *key, struct yo_diag *diag) {
    struct yo_nearest nearest = {.text = key};
    char name[NAME], best[NAME] = "";
    const char *kind;
    while ((lines = next_offer(lines, name, &kind))) {
        const char *before = nearest.best;
        yo_nearest_offer(&nearest, name);
        if (nearest.best == before) continue;
        strcpy(best, name);
        nearest.best = best;
    }
    yo_diag_set(diag, YO_ERR_UNKNOWN, "it has no option %.60s", key);
    if (best[0])
        yo_diag_hint(diag, "did you mean %s?", best);
    else
        yo_diag_hint(diag, "its answer to usi lists those that it has");
    return YO_ERR_UNKNOWN;
}

/* Engines ignore unknown options, and the match would run with wrong settings. Options of the
 * protocol itself need not be listed. */
static enum yo_err check(const char *lines, const char *key, bool has_value, struct yo_diag *diag) {
    char name[NAME];
    const char *kind;
    if (strncmp(key, "USI_", 4) == 0 && has_value) return YO_OK;
    for (const char *rest = lines; (rest = next_offer(rest, name, &kind));) {
        if (!yo_name_equal(name, key)) continue;
        if (has_value || strncmp(kind, "button", 6) == 0) return YO_OK;
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "its option %.60s wants a value", key);
        yo_diag_hint(diag, "for example %.60s=1", key);
        return YO_ERR_UNSUPPORTED;
    }
    return unknown(lines, key, diag);
}

/* The first of "NAME=VALUE;NAME=VALUE"; *options goes on to the next. */
static enum yo_err set_one(struct yo_peer *peer, const char *offered, const char **options,
                           struct yo_diag *diag) {
    const char *text = *options;
    char command[300], key[NAME];
    int len = (int)strcspn(text, ";"), key_len = (int)strcspn(text, "=;");
    *options += len + (text[len] == ';');
    if (len == 0) return YO_OK;
    snprintf(key, sizeof key, "%.*s", key_len, text);
    enum yo_err err = check(offered, key, key_len < len, diag);
    if (err) return err;
    if (key_len < len)
        snprintf(command, sizeof command, "setoption name %s value %.*s", key, len - key_len - 1,
                 text + key_len + 1);
    else
        snprintf(command, sizeof command, "setoption name %s", key);
    return yo_peer_say(peer, command, diag);
}

/* ---- all of it ---- */

enum yo_err yo_peer_usi_get_ready(struct yo_peer *peer, int64_t timeout_ms, struct yo_diag *diag) {
    struct yo_buf line = {0};
    int64_t since = yo_time_awake_ms();
    enum yo_err err = yo_peer_say(peer, "isready", diag);
    while (!err && !(err = hear_until(peer, "isready", since, timeout_ms, &line, diag)))
        if (strcmp(yo_buf_text(&line), "readyok") == 0) break;
    yo_buf_free(&line);
    return err;
}

enum yo_err yo_peer_usi_meet(struct yo_peer *peer, const char *options, int64_t timeout_ms,
                             char name[64], struct yo_buf *offered, struct yo_diag *diag) {
    yo_buf_clear(offered);
    enum yo_err err = say_hello(peer, name, offered, diag);
    while (!err && options && *options)
        err = set_one(peer, yo_buf_text(offered), &options, diag);
    return err ? err : yo_peer_usi_get_ready(peer, timeout_ms, diag);
}

enum yo_err yo_peer_usi_greet(struct yo_peer *peer, const char *options, int64_t timeout_ms,
                              char name[64], struct yo_diag *diag) {
    struct yo_buf offered = {0};
    enum yo_err err = yo_peer_usi_meet(peer, options, timeout_ms, name, &offered, diag);
    yo_buf_free(&offered);
    return err;
}
