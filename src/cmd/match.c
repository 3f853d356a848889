/* yomi match: two engines play each other, and what that says about them. */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "cmd/command.h"
#include "cmd/match.h"

/* An engine that fails so often does not play at all. */
#define FAULTS_MAX 10

/* Ctrl-C, or someone's wish that we end. A second one ends us at once. */
static atomic_bool stopped;

static void on_signal(int signal) {
    (void)signal;
    atomic_store(&stopped, true);
}

/* ---- counting ---- */

static void count(struct match *m, int winner) {
    if (winner == 1) m->tally.wins++;
    if (winner == 2) m->tally.losses++;
    if (winner == 3) m->tally.draws++;
    if (!m->has_sprt) return;
    if (fabs(yo_tally_llr(&m->tally, m->elo0, m->elo1)) >= YO_SPRT_BOUND) m->stop = true;
}

static void count_fault(struct match *m, bool first_is_black, const struct yo_match_result *r) {
    if (r->end < YO_MATCH_ILLEGAL || r->end > YO_MATCH_NONSENSE) return;
    int loser = yo_match_winner(first_is_black, r) == 1 ? 1 : 0;
    if (++m->faults[loser] < FAULTS_MAX || m->err) return;
    m->stop = true;
    m->err = yo_diag_set(&m->diag, YO_ERR_STATE, "%s failed %d times: %.150s", m->names[loser],
                         FAULTS_MAX, r->fault);
}

static bool take_game(struct match *m, size_t *game) {
    pthread_mutex_lock(&m->lock);
    while (m->next < m->games && m->file.done[m->next])
        m->next++;
    bool got = !m->stop && !m->err && m->next < m->games && !atomic_load(&stopped);
    *game = m->next++;
    pthread_mutex_unlock(&m->lock);
    return got;
}

/* ---- playing ---- */

/* What it said last is for the person, too: most likely it says what is wrong with its options. */
static void tell_cannot_play(const struct match *m, int which, const struct yo_gtp_client *client,
                             struct yo_diag *diag) {
    struct yo_diag why = *diag;
    char last[YO_GTP_LAST];
    yo_gtp_client_last(client, last);
    if (client->fault != YO_GTP_FAULT_CRASHED && client->fault != YO_GTP_FAULT_HUNG) last[0] = '\0';
    yo_diag_set(diag, YO_ERR_IO, "'%.60s' cannot play: %.120s%s%s", m->commands[which], why.what,
                last[0] ? "; it said: " : "", last);
    if (why.hint[0])
        yo_diag_hint(diag, "%s", why.hint);
    else if (client->fault > YO_GTP_FAULT_REFUSED) /* it runs, and is no such engine */
        yo_diag_hint(diag, "it has to be a command line that %s", m->kind->speaks);
}

static enum yo_err start(struct match *m, int which, struct yo_gtp_client *client, char name[64],
                         struct yo_diag *diag) {
    enum yo_err err = yo_gtp_client_start(client, m->commands[which], diag);
    client->stop = &stopped;
    if (!err) err = m->kind->greet(m, which, client, name, diag);
    if (err && diag) tell_cannot_play(m, which, client, diag);
    if (err) yo_gtp_client_stop(client);
    return err;
}

static enum yo_err start_both(struct match *m, struct yo_gtp_client clients[2],
                              struct yo_diag *diag) {
    for (int i = 0; i < 2; i++) {
        if (clients[i].pid > 0 && clients[i].fault <= YO_GTP_FAULT_REFUSED) continue;
        if (clients[i].in_fd > 0) yo_gtp_client_stop(&clients[i]);
        enum yo_err err = start(m, i, &clients[i], NULL, diag);
        if (err) return err;
    }
    return YO_OK;
}

static enum yo_err play_game(struct match *m, struct yo_gtp_client clients[2], size_t game,
                             struct yo_diag *diag) {
    bool first_is_black = game % 2 == 0;
    struct yo_gtp_client *seats[2] = {&clients[first_is_black ? 0 : 1],
                                      &clients[first_is_black ? 1 : 0]};
    struct yo_match_result result;
    struct yo_buf record = {0};
    enum yo_err err = start_both(m, clients, diag);
    struct yo_match_watcher watcher = yo_match_progress_begin(m, game);
    if (!err) err = m->kind->play(m, seats, game, &watcher, &result, &record, diag);
    yo_match_progress_end(m, &watcher);
    /* An engine that seems to hang was only not waited for: the game is played again. */
    bool given_up = atomic_load(&stopped) && (err || result.end == YO_MATCH_HUNG);
    if (given_up) err = YO_ERR_CANCELLED;
    if (!err) {
        pthread_mutex_lock(&m->lock);
        err = yo_match_file_add(&m->file, game, first_is_black, &result, &record, m->kind->record,
                                diag);
        count(m, yo_match_winner(first_is_black, &result));
        count_fault(m, first_is_black, &result);
        yo_match_print_game(m, game, first_is_black, &result);
        pthread_mutex_unlock(&m->lock);
    }
    yo_buf_free(&record);
    return err;
}

static void *work(void *arg) {
    struct match *m = arg;
    struct yo_gtp_client clients[2] = {0};
    struct yo_diag diag = {0};
    size_t game;
    while (take_game(m, &game)) {
        enum yo_err err = play_game(m, clients, game, &diag);
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
        yo_gtp_client_stop(&clients[i]);
    return NULL;
}

static void play_all(struct match *m) {
    pthread_t threads[YO_MATCH_JOBS_MAX];
    int started = 0;
    for (; started < m->jobs - 1; started++)
        if (pthread_create(&threads[started], NULL, work, m) != 0) break;
    work(m);
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

/* ---- setting up ---- */

static enum yo_err read_sprt(struct match *m, const char *text, struct yo_diag *diag) {
    char extra;
    if (!text) return YO_OK;
    m->has_sprt = true;
    if (sscanf(text, "%lf,%lf%c", &m->elo0, &m->elo1, &extra) == 2 && m->elo0 < m->elo1)
        return YO_OK;
    yo_diag_set(diag, YO_ERR_ARGUMENT, "--sprt %.40s is no pair of Elo bounds", text);
    yo_diag_hint(diag, "for example --sprt 0,30");
    return YO_ERR_ARGUMENT;
}

static enum yo_err read_options(struct match *m, const struct yo_options *o, struct yo_diag *diag) {
    static const struct match_kind *const kinds[] = {&yo_match_go, &yo_match_shogi};
    m->kind = kinds[yo_options_choice(o, "game")];
    m->commands[0] = yo_options_argument(o, 0);
    m->commands[1] = yo_options_argument(o, 1);
    m->games = (size_t)yo_options_int(o, "games");
    m->jobs = (int)yo_options_int(o, "jobs");
    m->seed = (uint64_t)yo_options_int(o, "seed");
    enum yo_err err = yo_options_refuse(o, m->kind->unused, m->kind->name, diag);
    if (!err) err = read_sprt(m, yo_options_text(o, "sprt"), diag);
    if (!err) err = m->kind->read_options(m, o, diag);
    return err ? YO_ERR_ARGUMENT : YO_OK;
}

/* A bad command is told at once, not after the first game. */
static enum yo_err greet(struct match *m, struct yo_diag *diag) {
    for (int i = 0; i < 2; i++) {
        struct yo_gtp_client client = {0};
        enum yo_err err = start(m, i, &client, m->names[i], diag);
        yo_gtp_client_stop(&client);
        if (err) return err;
    }
    if (strcmp(m->names[0], m->names[1]) == 0) {
        strcat(m->names[0], " (1)");
        strcat(m->names[1], " (2)");
    }
    return YO_OK;
}

static enum yo_err open_file(struct match *m, const struct yo_options *o, struct yo_diag *diag) {
    struct yo_buf header = {0};
    yo_buf_printf(&header, "# first: %s\n# second: %s\n", m->commands[0], m->commands[1]);
    m->kind->put_header(m, o, &header);
    enum yo_err err = yo_buf_status(&header);
    if (!err)
        err = yo_match_file_open(&m->file, yo_options_text(o, "out"), yo_buf_text(&header),
                                 m->games, diag);
    yo_buf_free(&header);
    size_t before = 0;
    for (size_t i = 0; !err && i < m->games; i++) {
        before += m->file.done[i] != 0;
        count(m, m->file.done[i]);
    }
    if (before) printf("going on after %zu games\n", before);
    return err;
}

static void free_match(struct match *m) {
    yo_match_file_close(&m->file);
    if (m->kind) m->kind->free(m);
}

/* Games that are not finished are given up, engines ended, and the score so far is told. */
static enum yo_err tell_stopped(const struct match *m, struct yo_diag *diag) {
    yo_diag_set(diag, YO_ERR_CANCELLED, "stopped before the end");
    if (m->file.folder)
        yo_diag_hint(diag, "the same command goes on from here");
    else
        yo_diag_hint(diag, "with --out FOLDER the games are kept, and the same command goes on");
    return YO_ERR_CANCELLED;
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    struct match m = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = {.fd = -1}};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    signal(SIGPIPE, SIG_IGN); /* an engine that died is told of by name */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    enum yo_err err = read_options(&m, o, diag);
    if (!err) err = greet(&m, diag);
    if (!err) err = open_file(&m, o, diag);
    if (!err) {
        play_all(&m);
        err = m.err;
        if (err) *diag = m.diag;
        yo_match_print_tally(&m);
    }
    if (atomic_load(&stopped)) err = tell_stopped(&m, diag);
    free_match(&m);
    return err;
}

static const char *const games[] = {"go", "shogi", NULL};
static const char *const counts[] = {[YO_MATCH_JUDGE] = "judge", [YO_MATCH_BOARD] = "board", NULL};

const struct yo_command yo_command_match = {
    .name = "match",
    .summary = "let two engines play each other, and say what that means",
    .description =
        "Runs two command lines that speak GTP, or USI for shogi, lets them play with colours and "
        "openings alternating, and prints the wins of the first with their 95% interval and the "
        "difference "
        "in Elo. The referee is Yomi's own: an illegal move, a crash, a wrong answer or a fallen "
        "flag loses the game, and is named with the last the engine said.\n\n"
        "With --out every game is kept as SGF, or CSA for shogi, beside results.csv; the same "
        "command "
        "goes on where an interrupted match ended. Ctrl-C ends it with the score so far. GTP "
        "engines that know set_random_seed get "
        "another "
        "seed for each pair of games.\n\n"
        "Shogi: the engines get --nodes, --depth or --movetime for each move (and a second value "
        "for "
        "the second engine if theirs differ), or else a clock: --main-time, --byoyomi, "
        "--increment. "
        "--first-options and --second-options are sent as setoption, for example "
        "'Threads=2;USI_Hash=128'. Openings are lines of USI (startpos or a SFEN, moves behind "
        "it), or "
        "random moves that give nothing away.",
    .examples = "yomi match 'yomi gtp --playouts 500' 'gnugo --mode gtp' --out games\n"
                "yomi match 'yomi gtp --time 1' 'yomi gtp --time 1 --rave 0' --sprt 0,30\n"
                "yomi match --game shogi 'yomi usi' gpsusi --byoyomi 1 --out games",
    .options =
        (const struct yo_option[]){
            YO_CHOICE("game", YO_ON_CLI, "go", games, "GAME", "what they play"),
            YO_INT("games", YO_ON_CLI, "100", 1, 1e6, "N", "games to play in all"),
            YO_INT("size", YO_ON_CLI, "9", YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, "N", "board size"),
            YO_STRING("komi", YO_ON_CLI, NULL, "K", "komi; 7.5 if not given"),
            YO_INT("handicap", YO_ON_CLI, "0", 0, 9, "N",
                   "handicap stones that Black has on the board when a game begins"),
            YO_STRING("rules", YO_ON_CLI, NULL, "RULES",
                      "the referee's rules; if not given: area scoring, positional superko"),
            YO_CHOICE("count", YO_ON_CLI, "judge", counts, "HOW",
                      "how a board is counted: dead stones are judged by playouts and taken off, "
                      "or all that is on the board is alive"),
            YO_STRING(
                "openings", YO_ON_CLI, NULL, "FILE",
                "SGF collection, or lines of USI, that begin the games, each with both colours"),
            YO_STRING("out", YO_ON_CLI, NULL, "DIR", "folder for results and records"),
            YO_STRING("sprt", YO_ON_CLI, NULL, "ELO0,ELO1",
                      "end when it is clear which of the two differences is nearer, with 5% risk"),
            YO_INT("jobs", YO_ON_CLI, "1", 1, YO_MATCH_JOBS_MAX, "N", "games at the same time"),
            YO_INT("main-time", YO_ON_CLI, "0", 0, 1e6, "S", "seconds on the clock of each side"),
            YO_INT("period", YO_ON_CLI, "0", 0, 1e6, "S", "then so many seconds"),
            YO_INT("stones", YO_ON_CLI, "0", 0, 1000, "N", "for so many stones"),
            YO_INT("nodes", YO_ON_CLI, "0", 0, 1e15, "N", "shogi: positions for each move"),
            YO_INT("nodes2", YO_ON_CLI, NULL, 1, 1e15, "N", "the second engine's, if not the same"),
            YO_INT("depth", YO_ON_CLI, "0", 0, 1000, "N", "shogi: depth for each move"),
            YO_INT("depth2", YO_ON_CLI, NULL, 1, 1000, "N", "the second engine's"),
            YO_REAL("movetime", YO_ON_CLI, "0", 0, 1e6, "S", "shogi: seconds for each move"),
            YO_REAL("movetime2", YO_ON_CLI, NULL, 0.001, 1e6, "S", "the second engine's"),
            YO_REAL("byoyomi", YO_ON_CLI, "0", 0, 1e6, "S",
                    "shogi: seconds for each move when the clock is at zero"),
            YO_REAL(
                "increment", YO_ON_CLI, "0", 0, 1e6, "S",
                "or so many seconds more for every move; in Go, whole ones, and with engines that "
                "know kata-time_settings"),
            YO_STRING("first-options", YO_ON_CLI, NULL, "LIST", "shogi: NAME=VALUE;..."),
            YO_STRING("second-options", YO_ON_CLI, NULL, "LIST", "shogi: NAME=VALUE;..."),
            YO_INT("random-plies", YO_ON_CLI, "8", 0, 100, "N",
                   "shogi: random moves that begin the games if there are no --openings"),
            YO_INT("max-moves", YO_ON_CLI, "320", 1, 10000, "N",
                   "shogi: a game that is longer is drawn"),
            YO_REAL("grace", YO_ON_CLI, "0.1", 0, 60, "S", "seconds a clock forgives each move"),
            YO_REAL("timeout", YO_ON_CLI, "300", 0.1, 1e6, "S",
                    "seconds after which an engine that does not answer counts as hung"),
            YO_INT("seed", YO_ON_CLI, "1", 0, 9e15, "S", "first seed that the engines get"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "FIRST", .help = "command line of the engine whose wins are counted"},
            {.name = "SECOND", .help = "command line of its opponent"},
            {.name = NULL},
        },
    .run = run,
};
