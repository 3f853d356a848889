#include "support/gtp_talk.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"

struct yo_gtp *gtp_engine(uint64_t playouts) {
    struct yo_gtp_config config;
    struct yo_gtp *gtp;
    struct yo_diag diag;
    yo_gtp_config_init(&config);
    config.size = 9;
    config.playouts = playouts;
    config.threads = 1;
    assert_int_equal(yo_gtp_new(&config, &gtp, &diag), YO_OK);
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
