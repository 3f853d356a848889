/* yomi cluster up, status, stop. */
#pragma once

#include "base/option.h"

enum yo_err yo_cluster_up(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_cluster_status(const struct yo_options *options, struct yo_diag *diag);
enum yo_err yo_cluster_stop(const struct yo_options *options, struct yo_diag *diag);

#define YO_UP_ROWS                                                                                 \
    YO_STRING("server", YO_ON_CLI, "nats://127.0.0.1:4222", "ADDRESS", "the broker"),              \
        YO_STRING("cluster-name", YO_ON_CLI, "yomi", "NAME",                                       \
                  "which of the clusters at that address"),                                        \
        YO_STRING("cluster-auth", YO_ON_CLI, NULL, "FILE",                                         \
                  "user, password or TLS files for that address"),                                 \
        YO_STRING("worker-auth", YO_ON_CLI, NULL, "FILE",                                          \
                  "up: the same for its workers, where they have a user of their own"),            \
        YO_STRING("options", YO_ON_CLI, NULL, "LIST", "up: options of the workers' engine"),       \
        YO_STRING("broker-config", YO_ON_CLI, NULL, "FILE",                                        \
                  "up: a configuration of nats-server; if not given it listens on 127.0.0.1"),     \
        YO_STRING("folder", YO_ON_CLI, NULL, "FOLDER",                                             \
                  "up, stop: where process numbers and logs are kept"),                            \
        YO_BOOL("json", YO_ON_CLI, "false", "status: print the messages of the workers")
