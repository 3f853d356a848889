/* yomi doctor: what is here, what is missing and what to install for it; tests every backend,
 * measures the best settings, and writes them to the configuration. */
#include "cmd/doctor/doctor.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "cmd/config.h"
#include "cmd/libraries.h"
#include "cmd/programs.h"
#include "cmd/text.h"
#include "eval/net/choice.h"
#include "eval/net/cuda/cudnn.h"
#include "eval/playout/cuda/gpu.h"

enum { WIDTH = 80 };

/* ---- what is here ---- */

static void add_line(struct yo_buf *out, bool here, const char *name, const char *purpose,
                     const char *join, const char *more) {
    struct yo_buf text = {0};
    yo_buf_printf(&text, "%s: %s%s%s", name, purpose, here ? "" : join, here ? "" : more);
    yo_buf_printf(out, "  %-4s ", here ? "yes" : "NO");
    yo_text_wrap(out, yo_buf_text(&text), 7, 7, WIDTH);
    yo_buf_free(&text);
}

static void add_item(struct yo_buf *out, bool here, const char *name, const char *purpose,
                     const char *cure) {
    add_line(out, here, name, purpose, "; to have it: ", cure);
}

static void add_libraries(struct yo_buf *out) {
    struct yo_library library;
    yo_buf_str(out, "Built in:\n");
    for (size_t i = 0; yo_library_at(i, &library); i++)
        add_item(out, library.version, library.name, library.purpose, library.cure);
}

static void add_programs(struct yo_buf *out) {
    static const struct {
        const char *program, *purpose, *cure;
    } programs[] = {
        {"xdg-open", "`yomi web --open` opens the browser", "apt install xdg-utils"},
        {"nats-server", "`yomi cluster` over many machines", "apt install nats-server"},
        {"gnugo", "an opponent for `yomi match`", "apt install gnugo"},
    };
    yo_buf_str(out, "\nOther programs:\n");
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        char file[512];
        const char *name = programs[i].program;
        bool here = yo_program_find(name, file, sizeof file);
        add_item(out, here, name, programs[i].purpose, programs[i].cure);
    }
}

static void add_cudnn(struct yo_buf *out) {
    const char *why = "";
    char name[48] = "cuDNN ";
    const struct yo_cudnn *cudnn = yo_cudnn_load(&why);
    if (cudnn) yo_cudnn_version_text(cudnn, name + strlen(name), sizeof name - strlen(name));
    struct yo_buf cure = {0};
    yo_buf_printf(&cure, "install NVIDIA's cuDNN 9 (%s)", cudnn ? "" : why);
    add_item(out, cudnn, cudnn ? name : "cuDNN",
             "large networks on the GPU (`--net-backend cuda-cudnn`)", yo_buf_text(&cure));
    yo_buf_free(&cure);
}

static void add_gpus(struct yo_buf *out) {
    char why[300];
    int version;
    struct yo_cuda_gpu gpu;
    yo_buf_str(out, "\nGPU:\n");
    yo_cuda_state(why, sizeof why, &version);
    for (int i = 0; yo_cuda_gpu_describe(i, &gpu); i++)
        add_line(out, gpu.usable, gpu.name, gpu.usable ? "usable" : "not usable", ": ", gpu.why);
    if (why[0]) add_line(out, false, "NVIDIA GPU", "faster playouts and networks", "; ", why);
    if (yo_cuda_gpu_count() > 0) add_cudnn(out);
}

static void add_choices(struct yo_buf *out) {
    struct yo_buf path = {0};
    size_t before;
    yo_buf_str(out, "\nFastest for networks:\n");
    before = out->len;
    yo_net_choices_describe(out);
    if (!yo_net_choices_path(&path))
        yo_buf_str(out, "  not measured: YOMI_CACHE is empty, or HOME is not set\n");
    else if (out->len == before)
        yo_buf_str(out, "  none yet: measured when a network is first used, or by `yomi net info "
                        "FILE`\n");
    else
        yo_buf_printf(out, "  kept in %s; `yomi net info FILE` measures again\n",
                      yo_buf_text(&path));
    yo_buf_free(&path);
}

/* ---- the configuration ---- */

/* Reads the file for each command that would: a section's values are checked by its own command. */
static enum yo_err check_config(struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    for (const struct yo_command *const *c = yo_commands; *c && !err; c++) {
        struct yo_options options;
        if (!(*c)->options || (*c)->no_config) continue;
        err = yo_options_init(&options, (*c)->options, diag);
        if (err) break;
        err = yo_config_read(*c, &options, diag);
        yo_options_free(&options);
    }
    return err;
}

/* Reports a broken file, and which is read. */
static void add_config(struct yo_buf *out, bool *broken) {
    struct yo_buf path = {0};
    struct yo_diag diag = {0};
    yo_buf_str(out, "\nConfiguration:\n");
    if (!yo_config_path(&path)) {
        yo_buf_str(out, "  none: YOMI_CONFIG is empty, or HOME is not set\n");
    } else if (access(yo_buf_text(&path), F_OK) != 0) {
        yo_buf_printf(out, "  %s is not there; `yomi doctor --write` makes it\n",
                      yo_buf_text(&path));
    } else if (check_config(&diag)) {
        char text[640];
        yo_diag_format(&diag, text, sizeof text);
        yo_buf_printf(out, "  %s\n", text);
        *broken = true;
    } else {
        yo_buf_printf(out, "  %s is read by every command\n", yo_buf_text(&path));
    }
    yo_buf_free(&path);
}

static void set_number(struct yo_buf *text, const char *section, const char *key, int value) {
    struct yo_buf next = {0};
    char number[16];
    snprintf(number, sizeof number, "%d", value);
    yo_config_set(yo_buf_text(text), section, key, number, &next);
    yo_buf_free(text);
    *text = next;
}

static enum yo_err write_config(const struct yo_doctor_settings *go,
                                const struct yo_doctor_settings *shogi, struct yo_buf *out,
                                struct yo_diag *diag) {
    struct yo_buf path = {0}, text = {0};
    enum yo_err err = YO_OK;
    if (!yo_config_path(&path)) {
        err = yo_diag_set(diag, YO_ERR_STATE, "there is no place for the configuration");
        yo_diag_hint(diag, "set HOME, XDG_CONFIG_HOME or YOMI_CONFIG");
    }
    if (!err && access(yo_buf_text(&path), F_OK) == 0)
        err = yo_file_read_text(yo_buf_text(&path), &text, diag);
    if (!err) {
        set_number(&text, "", "threads", go->threads);
        set_number(&text, "", "leaves", go->leaves);
        set_number(&text, "usi", "threads", shogi->threads);
        err = yo_buf_status(&text);
        yo_file_make_folders(yo_buf_text(&path));
        if (!err) err = yo_file_replace(yo_buf_text(&path), yo_buf_text(&text), text.len, diag);
    }
    if (!err) yo_buf_printf(out, "Written to %s.\n", yo_buf_text(&path));
    yo_buf_free(&path);
    yo_buf_free(&text);
    return err;
}

/* ---- the command ---- */

/* Prints what there is so far: measuring takes a while. */
static enum yo_err flush(struct yo_buf *out, struct yo_diag *diag) {
    enum yo_err err = yo_text_print(out, diag);
    fflush(stdout);
    *out = (struct yo_buf){0};
    return err;
}

static enum yo_err tune(const struct yo_options *o, struct yo_buf *out, struct yo_diag *diag) {
    struct yo_doctor_settings go, shogi;
    double seconds = yo_options_real(o, "seconds");
    yo_buf_str(out, "\nGo, visits a second:\n");
    enum yo_err err = yo_doctor_tune(YO_SESSION_GO, seconds, &go, out, diag);
    if (!err) err = flush(out, diag);
    if (err) return err;
    yo_buf_str(out, "\nShogi, nodes a second:\n");
    err = yo_doctor_tune(YO_SESSION_SHOGI, seconds, &shogi, out, diag);
    if (err) return err;
    yo_buf_printf(out, "\nBest here: threads = %d for Go, %d for shogi; leaves = %d%s\n",
                  go.threads, shogi.threads, go.leaves, go.leaves ? "" : " (chosen by Yomi)");
    if (yo_options_bool(o, "write")) return write_config(&go, &shogi, out, diag);
    yo_buf_str(out, "`yomi doctor --write` puts that into the configuration.\n");
    return YO_OK;
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_buf out = {0};
    bool broken = false;
    if (yo_options_bool(o, "write") && yo_options_real(o, "seconds") == 0)
        return yo_diag_set(diag, YO_ERR_ARGUMENT,
                           "--write needs --seconds above 0: it writes what is "
                           "measured");
    add_libraries(&out);
    add_programs(&out);
    add_gpus(&out);
    add_choices(&out);
    add_config(&out, &broken);
    yo_buf_str(&out, "\nSelf-test:\n");
    int failed = yo_doctor_self_test(&out);
    enum yo_err err = flush(&out, diag);
    if (!err && yo_options_real(o, "seconds") > 0) err = tune(o, &out, diag);
    enum yo_err printed = flush(&out, err ? NULL : diag);
    if (err || printed) return err ? err : printed;
    if (failed)
        return yo_diag_set(diag, YO_ERR_STATE, "%d backend%s failed the self-test", failed,
                           failed == 1 ? "" : "s");
    if (broken) return yo_diag_set(diag, YO_ERR_STATE, "the configuration has an error (above)");
    return YO_OK;
}

const struct yo_command yo_command_doctor = {
    .name = "doctor",
    .summary = "check this machine: what is missing, what works, the best settings",
    .description =
        "Shows which optional parts are here and what to install for those that are not, tests "
        "every backend against the reference, and measures how fast searches are with different "
        "numbers of threads and leaves. With --write the best are put into the configuration, "
        "which every command reads (docs/config.md). Measure on a machine that does nothing else.",
    .examples = "yomi doctor\nyomi doctor --write\nyomi doctor --seconds 0",
    .options =
        (const struct yo_option[]){
            YO_BOOL("write", YO_ON_CLI, "no", "put the best settings into the configuration"),
            YO_REAL("seconds", YO_ON_CLI, "8", 0, 3600, "S",
                    "how long to measure each game; 0: not at all"),
            YO_OPTIONS_END,
        },
    .run = run,
    .no_config = true,
};
