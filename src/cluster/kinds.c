/* Sessions get their cluster here: from the options to a master with its workers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/time.h"
#include "cluster/master.h"
#include "cluster/message.h"
#include "cluster/order_policy.h"
#include "cluster/order_shogi.h"
#include "cluster/root.h"
#include "engine/options.h"

/* ROOTS and DISCOUNT are measured: experiments/kaneko. */
enum { LOCAL_MAX = 256, ROOTS = 50, DISCOUNT = 20 };
/* How long the start waits for workers: those that it starts, and the first answer of others. */
enum { LOCAL_WAIT_MS = 10000, ANSWER_WAIT_MS = 2000 };

/* ---- Local workers ---- */

/* In single quotes, for the shell. */
static void add_quoted(struct yo_buf *out, const char *text) {
    yo_buf_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            yo_buf_str(out, "'\\''");
        else
            yo_buf_char(out, *text);
    }
    yo_buf_char(out, '\'');
}

/* Options that are the master's alone. */
static bool is_masters(const char *key) {
    return yo_session_is_habit(key) || strncmp(key, "cluster", 7) == 0 ||
           strcmp(key, "strategy") == 0;
}

static void add_value(struct yo_buf *out, const struct yo_options *options,
                      const struct yo_option *row) {
    const char *key = row->key;
    if (row->type == YO_OPTION_BOOL)
        yo_buf_str(out, yo_options_bool(options, key) ? "true" : "false");
    else if (row->type == YO_OPTION_INT)
        yo_buf_printf(out, "%lld", (long long)yo_options_int(options, key));
    else if (row->type == YO_OPTION_REAL)
        yo_buf_printf(out, "%.17g", yo_options_real(options, key));
    else
        yo_buf_str(out, yo_options_text(options, key) ? yo_options_text(options, key) : "");
}

/* The options that were given, as a worker takes them: "KEY=VALUE;KEY=VALUE". */
static enum yo_err write_options(const struct yo_options *options, struct yo_buf *out,
                                 struct yo_diag *diag) {
    for (const struct yo_option *row = options->rows; row->key; row++) {
        if (!yo_options_given(options, row->key) || is_masters(row->key)) continue;
        const char *text = row->type == YO_OPTION_STRING ? yo_options_text(options, row->key) : "";
        if (text && strchr(text, ';'))
            return yo_diag_set(diag, YO_ERR_ARGUMENT,
                               "--%s of a cluster's workers cannot hold a semicolon", row->key);
        yo_buf_printf(out, "%s%s=", out->len ? ";" : "", row->key);
        add_value(out, options, row);
    }
    return yo_buf_status(out);
}

static enum yo_err write_command(const struct yo_search_setup *setup, struct yo_buf *command,
                                 struct yo_diag *diag) {
    char program[4096];
    struct yo_buf options = {0};
    ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
    if (len <= 0) return yo_diag_set(diag, YO_ERR_IO, "cannot tell which program this is");
    program[len] = '\0';
    enum yo_err err = write_options(setup->options, &options, diag);
    add_quoted(command, program);
    yo_buf_printf(command, " worker --server stdio --game %s", yo_root_games[setup->game]);
    if (options.len) {
        yo_buf_str(command, " --options ");
        add_quoted(command, yo_buf_text(&options));
    }
    yo_buf_free(&options);
    return err ? err : yo_buf_status(command);
}

static enum yo_err open_local(const struct yo_search_setup *setup, size_t count,
                              struct yo_transport *transport, struct yo_diag *diag) {
    struct yo_buf command = {0};
    enum yo_err err = write_command(setup, &command, diag);
    if (!err)
        err =
            yo_transport_local(yo_buf_text(&command), (int)count, &setup->notices, transport, diag);
    yo_buf_free(&command);
    return err;
}

/* ---- From options to a master ---- */

/* *local: the workers to start on this machine; 0: `where` is an address. */
static enum yo_err read_where(const char *where, size_t *local, struct yo_diag *diag) {
    *local = 0;
    if (strncmp(where, "local:", 6) == 0) {
        const char *number = where + 6;
        char *end;
        long count = strtol(number, &end, 10);
        *local = (size_t)count;
        if (end != number && !*end && count >= 1 && count <= LOCAL_MAX) return YO_OK;
        yo_diag_set(diag, YO_ERR_ARGUMENT, "--cluster local:%.20s: there can be 1 to %d workers",
                    number, LOCAL_MAX);
        yo_diag_hint(diag, "for example --cluster local:4");
        return YO_ERR_ARGUMENT;
    }
    if (yo_transport_is_nats(where)) return yo_transport_check_port(where, diag);
    yo_diag_set(diag, YO_ERR_ARGUMENT, "--cluster %.60s is neither local:N nor an address", where);
    yo_diag_hint(diag, "for example --cluster local:4 or --cluster nats://HOST:4222");
    return YO_ERR_ARGUMENT;
}

enum yo_err yo_cluster_check(const struct yo_options *options, struct yo_diag *diag) {
    const char *where = yo_session_text(options, "cluster");
    size_t local;
    return where ? read_where(where, &local, diag) : YO_OK;
}

static void tell_failure(const struct yo_search_setup *setup, const struct yo_diag *diag,
                         const char *until) {
    char text[512];
    yo_diag_format(diag, text, sizeof text);
    text[strcspn(text, "\r\n")] = '\0';
    setup->notice(setup->user, text);
    snprintf(text, sizeof text, "searching without a cluster%s", until);
    setup->notice(setup->user, text);
}

static enum yo_err open_transport(const struct yo_search_setup *setup, const char *master,
                                  struct yo_master_config *config, struct yo_diag *diag) {
    const char *where = yo_session_text(setup->options, "cluster");
    const char *name = yo_session_text(setup->options, "cluster-name");
    bool patient = setup->strict || !setup->notice; /* it fails where it finds none */
    struct yo_nats_config nats = {.url = where,
                                  .cluster = name ? name : "yomi",
                                  .auth_file = yo_session_text(setup->options, "cluster-auth"),
                                  .master = master,
                                  .wait_ms = patient ? 0 : ANSWER_WAIT_MS};
    size_t local;
    enum yo_err err = read_where(where, &local, diag);
    if (err) return err;
    if (local) {
        config->expected = local;
        config->wait_ms = LOCAL_WAIT_MS;
        return open_local(setup, local, &config->transport, diag);
    }
    config->expected = 1;
    config->wait_ms = ANSWER_WAIT_MS;
    err = yo_transport_nats(&nats, &config->transport, diag);
    if ((err != YO_ERR_STATE && err != YO_ERR_CANCELLED) || patient) return err;
    tell_failure(setup, diag, err == YO_ERR_STATE ? " until it is there" : " until it answers");
    config->expected = 0;
    nats.later = true;
    return yo_transport_nats(&nats, &config->transport, diag);
}

/* The option is checked against its choices, which are "auto" and the plan's names. */
static enum yo_plan_strategy read_strategy(const struct yo_search_setup *setup) {
    size_t choice = yo_options_choice(setup->options, "strategy");
    if (choice > 0) return (enum yo_plan_strategy)(choice - 1);
    /* Values of alpha-beta are comparable at equal depth; statistics of trees add up. */
    return strcmp(setup->search, "alphabeta") == 0 ? YO_PLAN_PREDICT : YO_PLAN_SHARE;
}

/* Unique enough that two masters at one broker are never taken for each other. */
static void make_name(char name[YO_MESSAGE_NAME]) {
    snprintf(name, YO_MESSAGE_NAME, "master-%ld-%llx", (long)getpid(),
             (unsigned long long)yo_time_ns());
}

/* ---- The quick order of moves, for the plan ---- */

static void delete_order(void *order) { yo_shogi_order_delete(order); }
static void delete_policy(void *order) { yo_policy_order_delete(order); }

static enum yo_err order_by_policy(const struct yo_search_setup *setup,
                                   struct yo_master_config *config, struct yo_diag *diag) {
    struct yo_policy_order *order;
    enum yo_err err = yo_policy_order_new(setup->net, yo_root_ops(setup->game), &order, diag);
    if (err) return err;
    config->plan.order = yo_policy_order_moves;
    config->plan.user = order;
    config->delete_order = delete_policy;
    return YO_OK;
}

static enum yo_err make_order(const struct yo_search_setup *setup, struct yo_master_config *config,
                              struct yo_diag *diag) {
    struct yo_shogi_order *order;
    if (setup->net.ops) return order_by_policy(setup, config, diag);
    if (setup->game != YO_SESSION_SHOGI) return YO_OK;
    enum yo_err err = yo_shogi_order_new(setup->eval, NULL, &order, diag);
    if (err) return err;
    config->plan.order = yo_shogi_order_moves;
    config->plan.user = order;
    config->delete_order = delete_order;
    return YO_OK;
}

static enum yo_err make_master(const struct yo_search_setup *setup, struct yo_search inner,
                               struct yo_search *search, struct yo_diag *diag) {
    char name[YO_MESSAGE_NAME];
    struct yo_master_config config = {
        .game = setup->game,
        .name = name,
        .inner = inner,
        .plan = {.strategy = read_strategy(setup), .roots = ROOTS, .discount = DISCOUNT},
        .notice = setup->notice,
        .user = setup->user,
        .notices = setup->notices};
    make_name(name);
    enum yo_err err = open_transport(setup, name, &config, diag);
    if (setup->at_once) config.expected = 0;
    if (!err) err = make_order(setup, &config, diag);
    if (err) {
        yo_transport_close(&config.transport);
        yo_search_destroy(&inner);
        return err;
    }
    return yo_master_new(&config, search, diag);
}

/* Makes the search as a session would without a cluster. */
static enum yo_err make_inner(const struct yo_search_setup *setup, struct yo_search *search,
                              struct yo_diag *diag) {
    const struct yo_search_kind *kind =
        yo_search_kind_find(yo_search_kinds, setup->game, setup->search, diag);
    return kind ? kind->make(setup, search, diag) : YO_ERR_UNKNOWN;
}

/* A master's workers have their options from their start, so that changed ones need new workers. */
static enum yo_err make(const struct yo_search_setup *setup, struct yo_search *search,
                        struct yo_diag *diag) {
    struct yo_search inner = {0};
    struct yo_diag why = {0};
    if (!yo_session_text(setup->options, "cluster")) return make_inner(setup, search, diag);
    yo_search_destroy(search);
    enum yo_err err = make_inner(setup, &inner, diag);
    if (err) return err;
    err = make_master(setup, inner, search, &why);
    if (!err) return YO_OK;
    if (setup->strict || !setup->notice) {
        if (diag) *diag = why;
        return err;
    }
    tell_failure(setup, &why, "");
    return make_inner(setup, search, diag);
}

/* The searches of engine/kinds.c; a test compares the two. */
const struct yo_search_kind yo_cluster_kinds[] = {
    {"uct", YO_SESSION_GO, make},
    {"flat", YO_SESSION_GO, make},
    {"puct", YO_SESSION_GO, make},
    {"mcss", YO_SESSION_GO, make},
    {"alphabeta", YO_SESSION_SHOGI, make},
    {"uct", YO_SESSION_SHOGI, make},
    {"puct", YO_SESSION_SHOGI, make},
    {"mcss", YO_SESSION_SHOGI, make},
    {.name = NULL},
};
