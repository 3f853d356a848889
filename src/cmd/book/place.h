/* A position of a book in either game: set up from its moves, searched, written into the book's
 * file. */
#pragma once

#include "base/buf.h"
#include "engine/session.h"

struct yo_book_place {
    enum yo_session_game game;
    struct yo_session *session;
    struct yo_search_limits limits; /* of each search */
};

/* The session's game becomes that after these moves; *key is the same for positions that have the
 * same book moves, *over: nothing is to be played there. */
enum yo_err yo_book_place_set(struct yo_book_place *place, const yo_move *moves, size_t count,
                              uint64_t *key, bool *over, struct yo_diag *diag);
/* Moves as text, between spaces or commas, at most `max`; whether they are legal, _set tells. */
enum yo_err yo_book_place_parse(const struct yo_book_place *place, const char *text, yo_move *moves,
                                size_t max, size_t *count, struct yo_diag *diag);
/* Searches that position for this many good moves. */
enum yo_err yo_book_place_search(struct yo_book_place *place, size_t lines,
                                 struct yo_search_result *result, struct yo_diag *diag);
/* Has the search looked at this move enough to trust its value? */
bool yo_book_place_trusts(const struct yo_book_place *place, const struct yo_search_result *result,
                          const struct yo_search_move *move);
