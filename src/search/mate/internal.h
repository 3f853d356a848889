/* What the files of the mate solver share: the search, the line it shows, futile interpositions. */
#pragma once

#include "search/mate/dfpn.h"
#include "search/mate/table.h"

/* Beyond either a search gives up a branch, and does not claim that there is no mate. */
enum { DFPN_MAX_PLY = 1024, DFPN_POOL = 1 << 17, DFPN_NOT_COUNTED = 0xffff };
/* So many nodes in turn with nothing new are no chance. */
enum { DFPN_CIRCLES = 100 };

/* Does it count as a move that the defender puts something between? */
enum dfpn_counting {
    DFPN_COUNTS, /* also for all that is no interposition */
    DFPN_OPEN,   /* an interposition, and not yet known */
    DFPN_FUTILE
};

/* What is known of a child for good. */
enum dfpn_final { DFPN_NOT_KNOWN, DFPN_PROVED, DFPN_DISPROVED };

struct dfpn_child {
    yo_shogi_move move;
    uint16_t loop;  /* the ply where the same position stands on the way here, or DFPN_NO_LOOP */
    uint16_t moves; /* how many moves there are after it, or DFPN_NOT_COUNTED */
    uint8_t counting, final;
    uint16_t distance;              /* if proved: plies to mate */
    yo_shogi_hand hand, final_hand; /* the attacker's; the one for which it is known */
    uint64_t board;
};

struct yo_dfpn {
    struct dfpn_table table;
    struct yo_dfpn_limits limits;
    const atomic_bool *stop;
    int attacker;
    int64_t started_ms;
    uint64_t nodes, new_at; /* new_at: nodes when something new was last looked at */
    uint64_t pause_at;      /* nodes after which this round ends; 0: no rounds */
    bool stopped, paused, gave_up;
    bool tsume; /* futile interpositions do not count, in this phase of the search */
    uint64_t path[DFPN_MAX_PLY + 1];
    struct dfpn_child *pool; /* the children of all nodes on the way, one after another */
    size_t pool_used;
};

struct dfpn_node {
    const struct yo_shogi_position *pos;
    bool attacks; /* the attacker is to move */
    int ply;
    uint16_t left;
    uint32_t way;
    uint64_t before; /* nodes when it was entered */
    bool open;       /* some child's counting is */
    struct dfpn_child *children;
    size_t count;
};

/* Is a move out of check neither the king's nor one that takes what checks? */
static inline bool dfpn_interposes(const struct yo_shogi_position *pos, yo_shogi_move move) {
    return shogi_from(move) != pos->king[pos->side] && !bb_has(pos->checkers, shogi_to(move));
}

/* ---- node.c ---- */
uint32_t yo_dfpn_way_after(uint32_t way, uint64_t hash);
/* Generates the moves of a node; false if it must be given up. */
bool yo_dfpn_expand(struct yo_dfpn *s, struct dfpn_node *n);
uint16_t yo_dfpn_left_below(const struct dfpn_node *n);
/* What is known of a child. */
struct dfpn_entry yo_dfpn_look(const struct yo_dfpn *s, const struct dfpn_node *n,
                               struct dfpn_child *child);

/* ---- search.c ---- */
void yo_dfpn_search(struct yo_dfpn *s, const struct yo_shogi_position *pos, int ply, uint16_t left,
                    uint32_t parent_way, uint32_t most_pn, uint32_t most_dn);

/* ---- futile.c ---- */
/* Marks what may turn out to be futile among the defender's moves; is there any? */
bool yo_dfpn_find_interpositions(struct dfpn_node *n);
/* Every move that counts was proved to lose within `others` plies, that move counted: are the open
 * ones on the square nearest to the king futile? */
void yo_dfpn_settle_nearest(struct yo_dfpn *s, struct dfpn_node *n, uint16_t others);

/* ---- line.c ---- */
void yo_dfpn_find_line(struct yo_dfpn *s, const struct yo_shogi_position *root, uint16_t left,
                       struct yo_dfpn_answer *answer);
