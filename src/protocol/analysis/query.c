/* Reads a query field by field: the game and its turns here, the rest in the files listed in
 * query.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "game/go/rules.h"
#include "protocol/analysis/query.h"

#define SIZES "Must provide an integer from 2 to 19"
#define RULES                                                                                      \
    "Must specify rules string, such as \"chinese\" or \"tromp-taylor\", or a JSON object with "   \
    "detailed rules parameters."

/* ---- the game: value is NULL if a field is missing ---- */

static bool take_size(struct analysis_query *q, const char *field, json_t *value) {
    int64_t size;
    if (!value) return yo_query_fail(q, field, SIZES);
    if (!yo_query_read_integer(q, field, value, YO_GO_SIZE_MIN, YO_GO_SIZE_MAX, SIZES, &size))
        return false;
    if (q->size && q->size != size) return yo_query_fail(q, field, "Boards must be square here");
    q->size = (int)size;
    return true;
}

static bool take_stones(struct analysis_query *q, const char *field, json_t *value) {
    if (!value) return true;
    json_t *pair;
    size_t i;
    if (!json_is_array(value)) return yo_query_fail(q, field, QUERY_PAIRS);
    json_array_foreach(value, i, pair) {
        struct yo_go_played stone;
        if (!yo_query_read_pair(q, field, pair, false, &stone)) return false;
        if (q->stones[stone.move])
            return yo_query_fail(q, field, "Illegal stone placements: a point is named twice");
        q->stones[stone.move] = (uint8_t)stone.color;
        q->has_stones = true;
    }
    return true;
}

static bool take_moves(struct analysis_query *q, const char *field, json_t *value) {
    if (!value) return yo_query_fail(q, field, "Must specify an array of [player,location] pairs");
    if (!json_is_array(value)) return yo_query_fail(q, field, QUERY_PAIRS);
    json_t *pair;
    size_t i, count = json_array_size(value);
    q->moves = yo_alloc(count, sizeof *q->moves);
    q->wanted = yo_alloc(count + 1, sizeof *q->wanted);
    q->priorities = yo_alloc(count + 1, sizeof *q->priorities);
    if (!q->moves || !q->wanted || !q->priorities) return yo_query_fail(q, field, "Out of memory");
    json_array_foreach(value, i,
                       pair) if (!yo_query_read_pair(q, field, pair, true,
                                                     &q->moves[q->move_count++])) return false;
    return true;
}

static bool take_first(struct analysis_query *q, const char *field, json_t *value) {
    return !value || yo_query_read_player(q, field, value, &q->first);
}

static bool take_turns(struct analysis_query *q, const char *field, json_t *value) {
    if (!value) {
        q->wanted[q->move_count] = true;
        return true;
    }
    /* An empty list would give no answer, and the client would wait for ever. */
    if (!yo_analysis_read_ints(value, &q->turns, &q->turn_count) || q->turn_count == 0)
        return yo_query_fail(q, field,
                             "Must specify an array of integers indicating turns to analyze");
    for (size_t i = 0; i < q->turn_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", q->turns[i]);
        if (q->turns[i] < 0 || (size_t)q->turns[i] > q->move_count)
            return yo_query_fail_with(q, field, "Invalid turn number: ", number);
        q->wanted[q->turns[i]] = true;
    }
    return true;
}

static bool take_priority(struct analysis_query *q, const char *field, json_t *value) {
    int64_t priority = 0, most = (int64_t)1 << 62;
    if (!value) return true;
    if (json_object_get(q->json, "priorities"))
        return yo_query_fail(q, field, "Cannot specify both priority and priorities");
    if (!yo_query_read_integer(q, field, value, -most, most,
                               "Must be a number between -2^62 and 2^62", &priority))
        return false;
    for (size_t i = 0; i <= q->move_count; i++)
        q->priorities[i] = priority;
    return true;
}

static bool take_priorities(struct analysis_query *q, const char *field, json_t *value) {
    if (!value) return true;
    if (!q->turns)
        return yo_query_fail(q, field, "Can only specify priorities when analyzeTurns is given");
    if (!json_is_array(value))
        return yo_query_fail(q, field, "Must specify an array of integers indicating priorities");
    if (json_array_size(value) != q->turn_count)
        return yo_query_fail(q, field, "Must be of matching length to analyzeTurns");
    json_t *v;
    size_t i;
    json_array_foreach(
        value, i, v) if (!yo_query_read_integer(q, field, v, -((int64_t)1 << 62), (int64_t)1 << 62,
                                                "Must be numbers between -2^62 and 2^62",
                                                &q->priorities[q->turns[i]])) return false;
    return true;
}

static bool take_rules(struct analysis_query *q, const char *field, json_t *value) {
    struct yo_diag diag = {0};
    enum yo_err err;
    if (!json_is_object(value) && !yo_json_string(value)) return yo_query_fail(q, field, RULES);
    q->rules = yo_go_rules_default;
    if (json_is_object(value))
        err = yo_go_rules_take_json(value, &q->rules, &diag);
    else
        err = yo_go_rules_parse(yo_json_string(value), &q->rules, &diag);
    if (err) {
        char text[640];
        yo_diag_format(&diag, text, sizeof text);
        return yo_query_fail_with(q, field, "Could not parse rules: ", text);
    }
    q->rules.komi2 = yo_go_rules_usual_komi2(&q->rules);
    return true;
}

static bool take_komi(struct analysis_query *q, const char *field, json_t *value) {
    static const char message[] = "Must be a integer or half-integer from -4000.0 to 4000.0";
    double komi;
    if (!value) return true;
    if (!yo_query_read_real(q, field, value, -4000, 4000, message, &komi)) return false;
    if (2 * komi != floor(2 * komi)) return yo_query_fail(q, field, message);
    q->rules.komi2 = (int)(2 * komi);
    return true;
}

static bool take_bonus(struct analysis_query *q, const char *field, json_t *value) {
    static const char *const names[] = {"0", "N", "N-1"};
    if (!value) return true;
    const char *text = yo_json_string(value);
    if (!text) return yo_query_fail(q, field, "Must be a string");
    for (int i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        q->rules.handicap_bonus = (enum yo_go_bonus)i;
        return true;
    }
    return yo_query_fail(q, field, "Must be \"0\" or \"N\" or \"N-1\"");
}

/* ---- all fields, in the order in which they are read ---- */

static const struct {
    const char *name;
    yo_query_take_fn take;
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
    {"overrideSettings", yo_query_take_settings},
    {"maxVisits", yo_query_take_visits},
    {"analysisPVLen", yo_query_take_pv_len},
    {"includeOwnership", yo_query_take_ownership},
    {"includeMovesOwnership", yo_query_take_moves_ownership},
    {"includePolicy", yo_query_take_policy},
    {"includePVVisits", yo_query_take_pv_visits},
    {"includeOwnershipStdev", yo_query_take_ownership_stdev},
    {"includeMovesOwnershipStdev", yo_query_take_moves_ownership_stdev},
    {"includeNoResultValue", yo_query_take_no_result},
    {"rootPolicyTemperature", yo_query_take_root_temperature},
    {"rootFpuReductionMax", yo_query_take_root_fpu},
    {"reportDuringSearchEvery", yo_query_take_report_every},
    {"firstReportDuringSearchAfter", yo_query_take_first_report},
    {"allowMoves", yo_query_take_allow},
    {"avoidMoves", yo_query_take_avoid},
};
#define FIELD_COUNT (sizeof fields / sizeof fields[0])

static bool take_fields(struct analysis_query *q) {
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (!fields[i].take(q, fields[i].name, json_object_get(q->json, fields[i].name)))
            return false;
    /* Every search of a query begins anew, so that visits and playouts are the same. */
    if (q->wants.most_playouts &&
        (q->wants.playouts == 0 || q->wants.most_playouts < q->wants.playouts))
        q->wants.playouts = q->wants.most_playouts;
    const char *key;
    json_t *v;
    json_object_foreach(q->json, key, v) {
        bool known = strcmp(key, "id") == 0;
        for (size_t i = 0; i < FIELD_COUNT; i++)
            known = known || strcmp(key, fields[i].name) == 0;
        if (!known) yo_query_warn(q, key, "Unexpected or unused field, do you have a typo?");
    }
    return true;
}

struct analysis_task *yo_analysis_read_query(struct yo_analysis *a, json_t *json) {
    struct analysis_task *tasks = NULL;
    struct analysis_query *q = yo_alloc(1, sizeof *q);
    if (!q || yo_options_init(&q->options, a->options.rows, NULL) ||
        yo_options_copy(&q->options, &a->options)) {
        if (q) yo_options_free(&q->options);
        yo_free(q);
        yo_analysis_send_error(a, "Out of memory");
        return NULL;
    }
    q->a = a;
    q->json = json;
    q->id = json_object_get(json, "id");
    q->wants = (struct analysis_wants){.playouts = a->config.playouts,
                                       .time_ms = a->config.time_ms,
                                       .view = a->config.view,
                                       .pv_len = ANALYSIS_PV_MAX};
    if (take_fields(q)) tasks = yo_query_tasks(q);
    yo_options_free(&q->options);
    yo_free(q->moves);
    yo_free(q->wanted);
    yo_free(q->priorities);
    yo_free(q->turns);
    yo_free(q);
    return tasks;
}
