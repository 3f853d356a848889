/* A match of Go: engines that speak GTP. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/charset.h"
#include "base/diag.h"
#include "game/go/state.h"
#include "match/match.h"
#include "yomi/sgf.h"

#define HELLO_MS 30000

const char *const yo_match_counts[] = {
    [YO_MATCH_JUDGE] = "judge", [YO_MATCH_BOARD] = "board", NULL};

/* ---- openings ---- */

/* Replays a record under the rules of the match, which may differ from the record's. */
static enum yo_err play_again(const struct yo_match *m, const struct yo_go_game *record,
                              struct yo_go_game *game, struct yo_diag *diag) {
    yo_go_game_set_rules(game, &m->go.rules.rules);
    yo_go_game_rewind(game, 0);
    for (size_t i = 0; i < yo_go_game_move_count(record); i++) {
        struct yo_go_played move = yo_go_game_move(record, i);
        struct yo_diag why = {0};
        enum yo_err err = yo_go_game_play(game, move.color, move.move, &why);
        if (err) return yo_diag_set(diag, err, "move %zu, %.150s", i + 1, why.what);
    }
    yo_go_game_set_to_move(game, yo_go_game_to_move(record));
    if (yo_go_game_passes(game) < 2) return YO_OK;
    return yo_diag_set(diag, YO_ERR_STATE, "it ends with two passes: nothing is left to play");
}

static enum yo_err read_opening(struct yo_match *m, const struct yo_sgf *sgf, size_t i,
                                struct yo_diag *diag) {
    struct yo_go_game **opening = &m->go.openings[i], *record;
    int size = m->go.rules.size;
    struct yo_diag why = {0};
    enum yo_err err = yo_sgf_to_game(sgf, i, 0, &record, diag);
    if (err) return err;
    if (diag->err) { /* a move that cannot be played: other games than were meant */
        yo_go_game_delete(record);
        return diag->err;
    }
    if (yo_go_game_size(record) != size)
        err = yo_diag_set(&why, YO_ERR_ARGUMENT, "it is not on %dx%d", size, size);
    else if ((err = yo_go_game_copy(record, opening)) != YO_OK)
        yo_diag_set(&why, err, "no memory for it");
    else
        m->go.opening_count++;
    if (!err) err = play_again(m, record, *opening, &why);
    yo_go_game_delete(record);
    if (!err) return YO_OK;
    yo_diag_set(diag, err, "opening %zu of %.80s: %.150s", i + 1, m->openings, why.what);
    if (err == YO_ERR_ILLEGAL)
        yo_diag_hint(diag, "the referee does not allow it; end the opening before, or see --rules");
    return err;
}

enum yo_err yo_match_go_read_openings(struct yo_match *m, struct yo_diag *diag) {
    struct yo_sgf *sgf;
    if (!m->openings) return YO_OK;
    enum yo_err err = yo_sgf_load(m->openings, &sgf, diag);
    if (err) return err;
    const struct yo_diag *warning;
    for (size_t i = 0; (warning = yo_sgf_warning(sgf, i)); i++) {
        char text[512];
        yo_diag_format(warning, text, sizeof text);
        yo_notice(&m->notices, "%s", text);
    }
    size_t games = yo_sgf_game_count(sgf);
    m->go.openings = yo_alloc(games, sizeof *m->go.openings);
    if (!m->go.openings) err = yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    for (size_t i = 0; !err && i < games; i++)
        err = read_opening(m, sgf, i, diag);
    yo_sgf_delete(sgf);
    return err;
}

static const struct yo_go_game *opening_of(const struct yo_match *m, size_t game) {
    size_t round = yo_schedule_game(&m->schedule, game).round;
    return m->go.opening_count ? m->go.openings[round % m->go.opening_count] : NULL;
}

/* Sends all openings of the match to an engine, to report a refused one before the first game. */
static enum yo_err try_openings(const struct yo_match *m, struct yo_peer *peer,
                                struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    size_t rounds = m->games ? yo_schedule_game(&m->schedule, m->games - 1).round + 1 : 0;
    for (size_t i = 0; !err && i < m->go.opening_count && i < rounds; i++) {
        err = yo_peer_gtp_ask(peer, "clear_board", HELLO_MS, NULL, diag);
        if (!err) err = yo_match_give_opening(peer, m->go.openings[i], HELLO_MS, diag);
        if (!err || !diag) continue;
        struct yo_diag why = *diag;
        yo_diag_set(diag, err, "opening %zu: %.200s", i + 1, why.what);
    }
    return err;
}

/* ---- what it is ---- */

static void put_header(const struct yo_match *m, struct yo_buf *out) {
    char rules[256];
    yo_go_rules_format(&m->go.rules.rules, rules, sizeof rules);
    yo_buf_printf(out, "# size %d, komi %g, count %s, seed %llu, openings %s\n", m->go.rules.size,
                  m->go.rules.rules.komi2 / 2.0, yo_match_counts[m->go.rules.count],
                  (unsigned long long)m->seed, m->openings ? m->openings : "none");
    if (m->go.rules.handicap) yo_buf_printf(out, "# handicap %d\n", m->go.rules.handicap);
    if (m->go.random_plies) yo_buf_printf(out, "# %d random plies\n", m->go.random_plies);
    yo_buf_printf(out, "# rules %s\n# time %lld+%lld/%d\n", rules,
                  (long long)m->go.rules.clock.main_ms, (long long)m->go.rules.clock.period_ms,
                  m->go.rules.clock.count);
}

/* ---- playing ---- */

/* An engine may refuse `version`: not all have it. */
static enum yo_err ask_who(struct yo_peer *peer, struct yo_match_greeting *greeting,
                           struct yo_diag *diag) {
    struct yo_buf name = {0}, version = {0};
    enum yo_err err = yo_peer_gtp_ask(peer, "name", HELLO_MS, &name, diag);
    if (!err && greeting) {
        err = yo_peer_gtp_ask(peer, "version", HELLO_MS, &version, diag);
        if (peer->fault == YO_PEER_REFUSED) err = YO_OK;
    }
    if (!err && greeting) {
        const char *number = yo_buf_text(&version);
        snprintf(greeting->name, sizeof greeting->name, "%.50s", yo_buf_text(&name));
        snprintf(greeting->build, sizeof greeting->build, "%.50s%s%.80s", yo_buf_text(&name),
                 number[0] ? " " : "", number);
        yo_utf8_make_line(greeting->name);
        yo_utf8_make_line(greeting->build);
    }
    yo_buf_free(&name);
    yo_buf_free(&version);
    return err;
}

static enum yo_err greet(struct yo_match *m, int which, struct yo_peer *peer,
                         struct yo_match_greeting *greeting, struct yo_diag *diag) {
    char size[32];
    enum yo_err err = ask_who(peer, greeting, diag);
    /* Reports before the first game what the engine would refuse in every game. */
    snprintf(size, sizeof size, "boardsize %d", m->go.rules.size);
    if (!err) err = yo_peer_gtp_ask(peer, size, HELLO_MS, NULL, diag);
    if (!err && m->go.rules.clock.kind == YO_CLOCK_FISCHER &&
        !yo_peer_gtp_knows(peer, "kata-time_settings", HELLO_MS)) {
        err = yo_diag_set(diag, YO_ERR_UNSUPPORTED, "it does not know kata-time_settings");
        yo_diag_hint(diag, "--increment needs it; --period and --stones do not");
    }
    /* The openings are the match's: Yomi plays without its book, unless one is asked for. One that
     * refuses is older than books. */
    if (!err && !strstr(m->commands[which], "--book") &&
        yo_peer_gtp_knows(peer, "yomi-param", HELLO_MS)) {
        err = yo_peer_gtp_ask(peer, "yomi-param book off", HELLO_MS, NULL, diag);
        if (peer->fault == YO_PEER_REFUSED) err = YO_OK;
    }
    if (!err && greeting) err = try_openings(m, peer, diag);
    return err;
}

static enum yo_err put_record(const struct yo_match *m, const struct yo_go_game *game,
                              size_t number, const struct yo_match_result *result,
                              struct yo_buf *out) {
    struct yo_sgf *sgf;
    char *text;
    size_t len;
    struct yo_pairing p = yo_schedule_game(&m->schedule, number);
    enum yo_err err = yo_sgf_from_game(game, result->score, &sgf);
    if (err) return err;
    struct yo_sgf_node *root = yo_sgf_root(sgf, 0);
    err = yo_sgf_set(sgf, root, "PB", m->engines[yo_pairing_black(&p)].name);
    if (!err) err = yo_sgf_set(sgf, root, "PW", m->engines[yo_pairing_white(&p)].name);
    if (!err && result->fault[0]) err = yo_sgf_set(sgf, root, "GC", result->fault);
    if (!err) err = yo_sgf_write(sgf, &text, &len);
    yo_sgf_delete(sgf);
    if (err) return err;
    yo_buf_add(out, text, len);
    yo_sgf_free_text(text);
    return yo_buf_status(out);
}

static enum yo_err play(struct yo_match *m, struct yo_peer *const seats[2], size_t game,
                        const struct yo_match_watcher *watcher, struct yo_match_result *result,
                        struct yo_buf *record, struct yo_diag *diag) {
    struct yo_match_rules rules = m->go.rules;
    rules.watcher = *watcher;
    struct yo_go_game *played = NULL, *drawn = NULL;
    const struct yo_go_game *opening = opening_of(m, game);
    uint64_t seed = m->seed + yo_schedule_game(&m->schedule, game).round;
    enum yo_err err = YO_OK;
    if (m->go.random_plies > 0) {
        err = yo_match_draw_opening(&rules, seed, m->go.random_plies, &drawn);
        if (err) return yo_diag_set(diag, err, "no memory for a game");
        opening = drawn;
    }
    err = yo_match_play(seats, &rules, opening, seed, m->go.judge, &played, result, diag);
    if (!err && m->file.folder) {
        err = put_record(m, played, game, result, record);
        if (err) yo_diag_set(diag, err, "cannot write the record of game %zu", game + 1);
    }
    yo_go_game_delete(drawn);
    yo_go_game_delete(played);
    return err;
}

static void free_go(struct yo_match *m) {
    for (size_t i = 0; i < m->go.opening_count; i++)
        yo_go_game_delete(m->go.openings[i]);
    yo_free(m->go.openings);
    const struct yo_match_judge *judge = &m->go.judge;
    if (judge->playouts.ops) judge->playouts.ops->destroy(judge->playouts.ctx);
    if (judge->net.ops) judge->net.ops->destroy(judge->net.ctx);
}

const struct yo_match_kind yo_match_go = {
    .name = "Go",
    .record = "sgf",
    .speaks = "speaks GTP, such as 'yomi gtp'",
    .put_header = put_header,
    .greet = greet,
    .play = play,
    .free = free_go,
};
