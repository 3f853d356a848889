/* The score count at the end of a game, line by line, so that users can follow it on the board. */
#include "cmd/play/play.h"

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
