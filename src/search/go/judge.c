#include "search/go/judge.h"

#include <string.h>

#include "base/diag.h"
#include "game/go/region.h"
#include "game/go/score.h"
#include "game/go/state.h"
#include "search/go/fight.h"
#include "search/go/opinion.h"
#include "search/go/settle.h"

/* A string that is not read is alive if its points end as its own more often than as the
 * opponent's, and dead if less often. With a difference above this it is clearly dead. */
#define CLEAR 0.4f
/* A string with a difference above this is clearly alive, so that play can stop. */
#define SURE 0.6f
/* A difference that leaves no doubt. */
#define NEARLY_ALL 0.9f
/* Removing a dead string makes the status of its neighbours clearer; at most this many rounds. */
#define ROUNDS    8
#define CONFIDENT 0.75
/* Nodes of reading, if the limits have none. */
#define NODES 60000

int yo_judge_komi2(const struct yo_go_game *game) {
    return yo_go_score_komi2(yo_go_game_rules(game), yo_go_game_handicap(game));
}

int yo_judge_area_komi2(const struct yo_go_game *game, bool closed) {
    return yo_go_score_area_komi2(&game->board, yo_go_game_rules(game), yo_go_game_handicap(game),
                                  yo_go_game_to_move(game), closed);
}

static void set_status(const struct yo_go_region *string, enum yo_judge_status status,
                       struct yo_judgement *out) {
    for (int i = 0; i < string->count; i++) {
        out->status[string->points[i]] = (uint8_t)status;
        out->dead[string->points[i]] = status == YO_JUDGE_DEAD;
    }
}

static void apply_benson(const uint8_t *alive, int points, float *ownership) {
    for (int p = 0; p < points; p++)
        if (alive[p] != YO_GO_EMPTY) ownership[p] = alive[p] == YO_GO_BLACK ? 1.0f : -1.0f;
}

/* ---- dead strings ---- */

/* How far the status of the strings can be relied on. */
enum trust { IN_DOUBT, CLEAR_ENOUGH, SURE_ENOUGH, CERTAIN };

/* For a string that reading has not decided. */
static enum trust trust_in(float hold, enum yo_settle_fate fate) {
    if (fate == YO_SETTLE_CRITICAL || (hold < CLEAR && hold > -CLEAR)) return IN_DOUBT;
    if (hold > NEARLY_ALL || hold < -NEARLY_ALL) return CERTAIN;
    return hold > 0 && hold < SURE ? CLEAR_ENOUGH : SURE_ENOUGH;
}

static void lower(enum trust *trust, enum trust to) {
    if (to < *trust) *trust = to;
}

/* Sets the status of every string that is left. Dead are all that were read as captured, that lose
 * their fight, or that are clearly dead, with a hold below -clear, or, if there is none, the one
 * with the lowest hold below 0. Returns whether any is dead; *sure becomes false if a status is in
 * doubt. */
static bool find_dead(const struct yo_go_game *game, const struct yo_settle *settle,
                      const uint8_t *winner, float clear, struct yo_judgement *out,
                      enum trust *trust, bool *guessed) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    uint8_t seen[YO_GO_POINTS_MAX] = {0}, colors[YO_GO_POINTS_MAX];
    struct yo_go_region string, worst = {.count = 0};
    float worst_hold = 0;
    bool found = false;
    yo_go_region_colors(game, out->dead, colors);
    for (int p = 0; p < points; p++) {
        if (colors[p] == YO_GO_EMPTY || seen[p]) continue;
        yo_go_region_find(yo_go_game_size(game), colors, (yo_go_point)p, seen, &string);
        set_status(&string, YO_JUDGE_ALIVE, out);
        enum yo_settle_fate fate = (enum yo_settle_fate)settle->fate[p];
        if (fate == YO_SETTLE_STANDS) continue;
        float hold = yo_settle_hold(&game->board, game->board.head[p], out->ownership);
        bool captured = fate == YO_SETTLE_CAPTURED || fate == YO_SETTLE_BY_KO;
        bool lost = winner[p] != YO_GO_EMPTY && winner[p] != colors[p];
        if (!captured) lower(trust, trust_in(hold, fate));
        if (winner[p] == colors[p]) continue;
        if (captured || lost || hold < -clear) {
            set_status(&string, YO_JUDGE_DEAD, out);
            found = true;
        } else if (hold < worst_hold) {
            worst_hold = hold;
            worst = string;
        }
    }
    if (found || worst.count == 0) return found;
    set_status(&worst, YO_JUDGE_DEAD, out);
    *guessed = true;
    return true;
}

/* ---- seki ---- */

/* The board without dead stones. */
struct end {
    int size, points;
    uint8_t colors[YO_GO_POINTS_MAX];
    uint8_t owner[YO_GO_POINTS_MAX]; /* of stones and of empty points; EMPTY: neutral */
};

static void find_owners(const struct yo_go_game *game, const uint8_t *dead, struct end *end) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0};
    struct yo_go_region region;
    end->size = yo_go_game_size(game);
    end->points = end->size * end->size;
    yo_go_region_colors(game, dead, end->colors);
    memcpy(end->owner, end->colors, sizeof end->owner);
    for (int p = 0; p < end->points; p++) {
        if (end->colors[p] != YO_GO_EMPTY || seen[p]) continue;
        yo_go_region_find(end->size, end->colors, (yo_go_point)p, seen, &region);
        if (region.touches[YO_GO_BLACK] == region.touches[YO_GO_WHITE]) continue;
        for (int i = 0; i < region.count; i++)
            end->owner[region.points[i]] = region.touches[YO_GO_BLACK] ? YO_GO_BLACK : YO_GO_WHITE;
    }
}

/* Has the group, stones with the territory between them, at most one eye of one or two points? */
static bool has_one_eye(const struct end *end, const struct yo_go_region *group) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0};
    struct yo_go_region eye = {.count = 0};
    int territory = 0, eyes = 0;
    for (int i = 0; i < group->count; i++) {
        yo_go_point p = group->points[i];
        if (end->colors[p] != YO_GO_EMPTY) continue;
        territory++;
        if (seen[p]) continue;
        yo_go_region_find(end->size, end->colors, p, seen, &eye);
        eyes++;
    }
    return eyes <= 1 && territory <= 2;
}

/* In each group, marks whether it could be in seki: some string of it was read and stands, or is
 * saved by the side to move, and it has at most one eye. */
static void find_weak(const struct end *end, const struct yo_settle *settle, const uint8_t *winner,
                      uint8_t *weak) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0};
    struct yo_go_region group;
    for (int p = 0; p < end->points; p++) {
        if (end->owner[p] == YO_GO_EMPTY || seen[p]) continue;
        yo_go_region_find(end->size, end->owner, (yo_go_point)p, seen, &group);
        bool stands = false;
        for (int i = 0; i < group.count; i++) {
            yo_go_point at = group.points[i];
            stands |= settle->fate[at] == YO_SETTLE_STANDS;
            stands |= winner[at] != YO_GO_EMPTY && winner[at] == end->colors[at];
        }
        if (!stands || !has_one_eye(end, &group)) continue;
        for (int i = 0; i < group.count; i++)
            weak[group.points[i]] = 1;
    }
}

/* Does the neutral region touch weak groups of both colours? Marks them in seki if so. */
static bool is_shared(const struct end *end, const struct yo_go_region *region, const uint8_t *weak,
                      struct yo_judgement *out) {
    const struct yo_go_geometry *g = yo_go_geometry(end->size);
    uint8_t seen[YO_GO_POINTS_MAX] = {0};
    bool shared[4] = {false};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < region->count; i++)
            for (int d = 0; d < 4; d++) {
                unsigned q = g->nbr[region->points[i]][d];
                if (q == YO_GO_OFF_POINT || end->colors[q] == YO_GO_EMPTY || !weak[q]) continue;
                shared[end->colors[q]] = true;
                if (pass == 0 || seen[q]) continue;
                if (!shared[YO_GO_BLACK] || !shared[YO_GO_WHITE]) return false;
                struct yo_go_region group;
                yo_go_region_find(end->size, end->owner, (yo_go_point)q, seen, &group);
                for (int j = 0; j < group.count; j++)
                    if (end->colors[group.points[j]] != YO_GO_EMPTY)
                        out->status[group.points[j]] = YO_JUDGE_SEKI;
            }
    return shared[YO_GO_BLACK] && shared[YO_GO_WHITE];
}

/* Finds seki. Returns whether each empty region that remains belongs to one colour. */
static bool find_seki(const struct yo_go_game *game, const struct yo_settle *settle,
                      const uint8_t *winner, struct yo_judgement *out) {
    uint8_t seen[YO_GO_POINTS_MAX] = {0}, weak[YO_GO_POINTS_MAX] = {0};
    struct yo_go_region region;
    struct end end;
    bool closed = true;
    find_owners(game, out->dead, &end);
    find_weak(&end, settle, winner, weak);
    for (int p = 0; p < end.points; p++) {
        if (end.owner[p] != YO_GO_EMPTY || seen[p]) continue;
        yo_go_region_find(end.size, end.colors, (yo_go_point)p, seen, &region);
        closed &= is_shared(&end, &region, weak, out);
    }
    return closed;
}

/* ---- all together ---- */

/* Playouts know the shape of the end: they decide what is read. A network, if there is one, decides
 * what reading leaves open. */
struct opinions {
    bool by_net;
    struct yo_opinion playouts, net;
};

static const struct yo_opinion *main_opinion(const struct opinions *o) {
    return o->by_net ? &o->net : &o->playouts;
}

static enum yo_err judge(struct yo_eval eval, const struct yo_go_game *game,
                         const struct yo_judge_limits *limits, struct yo_settle *settle,
                         struct yo_judgement *out, struct yo_diag *diag) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    double winrate_black[2] = {0};
    uint8_t alive[YO_GO_POINTS_MAX] = {0}, winner[YO_GO_POINTS_MAX] = {0};
    struct opinions o = {.by_net = limits->net.ops};
    enum trust trust = CERTAIN;
    bool found = true, cut = false, guessed = false;
    yo_go_game_benson(game, alive);
    enum yo_err err = o.by_net ? yo_opinion_of_net(limits->net, game, &o.net, diag) : YO_OK;
    for (int round = 0; !err && found && !cut && round < ROUNDS; round++) {
        err = yo_opinion_of_playouts(eval, game, out->dead, limits, &o.playouts, diag);
        if (err) return err;
        const struct yo_opinion *opinion = main_opinion(&o);
        if (round == 0) memcpy(winrate_black, opinion->winrate_black, sizeof winrate_black);
        memcpy(out->ownership, opinion->ownership, sizeof out->ownership);
        apply_benson(alive, points, out->ownership);
        apply_benson(alive, points, o.playouts.ownership);
        cut = o.playouts.cut;
        if (!cut) yo_settle_read(settle, &game->board, alive, o.playouts.ownership);
        if (limits->goes_on)
            yo_fights_decide(&game->board, settle->fate, yo_go_game_to_move(game), winner);
        trust = CERTAIN;
        found = find_dead(game, settle, winner, o.by_net ? 0 : CLEAR, out, &trust, &guessed);
    }
    if (err) return err;
    out->closed = find_seki(game, settle, winner, out) && !cut;
    if (guessed) trust = IN_DOUBT;
    out->quiet = out->closed && trust >= CLEAR_ENOUGH;
    out->settled = out->closed && trust >= SURE_ENOUGH;
    out->certain = out->closed && trust == CERTAIN;
    yo_go_game_score(game, out->dead, &out->score);
    int lead2 = out->score.lead2;
    bool seki = memchr(out->status, YO_JUDGE_SEKI, sizeof out->status);
    out->winrate_black = out->settled && seki ? (lead2 > 0   ? 1
                                                 : lead2 < 0 ? 0
                                                             : 0.5)
                                              : winrate_black[out->closed];
    return YO_OK;
}

enum yo_err yo_judge_go(struct yo_eval eval, const struct yo_go_game *game,
                        const struct yo_judge_limits *limits, struct yo_judgement *out,
                        struct yo_diag *diag) {
    struct yo_settle settle = {.nodes = limits->nodes ? limits->nodes : NODES,
                               .deadline_ms = limits->deadline_ms,
                               .stop = limits->stop};
    memset(out, 0, sizeof *out);
    enum yo_err err = yo_go_reader_new(&settle.reader);
    if (err) return yo_diag_set(diag, err, "no memory to read life and death");
    err = judge(eval, game, limits, &settle, out, diag);
    yo_go_reader_delete(settle.reader);
    return err;
}

static void let_all_live(const struct yo_go_game *game, struct yo_judgement *judgement) {
    memset(judgement->dead, 0, sizeof judgement->dead);
    for (int p = 0; p < YO_GO_POINTS_MAX; p++)
        if (judgement->status[p] != YO_JUDGE_EMPTY) judgement->status[p] = YO_JUDGE_ALIVE;
    yo_go_game_score(game, NULL, &judgement->score);
}

enum yo_err yo_judge_result(struct yo_eval eval, const struct yo_go_game *game,
                            const struct yo_judge_limits *limits, struct yo_judgement *out,
                            struct yo_diag *diag) {
    struct yo_judge_limits all = *limits;
    bool over = yo_go_game_passes(game) >= 2;
    all.goes_on = !over;
    enum yo_err err = yo_judge_go(eval, game, &all, out, diag);
    if (!err && over && !yo_go_game_rules(game)->friendly_pass_ok) let_all_live(game, out);
    return err;
}

bool yo_judge_opponent_passed(const struct yo_go_game *game) {
    size_t count = yo_go_game_move_count(game);
    if (count == 0) return false;
    struct yo_go_played last = yo_go_game_move(game, count - 1);
    return last.move == YO_GO_PASS && last.color != yo_go_game_to_move(game);
}

bool yo_judge_may_be_over(const struct yo_go_game *game) {
    int points = yo_go_game_size(game) * yo_go_game_size(game), stones = yo_go_game_stones(game);
    bool territory = yo_go_game_rules(game)->scoring == YO_GO_TERRITORY;
    return yo_judge_opponent_passed(game) || (territory ? 4 : 2.5) * stones > points;
}

double yo_judge_lead(const struct yo_judgement *judgement, const struct yo_go_game *game) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    double black = judgement->score.lead2 / 2.0;
    if (!judgement->closed) black = -yo_judge_area_komi2(game, false) / 2.0;
    for (int p = 0; p < points && !judgement->closed; p++)
        black += (double)judgement->ownership[p];
    return yo_go_game_to_move(game) == YO_GO_BLACK ? black : -black;
}

bool yo_judge_has_dead(const struct yo_judgement *judgement, const struct yo_go_game *game,
                       enum yo_go_color color) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    for (int p = 0; p < points; p++)
        if (judgement->dead[p] && yo_go_game_at(game, (yo_go_point)p) == color) return true;
    return false;
}

bool yo_judge_moves_cost(const struct yo_judgement *judgement, const struct yo_go_game *game) {
    return yo_go_game_rules(game)->scoring == YO_GO_TERRITORY && judgement->quiet;
}

bool yo_judge_should_give_in(const struct yo_judgement *judgement, const struct yo_go_game *game,
                             bool clean_up) {
    enum yo_go_color me = yo_go_game_to_move(game);
    if (clean_up && yo_judge_has_dead(judgement, game, yo_go_other(me))) return false;
    int lead2 = judgement->score.lead2;
    if (me == YO_GO_WHITE) lead2 = -lead2;
    return lead2 < 0 && (judgement->settled || yo_judge_opponent_passed(game));
}

bool yo_judge_should_pass(const struct yo_judgement *judgement, const struct yo_go_game *game,
                          bool clean_up) {
    enum yo_go_color me = yo_go_game_to_move(game);
    int sign = me == YO_GO_BLACK ? 1 : -1;
    bool spends = yo_judge_moves_cost(judgement, game);
    if (!judgement->settled && !spends && !yo_judge_opponent_passed(game)) return false;
    if (clean_up && yo_judge_has_dead(judgement, game, yo_go_other(me))) return false;
    if (sign * judgement->score.lead2 <= 0) return false;
    if (!yo_go_game_rules(game)->friendly_pass_ok) {
        struct yo_go_score as_it_stands;
        yo_go_game_score(game, NULL, &as_it_stands);
        if (sign * as_it_stands.lead2 <= 0) return false;
    }
    if (spends) return true;
    /* On an open board komi alone may decide the count: so the winrate of the playouts must
     * agree. */
    double winrate = me == YO_GO_BLACK ? judgement->winrate_black : 1 - judgement->winrate_black;
    return winrate > (judgement->settled ? 0.5 : CONFIDENT);
}
