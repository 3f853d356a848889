#include "game/go/ladder_read.h"

#include "game/go/ladder.h"

#define NET_NODES 25000

void yo_go_ladder_start(struct yo_go_ladder_reader *r, const struct yo_go_geometry *geometry,
                        const uint8_t color[YO_GO_POINTS_MAX + 1], yo_go_point ko, bool for_net) {
    yo_go_chase_start(&r->chase, geometry, color, ko);
    r->for_net = for_net;
    r->nodes_max = for_net ? NET_NODES : YO_GO_LADDER_NODES;
    r->depth_max = for_net ? 3 * geometry->points / 2 : YO_GO_LADDER_NODES;
}

void yo_go_ladder_aim(struct yo_go_ladder_reader *r, yo_go_point prey) {
    yo_go_chase_aim(&r->chase, prey);
    r->nodes = r->depth = 0;
}

static bool gave_up(struct yo_go_ladder_reader *r) {
    if (r->depth > r->depth_max || r->nodes >= r->nodes_max) return true;
    r->nodes++;
    return false;
}

/* ---- the prey's moves ---- */

static bool is_free(struct yo_go_ladder_reader *r, const struct yo_go_chase_libs *libs,
                    const struct yo_go_chase_past *past);

static struct yo_go_chase_past past_of(const struct yo_go_ladder_reader *r,
                                       const struct yo_go_chasers *chasers, yo_go_point capture) {
    return (struct yo_go_chase_past){chasers, r->chase.body_count, capture};
}

/* The prey has one liberty, and its side captures elsewhere. */
static bool saved_by_capture(struct yo_go_ladder_reader *r, yo_go_point p, yo_go_point lib,
                             const struct yo_go_chasers *chasers) {
    struct yo_go_chase *c = &r->chase;
    struct yo_go_chase_past past = past_of(r, chasers, p);
    struct yo_go_chase_libs libs = {.point = {lib}, .count = 1};
    struct yo_go_chase_move move;
    if (gave_up(r)) return !r->for_net;
    if (!yo_go_chase_play(c, p, c->own, c->foe, &move)) return false;
    r->depth++;
    yo_go_chase_freed(c, &move, &libs);
    bool saved = is_free(r, &libs, &past);
    r->depth--;
    yo_go_chase_take_back(c, &move);
    return saved;
}

static bool saved_by_extending(struct yo_go_ladder_reader *r, yo_go_point lib,
                               const struct yo_go_chasers *chasers) {
    struct yo_go_chase_past past = past_of(r, chasers, YO_GO_NONE);
    struct yo_go_chase_libs libs = {.count = 0};
    if (gave_up(r)) return !r->for_net;
    if (lib == r->chase.ko) return false;
    struct yo_go_chase_move move = yo_go_chase_extend(&r->chase, lib, &libs);
    r->depth++;
    bool saved = is_free(r, &libs, &past);
    r->depth--;
    yo_go_chase_take_back(&r->chase, &move);
    return saved;
}

/* Captures first, the prey's own liberty last; libs_then: what yo_go_chase_libs_from says of that.
 */
static bool find_saver(struct yo_go_ladder_reader *r, yo_go_point lib, int libs_then,
                       const struct yo_go_chasers *chasers, yo_go_point *saver) {
    for (int i = 0; i < chasers->count; i++) {
        bool again = chasers->lib[i] == lib;
        for (int k = 0; k < i && !again; k++)
            again = chasers->lib[k] == chasers->lib[i];
        if (!again && saved_by_capture(r, *saver = chasers->lib[i], lib, chasers)) return true;
    }
    if (libs_then < 2 && !yo_go_chase_captures(&r->chase, lib)) return false;
    return saved_by_extending(r, *saver = lib, chasers);
}

/* ---- the attacker's moves ---- */

/* The attacker's two moves, and the prey's liberties if it then extends on the other one's point.
 */
struct attacks {
    yo_go_point at[2];
    int libs_then[2];
};

static struct attacks attacks_on(struct yo_go_ladder_reader *r, yo_go_point a, yo_go_point b) {
    return (struct attacks){
        {a, b}, {yo_go_chase_libs_from(&r->chase, b, a), yo_go_chase_libs_from(&r->chase, a, b)}};
}

/* For networks a ladder that depends on a ko does not count as caught, but the attacker's first
 * move may capture one, and the prey may retake it. */
static bool caught_by(struct yo_go_ladder_reader *r, const struct attacks *attacks, int i,
                      const struct yo_go_chase_past *past) {
    struct yo_go_chase *c = &r->chase;
    struct yo_go_chase_move move;
    struct yo_go_chasers chasers;
    yo_go_point p = attacks->at[i], saver;
    bool caught = false;
    if (attacks->libs_then[i] > 2) return false;
    if (gave_up(r)) return r->for_net;
    if (!yo_go_chase_play(c, p, c->foe, c->own, &move)) return false;
    r->depth++;
    if (r->for_net && r->depth == 1) c->ko = YO_GO_NONE;
    if (!r->for_net || c->ko == YO_GO_NONE) {
        yo_go_chase_chasers_since(c, past, p, &chasers);
        caught = !find_saver(r, attacks->at[1 - i], attacks->libs_then[i], &chasers, &saver);
    }
    r->depth--;
    yo_go_chase_take_back(c, &move);
    return caught;
}

/* Liberties, up to three, that the prey has after extending on p instead of `other`. */
static int libs_after(struct yo_go_ladder_reader *r, yo_go_point p, yo_go_point other) {
    struct yo_go_chase_libs libs = {.point = {other}, .count = 1};
    struct yo_go_chase_move move = yo_go_chase_extend(&r->chase, p, &libs);
    yo_go_chase_take_back(&r->chase, &move);
    return libs.count;
}

static bool two_kos(struct yo_go_ladder_reader *r, yo_go_point a, yo_go_point b) {
    struct yo_go_chase *c = &r->chase;
    struct yo_go_chasers chasers;
    if (!yo_go_chase_is_ko_mouth(c, a) || !yo_go_chase_is_ko_mouth(c, b)) return false;
    if (libs_after(r, a, b) > 2 || libs_after(r, b, a) > 2) return false;
    yo_go_chase_chasers(c, &chasers);
    return chasers.count == 0;
}

/* After a move of the prey's side. The attacker first tries the move after which the prey has less.
 */
static bool is_free(struct yo_go_ladder_reader *r, const struct yo_go_chase_libs *libs,
                    const struct yo_go_chase_past *past) {
    yo_go_point a = libs->point[0], b = libs->point[1];
    if (libs->count != 2) return libs->count > 2;
    if (r->for_net && two_kos(r, a, b)) return false;
    struct attacks attacks = attacks_on(r, a, b);
    int first = attacks.libs_then[1] < attacks.libs_then[0];
    return !caught_by(r, &attacks, first, past) && !caught_by(r, &attacks, 1 - first, past);
}

/* ---- interface ---- */

bool yo_go_ladder_saved(struct yo_go_ladder_reader *r, yo_go_point *saver) {
    struct yo_go_chasers chasers;
    yo_go_point lib = r->chase.libs.point[0];
    int libs_then = yo_go_chase_libs_from(&r->chase, lib, YO_GO_OFF_POINT);
    if (r->for_net && libs_then == 3) {
        *saver = lib;
        return true;
    }
    yo_go_chase_chasers(&r->chase, &chasers);
    return find_saver(r, lib, libs_then, &chasers, saver);
}

bool yo_go_ladder_saved_by(struct yo_go_ladder_reader *r, yo_go_point p) {
    struct yo_go_chasers chasers;
    yo_go_point lib = r->chase.libs.point[0];
    yo_go_chase_chasers(&r->chase, &chasers);
    if (p == lib) return saved_by_extending(r, p, &chasers);
    for (int i = 0; i < chasers.count; i++)
        if (chasers.lib[i] == p) return saved_by_capture(r, p, lib, &chasers);
    return false;
}

void yo_go_ladder_caught(struct yo_go_ladder_reader *r, bool by[2], bool both) {
    const uint16_t *libs = r->chase.libs.point;
    struct attacks attacks = attacks_on(r, libs[0], libs[1]);
    struct yo_go_chasers chasers;
    by[0] = by[1] = false;
    if (attacks.libs_then[0] > 2 && attacks.libs_then[1] > 2) return;
    yo_go_chase_chasers(&r->chase, &chasers);
    struct yo_go_chase_past past = past_of(r, &chasers, YO_GO_NONE);
    int first = r->for_net && attacks.libs_then[1] < attacks.libs_then[0];
    by[first] = caught_by(r, &attacks, first, &past);
    if (r->for_net) r->nodes = 0; /* each move has its own */
    by[1 - first] = (both || !by[first]) && caught_by(r, &attacks, 1 - first, &past);
}

bool yo_go_ladder_caught_by(struct yo_go_ladder_reader *r, yo_go_point p) {
    const uint16_t *libs = r->chase.libs.point;
    struct attacks attacks = attacks_on(r, libs[0], libs[1]);
    struct yo_go_chasers chasers;
    yo_go_chase_chasers(&r->chase, &chasers);
    struct yo_go_chase_past past = past_of(r, &chasers, YO_GO_NONE);
    return caught_by(r, &attacks, p == libs[1], &past);
}

bool yo_go_ladder_is_free(struct yo_go_ladder_reader *r) {
    struct yo_go_chasers chasers = {.count = 0};
    if (r->chase.libs.count == 2) yo_go_chase_chasers(&r->chase, &chasers);
    struct yo_go_chase_past past = past_of(r, &chasers, YO_GO_NONE);
    return is_free(r, &r->chase.libs, &past);
}
