#include "search/shogi/proof.h"

#include <string.h>

#include "base/alloc.h"
#include "game/shogi/movegen.h"

/* A leaf's table is the smallest there is: it stays in the cache. The most nodes, and as many for
 * the line of a mate, take a core some ten milliseconds, by which a search may end late. */
enum { LEAF_TABLE_MB = 0, NODE_TABLE_MB = 1, NODES_MAX = 2048 };

static void delete_all(struct yo_dfpn **solvers, int count) {
    for (int i = 0; solvers && i < count; i++)
        yo_dfpn_delete(solvers[i]);
    yo_free(solvers);
}

static enum yo_err make_all(struct yo_dfpn ***out, int count, size_t table_mb) {
    struct yo_dfpn **solvers = *out = yo_alloc((size_t)count, sizeof *solvers);
    enum yo_err err = solvers ? YO_OK : YO_ERR_NOMEM;
    for (int i = 0; !err && i < count; i++)
        err = yo_dfpn_new(table_mb, &solvers[i]);
    return err;
}

enum yo_err yo_shogi_prover_init(struct yo_shogi_prover *p, int threads, uint64_t leaf_nodes,
                                 uint64_t visit_nodes) {
    *p = (struct yo_shogi_prover){
        .count = threads, .leaf_nodes = leaf_nodes, .visit_nodes = visit_nodes};
    enum yo_err err = make_all(&p->leaf, threads, LEAF_TABLE_MB);
    if (!err && visit_nodes) err = make_all(&p->node, threads, NODE_TABLE_MB);
    if (err) yo_shogi_prover_free(p);
    return err;
}

void yo_shogi_prover_free(struct yo_shogi_prover *p) {
    delete_all(p->leaf, p->count);
    delete_all(p->node, p->count);
    p->leaf = p->node = NULL;
}

static bool solve_node(const struct yo_shogi_prover *p, int thread,
                       const struct yo_shogi_position *pos, uint64_t nodes,
                       struct yo_dfpn_answer *answer) {
    if (nodes > NODES_MAX) nodes = NODES_MAX;
    return p->visit_nodes > 0 && yo_dfpn_mates(p->node[thread], pos, nodes, p->stop, answer);
}

static bool solve_leaf(const struct yo_shogi_prover *p, int thread,
                       const struct yo_shogi_position *pos, struct yo_dfpn_answer *answer) {
    return p->leaf_nodes > 0 && yo_dfpn_mates(p->leaf[thread], pos, p->leaf_nodes, p->stop, answer);
}

bool yo_shogi_prover_mates(const struct yo_shogi_prover *p, int thread,
                           const struct yo_shogi_state *state, unsigned visits) {
    struct yo_dfpn_answer answer;
    const struct yo_shogi_position *pos = &state->position;
    if (thread >= p->count) return false;
    bool mates = visits ? solve_node(p, thread, pos, visits * p->visit_nodes, &answer)
                        : solve_leaf(p, thread, pos, &answer);
    return mates && yo_shogi_mate_is_in_time(pos, &state->rules, answer.length);
}

void yo_shogi_prover_show(const struct yo_shogi_prover *p, const struct yo_shogi_position *root,
                          struct yo_search_move *move, yo_move *line) {
    struct yo_shogi_position pos = *root;
    struct yo_dfpn_answer answer = {.length = 0};
    size_t length = move->pv_count;
    if (!move->proven || length > YO_SHOGI_PROOF_LINE) return;
    for (size_t i = 0; i < length; i++)
        yo_shogi_play(&pos, (yo_shogi_move)move->pv[i]);
    if (yo_shogi_can_move(&pos)) {
        if (!solve_leaf(p, 0, &pos, &answer) && !solve_node(p, 0, &pos, NODES_MAX, &answer)) return;
        if (length + answer.length > YO_SHOGI_PROOF_LINE) return;
    }
    memcpy(line, move->pv, length * sizeof *line);
    for (size_t i = 0; i < answer.length; i++)
        line[length++] = answer.line[i];
    move->pv = line;
    move->pv_count = length;
    move->pv_visits = NULL; /* the tree has no visits for the moves added */
    move->mate = move->winrate_to_move > 0.5 ? (int)length : -(int)length;
}
