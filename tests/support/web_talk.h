/* A conversation with the page's protocol, without sockets: messages in, and all that it sent. */
#pragma once

#include "base/json.h"
#include "protocol/web/web.h"

/* Options: --threads 1, little memory; net may be NULL for playouts. */
void web_open(const char *net);
/* The same with other searches than the usual ones. */
void web_open_kinds(const struct yo_search_kind *kinds);
void web_close(void);
struct yo_web *web_engine(void);

/* Forgets what was sent. */
void web_forget(void);
/* Sends a message, waits until nothing runs, and returns the last message about this id. The caller
 * releases it. */
json_t *web_ask(int id, const char *fmt, ...);
/* Sends a message without waiting. */
void web_say(const char *fmt, ...);
/* The last message about this id, or NULL. */
json_t *web_last(int id);
/* How many messages of this type came about this id. */
int web_count(int id, const char *type);
/* Waits until that many have come; fails after a long time. */
void web_await(int id, const char *type, int count);

/* Members; they fail the test if they are missing. */
const char *web_text(const json_t *message, const char *key);
double web_number(const json_t *message, const char *key);
