/* Networks with policy and value for shogi: opened by a session's options, and the searches on
 * them. */
#pragma once

#include "base/notice.h"
#include "base/option.h"
#include "engine/kinds.h"
#include "search/shogi/guided.h"

struct yo_net;
struct yo_net_eval_options;
struct yo_nets;

#define YO_SHOGI_NET_ROWS                                                                          \
    YO_STRING_USI("net", "DNN_Model", YO_EVERYWHERE, NULL, "FILE",                                 \
                  "a network with policy and value to search with: a file of ONNX, or builtin, "   \
                  "which puct and mcss use without it; or none"),                                  \
        YO_STRING("net-backend", YO_EVERYWHERE, NULL, "NAME",                                      \
                  "what evaluates that network; `yomi devices` lists them"),                       \
        YO_INT("net-cache", YO_EVERYWHERE, "64", 0, 1e6, "MB",                                     \
               "memory for evaluations that may be asked for again"),                              \
        YO_SHOGI_GUIDED_ROWS

/* The search that the options name: "auto" is puct if they name a network, else alphabeta. */
const char *yo_shogi_search_name(const struct yo_options *options);
/* Does this search need the network? */
bool yo_shogi_search_has_net(const char *name);
/* YO_ERR_ARGUMENT if the command line has an evaluation of alpha-beta for such a search. */
enum yo_err yo_shogi_check_eval(const struct yo_options *options, struct yo_diag *diag);
/* The file of the network that is part of the program. */
const void *yo_shogi_net_builtin(size_t *len);
/* A network by its path, or "builtin". The caller looks for which game it is. */
enum yo_err yo_shogi_guide_load(const char *path, struct yo_net **net, struct yo_diag *diag);
/* The same as an evaluator; one of another game is refused. backend: by name; NULL or "auto": the
 * fastest. */
enum yo_err yo_shogi_guide_open_named(const char *path, const char *backend,
                                      const struct yo_net_eval_options *wanted, struct yo_eval *net,
                                      struct yo_diag *diag);
/* The network that the options name; NULL for none, that is also for "none" and "auto". */
const char *yo_shogi_guide_name(const struct yo_options *options);
/* Opens it, or else the one that is part of the program. nets: to share it; or NULL. */
enum yo_err yo_shogi_guide_open(const struct yo_options *options, int threads,
                                struct yo_notices notices, struct yo_nets *nets,
                                struct yo_eval *net, struct yo_diag *diag);

/* Rows of yo_search_kinds. */
enum yo_err yo_shogi_make_puct(const struct yo_search_setup *setup, struct yo_search *search,
                               struct yo_diag *diag);
enum yo_err yo_shogi_make_mcss(const struct yo_search_setup *setup, struct yo_search *search,
                               struct yo_diag *diag);
