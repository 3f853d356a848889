#include "engine/kinds.h"

#include <stdio.h>
#include <string.h>

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
