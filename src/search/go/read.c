#include "search/go/read.h"

#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "game/go/shape.h"

#define TABLE_BITS 15
#define DEPTH_MAX  64
#define MOVES_MAX  48
#define INFINITE   UINT32_C(100000000)

/* ---- positions ---- */

/* First the attacker hunts the prey; if its capture may be punished, the defender then hunts the
 * string that captured. The hunter never passes: a hunter without a move has failed. */
struct node {
    struct yo_go_board board;
    enum yo_go_color to_move;
    yo_go_point prey;
    bool punishing;
};

struct bounds {
    uint32_t pn, dn; /* of "the prey of the problem is captured" */
};

struct entry {
    uint64_t key;
    struct bounds bounds;
};

struct yo_go_reader {
    struct entry table[1 << TABLE_BITS];
    const struct yo_go_read_problem *problem;
    enum yo_go_color attacker;
    unsigned nodes;
    bool gave_up;
    uint64_t path[DEPTH_MAX + 1];
};

/* A move with the position after it, as far as it is needed to choose. */
struct option {
    yo_go_point move;
    uint64_t key;
    bool decided; /* the bounds are final */
    struct bounds bounds;
};

/* May not retake a ko at once. The other side ignores kos, so that the ko point makes no difference
 * to a position with that side to move. */
static bool minds_ko(const struct yo_go_reader *r, const struct node *n) {
    return (n->to_move == r->attacker) == r->problem->defender_has_threats;
}

static uint64_t key_of(const struct yo_go_reader *r, const struct node *n) {
    uint64_t ko = minds_ko(r, n) ? n->board.ko : YO_GO_NONE;
    uint64_t rest = (uint64_t)n->prey << 16 | ko << 3 | (uint64_t)n->punishing << 2 |
                    (uint64_t)(r->attacker == YO_GO_WHITE) << 1 | (n->to_move == YO_GO_WHITE);
    return n->board.hash ^ yo_splitmix64(&rest);
}

static struct entry *entry_of(struct yo_go_reader *r, uint64_t key) {
    return &r->table[key >> (64 - TABLE_BITS)];
}

static bool is_hunter(const struct yo_go_reader *r, const struct node *n) {
    return (n->to_move == r->attacker) != n->punishing;
}

static bool is_legal(const struct yo_go_reader *r, const struct node *n, yo_go_point p) {
    const struct yo_go_board *b = &n->board;
    if (!r->problem->zone[p] || b->color[p] != YO_GO_EMPTY) return false;
    if (b->ko == p && minds_ko(r, n)) return false;
    return !yo_go_bit(b->eye[n->to_move], p) && !yo_go_board_is_suicide(b, n->to_move, p);
}

/* Does the string at p touch a stone of the other side outside the zone? Those are safe. */
static bool touches_safe(const struct yo_go_reader *r, const struct yo_go_board *b, yo_go_point p) {
    unsigned stone = p;
    do {
        for (int d = 0; d < 4; d++) {
            unsigned q = b->geometry->nbr[stone][d];
            if (b->color[q] == yo_go_other((enum yo_go_color)b->color[p]) && !r->problem->zone[q])
                return true;
        }
        stone = b->next[stone];
    } while (stone != p);
    return false;
}

/* Has the prey a liberty outside the zone? Nobody fills that one: it is not captured. */
static bool escapes(const struct yo_go_reader *r, const struct node *n) {
    const struct yo_go_board *b = &n->board;
    unsigned stone = n->prey;
    do {
        for (int d = 0; d < 4; d++) {
            unsigned q = b->geometry->nbr[stone][d];
            if (q != YO_GO_OFF_POINT && b->color[q] == YO_GO_EMPTY && !r->problem->zone[q])
                return true;
        }
        stone = b->next[stone];
    } while (stone != n->prey);
    return false;
}

static const struct bounds proven = {0, INFINITE}, disproven = {INFINITE, 0};

/* Plays the move. Returns true with *bounds if that decides the reading: by the capture of the
 * prey, or of more stones than a nakade has, after which there is too much room to read on. */
static bool step(const struct yo_go_reader *r, struct node *n, yo_go_point move,
                 struct bounds *bounds) {
    bool hunter = is_hunter(r, n);
    bool final = n->punishing || touches_safe(r, &n->board, n->prey);
    int captured = yo_go_board_play(&n->board, n->to_move, move);
    n->to_move = yo_go_other(n->to_move);
    if (!hunter && captured > YO_GO_SHAPE_MAX) {
        *bounds = n->punishing ? proven : disproven;
        return true;
    }
    if (!hunter && escapes(r, n)) {
        *bounds = n->punishing ? proven : disproven;
        return true;
    }
    if (!hunter || n->board.color[n->prey] != YO_GO_EMPTY) return false;
    if (final || captured > YO_GO_SHAPE_MAX) {
        *bounds = n->punishing ? disproven : proven;
        return true;
    }
    n->punishing = true;
    n->prey = move;
    return false;
}

/* ---- the search ---- */

/* More liberties of the prey make its capture look harder. */
static struct bounds first_bounds(const struct node *n) {
    uint32_t liberties = (uint32_t)yo_go_board_liberties(&n->board, n->prey, 8);
    return n->punishing ? (struct bounds){1, liberties} : (struct bounds){liberties, 1};
}

static bool is_on_path(const struct yo_go_reader *r, int depth, uint64_t key) {
    for (int i = 0; i <= depth; i++)
        if (r->path[i] == key) return true;
    return false;
}

static void add_option(struct yo_go_reader *r, const struct node *n, int depth, yo_go_point move,
                       struct option *options, int *count) {
    struct node after = *n;
    struct option option = {.move = move};
    option.decided = step(r, &after, move, &option.bounds);
    if (!option.decided) {
        option.key = key_of(r, &after);
        bool repeats = is_on_path(r, depth, option.key);
        option.decided = repeats; /* the hunter gets nowhere */
        struct entry *e = entry_of(r, option.key);
        option.bounds = repeats                ? (n->punishing ? proven : disproven)
                        : e->key == option.key ? e->bounds
                                               : first_bounds(&after);
    }
    if (*count < MOVES_MAX)
        options[(*count)++] = option;
    else
        r->gave_up = true;
}

static int list_options(struct yo_go_reader *r, const struct node *n, int depth,
                        struct option *options) {
    int count = 0, points = n->board.geometry->points;
    for (int p = 0; p < points; p++)
        if (is_legal(r, n, (yo_go_point)p))
            add_option(r, n, depth, (yo_go_point)p, options, &count);
    if (!is_hunter(r, n)) add_option(r, n, depth, YO_GO_PASS, options, &count);
    return count;
}

static uint32_t add(uint32_t a, uint32_t b) { return a + b < INFINITE ? a + b : INFINITE; }

/* The bounds of a node from its options, which one to read next, and the second best bound. */
static struct bounds gather(const struct option *options, int count, bool proves, int *best,
                            uint32_t *second) {
    uint32_t least = INFINITE, sum = 0;
    *best = -1;
    *second = INFINITE;
    for (int i = 0; i < count; i++) {
        uint32_t small = proves ? options[i].bounds.pn : options[i].bounds.dn;
        uint32_t large = proves ? options[i].bounds.dn : options[i].bounds.pn;
        sum = add(sum, large);
        if (*best < 0 || small < least) {
            *second = least;
            least = small;
            *best = i;
        } else if (small < *second) {
            *second = small;
        }
    }
    return proves ? (struct bounds){least, sum} : (struct bounds){sum, least};
}

static struct bounds search(struct yo_go_reader *r, const struct node *n, uint64_t key, int depth,
                            struct bounds limit) {
    struct option options[MOVES_MAX];
    bool proves = n->to_move == r->attacker;
    if (++r->nodes > r->problem->nodes || depth >= DEPTH_MAX) r->gave_up = true;
    r->path[depth] = key;
    int count = list_options(r, n, depth, options), best;
    uint32_t second;
    struct bounds now = gather(options, count, proves, &best, &second);
    while (!r->gave_up && now.pn < limit.pn && now.dn < limit.dn && now.pn > 0 && now.dn > 0) {
        struct option *o = &options[best];
        struct bounds inner;
        uint32_t near = add(second, second / 4 + 1);
        if (proves)
            inner = (struct bounds){near < limit.pn ? near : limit.pn,
                                    add(limit.dn - now.dn, o->bounds.dn)};
        else
            inner = (struct bounds){add(limit.pn - now.pn, o->bounds.pn),
                                    near < limit.dn ? near : limit.dn};
        struct node after = *n;
        step(r, &after, o->move, &inner);
        o->bounds = search(r, &after, o->key, depth + 1, inner);
        now = gather(options, count, proves, &best, &second);
    }
    if (!r->gave_up) *entry_of(r, key) = (struct entry){key, now};
    return now;
}

enum yo_go_read_answer yo_go_read(struct yo_go_reader *r, const struct yo_go_read_problem *problem,
                                  unsigned *spent) {
    struct node root = {.board = *problem->board, .prey = problem->prey};
    enum yo_go_color defender = (enum yo_go_color)problem->board->color[problem->prey];
    r->problem = problem;
    r->attacker = yo_go_other(defender);
    r->nodes = 0;
    r->gave_up = false;
    root.to_move = problem->attacker_first ? r->attacker : defender;
    root.board.ko = YO_GO_NONE;
    if (escapes(r, &root)) return YO_GO_READ_STANDS;
    struct bounds bounds =
        search(r, &root, key_of(r, &root), 0, (struct bounds){INFINITE, INFINITE});
    if (spent) *spent += r->nodes;
    if (r->gave_up) return YO_GO_READ_UNKNOWN;
    return bounds.pn == 0 ? YO_GO_READ_CAPTURED : YO_GO_READ_STANDS;
}

/* ---- making it ---- */

void yo_go_reader_clear(struct yo_go_reader *r) { memset(r->table, 0, sizeof r->table); }

enum yo_err yo_go_reader_new(struct yo_go_reader **reader) {
    *reader = yo_alloc(1, sizeof **reader);
    return *reader ? YO_OK : YO_ERR_NOMEM;
}

void yo_go_reader_delete(struct yo_go_reader *reader) { yo_free(reader); }
