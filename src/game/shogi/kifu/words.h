/* The vocabulary of game records: names of pieces, ends, handicaps and headers. */
#pragma once

#include "game/shogi/kifu/record.h"

/* By kind: "FU" for a pawn, "TO" for a promoted one; NULL if there is none. */
extern const char *const yo_shogi_csa_pieces[YO_SHOGI_KINDS];
/* "歩", "成香"; and alternative names ("王", "杏", "竜"), or NULL. */
extern const char *const yo_shogi_kif_pieces[YO_SHOGI_KINDS];
extern const char *const yo_shogi_kif_pieces_too[YO_SHOGI_KINDS];
/* One character each, for diagrams. */
extern const char *const yo_shogi_kif_short_pieces[YO_SHOGI_KINDS];
/* "１" and "一", from 0. */
extern const char *const yo_shogi_wide_digits[9];
extern const char *const yo_shogi_kanji_digits[9];

extern const char *const yo_shogi_csa_ends[YO_SHOGI_ENDS];
extern const char *const yo_shogi_kif_ends[YO_SHOGI_ENDS];

/* The i-th handicap's name and SFEN, the even game first; NULL past the last. */
const char *yo_shogi_handicap(size_t i, const char **sfen);
/* The name of the handicap with this first position, or NULL. */
const char *yo_shogi_handicap_name(const struct yo_shogi_position *pos);
/* JKF's name of the handicap with this first position, and the SFEN of a name; NULL if there is
 * none. */
const char *yo_shogi_jkf_preset(const struct yo_shogi_position *pos);
const char *yo_shogi_jkf_start(const char *preset);

/* Convert between CSA's name of a header ("$EVENT") and KIF's; NULL if the other format has
 * none. */
const char *yo_shogi_header_from_csa(const char *key);
const char *yo_shogi_header_to_csa(const char *key);
/* Is this header of KIF a part of the first position? Other formats have that elsewhere. */
bool yo_shogi_header_is_setup(const char *key);
