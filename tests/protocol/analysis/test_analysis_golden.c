/* Golden transcripts: tests/data/analysis/NAME.jsonl fed line by line to the analysis engine must
 * give NAME.expected, where what the search thinks is masked: real numbers, visits, moves, lines of
 * play and our version are '~', arrays of points show their length, and of all moves only the first
 * is there. With YOMI_BLESS set in the environment the files are written anew. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "engine/session.h"
#include "protocol/analysis/analysis.h"
#include "support/golden.h"

static bool collect(void *user, const char *bytes, size_t len) {
    yo_buf_add(user, bytes, len);
    return true;
}

static void mask(struct yo_buf *out, json_t *value);

static void mask_object(struct yo_buf *out, json_t *object) {
    const char *key, *comma = "";
    json_t *v;
    json_object_foreach(object, key, v) {
        yo_buf_printf(out, "%s\"%s\":", comma, key);
        comma = ",";
        if (strcmp(key, "ownership") == 0 || strcmp(key, "ownershipStdev") == 0 ||
            strcmp(key, "policy") == 0)
            yo_buf_printf(out, "[%zu]", json_array_size(v));
        else if (strcmp(key, "visits") == 0 || strcmp(key, "edgeVisits") == 0 ||
                 strcmp(key, "move") == 0 || strcmp(key, "version") == 0 ||
                 strcmp(key, "maxBatchSize") == 0)
            yo_buf_char(out, '~');
        else if (strcmp(key, "pv") == 0 || strcmp(key, "pvVisits") == 0 ||
                 strcmp(key, "pvEdgeVisits") == 0)
            yo_buf_str(out, json_array_size(v) ? "[~]" : "[]");
        else if (strcmp(key, "moveInfos") == 0 || strcmp(key, "models") == 0) {
            yo_buf_char(out, '[');
            mask(out, json_array_get(v, 0));
            yo_buf_str(out, json_array_size(v) > 1 ? ",...]" : "]");
        } else
            mask(out, v);
    }
}

static void mask(struct yo_buf *out, json_t *value) {
    if (json_is_object(value)) {
        yo_buf_char(out, '{');
        mask_object(out, value);
        yo_buf_char(out, '}');
    } else if (json_is_real(value)) {
        yo_buf_char(out, '~');
    } else {
        yo_json_write(out, value);
    }
}

/* As in KataGo the root has a visit of its own where a network evaluated it. */
static void check_visits(json_t *object) {
    json_t *root = json_object_get(object, "rootInfo"),
           *moves = json_object_get(object, "moveInfos");
    if (!root) return;
    json_int_t sum = json_object_get(root, "rawWinrate") ? 1 : 0;
    for (size_t i = 0; i < json_array_size(moves); i++)
        sum += json_integer_value(json_object_get(json_array_get(moves, i), "visits"));
    assert_int_equal(json_integer_value(json_object_get(root, "visits")), sum);
}

/* Every line that is sent must be JSON itself. */
static void mask_lines(const struct yo_buf *lines, struct yo_buf *out) {
    const char *p = yo_buf_text(lines);
    while (*p) {
        size_t len = strcspn(p, "\n");
        json_t *object;
        assert_int_equal(yo_json_read(p, len, &object, NULL), YO_OK);
        check_visits(object);
        mask(out, object);
        yo_buf_char(out, '\n');
        json_decref(object);
        p += len + 1;
    }
}

static void run(const char *path, const char *net, struct yo_buf *masked) {
    struct yo_analysis_config config;
    struct yo_analysis *analysis;
    struct yo_buf input = {0}, sent = {0};
    struct yo_diag diag;
    struct yo_options options;
    yo_analysis_config_init(&config);
    assert_int_equal(yo_options_init(&options, yo_session_rows(YO_SESSION_GO), &diag), YO_OK);
    assert_int_equal(yo_options_set(&options, YO_EVERYWHERE, "net", net, &diag), YO_OK);
    config.options = &options;
    config.playouts = 20;
    config.threads = 1;
    config.send = collect;
    config.user = &sent;
    assert_int_equal(yo_analysis_new(&config, &analysis, &diag), YO_OK);
    golden_read(path, &input);
    for (const char *p = yo_buf_text(&input); *p;) {
        size_t len = strcspn(p, "\n");
        yo_analysis_feed(analysis, p, len);
        yo_analysis_finish(analysis);
        p += len + (p[len] != '\0');
    }
    yo_analysis_delete(analysis);
    yo_options_free(&options);
    mask_lines(&sent, masked);
    yo_buf_free(&input);
    yo_buf_free(&sent);
}

static void transcript(void **state) {
    const char *name = *state;
    char path[128];
    struct yo_buf got = {0};
    snprintf(path, sizeof path, "tests/data/analysis/%s.jsonl", name);
    run(path, strcmp(name, "network") == 0 ? "builtin" : "none", &got);
    snprintf(path, sizeof path, "tests/data/analysis/%s.expected", name);
    golden_compare(path, &got);
    yo_buf_free(&got);
}

#define TRANSCRIPT(name) GOLDEN(name, transcript)

int main(void) {
    const struct CMUnitTest tests[] = {
        TRANSCRIPT("katrain"),
        TRANSCRIPT("queries"),
        TRANSCRIPT("errors"),
        TRANSCRIPT("network"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
