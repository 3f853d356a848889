/* Shared by the readers of all formats: iterating over lines of UTF-8, and reporting the place of
 * an error. */
#pragma once

#include "game/shogi/kifu/record.h"

struct record_reader {
    const char *at, *line_end, *text_end; /* the text ends with a NUL */
    const char *line_start;
    int line;
    const char *name;
    struct yo_shogi_record *record;
    struct yo_shogi_position pos; /* after `node` */
    int node;
    bool positioned; /* the first position is complete; moves may follow */
    struct yo_diag *diag;
};

/* Goes to the next line and trims white space at its end; false at the end of the text. */
bool yo_record_next_line(struct record_reader *r);
static inline bool record_at_end(const struct record_reader *r) { return r->at >= r->line_end; }
/* Skips spaces, tabs and the ideographic space. */
void yo_record_skip_space(struct record_reader *r);
/* If the rest of the line begins with this word, skips it and returns true. */
bool yo_record_take(struct record_reader *r, const char *word);
/* A whole number from 0 to limit in ASCII digits; -1 if there is none. */
int64_t yo_record_number(struct record_reader *r, int64_t limit);

/* The first position while reading: pieces are placed as they are named, and checked only
 * together. */
struct record_setup {
    yo_shogi_piece board[YO_SHOGI_SQUARES];
    int hands[2][YO_SHOGI_KING];
};

enum yo_err yo_record_fail(const struct record_reader *r, enum yo_err err, const char *what);
/* Sets the first position, with this side to move; moves may follow. */
enum yo_err yo_record_settle(struct record_reader *r, const struct record_setup *setup, int side);
/* Adds a move, which must be legal, or an end, and steps to its node. */
enum yo_err yo_record_add_move(struct record_reader *r, yo_shogi_move move);
enum yo_err yo_record_add_end(struct record_reader *r, enum yo_shogi_end end);

/* Readers of the formats. Each expects a new record. */
enum yo_err yo_record_read_csa(struct record_reader *r);
enum yo_err yo_record_read_kif(struct record_reader *r); /* KI2 too */

/* Writers. The text is UTF-8, but its header names `charset`. */
void yo_record_write_csa(const struct yo_shogi_record *record, const char *charset,
                         struct yo_buf *out);
void yo_record_write_kif(const struct yo_shogi_record *record, bool ki2, const char *charset,
                         struct yo_buf *out);

/* ---- KIF's first position ---- */

struct kif_setup {
    struct record_reader *r;
    struct record_setup pieces;
    const char *handicap; /* SFEN of the named handicap, if any */
    bool diagram;         /* a board was drawn */
    int rows, side;
};

/* Read a line of the board after its "|", a hand after its key, a handicap's name, the side to move
 * (true if there is one). */
enum yo_err yo_record_kif_row(struct kif_setup *k);
enum yo_err yo_record_kif_hand(struct kif_setup *k, int side);
enum yo_err yo_record_kif_handicap(struct kif_setup *k);
bool yo_record_kif_side(struct kif_setup *k);
/* Ends the setup and sets the first position. */
enum yo_err yo_record_kif_settle(struct kif_setup *k);

/* ---- Moves ---- */

/* "７六歩(77)", "同　銀右", "５五角打". *move is legal. previous is the target that 同 means. */
enum yo_err yo_record_kif_move(struct record_reader *r, int previous, yo_shogi_move *move);
/* A legal move in KI2's notation, with 同 if it goes to previous (or YO_SHOGI_NO_SQUARE). */
void yo_record_ki2_text(const struct yo_shogi_position *pos, yo_shogi_move move, int previous,
                        struct yo_buf *out);
/* A legal move in CSA's notation: "+7776FU". */
void yo_record_csa_text(const struct yo_shogi_position *pos, yo_shogi_move move,
                        struct yo_buf *out);
