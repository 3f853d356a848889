/* Shared by the files of the page's protocol; nothing else includes it.
 *   web.c           messages in, the table of requests
 *   lane.c          the thread that searches
 *   value.c         reads members of requests, and builds answers
 *   position.c      a position object becomes a game
 *   about.c         requests: hello, position
 *   think.c         requests: move, analyze
 *   report.c        search results as JSON
 *   judge.c         requests: judge, playout
 *   review.c        request: review
 *   live.c          request: live
 *   record_read.c   request: record.read (record.h)
 *   record_write.c  request: record.write (record.h) */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "base/json.h"
#include "engine/session.h"
#include "protocol/web/web.h"

#define WEB_MOVES_MAX 2000
#define WEB_NODES_MAX 20000
#define WEB_LINES_MAX 32
#define WEB_WAITING   16 /* requests for the lane that may wait */

/* One of the two is set. */
struct web_game {
    enum yo_session_game kind;
    struct yo_go_game *go;
    struct yo_shogi_game *shogi;
};

/* What reports contain. */
struct web_wants {
    int64_t every_ms; /* 0: no reports during the search */
    size_t max_moves, pv_length;
    bool ownership, policy;
};

struct web_task;
/* Runs in the lane's thread. Sends its own last message unless it returns an error. */
typedef enum yo_err (*web_task_fn)(struct yo_web *web, struct web_task *task, struct yo_diag *diag);

/* A request for the lane: it searches, so it runs in a thread of its own. */
struct web_task {
    struct web_task *next;
    web_task_fn run;
    json_int_t id;
    struct web_game game;
    struct yo_search_limits limits;
    yo_move *moves; /* what limits.only or limits.avoid points to */
    struct web_wants wants;
    bool is_stop; /* the answer to a stop: comes after what it stopped */
    atomic_bool stop;
    /* Or NULL: the last message of a search that is stopped before it began. */
    json_t *(*unbegun)(const struct web_task *task, bool *failed);
    bool prepares; /* under the lane's lock: its search has not begun yet */
    bool answered; /* likewise: the last message has been sent */
    /* move */
    int level;
    struct yo_clock clock;
    /* judge */
    bool counts_only;
    uint8_t dead[YO_GO_POINTS_MAX];
    /* While it runs. */
    struct yo_web *web;
    int64_t reported_ms;
};

struct yo_web {
    struct yo_web_config config;
    pthread_t thread;
    pthread_mutex_t out_lock; /* one message at a time */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Under the lock: */
    struct web_task *waiting, *running;
    size_t waiting_count;
    bool leaving;
    struct yo_session *sessions[2]; /* by yo_session_game; made and used by the lane's thread */
};

/* ---- lane.c ---- */
enum yo_err yo_web_lane_start(struct yo_web *web, struct yo_diag *diag);
void yo_web_lane_end(struct yo_web *web);
struct web_task *yo_web_task_new(struct yo_web *web, json_int_t id, web_task_fn run);
void yo_web_task_delete(struct web_task *task);
/* Takes ownership. Stops what runs and waits before it, unless it is the answer to a stop. */
enum yo_err yo_web_lane_add(struct yo_web *web, struct web_task *task, struct yo_diag *diag);
/* Stops all (id NULL) or the task of this request; true if there was one. What has not begun, and
 * can say so, is answered at once: loading a network takes long. *later (or NULL): some will be
 * answered by the lane's thread. */
bool yo_web_lane_stop(struct yo_web *web, const json_int_t *id, bool *later);
/* Waits until the lane is empty. */
void yo_web_lane_wait(struct yo_web *web);
/* The session for this game; made when first needed. Lane's thread only. YO_ERR_CANCELLED: the task
 * was stopped meanwhile, and answered. */
enum yo_err yo_web_session(struct yo_web *web, enum yo_session_game game,
                           struct yo_session **session, struct yo_diag *diag);

/* ---- value.c ---- */
/* A message of this type that answers request `id`. */
json_t *yo_web_answer(const char *type, json_int_t id, bool *failed);
/* Sends and releases the message. failed: a part of it could not be built. */
void yo_web_send(struct yo_web *web, json_t *message, bool failed, bool report);
/* id: NULL if unknown; index: the wrong move's, or -1. */
void yo_web_send_error(struct yo_web *web, const json_int_t *id, const struct yo_diag *diag,
                       int index);
void yo_web_put(json_t *object, const char *key, const char *text, bool *failed);
void yo_web_put_int(json_t *object, const char *key, int64_t number, bool *failed);
/* Rounded to `digits` decimals: messages with hundreds of numbers stay short. */
json_t *yo_web_real(double number, int digits);
void yo_web_put_real(json_t *object, const char *key, double number, bool *failed);
void yo_web_put_bool(json_t *object, const char *key, bool value, bool *failed);

/* These read a member, which keeps its initial value if it is missing. */
enum yo_err yo_web_take_int(const json_t *object, const char *key, int64_t min, int64_t max,
                            int64_t *out, struct yo_diag *diag);
enum yo_err yo_web_take_bool(const json_t *object, const char *key, bool *out,
                             struct yo_diag *diag);
enum yo_err yo_web_take_text(const json_t *object, const char *key, const char **out,
                             struct yo_diag *diag);
/* NULL if missing. */
enum yo_err yo_web_take_object(const json_t *object, const char *key, json_t **out,
                               struct yo_diag *diag);
enum yo_err yo_web_take_array(const json_t *object, const char *key, size_t max, json_t **out,
                              struct yo_diag *diag);
/* Fails for a member that is not among the words of `known`. */
enum yo_err yo_web_check_members(const json_t *object, const char *what, const char *known,
                                 struct yo_diag *diag);

/* ---- position.c ---- */
/* Reads the request's `position`. index: the wrong move's number, else -1. words: gets each move in
 * Japanese (shogi); may be NULL. */
enum yo_err yo_web_take_game(const json_t *request, struct web_game *game, json_t *words,
                             int *index, struct yo_diag *diag);
void yo_web_game_free(struct web_game *game);
/* The side to move is Black. */
bool yo_web_black_to_move(const struct web_game *game);
json_t *yo_web_move_text(const struct web_game *game, yo_move move);
/* A move of the side to move, as text; need not be legal. */
enum yo_err yo_web_read_move(const struct web_game *game, const char *text, yo_move *move,
                             struct yo_diag *diag);

/* ---- report.c ---- */
/* Sends a report about the task's search. */
void yo_web_report(struct web_task *task, const struct yo_search_result *result, bool final);
/* The last report of a search that did not begin. */
json_t *yo_web_empty_report(const struct web_task *task, bool *failed);
/* A progress report of a search, at most every so often. */
void yo_web_progress(void *task, const struct yo_search_result *so_far);
/* The first moves of a PV. */
json_t *yo_web_line(const struct web_game *game, const struct yo_search_move *move, size_t most,
                    bool *failed);
/* Black's win rate and score, and shogi's cp or mate, of one move. */
void yo_web_put_values(json_t *object, const struct web_game *game, const struct yo_search_move *m,
                       bool *failed);
/* Of the root, for Black. */
double yo_web_root_winrate(const struct web_game *game, const struct yo_search_result *result);

/* ---- think.c ---- */
/* The request's `limit`; a search refuses those that it does not know. */
enum yo_err yo_web_take_limits(const json_t *request, struct yo_search_limits *limits,
                               struct yo_diag *diag);
/* Gives the session a copy of the game. */
enum yo_err yo_web_take_copy(struct yo_session *session, const struct yo_go_game *game,
                             struct yo_diag *diag);

/* ---- requests: send their answer, or fill diag; index as above ---- */
#define YO_WEB_REQUEST(name)                                                                       \
    enum yo_err yo_web_do_##name(struct yo_web *web, const json_t *request, json_int_t id,         \
                                 int *index, struct yo_diag *diag)
YO_WEB_REQUEST(hello);
YO_WEB_REQUEST(live);
YO_WEB_REQUEST(position);
YO_WEB_REQUEST(move);
YO_WEB_REQUEST(analyze);
YO_WEB_REQUEST(stop);
YO_WEB_REQUEST(judge);
YO_WEB_REQUEST(playout);
YO_WEB_REQUEST(review);
YO_WEB_REQUEST(record_read);
YO_WEB_REQUEST(record_write);
