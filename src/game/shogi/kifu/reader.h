/* Shared by the readers of all formats: iterating over lines of UTF-8, and reporting the place of
 * an error. */
#pragma once

#include "game/shogi/kifu/record.h"

struct record_reader {
    const char *at, *line_end, *text_end; /* the text ends with a NUL */
    const char *line_start, *line_stop;   /* line_stop: before trimming, for comments */
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
enum yo_err yo_record_read_jkf(struct record_reader *r);
enum yo_err yo_record_read_usi(struct record_reader *r);

/* Writers. The text is UTF-8, but its header names `charset`. */
void yo_record_write_csa(const struct yo_shogi_record *record, const char *charset,
                         struct yo_buf *out);
void yo_record_write_kif(const struct yo_shogi_record *record, bool ki2, const char *charset,
                         struct yo_buf *out);
/* Levels of forks; more would be too many levels of JSON (base/json.h). */
enum { JKF_FORKS_MAX = 19 };
/* Leaves out forks that are nested too deep for JSON; the second says whether there are none. */
void yo_record_write_jkf(const struct yo_shogi_record *record, struct yo_buf *out);
bool yo_record_jkf_holds_forks(const struct yo_shogi_record *record);
/* Seconds that the side of this node's move has used so far. */
int64_t yo_record_total_seconds(const struct yo_shogi_record *record, int node);

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
/* The value of the header 手番. */
void yo_record_kif_turn(struct kif_setup *k);
/* Ends the setup and sets the first position. */
enum yo_err yo_record_kif_settle(struct kif_setup *k);

/* ---- Moves ---- */

/* "７六歩(77)", "同　銀右", "５五角打". *move is legal. previous is the target that 同 means. */
enum yo_err yo_record_kif_move(struct record_reader *r, int previous, yo_shogi_move *move);
/* A legal move in KI2's notation, with 同 if it goes to previous (or YO_SHOGI_NO_SQUARE). */
void yo_record_ki2_text(const struct yo_shogi_position *pos, yo_shogi_move move, int previous,
                        struct yo_buf *out);
/* The words that tell the piece from others, in JKF's letters: L, C or R, then U, M or D; H for a
 * drop where a piece on the board could go there. "" if none is needed. */
void yo_record_which_letters(const struct yo_shogi_position *pos, yo_shogi_move move, char out[4]);
/* A legal move in CSA's notation: "+7776FU". */
void yo_record_csa_text(const struct yo_shogi_position *pos, yo_shogi_move move,
                        struct yo_buf *out);
