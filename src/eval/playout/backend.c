#include "eval/playout/backend.h"

#include <string.h>

#include "base/diag.h"
#include "base/nearest.h"
#include "eval/playout/cuda/cuda.h"
#include "eval/playout/cuda/gpu.h"
#include "eval/playout/hw/hw.h"
#include "eval/playout/hw/remote.h"
#include "eval/playout/position.h"
#include "eval/playout/scalar.h"
#include "eval/playout/slice/slices.h"

static const struct yo_playout_backend *const backends[] = {
    &yo_playout_cuda,
#ifdef YOMI_X86
    &yo_playout_avx512,  &yo_playout_avx2,
#endif
#ifdef __aarch64__
    &yo_playout_neon,
#endif
    &yo_playout_slice64, &yo_playout_scalar, &yo_playout_hw,
};

const struct yo_playout_env yo_playout_env_default = {.patterns = NULL};

void yo_playout_notify_losses(const struct yo_playout_env *env) {
    yo_cuda_notify_losses(YO_CUDA_ALL_GPUS, env->told, &env->notices);
}

unsigned yo_playout_losses(void) { return yo_cuda_lost(); }

#define COUNT        (sizeof backends / sizeof backends[0])
#define CHECK_PREFIX "check:"

const struct yo_playout_backend *yo_playout_backend_at(size_t i) {
    return i < COUNT ? backends[i] : NULL;
}

const char *yo_playout_backend_name(size_t i) { return i < COUNT ? backends[i]->name : NULL; }

const struct yo_playout_backend *yo_playout_backend_find(const char *name) {
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(backends[i]->name, name) == 0) return backends[i];
    return NULL;
}

static enum yo_err not_found(const char *name, struct yo_diag *diag) {
    struct yo_nearest nearest = {.text = name};
    for (size_t i = 0; yo_playout_backend_name(i); i++)
        yo_nearest_offer(&nearest, yo_playout_backend_name(i));
    yo_diag_set(diag, YO_ERR_UNKNOWN, "there is no playout backend '%.40s'", name);
    if (nearest.best)
        yo_diag_hint(diag, "did you mean %s?", nearest.best);
    else
        yo_diag_hint(diag, "`yomi devices` lists the backends; auto chooses one");
    return YO_ERR_UNKNOWN;
}

enum yo_err yo_playout_backend_open(const char *name, const struct yo_playout_backend **backend,
                                    struct yo_diag *diag) {
    *backend = yo_playout_backend_find(name);
    if (*backend) return YO_OK;
    bool gpu = strncmp(name, YO_CUDA_PREFIX, strlen(YO_CUDA_PREFIX)) == 0;
    bool remote = strncmp(name, YO_HW_REMOTE_PREFIX, strlen(YO_HW_REMOTE_PREFIX)) == 0;
    enum yo_err err = gpu      ? yo_cuda_open(name, backend)
                      : remote ? yo_hw_remote_open(name, backend)
                               : YO_ERR_UNKNOWN;
    if (err == YO_ERR_UNKNOWN) return not_found(name, diag);
    return err ? yo_diag_set(diag, err, "no memory for backend %.40s", name) : YO_OK;
}

void yo_playout_backend_close(const struct yo_playout_backend *backend) {
    if (backend && backend->ops->close) backend->ops->close(backend);
}

enum yo_err yo_playout_choose(const char *name, struct yo_playout_choice *choice,
                              struct yo_diag *diag) {
    size_t prefix = strlen(CHECK_PREFIX);
    if (!name) name = "auto";
    bool check = strncmp(name, CHECK_PREFIX, prefix) == 0;
    if (check) name += prefix;
    *choice = (struct yo_playout_choice){.check = check};
    if (strcmp(name, "auto") == 0) return YO_OK;
    enum yo_err err = yo_playout_backend_open(name, &choice->backend, diag);
    if (err || yo_playout_available(choice->backend)) return err;
    yo_diag_set(diag, YO_ERR_UNSUPPORTED, "backend %s needs %s, which is not here", name,
                choice->backend->ops->needs);
    yo_diag_hint(diag, "`yomi devices` says what there is and why; auto chooses one");
    yo_playout_backend_close(choice->backend);
    choice->backend = NULL;
    return YO_ERR_UNSUPPORTED;
}

enum yo_err yo_playout_choose_check(const char *name, struct yo_diag *diag) {
    struct yo_playout_choice choice;
    enum yo_err err = yo_playout_choose(name, &choice, diag);
    if (!err) yo_playout_backend_close(choice.backend);
    return err;
}

struct yo_playout_cut yo_playout_backend_cut(const struct yo_playout_backend *backend, int size) {
    struct yo_playout_cut cut = {0};
    if (backend->ops->cut) backend->ops->cut(backend, size, &cut);
    return cut;
}

const struct yo_playout_backend *yo_playout_backend_best(const struct yo_playout_env *env,
                                                         enum yo_playout_policy policy, int size,
                                                         uint64_t games) {
    for (size_t i = 0; i < COUNT; i++)
        if (yo_playout_supports(backends[i], env, policy, size) &&
            yo_playout_available(backends[i]) &&
            games >= yo_playout_backend_cut(backends[i], size).worth)
            return backends[i];
    return &yo_playout_scalar;
}

const struct yo_playout_backend *yo_playout_backend_here(const struct yo_playout_env *env,
                                                         enum yo_playout_policy policy, int size) {
    for (size_t i = 0; i < COUNT; i++)
        if (!backends[i]->ops->cut && yo_playout_supports(backends[i], env, policy, size) &&
            yo_playout_available(backends[i]))
            return backends[i];
    return &yo_playout_scalar;
}

void yo_playout_piece_start(const struct yo_playout_piece *piece,
                            struct yo_playout_position *start) {
    const struct yo_go_position *position = piece->position;
    if (!piece->child) {
        yo_playout_position_from_go(position, start);
        return;
    }
    struct yo_go_position after = *position;
    yo_go_position_play(&after, (yo_go_point)*piece->child);
    yo_playout_position_from_go(&after, start);
}

void yo_playout_add_histogram(struct yo_eval_playouts *sums, int points, int komi2,
                              const uint32_t *histogram) {
    for (int score = -points; score <= points; score++) {
        uint32_t games = histogram[score + points];
        int64_t score2 = 2 * score - komi2;
        sums->games += games;
        sums->half_wins_first += score2 > 0 ? 2 * (uint64_t)games : score2 == 0 ? games : 0;
        sums->score2_first += score2 * games;
        sums->score2_squared += (uint64_t)(score2 * score2) * games;
        if (sums->histogram) sums->histogram[score + points] += games;
    }
}

void yo_playout_merge(struct yo_eval_playouts *to, const struct yo_eval_playouts *from,
                      int points) {
    to->games += from->games;
    to->moves += from->moves;
    to->half_wins_first += from->half_wins_first;
    to->score2_first += from->score2_first;
    to->score2_squared += from->score2_squared;
    for (int k = 0; to->histogram && k <= 2 * points; k++)
        to->histogram[k] += from->histogram[k];
    for (int k = 0; to->owner && k < points; k++)
        to->owner[k] += from->owner[k];
}
