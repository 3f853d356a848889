/* yomi net check: compares a network's outputs with those of KataGo. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/file.h"
#include "cmd/net/net.h"
#include "eval/net/go_raw.h"

/* Kinds of outputs, each with its own tolerance. */
enum { CHANCE, POINTS, POLICY, OWNERSHIP, KINDS };
enum { SHOWN = 10 }; /* most wrong answers to print */
static const char *const kind_names[KINDS] = {"win rate", "points", "policy", "ownership"};
static const char *const kind_options[KINDS] = {"chance-error", "point-error", "chance-error",
                                                "ownership-error"};

struct check {
    struct yo_net_loaded loaded;
    const char *path;
    char *text; /* the rest of the file */
    int line_number;
    struct yo_go_game *game;
    struct yo_net_go_raw raw;
    double limit[KINDS], worst[KINDS]; /* over all positions */
    double here[KINDS];                /* of one position */
    int legality;                      /* moves that are legal in only one of the two */
    int answers, wrong, first_moves, positions;
};

static enum yo_err bad_line(struct check *c, struct yo_diag *diag, const char *what) {
    yo_diag_set(diag, YO_ERR_PARSE, "%s", what);
    yo_diag_where(diag, c->path, c->line_number, 0);
    return YO_ERR_PARSE;
}

/* The next line that is not empty, without its end; NULL at the end of the file. */
static char *next_line(struct check *c) {
    while (c->text && *c->text) {
        char *line = c->text, *end = line + strcspn(line, "\n");
        c->text = *end ? end + 1 : NULL;
        *end = '\0';
        c->line_number++;
        line[strcspn(line, "\r")] = '\0';
        if (line[strspn(line, " \t")]) return line;
    }
    return NULL;
}

/* ---- positions ---- */

static enum yo_err play_moves(struct check *c, char *moves, int size, struct yo_diag *diag) {
    char *rest = NULL;
    for (char *word = strtok_r(moves, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        enum yo_go_color color = word[0] == 'W' ? YO_GO_WHITE : YO_GO_BLACK;
        yo_go_point point;
        enum yo_err err = yo_go_point_parse(word + 1, size, &point, diag);
        if (!err) err = yo_go_game_play(c->game, color, point, diag);
        if (err) {
            yo_diag_where(diag, c->path, c->line_number, 0);
            return err;
        }
    }
    return YO_OK;
}

/* "POSITION size N rules NAME komi K moves M", then the moves. */
static enum yo_err read_position(struct check *c, const char *line, struct yo_diag *diag) {
    int size, moves;
    char name[64], komi[16];
    if (sscanf(line, "POSITION size %d rules %63s komi %15s moves %d", &size, name, komi, &moves) !=
        4)
        return bad_line(c, diag, "'POSITION size N rules NAME komi K moves M' expected");
    struct yo_go_rules rules = yo_go_rules_default;
    enum yo_err err = yo_go_rules_parse(name, &rules, diag);
    if (!err) err = yo_go_komi_parse(komi, &rules.komi2, diag);
    yo_go_game_delete(c->game);
    c->game = NULL;
    if (!err && yo_go_game_new(size, &rules, &c->game)) err = bad_line(c, diag, "a bad board size");
    if (err) return err;
    c->positions++;
    char *line_of_moves = moves > 0 ? next_line(c) : NULL;
    if (moves > 0 && !line_of_moves) return bad_line(c, diag, "the moves are missing");
    return line_of_moves ? play_moves(c, line_of_moves, size, diag) : YO_OK;
}

/* ---- answers ---- */

static void note(struct check *c, int kind, double got, double expected, double unit) {
    double error = fabs(got - expected);
    /* The file has a limited number of decimals. */
    error = error > unit ? error - unit : 0;
    if (!(error <= c->here[kind])) c->here[kind] = error;
}

static enum yo_err compare_number(struct check *c, const char *name, double number) {
    const struct yo_net_go_value *v = &c->raw.value;
    bool white = c->raw.to_move == YO_GO_WHITE;
    double sign = white ? 1 : -1;
    if (strcmp(name, "whiteWin") == 0)
        note(c, CHANCE, white ? v->win : v->loss, number, 5e-7);
    else if (strcmp(name, "whiteLoss") == 0)
        note(c, CHANCE, white ? v->loss : v->win, number, 5e-7);
    else if (strcmp(name, "noResult") == 0)
        note(c, CHANCE, v->no_result, number, 5e-7);
    else if (strcmp(name, "whiteLead") == 0)
        note(c, POINTS, sign * v->lead, number, 5e-4);
    else if (strcmp(name, "whiteScoreSelfplay") == 0)
        note(c, POINTS, sign * v->score_mean, number, 5e-4);
    else if (strcmp(name, "whiteScoreSelfplaySq") == 0)
        note(c, POINTS, sqrt(v->score_square), sqrt(number), 5e-4);
    return YO_OK;
}

static enum yo_err compare_rows(struct check *c, bool policy, struct yo_diag *diag) {
    int size = c->raw.size, best = 0, expected_best = 0;
    double most = -1, expected_most = -1;
    for (int p = 0; p < size * size;) {
        char *line = next_line(c), *rest = NULL;
        if (!line) return bad_line(c, diag, "the file ends within a board");
        int row_end = p + size;
        for (char *w = strtok_r(line, " ", &rest); w; w = strtok_r(NULL, " ", &rest), p++) {
            if (p == row_end) return bad_line(c, diag, "a row has too many numbers");
            double expected = strtod(w, NULL);
            double got = (double)(policy ? c->raw.policy[p] : c->raw.white_ownership[p]);
            bool legal = !isnan(expected);
            if (policy && (legal != (got >= 0))) c->legality++;
            if (!legal) continue;
            note(c, policy ? POLICY : OWNERSHIP, got, expected, policy ? 5e-7 : 5e-8);
            if (got > most) most = got, best = p;
            if (expected > expected_most) expected_most = expected, expected_best = p;
        }
        if (p != row_end) return bad_line(c, diag, "a row has too few numbers");
    }
    if (policy && best == expected_best) c->first_moves++;
    return YO_OK;
}

static void end_answer(struct check *c) {
    bool wrong = c->legality > 0;
    for (int kind = 0; kind < KINDS; kind++) {
        if (!(c->here[kind] <= c->limit[kind])) wrong = true;
        if (!(c->here[kind] <= c->worst[kind])) c->worst[kind] = c->here[kind];
    }
    if (!wrong) return;
    if (c->wrong++ == SHOWN) printf("and others\n");
    if (c->wrong > SHOWN) return;
    printf("position %d, %dx%d, symmetry %d:", c->positions, c->raw.size, c->raw.size,
           c->raw.symmetry);
    for (int kind = 0; kind < KINDS; kind++)
        if (!(c->here[kind] <= c->limit[kind]))
            printf(" %s differs by %.6f", kind_names[kind], c->here[kind]);
    if (c->legality) printf(" %d moves are legal for one only", c->legality);
    printf("\n");
}

/* From the line after "symmetry" to the end of ownership. */
static enum yo_err check_answer(struct check *c, int symmetry, struct yo_diag *diag) {
    struct yo_go_position position = {0};
    if (!c->game || symmetry < 0 || symmetry > 7)
        return bad_line(c, diag, "a symmetry of 0 to 7, after a position, is expected");
    yo_go_position_from_game(c->game, &position);
    enum yo_err err = yo_net_go_raw(c->loaded.runner, &position, symmetry, &c->raw, diag);
    memset(c->here, 0, sizeof c->here);
    c->legality = 0;
    c->answers++;
    for (bool ended = false; !err && !ended;) {
        char name[64], *line = next_line(c);
        double number = 0;
        if (!line || sscanf(line, "%63s %lf", name, &number) < 1)
            return bad_line(c, diag, "the file ends within an answer");
        if (strcmp(name, "policy") == 0)
            err = compare_rows(c, true, diag);
        else if (strcmp(name, "policyPass") == 0)
            note(c, POLICY, (double)c->raw.policy[YO_GO_PASS], number, 5e-7);
        else if (strcmp(name, "whiteOwnership") == 0) {
            err = compare_rows(c, false, diag);
            ended = true;
        } else
            err = compare_number(c, name, number);
    }
    if (!err) end_answer(c);
    return err;
}

static enum yo_err check_file(struct check *c, struct yo_diag *diag) {
    enum yo_err err = YO_OK;
    for (char *line; !err && (line = next_line(c));) {
        int symmetry;
        if (strncmp(line, "POSITION ", 9) == 0)
            err = read_position(c, line, diag);
        else if (sscanf(line, "symmetry %d", &symmetry) == 1)
            err = check_answer(c, symmetry, diag);
        else
            err = bad_line(c, diag, "'POSITION ...' or 'symmetry N' expected");
    }
    if (!err && c->answers == 0) err = bad_line(c, diag, "there is no answer in this file");
    return err;
}

static enum yo_err tell(const struct check *c, struct yo_diag *diag) {
    printf("%d answers of %d positions by %s on %s\n", c->answers, c->positions,
           c->loaded.net->name, c->loaded.program.backend->name);
    for (int kind = 0; kind < KINDS; kind++)
        printf("%-10s differs by at most %.2e (allowed: %g)\n", kind_names[kind], c->worst[kind],
               c->limit[kind]);
    printf("%-10s is the same in %.1f%%\n", "first move", 100.0 * c->first_moves / c->answers);
    if (c->wrong == 0) return YO_OK;
    yo_diag_set(diag, YO_ERR_MISMATCH, "%d of %d answers differ by more than allowed", c->wrong,
                c->answers);
    yo_diag_hint(diag, "backends that do not compute in floats need other limits: --chance-error, "
                       "--point-error, --ownership-error");
    return YO_ERR_MISMATCH;
}

enum yo_err yo_net_check(const struct yo_options *options, struct yo_diag *diag) {
    struct check c = {.path = yo_options_argument(options, 2)};
    struct yo_buf file = {0};
    if (!c.path) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "a file of answers to compare with is missing");
        yo_diag_hint(diag, "docs/networks.md describes it");
        return YO_ERR_ARGUMENT;
    }
    for (int kind = 0; kind < KINDS; kind++)
        c.limit[kind] = yo_options_real(options, kind_options[kind]);
    enum yo_err err = yo_file_read_text(c.path, &file, diag);
    if (!err) err = yo_net_load(options, (int)yo_options_int(options, "size"), &c.loaded, diag);
    if (!err && c.loaded.net->format != YO_NET_KATAGO)
        err = yo_diag_set(diag, YO_ERR_UNSUPPORTED, "only networks for Go can be checked");
    c.text = file.data;
    if (!err) err = check_file(&c, diag);
    if (!err) err = tell(&c, diag);
    yo_go_game_delete(c.game);
    yo_net_unload(&c.loaded);
    yo_buf_free(&file);
    return err;
}
