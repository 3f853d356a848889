#include "search/guided/options.h"

const char *const yo_guided_forms[] = {"zero", "printed", NULL};
const char *const yo_guided_joinings[] = {"off", "same", "all", NULL};
const char *const yo_guided_roots[] = {"puct", "gumbel", NULL};

void yo_guided_options_default(struct yo_guided_options *options) {
    *options = (struct yo_guided_options){
        .threads = 1,
        .memory_mb = 512,
        .cpuct = 1.0f,
        .cpuct_log = 0.45f,
        .cpuct_base = 500,
        .stdev_prior = 0.40f,
        .stdev_prior_weight = 2,
        .stdev_scale = 0.85f,
        .fpu = 0.2f,
        .root_fpu = 0.1f,
        .virtual_loss = 1,
        .policy_temperature = 1,
        .root_policy_temperature = 1,
        .select_temperature = 0.02f,
        .backup_temperature = 0.001f,
        .mcss_cpuct = 1,
        .value_exponent = 0.25f,
        .value_bias = 0.45f,
        .noise_prune = 0.15f,
        .score_static = 0.1f,
        .score_dynamic = 0.3f,
        .score_zero = 0.2f,
        .noise_alpha = 10.83f,
        .gumbel_visit = 50,
        .gumbel_scale = 1,
        .lcb = true,
        .lcb_stdevs = 5,
        .lcb_min_share = 0.15f,
        .reuse = true,
        .solve = true,
    };
}

static float real(const struct yo_options *from, const char *key) {
    return (float)yo_options_real(from, key);
}

void yo_guided_options_read(const struct yo_options *from, struct yo_guided_options *options) {
    bool has_points = yo_option_find(from->rows, ~0u, "score-utility");
    float scores = has_points ? real(from, "score-utility") : 0;
    options->memory_mb = (size_t)yo_options_int(from, "memory");
    options->batch = (size_t)yo_options_int(from, "leaves");
    options->virtual_loss = real(from, "virtual-loss");
    options->lcb = yo_options_bool(from, "lcb");
    options->solve = yo_options_bool(from, "solve");
    options->reuse = yo_options_bool(from, "reuse");
    options->gumbel =
        yo_options_choice(from, "root") == 1 ? (unsigned)yo_options_int(from, "gumbel-moves") : 0;
    options->joining = (enum yo_guided_joining)yo_options_choice(from, "transpositions");
    options->cpuct = real(from, "cpuct");
    options->cpuct_log = real(from, "cpuct-log");
    options->whole_root = yo_options_choice(from, "puct-form") == 1;
    options->uniform = !yo_options_bool(from, "policy-prior");
    options->policy_temperature = real(from, "policy-temperature");
    options->root_policy_temperature = real(from, "root-policy-temperature");
    if (options->root_policy_temperature <= 0)
        options->root_policy_temperature = options->policy_temperature;
    options->fpu = real(from, "fpu-reduction");
    options->root_fpu = real(from, "root-fpu-reduction");
    options->value_exponent = real(from, "value-weight");
    if (has_points) options->value_bias = real(from, "value-bias");
    options->noise_prune = real(from, "noise-prune");
    options->score_static *= scores;
    options->score_dynamic *= scores;
    options->select_temperature = real(from, "select-temperature");
    options->backup_temperature = real(from, "backup-temperature");
    options->select_cooling = real(from, "select-cooling");
    options->mcss_cpuct = real(from, "mcss-cpuct");
}
