/* yomi hw-server: serves playouts to other programs, as a board with the hardware unit would. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "cmd/command.h"
#include "eval/playout/hw/socket.h"
#include "eval/playout/playouts.h"
#include "protocol/hw/serve.h"

static atomic_bool stop;

static void on_signal(int number) {
    (void)number;
    atomic_store(&stop, true);
}

static enum yo_err choose(const char *name, const struct yo_playout_backend **backend,
                          struct yo_diag *diag) {
    *backend = yo_playout_backend_find(name);
    if (*backend) return YO_OK;
    yo_diag_set(diag, YO_ERR_ARGUMENT, "there is no backend %.40s here", name);
    yo_diag_hint(diag, "`yomi devices` lists the backends");
    return YO_ERR_ARGUMENT;
}

static enum yo_err serve(const char *address, struct yo_hw_server *server, struct yo_diag *diag) {
    int fd;
    enum yo_err err = yo_hw_listen(address, &fd, diag);
    if (err) return err;
    fprintf(stderr, "yomi hw-server: %s on %s\n", server->name, address);
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    err = yo_hw_serve(fd, server, &stop, diag);
    close(fd);
    if (strchr(address, '/')) unlink(address);
    return err;
}

static enum yo_err run(const struct yo_options *options, struct yo_diag *diag) {
    const struct yo_playout_backend *backend;
    const struct yo_playout_env env = {.notices = yo_cmd_notices};
    struct yo_hw_server server = {
        .connections_max = (int)yo_options_int(options, "connections"),
        .message_ms = (int64_t)(1000 * yo_options_real(options, "timeout")),
    };
    enum yo_err err = choose(yo_options_text(options, "backend"), &backend, diag);
    if (!err)
        err = yo_playouts_eval_new(backend, false, &env, (int)yo_options_int(options, "threads"),
                                   &server.eval, diag);
    if (err) return err;
    server.name = backend->name;
    for (int size = YO_GO_SIZE_MIN; size <= YO_GO_SIZE_MAX; size++)
        server.sizes |= (uint32_t)yo_playout_supports(backend, &env, YO_PLAYOUT_LIGHT, size)
                        << size;
    err = serve(yo_options_argument(options, 0), &server, diag);
    server.eval.ops->destroy(server.eval.ctx);
    return err;
}

const struct yo_command yo_command_hw_server = {
    .name = "hw-server",
    .summary = "serve playouts from the hardware unit to other programs",
    .description =
        "Listens at ADDRESS, a port of this machine or the path of a Unix socket, and plays the "
        "games that clients ask for on the simulated hardware unit: what the driver of a real "
        "board would do. docs/hw-protocol.md is the protocol. An engine is attached with --backend "
        "hw:ADDRESS. Ends on an interrupt.",
    .examples = "yomi hw-server 4711\n"
                "yomi hw-server ./unit.sock --threads 2\n"
                "yomi gtp --size 9 --backend hw:4711",
    .options =
        (const struct yo_option[]){
            YO_STRING("backend", YO_ON_CLI, "hw", "NAME",
                      "what plays the games; any backend of this machine"),
            YO_INT("threads", YO_ON_CLI, "1", 0, 1024, "T",
                   "how many units are simulated at once; 0 for one for each core"),
            YO_INT("connections", YO_ON_CLI, "16", 1, 1000, "N", "clients served at once"),
            YO_REAL("timeout", YO_ON_CLI, "5", 0.01, 3600, "S",
                    "time a client has to finish a message it began"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "ADDRESS", .help = "a port, localhost:PORT, or a path with a / in it"},
            {.name = NULL},
        },
    .run = run,
};
