/* Dirichlet noise on the policy of the root, for self-play (AlphaGo Zero). */
#include "base/random.h"
#include "search/guided/internal.h"

void guided_add_noise(struct guided_search *s, uint64_t *random) {
    double noise[GUIDED_CHILDREN_MAX], sum = 0;
    struct yo_guided_node *root = yo_guided_node(&s->tree, s->tree.root);
    struct yo_guided_edge *edges = yo_guided_edges(&s->tree, root);
    if (!edges) return;
    double share = (double)s->options.noise, each = s->options.noise_alpha / root->edge_count;
    for (unsigned i = 0; i < root->edge_count; i++)
        sum += noise[i] = yo_random_gamma(each, random);
    for (unsigned i = 0; i < root->edge_count && sum > 0; i++)
        edges[i].prior = yo_guided_prior_pack(
            (float)((1 - share) * yo_guided_prior(&edges[i]) + share * noise[i] / sum));
    guided_sort_children(root, edges);
}
