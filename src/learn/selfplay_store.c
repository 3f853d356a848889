#include "learn/selfplay_store.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"

#define FIRST_LINE "yomi selfplay 1"

static enum yo_err fail_io(struct yo_diag *diag, const char *what, const char *path) {
    return yo_diag_set(diag, YO_ERR_IO, "cannot %s %.150s: %s", what, path, strerror(errno));
}

static char *with_suffix(const char *path, const char *suffix) {
    size_t size = strlen(path) + strlen(suffix) + 1;
    char *text = yo_alloc(size, 1);
    if (text) snprintf(text, size, "%s%s", path, suffix);
    return text;
}

/* ---- Resuming ---- */

static enum yo_err parse_tally(FILE *file, struct yo_selfplay_tally *tally) {
#define X(name)                                                                                    \
    if (fscanf(file, #name " %" SCNu64 "\n", &tally->name) != 1) return YO_ERR_PARSE;
    YO_SELFPLAY_TALLY(X)
#undef X
    return YO_OK;
}

static enum yo_err damaged(const struct selfplay_store *s, struct yo_diag *diag) {
    enum yo_err err = yo_diag_set(diag, YO_ERR_PARSE, "%.150s is damaged", s->state_path);
    yo_diag_hint(diag, "give another name; the positions can be used without it");
    return err;
}

static enum yo_err read_state(struct selfplay_store *s, FILE *file, struct yo_diag *diag) {
    char line[1024];
    const char *expected[] = {FIRST_LINE, s->settings_text};
    for (int i = 0; i < 2; i++) {
        bool got = fgets(line, sizeof line, file) != NULL;
        if (got) line[strcspn(line, "\n")] = '\0';
        if (got && strcmp(line, expected[i]) == 0) continue;
        if (i == 0 || !got) return damaged(s, diag);
        enum yo_err err = yo_diag_set(diag, YO_ERR_ARGUMENT, "%.64s was made otherwise: %.150s",
                                      s->state_path, line);
        yo_diag_hint(diag, "use the same settings, or another file");
        return err;
    }
    return parse_tally(file, &s->tally) ? damaged(s, diag) : YO_OK;
}

static enum yo_err remember_positions(struct selfplay_store *s, const char *path,
                                      struct yo_diag *diag) {
    uint8_t bytes[YO_SHOGI_SAMPLE];
    bool fresh;
    for (uint64_t i = 0; i < s->tally.positions; i++) {
        if (fread(bytes, sizeof bytes, 1, s->data) != 1)
            return yo_diag_set(diag, YO_ERR_PARSE,
                               "%.100s is shorter than the %" PRIu64
                               " positions that its .state file says",
                               path, s->tally.positions);
        if (yo_selfplay_seen_add(&s->seen, bytes, &fresh))
            return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    }
    off_t end = (off_t)(s->tally.positions * YO_SHOGI_SAMPLE);
    if (ftruncate(fileno(s->data), end) != 0 || fseeko(s->data, end, SEEK_SET) != 0)
        return fail_io(diag, "shorten", path);
    return YO_OK;
}

static enum yo_err open_files(struct selfplay_store *s, const char *path, struct yo_diag *diag) {
    FILE *state = fopen(s->state_path, "re");
    enum yo_err err = YO_OK;
    if (state) {
        err = read_state(s, state, diag);
        fclose(state);
        if (err) return err;
    }
    s->data = fopen(path, state ? "r+be" : "wxbe");
    /* Nothing is lost by beginning in an empty one, as a full disk leaves it. */
    struct stat status;
    if (!s->data && !state && errno == EEXIST && stat(path, &status) == 0 &&
        S_ISREG(status.st_mode) && status.st_size == 0)
        s->data = fopen(path, "r+be");
    if (!s->data) {
        err = fail_io(diag, "open", path);
        if (!state && errno == EEXIST)
            yo_diag_hint(diag, "it has no .state file to go on from; give another name");
        return err;
    }
    return state ? remember_positions(s, path, diag) : yo_selfplay_store_save(s, diag);
}

enum yo_err yo_selfplay_store_open(struct selfplay_store *s, const char *path,
                                   const char *settings_text, struct yo_diag *diag) {
    *s = (struct selfplay_store){.settings_text = settings_text};
    if (!path) return YO_OK;
    s->state_path = with_suffix(path, ".state");
    s->temporary_path = with_suffix(path, ".state.new");
    enum yo_err err = s->state_path && s->temporary_path
                          ? open_files(s, path, diag)
                          : yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
    if (err) yo_selfplay_store_close(s);
    return err;
}

void yo_selfplay_store_close(struct selfplay_store *s) {
    if (s->data) fclose(s->data);
    yo_free(s->state_path);
    yo_free(s->temporary_path);
    yo_selfplay_seen_free(&s->seen);
    s->data = NULL;
    s->state_path = s->temporary_path = NULL;
}

/* ---- Writing ---- */

static void count_game(struct yo_selfplay_tally *tally, const struct yo_selfplay_game *game,
                       bool swapped) {
    bool first = game->outcome == (swapped ? YO_OUTCOME_SECOND : YO_OUTCOME_FIRST);
    tally->games++;
    if (game->outcome == YO_OUTCOME_DRAW)
        tally->draws++;
    else if (first)
        tally->first++;
    else
        tally->second++;
    tally->moves += (uint64_t)game->moves;
    tally->nodes += game->nodes;
}

static enum yo_err add_samples(struct selfplay_store *s, const struct yo_selfplay_game *game,
                               struct yo_diag *diag) {
    for (size_t i = 0; s->data && i < game->count; i++) {
        uint8_t bytes[YO_SHOGI_SAMPLE];
        bool fresh;
        if (yo_selfplay_seen_add(&s->seen, game->samples[i].position, &fresh))
            return yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory");
        s->tally.repeated += !fresh;
        if (!fresh) continue;
        yo_shogi_sample_write(&game->samples[i], bytes);
        if (fwrite(bytes, sizeof bytes, 1, s->data) != 1)
            return yo_diag_set(diag, YO_ERR_IO, "cannot write positions: %s", strerror(errno));
        s->tally.positions++;
    }
    return YO_OK;
}

/* On failure the tally has nothing of the game, so that a later run cuts off what was written of it
 * and plays it again. */
enum yo_err yo_selfplay_store_add(struct selfplay_store *s, const struct yo_selfplay_game *game,
                                  bool swapped, struct yo_diag *diag) {
    struct yo_selfplay_tally before = s->tally;
    enum yo_err err = add_samples(s, game, diag);
    if (err)
        s->tally = before;
    else
        count_game(&s->tally, game, swapped);
    return err;
}

/* Written to a temporary file and renamed, so that the state file is always complete. */
enum yo_err yo_selfplay_store_save(struct selfplay_store *s, struct yo_diag *diag) {
    if (!s->data) return YO_OK;
    if (fflush(s->data) != 0)
        return yo_diag_set(diag, YO_ERR_IO, "cannot write positions: %s", strerror(errno));
    FILE *file = fopen(s->temporary_path, "we");
    if (!file) return fail_io(diag, "write", s->temporary_path);
    fprintf(file, "%s\n%s\n", FIRST_LINE, s->settings_text);
#define X(name) fprintf(file, #name " %" PRIu64 "\n", s->tally.name);
    YO_SELFPLAY_TALLY(X)
#undef X
    bool failed = ferror(file) != 0;
    failed |= fclose(file) != 0;
    if (failed || rename(s->temporary_path, s->state_path) != 0)
        return fail_io(diag, "write", s->state_path);
    return YO_OK;
}
