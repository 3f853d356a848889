/* yomi worker: searches for the master of a cluster. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/time.h"
#include "cluster/worker.h"
#include "cmd/command.h"

enum { AGAIN_MS = 500 }; /* between two tries to reach a broker */

static atomic_bool quit;

static void on_signal(int signal) {
    (void)signal;
    atomic_store(&quit, true);
}

static void make_name(const struct yo_options *o, char name[YO_MESSAGE_NAME]) {
    char host[24] = "";
    if (yo_options_text(o, "name")) {
        snprintf(name, YO_MESSAGE_NAME, "%s", yo_options_text(o, "name"));
        return;
    }
    gethostname(host, sizeof host - 1);
    for (char *c = host; *c; c++)
        if (!yo_message_is_name((char[]){*c, '\0'})) *c = '-';
    snprintf(name, YO_MESSAGE_NAME, "%s-%ld-%llx", host, (long)getpid(),
             (unsigned long long)yo_time_ms() & 0xffff);
}

/* ENGINE ARGS as one command line for the shell, each in quotes. */
static enum yo_err join_engine(const struct yo_options *o, struct yo_buf *command) {
    yo_buf_str(command, "exec");
    for (size_t i = 0; yo_options_argument(o, i); i++) {
        yo_buf_str(command, " '");
        for (const char *c = yo_options_argument(o, i); *c; c++) {
            if (*c == '\'')
                yo_buf_str(command, "'\\''");
            else
                yo_buf_char(command, *c);
        }
        yo_buf_char(command, '\'');
    }
    return yo_buf_status(command);
}

static enum yo_err open_engine(const struct yo_options *o, struct yo_worker_engine *engine,
                               struct yo_diag *diag) {
    enum yo_session_game game = (enum yo_session_game)yo_options_choice(o, "game");
    const char *options = yo_options_text(o, "options");
    struct yo_buf command = {0};
    if (!yo_options_argument(o, 0))
        return yo_worker_own(game, options, &yo_cmd_notices, engine, diag);
    enum yo_err err = join_engine(o, &command);
    if (!err && game == YO_SESSION_SHOGI)
        err = yo_worker_usi(yo_buf_text(&command), options, &quit, engine, diag);
    else if (!err)
        err = yo_worker_gtp(yo_buf_text(&command), &quit, engine, diag);
    if (err) yo_diag_where(diag, yo_options_argument(o, 0), 0, 0);
    yo_buf_free(&command);
    return err;
}

/* A worker may start before its broker, or while that is started again. */
static enum yo_err wait_for_broker(const struct yo_nats_config *nats,
                                   struct yo_transport *transport, struct yo_diag *diag) {
    enum { WAIT_MS = 60000 };
    enum yo_err err = yo_transport_nats(nats, transport, diag);
    int64_t until = yo_time_ms() + WAIT_MS;
    for (int i = 0; (err == YO_ERR_STATE || err == YO_ERR_CANCELLED) && yo_time_ms() < until &&
                    !atomic_load(&quit);
         i++) {
        if (i == 0)
            yo_notice(&yo_cmd_notices, "no broker at %.80s; trying for a minute", nats->url);
        usleep(1000 * AGAIN_MS);
        err = yo_transport_nats(nats, transport, diag);
    }
    return err;
}

/* Before the engine is started, which may take long. */
static enum yo_err check_server(const char *server, struct yo_diag *diag) {
    if (strcmp(server, "stdio") == 0) return YO_OK;
    if (yo_transport_is_nats(server)) return yo_transport_check_port(server, diag);
    yo_diag_set(diag, YO_ERR_ARGUMENT, "--server %.60s is no address", server);
    yo_diag_hint(diag, "for example --server nats://HOST:4222");
    return YO_ERR_ARGUMENT;
}

static enum yo_err open_transport(const struct yo_options *o, char name[YO_MESSAGE_NAME],
                                  struct yo_transport *transport, struct yo_diag *diag) {
    const char *server = yo_options_text(o, "server");
    struct yo_nats_config nats = {.url = server,
                                  .cluster = yo_options_text(o, "cluster-name"),
                                  .auth_file = yo_options_text(o, "cluster-auth"),
                                  .worker = name,
                                  .quit = &quit};
    if (strcmp(server, "stdio") == 0) return yo_transport_stdio(transport, diag);
    enum yo_err err = wait_for_broker(&nats, transport, diag);
    if (err != YO_ERR_MISMATCH) return err;
    /* Both would get the jobs of that name; a worker more is worth more than its name. */
    char taken[YO_MESSAGE_NAME];
    strcpy(taken, name);
    snprintf(name, YO_MESSAGE_NAME, "%.30s-%ld", taken, (long)getpid());
    yo_notice(&yo_cmd_notices, "there is a worker %s already: this one is called %s", taken, name);
    return wait_for_broker(&nats, transport, diag);
}

/* The library gives up when a broker refuses it, as one does that was started again with other
 * users; the right ones may come back. */
static enum yo_err work(const struct yo_options *o, struct yo_worker_config *config,
                        char name[YO_MESSAGE_NAME], struct yo_diag *diag) {
    struct yo_transport *t = &config->transport;
    const char *server = yo_options_text(o, "server");
    enum yo_err err = open_transport(o, name, t, diag);
    while (!err) {
        err = yo_worker_run(config, diag);
        bool refused = !err && yo_transport_is_nats(server) && t->ops->is_over(t->ctx);
        yo_transport_close(t);
        if (!refused || atomic_load(&quit)) break;
        yo_notice(&yo_cmd_notices, "the broker at %.80s refuses this worker; trying again", server);
        while ((err = open_transport(o, name, t, diag)) && !atomic_load(&quit))
            usleep(1000 * AGAIN_MS);
    }
    return atomic_load(&quit) ? YO_OK : err;
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    char name[YO_MESSAGE_NAME];
    struct yo_worker_config config = {.name = name,
                                      .options = yo_options_text(o, "options"),
                                      .notices = yo_cmd_notices,
                                      .quit = &quit};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    make_name(o, name);
    const char *given = yo_options_text(o, "name") ? yo_options_text(o, "name") : name;
    if (!yo_message_is_name(given))
        return yo_diag_set(diag, YO_ERR_ARGUMENT,
                           "--name %.60s is no name: 1 to %d letters, digits, - and _", given,
                           YO_MESSAGE_NAME - 1);
    enum yo_err err = check_server(yo_options_text(o, "server"), diag);
    if (err) return err;
    signal(SIGPIPE, SIG_IGN); /* a lost master is the end, or repaired by the transport */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    err = open_engine(o, &config.engine, diag);
    if (err && atomic_load(&quit)) return YO_OK;
    if (err) return yo_command_usage(err);
    err = work(o, &config, name, diag);
    config.engine.ops->destroy(config.engine.ctx);
    return err;
}

static const struct yo_option options[] = {
    YO_STRING("server", YO_ON_CLI, "nats://127.0.0.1:4222", "ADDRESS",
              "where masters are: nats://HOST:PORT; stdio for a master that started this worker"),
    YO_CHOICE("game", YO_ON_CLI, "shogi", yo_root_games, "GAME", "which game it searches"),
    YO_STRING("options", YO_ON_CLI, NULL, "LIST",
              "options of the engine, KEY=VALUE separated by semicolons: those of `yomi usi` or "
              "`yomi gtp`, or of a USI program. Our own engine has one thread if they name no "
              "other number"),
    YO_STRING(
        "name", YO_ON_CLI, NULL, "NAME",
        "what it is called; made up if not given. Where another worker of the cluster has that "
        "name already, the number of its process comes after it"),
    YO_STRING("cluster-name", YO_ON_CLI, "yomi", "NAME", "which of the clusters at that address"),
    YO_STRING("cluster-auth", YO_ON_CLI, NULL, "FILE",
              "file with user, password or TLS files for that address; see docs/cluster.md"),
    YO_OPTIONS_END,
};

static const struct yo_argument arguments[] = {
    {.name = "ENGINE",
     .optional = true,
     .many = true,
     .help = "after --: a USI or GTP program and its arguments, in place of our own engine"},
    {.name = NULL},
};

const struct yo_command yo_command_worker = {
    .name = "worker",
    .summary = "search for the master of a cluster",
    .description =
        "Connects to the address and searches what a master there asks for, until you end "
        "it. It runs our own engine, or any program that speaks USI (shogi) or GTP (Go); "
        "nothing that comes over the network can start or change a program. docs/cluster.md "
        "describes it all.",
    .examples = "yomi worker --server nats://host:4222 --options 'threads=4;memory=1024'\n"
                "yomi worker --game go -- gnugo --mode gtp",
    .options = options,
    .arguments = arguments,
    .run = run,
};
