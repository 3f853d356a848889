/* yomi mate: solves shogi mate problems. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/file.h"
#include "cmd/command.h"
#include "game/shogi/text.h"
#include "search/mate/dfpn.h"

/* Some editors begin a file with it. */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct tally {
    int mates, none, unknown;
    int64_t longest_ms;
    uint64_t nodes;
};

/* A line is a SFEN, or tab-separated columns of which the first valid SFEN counts. */
static enum yo_err read_problem(char *line, struct yo_shogi_position *pos, struct yo_diag *diag) {
    struct yo_diag first = {0}, other;
    char *rest = line, *column;
    line[strcspn(line, "\r\n")] = '\0';
    while ((column = strsep(&rest, "\t"))) {
        if (yo_shogi_sfen_parse(column, pos, first.err ? &other : &first) == YO_OK) return YO_OK;
    }
    *diag = first;
    return first.err;
}

static void print_answer(int number, const struct yo_dfpn_answer *answer,
                         const struct yo_dfpn_limits *limits) {
    static const char *const words[] = {"mate", "no mate", "not solved"};
    printf("%d: %s", number, words[answer->result]);
    if (answer->result == YO_DFPN_MATE) printf(" in %zu:", answer->length);
    if (answer->result == YO_DFPN_NO_MATE && limits->plies)
        printf(" within %d %s", limits->plies, limits->plies == 1 ? "ply" : "plies");
    for (size_t i = 0; i < answer->length; i++) {
        char text[YO_SHOGI_MOVE_TEXT];
        printf(" %s", yo_shogi_move_format(answer->line[i], text));
    }
    if (limits->shortest && answer->result == YO_DFPN_MATE && !answer->shortest)
        printf("; shorter ones were not ruled out");
    printf("  (%" PRIu64 " nodes, %" PRId64 " ms)\n", answer->nodes, answer->elapsed_ms);
    fflush(stdout);
}

static void count_answer(struct tally *tally, const struct yo_dfpn_answer *answer) {
    tally->mates += answer->result == YO_DFPN_MATE;
    tally->none += answer->result == YO_DFPN_NO_MATE;
    tally->unknown += answer->result == YO_DFPN_UNKNOWN;
    tally->nodes += answer->nodes;
    if (answer->elapsed_ms > tally->longest_ms) tally->longest_ms = answer->elapsed_ms;
}

static enum yo_err solve_file(FILE *file, const char *name, struct yo_dfpn *solver,
                              const struct yo_dfpn_limits *limits, struct tally *tally,
                              struct yo_diag *diag) {
    char *line = NULL;
    size_t cap = 0;
    enum yo_err err = YO_OK;
    struct yo_dfpn_answer *answer = yo_alloc(1, sizeof *answer);
    if (!answer) err = YO_ERR_NOMEM;
    for (int number = 1; !err && getline(&line, &cap, file) >= 0; number++) {
        struct yo_shogi_position pos;
        char *text = line;
        if (number == 1 && strncmp(text, BYTE_ORDER_MARK, 3) == 0) text += 3;
        if (text[0] == '#' || text[strspn(text, " \t\r\n")] == '\0') continue;
        if ((err = read_problem(text, &pos, diag))) {
            yo_diag_where(diag, name, number, diag->column);
            break;
        }
        yo_dfpn_solve(solver, &pos, limits, NULL, answer);
        print_answer(number, answer, limits);
        count_answer(tally, answer);
    }
    if (!err) err = yo_file_ended(file, name, diag);
    yo_free(answer);
    free(line);
    return err;
}

static enum yo_dfpn_shortest choose_shortest(const struct yo_options *options) {
    if (!yo_options_bool(options, "shortest")) return YO_DFPN_ANY;
    return yo_options_bool(options, "count-futile") ? YO_DFPN_ALL_COUNTS : YO_DFPN_TSUME;
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    const char *path = yo_options_argument(options, 0);
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    if (!file) return yo_diag_set(diag, YO_ERR_IO, "cannot open %.150s: %s", path, strerror(errno));
    struct yo_dfpn *solver = NULL;
    struct tally tally = {0};
    struct yo_dfpn_limits limits = {.nodes = (uint64_t)yo_options_int(options, "nodes"),
                                    .time_ms = (int64_t)(1000 * yo_options_real(options, "time")),
                                    .plies = (int)yo_options_int(options, "plies"),
                                    .shortest = choose_shortest(options)};
    enum yo_err err = yo_dfpn_new((size_t)yo_options_int(options, "hash"), &solver);
    if (!err) err = solve_file(file, standard ? "-" : path, solver, &limits, &tally, diag);
    yo_dfpn_delete(solver);
    if (!standard) fclose(file);
    if (!err)
        printf("%d mates, %d without mate, %d not solved; %" PRIu64 " nodes, longest %" PRId64
               " ms\n",
               tally.mates, tally.none, tally.unknown, tally.nodes, tally.longest_ms);
    return err;
}

const struct yo_command yo_command_mate = {
    .name = "mate",
    .summary = "solve shogi mate problems",
    .description =
        "Reads positions, one SFEN a line, and looks for a mate by checks alone, for the "
        "side to move. Prints the mating line, or that there is no mate (which is then "
        "proved; with --plies, none within so many), or that a limit ended the search. In a "
        "table with tabs between columns, the first column that is a SFEN is read. Empty "
        "lines and those that begin with # are skipped.\n\n"
        "With --shortest, moves are counted as in tsume: a piece put between the king and "
        "the piece that checks it from afar does not count if it is futile, that is, if the "
        "checking piece can take it and then mates in no more moves than against the other "
        "answers, without using what it took. The line ends where the defender has nothing "
        "else left.",
    .examples = "yomi mate problems.txt\n"
                "echo '7k1/9/7P1/9/9/9/9/9/9 b G 1' | yomi mate - --shortest",
    .options =
        (const struct yo_option[]){
            YO_BOOL("shortest", YO_ON_CLI, "false",
                    "find a shortest mate, not just any; counted as in tsume"),
            YO_BOOL("count-futile", YO_ON_CLI, "false",
                    "with --shortest: futile interpositions count, too"),
            YO_INT("plies", YO_ON_CLI, "0", 0, 999, "N",
                   "look for mates of at most so many plies; 0 for any"),
            YO_INT("nodes", YO_ON_CLI, "0", 0, 1e15, "N", "positions to look at; 0 for no limit"),
            YO_REAL("time", YO_ON_CLI, "0", 0, 1e6, "S", "seconds for each; 0 for no limit"),
            YO_INT("hash", YO_ON_CLI, "64", 1, 65536, "MB", "size of the table"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "FILE", .help = "the problems; - for standard input"},
            {.name = NULL},
        },
    .run = run,
};
