/* Any bytes as messages of the page, one a line: all that is sent is a JSON object with a type, and
 * each message gets at least one answer. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/split.h"
#include "engine/session.h"
#include "protocol/web/web.h"

static struct yo_web *web;
static struct yo_options options;
static _Atomic int answers;

static void check(int holds) {
    if (!holds) abort();
}

static void look(void *user, const char *text, size_t len, bool report) {
    (void)user, (void)report;
    json_t *object;
    check(yo_json_read(text, len, &object, NULL) == YO_OK);
    check(json_is_object(object) && yo_json_string(json_object_get(object, "type")));
    json_decref(object);
    answers++;
}

/* A search may have any limit, so none is allowed to go on. */
static void feed(void *user, const char *line, size_t len) {
    (void)user;
    static const char stop[] = "{\"type\":\"stop\",\"id\":0}";
    answers = 0;
    yo_web_feed(web, line, len);
    yo_web_feed(web, stop, sizeof stop - 1);
    yo_web_finish(web);
    check(answers >= 2);
}

static const struct yo_option rows[] = {
    YO_INT("threads", YO_ON_CLI, "1", 0, 1024, "N", ""),
    YO_INT("memory", YO_ON_CLI, "1", 1, 65536, "MB", ""),
    YO_INT("judge", YO_ON_CLI, "10", 2, 1e7, "N", ""),
    YO_STRING("net", YO_ON_CLI, "none", "FILE", ""),
    YO_STRING("eval", YO_ON_CLI, "material", "FILE", ""),
    YO_OPTIONS_END,
};

static void start(void) {
    struct yo_diag diag;
    struct yo_web_config config = {.options = &options, .send = look};
    check(yo_options_init(&options, rows, &diag) == YO_OK);
    check(yo_web_new(&config, &web, &diag) == YO_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!web) start();
    struct yo_split split = {.emit = feed};
    yo_split_add(&split, (const char *)data, size);
    yo_split_end(&split);
    return 0;
}
