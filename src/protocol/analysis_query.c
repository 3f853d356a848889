/* What a query says, field by field. Messages are KataGo's where it has one for the case, since
 * clients look into them. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "game/go/rules.h"
#include "game/go/state.h"
#include "protocol/analysis_internal.h"

#define PASS_INDEX YO_GO_POINTS_MAX
#define PAIRS      "Must be an array of pairs of the form: [\"b\" or \"w\", GTP board vertex]"
#define DICTS      "Must be a list of dicts with subfields 'player', 'moves', 'untilDepth'"
#define SIZES      "Must provide an integer from 2 to 19"
#define RULES                                                                                      \
    "Must specify rules string, such as \"chinese\" or \"tromp-taylor\", or a JSON object with "   \
    "detailed rules parameters."

struct query {
    struct yo_analysis *a;
    const struct yo_json *json, *id;
    int size;
    struct yo_go_rules rules;
    uint8_t stones[YO_GO_POINTS_MAX];
    bool has_stones;
    enum yo_go_color first; /* to move at turn 0; YO_GO_EMPTY: not said */
    struct yo_go_played *moves;
    size_t move_count;
    bool *wanted;        /* by turn */
    int64_t *priorities; /* by turn */
    int *turns;          /* as they were listed; NULL if they were not */
    size_t turn_count;
    bool avoid[3][YO_GO_POINTS_MAX + 1]; /* by colour and point */
    bool avoid_warned;
    struct analysis_wants wants;
    struct yo_options options;
};

static bool fail(const struct query *q, const char *field, const char *message) {
    yo_analysis_send_field(q->a, "error", q->id, field, message);
    return false;
}

static bool fail_with(const struct query *q, const char *field, const char *message,
                      const char *detail) {
    struct yo_buf text = {0};
    yo_buf_printf(&text, "%s%.200s", message, detail);
    fail(q, field, yo_buf_text(&text));
    yo_buf_free(&text);
    return false;
}

static void warn(const struct query *q, const char *field, const char *message) {
    yo_analysis_send_field(q->a, "warning", q->id, field, message);
}

/* ---- kinds of values ---- */

static bool read_integer(const struct query *q, const char *field, const struct yo_json *value,
                         int64_t min, int64_t max, const char *message, int64_t *out) {
    if (value->type != YO_JSON_NUMBER || !value->is_integer || value->integer < min ||
        value->integer > max)
        return fail(q, field, message);
    *out = value->integer;
    return true;
}

static bool read_real(const struct query *q, const char *field, const struct yo_json *value,
                      double min, double max, const char *message, double *out) {
    if (value->type != YO_JSON_NUMBER || !(value->number >= min && value->number <= max))
        return fail(q, field, message);
    *out = value->number;
    return true;
}

static bool read_bool(const struct query *q, const char *field, const struct yo_json *value,
                      bool *out) {
    if (value->type != YO_JSON_BOOL) return fail(q, field, "Must be a boolean");
    *out = value->flag;
    return true;
}

static bool read_player(const struct query *q, const char *field, const struct yo_json *value,
                        enum yo_go_color *out) {
    const char *text = yo_json_string(value);
    if (text && yo_go_color_parse(text, out, NULL) == YO_OK) return true;
    return fail(q, field, "Must be \"b\" or \"w\"");
}

static bool read_point(const struct query *q, const char *field, const char *text, bool pass_ok,
                       yo_go_point *out) {
    bool good = yo_go_point_parse(text, q->size, out, NULL) == YO_OK && *out != YO_GO_RESIGN &&
                (pass_ok || *out != YO_GO_PASS);
    return good || fail_with(q, field, "Could not parse board location: ", text);
}

static bool read_pair(const struct query *q, const char *field, const struct yo_json *pair,
                      bool pass_ok, struct yo_go_played *out) {
    if (pair->type != YO_JSON_ARRAY || pair->count != 2) return fail(q, field, PAIRS);
    const char *player = yo_json_string(pair->first), *point = yo_json_string(pair->first->next);
    if (!player || !point) return fail(q, field, PAIRS);
    if (yo_go_color_parse(player, &out->color, NULL))
        return fail_with(q, field, "Could not parse player: ", player);
    return read_point(q, field, point, pass_ok, &out->move);
}

bool yo_analysis_read_ints(const struct yo_json *value, int **out, size_t *count) {
    if (value->type != YO_JSON_ARRAY) return false;
    for (const struct yo_json *v = value->first; v; v = v->next)
        if (v->type != YO_JSON_NUMBER || !v->is_integer || v->integer < INT_MIN ||
            v->integer > INT_MAX)
            return false;
    *out = yo_alloc(value->count, sizeof **out);
    if (!*out) return false;
    *count = 0;
    for (const struct yo_json *v = value->first; v; v = v->next)
        (*out)[(*count)++] = (int)v->integer;
    return true;
}

/* ---- the fields, in the order in which they are read; value is NULL if it is not there ---- */

static bool take_size(struct query *q, const char *field, const struct yo_json *value) {
    int64_t size;
    if (!value) return fail(q, field, SIZES);
    if (!read_integer(q, field, value, YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, SIZES, &size)) return false;
    if (q->size && q->size != size) return fail(q, field, "Boards must be square here");
    q->size = (int)size;
    return true;
}

static bool take_stones(struct query *q, const char *field, const struct yo_json *value) {
    if (!value) return true;
    if (value->type != YO_JSON_ARRAY) return fail(q, field, PAIRS);
    for (const struct yo_json *pair = value->first; pair; pair = pair->next) {
        struct yo_go_played stone;
        if (!read_pair(q, field, pair, false, &stone)) return false;
        q->stones[stone.move] = (uint8_t)stone.color;
        q->has_stones = true;
    }
    return true;
}

static bool take_moves(struct query *q, const char *field, const struct yo_json *value) {
    if (!value) return fail(q, field, "Must specify an array of [player,location] pairs");
    if (value->type != YO_JSON_ARRAY) return fail(q, field, PAIRS);
    q->moves = yo_alloc(value->count, sizeof *q->moves);
    q->wanted = yo_alloc(value->count + 1, sizeof *q->wanted);
    q->priorities = yo_alloc(value->count + 1, sizeof *q->priorities);
    if (!q->moves || !q->wanted || !q->priorities) return fail(q, field, "Out of memory");
    for (const struct yo_json *pair = value->first; pair; pair = pair->next)
        if (!read_pair(q, field, pair, true, &q->moves[q->move_count++])) return false;
    return true;
}

static bool take_first(struct query *q, const char *field, const struct yo_json *value) {
    return !value || read_player(q, field, value, &q->first);
}

static bool take_turns(struct query *q, const char *field, const struct yo_json *value) {
    if (!value) {
        q->wanted[q->move_count] = true;
        return true;
    }
    if (!yo_analysis_read_ints(value, &q->turns, &q->turn_count))
        return fail(q, field, "Must specify an array of integers indicating turns to analyze");
    for (size_t i = 0; i < q->turn_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", q->turns[i]);
        if (q->turns[i] < 0 || (size_t)q->turns[i] > q->move_count)
            return fail_with(q, field, "Invalid turn number: ", number);
        q->wanted[q->turns[i]] = true;
    }
    return true;
}

static bool take_priority(struct query *q, const char *field, const struct yo_json *value) {
    int64_t priority = 0, most = (int64_t)1 << 62;
    if (!value) return true;
    if (yo_json_find(q->json, "priorities"))
        return fail(q, field, "Cannot specify both priority and priorities");
    if (!read_integer(q, field, value, -most, most, "Must be a number between -2^62 and 2^62",
                      &priority))
        return false;
    for (size_t i = 0; i <= q->move_count; i++)
        q->priorities[i] = priority;
    return true;
}

static bool take_priorities(struct query *q, const char *field, const struct yo_json *value) {
    if (!value) return true;
    if (!q->turns) return fail(q, field, "Can only specify priorities when analyzeTurns is given");
    if (value->type != YO_JSON_ARRAY)
        return fail(q, field, "Must specify an array of integers indicating priorities");
    if (value->count != q->turn_count)
        return fail(q, field, "Must be of matching length to analyzeTurns");
    size_t i = 0;
    for (const struct yo_json *v = value->first; v; v = v->next, i++)
        if (!read_integer(q, field, v, -((int64_t)1 << 62), (int64_t)1 << 62,
                          "Must be numbers between -2^62 and 2^62", &q->priorities[q->turns[i]]))
            return false;
    return true;
}

static bool take_rules(struct query *q, const char *field, const struct yo_json *value) {
    struct yo_diag diag = {0};
    enum yo_err err;
    if (!value || (value->type != YO_JSON_OBJECT && !yo_json_string(value)))
        return fail(q, field, RULES);
    q->rules = yo_go_rules_default;
    if (value->type == YO_JSON_OBJECT)
        err = yo_go_rules_take_json(value, &q->rules, &diag);
    else
        err = yo_go_rules_parse(value->text, &q->rules, &diag);
    if (err) {
        char text[640];
        yo_diag_format(&diag, text, sizeof text);
        return fail_with(q, field, "Could not parse rules: ", text);
    }
    q->rules.komi2 = yo_go_rules_usual_komi2(&q->rules);
    return true;
}

static bool take_komi(struct query *q, const char *field, const struct yo_json *value) {
    static const char message[] = "Must be a integer or half-integer from -150.0 to 150.0";
    double komi;
    if (!value) return true;
    if (!read_real(q, field, value, -150, 150, message, &komi)) return false;
    if (2 * komi != floor(2 * komi)) return fail(q, field, message);
    q->rules.komi2 = (int)(2 * komi);
    return true;
}

static bool take_bonus(struct query *q, const char *field, const struct yo_json *value) {
    static const char *const names[] = {"0", "N", "N-1"};
    if (!value) return true;
    const char *text = yo_json_string(value);
    if (!text) return fail(q, field, "Must be a string");
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        q->rules.handicap_bonus = (enum yo_go_bonus)i;
        return true;
    }
    return fail(q, field, "Must be \"0\" or \"N\" or \"N-1\"");
}

static bool take_visits(struct query *q, const char *field, const struct yo_json *value) {
    int64_t visits;
    if (!value) return true;
    if (!read_integer(q, field, value, 1, (int64_t)1 << 50, "Must be an integer from 1 to 2^50",
                      &visits))
        return false;
    q->wants.playouts = (uint64_t)visits;
    return true;
}

static bool take_pv_len(struct query *q, const char *field, const struct yo_json *value) {
    int64_t len;
    if (!value) return true;
    if (!read_integer(q, field, value, 1, ANALYSIS_PV_MAX, "Must be an integer from 1 to 1000",
                      &len))
        return false;
    q->wants.pv_len = (size_t)len;
    return true;
}

static bool take_seconds(struct query *q, const char *field, const struct yo_json *value,
                         int64_t *out_ms) {
    double seconds;
    if (!read_real(q, field, value, 0.001, 1e6, "Must be number of seconds from 0.001 to 1000000.0",
                   &seconds))
        return false;
    *out_ms = (int64_t)(1000 * seconds);
    return true;
}

static bool take_report_every(struct query *q, const char *field, const struct yo_json *value) {
    if (!value) return true;
    bool good = take_seconds(q, field, value, &q->wants.report_every_ms);
    q->wants.first_report_ms = q->wants.report_every_ms;
    return good;
}

static bool take_first_report(struct query *q, const char *field, const struct yo_json *value) {
    return !value || take_seconds(q, field, value, &q->wants.first_report_ms);
}

static bool take_ownership(struct query *q, const char *field, const struct yo_json *value) {
    return !value || read_bool(q, field, value, &q->wants.ownership);
}

static bool take_moves_ownership(struct query *q, const char *field, const struct yo_json *value) {
    return !value || read_bool(q, field, value, &q->wants.moves_ownership);
}

static bool take_policy(struct query *q, const char *field, const struct yo_json *value) {
    return !value || read_bool(q, field, value, &q->wants.policy);
}

static bool take_pv_visits(struct query *q, const char *field, const struct yo_json *value) {
    return !value || read_bool(q, field, value, &q->wants.pv_visits);
}

/* ---- moves that are not to be looked at, or alone ---- */

static bool take_avoid_entry(struct query *q, const char *field, const struct yo_json *entry,
                             bool allow) {
    const struct yo_json *player = yo_json_find(entry, "player");
    const struct yo_json *moves = yo_json_find(entry, "moves");
    const struct yo_json *until = yo_json_find(entry, "untilDepth");
    enum yo_go_color color;
    int64_t depth;
    if (!player || !moves || !until) return fail(q, field, DICTS);
    if (!read_player(q, "player", player, &color)) return false;
    if (moves->type != YO_JSON_ARRAY)
        return fail(q, "moves", "Must be an array of GTP board vertices");
    if (!read_integer(q, "untilDepth", until, 1, 1000000000, "Must be a positive integer", &depth))
        return false;
    memset(q->avoid[color], allow, allow ? sizeof q->avoid[color] : 0);
    for (const struct yo_json *v = moves->first; v; v = v->next) {
        yo_go_point point;
        const char *text = yo_json_string(v);
        if (!text) return fail(q, "moves", "Must be an array of GTP board vertices");
        if (!read_point(q, "moves", text, true, &point)) return false;
        q->avoid[color][point == YO_GO_PASS ? PASS_INDEX : point] = !allow;
    }
    if (depth > 1 && !q->avoid_warned) {
        warn(q, field, "Only moves at the root are kept from the search: untilDepth counts as 1");
        q->avoid_warned = true;
    }
    return true;
}

static bool take_avoid_list(struct query *q, const char *field, const struct yo_json *value,
                            bool allow) {
    if (!value) return true;
    if (value->type != YO_JSON_ARRAY) return fail(q, field, DICTS);
    if (allow && value->count > 1)
        return fail(q, field, "Currently allowMoves only allows one entry");
    for (const struct yo_json *entry = value->first; entry; entry = entry->next)
        if (!take_avoid_entry(q, field, entry, allow)) return false;
    return true;
}

static bool take_allow(struct query *q, const char *field, const struct yo_json *value) {
    if (value && yo_json_find(q->json, "avoidMoves"))
        return fail(q, field, "Cannot specify both allowMoves and avoidMoves");
    return take_avoid_list(q, field, value, true);
}

static bool take_avoid(struct query *q, const char *field, const struct yo_json *value) {
    return take_avoid_list(q, field, value, false);
}

/* ---- settings ---- */

static bool take_view(struct query *q, const char *field, const struct yo_json *value) {
    const char *text = yo_json_string(value);
    for (int i = 0; text && yo_analysis_views[i]; i++) {
        if (strcasecmp(text, yo_analysis_views[i]) != 0) continue;
        q->wants.view = (enum yo_analysis_view)i;
        return true;
    }
    return fail(q, field,
                "Could not set settings: reportAnalysisWinratesAs must be BLACK, WHITE or "
                "SIDETOMOVE");
}

static bool take_max_time(struct query *q, const char *field, const struct yo_json *value) {
    double seconds;
    if (!read_real(q, field, value, 0, 1e20, "Could not set settings: maxTime must be seconds",
                   &seconds))
        return false;
    q->wants.time_ms = seconds > 1e12 ? 0 : (int64_t)(1000 * seconds) + (seconds < 0.001);
    return true;
}

/* A setting of KataGo's that means something here, or an option of our search by its name.
 * *known: whether it is one. */
static bool take_setting(struct query *q, const char *field, const struct yo_json *value,
                         bool *known) {
    static const struct {
        const char *name;
        bool (*take)(struct query *q, const char *field, const struct yo_json *value);
    } settings[] = {{"maxVisits", take_visits},
                    {"maxPlayouts", take_visits},
                    {"maxTime", take_max_time},
                    {"analysisPVLen", take_pv_len},
                    {"reportAnalysisWinratesAs", take_view}};
    *known = true;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(value->key, settings[i].name) == 0) return settings[i].take(q, field, value);
    *known = yo_option_find(q->options.rows, YO_ON_JSON, value->key) != NULL;
    if (!*known) return true;
    struct yo_buf text = {0};
    struct yo_diag diag = {0};
    const char *string = yo_json_string(value);
    if (!string) yo_json_write(&text, value);
    enum yo_err err = yo_options_set(&q->options, YO_ON_JSON, value->key,
                                     string ? string : yo_buf_text(&text), &diag);
    yo_buf_free(&text);
    return !err || fail_with(q, field, "Could not set settings: ", diag.what);
}

static bool take_settings(struct query *q, const char *field, const struct yo_json *value) {
    struct yo_buf unknown = {0};
    bool good = true;
    if (!value) return true;
    if (value->type != YO_JSON_OBJECT) return fail(q, field, "Must be an object");
    for (const struct yo_json *v = value->first; v && good; v = v->next) {
        bool known;
        good = take_setting(q, field, v, &known);
        if (known) continue;
        yo_buf_str(&unknown, unknown.len ? "," : "Unknown config params: ");
        yo_buf_str(&unknown, v->key);
    }
    if (good && unknown.len) warn(q, field, yo_buf_text(&unknown));
    yo_buf_free(&unknown);
    return good;
}

static const struct {
    const char *name;
    bool (*take)(struct query *q, const char *field, const struct yo_json *value);
} fields[] = {
    {"boardXSize", take_size},
    {"boardYSize", take_size},
    {"initialStones", take_stones},
    {"moves", take_moves},
    {"initialPlayer", take_first},
    {"analyzeTurns", take_turns},
    {"priority", take_priority},
    {"priorities", take_priorities},
    {"rules", take_rules},
    {"komi", take_komi},
    {"whiteHandicapBonus", take_bonus},
    {"overrideSettings", take_settings},
    {"maxVisits", take_visits},
    {"analysisPVLen", take_pv_len},
    {"includeOwnership", take_ownership},
    {"includeMovesOwnership", take_moves_ownership},
    {"includePolicy", take_policy},
    {"includePVVisits", take_pv_visits},
    {"reportDuringSearchEvery", take_report_every},
    {"firstReportDuringSearchAfter", take_first_report},
    {"allowMoves", take_allow},
    {"avoidMoves", take_avoid},
};
#define FIELD_COUNT (sizeof fields / sizeof fields[0])

static bool take_fields(struct query *q) {
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (!fields[i].take(q, fields[i].name, yo_json_find(q->json, fields[i].name))) return false;
    for (const struct yo_json *v = q->json->first; v; v = v->next) {
        bool known = strcmp(v->key, "id") == 0;
        for (size_t i = 0; i < FIELD_COUNT; i++)
            known = known || strcmp(v->key, fields[i].name) == 0;
        if (!known) warn(q, v->key, "Unexpected or unused field, do you have a typo?");
    }
    return true;
}

/* ---- the positions ---- */

/* Black stones alone are a handicap, as KataGo takes them. */
static enum yo_err place_stones(const struct query *q, struct yo_go_game *game,
                                struct yo_diag *diag) {
    yo_go_point points[YO_GO_POINTS_MAX];
    int black = 0, white = 0;
    for (int p = 0; p < q->size * q->size; p++) {
        white += q->stones[p] == YO_GO_WHITE;
        if (q->stones[p] == YO_GO_BLACK) points[black++] = (yo_go_point)p;
    }
    if (white == 0 && black >= 2 && yo_go_game_handicap_set(game, points, black, NULL) == YO_OK)
        return YO_OK;
    return yo_go_game_setup(game, q->stones, black >= 2 && !white ? YO_GO_WHITE : YO_GO_BLACK,
                            diag);
}

static bool set_up(const struct query *q, struct yo_go_game **out) {
    struct yo_diag diag = {0};
    if (yo_go_game_new(q->size, &q->rules, out)) return fail(q, "moves", "Out of memory");
    if (q->has_stones && place_stones(q, *out, &diag)) {
        yo_go_game_delete(*out);
        return fail_with(q, "initialStones", "Illegal stone placements: ", diag.what);
    }
    if (q->first != YO_GO_EMPTY)
        yo_go_game_set_to_move(*out, q->first);
    else if (q->move_count > 0)
        yo_go_game_set_to_move(*out, q->moves[0].color);
    return true;
}

static bool copy_avoided(const struct query *q, struct analysis_task *task) {
    const bool *avoid = q->avoid[yo_go_game_to_move(task->game)];
    task->avoid = yo_alloc(YO_GO_POINTS_MAX + 1, sizeof *task->avoid);
    if (!task->avoid) return false;
    for (int p = 0; p < q->size * q->size; p++)
        if (avoid[p]) task->avoid[task->avoid_count++] = (yo_move)p;
    if (avoid[PASS_INDEX]) task->avoid[task->avoid_count++] = YO_GO_PASS;
    return true;
}

static struct analysis_task *make_task(const struct query *q, const struct yo_go_game *game,
                                       size_t turn) {
    struct analysis_task *task = yo_alloc(1, sizeof *task);
    if (!task) return NULL;
    task->analysis = q->a;
    task->turn = (int)turn;
    task->priority = q->priorities[turn];
    task->wants = q->wants;
    task->id = yo_alloc(q->id->len + 1, 1);
    bool good = task->id && yo_go_game_copy(game, &task->game) == YO_OK && copy_avoided(q, task) &&
                yo_options_init(&task->options, yo_engine_options, NULL) == YO_OK;
    if (!good) {
        yo_analysis_task_delete(task);
        return NULL;
    }
    yo_engine_options_copy(&q->options, &task->options);
    memcpy(task->id, q->id->text, q->id->len);
    task->id_len = q->id->len;
    return task;
}

static bool play(const struct query *q, struct yo_go_game *game, size_t turn) {
    char message[64], point[8];
    const struct yo_go_played *m = &q->moves[turn];
    if (yo_go_game_play_recorded(game, m->color, m->move, NULL) == YO_OK) return true;
    snprintf(message, sizeof message, "Illegal move %zu: %s", turn,
             yo_go_point_format(m->move, q->size, point));
    return fail(q, "moves", message);
}

static struct analysis_task *make_tasks(const struct query *q) {
    struct yo_go_game *game;
    struct analysis_task *first = NULL, **link = &first;
    bool good = set_up(q, &game);
    if (!good) return NULL;
    for (size_t turn = 0; good && turn <= q->move_count; turn++) {
        if (q->wanted[turn]) {
            *link = make_task(q, game, turn);
            good = *link || fail(q, "moves", "Out of memory");
            if (good) link = &(*link)->next;
        }
        if (good && turn < q->move_count) good = play(q, game, turn);
    }
    yo_go_game_delete(game);
    while (!good && first) {
        struct analysis_task *next = first->next;
        yo_analysis_task_delete(first);
        first = next;
    }
    return first;
}

struct analysis_task *yo_analysis_read_query(struct yo_analysis *a, const struct yo_json *json) {
    struct analysis_task *tasks = NULL;
    struct query *q = yo_alloc(1, sizeof *q);
    if (!q || yo_options_init(&q->options, yo_engine_options, NULL)) {
        yo_free(q);
        yo_analysis_send_error(a, "Out of memory");
        return NULL;
    }
    q->a = a;
    q->json = json;
    q->id = yo_json_find(json, "id");
    q->wants = (struct analysis_wants){.playouts = a->config.playouts,
                                       .time_ms = a->config.time_ms,
                                       .view = a->config.view,
                                       .pv_len = ANALYSIS_PV_MAX};
    yo_engine_options_copy(&a->options, &q->options);
    if (take_fields(q)) tasks = make_tasks(q);
    yo_options_free(&q->options);
    yo_free(q->moves);
    yo_free(q->wanted);
    yo_free(q->priorities);
    yo_free(q->turns);
    yo_free(q);
    return tasks;
}
