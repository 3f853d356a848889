/* The commands go and ponderhit. */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/nearest.h"
#include "base/time.h"
#include "game/shogi/movegen.h"
#include "protocol/usi/internal.h"

enum { SEARCHMOVES_MAX = 600, DEPTH_MAX = 1000 };

/* The arguments of a go. Missing numbers are -1. */
struct usi_go {
    struct yo_shogi_clock clocks[2];          /* the byoyomi in these is unused */
    int64_t byoyomi_ms, movetime_ms, mate_ms; /* mate_ms -1: no limit */
    int64_t depth, nodes;
    bool infinite, ponder, mate;
    yo_move only[SEARCHMOVES_MAX];
    size_t only_count;
};

/* Larger numbers are cut to this, so that sums do not overflow. */
static const int64_t number_max = INT64_C(1000000000000000);

static bool parse_number(const char *word, int64_t *number) {
    char *end;
    long long n = strtoll(word, &end, 10);
    if (end == word || *end) return false;
    *number = n < 0 ? 0 : n > number_max ? number_max : n; /* clocks may be slightly negative */
    return true;
}

static enum yo_err read_number(const char *name, const char **rest, int64_t *number,
                               struct yo_diag *diag) {
    char word[32];
    yo_usi_word(rest, word, sizeof word);
    if (parse_number(word, number)) return YO_OK;
    return yo_diag_set(diag, YO_ERR_PARSE, "%s wants a number, not '%s'", name, word);
}

static enum yo_err read_searchmoves(const struct yo_shogi_position *pos, struct usi_go *go,
                                    const char **rest, struct yo_diag *diag) {
    for (;;) {
        char word[32];
        const char *before = *rest;
        yo_shogi_move move;
        if (!yo_usi_word(rest, word, sizeof word)) break;
        if (yo_shogi_move_parse(word, &move, NULL)) {
            *rest = before;
            break;
        }
        if (!yo_shogi_move_is_sound(pos, move))
            return yo_diag_set(diag, YO_ERR_ILLEGAL, "searchmoves: %s is not legal here", word);
        if (go->only_count < SEARCHMOVES_MAX) go->only[go->only_count++] = move;
    }
    return go->only_count ? YO_OK : yo_diag_set(diag, YO_ERR_PARSE, "searchmoves wants moves");
}

/* "mate infinite", "mate 10000", or "mate" alone. */
static enum yo_err read_mate(struct usi_go *go, const char **rest, struct yo_diag *diag) {
    char word[32];
    go->mate = true;
    go->mate_ms = -1;
    if (!yo_usi_word(rest, word, sizeof word) || strcmp(word, "infinite") == 0) return YO_OK;
    if (parse_number(word, &go->mate_ms)) return YO_OK;
    return yo_diag_set(diag, YO_ERR_PARSE, "mate wants milliseconds or infinite, not '%s'", word);
}

struct number {
    const char *name;
    int64_t *number;
};

/* The clock arguments come first; ponderhit accepts only those. */
enum { CLOCK_NUMBERS = 5, NUMBERS = 8 };

static void list_numbers(struct usi_go *go, struct number out[NUMBERS]) {
    const struct number numbers[NUMBERS] = {
        {"btime", &go->clocks[0].time_ms},
        {"wtime", &go->clocks[1].time_ms},
        {"binc", &go->clocks[0].increment_ms},
        {"winc", &go->clocks[1].increment_ms},
        {"byoyomi", &go->byoyomi_ms},
        {"movetime", &go->movetime_ms},
        {"depth", &go->depth},
        {"nodes", &go->nodes},
    };
    memcpy(out, numbers, sizeof numbers);
}

static struct number *find_number(struct number *numbers, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(numbers[i].name, name) == 0) return &numbers[i];
    return NULL;
}

static enum yo_err refuse(const char *word, const struct number *numbers, struct yo_diag *diag) {
    struct yo_nearest nearest = {.text = word};
    for (size_t i = 0; i < NUMBERS; i++)
        yo_nearest_offer(&nearest, numbers[i].name);
    yo_nearest_offer(&nearest, "infinite");
    yo_nearest_offer(&nearest, "ponder");
    yo_nearest_offer(&nearest, "mate");
    yo_nearest_offer(&nearest, "searchmoves");
    yo_diag_set(diag, YO_ERR_UNKNOWN, "there is no '%s'", word);
    if (nearest.best) yo_diag_hint(diag, "did you mean %s?", nearest.best);
    return YO_ERR_UNKNOWN;
}

static enum yo_err read_go(const struct yo_usi *usi, const char *rest, struct usi_go *go,
                           struct yo_diag *diag) {
    struct number numbers[NUMBERS], *number;
    char word[32];
    list_numbers(go, numbers);
    while (yo_usi_word(&rest, word, sizeof word)) {
        enum yo_err err = YO_OK;
        if ((number = find_number(numbers, NUMBERS, word)))
            err = read_number(word, &rest, number->number, diag);
        else if (strcmp(word, "infinite") == 0)
            go->infinite = true;
        else if (strcmp(word, "ponder") == 0)
            go->ponder = true;
        else if (strcmp(word, "mate") == 0)
            err = read_mate(go, &rest, diag);
        else if (strcmp(word, "searchmoves") == 0)
            err = read_searchmoves(usi_now(usi), go, &rest, diag);
        else
            err = refuse(word, numbers, diag);
        if (err) return err;
    }
    if (go->mate) go->infinite = go->ponder = false;
    return YO_OK;
}

/* Byoyomi is the same for both sides. */
static void take_clocks(struct yo_usi *usi, const struct usi_go *go) {
    for (int side = 0; side < 2; side++) {
        usi->clocks[side] = go->clocks[side];
        usi->clocks[side].byoyomi_ms = go->byoyomi_ms;
    }
    yo_session_set_clocks(usi->session, usi->clocks);
}

/* -1 (not given) becomes 0, no limit; a limit of 0 ms becomes 1 ms. */
static int64_t at_least_one(int64_t ms) { return ms < 0 ? 0 : ms == 0 ? 1 : ms; }

static const struct usi_go nothing = {
    .clocks = {{-1, -1, -1}, {-1, -1, -1}}, .byoyomi_ms = -1, .movetime_ms = -1, .mate_ms = -1};

void yo_usi_go(struct yo_usi *usi, const char *rest) {
    struct yo_diag diag = {0};
    struct usi_go go = nothing;
    int64_t heard_ms = yo_time_ms();
    if (read_go(usi, rest, &go, &diag)) {
        yo_usi_complain(usi, "go", &diag);
        return;
    }
    yo_session_stop(usi->session);
    struct yo_session_request request = {
        .limits = {.depth = (int)(go.depth < DEPTH_MAX ? go.depth : DEPTH_MAX),
                   .nodes = (uint64_t)go.nodes,
                   .time_ms = at_least_one(go.mate ? go.mate_ms : go.movetime_ms),
                   .mate = go.mate,
                   .only = go.only_count && !go.mate ? go.only : NULL,
                   .only_count = go.only_count},
        .limited = go.movetime_ms >= 0,
        .infinite = go.infinite,
        .ponder = go.ponder,
        .heard_ms = heard_ms};
    if (go.mate) request.limits.depth = 0; /* the mate solver has no depth limit */
    struct yo_session_listener listener = {
        .report = go.mate ? NULL : yo_usi_report, .answer = yo_usi_answer, .user = usi};
    take_clocks(usi, &go);
    usi->mate = go.mate;
    usi->reported = YO_MOVE_NONE;
    usi->lines = (size_t)yo_options_int(yo_session_options(usi->session), "MultiPV");
    if (yo_session_start(usi->session, &request, &listener, &diag) == YO_OK) return;
    yo_usi_complain(usi, "", &diag);
    yo_usi_say(usi, go.mate ? "checkmate timeout" : "bestmove resign");
}

/* Some clients send the clocks again. If they cannot be read, the clocks of the go still apply. */
static void read_clocks(struct yo_usi *usi, const char *rest) {
    struct yo_diag diag = {0};
    struct usi_go go = {.clocks = {usi->clocks[0], usi->clocks[1]},
                        .byoyomi_ms = usi->clocks[0].byoyomi_ms};
    struct number numbers[NUMBERS], *number;
    char word[32];
    enum yo_err err = YO_OK;
    list_numbers(&go, numbers);
    while (!err && yo_usi_word(&rest, word, sizeof word)) {
        if ((number = find_number(numbers, CLOCK_NUMBERS, word)))
            err = read_number(word, &rest, number->number, &diag);
        else
            err = yo_diag_set(&diag, YO_ERR_UNKNOWN, "there is no '%s'", word);
    }
    if (err)
        yo_usi_complain(usi, "ponderhit", &diag);
    else
        take_clocks(usi, &go);
}

void yo_usi_ponderhit(struct yo_usi *usi, const char *rest) {
    int64_t heard_ms = yo_time_ms();
    if (!yo_session_is_pondering(usi->session)) return;
    read_clocks(usi, rest);
    yo_session_ponderhit(usi->session, heard_ms);
}
