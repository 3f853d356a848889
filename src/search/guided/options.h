/* Options of the searches on networks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/option.h"

/* The defaults are those of KataGo's documented configuration where it has the same thing (its
 * gtp_example.cfg and searchparams.cpp name them), so that a network searches as it does there. */
enum yo_guided_mode { YO_GUIDED_PUCT, YO_GUIDED_MCSS };

/* Which positions that several orders of moves lead to share a node. */
enum yo_guided_joining {
    YO_GUIDED_JOIN_NONE,
    YO_GUIDED_JOIN_SAME, /* those of which an evaluator sees the same: hooks.history_key */
    YO_GUIDED_JOIN_ALL,
};

struct yo_guided_options {
    enum yo_guided_mode mode;
    uint64_t seed;
    int threads; /* at least 1 */
    size_t memory_mb;
    size_t batch; /* leaves that a thread sends together; 0: chosen for the evaluator */

    /* Selection: PUCT (equation 2 of source document S; AlphaGo Zero's form). */
    float cpuct;     /* exploration at few visits */
    float cpuct_log; /* added for each e-fold of visits beyond cpuct_base */
    float cpuct_base;
    bool whole_root; /* the printed form: the root over the whole fraction */
    bool uniform;    /* equation 9: every move has the prior 1/n */
    float stdev_prior, stdev_prior_weight, stdev_scale; /* exploration by the spread of values */
    float fpu, root_fpu; /* first-play urgency: reduction below the parent's value */
    float virtual_loss;  /* for each simulation in flight */
    float policy_temperature, root_policy_temperature;

    /* MC softmax search, in units of the chance to win. */
    float select_temperature; /* T_s of equation 3 */
    float backup_temperature; /* T_b of equation 6 */
    float select_cooling;     /* T_s is divided by (1 + visits) to this power; 0: constant */
    float mcss_cpuct;         /* c_puct of equation 8; 0: equation 3 */

    /* Backup. */
    float value_exponent; /* children with worse values count less: 0 for plain means */
    float value_bias;     /* share of the errors of such moves that corrects a value; 0: none */
    float noise_prune;    /* visits caused only by noise of the policy count less; 0: off */

    /* Scores. */
    float score_static, score_dynamic; /* their parts of the utility */
    float score_zero;                  /* pull of the dynamic part's centre towards 0 */

    /* The root. */
    float noise;       /* share of Dirichlet noise; 0: none */
    float noise_alpha; /* total over all moves */
    bool lcb;          /* choose by the lower confidence bound of the value */
    float lcb_stdevs, lcb_min_share;
    /* Gumbel: sequential halving over this many root moves, drawn by the policy without
     * replacement; 0: off. Needs a visit limit. */
    unsigned gumbel;
    float gumbel_visit, gumbel_scale; /* c_visit and c_scale */
    bool reuse;
    bool solve;
    enum yo_guided_joining joining;
};

extern const char *const yo_guided_forms[];
extern const char *const yo_guided_joinings[];
extern const char *const yo_guided_roots[];

/* Memory, threads, virtual loss, lcb, solve and reuse are rows that UCT has too. How far the policy
 * is trusted depends on the networks of a game: cpuct, temperature and fpu are its defaults. */
#define YO_GUIDED_TREE_ROWS(cpuct, temperature, fpu)                                               \
    YO_CHOICE("root", YO_EVERYWHERE, "puct", yo_guided_roots, "NAME",                              \
              "with a network: how moves of the root are chosen; gumbel suits few visits"),        \
        YO_INT("gumbel-moves", YO_EVERYWHERE, "16", 2, 1000, "N",                                  \
               "moves that --root gumbel looks at"),                                               \
        YO_REAL("cpuct", YO_EVERYWHERE, cpuct, 0, 100, "C",                                        \
                "with a network: exploration by the policy"),                                      \
        YO_REAL("cpuct-log", YO_EVERYWHERE, "0.45", 0, 100, "C",                                   \
                "what each e-fold of visits beyond 500 adds to cpuct"),                            \
        YO_CHOICE(                                                                                 \
            "puct-form", YO_EVERYWHERE, "zero", yo_guided_forms, "FORM",                           \
            "zero: the square root of the visits over 1+n, as AlphaGo Zero has it; printed: "      \
            "the square root of the whole fraction"),                                              \
        YO_BOOL("policy-prior", YO_EVERYWHERE, "true",                                             \
                "use the network's policy; if not, every move has the same prior"),                \
        YO_REAL("policy-temperature", YO_EVERYWHERE, temperature, 0.01, 100, "T",                  \
                "above 1 the policy is flatter, below 1 sharper"),                                 \
        YO_REAL("fpu-reduction", YO_EVERYWHERE, fpu, -2, 2, "U",                                   \
                "how far below its parent a move is valued that was not tried"),                   \
        YO_REAL("root-policy-temperature", YO_EVERYWHERE, "0", 0, 100, "T",                        \
                "the same at the root; 0: as --policy-temperature"),                               \
        YO_REAL("root-fpu-reduction", YO_EVERYWHERE, "0.1", -2, 2, "U",                            \
                "fpu-reduction at the root"),                                                      \
        YO_REAL("value-weight", YO_EVERYWHERE, "0.25", 0, 10, "E",                                 \
                "how much less children with bad values count; 0: plain means"),                   \
        YO_REAL("noise-prune", YO_EVERYWHERE, "0.15", 0, 10, "U",                                  \
                "scale of values by which visits that only the policy asked for are "              \
                "discounted; 0: not"),                                                             \
        YO_REAL("select-temperature", YO_EVERYWHERE, "0.02", 1e-6, 100, "T",                       \
                "mcss: temperature of the move selection in the tree"),                            \
        YO_REAL("backup-temperature", YO_EVERYWHERE, "0.001", 1e-6, 100, "T",                      \
                "mcss: temperature of the mean that is a node's value"),                           \
        YO_REAL("select-cooling", YO_EVERYWHERE, "0", 0, 10, "E",                                  \
                "mcss: the temperature is divided by (1 + visits) to this power"),                 \
        YO_REAL("mcss-cpuct", YO_EVERYWHERE, "1", 0, 100, "C",                                     \
                "mcss: exploration by the policy; 0 for none"),                                    \
        YO_CHOICE("transpositions", YO_EVERYWHERE, "off", yo_guided_joinings, "WHICH",             \
                  "with a network: which transpositions share a "                                  \
                  "node; same: those where the network sees the same last moves; all: others too")
/* The same, and those of games with points. */
#define YO_GUIDED_OPTION_ROWS                                                                      \
    YO_GUIDED_TREE_ROWS("1", "1", "0.2"),                                                          \
        YO_REAL("score-utility", YO_EVERYWHERE, "1", 0, 10, "F",                                   \
                "how much points count beside winning; 0: not at all"),                            \
        YO_REAL(                                                                                   \
            "value-bias", YO_EVERYWHERE, "0.45", 0, 1, "F",                                        \
            "share of the error found after like moves by which values are corrected; 0: none")

/* From a table that has these rows and UCT's, with or without those of points; mode, seed and
 * threads do not change. */
void yo_guided_options_read(const struct yo_options *from, struct yo_guided_options *options);
void yo_guided_options_default(struct yo_guided_options *options);
