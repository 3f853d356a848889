#include "support/web_talk.h"

#include "support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/options.h"
#include "engine/session.h"

static struct yo_web *web;
static struct yo_options options;
static json_t *sent; /* all messages, in order */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const struct yo_option rows[] = {
    YO_INT("threads", YO_ON_CLI, "1", 0, 1024, "N", ""),
    YO_INT("memory", YO_ON_CLI, "8", 1, 65536, "MB", ""),
    YO_INT("judge", YO_ON_CLI, "100", 2, 1e7, "N", ""),
    YO_STRING("net", YO_ON_CLI, "none", "FILE", ""),
    YO_OPTIONS_END,
};

static void collect(void *user, const char *text, size_t len, bool report) {
    (void)user, (void)report;
    json_t *message;
    struct yo_diag diag;
    assert_int_equal(yo_json_read(text, len, &message, &diag), YO_OK);
    pthread_mutex_lock(&lock);
    json_array_append_new(sent, message);
    pthread_mutex_unlock(&lock);
}

static void open_web(const char *net, const struct yo_search_kind *kinds) {
    struct yo_diag diag = {0};
    assert_int_equal(yo_options_init(&options, rows, &diag), YO_OK);
    if (net) assert_int_equal(yo_options_set(&options, YO_ON_CLI, "net", net, &diag), YO_OK);
    sent = yo_json_array();
    struct yo_web_config config = {.options = &options, .kinds = kinds, .send = collect};
    assert_int_equal(yo_web_new(&config, &web, &diag), YO_OK);
}

void web_open(const char *net) { open_web(net, NULL); }

void web_open_kinds(const struct yo_search_kind *kinds) { open_web(NULL, kinds); }

void web_close(void) {
    yo_web_delete(web);
    json_decref(sent);
    yo_options_free(&options);
}

struct yo_web *web_engine(void) {
    return web;
}

void web_forget(void) {
    pthread_mutex_lock(&lock);
    json_array_clear(sent);
    pthread_mutex_unlock(&lock);
}

static void say(const char *fmt, va_list args) {
    struct yo_buf text = {0};
    char bytes[1 << 14];
    vsnprintf(bytes, sizeof bytes, fmt, args);
    yo_buf_str(&text, bytes);
    yo_web_feed(web, yo_buf_text(&text), text.len);
    yo_buf_free(&text);
}

void web_say(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    say(fmt, args);
    va_end(args);
}

static bool is_about(const json_t *message, int id) {
    const json_t *about = json_object_get(message, "id");
    return json_is_integer(about) && json_integer_value(about) == id;
}

json_t *web_last(int id) {
    json_t *found = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = json_array_size(sent); i > 0 && !found; i--)
        if (is_about(json_array_get(sent, i - 1), id))
            found = json_incref(json_array_get(sent, i - 1));
    pthread_mutex_unlock(&lock);
    return found;
}

json_t *web_ask(int id, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    say(fmt, args);
    va_end(args);
    yo_web_finish(web);
    json_t *message = web_last(id);
    assert_non_null(message);
    return message;
}

int web_count(int id, const char *type) {
    int count = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < json_array_size(sent); i++) {
        const json_t *m = json_array_get(sent, i);
        count +=
            is_about(m, id) && strcmp(json_string_value(json_object_get(m, "type")), type) == 0;
    }
    pthread_mutex_unlock(&lock);
    return count;
}

void web_await(int id, const char *type, int count) {
    for (int i = 0; i < 120000 && web_count(id, type) < count; i++)
        usleep(1000);
    assert_true(web_count(id, type) >= count);
}

const char *web_text(const json_t *message, const char *key) {
    const char *text = yo_json_string(json_object_get(message, key));
    if (!text) fail_msg("no text '%s'", key);
    return text;
}

double web_number(const json_t *message, const char *key) {
    const json_t *value = json_object_get(message, key);
    if (!json_is_number(value)) fail_msg("no number '%s'", key);
    return json_number_value(value);
}
