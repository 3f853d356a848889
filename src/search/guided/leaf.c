/* After the evaluation of a leaf: its node gets edges, and the nodes of its path new values. */
#include <math.h>

#include "search/guided/internal.h"

/* ---- backup ---- */

/* A node is a win for the side to move if one child is. If all children are solved and none is a
 * win, the node is a draw if one child is, else a loss. */
static void solve(const struct yo_guided *g, struct yo_guided_node *node) {
    const struct yo_guided_edge *edges = yo_guided_edges(&g->search.tree, node);
    enum yo_guided_solved won = node->to_move == 0 ? YO_GUIDED_FIRST_WINS : YO_GUIDED_SECOND_WINS;
    enum yo_guided_solved verdict =
        node->to_move == 0 ? YO_GUIDED_SECOND_WINS : YO_GUIDED_FIRST_WINS;
    bool all = true;
    for (unsigned i = 0; i < node->edge_count; i++) {
        yo_cell cell = yo_guided_child(&edges[i]);
        enum yo_guided_solved solved =
            cell ? yo_guided_solved(yo_guided_node(&g->search.tree, cell)) : YO_GUIDED_UNSOLVED;
        if (solved == won) {
            atomic_store_explicit(&node->solved, (unsigned char)won, memory_order_relaxed);
            return;
        }
        if (solved == YO_GUIDED_UNSOLVED) all = false;
        if (solved == YO_GUIDED_DRAWN) verdict = YO_GUIDED_DRAWN;
    }
    if (all) atomic_store_explicit(&node->solved, (unsigned char)verdict, memory_order_relaxed);
}

static void leave(struct yo_guided_node *node) {
    atomic_fetch_sub_explicit(&node->pending, 1, memory_order_relaxed);
}

/* The edge's count first: never does the node seem to have a visit more that another may take for
 * the edge. */
static void count_visit(const struct yo_guided_tree *tree, yo_cell way,
                        struct yo_guided_node *node) {
    if (way & YO_GUIDED_LINK) atomic_fetch_add(&yo_guided_link(tree, way)->visits, 1);
    atomic_fetch_add(&node->visits, 1);
}

void guided_back_up(struct yo_guided *g, const struct guided_leaf *leaf) {
    struct guided_search *s = &g->search;
    bool prove = s->options.solve && !g->hooks.unproven;
    if (leaf->caught_up) atomic_fetch_add_explicit(&g->joined, 1, memory_order_relaxed);
    for (size_t depth = leaf->depth + !leaf->caught_up; depth-- > 0;) {
        yo_cell way = leaf->path[depth];
        struct yo_guided_node *node = yo_guided_node(&s->tree, way);
        bool counts_itself = depth == leaf->depth &&
                             (atomic_load_explicit(&node->reach, memory_order_relaxed) == 0 ||
                              yo_guided_solved(node) != YO_GUIDED_UNSOLVED);
        if (counts_itself)
            guided_repeat(s, node);
        else
            guided_update(s, node);
        count_visit(&s->tree, way, node);
        leave(node);
        if (!prove || depth == leaf->depth || node->edges == 0) continue;
        if (yo_guided_solved(yo_guided_node(&s->tree, leaf->path[depth + 1])) != YO_GUIDED_UNSOLVED)
            solve(g, node);
    }
    atomic_fetch_add_explicit(&g->finished, 1, memory_order_relaxed);
}

void guided_turn_back(struct yo_guided *g, const yo_cell *path, size_t depth) {
    for (size_t i = 0; i <= depth; i++)
        leave(yo_guided_node(&g->search.tree, path[i]));
}

/* ---- results of the evaluator ---- */

/* An edge in order: the likeliest first, of equal ones the lowest move. */
struct ordered {
    uint32_t key;
    yo_cell child;
};

/* Sorts by one byte of the key, and keeps the order of equal ones. */
static void sort_by_byte(const struct ordered *from, struct ordered *to, size_t count, int shift) {
    uint16_t place[257] = {0};
    for (size_t i = 0; i < count; i++)
        place[(from[i].key >> shift & 255) + 1]++;
    for (int i = 1; i < 256; i++)
        place[i] = (uint16_t)(place[i] + place[i - 1]);
    for (size_t i = 0; i < count; i++)
        to[place[from[i].key >> shift & 255]++] = from[i];
}

/* By bytes, the lowest first: comparing edges would cost more than anything else in a simulation.
 * The moves of most games come sorted. */
void guided_sort_edges(struct yo_guided_edge *edges, size_t count) {
    struct ordered first[GUIDED_CHILDREN_MAX], second[GUIDED_CHILDREN_MAX];
    bool sorted = true;
    for (size_t i = 0; i < count; i++) {
        first[i] = (struct ordered){(uint32_t)(UINT16_MAX - edges[i].prior) << 16 | edges[i].move,
                                    yo_guided_child(&edges[i])};
        if (i > 0 && edges[i].move < edges[i - 1].move) sorted = false;
    }
    for (int shift = sorted ? 16 : 0; shift < 32; shift += 16) {
        sort_by_byte(first, second, count, shift);
        sort_by_byte(second, first, count, shift + 8);
    }
    for (size_t i = 0; i < count; i++) {
        edges[i].move = (uint16_t)first[i].key;
        edges[i].prior = (uint16_t)(UINT16_MAX - (first[i].key >> 16));
        atomic_init(&edges[i].child, first[i].child);
    }
}

void guided_sort_children(struct yo_guided_node *node, struct yo_guided_edge *edges) {
    unsigned short reach = 0;
    guided_sort_edges(edges, node->edge_count);
    for (unsigned i = 0; i < node->edge_count; i++)
        if (yo_guided_child(&edges[i])) reach = (unsigned short)(i + 1);
    atomic_store_explicit(&node->reach, reach, memory_order_relaxed);
}

static void sharpen(float *policy, size_t count, float temperature) {
    float sum = 0;
    if (temperature == 1) return;
    for (size_t i = 0; i < count; i++)
        sum += policy[i] = powf(policy[i], 1 / temperature);
    for (size_t i = 0; i < count && sum > 0; i++)
        policy[i] /= sum;
}

void guided_temper_root(struct guided_search *s) {
    float ratio = s->options.root_policy_temperature / s->options.policy_temperature;
    struct yo_guided_node *root = yo_guided_node(&s->tree, s->tree.root);
    struct yo_guided_edge *edges = yo_guided_edges(&s->tree, root);
    float policy[GUIDED_CHILDREN_MAX];
    if (!edges || ratio == 1) return;
    for (unsigned i = 0; i < root->edge_count; i++)
        policy[i] = yo_guided_prior(&edges[i]);
    sharpen(policy, root->edge_count, ratio);
    for (unsigned i = 0; i < root->edge_count; i++)
        edges[i].prior = yo_guided_prior_pack(policy[i]);
    guided_sort_children(root, edges);
}

/* Searches of the same position in several processes would all take the same paths between two
 * exchanges: their policies differ a little, but for that of the first. */
static void vary(const struct yo_guided *g, const struct guided_leaf *leaf) {
    const double spread = 0.3;
    float *policy = leaf->policy, sum = 0;
    if (g->limits->number == 0 || !yo_share_is_on(&g->share)) return;
    uint64_t random = yo_mix64(YO_SPLITMIX_STEP * g->limits->number + leaf->path[leaf->depth]);
    for (size_t i = 0; i < leaf->move_count; i++)
        sum += policy[i] *= (float)exp(spread * yo_random_normal(&random));
    for (size_t i = 0; i < leaf->move_count && sum > 0; i++)
        policy[i] /= sum;
}

/* The edges of a node, in MC softmax search with all their children. False: there is no memory, and
 * the node does without until there is. */
static bool make_edges(struct yo_guided *g, struct yo_guided_node *node, struct guided_leaf *leaf) {
    struct guided_search *s = &g->search;
    float temperature =
        leaf->depth ? s->options.policy_temperature : s->options.root_policy_temperature;
    struct yo_guided_edge *edges = yo_guided_tree_add_edges(&s->tree, node, leaf->move_count);
    if (!edges) return false;
    sharpen(leaf->policy, leaf->move_count, temperature);
    vary(g, leaf);
    for (size_t i = 0; i < leaf->move_count; i++) {
        edges[i].move = (uint16_t)leaf->moves[i];
        edges[i].prior = yo_guided_prior_pack(leaf->policy[i]);
        atomic_init(&edges[i].child, 0);
    }
    guided_take_advice(g, edges, leaf->move_count, leaf->depth);
    bool with_children = s->options.mode == YO_GUIDED_MCSS && !g->half_open;
    if (with_children && !guided_mcss_open(g, node, edges, leaf)) {
        yo_guided_tree_take_back_edges(&s->tree, node);
        return false;
    }
    guided_sort_children(node, edges);
    return true;
}

void guided_open_node(struct yo_guided *g, struct guided_leaf *leaf) {
    struct guided_search *s = &g->search;
    struct yo_guided_node *node = yo_guided_node(&s->tree, leaf->path[leaf->depth]);
    bool has_edges = leaf->move_count > 0 && make_edges(g, node, leaf);
    /* An own value that stands for a subtree is no value of the network. */
    if (has_edges && s->bias && node->own_weight == 0)
        yo_guided_bias(&s->tree, node)->slot = guided_bias_slot(s, leaf->key);
    if (node->own_weight == 0) {
        guided_value(s, &leaf->result.value, node->to_move, &node->own);
        node->own_weight = 1;
    }
    atomic_store_explicit(&node->state, YO_GUIDED_OPEN, memory_order_release);
}

void guided_finish(struct yo_guided *g, struct guided_leaf *leaf) {
    struct yo_guided_node *node = yo_guided_node(&g->search.tree, leaf->path[leaf->depth]);
    bool known = yo_share_is_on(&g->share) && yo_guided_visits(node) > 0;
    guided_open_node(g, leaf);
    if (!known) {
        guided_back_up(g, leaf);
        return;
    }
    guided_turn_back(g, leaf->path, leaf->depth);
    atomic_fetch_add_explicit(&g->finished, 1, memory_order_relaxed);
}

void guided_close_again(struct yo_guided *g, const struct guided_leaf *leaf) {
    struct yo_guided_node *node = yo_guided_node(&g->search.tree, leaf->path[leaf->depth]);
    atomic_store_explicit(&node->state, YO_GUIDED_FRESH, memory_order_release);
    guided_turn_back(g, leaf->path, leaf->depth);
}
