#include "base/diag.h"
#include "cluster/worker.h"
enum yo_err yo_worker_gtp(const char *command, struct yo_worker_engine *engine,
                          struct yo_diag *diag) {
    (void)command, (void)engine;
    return yo_diag_set(diag, YO_ERR_UNSUPPORTED, "a GTP program cannot be a worker");
}
