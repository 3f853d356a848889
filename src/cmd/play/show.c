/* Everything `yomi play` shows: the board with its panel, estimates, the end of a game. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "cmd/play/play.h"
#include "cmd/talk.h"
#include "game/go/region.h"

enum { HINTS = 3 };
/* In an estimate a side owns a point if its ownership in playouts, from -1 to 1, is beyond this. */
#define OWNED 0.2f

const char *yo_play_color(enum yo_go_color color) {
    return color == YO_GO_BLACK ? "Black" : "White";
}

/* ": you", ": Yomi", or nothing if two people play. */
static const char *player(const struct yo_play *play, enum yo_go_color color) {
    if (!play->human[color]) return ": Yomi";
    return play->human[yo_go_other(color)] ? "" : ": you";
}

static char *komi_text(int komi2, char out[16]) {
    snprintf(out, 16, "%g", komi2 / 2.0);
    return out;
}

static const char *clock_text(const struct yo_play *play, enum yo_go_color color,
                              char out[YO_TIMER_TEXT]) {
    bool to_move = yo_go_game_to_move(play->game) == color;
    return yo_timer_text(&play->timer, color == YO_GO_WHITE, to_move, yo_time_ms(), out);
}

/* ---- the board ---- */

static void fill_panel(const struct yo_play *play, struct yo_panel *panel) {
    const struct yo_go_game *game = play->game;
    const struct yo_go_rules *rules = yo_go_game_rules(game);
    size_t count = yo_go_game_move_count(game);
    char text[16];
    yo_panel_add(panel, YO_CELL_EMPTY, "%s scoring, komi %s",
                 rules->scoring == YO_GO_AREA ? "area" : "territory",
                 komi_text(rules->komi2, text));
    yo_panel_add(panel, YO_CELL_EMPTY, "%s", "");
    for (enum yo_go_color color = YO_GO_BLACK; color <= YO_GO_WHITE; color++)
        yo_panel_add(panel, color == YO_GO_BLACK ? YO_CELL_BLACK : YO_CELL_WHITE,
                     "%s%s, captured %d", yo_play_color(color), player(play, color),
                     yo_go_game_captures(game, color));
    if (yo_timer_is_on(&play->timer)) {
        char black[YO_TIMER_TEXT], white[YO_TIMER_TEXT];
        yo_panel_add(panel, YO_CELL_EMPTY, "Clocks: %s, %s", clock_text(play, YO_GO_BLACK, black),
                     clock_text(play, YO_GO_WHITE, white));
    }
    yo_panel_add(panel, YO_CELL_EMPTY, "%s", "");
    if (count > 0) {
        struct yo_go_played last = yo_go_game_move(game, count - 1);
        yo_panel_add(panel, YO_CELL_EMPTY, "Last move: %s %s", yo_play_color(last.color),
                     yo_go_point_format(last.move, yo_go_game_size(game), text));
    }
    if (yo_play_is_over(play))
        yo_panel_add(panel, YO_CELL_EMPTY, "The game is over");
    else
        yo_panel_add(panel, YO_CELL_EMPTY, "Move %zu: %s to play", count + 1,
                     yo_play_color(yo_go_game_to_move(game)));
}

static void draw(const struct yo_play *play, const struct yo_picture *picture) {
    struct yo_panel panel = {0};
    struct yo_buf out = {0};
    struct yo_picture_style style = {.graphic = play->term.colors,
                                     .many_colors = play->term.many_colors,
                                     .width = yo_term_width()};
    fill_panel(play, &panel);
    yo_buf_char(&out, '\n');
    yo_picture_draw(&out, picture, &panel, &style);
    yo_buf_char(&out, '\n');
    yo_talk_print(&out);
}

void yo_play_show(struct yo_play *play) {
    struct yo_picture picture;
    yo_picture_of_game(&picture, play->game);
    draw(play, &picture);
    play->shown = true;
}

void yo_play_greet(const struct yo_play *play) {
    int size = yo_go_game_size(play->game);
    bool black = play->human[YO_GO_BLACK], white = play->human[YO_GO_WHITE];
    char limits[64] = "";
    bool by_clock = yo_timer_is_on(&play->timer) && !yo_options_given(play->options, "time");
    if (play->limits.time_ms && !by_clock)
        snprintf(limits, sizeof limits, "%g s", (double)play->limits.time_ms / 1000);
    if (play->limits.playouts)
        snprintf(limits + strlen(limits), sizeof limits - strlen(limits), "%s%llu playouts",
                 limits[0] ? " or " : "", (unsigned long long)play->limits.playouts);
    if (play->limits.visits)
        snprintf(limits + strlen(limits), sizeof limits - strlen(limits), "%s%llu visits",
                 limits[0] ? " or " : "", (unsigned long long)play->limits.visits);
    yo_talk_say("Go on %dx%d. %s Yomi thinks %s%s (%s).", size, size,
                black && white   ? "Two people play."
                : black || white ? (black ? "You are Black." : "You are White.")
                                 : "Yomi plays itself.",
                limits[0] ? limits : "by its clock", limits[0] ? " a move" : "",
                yo_session_eval_name(play->session));
    if (yo_timer_is_on(&play->timer)) {
        char text[YO_TIMER_TEXT];
        yo_talk_say("Each side has %s on its clock.", yo_timer_settings(&play->timer, text));
    }
    if (black || white)
        yo_talk_say("Type a point to play there: d4. Also: pass, undo, hint, score, help, "
                    "quit.");
}

void yo_play_prompt(struct yo_play *play) {
    char point[8], clock[YO_TIMER_TEXT];
    int size = yo_go_game_size(play->game);
    enum yo_go_color color = yo_go_game_to_move(play->game);
    clock_text(play, color, clock);
    const char *space = *clock ? " " : "";
    if (yo_play_is_over(play))
        yo_term_prompt(&play->term, "new, save, undo or quit> ");
    else if (yo_go_game_move_count(play->game) < 2 && yo_term_width() >= 50)
        yo_term_prompt(&play->term, "%s%s%s, your move (for example %s)> ", yo_play_color(color),
                       space, clock,
                       yo_go_point_format((yo_go_point)((size - 1 - size / 3) * size + size / 3),
                                          size, point));
    else
        yo_term_prompt(&play->term, "%s%s%s> ", yo_play_color(color), space, clock);
}

/* ---- hint ---- */

/* Prints the PV, up to the last move with more than one visit. */
static void say_line(const struct yo_play *play, const struct yo_search_move *best) {
    struct yo_buf line = {0};
    char point[8];
    for (size_t i = 0; i < best->pv_count && best->pv_visits[i] > 1; i++)
        yo_buf_printf(
            &line, " %s",
            yo_go_point_format((yo_go_point)best->pv[i], yo_go_game_size(play->game), point));
    if (best->pv_count > 1 && !yo_buf_status(&line)) yo_talk_say("Expected:%s", yo_buf_text(&line));
    yo_buf_free(&line);
}

void yo_play_show_hint(struct yo_play *play, const struct yo_search_result *result) {
    struct yo_picture picture;
    yo_picture_of_game(&picture, play->game);
    int size = picture.size;
    size_t count = result->move_count < HINTS ? result->move_count : HINTS;
    for (size_t i = 0; i < count; i++) {
        yo_go_point p = (yo_go_point)result->moves[i].move;
        if (p >= size * size) continue;
        picture.cell[p] = YO_CELL_LABEL;
        picture.label[p] = (char)('1' + i);
    }
    draw(play, &picture);
    for (size_t i = 0; i < count; i++) {
        const struct yo_search_move *move = &result->moves[i];
        char point[8];
        yo_talk_say("%zu: %s wins %.0f%%, %+.1f points on average", i + 1,
                    yo_go_point_format((yo_go_point)move->move, size, point),
                    100 * move->winrate_to_move, move->score_to_move);
    }
    say_line(play, &result->moves[0]);
}

/* ---- who owns what ---- */

static void say_legend(const struct yo_play *play, bool any_dead) {
    if (play->term.graphic)
        yo_talk_say("Small squares are points of that colour%s.",
                    any_dead ? ", crosses are its dead stones" : "");
    else
        yo_talk_say("b and w are points of Black and White%s.",
                    any_dead ? ", x and o their dead stones" : "");
}

/* Paints territory and dead stones on the picture. Returns whether there are dead stones. */
static bool paint(struct yo_picture *picture, const struct yo_go_game *game, const uint8_t *dead,
                  const uint8_t *owner) {
    static const enum yo_cell land[] = {YO_CELL_EMPTY, YO_CELL_BLACK_LAND, YO_CELL_WHITE_LAND};
    bool any_dead = false;
    yo_picture_of_game(picture, game);
    for (int p = 0; p < picture->size * picture->size; p++) {
        bool black = picture->cell[p] == YO_CELL_BLACK;
        if (picture->cell[p] == YO_CELL_EMPTY)
            picture->cell[p] = (uint8_t)land[owner[p]];
        else if (dead[p])
            picture->cell[p] = black ? YO_CELL_BLACK_DEAD : YO_CELL_WHITE_DEAD;
        any_dead = any_dead || dead[p];
    }
    return any_dead;
}

/* Estimates the owners from the ownership in playouts, for a game in progress. */
static void guess_owners(const struct yo_judgement *judgement, uint8_t *owner) {
    for (int p = 0; p < YO_GO_POINTS_MAX; p++) {
        float value = judgement->ownership[p];
        owner[p] = value > OWNED ? YO_GO_BLACK : value < -OWNED ? YO_GO_WHITE : YO_GO_EMPTY;
    }
}

static void say_estimate(const struct yo_play *play, const uint8_t *owner) {
    int counts[3] = {0}, points = yo_go_game_size(play->game) * yo_go_game_size(play->game);
    for (int p = 0; p < points; p++)
        counts[owner[p]]++;
    bool territory = yo_go_game_rules(play->game)->scoring == YO_GO_TERRITORY;
    int komi2 = yo_judge_komi2(play->game);
    int lead2 =
        2 * (counts[YO_GO_BLACK] - counts[YO_GO_WHITE]) - yo_judge_area_komi2(play->game, true);
    char komi[16], lead[16];
    yo_talk_say("As it looks now, with stones and what they surround: Black %d, White %d "
                "and %s komi; %d points are open. %s%s is ahead by %s.",
                counts[YO_GO_BLACK], counts[YO_GO_WHITE], komi_text(komi2, komi),
                counts[YO_GO_EMPTY], territory ? "By territory " : "",
                lead2 == 0  ? (territory ? "nobody" : "Nobody")
                : lead2 > 0 ? "Black"
                            : "White",
                komi_text(lead2 < 0 ? -lead2 : lead2, lead));
}

/* What the same search says that hints and Yomi's moves come from. */
static void say_expected(double winrate_black, double score_black) {
    yo_talk_say("Reading ahead, Yomi gives Black %.0f%%, and expects %s to lead by %.1f points.",
                100 * winrate_black, score_black >= 0 ? "Black" : "White", fabs(score_black));
}

enum yo_err yo_play_show_estimate(struct yo_play *play, const struct yo_search_result *result,
                                  struct yo_diag *diag) {
    struct yo_judgement judgement;
    struct yo_picture picture;
    bool black = yo_go_game_to_move(play->game) == YO_GO_BLACK;
    double winrate = yo_search_root_winrate(result), score = yo_search_root_score(result);
    enum yo_err err = yo_play_judge(play, &judgement, diag);
    if (err) return err;
    uint8_t owner[YO_GO_POINTS_MAX];
    guess_owners(&judgement, owner);
    bool any_dead = paint(&picture, play->game, judgement.dead, owner);
    draw(play, &picture);
    say_legend(play, any_dead);
    say_estimate(play, owner);
    if (result->move_count > 0) say_expected(black ? winrate : 1 - winrate, black ? score : -score);
    return YO_OK;
}

/* ---- the end ---- */

static void say_winner(const struct yo_play *play, enum yo_go_color winner, const char *how) {
    bool one_person = play->human[YO_GO_BLACK] != play->human[YO_GO_WHITE];
    if (one_person && play->human[winner])
        yo_talk_say("You win with %s %s. Well played!", yo_play_color(winner), how);
    else
        yo_talk_say("%s%s wins %s.", yo_play_color(winner), play->human[winner] ? "" : " (Yomi)",
                    how);
}

static void say_dead(const struct yo_play *play, const struct yo_judgement *judgement) {
    int size = yo_go_game_size(play->game);
    struct yo_buf list = {0};
    char point[8];
    for (int p = 0; p < size * size; p++)
        if (judgement->dead[p])
            yo_buf_printf(&list, " %s", yo_go_point_format((yo_go_point)p, size, point));
    if (list.len)
        yo_talk_say("Dead stones, taken off before the count:%s. If you see it otherwise, "
                    "undo and play it out.",
                    yo_buf_text(&list));
    yo_buf_free(&list);
}

static enum yo_err show_count(struct yo_play *play, struct yo_diag *diag) {
    struct yo_judgement judgement;
    struct yo_picture picture;
    struct yo_buf table = {0};
    char lead[16], text[64], how[96];
    enum yo_err err = yo_play_judge(play, &judgement, diag);
    if (err) return err;
    uint8_t owner[YO_GO_POINTS_MAX];
    yo_go_region_owners(play->game, judgement.dead, owner);
    bool any_dead = paint(&picture, play->game, judgement.dead, owner);
    draw(play, &picture);
    say_legend(play, any_dead);
    say_dead(play, &judgement);
    yo_play_count(&table, play->game, judgement.dead);
    yo_talk_print(&table);
    int lead2 = judgement.score.lead2;
    snprintf(text, sizeof text, "by %s point%s", komi_text(abs(lead2), lead),
             abs(lead2) == 2 ? "" : "s");
    snprintf(how, sizeof how, "%s (%s)", text, yo_go_score_format(&judgement.score, lead));
    if (lead2 == 0)
        yo_talk_say("A draw: both have the same.");
    else
        say_winner(play, lead2 > 0 ? YO_GO_BLACK : YO_GO_WHITE, how);
    return YO_OK;
}

enum yo_err yo_play_show_end(struct yo_play *play, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    if (play->resigned != YO_GO_EMPTY) {
        if (!play->shown) yo_play_show(play);
        say_winner(play, yo_go_other(play->resigned), play->on_time ? "on time" : "by resignation");
    } else {
        err = show_count(play, diag);
    }
    if (!err)
        yo_talk_say("Next: new (another game), save game.sgf (keep this one)%s, or quit.",
                    play->human[YO_GO_BLACK] || play->human[YO_GO_WHITE] ? ", undo (play on)" : "");
    play->shown = play->counted = true;
    return err;
}
