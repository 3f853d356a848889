/* yomi play: a game in the terminal. go.c and shogi.c play it. */
#include "cmd/play/play.h"
#include "cmd/command.h"
#include "cmd/patterns_option.h"
#include "cmd/play/shogi.h"
#include "engine/level.h"
#include "engine/options.h"
#include "eval/shogi/net_open.h"
#include "game/shogi/kifu/encode.h"

enum { BLACK, WHITE, BOTH, NONE };

void yo_play_persons(const struct yo_options *options, bool *first, bool *second) {
    size_t person = yo_options_choice(options, "color");
    *first = person == BLACK || person == BOTH;
    *second = person == WHITE || person == BOTH;
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    const char *file = yo_options_argument(options, 0);
    struct yo_shogi_writing unused;
    bool named = file && yo_shogi_writing_of_name(file, &unused);
    bool shogi = yo_options_choice(options, "game") == 1 || named;
    if (named && yo_options_given(options, "game") && yo_options_choice(options, "game") != 1) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "%.100s is named like a record of shogi", file);
        yo_diag_hint(diag, "leave out --game go");
        return YO_ERR_ARGUMENT;
    }
    return shogi ? yo_play_shogi(options, diag) : yo_play_go(options, diag);
}

static const char *const games[] = {"go", "shogi", NULL};
static const char *const persons[] = {
    [BLACK] = "black", [WHITE] = "white", [BOTH] = "both", [NONE] = "none", NULL};

static const struct yo_option options[] = {
    YO_CHOICE("game", YO_ON_CLI, "go", games, "GAME", "what to play"),
    YO_CHOICE("color", YO_ON_CLI, "black", persons, "COLOR",
              "what you play; both: two people at one keyboard, none: Yomi against itself"),
    YO_INT("size", YO_ON_CLI, "9", YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, "N", "board size"),
    YO_INT(
        "handicap", YO_ON_CLI, "0", 0, 9, "N",
        "stones Black has on the board at the start; in shogi the pieces that White leaves out: 2, "
        "4, 6 or 8"),
    YO_STRING("komi", YO_ON_CLI, NULL, "POINTS",
              "points White gets for moving second; as the rules have it if not given, or 0.5 "
              "with a handicap"),
    YO_STRING("rules", YO_ON_CLI, NULL, "RULES",
              "tromp-taylor, chinese, japanese, aga, new-zealand and others; if not given: area "
              "scoring, positional superko, no suicide, komi 7.5"),
    YO_REAL("time", YO_ON_CLI, "1", 0, 3600, "SECONDS",
            "thinking time for each move; without limit if only --playouts, --visits or "
            "--nodes is given"),
    YO_INT("playouts", YO_ON_CLI, "0", 0, 1e15, "N",
           "Go: playouts for each move; 0: no limit. Without --net, search by playouts. Shogi: as "
           "--nodes"),
    YO_INT("visits", YO_ON_CLI, "0", 0, 1e15, "N",
           "visits of the position for each move, in Go those kept from earlier moves included; 0: "
           "no limit"),
    YO_TIMER_ROWS,
    YO_LEVEL_ROWS,
    YO_STRING("book", YO_ON_CLI, YO_BOOK_AUTO, "FILE",
              "the opening book: an SGF file with variations, for shogi a file of YaneuraOu's text "
              "format; or builtin, or off; auto: builtin, unless playouts, visits or nodes are "
              "limited"),
    YO_INT("nodes", YO_ON_CLI, "0", 0, 1e15, "N",
           "shogi: positions to look at for each move; 0: no limit"),
    YO_STRING("sfen", YO_ON_CLI, NULL, "SFEN", "shogi: where the game begins"),
    YO_STRING("eval", YO_ON_CLI, YO_SHOGI_EVAL_DEFAULT, "FILE",
              "shogi: the network, a file of YaneuraOu's format; or builtin, or material"),
    YO_INT("hash", YO_ON_CLI, "64", 1, 65536, "MB", "shogi: memory for positions seen"),
    YO_INT("threads", YO_ON_CLI, "0", 0, 1024, "N", "threads; 0: one for each core"),
    YO_INT("seed", YO_ON_CLI, NULL, 0, 9e15, "N",
           "start of the random numbers: with --playouts and --threads 1, the same seed plays the "
           "same game; "
           "another one each time if not given"),
    YO_CLUSTER_ROWS,
    YO_ENGINE_ALL_ROWS,
    YO_PATTERNS_ROW,
    YO_STRING(
        "backend", YO_ON_CLI, "auto", "NAME",
        "what plays the playouts; `yomi devices` lists them. check:NAME compares all that one "
        "plays with the reference"),
    YO_BOOL("ascii", YO_ON_CLI, "false", "draw with plain characters and no colour"),
    YO_OPTIONS_END,
};

static const char *const usual[] = {
    "game",  "color",    "size",   "handicap", "komi", "rules",  "time",    "main-time", "byoyomi",
    "level", "playouts", "visits", "nodes",    "net",  "search", "threads", "ascii",     NULL};

const struct yo_command yo_command_play = {
    .name = "play",
    .summary = "play a game of Go or shogi in the terminal",
    .description =
        "Draws the board and takes moves (d4), pass, undo, hint, score, resign, new, save, "
        "help and quit, one a line, from the keyboard or from a pipe. The opponent reads "
        "ahead in a tree of moves, which a network evaluates, or random games (--search "
        "uct).\n\n"
        "With FILE the game in it goes on. On a terminal the game is kept in a file until "
        "you save it or forget it; the file is named when you leave. Ctrl-C while Yomi "
        "thinks makes it move.\n\n"
        "With --main-time or --byoyomi both sides have a clock, and a side whose time is up "
        "loses.\n\n"
        "With --game shogi moves are those of USI (7g7f, 8h2b+, P*5e) or Japanese, and save "
        "writes KIF, KI2, CSA or JKF.\n\n"
        "The board has colours if the terminal and its locale can show them. NO_COLOR leaves "
        "them out; TERM=dumb or --ascii make it plain.",
    .examples = "yomi play\n"
                "yomi play --size 13 --color white --time 5\n"
                "yomi play --handicap 4\n"
                "yomi play game.sgf\n"
                "yomi play --main-time 600 --byoyomi 30\n"
                "yomi play --game shogi --color white --time 3\n"
                "yomi play --color none --playouts 2000 --seed 1 </dev/null",
    .options = options,
    .usual = usual,
    .arguments =
        (const struct yo_argument[]){
            {.name = "FILE",
             .optional = true,
             .help = "a game to go on with: .sgf, or .kif, .kifu, .ki2, .ki2u, .csa, .jkf"},
            {.name = NULL},
        },
    .run = run,
};
