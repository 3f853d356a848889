/* yomi web: the page and its server. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "cluster/master.h"
#include "cmd/command.h"
#include "cmd/web/page.h"
#include "cmd/web/server.h"
#include "engine/options.h"
#include "protocol/web/web.h"

static const struct yo_option options[] = {
    YO_INT("port", YO_ON_CLI, "8017", 0, 65535, "N", "port to listen on; 0: any free one"),
    YO_STRING("host", YO_ON_CLI, "127.0.0.1", "ADDRESS",
              "address to listen on. If other machines can reach it, the address of the page "
              "contains a secret"),
    YO_BOOL("open", YO_ON_CLI, "false", "open the page in the browser"),
    YO_INT("sessions", YO_ON_CLI, "16", 1, 256, "N", "connections at the same time"),
    YO_INT("idle", YO_ON_CLI, "1800", 0, 1000000, "S",
           "close a connection after so many seconds without a message and without a search; 0: "
           "never"),
    YO_INT("threads", YO_ON_CLI, "0", 0, 1024, "N", "threads of each search; 0: one for each core"),
    YO_INT("memory", YO_ON_CLI, "256", 1, 65536, "MB", "memory of each search"),
    YO_STRING(
        "net", YO_ON_CLI, "auto", "FILE",
        "Go: a network in KataGo's format (.bin.gz, .txt.gz), builtin, or none; auto: builtin "
        "where the CPU or a GPU is fast with it"),
    YO_STRING("shogi-net", YO_ON_CLI, NULL, "FILE",
              "shogi: a network with policy and value (ONNX), searched by puct in place of "
              "alpha-beta"),
    YO_STRING("eval", YO_ON_CLI, YO_SHOGI_EVAL_DEFAULT, "FILE",
              "shogi: the network, a file of YaneuraOu's format; or builtin, or material"),
    YO_CLUSTER_ROWS,
    YO_OPTIONS_END,
};

/* The browser gets neither our streams nor our signals. */
static void open_browser(const char *address) {
    pid_t pid = fork();
    if (pid > 0) return; /* SIGCHLD is ignored: nothing to wait for */
    if (pid < 0) {
        fputs("yomi web: no browser could be started; open the address yourself\n", stderr);
        return;
    }
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; null >= 0 && fd <= 2; fd++)
        dup2(null, fd);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execlp("xdg-open", "xdg-open", address, (char *)NULL);
    execlp("open", "open", address, (char *)NULL);
    _exit(127);
}

static void wait_for_signal(const sigset_t *ends) {
    int number;
    while (sigwait(ends, &number) != 0)
        continue;
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_server_config config = {.host = yo_options_text(o, "host"),
                                      .port = (int)yo_options_int(o, "port"),
                                      .sessions = (int)yo_options_int(o, "sessions"),
                                      .idle_ms = 1000 * yo_options_int(o, "idle"),
                                      .options = o};
    struct yo_server *server;
    sigset_t ends;
    struct yo_web_config sessions = {.options = o, .kinds = yo_cluster_kinds};
    enum yo_err err = yo_cluster_check(o, diag);
    if (!err) err = yo_command_usage_of_files(yo_web_try(&sessions, diag));
    if (err) return err;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, NULL); /* inherited by all threads; this one waits for them */
    signal(SIGPIPE, SIG_IGN);
    err = yo_server_start(&config, &server, diag);
    if (err) return err;
    if (!yo_page_files[0].path)
        fputs("yomi web: the page is not part of this build (npm was missing); the protocol at /ws "
              "works\n",
              stderr);
    puts(yo_server_address(server));
    fflush(stdout);
    if (yo_options_bool(o, "open")) open_browser(yo_server_address(server));
    wait_for_signal(&ends);
    yo_server_stop(server);
    return YO_OK;
}

const struct yo_command yo_command_web = {
    .name = "web",
    .summary = "play, analyse and watch the search in a browser",
    .description =
        "Serves a page for both games and prints its address. The page is part of the program; no "
        "file of the machine can be read or written through the server. docs/web.md describes its "
        "protocol. Ends on Ctrl-C.",
    .examples = "yomi web --open\n"
                "yomi web --port 0\n"
                "yomi web --host 0.0.0.0 --net big.bin.gz",
    .options = options,
    .run = run,
};
