#include "peer/gtp.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/time.h"

#define ANSWER_MAX ((size_t)1 << 22)

/* Receives the first line of an answer and skips empty lines before it. A line without '=' or '?'
 * is taken as the whole answer, since the empty line may never come. */
static enum yo_err hear_first(struct yo_peer *peer, int64_t until_ms, struct yo_buf *line,
                              struct yo_diag *diag) {
    enum yo_err err;
    do
        err = yo_peer_hear(peer, until_ms, line, diag);
    while (!err && line->len == 0);
    if (err || yo_buf_text(line)[0] == '=' || yo_buf_text(line)[0] == '?') return err;
    char what[200];
    snprintf(what, sizeof what, "it said what is no answer: %.150s", yo_buf_text(line));
    return yo_peer_fail(peer, YO_PEER_NONSENSE, what, diag);
}

/* Receives the rest up to the empty line; keeps the line breaks. */
static enum yo_err hear_answer(struct yo_peer *peer, int64_t until_ms, struct yo_buf *answer,
                               struct yo_diag *diag) {
    struct yo_buf line = {0};
    enum yo_err err = hear_first(peer, until_ms, answer, diag);
    while (!err && !(err = yo_peer_hear(peer, until_ms, &line, diag)) && line.len > 0) {
        yo_buf_char(answer, '\n');
        yo_buf_add(answer, yo_buf_text(&line), line.len);
        if (answer->len > ANSWER_MAX || yo_buf_status(answer))
            err = yo_peer_fail(peer, YO_PEER_NONSENSE, "its answer has no end", diag);
    }
    yo_buf_free(&line);
    return err;
}

enum yo_err yo_peer_gtp_ask(struct yo_peer *peer, const char *command, int64_t timeout_ms,
                            struct yo_buf *answer, struct yo_diag *diag) {
    struct yo_buf heard = {0};
    enum yo_err err = yo_peer_say(peer, command, diag);
    if (err) return err;
    err = hear_answer(peer, yo_time_awake_ms() + timeout_ms, &heard, diag);
    const char *text = yo_buf_text(&heard), *body = text + 1;
    if (!err) body += strspn(body, " ");
    if (!err && text[0] == '?') {
        peer->fault = YO_PEER_REFUSED;
        err = yo_diag_set(diag, YO_ERR_UNSUPPORTED, "it answered: %.150s", body);
    } else if (!err && answer) {
        yo_buf_clear(answer);
        yo_buf_str(answer, body);
    } else if (err && peer->fault == YO_PEER_HUNG) {
        char what[96];
        snprintf(what, sizeof what, "it did not answer %.30s within %g s", command,
                 (double)timeout_ms / 1000);
        err = yo_peer_fail(peer, YO_PEER_HUNG, what, diag);
    }
    yo_buf_free(&heard);
    return err;
}

bool yo_peer_gtp_knows(struct yo_peer *peer, const char *command, int64_t timeout_ms) {
    struct yo_buf answer = {0};
    char question[80];
    snprintf(question, sizeof question, "known_command %.60s", command);
    bool known = yo_peer_gtp_ask(peer, question, timeout_ms, &answer, NULL) == YO_OK &&
                 strcmp(yo_buf_text(&answer), "true") == 0;
    yo_buf_free(&answer);
    return known;
}
