#include "support/go_ends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/go_diagram.h"
#include "support/test.h"

static enum yo_go_color color_of(char letter) {
    return strchr("XxB", letter) ? YO_GO_BLACK : strchr("OoW", letter) ? YO_GO_WHITE : YO_GO_EMPTY;
}

/* "B+7", "W+3", "0", or "-" for none. */
static int read_score(const char *text) {
    if (strcmp(text, "-") == 0) return GO_END_NO_SCORE;
    int points = atoi(text[0] == '0' ? text : text + 2);
    return text[0] == 'W' ? -points : points;
}

static bool read_end(FILE *file, struct go_end *end) {
    char line[200];
    int rows = 0;
    *end = (struct go_end){.area = GO_END_NO_SCORE, .territory = GO_END_NO_SCORE};
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '=') {
            snprintf(end->name, sizeof end->name, "%.90s", line + 2);
        } else if (line[0] == '\0') {
            if (rows > 0) break;
        } else if (strncmp(line, "move ", 5) == 0) {
            end->to_move = color_of(line[5]);
        } else if (strncmp(line, "score ", 6) == 0) {
            char area[8], territory[8];
            assert_int_equal(sscanf(line + 6, "%7s %7s", area, territory), 2);
            end->area = read_score(area);
            end->territory = read_score(territory);
        } else if (line[0] != '#') {
            assert_true(end->size == 0 || end->size == (int)strlen(line));
            end->size = (int)strlen(line);
            assert_true(rows < end->size);
            memcpy(end->points + rows++ * end->size, line, (size_t)end->size);
        }
    }
    assert_int_equal(rows, end->size);
    return rows > 0;
}

static const char letters[] = ".XOxoBW", swapped[] = ".OXoxWB";

static int negate(int score) { return score == GO_END_NO_SCORE ? score : -score; }

static void turn_over(const struct go_end *end, struct go_end *out) {
    *out = *end;
    out->area = negate(end->area);
    out->territory = negate(end->territory);
    if (end->to_move != YO_GO_EMPTY) out->to_move = yo_go_other(end->to_move);
    for (int p = 0; p < end->size * end->size; p++)
        out->points[p % end->size * end->size + p / end->size] =
            swapped[strchr(letters, end->points[p]) - letters];
}

static void mirror(const struct go_end *end, struct go_end *out) {
    *out = *end;
    for (int p = 0; p < end->size * end->size; p++)
        out->points[p / end->size * end->size + end->size - 1 - p % end->size] = end->points[p];
}

static struct yo_go_game *game_of(const struct go_end *end, const char *rules_name,
                                  enum yo_go_color to_move) {
    char diagram[YO_GO_POINTS_MAX + 1] = {0};
    struct yo_go_rules rules;
    assert_int_equal(yo_go_rules_parse(rules_name, &rules, NULL), YO_OK);
    for (int p = 0; p < end->size * end->size; p++)
        diagram[p] = ".XO"[color_of(end->points[p])];
    return diagram_game(diagram, &rules, to_move);
}

int go_ends_each(const char *path,
                 bool (*is_right)(const struct go_end *end, const struct yo_go_game *game),
                 int *wrong) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct go_end form[3];
    int count = 0;
    for (*wrong = 0; read_end(file, &form[0]); count++) {
        int wrong_forms = 0;
        turn_over(&form[0], &form[1]);
        mirror(&form[0], &form[2]);
        for (int i = 0; i < 3; i++) {
            enum yo_go_color to_move = i == 0 ? YO_GO_BLACK : YO_GO_WHITE;
            if (form[i].to_move != YO_GO_EMPTY) to_move = form[i].to_move;
            struct yo_go_game *game = game_of(&form[i], i == 0 ? "chinese" : "japanese", to_move);
            wrong_forms += !is_right(&form[i], game);
            yo_go_game_delete(game);
        }
        *wrong += wrong_forms > 0;
    }
    fclose(file);
    return count;
}

static char letter_of(const struct yo_judgement *j, const struct yo_go_game *game, int p) {
    enum yo_go_color color = yo_go_game_at(game, (yo_go_point)p);
    return j->status[p] == YO_JUDGE_EMPTY  ? '.'
           : j->status[p] == YO_JUDGE_DEAD ? ".xo"[color]
           : j->status[p] == YO_JUDGE_SEKI ? ".BW"[color]
                                           : ".XO"[color];
}

static bool score_matches(const struct go_end *end, const struct yo_go_game *game,
                          const struct yo_judgement *judgement) {
    bool by_area = yo_go_game_rules(game)->scoring == YO_GO_AREA;
    int points = by_area ? end->area : end->territory;
    int lead2 = judgement->score.lead2 + yo_judge_komi2(game);
    if (points == GO_END_NO_SCORE || lead2 == 2 * points) return true;
    print_message("%s: Black leads by %.1f, not %d, by %s\n", end->name, lead2 / 2.0, points,
                  by_area ? "area" : "territory");
    return false;
}

bool go_end_matches(const struct go_end *end, const struct yo_go_game *game,
                    const struct yo_judgement *judgement) {
    char found[YO_GO_POINTS_MAX + 1] = {0};
    int points = end->size * end->size;
    for (int p = 0; p < points; p++)
        found[p] = letter_of(judgement, game, p);
    if (memcmp(found, end->points, (size_t)points) == 0) return score_matches(end, game, judgement);
    print_message("%s\n", end->name);
    for (int y = 0; y < end->size; y++)
        print_message("%.*s   %.*s\n", end->size, end->points + y * end->size, end->size,
                      found + y * end->size);
    return false;
}
