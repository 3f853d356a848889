#include "support/plain_guided.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "search/guided/tree.h"

/* The errors of a key: times their weights, and the weights. */
struct plain_errors {
    uint64_t key;
    double sum, weight;
};

enum { KEYS_MAX = 64 };

struct plain {
    const struct yo_game_ops *game;
    const struct yo_guided_options *o;
    uint64_t random;
    struct yo_guided_hooks hooks;
    struct plain_node *newest;
    struct plain_errors errors[KEYS_MAX];
};

static void *take(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory) abort();
    return memory;
}

static double sign_of(const struct plain_node *node) { return node->to_move == 0 ? 1 : -1; }

static double evaluate(const struct plain *p, const struct plain_node *node) {
    return sign_of(node) * (2 * (double)hash_value(p->game, node->position) - 1);
}

static struct plain_node *new_node(struct plain *p, const void *position, yo_move last,
                                   size_t depth) {
    struct plain_node *node = take(1, sizeof *node);
    node->depth = depth;
    node->older = p->newest;
    p->newest = node;
    if (p->hooks.position_key) node->same = p->hooks.position_key(NULL, position, last);
    node->position = take(1, p->game->position_size);
    memcpy(node->position, position, p->game->position_size);
    node->to_move = p->game->side_to_move(position);
    enum yo_outcome outcome = p->game->outcome(position);
    node->over = outcome != YO_OUTCOME_NONE;
    node->own = node->value = node->utility = evaluate(p, node);
    if (node->over && p->o->mode == YO_GUIDED_PUCT)
        node->own = node->value = node->utility = outcome == YO_OUTCOME_FIRST    ? 1
                                                  : outcome == YO_OUTCOME_SECOND ? -1
                                                                                 : 0;
    return node;
}

static struct plain_node *find(const struct plain *p, const void *position, yo_move last,
                               size_t depth) {
    uint64_t same = p->hooks.position_key ? p->hooks.position_key(NULL, position, last) : 0;
    for (struct plain_node *node = p->newest; same && node; node = node->older)
        if (node->same == same && node->depth == depth) return node;
    return NULL;
}

static struct plain_node *child_of(struct plain *p, const struct plain_node *node, size_t i) {
    void *position = take(1, p->game->position_size);
    memcpy(position, node->position, p->game->position_size);
    p->game->play(position, node->moves[i]);
    struct plain_node *child = find(p, position, node->moves[i], node->depth + 1);
    if (!child) {
        child = new_node(p, position, node->moves[i], node->depth + 1);
        if (p->hooks.surroundings && !child->over)
            child->key = p->hooks.surroundings(NULL, node->position, node->moves[i]);
    }
    free(position);
    return child;
}

/* Moves with their priors as the tree has them, in 16 bits, in its order. */
static void open_node(const struct plain *p, struct plain_node *node) {
    node->moves = take(p->game->max_moves, sizeof *node->moves);
    node->count = p->game->moves(node->position, node->moves);
    float *policy = take(node->count, sizeof *policy);
    node->priors = take(node->count, sizeof *node->priors);
    node->children = take(node->count, sizeof(void *));
    node->tried = take(node->count, sizeof *node->tried);
    hash_policy(p->game, node->position, node->moves, node->count, policy);
    for (size_t i = 0; i < node->count; i++) {
        struct yo_guided_edge edge = {.prior = yo_guided_prior_pack(policy[i])};
        node->priors[i] = (double)yo_guided_prior(&edge);
    }
    free(policy);
    for (size_t i = 1; i < node->count; i++)
        for (size_t k = i; k > 0; k--) {
            bool later =
                node->priors[k] < node->priors[k - 1] ||
                (node->priors[k] == node->priors[k - 1] && node->moves[k] > node->moves[k - 1]);
            if (later) break;
            double prior = node->priors[k];
            yo_move move = node->moves[k];
            node->priors[k] = node->priors[k - 1], node->moves[k] = node->moves[k - 1];
            node->priors[k - 1] = prior, node->moves[k - 1] = move;
        }
    for (size_t i = 0; i < node->count && p->o->uniform; i++)
        node->priors[i] = 1 / (double)node->count;
    node->open = true;
}

static unsigned visits_of(const struct plain_node *node, size_t i) { return node->tried[i]; }

static double explore(const struct plain *p, double cpuct, double prior, double total, double n) {
    return cpuct * prior * (p->o->whole_root ? sqrt(total / (1 + n)) : sqrt(total) / (1 + n));
}

/* ---- PUCT ---- */

static size_t select_puct(const struct plain *p, const struct plain_node *node, bool is_root) {
    double total = 0, tried = 0, best = -INFINITY, sign = sign_of(node);
    for (size_t i = 0; i < node->count; i++) {
        total += visits_of(node, i);
        tried += visits_of(node, i) ? node->priors[i] : 0;
    }
    if (tried > 1) tried = 1;
    double mean = tried * tried * node->utility + (1 - tried * tried) * node->own;
    double unseen = sign * mean - (double)(is_root ? p->o->root_fpu : p->o->fpu) * sqrt(tried);
    size_t chosen = 0;
    for (size_t i = 0; i < node->count; i++) {
        double n = visits_of(node, i), value = n > 0 ? sign * node->children[i]->utility : unseen;
        /* The tree adds a hundredth to the visits, so that the policy counts before the first; as
         * printed it does not. */
        double sum = p->o->whole_root ? total : total + 0.01;
        double u = value + explore(p, (double)p->o->cpuct, node->priors[i], sum, n);
        if (u > best) best = u, chosen = i;
    }
    return chosen;
}

static struct plain_errors *errors_of(struct plain *p, uint64_t key) {
    for (size_t i = 0; i < KEYS_MAX; i++) {
        if (p->errors[i].key == 0) p->errors[i].key = key;
        if (p->errors[i].key == key) return &p->errors[i];
    }
    abort();
}

static double correction(struct plain *p, const struct plain_node *node) {
    if (!node->key) return 0;
    const struct plain_errors *e = errors_of(p, node->key);
    return e->weight > 0.001 ? (double)p->o->value_bias * e->sum / e->weight : 0;
}

/* The error of a node is what its children say less its own value. */
static void learn(struct plain *p, struct plain_node *node, double children, double visits) {
    if (!node->key) return;
    struct plain_errors *e = errors_of(p, node->key);
    double weight = pow(visits, 0.85), error = (children - node->own) * weight;
    e->sum += error - node->error;
    e->weight += weight - node->weight;
    node->error = error, node->weight = weight;
}

static void back_up_puct(struct plain *p, struct plain_node *node) {
    double sum = 0, utility = 0, weight = 0;
    for (size_t i = 0; i < node->count; i++) {
        if (!node->children[i]) continue;
        sum += visits_of(node, i) * node->children[i]->value;
        utility += visits_of(node, i) * node->children[i]->utility;
        weight += visits_of(node, i);
    }
    learn(p, node, utility / weight, weight);
    node->value = (node->own + sum) / (1 + weight);
    node->utility = (node->own + correction(p, node) + utility) / (1 + weight);
}

/* ---- MC softmax search ---- */

/* E(v(a;s)): the chance to win of the side to move at s. */
static double chance(const struct plain_node *node, size_t i) {
    return (1 + sign_of(node) * node->children[i]->value) / 2;
}

/* Softmax (equations 3 and 6). */
static void softmax(const double *worth, size_t count, double temperature, double *share) {
    double best = -INFINITY, sum = 0;
    for (size_t i = 0; i < count; i++)
        best = fmax(best, worth[i]);
    for (size_t i = 0; i < count; i++)
        sum += share[i] = exp((worth[i] - best) / temperature);
    for (size_t i = 0; i < count; i++)
        share[i] /= sum;
}

static size_t select_mcss(struct plain *p, const struct plain_node *node) {
    double *worth = take(node->count, sizeof *worth), total = 0;
    double t = (double)p->o->select_temperature /
               pow(1 + (double)node->visits, (double)p->o->select_cooling);
    for (size_t i = 0; i < node->count; i++)
        total += visits_of(node, i);
    for (size_t i = 0; i < node->count; i++)
        worth[i] = chance(node, i) +
                   explore(p, (double)p->o->mcss_cpuct, node->priors[i], total, visits_of(node, i));
    softmax(worth, node->count, t, worth);
    double at = (double)(yo_splitmix64(&p->random) >> 40) / (1 << 24);
    size_t chosen = 0;
    while (chosen + 1 < node->count && at >= worth[chosen])
        at -= worth[chosen++];
    free(worth);
    return chosen;
}

static void back_up_mcss(const struct plain *p, struct plain_node *node) {
    double *worth = take(node->count, sizeof *worth), value = 0;
    for (size_t i = 0; i < node->count; i++)
        worth[i] = chance(node, i);
    softmax(worth, node->count, (double)p->o->backup_temperature, worth);
    for (size_t i = 0; i < node->count; i++)
        value += worth[i] * node->children[i]->value;
    node->value = value;
    free(worth);
}

/* ---- simulations ---- */

static void settle(const struct plain *p, struct plain_node *node) {
    enum yo_outcome outcome = p->game->outcome(node->position);
    node->own = node->value = node->utility = outcome == YO_OUTCOME_FIRST    ? 1
                                              : outcome == YO_OUTCOME_SECOND ? -1
                                                                             : 0;
}

static void simulate(struct plain *p, struct plain_node *node, bool is_root) {
    bool mcss = p->o->mode == YO_GUIDED_MCSS;
    if (node->over) {
        settle(p, node);
    } else if (!node->open) {
        open_node(p, node);
        node->utility = node->own + correction(p, node);
        for (size_t i = 0; mcss && i < node->count; i++)
            node->children[i] = child_of(p, node, i);
        if (mcss) back_up_mcss(p, node);
    } else {
        size_t i = mcss ? select_mcss(p, node) : select_puct(p, node, is_root);
        if (!node->children[i]) node->children[i] = child_of(p, node, i);
        /* Other nodes may have visited it more often: then that will do for this one. */
        if (node->children[i]->visits <= node->tried[i]) simulate(p, node->children[i], false);
        node->tried[i]++;
        if (mcss)
            back_up_mcss(p, node);
        else
            back_up_puct(p, node);
    }
    node->visits++;
}

struct plain_node *plain_guided(const struct yo_game_ops *game, const void *position,
                                const struct yo_guided_options *options,
                                const struct yo_guided_hooks *hooks, unsigned visits) {
    struct plain p = {.game = game, .o = options, .random = yo_mix64(options->seed)};
    if (hooks) p.hooks = *hooks;
    struct plain_node *root = new_node(&p, position, YO_MOVE_NONE, 0);
    for (unsigned i = 0; i < visits; i++)
        simulate(&p, root, true);
    root->older = p.newest;
    return root;
}

void plain_guided_free(struct plain_node *root) {
    for (struct plain_node *node = root ? root->older : NULL, *next; node; node = next) {
        next = node == root ? NULL : node->older;
        free(node->position);
        free(node->moves);
        free(node->priors);
        free(node->children);
        free(node->tried);
        free(node);
    }
}
