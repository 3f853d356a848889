/* yomi match: engines play each other; prints the score and the Elo difference, or a table. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/diag.h"
#include "cmd/command.h"
#include "cmd/match/match.h"

/* Set by SIGINT or SIGTERM. A second signal ends the program at once. */
static atomic_bool stopped;

static void on_signal(int signal) {
    (void)signal;
    atomic_store(&stopped, true);
}

/* ---- setting up ---- */

static enum yo_err read_sprt(struct yo_match *m, const char *text, struct yo_diag *diag) {
    char extra;
    if (!text) return YO_OK;
    if (m->schedule.engines > 2)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "--sprt compares two engines, not %d",
                           m->schedule.engines);
    m->has_sprt = true;
    if (sscanf(text, "%lf,%lf%c", &m->elo0, &m->elo1, &extra) == 2 && m->elo0 < m->elo1)
        return YO_OK;
    yo_diag_set(diag, YO_ERR_ARGUMENT, "--sprt %.40s is no pair of Elo bounds", text);
    yo_diag_hint(diag, "for example --sprt 0,30");
    return YO_ERR_ARGUMENT;
}

static enum yo_err read_engines(struct yo_match *m, const struct yo_options *o,
                                struct yo_diag *diag) {
    size_t n = o->argument_count;
    m->schedule.gauntlet = yo_options_choice(o, "schedule") == 1;
    if (n < 2) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "a match wants two engines at least");
        yo_diag_hint(diag, "each is one command line: yomi match 'yomi gtp' 'gnugo --mode gtp'");
        return YO_ERR_ARGUMENT;
    }
    if (n > YO_MATCH_ENGINES_MAX)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "%zu engines are more than %d", n,
                           YO_MATCH_ENGINES_MAX);
    m->schedule.engines = (int)n;
    for (size_t i = 0; i < n; i++)
        m->commands[i] = yo_options_argument(o, i);
    return YO_OK;
}

static enum yo_err read_options(struct yo_match *m, const struct yo_options *o,
                                struct yo_diag *diag) {
    static const struct {
        const struct yo_match_kind *kind;
        const char *const *unused;
        enum yo_err (*read)(struct yo_match *m, const struct yo_options *o, struct yo_diag *diag);
    } kinds[] = {{&yo_match_go, yo_match_go_unused, yo_match_go_options},
                 {&yo_match_shogi, yo_match_shogi_unused, yo_match_shogi_options}};
    size_t game = (size_t)yo_options_choice(o, "game");
    m->kind = kinds[game].kind;
    m->openings = yo_options_text(o, "openings");
    m->games = (size_t)yo_options_int(o, "games");
    m->jobs = (int)yo_options_int(o, "jobs");
    m->seed = (uint64_t)yo_options_int(o, "seed");
    m->notices = yo_cmd_notices;
    enum yo_err err = yo_options_refuse(o, kinds[game].unused, m->kind->name, diag);
    if (!err) err = read_engines(m, o, diag);
    if (!err) err = read_sprt(m, yo_options_text(o, "sprt"), diag);
    if (!err) err = kinds[game].read(m, o, diag);
    return yo_command_usage(err);
}

/* Reports that the match was stopped and how to continue it. */
static enum yo_err tell_stopped(const struct yo_match *m, struct yo_diag *diag) {
    yo_diag_set(diag, YO_ERR_CANCELLED, "stopped before the end");
    if (m->file.folder)
        yo_diag_hint(diag, "the same command goes on from here");
    else
        yo_diag_hint(diag, "with --out FOLDER the games are kept, and the same command goes on");
    return YO_ERR_CANCELLED;
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_match m = {.stopped = &stopped};
    struct match_view view = {.match = &m};
    size_t before;
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    signal(SIGPIPE, SIG_IGN); /* a dead engine is reported by name */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    enum yo_err err = read_options(&m, o, diag);
    m.events = yo_match_view_events(&view);
    if (!err) err = yo_match_open(&m, yo_options_text(o, "out"), &before, diag);
    if (!err) {
        view.before = before;
        if (before) printf("going on after %zu games\n", before);
        yo_live_open(&view.live, "match");
        err = yo_match_run(&m, diag);
        yo_live_close(&view.live);
        yo_match_print_score(&m);
    }
    if (atomic_load(&stopped)) err = tell_stopped(&m, diag);
    yo_match_close(&m);
    return err;
}

static const char *const games[] = {"go", "shogi", NULL};
static const char *const schedules[] = {"round-robin", "gauntlet", NULL};

const struct yo_command yo_command_match = {
    .name = "match",
    .summary = "let engines play each other and rate them",
    .description =
        "Runs command lines that speak GTP, or USI for shogi, lets them play with colours "
        "and openings alternating, and prints the wins of the first with their 95% interval "
        "and the difference in Elo. With more than two engines everyone plays everyone, or "
        "the first plays all others (--schedule gauntlet), and a table has the Elo of each "
        "with its interval. The referee is Yomi's own: an illegal move, a crash, a wrong "
        "answer or an overstepped clock loses the game, and the result names the fault and "
        "the engine's last output.\n\n"
        "With --out every game is kept as SGF, or CSA for shogi, beside results.csv; the "
        "same command resumes an interrupted match. Ctrl-C ends it and prints the score so "
        "far. GTP engines that know set_random_seed get another seed for each pair of "
        "games.\n\n"
        "Shogi: the engines get --nodes, --depth or --movetime for each move (and a second "
        "value for the other engines if theirs differ), or else a clock: --main-time, "
        "--byoyomi, --increment. --first-options and --second-options are sent as setoption, "
        "for example 'Threads=2;USI_Hash=128'. Openings are lines of USI (startpos or a "
        "SFEN, moves behind it), or random moves that give nothing away.",
    .examples = "yomi match 'yomi gtp --playouts 500' 'gnugo --mode gtp' --out games\n"
                "yomi match 'yomi gtp --time 1' 'yomi gtp --time 1 --rave 0' --sprt 0,30\n"
                "yomi match 'yomi gtp --level 2' 'yomi gtp --level 4' 'yomi gtp --level 6'\n"
                "yomi match --game shogi 'yomi usi' gpsusi --byoyomi 1 --out games",
    .options =
        (const struct yo_option[]){
            YO_CHOICE("game", YO_ON_CLI, "go", games, "GAME", "what they play"),
            YO_CHOICE("schedule", YO_ON_CLI, "round-robin", schedules, "HOW",
                      "more than two engines: everyone plays everyone, or the first plays each "
                      "other"),
            YO_INT("games", YO_ON_CLI, "100", 1, 1e6, "N", "games to play in all"),
            YO_INT("size", YO_ON_CLI, "9", YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, "N", "board size"),
            YO_STRING("komi", YO_ON_CLI, NULL, "K", "komi; 7.5 if not given"),
            YO_INT("handicap", YO_ON_CLI, "0", 0, 9, "N",
                   "handicap stones that Black has on the board when a game begins"),
            YO_STRING("rules", YO_ON_CLI, NULL, "RULES",
                      "the referee's rules; if not given: area scoring, positional superko"),
            YO_CHOICE("count", YO_ON_CLI, "judge", yo_match_counts, "HOW",
                      "how a board is counted: dead stones are judged by playouts and taken off, "
                      "or all that is on the board is alive"),
            YO_STRING("judge-net", YO_ON_CLI, NULL, "FILE",
                      "a Go network that knows who owns points, to judge by where reading finds "
                      "no answer, in place of playouts"),
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
            YO_INT("nodes2", YO_ON_CLI, NULL, 1, 1e15, "N", "the other engines', if not the same"),
            YO_INT("depth", YO_ON_CLI, "0", 0, 1000, "N", "shogi: depth for each move"),
            YO_INT("depth2", YO_ON_CLI, NULL, 1, 1000, "N", "the other engines'"),
            YO_REAL("movetime", YO_ON_CLI, "0", 0, 1e6, "S", "shogi: seconds for each move"),
            YO_REAL("movetime2", YO_ON_CLI, NULL, 0.001, 1e6, "S", "the other engines'"),
            YO_REAL("byoyomi", YO_ON_CLI, "0", 0, 1e6, "S",
                    "shogi: seconds for each move when the clock is at zero"),
            YO_REAL(
                "increment", YO_ON_CLI, "0", 0, 1e6, "S",
                "or so many seconds more for every move; in Go, whole ones, and with engines that "
                "know kata-time_settings"),
            YO_STRING("first-options", YO_ON_CLI, NULL, "LIST", "shogi: NAME=VALUE;..."),
            YO_STRING("second-options", YO_ON_CLI, NULL, "LIST", "the same, of the other engines"),
            YO_INT("random-plies", YO_ON_CLI, NULL, 0, 100, "N",
                   "random moves that begin the games if there are no --openings, the same for "
                   "both games of a pair; 8 in shogi and none in Go if not given"),
            YO_INT("max-moves", YO_ON_CLI, "320", 1, 10000, "N",
                   "shogi: a game that is longer is drawn"),
            YO_REAL("grace", YO_ON_CLI, "0.1", 0, 60, "S", "seconds a clock forgives each move"),
            YO_REAL(
                "timeout", YO_ON_CLI, "300", 0.1, 1e6, "S",
                "seconds after which an engine that does not answer counts as hung, if its clock "
                "does not allow more"),
            YO_INT("seed", YO_ON_CLI, "1", 0, 9e15, "S", "first seed that the engines get"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "ENGINE", .many = true, .help = "command line of an engine; two or more"},
            {.name = NULL},
        },
    .run = run,
};
