/* The request live: matches and clusters that run on this machine. */
#include <string.h>

#include "base/live.h"
#include "protocol/web/internal.h"

struct found {
    json_t *matches, *clusters;
    bool failed;
};

/* A text that cannot be read is left out: its writer may be of another version. */
static void take(void *user, const char *kind, const char *text, size_t len) {
    struct found *found = user;
    json_t *value, *list = strcmp(kind, "match") == 0     ? found->matches
                           : strcmp(kind, "cluster") == 0 ? found->clusters
                                                          : NULL;
    if (!list || yo_json_read(text, len, &value, NULL)) return;
    if (json_is_object(value))
        yo_json_append(list, value, &found->failed);
    else
        json_decref(value);
}

YO_WEB_REQUEST(live) {
    struct found found = {.matches = yo_json_array(), .clusters = yo_json_array()};
    (void)request, (void)index, (void)diag;
    if (found.matches && found.clusters) yo_live_read(take, &found);
    json_t *m = yo_web_answer("live", id, &found.failed);
    yo_json_set(m, "matches", found.matches, &found.failed);
    yo_json_set(m, "clusters", found.clusters, &found.failed);
    yo_web_send(web, m, found.failed, false);
    return YO_OK;
}
