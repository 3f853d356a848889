/* A query of the analysis engine while it is parsed; only these files include it.
 *   query.c    the list of fields, and the game
 *   value.c    reads values and reports wrong ones
 *   wants.c    limits, reports and settings of the search
 *   task.c     the positions to search */
#pragma once

#include "protocol/analysis/internal.h"

#define QUERY_PASS  YO_GO_POINTS_MAX /* index of a pass in `avoid` */
#define QUERY_PAIRS "Must be an array of pairs of the form: [\"b\" or \"w\", GTP board vertex]"

struct analysis_query {
    struct yo_analysis *a;
    json_t *json, *id;
    int size;
    struct yo_go_rules rules;
    uint8_t stones[YO_GO_POINTS_MAX];
    bool has_stones;
    enum yo_go_color first; /* to move at turn 0; YO_GO_EMPTY: not given */
    struct yo_go_played *moves;
    size_t move_count;
    bool *wanted;        /* by turn */
    int64_t *priorities; /* by turn */
    int *turns;          /* analyzeTurns as given; NULL if missing */
    size_t turn_count;
    bool avoid[3][YO_GO_POINTS_MAX + 1]; /* by colour and point */
    bool allow[3][YO_GO_POINTS_MAX + 1]; /* the same; counts where `allows` */
    bool allows[3];                      /* by colour: all other moves are to be left out */
    bool avoid_warned;
    struct analysis_wants wants;
    struct yo_options options;
};

/* ---- value.c ---- */
/* Both return false, so that a field reader can return their result. */
bool yo_query_fail(const struct analysis_query *q, const char *field, const char *message);
bool yo_query_fail_with(const struct analysis_query *q, const char *field, const char *message,
                        const char *detail);
void yo_query_warn(const struct analysis_query *q, const char *field, const char *message);

/* For any other value these send an error and return false. */
bool yo_query_read_integer(const struct analysis_query *q, const char *field, json_t *value,
                           int64_t min, int64_t max, const char *message, int64_t *out);
bool yo_query_read_real(const struct analysis_query *q, const char *field, json_t *value,
                        double min, double max, const char *message, double *out);
bool yo_query_read_bool(const struct analysis_query *q, const char *field, json_t *value,
                        bool *out);
bool yo_query_read_player(const struct analysis_query *q, const char *field, json_t *value,
                          enum yo_go_color *out);
bool yo_query_read_point(const struct analysis_query *q, const char *field, const char *text,
                         bool pass_ok, yo_go_point *out);
bool yo_query_read_pair(const struct analysis_query *q, const char *field, json_t *pair,
                        bool pass_ok, struct yo_go_played *out);

/* ---- wants.c ---- */
/* Reads one field; value is NULL if it is missing. */
typedef bool (*yo_query_take_fn)(struct analysis_query *q, const char *field, json_t *value);
#define YO_QUERY_TAKER(name)                                                                       \
    bool yo_query_take_##name(struct analysis_query *q, const char *field, json_t *value)

YO_QUERY_TAKER(visits);
YO_QUERY_TAKER(pv_len);
YO_QUERY_TAKER(report_every);
YO_QUERY_TAKER(first_report);
YO_QUERY_TAKER(ownership);
YO_QUERY_TAKER(moves_ownership);
YO_QUERY_TAKER(policy);
YO_QUERY_TAKER(ownership_stdev);
YO_QUERY_TAKER(moves_ownership_stdev);
YO_QUERY_TAKER(pv_visits);
YO_QUERY_TAKER(no_result);
YO_QUERY_TAKER(root_temperature);
YO_QUERY_TAKER(root_fpu);
YO_QUERY_TAKER(allow);
YO_QUERY_TAKER(avoid);
YO_QUERY_TAKER(settings);

/* ---- task.c ---- */
/* The tasks of a parsed query, first turn first, or NULL. */
struct analysis_task *yo_query_tasks(const struct analysis_query *q);
