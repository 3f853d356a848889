#include "search/go/options.h"

#include "base/diag.h"

const char *const yo_uct_policies[] = {
    [YO_PLAYOUT_LIGHT] = "light", [YO_PLAYOUT_MOGO] = "mogo",    [YO_PLAYOUT_PURE] = "pure",
    [YO_PLAYOUT_RICH] = "rich",   [YO_UCT_POLICY_AUTO] = "auto", NULL};

/* The largest boards on which the rich playout policy has won; experiments/mogo/ has the matches.
 * It takes twice the time per playout, so under a time limit it wins only on smaller boards. */
#define RICH_SIZE_MAX         9
#define RICH_SIZE_MAX_COUNTED 13

enum yo_playout_policy yo_uct_policy(const struct yo_uct_go_options *options, int size,
                                     bool counted) {
    if (options->policy != YO_UCT_POLICY_AUTO) return (enum yo_playout_policy)options->policy;
    int most = counted ? RICH_SIZE_MAX_COUNTED : RICH_SIZE_MAX;
    return size <= most ? YO_PLAYOUT_RICH : YO_PLAYOUT_MOGO;
}

static const struct yo_option rows[] = {YO_UCT_GO_OPTION_ROWS, YO_OPTIONS_END};

static void read_own(const struct yo_options *from, struct yo_uct_go_options *options) {
    options->policy = (int)yo_options_choice(from, "policy");
    options->group = (unsigned)yo_options_int(from, "group");
    options->reading = yo_options_bool(from, "reading");
    options->zone = yo_options_bool(from, "zone");
    options->even = (float)yo_options_real(from, "zone-even");
}

void yo_uct_go_options_read(const struct yo_options *from, struct yo_uct_go_options *options) {
    yo_uct_options_read(from, &options->tree);
    read_own(from, options);
}

void yo_uct_go_options_default(struct yo_uct_go_options *options) {
    struct yo_options values;
    *options = (struct yo_uct_go_options){.policy = YO_UCT_POLICY_AUTO};
    yo_uct_options_default(&options->tree);
    if (yo_options_init(&values, rows, NULL) != YO_OK) return; /* no memory: the values above */
    read_own(&values, options);
    yo_options_free(&values);
}

enum yo_err yo_uct_go_options_check(const struct yo_uct_go_options *options, struct yo_diag *diag) {
    enum yo_err err = yo_uct_options_check(&options->tree, diag);
    if (err || !options->zone) return err;
    if (options->group == 0)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "a zone needs a group: --group 6, for example");
    if (options->tree.leaves > 1 || options->tree.leaf_playouts > 1)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "zones do not go with batches of leaves");
    return YO_OK;
}
