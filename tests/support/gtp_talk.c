#include "support/gtp_talk.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"

void gtp_set(struct yo_gtp *gtp, const char *key, const char *value) {
    struct yo_diag diag = {0};
    if (yo_gtp_set(gtp, key, value, &diag) != YO_OK) fail_msg("%s %s: %s", key, value, diag.what);
}

struct yo_gtp *gtp_engine(uint64_t playouts) {
    struct yo_gtp_config config;
    struct yo_gtp *gtp;
    struct yo_diag diag;
    yo_gtp_config_init(&config);
    config.size = 9;
    assert_int_equal(yo_gtp_new(&config, &gtp, &diag), YO_OK);
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)playouts);
    gtp_set(gtp, "net", "none");
    gtp_set(gtp, "playouts", text);
    gtp_set(gtp, "threads", "1");
    gtp_set(gtp, "resign", "0");
    return gtp;
}

const char *gtp_ask(struct yo_gtp *gtp, const char *line) {
    static char text[1 << 16];
    struct yo_buf reply = {0};
    yo_gtp_feed(gtp, line, strlen(line), &reply);
    assert_int_equal(yo_buf_status(&reply), YO_OK);
    snprintf(text, sizeof text, "%s", yo_buf_text(&reply));
    yo_buf_free(&reply);
    return text;
}

void gtp_keep(char *out, size_t size, const char *answer) {
    assert_true(strlen(answer) < size);
    strcpy(out, answer);
}
