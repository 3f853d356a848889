/* The parts of `yomi net`, one file each. */
#pragma once

#include "base/option.h"
#include "eval/net/runner.h"

/* A network, compiled for the backend of --backend. */
struct yo_net_loaded {
    struct yo_net *net;
    struct yo_net_program program;
    struct yo_net_runner *runner;
};

/* The network that the command line names; size: of the boards, for "builtin". */
enum yo_err yo_net_load(const struct yo_options *options, int size, struct yo_net_loaded *loaded,
                        struct yo_diag *diag);
void yo_net_unload(struct yo_net_loaded *loaded);

enum yo_err yo_net_info(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_net_show(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_net_show_shogi(const struct yo_options *options, struct yo_net_loaded *loaded,
                              struct yo_diag *diag);
enum yo_err yo_net_check(const struct yo_options *options, struct yo_diag *diag);
