/* The count at the end of a game, line by line, so that one can follow it on the board. */
#include "cmd/play.h"

#include "game/go/geometry.h"

struct side {
    int stones, prisoners; /* its own, alive; the opponent's, captured or dead */
};

static void count_stones(const struct yo_go_game *game, const uint8_t *dead, struct side *side) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    side[YO_GO_BLACK].prisoners = yo_go_game_captures(game, YO_GO_BLACK);
    side[YO_GO_WHITE].prisoners = yo_go_game_captures(game, YO_GO_WHITE);
    for (int p = 0; p < points; p++) {
        enum yo_go_color color = yo_go_game_at(game, (yo_go_point)p);
        if (color == YO_GO_EMPTY) continue;
        if (dead[p])
            side[yo_go_other(color)].prisoners++;
        else
            side[color].stones++;
    }
}

/* Lets colours spread over the empty points until nothing changes; both make a point nobody's. */
void yo_play_owners(const struct yo_go_game *game, const uint8_t *dead, uint8_t *owner) {
    const struct yo_go_geometry *g = yo_go_geometry(yo_go_game_size(game));
    uint8_t reached[YO_GO_POINTS_MAX + 1] = {0};
    bool is_stone[YO_GO_POINTS_MAX] = {false}, changed = true;
    for (int p = 0; p < g->points; p++) {
        is_stone[p] = yo_go_game_at(game, (yo_go_point)p) != YO_GO_EMPTY && !dead[p];
        if (is_stone[p]) reached[p] = (uint8_t)yo_go_game_at(game, (yo_go_point)p);
    }
    while (changed) {
        changed = false;
        for (int p = 0; p < g->points; p++) {
            uint8_t before = reached[p];
            for (int d = 0; d < 4 && !is_stone[p]; d++)
                reached[p] |= reached[g->nbr[p][d]];
            changed = changed || reached[p] != before;
        }
    }
    for (int p = 0; p < g->points; p++)
        owner[p] = reached[p] == (YO_GO_BLACK | YO_GO_WHITE) ? YO_GO_EMPTY : reached[p];
}

static void add_number(struct yo_buf *out, int value2) {
    unsigned size = value2 < 0 ? 0u - (unsigned)value2 : (unsigned)value2;
    struct yo_buf number = {0};
    yo_buf_printf(&number, "%s%u%s", value2 < 0 ? "-" : "", size / 2, size % 2 ? ".5" : "");
    yo_buf_printf(out, "%*s", 8, yo_buf_text(&number));
    yo_buf_free(&number);
}

static void add_line(struct yo_buf *out, const char *what, int black2, int white2) {
    yo_buf_printf(out, "  %-10s", what);
    add_number(out, black2);
    add_number(out, white2);
    yo_buf_char(out, '\n');
}

void yo_play_count(struct yo_buf *out, const struct yo_go_game *game, const uint8_t *dead) {
    const struct yo_go_rules *rules = yo_go_game_rules(game);
    struct side side[3] = {{0}};
    struct yo_go_score score;
    count_stones(game, dead, side);
    yo_go_game_score(game, dead, &score);
    const struct side *black = &side[YO_GO_BLACK], *white = &side[YO_GO_WHITE];
    int bonus2 = yo_judge_komi2(game) - rules->komi2;
    bool area = rules->scoring == YO_GO_AREA;
    int black_more2 = 2 * (area ? black->stones : black->prisoners);
    int white_more2 = 2 * (area ? white->stones : white->prisoners);

    yo_buf_printf(out, "  %-10s%8s%8s\n", "", "Black", "White");
    add_line(out, area ? "stones" : "prisoners", black_more2, white_more2);
    add_line(out, "territory", score.black2 - black_more2,
             score.white2 - white_more2 - rules->komi2 - bonus2);
    add_line(out, "komi", 0, rules->komi2);
    if (bonus2) add_line(out, "handicap", 0, bonus2);
    add_line(out, "total", score.black2, score.white2);
}
