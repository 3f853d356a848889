/* yomi book: makes an opening book by search. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "cmd/book/write.h"
#include "cmd/command.h"
#include "cmd/progress.h"
#include "engine/options.h"

/* Positions whose move is refuted by much are not worth an answer in the book. */
#define KEEP 0.08
/* Somewhat more than engine/book.c draws from: these are checked by a search of their own. */
#define PLAY 0.025
/* Moves of --after. */
enum { AFTER_MAX = 30 };

static void show(void *user, size_t searches, size_t expected) {
    yo_progress_say(user, (double)searches, (double)expected, "%zu of about %zu searches", searches,
                    expected);
}

static enum yo_err open_session(const struct yo_options *o, struct yo_book_place *place,
                                struct yo_diag *diag) {
    bool go = strcmp(yo_options_text(o, "game"), "go") == 0;
    struct yo_session_config config = {.game = go ? YO_SESSION_GO : YO_SESSION_SHOGI,
                                       .options = o,
                                       .strict = true,
                                       .notices = yo_cmd_notices};
    place->game = config.game;
    if (go)
        place->limits.visits = (uint64_t)yo_options_int(o, "visits");
    else
        place->limits.nodes = (uint64_t)yo_options_int(o, "nodes");
    enum yo_err err = yo_session_new(&config, &place->session, diag);
    if (!err) err = yo_session_set(place->session, YO_EVERYWHERE, "visits", "0", diag);
    if (!err && !go) err = yo_session_set(place->session, YO_EVERYWHERE, "net", "", diag);
    if (!err && go)
        err = yo_go_game_clear(yo_session_go(place->session), (int)yo_options_int(o, "size"));
    return err;
}

static enum yo_err read_after(const struct yo_book_place *place, const struct yo_options *o,
                              yo_move *moves, size_t *count, struct yo_diag *diag) {
    const char *text = yo_options_text(o, "after");
    return text ? yo_book_place_parse(place, text, moves, AFTER_MAX, count, diag) : YO_OK;
}

static enum yo_err write_book(const char *path, const struct yo_buf *text, struct yo_diag *diag) {
    if (strcmp(path, "-") != 0) return yo_file_replace(path, yo_buf_text(text), text->len, diag);
    int why = yo_file_write(STDOUT_FILENO, yo_buf_text(text), text->len);
    return why ? yo_diag_set(diag, YO_ERR_IO, "cannot write: %s", strerror(why)) : YO_OK;
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    static const char *const of_go[] = {"size", "visits", "net", NULL};
    static const char *const of_shogi[] = {"nodes", "eval", NULL};
    bool go = strcmp(yo_options_text(o, "game"), "go") == 0;
    struct yo_book_place place = {0};
    struct yo_book_tree tree = {0};
    struct yo_progress progress = {0};
    struct yo_buf text = {0};
    yo_move after[AFTER_MAX];
    struct yo_book_growth growth = {.after = after,
                                    .positions = (size_t)yo_options_int(o, "positions"),
                                    .width = (size_t)yo_options_int(o, "width"),
                                    .keep = KEEP,
                                    .play = PLAY,
                                    .plies = (int)yo_options_int(o, "plies"),
                                    .progress = show,
                                    .user = &progress};
    const char *path = yo_options_argument(o, 0);
    enum yo_err err = yo_options_refuse(o, go ? of_shogi : of_go, go ? "Go" : "shogi", diag);
    if (!err && strcmp(path, "-") != 0) err = yo_file_can_replace(path, diag);
    if (!err) err = open_session(o, &place, diag);
    if (!err) err = read_after(&place, o, after, &growth.after_count, diag);
    if (!err) err = yo_book_grow(&place, &growth, &tree, diag);
    yo_progress_hide(&progress);
    if (!err) err = yo_book_write(&place, &tree, KEEP, &text, diag);
    if (!err) err = write_book(path, &text, diag);
    if (!err)
        fprintf(stderr, "%zu moves of %zu positions, %zu searches\n", tree.count - 1,
                growth.positions, tree.searches);
    yo_buf_free(&text);
    yo_book_tree_free(&tree);
    yo_session_delete(place.session);
    return err;
}

static const char *const games[] = {"go", "shogi", NULL};

const struct yo_command yo_command_book = {
    .name = "book",
    .summary = "make an opening book",
    .description =
        "Yomi plays the opening with itself: the most promising position is searched, its good "
        "moves make new positions, and so on. Then every move that may be played is checked by a "
        "search of the position after it, and values go back to the beginning. The file is SGF "
        "with variations for Go, YaneuraOu's text format for shogi; --book takes it. The same "
        "command makes the same book with --threads 1.",
    .examples = "yomi book --size 9 --positions 200 --visits 400 --threads 1 go-9.sgf\n"
                "yomi book --game shogi --positions 200 --nodes 300000 --threads 1 shogi.db",
    .options =
        (const struct yo_option[]){
            YO_CHOICE("game", YO_ON_CLI, "go", games, "GAME", "the game"),
            YO_INT("size", YO_ON_CLI, "19", YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, "N", "Go: board size"),
            YO_INT("positions", YO_ON_CLI, "200", 1, 100000, "N", "positions with moves"),
            YO_INT("width", YO_ON_CLI, "4", 1, 30, "N", "moves a position, at most"),
            YO_INT("plies", YO_ON_CLI, "30", 1, 60, "N", "depth, at most"),
            YO_STRING("after", YO_ON_CLI, NULL, "MOVES", "begin after these, such as \"E5 C3\""),
            YO_INT("visits", YO_ON_CLI, "400", 1, 1e9, "N", "Go: visits of each search"),
            YO_INT("nodes", YO_ON_CLI, "300000", 1, 1e12, "N", "shogi: nodes of each search"),
            YO_INT("threads", YO_ON_CLI, "1", 1, 512, "N", "threads that search"),
            YO_INT("seed", YO_ON_CLI, "1", 0, 9e15, "N", "start of the random numbers"),
            YO_STRING("net", YO_ON_CLI, "auto", "FILE", "Go: the network; or builtin, or none"),
            YO_STRING("eval", YO_ON_CLI, YO_SHOGI_EVAL_DEFAULT, "FILE",
                      "shogi: the network, a file of YaneuraOu's format; or builtin, or material"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "FILE", .help = "the book; - for standard output"},
            {.name = NULL},
        },
    .run = run,
};
