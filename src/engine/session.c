#include "engine/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/time.h"
#include "engine/go_net.h"
#include "engine/internal.h"

void yo_session_notice(const struct yo_session *s, const char *fmt, ...) {
    char text[640];
    va_list args;
    if (!s->config.notice) return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    s->config.notice(s->config.user, text);
}

void yo_session_tell_failure(const struct yo_session *s, const char *about,
                             const struct yo_diag *diag, const char *instead) {
    char text[512];
    yo_diag_format(diag, text, sizeof text);
    text[strcspn(text, "\r\n")] = '\0';
    yo_session_notice(s, "%s %s", about, text);
    yo_session_notice(s, "%s", instead);
}

enum yo_err yo_session_remember(char **asked, const char *name) {
    size_t size = strlen(name) + 1;
    char *copy = yo_alloc(size, 1);
    if (!copy) return YO_ERR_NOMEM;
    memcpy(copy, name, size);
    yo_free(*asked);
    *asked = copy;
    return YO_OK;
}

bool yo_session_is_new(const char *asked, const char *name) {
    return !asked || strcmp(asked, name) != 0;
}

/* ---- making and unmaking ---- */

/* A command for both games has the searches of both. */
static enum yo_err check_search(const struct yo_session *s, const struct yo_options *options,
                                struct yo_diag *diag) {
    if (!yo_option_find(options->rows, ~0u, "search")) return YO_OK;
    const char *name = yo_options_text(options, "search");
    bool known = yo_search_kind_find(s->config.kinds, s->config.game, name, diag);
    return known ? YO_OK : YO_ERR_ARGUMENT;
}

static enum yo_err init(struct yo_session *s, const struct yo_options *options,
                        struct yo_diag *diag) {
    enum yo_err err = yo_options_init(&s->options, yo_session_rows(s->config.game), diag);
    if (!err && options) err = check_search(s, options, diag);
    if (!err && options) err = yo_options_copy(&s->options, options);
    if (!err && s->config.game == YO_SESSION_GO)
        err = yo_go_net_refuse_unused(&s->options, s->config.patterns, diag);
    if (err) return err;
    if (s->config.game == YO_SESSION_SHOGI) return yo_shogi_game_new(NULL, &s->shogi, diag);
    err = yo_go_game_new(19, &yo_go_rules_default, &s->go);
    return err ? yo_diag_set(diag, err, "no memory for a game") : YO_OK;
}

enum yo_err yo_session_new(const struct yo_session_config *config, struct yo_session **out,
                           struct yo_diag *diag) {
    struct yo_session *s = yo_alloc(1, sizeof *s);
    if (!s) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    s->config = *config;
    s->config.options = NULL; /* the caller's; init copies them */
    if (!s->config.kinds) s->config.kinds = yo_search_kinds;
    s->player.random = (uint64_t)yo_time_ns();
    s->player.level_random = ~s->player.random;
    for (int side = 0; side < 2; side++)
        s->player.clocks[side] = (struct yo_shogi_clock){-1, -1, -1};
    pthread_mutex_init(&s->thinking.mutex, NULL);
    pthread_cond_init(&s->thinking.changed, NULL);
    enum yo_err err = init(s, config->options, diag);
    if (err)
        yo_session_delete(s);
    else
        *out = s;
    return err;
}

void yo_session_delete(struct yo_session *s) {
    if (!s) return;
    yo_session_stop(s);
    yo_search_destroy(&s->search);
    yo_shogi_player_free(s);
    yo_go_player_free_book(s);
    yo_engine_stop(&s->go_player.engine);
    yo_go_game_delete(s->go);
    yo_shogi_game_delete(s->shogi);
    yo_options_free(&s->options);
    yo_free(s->thinking.only);
    yo_free(s->thinking.avoid);
    pthread_cond_destroy(&s->thinking.changed);
    pthread_mutex_destroy(&s->thinking.mutex);
    yo_free(s);
}

/* ---- options ---- */

const struct yo_options *yo_session_options(const struct yo_session *s) { return &s->options; }

enum yo_err yo_session_set(struct yo_session *s, unsigned places, const char *key, const char *text,
                           struct yo_diag *diag) {
    enum yo_err err = yo_options_set(&s->options, places, key, text, diag);
    const struct yo_option *row = yo_option_find(s->options.rows, ~0u, key);
    if (!err && row && !yo_session_is_habit(row->key)) s->changed = true;
    if (!err && s->config.game == YO_SESSION_GO) yo_go_player_option_changed(s, key);
    return err;
}

enum yo_err yo_session_copy_options(struct yo_session *s, const struct yo_options *from) {
    yo_engine_stop(&s->go_player.engine);
    s->changed = true;
    return yo_options_copy(&s->options, from);
}

enum yo_err yo_session_prepare(struct yo_session *s, struct yo_diag *diag) {
    return yo_session_prepare_for(s, NULL, diag);
}

enum yo_err yo_session_prepare_for(struct yo_session *s, const void *game, struct yo_diag *diag) {
    if (s->config.game != YO_SESSION_GO) return yo_shogi_player_prepare(s, diag);
    return yo_go_player_prepare_for(s, game ? game : s->go, diag);
}

enum yo_err yo_session_prepare_strictly(struct yo_session *s, struct yo_diag *diag) {
    bool strict = s->config.strict;
    s->config.strict = true;
    enum yo_err err = yo_session_prepare(s, diag);
    s->config.strict = strict;
    return err;
}

/* The current search, empty if there is none yet. */
static struct yo_search search_of(const struct yo_session *s) {
    return s->config.game == YO_SESSION_GO ? s->go_player.engine.search : s->search;
}

const char *yo_session_search_name(const struct yo_session *s) {
    struct yo_search search = search_of(s);
    return search.ops ? search.ops->name : "";
}

unsigned yo_session_limits(const struct yo_session *s) {
    struct yo_search search = search_of(s);
    return search.ops ? search.ops->limits : 0;
}

const char *yo_session_eval_name(const struct yo_session *s) {
    if (s->config.game == YO_SESSION_GO) return s->go_player.engine.plays;
    return s->player.plays[0] ? s->player.plays : s->player.eval.name;
}

/* ---- the game ---- */

struct yo_go_game *yo_session_go(struct yo_session *s) {
    return s->go;
}
struct yo_shogi_game *yo_session_shogi(struct yo_session *s) {
    return s->shogi;
}

void yo_session_take_go(struct yo_session *s, struct yo_go_game *game) {
    if (game != s->go) yo_go_game_delete(s->go);
    s->go = game;
}

void yo_session_take_shogi(struct yo_session *s, struct yo_shogi_game *game) {
    yo_session_stop(s);
    if (game != s->shogi) yo_shogi_game_delete(s->shogi);
    s->shogi = game;
}

void yo_session_clear(struct yo_session *s) {
    yo_session_stop(s);
    struct yo_search search = search_of(s);
    if (search.ops) search.ops->clear(search.ctx);
}

void yo_session_new_game(struct yo_session *s) {
    yo_session_clear(s);
    if (s->config.game == YO_SESSION_GO) yo_go_player_new_game(s);
}

/* ---- analysis ---- */

enum yo_err yo_session_analyse(struct yo_session *s, const void *game,
                               const struct yo_search_limits *limits, const atomic_bool *stop,
                               yo_search_report_fn report, void *user,
                               struct yo_search_result *result, struct yo_diag *diag) {
    bool go = s->config.game == YO_SESSION_GO;
    if (!stop) stop = &s->stop;
    if (!game) game = go ? (const void *)s->go : (const void *)s->shogi;
    yo_session_stop(s);
    enum yo_err err;
    if (go) {
        err = yo_go_player_run(s, game, limits, stop, report, user, result, diag);
    } else if (!(err = yo_session_prepare(s, diag))) {
        struct yo_search search = limits->mate ? s->player.mate : s->search;
        s->deep = true;
        err = yo_search_run(search, game, limits, stop, report, user, result, diag);
    }
    atomic_store(&s->stop, false);
    return err;
}

uint64_t yo_session_entry_kind(struct yo_session *s) {
    struct yo_search search = search_of(s);
    return search.ops && search.ops->entry_kind ? search.ops->entry_kind(search.ctx) : 0;
}

size_t yo_session_take_entries(struct yo_session *s, struct yo_search_entry *entries, size_t most) {
    struct yo_search search = search_of(s);
    if (!search.ops || !search.ops->take_entries) return 0;
    return search.ops->take_entries(search.ctx, entries, most);
}

void yo_session_give_entries(struct yo_session *s, const struct yo_search_entry *entries,
                             size_t count) {
    struct yo_search search = search_of(s);
    if (search.ops && search.ops->give_entries)
        search.ops->give_entries(search.ctx, entries, count);
}

void yo_session_interrupt(struct yo_session *s) { atomic_store(&s->stop, true); }
