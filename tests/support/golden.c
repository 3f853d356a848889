#include "support/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "support/test.h"

bool golden_is_blessed(void) { return getenv("YOMI_BLESS") != NULL; }

void golden_read(const char *path, struct yo_buf *out) {
    struct yo_diag diag;
    if (yo_file_read(path, out, &diag)) fail_msg("%s", diag.what);
}

void golden_write(const char *path, const struct yo_buf *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(text->data, 1, text->len, file);
    fclose(file);
}

void golden_compare(const char *path, const struct yo_buf *got) {
    struct yo_buf want = {0};
    if (golden_is_blessed()) golden_write(path, got);
    golden_read(path, &want);
    const char *w = yo_buf_text(&want), *g = yo_buf_text(got);
    for (int line = 1; *w || *g; line++) {
        size_t w_len = strcspn(w, "\n"), g_len = strcspn(g, "\n");
        if (w_len != g_len || memcmp(w, g, w_len) != 0)
            fail_msg("%s:%d: wanted\n%.*s\ngot\n%.*s", path, line, (int)w_len, w, (int)g_len, g);
        w += w_len + (w[w_len] != '\0');
        g += g_len + (g[g_len] != '\0');
    }
    yo_buf_free(&want);
}
