/* What can be chosen about the searches on networks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The defaults are those of KataGo's documented configuration where it has the same thing (its
 * gtp_example.cfg and searchparams.cpp name them), so that the same network searches alike. */
enum yo_guided_mode { YO_GUIDED_PUCT, YO_GUIDED_MCSS };

struct yo_guided_options {
    enum yo_guided_mode mode;
    uint64_t seed;
    int threads; /* at least 1 */
    size_t memory_mb;
    size_t batch; /* leaves sent together by a thread; 0: as suits the evaluator */

    /* Selection: PUCT (equation 2 of source document S; AlphaGo Zero's form). */
    float cpuct;     /* exploration at few visits */
    float cpuct_log; /* and what each e-fold of visits beyond cpuct_base adds */
    float cpuct_base;
    bool whole_root; /* the printed form: the root over the whole fraction */
    bool uniform;    /* equation 9: every move has the prior 1/n */
    float stdev_prior, stdev_prior_weight, stdev_scale; /* exploration by the spread of values */
    float fpu, root_fpu; /* first-play urgency: reduction below the parent's value */
    float virtual_loss;  /* for each simulation on its way */
    float policy_temperature, root_policy_temperature;

    /* MC softmax search, in units of the chance to win. */
    float select_temperature; /* T_s of equation 3 */
    float backup_temperature; /* T_b of equation 6 */
    float select_cooling;     /* T_s is divided by (1 + visits) to this power; 0: it stays */
    float mcss_cpuct;         /* c_puct of equation 8; 0: equation 3 */

    /* Backup. */
    float value_exponent; /* children with worse values count less: 0 for plain means */
    float noise_prune;    /* visits that only the policy's noise asked for count less; 0: off */

    /* Scores. */
    float score_static, score_dynamic; /* their parts of the utility */
    float score_zero;                  /* pull of the dynamic part's centre towards 0 */

    /* The root. */
    float noise;       /* share of Dirichlet noise; 0: none */
    float noise_alpha; /* of all moves together */
    bool lcb;          /* choose by the lower confidence bound of the value */
    float lcb_stdevs, lcb_min_share;
    /* Gumbel: sequential halving over so many moves of the root, drawn by the policy without
     * replacement; 0: none. Needs a limit of visits. */
    unsigned gumbel;
    float gumbel_visit, gumbel_scale; /* c_visit and c_scale */
    bool reuse;
    bool solve;
};

void yo_guided_options_default(struct yo_guided_options *options);
