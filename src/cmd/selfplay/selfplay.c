/* yomi selfplay: games of the engine against itself. */
#include "cmd/selfplay/selfplay.h"

#include <signal.h>
#include <string.h>

#include "eval/shogi/net_open.h"

atomic_bool yo_selfplay_stop;
static atomic_bool interrupted;

static void on_signal(int number) {
    (void)number;
    atomic_store(&interrupted, true);
    atomic_store(&yo_selfplay_stop, true);
}

void yo_selfplay_catch_signals(void) {
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    if (signal(SIGHUP, on_signal) == SIG_IGN) signal(SIGHUP, SIG_IGN); /* nohup */
}

bool yo_selfplay_interrupted(void) { return atomic_load(&interrupted); }

#define ALPHABETA_ONLY                                                                             \
    "eval", "nodes", "depth", "random-moves", "random-plies", "max-moves", "asides", "leaves",     \
        "decided", "deep-nodes", "deep-share"
#define GO_ONLY    "size", "komi", "rules"
#define SHOGI_ONLY "mate-nodes", "openings"
#define NET_ONLY                                                                                   \
    "net", "backend", "visits", "fast-visits", "cheap-visits", "full-share", "noise", "at-once",   \
        "groups", "eval-threads", "against-backend", "resign-share", "opening", "gumbel", "cpuct", \
        "fpu-reduction", "policy-temperature", "against-cpuct", "against-fpu-reduction",           \
        "against-policy-temperature"
#define PUCT_SHOGI_ONLY "leaf-mate", "openings-share"
#define SHOW_ONLY       "game", "usi"
#define RUN_ONLY        "games", "seconds", "seed", "threads", "against", "search"

static const char *const searches[] = {"alphabeta", "puct", NULL};

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    static const char *const not_alphabeta[] = {GO_ONLY, NET_ONLY, PUCT_SHOGI_ONLY, SHOW_ONLY,
                                                NULL};
    static const char *const not_puct[] = {ALPHABETA_ONLY, GO_ONLY, SHOW_ONLY, NULL};
    static const char *const not_go[] = {ALPHABETA_ONLY, SHOGI_ONLY, PUCT_SHOGI_ONLY,
                                         "search",       SHOW_ONLY,  NULL};
    static const char *const not_show[] = {
        ALPHABETA_ONLY, SHOGI_ONLY, PUCT_SHOGI_ONLY, GO_ONLY, NET_ONLY, RUN_ONLY, NULL};
    const char *word = yo_options_argument(options, 0);
    bool puct = yo_options_choice(options, "search") == 1;
    enum yo_err err;
    if (strcmp(word, "shogi") == 0 && puct) {
        err = yo_options_refuse(options, not_puct, "selfplay shogi --search puct", diag);
        return err ? err : yo_selfplay_net(options, true, diag);
    }
    if (strcmp(word, "shogi") == 0) {
        err = yo_options_refuse(options, not_alphabeta, "selfplay shogi", diag);
        return err ? err : yo_selfplay_shogi(options, diag);
    }
    if (strcmp(word, "go") == 0) {
        err = yo_options_refuse(options, not_go, "selfplay go", diag);
        return err ? err : yo_selfplay_net(options, false, diag);
    }
    err = yo_options_refuse(options, not_show, "selfplay show", diag);
    return err ? err : yo_selfplay_show(options, diag);
}

const struct yo_command yo_command_selfplay = {
    .name = "selfplay",
    .summary = "play games against itself, for training",
    .description =
        "shogi: alpha-beta plays against itself, from openings that are varied by random "
        "moves, and writes the positions of the games as training data: each packed into 40 "
        "bytes with the search's score and move and the game's result. Repeated positions "
        "are left out. The file depends on the settings and the seed alone, not on threads "
        "or interruptions: the same command resumes an interrupted run. With --against two "
        "evaluations play each other, each opening twice with the sides exchanged, and the "
        "score is printed.\n\n"
        "go: a network plays against itself, thousands of games at once, and appends their "
        "records to the file, with what the searches found and how the games ended. "
        "docs/selfplay.md describes searches and records. When the command is ended, "
        "unfinished games go to FILE.pending, and the next run continues them. With "
        "--against two networks play each other with --visits a move, each setup and opening "
        "twice with the sides exchanged, and the score is printed.\n\n"
        "shogi --search puct: the same for shogi, with a network in ONNX.\n\n"
        "show: a summary of a file of such records, or one of its games as SGF, or as KIF "
        "for shogi.",
    .examples = "yomi selfplay shogi positions.psv --games 10000 --nodes 1500\n"
                "yomi selfplay shogi --eval new.bin --against old.bin --games 400\n"
                "yomi selfplay go games.ysp --net builtin --size 9 --seconds 60\n"
                "yomi selfplay go games.ysp --size 9,13,19 --visits 600 --at-once 4096\n"
                "yomi selfplay go --net new.bin.gz --against builtin --games 200 --visits 100\n"
                "yomi selfplay show games.ysp\n"
                "yomi selfplay show games.ysp --game 3 > game.sgf",
    .options =
        (const struct yo_option[]){
            YO_INT("games", YO_ON_CLI, "1000", 0, 1e12, "N",
                   "shogi: games in all, those of earlier runs counted in; go: games to begin, 0 "
                   "for no limit"),
            YO_INT("seconds", YO_ON_CLI, "0", 0, 1e9, "S",
                   "end after so many seconds; 0 for no limit"),
            YO_INT("seed", YO_ON_CLI, "1", 0, 1e15, "N",
                   "seed of the random numbers: another seed, other games"),
            YO_INT("threads", YO_ON_CLI, "0", 0, 1024, "N", "threads; 0: one for each core"),
            YO_CHOICE("search", YO_ON_CLI, "alphabeta", searches, "NAME",
                      "shogi: what plays: alpha-beta, or a network as in Go"),
            YO_STRING("eval", YO_ON_CLI, YO_SHOGI_EVAL_DEFAULT, "FILE",
                      "shogi: what evaluates: a network's file, builtin, or material"),
            YO_STRING("against", YO_ON_CLI, NULL, "FILE",
                      "the opponent: a network, in a match that writes no file"),
            YO_INT("nodes", YO_ON_CLI, "1500", 0, 1e12, "N",
                   "shogi: positions a search looks at; 0 for no limit"),
            YO_INT("mate-nodes", YO_ON_CLI, "300", 0, 1e9, "N",
                   "shogi: positions that the mate solver searches before each search; 0: no mate "
                   "solver. With --search puct a mate that it finds ends the game"),
            YO_INT("depth", YO_ON_CLI, "0", 0, 100, "N",
                   "shogi: depth of a search; 0 for no limit"),
            YO_INT("random-moves", YO_ON_CLI, "8", 0, 60, "N",
                   "shogi: how many moves of the opening are drawn at random, among the moves that "
                   "lose "
                   "no material"),
            YO_INT("random-plies", YO_ON_CLI, "8", 0, 60, "N", "shogi: moves in the opening"),
            YO_STRING(
                "openings", YO_ON_CLI, NULL, "FILE",
                "shogi: file of positions that this command wrote: each game begins at one with a "
                "score from -300 to 300, drawn at random, and the opening is counted from there; "
                "both games of a pair in a match begin at the same"),
            YO_REAL("openings-share", YO_ON_CLI, "1", 0, 1, "P",
                    "shogi --search puct: share of the games that begin at a position of "
                    "--openings; the "
                    "others begin at the initial position"),
            YO_INT("max-moves", YO_ON_CLI, "320", 1, 1000, "N", "shogi: a longer game is drawn"),
            YO_INT("asides", YO_ON_CLI, "0", 0, 100, "N",
                   "shogi: positions kept beside each move of a game, a few random moves away from "
                   "it"),
            YO_INT("leaves", YO_ON_CLI, "0", 0, 1000, "N",
                   "shogi: positions kept of the leaves of each search: N are drawn, and the quiet "
                   "ones "
                   "of these are kept"),
            YO_INT(
                "deep-nodes", YO_ON_CLI, "0", 0, 1e9, "N",
                "shogi: nodes of the searches of --deep-share, in place of --nodes; they draw more "
                "--leaves in proportion. 0: none"),
            YO_REAL("deep-share", YO_ON_CLI, "0.1", 0, 1, "SHARE",
                    "shogi: share of searches with --deep-nodes, drawn at random"),
            YO_INT("decided", YO_ON_CLI, "2500", 100, 32000, "CP",
                   "shogi: a side that is so many hundredths of a pawn ahead has won"),
            YO_STRING("net", YO_ON_CLI, "builtin", "FILE",
                      "the network that plays: a file, or builtin"),
            YO_STRING("backend", YO_ON_CLI, "auto", "NAME", "what runs the network"),
            YO_STRING("against-backend", YO_ON_CLI, NULL, "NAME",
                      "what runs the network of --against, if not --backend"),
            YO_STRING("size", YO_ON_CLI, "9", "LIST",
                      "go: board sizes: 9, or 9,13,19 (a size named twice is played twice as "
                      "much), or 9-19"),
            YO_STRING("komi", YO_ON_CLI, "random", "K", "go: komi, or random: about 7"),
            YO_STRING("rules", YO_ON_CLI, "random", "RULES",
                      "go: rules with area scoring, or random: ko and suicide are drawn"),
            YO_INT("visits", YO_ON_CLI, "400", 2, 60000, "N", "visits of a full search"),
            YO_INT("fast-visits", YO_ON_CLI, "80", 2, 60000, "N",
                   "visits of the other searches, which give no policy target"),
            YO_INT("cheap-visits", YO_ON_CLI, "20", 2, 60000, "N",
                   "visits of these once a game is decided"),
            YO_REAL("full-share", YO_ON_CLI, "0.25", 0, 1, "P", "share of full searches"),
            YO_REAL("noise", YO_ON_CLI, "0.25", 0, 1, "P", "share of noise in full searches"),
            YO_REAL("cpuct", YO_ON_CLI, "1.1", 0, 100, "C", "exploration by the policy"),
            YO_REAL("fpu-reduction", YO_ON_CLI, "0.2", -2, 2, "U",
                    "how far below its parent an untried move is valued, but at the root"),
            YO_REAL("policy-temperature", YO_ON_CLI, "1", 0.1, 10, "T",
                    "above 1: moves that the policy finds unlikely are tried sooner"),
            YO_REAL("against-cpuct", YO_ON_CLI, "1.1", 0, 100, "C",
                    "that of the network of --against, if not --cpuct"),
            YO_REAL("against-fpu-reduction", YO_ON_CLI, "0.2", -2, 2, "U",
                    "that of the network of --against, if not --fpu-reduction"),
            YO_REAL("against-policy-temperature", YO_ON_CLI, "1", 0.1, 10, "T",
                    "that of the network of --against, if not --policy-temperature"),
            YO_INT("gumbel", YO_ON_CLI, "0", 0, 64, "N",
                   "full searches by sequential halving over N moves, with targets from "
                   "completed values; 0: PUCT with noise and forced visits"),
            YO_INT("leaf-mate", YO_ON_CLI, "30", 0, 1e6, "N",
                   "shogi --search puct: positions that the mate solver looks at in each leaf; 0: "
                   "it is not asked"),
            YO_REAL("opening", YO_ON_CLI, "1", 0, 100, "X",
                    "length of the part that is drawn by the policy alone"),
            YO_REAL("resign-share", YO_ON_CLI, "0", 0, 1, "P",
                    "share of the decided games that end there; the others are played to the "
                    "end"),
            YO_INT("at-once", YO_ON_CLI, "0", 0, 100000, "N",
                   "games at once; 0: as suits the backend"),
            YO_INT("groups", YO_ON_CLI, "0", 0, 64, "N",
                   "batches that these are divided into; 0: as suits the backend"),
            YO_INT("eval-threads", YO_ON_CLI, "0", 0, 64, "N",
                   "batches on their way at once; 0: as suits the backend"),
            YO_INT("game", YO_ON_CLI, "0", 0, 1e9, "N", "show: print this game; 0: a summary"),
            YO_BOOL("usi", YO_ON_CLI, "false",
                    "show: a game of shogi as a line of USI, not as KIF"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "WHAT",
             .choices = (const char *const[]){"shogi", "go", "show", NULL},
             .help = "the game, or show"},
            {.name = "FILE",
             .optional = true,
             .help = "where games are written, or read by show; not for a match"},
            {.name = NULL},
        },
    .run = run,
};
