/* yomi match: the games, some at the same time, and the score of them. */
#include <math.h>
#include <string.h>

#include "base/diag.h"
#include "cmd/match/match.h"

/* An engine that fails so often does not play at all. */
#define FAULTS_MAX 10

/* ---- counting ---- */

/* Half points of the first engine. */
static unsigned half_points(int winner) { return winner == 1 ? 2 : winner == 3 ? 1 : 0; }

void yo_match_count(struct match *m, size_t game, bool ends_pair) {
    const unsigned char *done = m->file.done;
    if (done[game] == 1) m->tally.wins++;
    if (done[game] == 2) m->tally.losses++;
    if (done[game] == 3) m->tally.draws++;
    if (!ends_pair) return;
    yo_pairs_add(&m->pairs, half_points(done[game]) + half_points(done[game ^ 1]));
    if (m->has_sprt && fabs(yo_pairs_llr(&m->pairs, m->elo0, m->elo1)) >= YO_SPRT_BOUND)
        m->stop = true;
}

static bool has_partner(const struct match *m, size_t game) {
    return (game ^ 1) < m->games && m->file.done[game ^ 1];
}

static void count_fault(struct match *m, bool first_is_black, const struct yo_match_result *r) {
    if (r->end < YO_MATCH_ILLEGAL || r->end > YO_MATCH_NONSENSE) return;
    int loser = yo_match_winner(first_is_black, r) == 1 ? 1 : 0;
    if (++m->faults[loser] < FAULTS_MAX || m->err) return;
    m->stop = true;
    m->err = yo_diag_set(&m->diag, YO_ERR_STATE, "%s failed %d times: %.150s",
                         m->engines[loser].name, FAULTS_MAX, r->fault);
}

static bool take_game(struct match *m, size_t *game) {
    pthread_mutex_lock(&m->lock);
    while (m->next < m->games && m->file.done[m->next])
        m->next++;
    bool got = !m->stop && !m->err && m->next < m->games && !atomic_load(m->stopped);
    *game = m->next++;
    pthread_mutex_unlock(&m->lock);
    return got;
}

/* ---- playing ---- */

static enum yo_err play_game(struct match *m, struct yo_peer peers[2], size_t game,
                             struct yo_diag *diag) {
    bool first_is_black = game % 2 == 0;
    struct yo_peer *seats[2] = {&peers[first_is_black ? 0 : 1], &peers[first_is_black ? 1 : 0]};
    struct yo_match_result result;
    struct yo_buf record = {0};
    enum yo_err err = yo_match_engines_ready(m, peers, diag);
    struct yo_match_watcher watcher = yo_match_progress_begin(m, game);
    if (!err) err = m->kind->play(m, seats, game, &watcher, &result, &record, diag);
    yo_match_progress_end(m, &watcher);
    /* An engine that seems to hang was only not waited for, and one that seems to have crashed may
     * have got the same signal: the game is played again. */
    bool given_up = atomic_load(m->stopped) &&
                    (err || result.end == YO_MATCH_HUNG || result.end == YO_MATCH_CRASHED);
    if (given_up) err = YO_ERR_CANCELLED;
    if (!err) {
        pthread_mutex_lock(&m->lock);
        err = yo_match_file_add(&m->file, game, first_is_black, &result, &record, m->kind->record,
                                diag);
        yo_match_count(m, game, has_partner(m, game));
        count_fault(m, first_is_black, &result);
        yo_match_print_game(m, game, first_is_black, &result);
        pthread_mutex_unlock(&m->lock);
    }
    yo_buf_free(&record);
    return err;
}

static void *work(void *arg) {
    struct match *m = arg;
    struct yo_peer peers[2] = {0};
    struct yo_diag diag = {0};
    size_t game;
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
    for (int i = 0; i < 2; i++)
        yo_peer_stop(&peers[i]);
    return NULL;
}

void yo_match_play_all(struct match *m) {
    pthread_t threads[YO_MATCH_JOBS_MAX];
    int started = 0;
    for (; started < m->jobs - 1; started++)
        if (pthread_create(&threads[started], NULL, work, m) != 0) break;
    work(m);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}
