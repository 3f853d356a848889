/* yomi perft: counts sequences of legal moves, a test of the rules. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/time.h"
#include "cmd/command.h"
#include "game/go/perft.h"
#include "game/shogi/movegen.h"
#include "game/shogi/perft.h"
#include "game/shogi/text.h"

static double now_s(void) { return 1e-9 * (double)yo_time_ns(); }

static void print_count(int depth, uint64_t count, double seconds) {
    double millions = seconds > 0 ? 1e-6 * (double)count / seconds : 0;
    printf("depth %2d  %20" PRIu64 "  %9.3f s  %9.2f M/s\n", depth, count, seconds, millions);
    fflush(stdout);
}

/* ---- Go ---- */

static void count_go(const struct yo_go_position *root, int depth, bool passes) {
    for (int d = 1; d <= depth; d++) {
        double start = now_s();
        uint64_t count = yo_go_perft(root, d, passes);
        print_count(d, count, now_s() - start);
    }
}

static void divide_go(const struct yo_go_position *root, int depth, bool passes) {
    yo_go_point moves[YO_GO_POINTS_MAX + 1];
    size_t move_count = yo_go_perft_moves(root, passes, moves);
    double start = now_s();
    uint64_t total = 0;
    for (size_t i = 0; i < move_count; i++) {
        struct yo_go_position next = *root;
        char text[8];
        yo_go_position_play(&next, moves[i]);
        uint64_t count = yo_go_perft(&next, depth - 1, passes);
        printf("%-4s %" PRIu64 "\n", yo_go_point_format(moves[i], root->board.geometry->size, text),
               count);
        total += count;
    }
    print_count(depth, total, now_s() - start);
}

static enum yo_err run_go(const struct yo_options *options, struct yo_diag *diag) {
    struct yo_go_rules rules = yo_go_rules_default;
    const char *name = yo_options_text(options, "rules");
    if (name && yo_go_rules_parse(name, &rules, diag)) return YO_ERR_ARGUMENT;
    struct yo_go_game *game;
    enum yo_err err = yo_go_game_new((int)yo_options_int(options, "size"), &rules, &game);
    if (err) return err;
    struct yo_go_position root;
    yo_go_position_from_game(game, &root);
    int depth = (int)yo_options_int(options, "depth");
    bool passes = yo_options_bool(options, "passes");
    if (yo_options_bool(options, "divide"))
        divide_go(&root, depth, passes);
    else
        count_go(&root, depth, passes);
    yo_go_game_delete(game);
    return YO_OK;
}

/* ---- Shogi ---- */

static void count_shogi(const struct yo_shogi_position *root, int depth) {
    for (int d = 1; d <= depth; d++) {
        double start = now_s();
        uint64_t count = yo_shogi_perft(root, d);
        print_count(d, count, now_s() - start);
    }
}

static void divide_shogi(const struct yo_shogi_position *root, int depth) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t move_count = yo_shogi_legal_moves(root, moves);
    double start = now_s();
    uint64_t total = 0;
    for (size_t i = 0; i < move_count; i++) {
        struct yo_shogi_position next = *root;
        char text[YO_SHOGI_MOVE_TEXT];
        yo_shogi_play(&next, moves[i]);
        uint64_t count = yo_shogi_perft(&next, depth - 1);
        printf("%-5s %" PRIu64 "\n", yo_shogi_move_format(moves[i], text), count);
        total += count;
    }
    print_count(depth, total, now_s() - start);
}

static enum yo_err run_shogi(const struct yo_options *options, struct yo_diag *diag) {
    struct yo_shogi_position root;
    const char *sfen = yo_options_text(options, "sfen");
    if (yo_shogi_sfen_parse(sfen ? sfen : YO_SHOGI_START, &root, diag) != YO_OK)
        return YO_ERR_ARGUMENT;
    int depth = (int)yo_options_int(options, "depth");
    if (yo_options_bool(options, "divide"))
        divide_shogi(&root, depth);
    else
        count_shogi(&root, depth);
    return YO_OK;
}

/* ---- The command ---- */

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    static const char *const of_go[] = {"size", "rules", "passes", NULL};
    static const char *const of_shogi[] = {"sfen", NULL};
    bool shogi = strcmp(yo_options_argument(options, 0), "shogi") == 0;
    enum yo_err err =
        yo_options_refuse(options, shogi ? of_go : of_shogi, shogi ? "shogi" : "Go", diag);
    if (err) return err;
    return shogi ? run_shogi(options, diag) : run_go(options, diag);
}

static const char *const games[] = {"go", "shogi", NULL};

const struct yo_command yo_command_perft = {
    .name = "perft",
    .summary = "count sequences of legal moves, to check the rules",
    .description =
        "Counts how many sequences of legal moves of each length there are from the empty board "
        "of Go, or from a position of shogi, and how fast they were counted. Correct programs "
        "agree on every count, so a difference "
        "is an error in one of them; docs/perft.md holds a table. Superko and suicide are as the "
        "rules say.",
    .examples = "yomi perft go --size 3 --depth 7\n"
                "yomi perft go --size 5 --depth 4 --rules tromp-taylor --divide\n"
                "yomi perft shogi --depth 5\n"
                "yomi perft shogi --sfen '7lk/9/8S/9/9/9/9/7L1/8K b P 1' --depth 4",
    .options =
        (const struct yo_option[]){
            YO_INT("size", YO_ON_CLI, "9", YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, "N", "Go: board size"),
            YO_INT("depth", YO_ON_CLI, "3", 1, YO_GO_RECENT, "N", "length of the sequences"),
            YO_STRING("rules", YO_ON_CLI, NULL, "RULES",
                      "Go: tromp-taylor, chinese, japanese, aga, new-zealand and others, or a JSON "
                      "object in KataGo's form; if not given: positional superko, no suicide"),
            YO_BOOL("passes", YO_ON_CLI, "false",
                    "Go: count a pass as a move; two in a row end a game"),
            YO_STRING("sfen", YO_ON_CLI, NULL, "SFEN", "shogi: a position other than the start"),
            YO_BOOL("divide", YO_ON_CLI, "false",
                    "show the count behind each first move instead of each length"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "GAME", .choices = games, .help = "the game whose moves to count"},
            {.name = NULL},
        },
    .run = run,
};
