/* Name, version, the list of commands, and other administrative commands. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/nearest.h"
#include "protocol/gtp/internal.h"
#include "yomi/version.h"

YO_GTP_HANDLER(protocol_version) {
    (void)gtp, (void)line, (void)diag;
    yo_buf_str(out, "2");
    return YO_OK;
}

YO_GTP_HANDLER(name) {
    (void)gtp, (void)line, (void)diag;
    yo_buf_str(out, "Yomi");
    return YO_OK;
}

YO_GTP_HANDLER(version) {
    (void)gtp, (void)line, (void)diag;
    yo_buf_str(out, yo_version());
    return YO_OK;
}

YO_GTP_HANDLER(known_command) {
    (void)gtp, (void)diag;
    yo_buf_str(out, yo_gtp_command_find(line->args[0]) ? "true" : "false");
    return YO_OK;
}

YO_GTP_HANDLER(list_commands) {
    (void)gtp, (void)line, (void)diag;
    for (const struct yo_gtp_command *c = yo_gtp_commands; c->name; c++)
        yo_buf_printf(out, "%s%s", out->len ? "\n" : "", c->name);
    return YO_OK;
}

YO_GTP_HANDLER(quit) {
    (void)line, (void)out, (void)diag;
    gtp->quit = true;
    return YO_OK;
}

YO_GTP_HANDLER(echo) {
    (void)gtp, (void)diag;
    yo_buf_str(out, line->rest);
    return YO_OK;
}

YO_GTP_HANDLER(cputime) {
    (void)gtp, (void)line, (void)diag;
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    yo_buf_printf(out, "%.3f", (double)used.tv_sec + (double)used.tv_nsec / 1e9);
    return YO_OK;
}

YO_GTP_HANDLER(clear_cache) {
    (void)line, (void)out, (void)diag;
    yo_session_clear(gtp->session);
    return YO_OK;
}
