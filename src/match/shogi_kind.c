/* A match of shogi: engines that speak USI. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/charset.h"
#include "base/diag.h"
#include "base/file.h"
#include "match/match.h"

#define HELLO_MS 60000

/* ---- openings ---- */

static enum yo_err add_opening(struct yo_match *m, const char *line, struct yo_diag *diag) {
    size_t count = m->shogi.opening_count;
    void *grown = yo_realloc(m->shogi.openings, count + 1, sizeof *m->shogi.openings);
    if (!grown) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    m->shogi.openings = grown;
    enum yo_err err = yo_usi_opening_parse(line, &m->shogi.openings[count], diag);
    if (!err) m->shogi.opening_count++;
    return err;
}

enum yo_err yo_match_shogi_read_openings(struct yo_match *m, struct yo_diag *diag) {
    const char *path = m->openings;
    if (!path) return YO_OK;
    FILE *file = fopen(path, "r");
    if (!file) return yo_diag_set(diag, YO_ERR_IO, "cannot open %.150s: %s", path, strerror(errno));
    char *line = NULL;
    size_t cap = 0;
    enum yo_err err = YO_OK;
    for (int number = 1; !err && getline(&line, &cap, file) >= 0; number++) {
        if (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0') continue;
        line[strcspn(line, "\r\n")] = '\0';
        err = add_opening(m, line, diag);
        if (err) yo_diag_where(diag, path, number, 0);
    }
    if (!err) err = yo_file_ended(file, path, diag);
    free(line);
    fclose(file);
    if (!err && m->shogi.opening_count == 0)
        err = yo_diag_set(diag, YO_ERR_PARSE, "%.150s has no opening", path);
    return err;
}

static enum yo_err get_opening(const struct yo_match *m, size_t game,
                               struct yo_usi_opening *opening) {
    size_t round = yo_schedule_game(&m->schedule, game).round;
    if (m->shogi.opening_count == 0)
        return yo_usi_opening_draw(m->seed + round, m->shogi.random_plies, opening);
    *opening = m->shogi.openings[round % m->shogi.opening_count];
    return YO_OK;
}

/* ---- what it is ---- */

static void put_header(const struct yo_match *m, struct yo_buf *out) {
    const struct yo_usi_match_rules *r = &m->shogi.rules;
    for (int i = 0; i < 2; i++)
        yo_buf_printf(
            out, "# %s engine: options %s, nodes %" PRIu64 ", depth %d, movetime %" PRId64 " ms\n",
            i ? "second" : "first", m->shogi.options[i] ? m->shogi.options[i] : "none", r->nodes[i],
            r->depth[i], r->movetime_ms[i]);
    yo_buf_printf(out, "# clock %" PRId64 " ms, byoyomi %" PRId64 " ms, increment %" PRId64 " ms\n",
                  r->main_ms, r->byoyomi_ms, r->increment_ms);
    yo_buf_printf(out, "# shogi, at most %d moves, seed %" PRIu64 ", ", r->rules.max_moves,
                  m->seed);
    if (m->openings)
        yo_buf_printf(out, "openings %s\n", m->openings);
    else
        yo_buf_printf(out, "%d random plies\n", m->shogi.random_plies);
}

/* ---- playing ---- */

/* By convention the name of a USI engine includes its version. */
static enum yo_err greet(struct yo_match *m, int which, struct yo_peer *peer,
                         struct yo_match_greeting *greeting, struct yo_diag *diag) {
    char name[64] = "engine";
    const char *options = m->shogi.options[which > 0];
    struct yo_buf all = {0};
    /* The openings are the match's: engines play without a book, unless one is asked for. */
    bool asked = strstr(m->commands[which], "--book") || (options && strstr(options, "Book"));
    if (!asked) yo_buf_str(&all, "USI_OwnBook=false;");
    if (options) yo_buf_str(&all, options);
    enum yo_err err = yo_buf_status(&all);
    if (!err) err = yo_peer_usi_greet(peer, yo_buf_text(&all), HELLO_MS, name, diag);
    yo_buf_free(&all);
    if (err || !greeting) return err;
    yo_utf8_make_line(name);
    strcpy(greeting->name, name);
    strcpy(greeting->build, name);
    return YO_OK;
}

static enum yo_err put_record(const struct yo_match *m, struct yo_shogi_record *record,
                              size_t number, const struct yo_match_result *result,
                              struct yo_buf *out) {
    size_t *last = &record->nodes[record->node_count - 1].comment;
    struct yo_pairing p = yo_schedule_game(&m->schedule, number);
    enum yo_err err =
        yo_shogi_record_add_header(record, "先手", m->engines[yo_pairing_black(&p)].name);
    if (!err)
        err = yo_shogi_record_add_header(record, "後手", m->engines[yo_pairing_white(&p)].name);
    if (!err) err = yo_shogi_record_set_text(record, last, result->fault);
    return err ? err : yo_shogi_record_write(record, YO_SHOGI_CSA, out);
}

static enum yo_err play(struct yo_match *m, struct yo_peer *const seats[2], size_t game,
                        const struct yo_match_watcher *watcher, struct yo_match_result *result,
                        struct yo_buf *record, struct yo_diag *diag) {
    struct yo_usi_match_rules rules = m->shogi.rules;
    rules.watcher = *watcher;
    struct yo_pairing p = yo_schedule_game(&m->schedule, game);
    int limits[2] = {yo_pairing_black(&p) > 0, yo_pairing_white(&p) > 0};
    struct yo_usi_opening opening;
    struct yo_shogi_record *played = NULL;
    enum yo_err err = get_opening(m, game, &opening);
    if (err) return yo_diag_set(diag, err, "out of memory");
    err = yo_usi_match_play(seats, limits, &rules, &opening, &played, result, diag);
    if (!err && m->file.folder) {
        err = put_record(m, played, game, result, record);
        if (err) yo_diag_set(diag, err, "cannot write the record of game %zu", game + 1);
    }
    yo_shogi_record_delete(played);
    if (m->shogi.opening_count == 0) yo_free(opening.moves);
    return err;
}

static void free_shogi(struct yo_match *m) {
    for (size_t i = 0; i < m->shogi.opening_count; i++)
        yo_free(m->shogi.openings[i].moves);
    yo_free(m->shogi.openings);
}

const struct yo_match_kind yo_match_shogi = {
    .name = "shogi",
    .record = "csa",
    .speaks = "speaks USI, such as 'yomi usi'",
    .put_header = put_header,
    .greet = greet,
    .play = play,
    .free = free_shogi,
};
