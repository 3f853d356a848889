/* Messages in: finds the request in a table and calls its function. */
#include "protocol/web/web.h"

#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/nearest.h"
#include "protocol/web/internal.h"

enum yo_err yo_web_new(const struct yo_web_config *config, struct yo_web **out,
                       struct yo_diag *diag) {
    struct yo_web *web = yo_alloc(1, sizeof *web);
    if (!web) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    web->config = *config;
    enum yo_err err = yo_web_lane_start(web, diag);
    if (err)
        yo_free(web);
    else
        *out = web;
    return err;
}

void yo_web_delete(struct yo_web *web) {
    if (!web) return;
    yo_web_lane_end(web);
    yo_free(web);
}

void yo_web_finish(struct yo_web *web) { yo_web_lane_wait(web); }

/* `members` are those beside type and id. */
static const struct request {
    const char *type, *members;
    enum yo_err (*handle)(struct yo_web *web, const json_t *request, json_int_t id, int *index,
                          struct yo_diag *diag);
} requests[] = {
    {"hello", "type id", yo_web_do_hello},
    {"position", "type id position", yo_web_do_position},
    {"move", "type id position level every_ms time_ms clock", yo_web_do_move},
    {"analyze", "type id position every_ms max_moves pv_length ownership policy limit only avoid",
     yo_web_do_analyze},
    {"stop", "type id of", yo_web_do_stop},
    {"judge", "type id position dead", yo_web_do_judge},
    {"playout", "type id position number", yo_web_do_playout},
    {"review", "type id position limit", yo_web_do_review},
    {"live", "type id", yo_web_do_live},
    {"record.read", "type id text bytes name index", yo_web_do_record_read},
    {"record.write", "type id record format", yo_web_do_record_write},
};

static enum yo_err unknown_type(const char *type, struct yo_diag *diag) {
    struct yo_nearest nearest = {.text = type};
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        yo_nearest_offer(&nearest, requests[i].type);
    yo_diag_set(diag, YO_ERR_UNKNOWN, "there is no request '%.40s'", type);
    if (nearest.best) yo_diag_hint(diag, "did you mean %s?", nearest.best);
    return YO_ERR_UNKNOWN;
}

static enum yo_err dispatch(struct yo_web *web, const json_t *json, json_int_t id, int *index,
                            struct yo_diag *diag) {
    const char *type = yo_json_string(json_object_get(json, "type"));
    if (!type) return yo_diag_set(diag, YO_ERR_PARSE, "type is missing, or not a text");
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        const struct request *r = &requests[i];
        if (strcmp(r->type, type) != 0) continue;
        enum yo_err err = yo_web_check_members(json, r->type, r->members, diag);
        return err ? err : r->handle(web, json, id, index, diag);
    }
    return unknown_type(type, diag);
}

void yo_web_feed(struct yo_web *web, const char *text, size_t len) {
    json_t *json = NULL;
    struct yo_diag diag = {0};
    int index = -1;
    json_int_t id = 0;
    bool has_id = false;
    enum yo_err err = len > YO_WEB_MESSAGE_MAX
                          ? yo_diag_set(&diag, YO_ERR_RANGE, "the message is too long")
                          : yo_json_read(text, len, &json, &diag);
    if (!err && !json_is_object(json))
        err = yo_diag_set(&diag, YO_ERR_PARSE, "a message must be an object");
    if (!err) {
        const json_t *value = json_object_get(json, "id");
        has_id = json_is_integer(value);
        id = json_integer_value(value);
        if (!has_id) err = yo_diag_set(&diag, YO_ERR_PARSE, "id is missing, or not an integer");
    }
    if (!err) err = dispatch(web, json, id, &index, &diag);
    if (err && !diag.err) yo_diag_set(&diag, err, "%s", yo_err_text(err));
    if (err) yo_web_send_error(web, has_id ? &id : NULL, &diag, index);
    json_decref(json);
}
