/* A mate solver for shogi: depth-first proof-number search over checks and their answers, in a
 * table of fixed size. The side to move at the root is the one that mates.
 *
 * A proof holds even if the table has lost entries below it. A disproof that depends on a
 * repetition holds only on the path where it was found; it is stored with the signature of that
 * path, so "no mate" is reliable too. */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "game/shogi/position.h"

enum yo_dfpn_result { YO_DFPN_MATE, YO_DFPN_NO_MATE, YO_DFPN_UNKNOWN };

enum { YO_DFPN_LINE = 2048 };

/* Whether to find the shortest mate, and which plies count. */
enum yo_dfpn_shortest {
    YO_DFPN_ANY,
    YO_DFPN_ALL_COUNTS, /* every move counts */
    YO_DFPN_TSUME /* futile interpositions do not, as in tsume (futile.c has the rule). The line
                     ends where the defender has only futile interpositions */
};

/* Zero means no such limit. */
struct yo_dfpn_limits {
    uint64_t nodes;
    int64_t time_ms;
    int plies; /* maximum length of the mate; every ply counts */
    enum yo_dfpn_shortest shortest;
};

struct yo_dfpn_answer {
    enum yo_dfpn_result result;
    yo_shogi_move line[YO_DFPN_LINE]; /* the mate: both sides' moves */
    size_t length;
    bool shortest; /* the line is a shortest mate, as requested */
    uint64_t nodes;
    int64_t elapsed_ms;
};

struct yo_dfpn;

enum yo_err yo_dfpn_new(size_t table_mb, struct yo_dfpn **solver);
void yo_dfpn_delete(struct yo_dfpn *solver);
/* Blocks until solved, a limit, or *stop, which may be NULL. Nothing is kept from call to call. */
void yo_dfpn_solve(struct yo_dfpn *solver, const struct yo_shogi_position *root,
                   const struct yo_dfpn_limits *limits, const atomic_bool *stop,
                   struct yo_dfpn_answer *answer);
/* Whether so many nodes find a mate, whose line the answer has. */
bool yo_dfpn_mates(struct yo_dfpn *solver, const struct yo_shogi_position *root, uint64_t nodes,
                   const atomic_bool *stop, struct yo_dfpn_answer *answer);
