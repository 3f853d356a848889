/* Shared by the files of the mate solver: the search, its line, futile interpositions. */
#pragma once

#include "search/mate/dfpn.h"
#include "search/mate/table.h"

/* Beyond DFPN_MAX_PLY or DFPN_POOL the search gives up a branch and does not report "no mate". */
enum { DFPN_MAX_PLY = 1024, DFPN_POOL = 1 << 17, DFPN_NOT_COUNTED = 0xffff };
/* After this many nodes without a new one, the search is in a cycle. */
enum { DFPN_CIRCLES = 100 };

/* Whether a defender's move counts as a ply. */
enum dfpn_counting {
    DFPN_COUNTS, /* it does; so do all moves that are no interpositions */
    DFPN_OPEN,   /* an interposition, not yet decided */
    DFPN_FUTILE
};

/* The final result of a child. */
enum dfpn_final { DFPN_NOT_KNOWN, DFPN_PROVED, DFPN_DISPROVED };

struct dfpn_child {
    yo_shogi_move move;
    uint16_t loop;  /* the ply of the same position on the path, or DFPN_NO_LOOP */
    uint16_t moves; /* number of replies, or DFPN_NOT_COUNTED */
    uint8_t counting, final;
    uint16_t distance;              /* if proved: plies to mate */
    yo_shogi_hand hand, final_hand; /* the attacker's; the one for which `final` holds */
    uint64_t board;
};

struct yo_dfpn {
    struct dfpn_table table;
    struct yo_dfpn_limits limits;
    const atomic_bool *stop;
    int attacker;
    int64_t started_ms;
    uint64_t nodes, new_at; /* new_at: nodes when a new child was last searched */
    uint64_t pause_at;      /* nodes after which this round ends; 0: no rounds */
    bool stopped, paused, gave_up;
    bool tsume; /* futile interpositions do not count, in this phase of the search */
    uint64_t path[DFPN_MAX_PLY + 1];
    struct dfpn_child *pool; /* the children of all nodes on the path, in sequence */
    size_t pool_used;
};

struct dfpn_node {
    const struct yo_shogi_position *pos;
    bool attacks; /* the attacker is to move */
    int ply;
    uint16_t left;
    uint32_t way;
    uint64_t before; /* nodes when it was entered */
    bool open;       /* some child's counting is DFPN_OPEN */
    struct dfpn_child *children;
    size_t count;
};

/* Is an evasion neither a king move nor a capture of the checking piece? */
static inline bool dfpn_interposes(const struct yo_shogi_position *pos, yo_shogi_move move) {
    return shogi_from(move) != pos->king[pos->side] && !bb_has(pos->checkers, shogi_to(move));
}

/* ---- node.c ---- */
uint32_t yo_dfpn_way_after(uint32_t way, uint64_t hash);
/* Generates the moves of a node; false if the node is given up. */
bool yo_dfpn_expand(struct yo_dfpn *s, struct dfpn_node *n);
uint16_t yo_dfpn_left_below(const struct dfpn_node *n);
/* The entry of a child: from the table, or a first estimate. */
struct dfpn_entry yo_dfpn_look(const struct yo_dfpn *s, const struct dfpn_node *n,
                               struct dfpn_child *child);

/* ---- search.c ---- */
void yo_dfpn_search(struct yo_dfpn *s, const struct yo_shogi_position *pos, int ply, uint16_t left,
                    uint32_t parent_way, uint32_t most_pn, uint32_t most_dn);

/* ---- futile.c ---- */
/* Marks the defender's interpositions that may be futile; returns whether there is one. */
bool yo_dfpn_find_interpositions(struct dfpn_node *n);
/* Every move that counts is proved to lose within `others` plies, that move included. Decides
 * whether the open interpositions on the square nearest to the king are futile. */
void yo_dfpn_settle_nearest(struct yo_dfpn *s, struct dfpn_node *n, uint16_t others);

/* ---- line.c ---- */
void yo_dfpn_find_line(struct yo_dfpn *s, const struct yo_shogi_position *root, uint16_t left,
                       struct yo_dfpn_answer *answer);
