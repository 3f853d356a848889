/* Any bytes as lines for the analysis engine: all that is sent is a JSON object a line, and what is
 * asked is answered. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/split.h"
#include "engine/session.h"
#include "protocol/analysis/analysis.h"

static struct yo_analysis *analysis;
static struct yo_options search;

static void check(int holds) {
    if (!holds) abort();
}

static bool look(void *user, const char *bytes, size_t len) {
    (void)user;
    json_t *object;
    check(len > 0 && bytes[len - 1] == '\n' && memchr(bytes, '\n', len) == bytes + len - 1);
    check(yo_json_read(bytes, len - 1, &object, NULL) == YO_OK);
    check(json_is_object(object));
    json_decref(object);
    return true;
}

/* A search may be asked for with any number of visits, so none is allowed to go on. */
static void feed(void *user, const char *line, size_t len) {
    (void)user;
    static const char stop[] = "{\"id\":\"\",\"action\":\"terminate_all\"}";
    yo_analysis_feed(analysis, line, len);
    yo_analysis_feed(analysis, stop, sizeof stop - 1);
    yo_analysis_finish(analysis);
}

static void start(void) {
    struct yo_analysis_config config;
    struct yo_diag diag;
    yo_analysis_config_init(&config);
    config.threads = 1;
    config.playouts = 1;
    config.send = look;
    check(yo_options_init(&search, yo_session_rows(YO_SESSION_GO), &diag) == YO_OK);
    check(yo_options_set(&search, YO_ON_GTP, "backend", "scalar", &diag) == YO_OK);
    check(yo_options_set(&search, YO_ON_GTP, "memory", "1", &diag) == YO_OK);
    config.options = &search;
    check(yo_analysis_new(&config, &analysis, &diag) == YO_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    /* Settings could ask for more memory than there is. */
    if (memmem(data, size, "memory", 6) || memmem(data, size, "MEMORY", 6)) return 0;
    if (!analysis) start();
    struct yo_split split = {.emit = feed};
    yo_split_add(&split, (const char *)data, size);
    yo_split_end(&split);
    return 0;
}
