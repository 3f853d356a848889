/* Any bytes as a GTP session: each line that asks something gets just one answer, well formed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/split.h"
#include "protocol/gtp/gtp.h"
#include "protocol/gtp/line.h"

struct session {
    struct yo_gtp *gtp;
    struct yo_gtp_line line;
    struct yo_buf reply;
};

static void check(int holds) {
    if (!holds) abort();
}

static void feed(void *user, const char *bytes, size_t len) {
    struct session *s = user;
    yo_buf_clear(&s->reply);
    check(yo_gtp_line_parse(&s->line, bytes, len > YO_LINE_MAX ? 0 : len) == YO_OK);
    const char *command = s->line.command;
    /* Settings could ask for a search without end. */
    if (command && strcmp(command, "yomi-param") == 0) return;
    yo_gtp_feed(s->gtp, bytes, len, &s->reply);
    const char *text = yo_buf_text(&s->reply);
    if (!command && len <= YO_LINE_MAX) {
        check(s->reply.len == 0);
        return;
    }
    check(text[0] == '=' || text[0] == '?');
    check(strstr(text, "\n\n") == text + s->reply.len - 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct yo_gtp_config config;
    struct yo_diag diag;
    struct session session = {0};
    yo_gtp_config_init(&config);
    config.size = 5;
    config.no_files = true;
    check(yo_gtp_new(&config, &session.gtp, &diag) == YO_OK);
    static const struct {
        const char *key, *value;
    } small[] = {{"playouts", "1"}, {"judge", "2"},        {"threads", "1"},
                 {"memory", "1"},   {"backend", "scalar"}, {"resign", "0"}};
    for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
        check(yo_gtp_set(session.gtp, small[i].key, small[i].value, &diag) == YO_OK);
    struct yo_split split = {.emit = feed, .user = &session};
    yo_split_add(&split, (const char *)data, size);
    yo_split_end(&split);
    yo_gtp_delete(session.gtp);
    yo_gtp_line_free(&session.line);
    yo_buf_free(&session.reply);
    return 0;
}
