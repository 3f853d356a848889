#include "search/shogi/proof.h"

#include <string.h>

#include "base/alloc.h"
#include "game/shogi/movegen.h"

enum yo_err yo_shogi_prover_init(struct yo_shogi_prover *p, int threads, uint64_t nodes) {
    *p = (struct yo_shogi_prover){.count = threads, .nodes = nodes};
    p->solvers = yo_alloc((size_t)threads, sizeof *p->solvers);
    enum yo_err err = p->solvers ? YO_OK : YO_ERR_NOMEM;
    for (int i = 0; !err && i < threads; i++)
        err = yo_dfpn_new(0, &p->solvers[i]); /* the smallest table: it stays in the cache */
    if (err) yo_shogi_prover_free(p);
    return err;
}

void yo_shogi_prover_free(struct yo_shogi_prover *p) {
    for (int i = 0; p->solvers && i < p->count; i++)
        yo_dfpn_delete(p->solvers[i]);
    yo_free(p->solvers);
    p->solvers = NULL;
}

static bool solve(const struct yo_shogi_prover *p, int thread, const struct yo_shogi_position *pos,
                  struct yo_dfpn_answer *answer) {
    return yo_dfpn_mates(p->solvers[thread], pos, p->nodes, p->stop, answer);
}

bool yo_shogi_prover_mates(const struct yo_shogi_prover *p, int thread,
                           const struct yo_shogi_state *state) {
    struct yo_dfpn_answer answer;
    return p->nodes > 0 && thread < p->count && solve(p, thread, &state->position, &answer) &&
           yo_shogi_mate_is_in_time(&state->position, &state->rules, answer.length);
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
        if (!p->nodes || !solve(p, 0, &pos, &answer)) return;
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
