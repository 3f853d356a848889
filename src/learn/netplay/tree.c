#include "learn/netplay/tree.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "search/guided/tree.h"

#define WORD sizeof(uint32_t)

enum {
    FIRST = 2, /* 0 is no place */
    FIRST_KIDS = 4,
    NODE_WORDS = sizeof(struct yo_netplay_node) / WORD,
    KID_WORDS = sizeof(struct yo_netplay_kid) / WORD
};

_Static_assert(sizeof(struct yo_netplay_edge) == WORD, "an edge is a word");

enum yo_err yo_netplay_tree_init(struct yo_netplay_tree *tree, size_t nodes, size_t moves,
                                 int kept) {
    /* Arrays of kids double, and the old ones stay until the next move: at most 4 kids a node. */
    size_t each = NODE_WORDS + 2 * (size_t)kept + moves + 4 + (4 + FIRST_KIDS) * KID_WORDS;
    *tree = (struct yo_netplay_tree){.used = FIRST, .kept = (uint32_t)kept};
    if (nodes > UINT32_MAX / each) return YO_ERR_NOMEM;
    tree->words = yo_alloc(nodes * each, WORD);
    tree->room = tree->words ? (uint32_t)(nodes * each) : 0;
    return tree->words ? YO_OK : YO_ERR_NOMEM;
}

void yo_netplay_tree_free(struct yo_netplay_tree *tree) {
    yo_free(tree->words);
    *tree = (struct yo_netplay_tree){0};
}

void yo_netplay_tree_clear(struct yo_netplay_tree *tree) {
    tree->used = FIRST;
    tree->root = 0;
}

/* Places are even, so that 64-bit words are aligned. */
static uint32_t take(struct yo_netplay_tree *tree, size_t words) {
    words = (words + 1) & ~(size_t)1;
    if (tree->room - tree->used < words) return 0;
    uint32_t at = tree->used;
    tree->used += (uint32_t)words;
    return at;
}

/* ---- growing ---- */

uint32_t yo_netplay_tree_add(struct yo_netplay_tree *tree, int to_move,
                             const struct yo_netplay_value *value) {
    uint32_t at = take(tree, 2 * tree->kept + NODE_WORDS);
    if (!at) return 0;
    at += 2 * tree->kept;
    *yo_netplay_node(tree, at) = (struct yo_netplay_node){.to_move = (uint8_t)to_move,
                                                          .own = value->utility,
                                                          .own_value = value->value,
                                                          .own_score = value->score};
    return at;
}

void yo_netplay_tree_settle(struct yo_netplay_tree *tree, struct yo_netplay_node *node) {
    struct yo_netplay_edge *edges = yo_netplay_edges(tree, node), best;
    unsigned most = 0;
    if (node->edge_count == 0) return;
    for (unsigned i = 1; i < node->edge_count; i++)
        if (edges[i].prior > edges[most].prior) most = i;
    best = edges[most];
    edges[most] = edges[node->edge_count - 1];
    edges[node->edge_count - 1] = best;
}

/* e to the x, for x <= 0: a power of two by the exponent's bits, the rest by its series. Without
 * branches, so that a compiler can make vectors of it. */
static float exp_of(float x) {
    float twos = x * 1.44269504f;
    twos = twos < -60 ? -60 : twos;
    int whole = (int)(twos - 0.5f); /* truncates towards 0: rounds */
    float y = (twos - (float)whole) * 0.693147181f;
    float sum =
        1 + y * (1 + y * (0.5f +
                          y * (1.0f / 6 + y * (1.0f / 24 + y * (1.0f / 120 + y * (1.0f / 720))))));
    uint32_t bits = (uint32_t)(127 + whole) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

void yo_netplay_softmax(float *values, size_t count) {
    float most = -INFINITY, sum = 0;
    for (size_t i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    for (size_t i = 0; i < count; i++)
        values[i] = exp_of(values[i] - most);
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    for (size_t i = 0; i < count; i++)
        values[i] /= sum;
}

void yo_netplay_tree_open(struct yo_netplay_tree *tree, uint32_t at, const uint16_t *moves,
                          const float *policy, size_t count) {
    struct yo_netplay_node *node = yo_netplay_node(tree, at);
    uint32_t place = take(tree, count);
    if (!place) return;
    node->edges = place;
    node->edge_count = (uint16_t)count;
    struct yo_netplay_edge *edges = yo_netplay_edges(tree, node);
    for (size_t i = 0; i < count; i++)
        edges[i] = (struct yo_netplay_edge){moves[i], yo_guided_prior_pack(policy[i])};
    yo_netplay_tree_settle(tree, node);
}

static bool make_room(struct yo_netplay_tree *tree, struct yo_netplay_node *node) {
    if (node->kid_count < node->kid_room) return true;
    unsigned room = node->kid_room ? 2u * node->kid_room : FIRST_KIDS;
    uint32_t place = take(tree, room * (size_t)KID_WORDS);
    if (!place) return false;
    memcpy(tree->words + place, tree->words + node->kids, node->kid_count * KID_WORDS * WORD);
    node->kids = place;
    node->kid_room = (uint16_t)room;
    return true;
}

unsigned yo_netplay_tree_take(struct yo_netplay_tree *tree, struct yo_netplay_node *node) {
    if (!make_room(tree, node)) return node->kid_count;
    struct yo_netplay_edge edge = yo_netplay_edges(tree, node)[--node->edge_count];
    yo_netplay_kids(tree, node)[node->kid_count] =
        (struct yo_netplay_kid){.move = edge.move, .prior = edge.prior};
    return node->kid_count++;
}

unsigned yo_netplay_tree_try(struct yo_netplay_tree *tree, struct yo_netplay_node *node) {
    unsigned kid = yo_netplay_tree_take(tree, node);
    yo_netplay_tree_settle(tree, node);
    return kid;
}

/* ---- visits ---- */

static float prior_of(uint16_t packed) {
    float root = (float)packed * (1 / 65535.0f);
    return root * root;
}

unsigned yo_netplay_tree_select(const struct yo_netplay_tree *tree,
                                const struct yo_netplay_node *node,
                                const struct yo_netplay_puct *puct, bool is_root) {
    const struct yo_netplay_kid *kids = yo_netplay_kids(tree, node);
    float total = 0, tried = 0, sign = node->to_move == 0 ? 1.0f : -1.0f;
    for (unsigned i = 0; i < node->kid_count; i++) {
        total += (float)kids[i].visits;
        tried += prior_of(kids[i].prior);
    }
    float cpuct = puct->cpuct;
    if (total > 32) cpuct += puct->cpuct_log * logf(1 + total / puct->cpuct_base);
    float explore = cpuct * sqrtf(total + 0.01f), best = -INFINITY;
    unsigned chosen = node->kid_count;
    if (node->edge_count > 0) {
        float parent = sign * node->sum / (float)node->visits;
        float prior = prior_of(yo_netplay_edges(tree, node)[node->edge_count - 1].prior);
        best = parent - (is_root ? puct->root_fpu : puct->fpu) * sqrtf(tried) + explore * prior;
    }
    float forced = is_root ? puct->forced * total : 0;
    for (unsigned i = 0; i < node->kid_count; i++) {
        float n = (float)kids[i].visits, prior = prior_of(kids[i].prior);
        if (n * n < forced * prior) return i;
        float u = sign * kids[i].sum / (n > 0 ? n : 1) + explore * prior / (1 + n);
        if (u <= best) continue;
        best = u;
        chosen = i;
    }
    return chosen;
}

static void count(struct yo_netplay_node *node, const struct yo_netplay_value *value) {
    node->visits++;
    node->sum += value->utility;
    node->value += value->value;
    node->score += value->score;
}

void yo_netplay_tree_back_up(struct yo_netplay_tree *tree, const struct yo_netplay_path *path,
                             const struct yo_netplay_value *value) {
    for (int i = path->length - 1; i >= 0; i--) {
        if (path->node[i] == 0) continue; /* there was no room for the leaf */
        struct yo_netplay_node *node = yo_netplay_node(tree, path->node[i]);
        count(node, value);
        if (i + 1 == path->length) continue;
        struct yo_netplay_kid *kid = &yo_netplay_kids(tree, node)[path->kid[i]];
        kid->visits++;
        kid->sum += value->utility;
    }
}

/* ---- moves of the game ---- */

/* Copies a subtree; 0 if it does not fit, which the caller treats as a move not tried. */
static uint32_t copy(const struct yo_netplay_tree *from, uint32_t at, struct yo_netplay_tree *to) {
    const struct yo_netplay_node *old = yo_netplay_node(from, at);
    size_t kids = old->kid_count * (size_t)KID_WORDS;
    uint32_t place = take(to, 2 * to->kept + NODE_WORDS + kids + old->edge_count);
    if (!place) return 0;
    place += 2 * to->kept;
    memcpy(yo_netplay_kept(to, place), yo_netplay_kept(from, at), 2 * to->kept * WORD);
    struct yo_netplay_node *node = yo_netplay_node(to, place);
    *node = *old;
    node->kids = place + NODE_WORDS;
    node->kid_room = old->kid_count;
    node->edges = node->kids + (uint32_t)kids;
    memcpy(to->words + node->kids, from->words + old->kids, kids * WORD);
    memcpy(to->words + node->edges, from->words + old->edges, old->edge_count * WORD);
    struct yo_netplay_kid *kid = yo_netplay_kids(to, node);
    for (unsigned i = 0; i < node->kid_count; i++)
        if (kid[i].child) kid[i].child = copy(from, kid[i].child, to);
    return place;
}

bool yo_netplay_tree_advance(struct yo_netplay_tree *tree, yo_move move,
                             struct yo_netplay_tree *spare) {
    uint32_t found = 0;
    yo_netplay_tree_clear(spare);
    if (tree->root) {
        const struct yo_netplay_node *root = yo_netplay_node(tree, tree->root);
        const struct yo_netplay_kid *kids = yo_netplay_kids(tree, root);
        for (unsigned i = 0; i < root->kid_count; i++)
            if (kids[i].move == move) found = kids[i].child;
    }
    if (found) spare->root = copy(tree, found, spare);
    struct yo_netplay_tree old = *tree;
    *tree = *spare;
    *spare = old;
    return tree->root != 0;
}

static bool has(const yo_move *moves, size_t count, uint16_t move) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (moves[mid] < move)
            low = mid + 1;
        else
            high = mid;
    }
    return low < count && moves[low] == move;
}

void yo_netplay_tree_restrict(struct yo_netplay_tree *tree, const yo_move *moves, size_t count) {
    struct yo_netplay_node *root = yo_netplay_node(tree, tree->root);
    struct yo_netplay_edge *edges = yo_netplay_edges(tree, root);
    struct yo_netplay_kid *kids = yo_netplay_kids(tree, root);
    uint16_t kept = 0;
    for (unsigned i = 0; i < root->edge_count; i++)
        if (has(moves, count, edges[i].move)) edges[kept++] = edges[i];
    root->edge_count = kept;
    kept = 0;
    for (unsigned i = 0; i < root->kid_count; i++)
        if (has(moves, count, kids[i].move)) kids[kept++] = kids[i];
    root->kid_count = kept;
    yo_netplay_tree_settle(tree, root);
}
