#include "eval/net/go_area.h"

#include <string.h>

#include "game/go/benson.h"

/* Connected points that `color` does not hold, with at least one empty point among them. */
struct region {
    uint16_t point[YO_GO_POINTS_MAX];
    int count;
    int inner;     /* points with no stone of the colour beside them */
    bool prisoner; /* holds stones of the other colour */
    bool safe;     /* every stone beside it is unconditionally alive */
};

static void fill(const struct yo_go_board *board, enum yo_go_color color, const uint8_t *alive,
                 int from, bool *seen, struct region *r) {
    *r = (struct region){.count = 1, .safe = true};
    r->point[0] = (uint16_t)from;
    seen[from] = true;
    for (int i = 0; i < r->count; i++) {
        unsigned p = r->point[i];
        bool beside = false;
        r->prisoner = r->prisoner || board->color[p] != YO_GO_EMPTY;
        for (int d = 0; d < 4; d++) {
            unsigned q = board->geometry->nbr[p][d];
            if (board->color[q] == color) {
                beside = true;
                r->safe = r->safe && alive[q] == color;
            } else if (q != YO_GO_OFF_POINT && !seen[q]) {
                seen[q] = true;
                r->point[r->count++] = (uint16_t)q;
            }
        }
        r->inner += !beside;
    }
}

static bool has_stones(const struct yo_go_board *board, enum yo_go_color color) {
    for (int p = 0; p < board->geometry->points; p++)
        if (board->color[p] == color) return true;
    return false;
}

/* A region enclosed by unconditionally alive stones belongs to them even where the other colour has
 * surrounded a part. Any other region without prisoners belongs to the colour around it, if it has
 * no owner yet. */
static void claim(const struct yo_go_board *board, enum yo_go_color color, const uint8_t *alive,
                  uint8_t *area) {
    bool seen[YO_GO_POINTS_MAX] = {false};
    struct region r;
    if (!has_stones(board, color)) return;
    for (int p = 0; p < board->geometry->points; p++)
        if (board->color[p] == color && alive[p] == color) area[p] = (uint8_t)color;
    for (int p = 0; p < board->geometry->points; p++) {
        if (board->color[p] != YO_GO_EMPTY || seen[p]) continue;
        fill(board, color, alive, p, seen, &r);
        bool owns = r.safe && (r.inner <= 1 || !r.prisoner);
        if (!owns && r.prisoner) continue;
        for (int i = 0; i < r.count; i++)
            if (owns || area[r.point[i]] == YO_GO_EMPTY) area[r.point[i]] = (uint8_t)color;
    }
}

static bool touches_neutral(const struct yo_go_board *board, const uint8_t *area, int p) {
    for (int d = 0; d < 4; d++) {
        unsigned q = board->geometry->nbr[p][d];
        if (q == YO_GO_OFF_POINT) continue;
        if (board->color[q] == YO_GO_EMPTY && area[q] == YO_GO_EMPTY) return true;
    }
    return false;
}

static void spread(const struct yo_go_board *board, const uint8_t *area, int from, bool *in_seki) {
    uint16_t queue[YO_GO_POINTS_MAX];
    int count = 1;
    queue[0] = (uint16_t)from;
    in_seki[from] = true;
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = board->geometry->nbr[queue[i]][d];
            if (q == YO_GO_OFF_POINT || area[q] != area[from] || in_seki[q]) continue;
            in_seki[q] = true;
            queue[count++] = (uint16_t)q;
        }
}

static void drop_seki(const struct yo_go_board *board, uint8_t *area) {
    bool in_seki[YO_GO_POINTS_MAX] = {false};
    for (int p = 0; p < board->geometry->points; p++) {
        if (area[p] == YO_GO_EMPTY || in_seki[p]) continue;
        bool atari =
            board->color[p] == area[p] && yo_go_string_in_atari(&board->string[board->head[p]]);
        if (atari || touches_neutral(board, area, p)) spread(board, area, p, in_seki);
    }
    for (int p = 0; p < board->geometry->points; p++)
        if (in_seki[p] && board->color[p] != area[p]) area[p] = YO_GO_EMPTY;
}

void yo_go_area(const struct yo_go_board *board, bool suicide, bool taxed,
                uint8_t area[YO_GO_POINTS_MAX]) {
    uint8_t alive[YO_GO_POINTS_MAX];
    memset(area, YO_GO_EMPTY, YO_GO_POINTS_MAX);
    yo_go_benson(board, suicide, alive);
    claim(board, YO_GO_BLACK, alive, area);
    claim(board, YO_GO_WHITE, alive, area);
    for (int p = 0; p < board->geometry->points; p++)
        if (area[p] == YO_GO_EMPTY) area[p] = board->color[p];
    if (taxed) drop_seki(board, area);
}
