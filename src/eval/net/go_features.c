/* Where this and KataGo can differ:
 * - simple ko: KataGo takes a pass to end the game also when the same player passed in the same
 *   situation before; here only the second pass in a row does;
 * - superko inside a search sees YO_GO_RECENT moves and the game before the root. */
#include "eval/net/go_features.h"

#include <math.h>
#include <string.h>

#include "eval/net/go_area.h"
#include "eval/net/go_ladders.h"
#include "game/go/score.h"

static bool wants(uint32_t mask, int first, int count) {
    return mask >> first & ((1u << count) - 1);
}

static void set(uint64_t *words, unsigned p) { words[p >> 6] |= (uint64_t)1 << (p & 63); }

static void set_bit_if(uint32_t mask, int plane, struct yo_go_net_input *out, unsigned p) {
    if (mask >> plane & 1) set(out->plane[plane], p);
}

/* ---- stones and liberties ---- */

/* A liberty is counted at most four times among the pseudo-liberties. */
enum { LIBERTIES_SHOWN = 3, PSEUDO_MAX = 4 * LIBERTIES_SHOWN };

/* Distinct liberties of the string, up to LIBERTIES_SHOWN + 1. */
static int count_liberties(const struct yo_go_board *board, unsigned first) {
    if (board->string[board->head[first]].libs > PSEUDO_MAX) return LIBERTIES_SHOWN + 1;
    return yo_go_board_liberties(board, (yo_go_point)first, LIBERTIES_SHOWN + 1);
}

/* One pass over the strings in the order of their first points: stones, liberties, and the strings
 * that ladders are read of. */
static void fill_strings(const struct yo_go_board *board, uint32_t mask, struct yo_go_weak *weak,
                         struct yo_go_net_input *out) {
    const struct yo_go_geometry *geometry = board->geometry;
    memset(weak->stones, 0, sizeof weak->stones);
    weak->count = 0;
    for (int w = 0; w < geometry->words; w++) {
        uint64_t left = ~board->empty[w] & geometry->board[w];
        for (; left; left &= ~(weak->stones[0].word[w] | weak->stones[1].word[w])) {
            unsigned first = 64 * (unsigned)w + (unsigned)__builtin_ctzll(left), q = first;
            uint64_t *stones = weak->stones[board->color[first] == YO_GO_WHITE].word;
            int libs = count_liberties(board, first);
            bool shown =
                libs <= LIBERTIES_SHOWN && mask >> (YO_GO_PLANE_LIBERTIES_1 + libs - 1) & 1;
            uint64_t *plane = out->plane[YO_GO_PLANE_LIBERTIES_1 + libs - 1];
            do {
                set(stones, q);
                if (shown) set(plane, q);
                q = board->next[q];
            } while (q != first);
            if (libs <= 2) weak->first[weak->count++] = (yo_go_point)first;
        }
    }
}

static void fill_stones(const struct yo_go_position *pos, const struct yo_go_weak *weak,
                        uint32_t mask, struct yo_go_net_input *out) {
    size_t bytes = sizeof out->plane[0];
    int own = pos->to_move == YO_GO_WHITE;
    if (mask >> YO_GO_PLANE_ON_BOARD & 1)
        memcpy(out->plane[YO_GO_PLANE_ON_BOARD], pos->board.geometry->board, bytes);
    if (mask >> YO_GO_PLANE_OWN & 1)
        memcpy(out->plane[YO_GO_PLANE_OWN], weak->stones[own].word, bytes);
    if (mask >> YO_GO_PLANE_OPPONENT & 1)
        memcpy(out->plane[YO_GO_PLANE_OPPONENT], weak->stones[!own].word, bytes);
}

/* ---- ko ---- */

static void fill_ko(const struct yo_go_position *pos, struct yo_go_net_input *out) {
    if (pos->ko_holds && pos->board.ko != YO_GO_NONE)
        set(out->plane[YO_GO_PLANE_KO], pos->board.ko);
    uint64_t forbidden[YO_GO_WORDS_MAX];
    if (!yo_go_position_superko(pos, forbidden)) return;
    for (int w = 0; w < pos->board.geometry->words; w++)
        out->plane[YO_GO_PLANE_KO][w] |= forbidden[w];
}

/* ---- history ---- */

/* After the game's end the inputs show no last moves: a network must not see the passes that ended
 * it. */
static int turns_shown(const struct yo_go_position *pos) {
    return pos->passes >= 2 || pos->repeated ? 0 : pos->turns;
}

static void fill_moves(const struct yo_go_position *pos, uint32_t mask,
                       struct yo_go_net_input *out) {
    yo_go_point moves[YO_GO_TURNS] = {pos->last, pos->before, pos->earlier[0], pos->earlier[1],
                                      pos->earlier[2]};
    for (int i = 0; i < turns_shown(pos); i++) {
        if (moves[i] == YO_GO_PASS)
            out->global[YO_GO_GLOBAL_PASSES + i] = 1;
        else
            set_bit_if(mask, YO_GO_PLANE_MOVES + i, out, moves[i]);
    }
}

/* ---- area ---- */

static void fill_area(const struct yo_go_position *pos, const struct yo_go_weak *weak,
                      uint32_t mask, struct yo_go_net_input *out) {
    struct yo_go_set area[2];
    if (pos->rules.scoring != YO_GO_AREA) return;
    yo_go_area_sets(&pos->board, weak->stones, pos->rules.suicide, pos->rules.tax != YO_GO_TAX_NONE,
                    area);
    for (int color = 0; color < 2; color++) {
        bool own = (color == 1) == (pos->to_move == YO_GO_WHITE);
        int plane = own ? YO_GO_PLANE_OWN_AREA : YO_GO_PLANE_OPPONENT_AREA;
        if (mask >> plane & 1)
            memcpy(out->plane[plane], area[color].word,
                   (size_t)pos->board.geometry->words * sizeof(uint64_t));
    }
}

/* ---- numbers ---- */

/* With territory scoring each stone on the board or captured costs a point. Adding the difference
 * in stones makes komi equivalent to that of area scoring. */
static float self_komi(const struct yo_go_position *pos) {
    float komi = (float)yo_go_score_komi2(&pos->rules, pos->handicap) / 2;
    if (pos->rules.scoring == YO_GO_TERRITORY) komi += (float)pos->stones_ahead;
    float bound = (float)pos->board.geometry->points + 20;
    komi = fminf(fmaxf(komi, -bound), bound);
    return pos->to_move == YO_GO_WHITE ? komi : -komi;
}

/* A draw needs a komi of the parity of the board. The wave rises from -0.5 to 0.5 around such a
 * komi, where half a point more is worth most, and falls between two of them. */
static float parity_wave(const struct yo_go_position *pos, float komi) {
    float parity = (float)(pos->board.geometry->points % 2);
    float over = komi - parity - 2 * floorf((komi - parity) / 2);
    if (over < 0.5F) return over;
    return over < 1.5F ? 1 - over : over - 2;
}

static void fill_globals(const struct yo_go_position *pos, struct yo_go_net_input *out) {
    const struct yo_go_rules *rules = &pos->rules;
    float komi = self_komi(pos);
    out->global[YO_GO_GLOBAL_KOMI] = komi / 20;
    if (rules->ko != YO_GO_KO_SIMPLE) {
        out->global[YO_GO_GLOBAL_SUPERKO] = 1;
        out->global[YO_GO_GLOBAL_KO_KIND] = rules->ko == YO_GO_KO_POSITIONAL ? 0.5F : -0.5F;
    }
    out->global[YO_GO_GLOBAL_SUICIDE] = rules->suicide;
    out->global[YO_GO_GLOBAL_TERRITORY] = rules->scoring == YO_GO_TERRITORY;
    out->global[YO_GO_GLOBAL_TAX] = rules->tax != YO_GO_TAX_NONE;
    out->global[YO_GO_GLOBAL_TAX_ALL] = rules->tax == YO_GO_TAX_ALL;
    out->global[YO_GO_GLOBAL_PASS_ENDS] = pos->passes == 1;
    if (rules->scoring == YO_GO_AREA) out->global[YO_GO_GLOBAL_PARITY] = parity_wave(pos, komi);
}

void yo_go_features_v7(const struct yo_go_position *pos, uint32_t mask,
                       struct yo_go_net_input *out) {
    yo_go_features_v7_kept(pos, mask, NULL, out);
}

void yo_go_features_v7_kept(const struct yo_go_position *pos, uint32_t mask,
                            struct yo_go_ladders_kept *kept, struct yo_go_net_input *out) {
    struct yo_go_weak weak;
    memset(out, 0, sizeof *out);
    out->size = (uint8_t)pos->board.geometry->size;
    fill_strings(&pos->board, mask, &weak, out);
    fill_stones(pos, &weak, mask, out);
    if (wants(mask, YO_GO_PLANE_KO, 1)) fill_ko(pos, out);
    fill_moves(pos, mask, out);
    if (wants(mask, YO_GO_PLANE_LADDER, 4))
        yo_go_ladder_planes(pos, turns_shown(pos), &weak, mask >> YO_GO_PLANE_LADDER & 15, kept,
                            out->plane + YO_GO_PLANE_LADDER);
    if (wants(mask, YO_GO_PLANE_OWN_AREA, 2)) fill_area(pos, &weak, mask, out);
    fill_globals(pos, out);
}
