/* The opening book of Go in a session. */
#include "base/alloc.h"
#include "base/time.h"
#include "engine/internal.h"

enum yo_err yo_go_player_prepare_book(struct yo_session *s, struct yo_diag *diag) {
    struct go_player *p = &s->go_player;
    const char *name = yo_session_text(&s->options, "book");
    struct yo_diag own;
    bool limited =
        yo_options_int(&s->options, "playouts") > 0 || yo_options_int(&s->options, "visits") > 0;
    if (!name || !yo_book_is_used(name, limited)) name = YO_BOOK_OFF;
    if (!yo_session_is_new(p->book_asked, name)) return YO_OK;
    enum yo_err err = yo_session_remember(&p->book_asked, name);
    if (err) return err;
    yo_go_book_delete(p->book);
    p->book = NULL;
    err = yo_book_open_go(name, &p->book, diag ? diag : &own);
    if (!err || s->config.strict) return err;
    yo_session_tell_failure(s, "book:", diag ? diag : &own, "playing without a book");
    return YO_OK;
}

/* The draws go on from game to game, so that games differ. Only a seed that was asked for makes
 * them the same in another session. */
static uint64_t *random_of(struct yo_session *s) {
    struct go_player *p = &s->go_player;
    bool given = yo_options_given(&s->options, "seed");
    uint64_t now = (uint64_t)yo_time_ns();
    if (!p->book_draws)
        p->book_random = given ? (uint64_t)yo_options_int(&s->options, "seed") : now;
    p->book_draws = true;
    return &p->book_random;
}

enum yo_err yo_session_book(struct yo_session *s, enum yo_go_color color,
                            struct yo_search_result *result, bool *found, struct yo_diag *diag) {
    struct go_player *p = &s->go_player;
    struct yo_go_book_move move;
    enum yo_err err = yo_go_player_prepare(s, diag);
    p->book_move = (struct yo_search_move){0};
    *found = !err && yo_book_draw_go(p->book, s->go, color, random_of(s), &move);
    if (!*found) return err;
    char text[8];
    p->book_line[0] = move.move;
    p->book_move.move = move.move;
    p->book_move.winrate_to_move = move.winrate_to_move < 0 ? 0.5 : move.winrate_to_move;
    p->book_move.pv = p->book_line;
    p->book_move.pv_count = 1;
    *result = (struct yo_search_result){.moves = &p->book_move, .move_count = 1};
    if (!s->config.quiet)
        yo_session_notice(s, "%s is a move of the book",
                          yo_go_point_format(move.move, yo_go_game_size(s->go), text));
    return YO_OK;
}

bool yo_session_is_in_book(const struct yo_session *s) { return s->go_player.book_move.pv_count; }

bool yo_go_player_is_book(const struct yo_session *s, const struct yo_search_result *result) {
    return result->moves == &s->go_player.book_move && yo_session_is_in_book(s);
}

void yo_go_player_free_book(struct yo_session *s) {
    yo_go_book_delete(s->go_player.book);
    yo_free(s->go_player.book_asked);
}
