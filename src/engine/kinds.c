#include "engine/kinds.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/nearest.h"
#include "engine/alphabeta.h"
#include "engine/go.h"
#include "engine/go_net.h"
#include "engine/shogi_guided.h"
#include "engine/shogi_uct.h"

void yo_search_destroy(struct yo_search *search) {
    if (search->ops) search->ops->destroy(search->ctx);
    *search = (struct yo_search){0};
}

const struct yo_search_kind yo_search_kinds[] = {
    {"uct", YO_SESSION_GO, yo_go_make_uct},
    {"flat", YO_SESSION_GO, yo_go_make_flat},
    {"puct", YO_SESSION_GO, yo_go_make_puct},
    {"mcss", YO_SESSION_GO, yo_go_make_mcss},
    {"alphabeta", YO_SESSION_SHOGI, yo_alphabeta_make},
    {"uct", YO_SESSION_SHOGI, yo_shogi_make_uct},
    {"puct", YO_SESSION_SHOGI, yo_shogi_make_puct},
    {"mcss", YO_SESSION_SHOGI, yo_shogi_make_mcss},
    {.name = NULL},
};

void yo_search_setup_tell(const struct yo_search_setup *setup, const char *fmt, ...) {
    char text[640];
    va_list args;
    if (!setup->notice) return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    setup->notice(setup->user, text);
}

size_t yo_search_setup_memory(const struct yo_search_setup *setup) {
    size_t mb = (size_t)yo_options_int(setup->options, "memory"), half = yo_memory_mb() / 2;
    return half && half < mb && !setup->strict ? half : mb;
}

void yo_search_setup_tell_memory(const struct yo_search_setup *setup, size_t got) {
    size_t mb = (size_t)yo_options_int(setup->options, "memory");
    if (got < mb)
        yo_search_setup_tell(setup, "not enough memory for USI_Hash %zu; %zu is used", mb, got);
}

static const char *const game_names[] = {[YO_SESSION_GO] = "Go", [YO_SESSION_SHOGI] = "shogi"};

static void refuse(const struct yo_search_kind *kinds, enum yo_session_game game, const char *name,
                   struct yo_diag *diag) {
    char known[128] = "";
    for (const struct yo_search_kind *k = kinds; k->name; k++)
        if (k->game == game) {
            size_t len = strlen(known);
            snprintf(known + len, sizeof known - len, "%s%s", len ? ", " : "", k->name);
        }
    yo_diag_set(diag, YO_ERR_UNKNOWN, "there is no search %.40s for %s", name, game_names[game]);
    yo_diag_hint(diag, "it takes %s", known);
}

const struct yo_search_kind *yo_search_kind_find(const struct yo_search_kind *kinds,
                                                 enum yo_session_game game, const char *name,
                                                 struct yo_diag *diag) {
    bool any = !name || strcmp(name, "auto") == 0;
    for (const struct yo_search_kind *k = kinds; k->name; k++)
        if (k->game == game && (any || yo_name_equal(k->name, name))) return k;
    refuse(kinds, game, any ? "at all" : name, diag);
    return NULL;
}
