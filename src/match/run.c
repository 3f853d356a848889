/* A match from its first game to its last: the folder, the schedule, the score. */
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/notice.h"
#include "base/pool.h"
#include "match/match.h"

/* The match stops after this many faults of an engine. */
#define FAULTS_MAX 10

/* ---- counting ---- */

/* Half points of the first engine. */
static unsigned half_points(int winner) { return winner == 1 ? 2 : winner == 3 ? 1 : 0; }

static void count_game(struct yo_match *m, size_t game, bool ends_pair) {
    const unsigned char *done = m->file.done;
    struct yo_pairing p = yo_schedule_game(&m->schedule, game);
    struct yo_tally *first = &m->scores.of[p.first][p.second],
                    *second = &m->scores.of[p.second][p.first];
    first->wins += done[game] == 1;
    second->losses += done[game] == 1;
    first->losses += done[game] == 2;
    second->wins += done[game] == 2;
    first->draws += done[game] == 3;
    second->draws += done[game] == 3;
    if (!ends_pair || m->schedule.engines != 2) return;
    yo_pairs_add(&m->pairs, half_points(done[game]) + half_points(done[game ^ 1]));
    if (m->has_sprt && fabs(yo_pairs_llr(&m->pairs, m->elo0, m->elo1)) >= YO_SPRT_BOUND)
        m->stop = true;
}

static bool has_partner(const struct yo_match *m, size_t game) {
    return (game ^ 1) < m->games && m->file.done[game ^ 1];
}

static void count_fault(struct yo_match *m, size_t game, const struct yo_match_result *r) {
    struct yo_pairing p = yo_schedule_game(&m->schedule, game);
    if (r->end < YO_MATCH_ILLEGAL || r->end > YO_MATCH_NONSENSE) return;
    int loser = yo_match_winner(&p, r) == 1 ? p.second : p.first;
    if (++m->faults[loser] < FAULTS_MAX || m->err) return;
    m->stop = true;
    m->err = yo_diag_set(&m->diag, YO_ERR_STATE, "%s failed %d times: %.150s",
                         m->engines[loser].name, FAULTS_MAX, r->fault);
}

static bool take_game(struct yo_match *m, size_t *game) {
    pthread_mutex_lock(&m->lock);
    while (m->next < m->games && m->file.done[m->next])
        m->next++;
    bool got = !m->stop && !m->err && m->next < m->games && !atomic_load(m->stopped);
    *game = m->next++;
    pthread_mutex_unlock(&m->lock);
    return got;
}

/* ---- the engines and the folder ---- */

/* Engines of the same name get their numbers behind it. */
static void tell_apart(struct yo_match *m) {
    bool same[YO_MATCH_ENGINES_MAX] = {false};
    int n = m->schedule.engines;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            same[i] = same[i] || (i != j && !strcmp(m->engines[i].name, m->engines[j].name));
    for (int i = 0; i < n; i++) {
        size_t len = strlen(m->engines[i].name), size = sizeof m->engines[i].name;
        if (same[i]) snprintf(m->engines[i].name + len, size - len, " (%d)", i + 1);
    }
}

/* Reports a bad command before the first game. */
static enum yo_err greet(struct yo_match *m, struct yo_diag *diag) {
    for (int i = 0; i < m->schedule.engines; i++) {
        struct yo_peer peer = {0};
        enum yo_err err = yo_match_engine_start(m, i, &peer, &m->engines[i], diag);
        yo_peer_stop(&peer);
        if (err) return err;
    }
    tell_apart(m);
    return YO_OK;
}

/* A hash of the openings' file; NULL without one. */
static const char *hash_openings(const struct yo_match *m, char out[32]) {
    int fd = m->openings ? open(m->openings, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return NULL;
    snprintf(out, 32, "%016" PRIx64, yo_match_hash(fd));
    close(fd);
    return out;
}

/* Reports changed builds or openings; the user decides whether one score may mix them. */
static enum yo_err note_parts(struct yo_match *m, struct yo_diag *diag) {
    char hash[32];
    const char *parts[YO_MATCH_PARTS] = {[YO_MATCH_OPENINGS] = hash_openings(m, hash)};
    unsigned changed;
    for (int i = 0; i < m->schedule.engines; i++)
        parts[i] = m->engines[i].build;
    enum yo_err err = yo_match_file_set_parts(&m->file, parts, &changed, diag);
    if (err) return err;
    for (int i = 0; i < m->schedule.engines; i++)
        if (changed >> i & 1)
            yo_notice(&m->notices,
                      "the games so far are of %s, those that follow of %s: the score mixes them; "
                      "for a match of its own give another --out",
                      m->file.parts[i], parts[i]);
    if (changed >> YO_MATCH_OPENINGS & 1)
        yo_notice(&m->notices,
                  "the file of openings has changed since the games so far; for a match of its own "
                  "give another --out");
    return YO_OK;
}

static enum yo_err open_file(struct yo_match *m, const char *folder, size_t *before,
                             struct yo_diag *diag) {
    struct yo_buf header = {0};
    for (int i = 0; i < m->schedule.engines; i++) {
        char label[16];
        yo_match_engine_label(&m->schedule, i, label);
        yo_buf_printf(&header, "# %s: %s\n", label, m->commands[i]);
    }
    if (m->schedule.engines > 2)
        yo_buf_printf(&header, "# %s\n", m->schedule.gauntlet ? "gauntlet" : "round robin");
    m->kind->put_header(m, &header);
    enum yo_err err = yo_buf_status(&header);
    if (!err)
        err = yo_match_file_open(&m->file, folder, yo_buf_text(&header), &m->schedule, m->games,
                                 diag);
    yo_buf_free(&header);
    *before = 0;
    for (size_t i = 0; !err && i < m->games; i++) {
        *before += m->file.done[i] != 0;
        count_game(m, i, i % 2 == 1 && m->file.done[i] && m->file.done[i - 1]);
    }
    return err ? err : note_parts(m, diag);
}

/* ---- playing ---- */

struct table {
    struct yo_match *match;
    size_t game;
};

static void moved(void *user, const struct yo_match_sight *sight) {
    const struct table *t = user;
    const struct yo_match_events *events = &t->match->events;
    if (!events->moved) return;
    pthread_mutex_lock(&t->match->lock);
    events->moved(events->user, t->game, sight);
    pthread_mutex_unlock(&t->match->lock);
}

static void tell_began(struct yo_match *m, size_t game) {
    pthread_mutex_lock(&m->lock);
    if (m->events.began) m->events.began(m->events.user, game);
    pthread_mutex_unlock(&m->lock);
}

/* result is NULL for an abandoned game. */
static enum yo_err end_game(struct yo_match *m, size_t game, const struct yo_match_result *result,
                            const struct yo_buf *record, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    pthread_mutex_lock(&m->lock);
    if (result) {
        err = yo_match_file_add(&m->file, game, result, record, m->kind->record, diag);
        m->played++;
        count_game(m, game, has_partner(m, game));
        count_fault(m, game, result);
    }
    if (m->events.ended) m->events.ended(m->events.user, game, result);
    pthread_mutex_unlock(&m->lock);
    return err;
}

static enum yo_err play_game(struct yo_match *m, struct yo_peer peers[YO_MATCH_ENGINES_MAX],
                             size_t game, struct yo_diag *diag) {
    struct yo_pairing p = yo_schedule_game(&m->schedule, game);
    int black = yo_pairing_black(&p), white = yo_pairing_white(&p);
    struct yo_peer *seats[2] = {&peers[black], &peers[white]};
    struct table table = {m, game};
    struct yo_match_watcher watcher = {.moved = moved, .user = &table};
    struct yo_match_result result;
    struct yo_buf record = {0};
    enum yo_err err = yo_match_engine_ready(m, p.first, &peers[p.first], diag);
    if (!err) err = yo_match_engine_ready(m, p.second, &peers[p.second], diag);
    tell_began(m, game);
    if (!err) err = m->kind->play(m, seats, game, &watcher, &result, &record, diag);
    /* After a stop, HUNG only means that waiting ended, and CRASHED may come from the same signal:
     * the game is abandoned and played again. */
    bool given_up = atomic_load(m->stopped) &&
                    (err || result.end == YO_MATCH_HUNG || result.end == YO_MATCH_CRASHED);
    if (given_up) err = YO_ERR_CANCELLED;
    enum yo_err kept = end_game(m, game, err ? NULL : &result, &record, diag);
    yo_buf_free(&record);
    return err ? err : kept;
}

static bool work(void *match, int thread) {
    struct yo_match *m = match;
    struct yo_peer peers[YO_MATCH_ENGINES_MAX] = {0};
    struct yo_diag diag = {0};
    size_t game;
    (void)thread;
    while (take_game(m, &game)) {
        enum yo_err err = play_game(m, peers, game, &diag);
        if (!err) continue;
        if (err == YO_ERR_CANCELLED) break;
        pthread_mutex_lock(&m->lock);
        if (!m->err) {
            m->err = err;
            m->diag = diag;
        }
        pthread_mutex_unlock(&m->lock);
        break;
    }
    for (int i = 0; i < m->schedule.engines; i++)
        yo_peer_stop(&peers[i]);
    return true;
}

/* ---- the match ---- */

enum yo_err yo_match_open(struct yo_match *m, const char *folder, size_t *before,
                          struct yo_diag *diag) {
    pthread_mutex_init(&m->lock, NULL);
    m->opened = true;
    m->file.fd = -1;
    enum yo_err err = greet(m, diag);
    return err ? err : open_file(m, folder, before, diag);
}

enum yo_err yo_match_run(struct yo_match *m, struct yo_diag *diag) {
    struct yo_pool *pool;
    struct yo_job job = {.run = work, .ctx = m, .threads = m->jobs};
    enum yo_err err = yo_pool_new(m->jobs, &pool, diag);
    if (err) return err;
    yo_pool_submit(pool, &job);
    yo_pool_delete(pool);
    if (m->err && diag) *diag = m->diag;
    return m->err;
}

void yo_match_close(struct yo_match *m) {
    if (m->opened) yo_match_file_close(&m->file);
    if (m->kind) m->kind->free(m);
    if (m->opened) pthread_mutex_destroy(&m->lock);
}
