/* One game of self-play: a state machine between two evaluations. Each step takes the network's
 * answer for the leaf that was asked, visits the tree, plays moves, ends the game and begins the
 * next one, until another leaf needs an answer. */
#pragma once

#include "eval/net/game.h"
#include "learn/netplay/gumbel.h"
#include "learn/netplay/root.h"
#include "learn/netplay/rules.h"
#include "learn/netplay/tree.h"
#include "search/guided/utility.h"

#define YO_NETPLAY_KEPT_MAX 8

struct yo_netplay_settings {
    const struct yo_netplay_rules *rules;
    const void *rules_settings;
    uint64_t seed;
    unsigned visits, fast_visits, cheap_visits; /* of a full search, a fast one, a decided game */
    double full_share;                          /* of the searches that are full */
    float noise, noise_alpha;
    struct yo_netplay_puct puct;
    const struct yo_netplay_puct *other_puct; /* of the second network of a match; NULL: the same */
    unsigned gumbel; /* full searches by sequential halving over so many moves; 0: PUCT */
    float score_static,
        score_dynamic; /* weights of points beside winning: search/guided/utility.h */
    float score_zero;
    float temperature, temperature_late; /* of the moves played */
    double opening;      /* length of the drawn opening, as a multiple of the rules' */
    float decided;       /* |wins - losses| at which a game counts as decided */
    double resign_share; /* of the decided games that end there; the others are played on */
    bool reuse;          /* keep the tree from move to move */
    /* Positions that the rules' solver looks at in each leaf, which then needs no answer if it is
     * won, and after each move, which then ends the game. 0: the solver is not asked. */
    unsigned leaf_proof, root_proof;
    /* Two networks play: the first has the side that moves first in games of even numbers. Games 2n
     * and 2n + 1 have the same setup and opening, which the first network draws. */
    bool match;
    /* Games from these setups, by their number, and so many moves long at most. NULL and 0: as the
     * rules have it. */
    size_t (*setup)(const void *setups, uint64_t number, uint8_t out[YO_NETPLAY_SETUP_MAX]);
    const void *setups;
    int length_max;
    const struct yo_net_game *coding; /* yo_netplay_run sets it from the network */
};

extern const struct yo_netplay_settings yo_netplay_defaults;

/* Counts over games. */
#define YO_NETPLAY_COUNTS(X)                                                                       \
    X(games)                                                                                       \
    X(first) /* won by the side that moves first */                                                \
    X(second)                                                                                      \
    X(won) /* in a match: by the first network */                                                  \
    X(lost)                                                                                        \
    X(draws)                                                                                       \
    X(moves)                                                                                       \
    X(targets) /* full searches */                                                                 \
    X(decided)                                                                                     \
    X(decided_wrong) /* played on, and not won by the side that was ahead */                       \
    X(resigned)                                                                                    \
    X(cut)                                                                                         \
    X(unfinished) /* at the end of a run that was stopped */                                       \
    X(evaluations)

struct yo_netplay_counts {
#define X(name) uint64_t name;
    YO_NETPLAY_COUNTS(X)
#undef X
};

/* What a thread lends to the games that it steps. */
struct yo_netplay_scratch {
    struct yo_netplay_tree spare;
    void *leaf; /* the position of the game's leaf, valid while it is stepped */
    yo_move *moves;
    float *logits;
    struct yo_netplay_target *targets;
    void *solver; /* of the rules' type; NULL: none */
    void (*solver_delete)(void *solver);
    struct yo_buf bytes;
    struct yo_netplay_counts counts; /* of all games that this thread ended */
};

struct yo_netplay_game {
    const struct yo_netplay_settings *settings;
    int size;
    void *game;   /* of the rules' type; NULL: idle */
    void *root;   /* position */
    void *memory; /* for the network's inputs; NULL: none */
    struct yo_netplay_tree tree;
    struct yo_netplay_path path;
    uint16_t *moves, *entries; /* of the leaf: its moves, and their entries in the policy */
    size_t move_count;
    int leaf_side, symmetry;
    int net;      /* which network is asked; 0 but in a match */
    bool waiting; /* for the answer about the leaf */
    int row;      /* of the leaf in its batch */
    /* For the network's inputs: what the leaf keeps, and what the two positions before the root
     * kept, as many as are known. */
    uint64_t kept[YO_NETPLAY_KEPT_MAX], before[2][YO_NETPLAY_KEPT_MAX];
    int before_count;
    struct yo_netplay_record record;
    uint64_t random;
    int opening;     /* drawn moves to come */
    unsigned budget; /* visits of this search; 0: not begun */
    struct yo_netplay_gumbel gumbel;
    struct yo_guided_scores scores; /* of this search */
    bool full, resigns;
    int ahead_for, ahead; /* moves for which this side (+1, -1) was far ahead */
    int decided;          /* the side that was ahead when the game was decided; 0: it is not */
};

enum yo_err yo_netplay_scratch_init(struct yo_netplay_scratch *scratch,
                                    const struct yo_netplay_settings *settings, int largest);
void yo_netplay_scratch_free(struct yo_netplay_scratch *scratch);

/* largest: of the sizes in this run, since games exchange their trees. */
enum yo_err yo_netplay_game_init(struct yo_netplay_game *g,
                                 const struct yo_netplay_settings *settings, int size, int largest);
void yo_netplay_game_free(struct yo_netplay_game *g);

/* Begins the game of this number. */
enum yo_err yo_netplay_game_begin(struct yo_netplay_game *g, uint64_t number, uint32_t net,
                                  struct yo_diag *diag);
/* Goes on with an unfinished game; takes over the record's arrays. Errors: the moves are illegal;
 * the game is idle then. */
enum yo_err yo_netplay_game_resume(struct yo_netplay_game *g, struct yo_netplay_record *record,
                                   struct yo_diag *diag);

/* Visits and plays until a leaf waits for an answer (*ended false: its position is scratch->leaf),
 * or the game has ended (*ended true: its record is complete). */
enum yo_err yo_netplay_game_go_on(struct yo_netplay_game *g, struct yo_netplay_scratch *scratch,
                                  bool *ended, struct yo_diag *diag);
