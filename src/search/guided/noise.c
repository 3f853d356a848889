/* Dirichlet noise on the policy of the root, for self-play (AlphaGo Zero). */
#include <math.h>

#include "base/random.h"
#include "search/guided/internal.h"

static double uniform(uint64_t *random) {
    return ((double)(yo_splitmix64(random) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *random) {
    return sqrt(-2 * log(uniform(random))) * cos(6.283185307179586 * uniform(random));
}

/* Marsaglia and Tsang, "A simple method for generating gamma variables", 2000. */
static double gamma_of(double shape, uint64_t *random) {
    if (shape < 1) return gamma_of(shape + 1, random) * pow(uniform(random), 1 / shape);
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = normal(random), v = 1 + c * x;
        if (v <= 0) continue;
        v = v * v * v;
        if (log(uniform(random)) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
    }
}

/* Sorts the edges by their new priors, with their children. */
static void sort_again(struct yo_guided_node *root, struct yo_guided_edge *edges) {
    unsigned short reach = 0;
    guided_sort_edges(edges, root->edge_count);
    for (unsigned i = 0; i < root->edge_count; i++)
        if (yo_guided_child(&edges[i])) reach = (unsigned short)(i + 1);
    atomic_store(&root->reach, reach);
}

void guided_add_noise(struct guided_search *s, uint64_t *random) {
    double noise[GUIDED_CHILDREN_MAX], sum = 0;
    struct yo_guided_node *root = yo_guided_node(&s->tree, s->tree.root);
    struct yo_guided_edge *edges = yo_guided_edges(&s->tree, root);
    if (!edges) return;
    double share = (double)s->options.noise, each = s->options.noise_alpha / root->edge_count;
    for (unsigned i = 0; i < root->edge_count; i++)
        sum += noise[i] = gamma_of(each, random);
    for (unsigned i = 0; i < root->edge_count && sum > 0; i++)
        edges[i].prior = yo_guided_prior_pack(
            (float)((1 - share) * yo_guided_prior(&edges[i]) + share * noise[i] / sum));
    sort_again(root, edges);
}
