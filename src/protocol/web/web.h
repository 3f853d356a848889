/* The protocol between the page and the server (docs/web.md): JSON messages in, calls to sessions,
 * JSON messages out. One struct yo_web for each connection; it knows nothing of sockets. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/option.h"
#include "yomi/error.h"

/* The version of the protocol that `hello` reports. */
#define YO_WEB_PROTOCOL    1
#define YO_WEB_MESSAGE_MAX ((size_t)1 << 20) /* longest message of the page, in bytes */

struct yo_search_kind;

struct yo_web_config {
    /* Initial options of its sessions, copied by name for both games; NULL for the defaults. */
    const struct yo_options *options;
    const struct yo_search_kind *kinds; /* as in a session's configuration */
    int64_t idle_ms;                    /* told to the page: when it is closed; 0: never */
    /* Takes a message. Called from any thread, one call at a time; must not block. report: a newer
     * report may replace this message while it waits. */
    void (*send)(void *user, const char *text, size_t len, bool report);
    void *user;
};

struct yo_web;

/* Reads the networks that the options name, to report a wrong one before a page asks for it. */
enum yo_err yo_web_try(const struct yo_web_config *config, struct yo_diag *diag);

enum yo_err yo_web_new(const struct yo_web_config *config, struct yo_web **web,
                       struct yo_diag *diag);
/* Stops the running search, without its last messages, and waits for its end. */
void yo_web_delete(struct yo_web *web);

/* Takes one message. Requests that search are answered later, from another thread. One thread at a
 * time may call this. */
void yo_web_feed(struct yo_web *web, const char *text, size_t len);
/* Does a search run or wait? */
bool yo_web_is_busy(struct yo_web *web);
/* Waits until nothing runs or waits; searches without a limit never end by themselves. */
void yo_web_finish(struct yo_web *web);
