/* cluster/master and cluster/worker in one process, their threads included: workers with an engine
 * of the test's own at a transport in memory, the master with alpha-beta of its own. */
#include "support/test.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "cluster/entries.h"
#include "cluster/inbox.h"
#include "cluster/master.h"
#include "cluster/worker.h"
#include "game/shogi/game.h"
#include "search/alphabeta/alphabeta.h"
#include "yomi/shogi.h"

enum { WORKERS = 3, LONG_MS = 60000 };

/* ---- A transport in memory: place 0 is the master's, the others are the workers' ---- */

struct hub;

struct place {
    struct hub *hub;
    char name[8];
    struct yo_inbox inbox; /* under the hub's mutex */
    int fd;
    _Atomic int64_t serial; /* of the last entries from here */
    atomic_int stale;       /* entries whose serial was no higher than one before */
};

struct hub {
    pthread_mutex_t mutex;
    struct place places[WORKERS + 1];
};

static void put(struct place *to, const char *bytes, size_t len) {
    uint64_t one = 1;
    pthread_mutex_lock(&to->hub->mutex);
    yo_inbox_put(&to->inbox, bytes, len);
    pthread_mutex_unlock(&to->hub->mutex);
    assert_int_equal(write(to->fd, &one, sizeof one), sizeof one);
}

static void note_serial(struct place *from, const char *bytes, size_t len) {
    struct yo_message m;
    if (yo_message_read(bytes, len, &m, NULL)) return;
    if (m.kind == YO_MESSAGE_ENTRIES && m.serial <= atomic_exchange(&from->serial, m.serial))
        atomic_fetch_add(&from->stale, 1);
    yo_message_free(&m);
}

static enum yo_err send_bytes(void *ctx, const char *to, const char *bytes, size_t len) {
    struct place *from = ctx, *places = from->hub->places;
    if (from != &places[0]) {
        note_serial(from, bytes, len);
        put(&places[0], bytes, len);
        return YO_OK;
    }
    for (int i = 1; i <= WORKERS; i++)
        if (!to || strcmp(to, places[i].name) == 0) put(&places[i], bytes, len);
    return YO_OK;
}

static bool receive(void *ctx, struct yo_buf *out) {
    struct place *p = ctx;
    uint64_t wakes;
    pthread_mutex_lock(&p->hub->mutex);
    bool found = yo_inbox_take(&p->inbox, out);
    if (!found && read(p->fd, &wakes, sizeof wakes) < 0) found = false;
    pthread_mutex_unlock(&p->hub->mutex);
    return found;
}

static bool is_over(void *ctx) {
    (void)ctx;
    return false;
}

static void leave_alone(void *ctx) { (void)ctx; }

static const struct yo_transport_ops in_memory = {"memory", send_bytes, receive, is_over,
                                                  leave_alone};

static struct yo_transport transport_of(struct place *p) {
    return (struct yo_transport){&in_memory, p, p->fd};
}

static void open_hub(struct hub *hub) {
    *hub = (struct hub){0};
    pthread_mutex_init(&hub->mutex, NULL);
    for (int i = 0; i <= WORKERS; i++) {
        struct place *p = &hub->places[i];
        p->hub = hub;
        p->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
        snprintf(p->name, sizeof p->name, "w%d", i);
        assert_true(p->fd >= 0);
    }
}

static void close_hub(struct hub *hub) {
    for (int i = 0; i <= WORKERS; i++) {
        close(hub->places[i].fd);
        yo_inbox_free(&hub->places[i].inbox);
    }
    pthread_mutex_destroy(&hub->mutex);
}

/* ---- Workers ---- */

static void describe(void *ctx, struct yo_message *m) {
    (void)ctx;
    strcpy(m->game, "shogi");
    strcpy(m->engine, "of the test");
    m->values = m->searchmoves = true;
}

/* Reports the first move that it may search, until it is stopped. */
static enum yo_err search(void *ctx, const struct yo_worker_task *task, const atomic_bool *stop,
                          yo_worker_found_fn found, void *user, struct yo_diag *diag) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    char text[YO_SHOGI_MOVE_TEXT];
    atomic_int *searches = ctx;
    (void)diag;
    atomic_fetch_add(searches, 1);
    if (yo_shogi_game_legal_moves(task->root->shogi, moves) == 0) return YO_OK;
    if (task->only) moves[0] = (yo_shogi_move)task->only[0];
    struct yo_message_line line = {.pv = yo_shogi_move_format(moves[0], text), .winrate = 0.5};
    for (int64_t nodes = 1; !atomic_load(stop); nodes++) {
        line.depth = 1 + nodes / 10;
        line.centipawns = nodes % 50;
        found(user, &line, 1, nodes);
        usleep(2000);
    }
    return YO_OK;
}

static void keep(void *ctx) { (void)ctx; }

static const struct yo_worker_engine_ops engine = {
    .describe = describe, .search = search, .destroy = keep};

/* Workers that can only vote. */
static void describe_voting(void *ctx, struct yo_message *m) {
    describe(ctx, m);
    m->values = false;
}

static const struct yo_worker_engine_ops voting_engine = {
    .describe = describe_voting, .search = search, .destroy = keep};

/* Workers that exchange: each time as if they had made so many visits at one place. */
enum { KIND = 0x1234, VISITS = 10 };

static void describe_sharing(void *ctx, struct yo_message *m) {
    describe(ctx, m);
    yo_entries_kind_text(KIND, m->table);
}

static size_t take_entries(void *ctx, struct yo_search_entry *entries, size_t most) {
    (void)ctx;
    if (most > 0) entries[0] = (struct yo_search_entry){.key = 7, .data = VISITS};
    return most > 0;
}

static void pass_over(void *ctx, const struct yo_search_entry *entries, size_t count) {
    (void)ctx, (void)entries, (void)count;
}

static const struct yo_worker_engine_ops sharing_engine = {.describe = describe_sharing,
                                                           .search = search,
                                                           .destroy = keep,
                                                           .take_entries = take_entries,
                                                           .give_entries = pass_over};

/* The master's own search, which they help: it makes one visit, waits for theirs, and ends by
 * itself only much later. From an earlier search its tree has BEFORE. */
enum { BEFORE = 1000 };

static _Atomic uint64_t learned;

static uint64_t entry_kind(void *ctx) {
    (void)ctx;
    return KIND;
}

static void learn(void *ctx, const struct yo_search_entry *entries, size_t count) {
    (void)ctx;
    for (size_t i = 0; i < count; i++)
        if (entries[i].key == 7) atomic_fetch_add(&learned, entries[i].data);
}

static enum yo_err grow(void *ctx, const void *game, const struct yo_search_limits *limits,
                        const atomic_bool *stop, yo_search_report_fn report, void *user,
                        struct yo_search_result *result, struct yo_diag *diag) {
    static struct yo_search_move move;
    yo_shogi_move moves[YO_SHOGI_LIST];
    int64_t end = yo_time_ms() + LONG_MS;
    (void)ctx, (void)limits, (void)diag;
    atomic_store(&learned, 0);
    yo_shogi_game_legal_moves(game, moves);
    move = (struct yo_search_move){.move = moves[0], .winrate_to_move = 0.5};
    do {
        move.visits = BEFORE + 1 + atomic_load(&learned);
        *result = (struct yo_search_result){.moves = &move, .move_count = 1, .playouts = 1};
        report(user, result);
        usleep(1000);
    } while (!atomic_load(stop) && yo_time_ms() < end);
    return YO_OK;
}

static void make_sharing(struct yo_search_ops *own) {
    own->limits = ~0u;
    own->run = grow;
    own->entry_kind = entry_kind;
    own->give_entries = learn;
}

struct crowd {
    struct hub hub;
    pthread_t threads[WORKERS + 1];
    atomic_bool quit[WORKERS + 1];
    atomic_int searches;
    const struct yo_worker_engine_ops *engine;
    struct yo_search master;
    struct yo_search_ops own; /* of the master's own search */
    struct yo_shogi_game *game;
    atomic_int alone; /* notices that the master searches by itself */
};

struct hand {
    struct crowd *crowd;
    int number;
};

static void *work(void *arg) {
    struct hand h = *(struct hand *)arg;
    struct crowd *c = h.crowd;
    yo_free(arg);
    struct yo_worker_config config = {.name = c->hub.places[h.number].name,
                                      .transport = transport_of(&c->hub.places[h.number]),
                                      .engine = {c->engine, &c->searches},
                                      .quit = &c->quit[h.number]};
    assert_int_equal(yo_worker_run(&config, NULL), YO_OK);
    return NULL;
}

static void notice(void *user, const char *text) {
    struct crowd *c = user;
    if (strstr(text, "by itself")) atomic_fetch_add(&c->alone, 1);
}

static void hire(struct crowd *c, int number) {
    struct hand *h = yo_alloc(1, sizeof *h);
    *h = (struct hand){c, number};
    atomic_store(&c->quit[number], false);
    assert_int_equal(pthread_create(&c->threads[number], NULL, work, h), 0);
}

static void open_crowd_of(struct crowd *c, const struct yo_plan_config *plan,
                          const struct yo_worker_engine_ops *engines) {
    struct yo_ab *ab;
    bool shares = engines == &sharing_engine;
    *c = (struct crowd){.engine = engines};
    open_hub(&c->hub);
    for (int i = 1; i <= WORKERS; i++)
        hire(c, i);
    assert_int_equal(yo_ab_new(1, &ab), YO_OK);
    assert_int_equal(yo_ab_set_options(ab, &yo_ab_options_default), YO_OK);
    c->own = *yo_ab_as_search(ab).ops;
    if (shares) make_sharing(&c->own);
    struct yo_master_config config = {.game = YO_SESSION_SHOGI,
                                      .name = "m",
                                      .plan = *plan,
                                      .transport = transport_of(&c->hub.places[0]),
                                      .inner = {&c->own, ab},
                                      .expected = WORKERS,
                                      .wait_ms = 10000,
                                      .notice = notice,
                                      .user = c};
    assert_int_equal(yo_master_new(&config, &c->master, NULL), YO_OK);
    assert_int_equal(yo_shogi_game_new(NULL, &c->game, NULL), YO_OK);
}

static void open_crowd_for(struct crowd *c, const struct yo_plan_config *plan) {
    open_crowd_of(c, plan, plan->strategy == YO_PLAN_SHARE ? &sharing_engine : &engine);
}

static void open_crowd(struct crowd *c) {
    open_crowd_for(c, &(struct yo_plan_config){.strategy = YO_PLAN_PREDICT});
}

static void dismiss(struct crowd *c, int number) {
    if (atomic_exchange(&c->quit[number], true)) return;
    assert_int_equal(pthread_join(c->threads[number], NULL), 0);
}

static void close_crowd(struct crowd *c) {
    yo_search_destroy(&c->master);
    for (int i = 1; i <= WORKERS; i++)
        dismiss(c, i);
    yo_shogi_game_delete(c->game);
    close_hub(&c->hub);
}

static void count_report(void *user, const struct yo_search_result *so_far) {
    assert_true(so_far->move_count > 0);
    ++*(int *)user;
}

static struct yo_search_result think(struct crowd *c, const struct yo_search_limits *limits,
                                     const atomic_bool *stop) {
    struct yo_search_result result;
    struct yo_diag diag = {0};
    int reports = 0;
    if (yo_search_run(c->master, c->game, limits, stop, count_report, &reports, &result, &diag))
        fail_msg("%s", diag.what);
    assert_true(result.move_count > 0);
    assert_true(yo_shogi_game_legal(c->game, (yo_shogi_move)result.moves[0].move));
    return result;
}

static void play(struct crowd *c, const struct yo_search_result *result) {
    assert_int_equal(yo_shogi_game_play(c->game, (yo_shogi_move)result->moves[0].move, NULL),
                     YO_OK);
}

static void dismiss_all(struct crowd *c) {
    struct yo_search_limits limits = {.time_ms = 300};
    for (int i = 1; i <= WORKERS; i++)
        dismiss(c, i);
    /* A busy machine may be late to notice that they are gone. */
    for (int i = 0; i < 50 && atomic_load(&c->alone) == 0; i++)
        assert_true(think(c, &limits, NULL).nodes > 0);
    assert_true(atomic_load(&c->alone) >= 1);
}

/* ---- Tests ---- */

static void a_game_goes_on_over_moves(void **state) {
    (void)state;
    struct crowd c;
    open_crowd(&c);
    for (int i = 0; i < 4; i++) {
        struct yo_search_limits limits = {.time_ms = 200};
        struct yo_search_result result = think(&c, &limits, NULL);
        assert_true(result.elapsed_ms >= 180);
        play(&c, &result);
    }
    /* A busy machine may be late to begin them. */
    for (int i = 0; i < 50 && atomic_load(&c.searches) < WORKERS; i++)
        think(&c, &(struct yo_search_limits){.time_ms = 200}, NULL);
    assert_true(atomic_load(&c.searches) >= WORKERS);
    close_crowd(&c);
}

static void *stop_soon(void *flag) {
    usleep(150000);
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

static void stop_ends_an_endless_search(void **state) {
    (void)state;
    struct crowd c;
    atomic_bool stop = false;
    pthread_t thread;
    struct yo_search_limits limits = {0};
    open_crowd(&c);
    int64_t start = yo_time_ms();
    assert_int_equal(pthread_create(&thread, NULL, stop_soon, &stop), 0);
    think(&c, &limits, &stop);
    assert_true(yo_time_ms() - start < LONG_MS);
    pthread_join(thread, NULL);
    close_crowd(&c);
}

static void *ponderhit_soon(void *clock) {
    usleep(150000);
    yo_search_clock_set(clock, yo_time_ms(), 0, 0, 100);
    return NULL;
}

/* Pondering: the clock is set while the search runs. */
static void a_clock_set_later_ends_it(void **state) {
    (void)state;
    struct crowd c;
    struct yo_search_clock clock = {.round_ms = -1};
    struct yo_search_limits limits = {.clock = &clock};
    pthread_t thread;
    open_crowd(&c);
    assert_int_equal(pthread_create(&thread, NULL, ponderhit_soon, &clock), 0);
    think(&c, &limits, NULL);
    pthread_join(thread, NULL);
    close_crowd(&c);
}

static void without_workers_the_master_searches_itself(void **state) {
    (void)state;
    struct crowd c;
    struct yo_search_limits limits = {.time_ms = 300};
    open_crowd(&c);
    dismiss(&c, 1);
    think(&c, &limits, NULL);
    dismiss_all(&c);
    close_crowd(&c);
}

/* What they say cannot count, so that they are no help. */
static void workers_that_only_vote_leave_the_search_to_the_master(void **state) {
    (void)state;
    struct crowd c;
    struct yo_search_limits limits = {.time_ms = 300};
    for (int votes = 0; votes <= 1; votes++) {
        enum yo_plan_strategy strategy = votes ? YO_PLAN_MAJORITY : YO_PLAN_SPLIT;
        open_crowd_of(&c, &(struct yo_plan_config){.strategy = strategy}, &voting_engine);
        think(&c, &limits, NULL);
        assert_int_equal(atomic_load(&c.alone), votes ? 0 : 1);
        close_crowd(&c);
    }
}

static void set_game(struct crowd *c, const char *sfen) {
    yo_shogi_game_delete(c->game);
    assert_int_equal(yo_shogi_game_new(sfen, &c->game, NULL), YO_OK);
}

/* Mated: no limit but time would ever be reached. */
static void without_a_legal_move_it_ends_at_once(void **state) {
    (void)state;
    static const struct yo_search_limits cases[] = {
        {.nodes = 1000}, {.depth = 2}, {.time_ms = LONG_MS}};
    struct crowd c;
    open_crowd(&c);
    set_game(&c, "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_search_result result;
        int64_t start = yo_time_ms();
        assert_int_equal(
            yo_search_run(c.master, c.game, &cases[i], NULL, NULL, NULL, &result, NULL), YO_OK);
        assert_int_equal(result.move_count, 0);
        assert_true(yo_time_ms() - start < LONG_MS / 2);
    }
    close_crowd(&c);
}

/* A client that plays on gets a move of the master's own search; no worker is asked, and none has
 * reported an illegal move. */
static void a_game_that_repetition_has_ended_is_its_own_affair(void **state) {
    (void)state;
    static const char *const moves[] = {"2h3h", "8b7b", "3h2h", "7b8b"};
    struct yo_search_limits limits = {.nodes = 1000};
    struct crowd c;
    open_crowd(&c);
    for (int i = 0; i < 12; i++) {
        yo_shogi_move move;
        assert_int_equal(yo_shogi_move_parse(moves[i % 4], &move, NULL), YO_OK);
        assert_int_equal(yo_shogi_game_play(c.game, move, NULL), YO_OK);
    }
    for (int i = 0; i < 4; i++)
        think(&c, &limits, NULL);
    assert_int_equal(atomic_load(&c.searches), 0);
    close_crowd(&c);
}

static void alone_it_searches_as_many_lines_as_it_should(void **state) {
    (void)state;
    struct yo_search_limits limits = {.time_ms = 500, .lines = 3};
    struct crowd c;
    open_crowd(&c);
    dismiss_all(&c);
    set_game(&c, "4k4/9/9/9/9/9/9/9/R3K4 b - 1"); /* another: of that one it knows a line */
    struct yo_search_result result = think(&c, &limits, NULL);
    assert_true(result.move_count >= limits.lines);
    for (size_t i = 0; i < limits.lines; i++)
        assert_int_equal(result.moves[i].bound, YO_BOUND_EXACT);
    close_crowd(&c);
}

static enum yo_err refuse(void *ctx, const void *game, const struct yo_search_limits *limits,
                          const atomic_bool *stop, yo_search_report_fn report, void *user,
                          struct yo_search_result *result, struct yo_diag *diag) {
    (void)ctx, (void)game, (void)limits, (void)stop, (void)report, (void)user, (void)result;
    return yo_diag_set(diag, YO_ERR_IO, "its device is lost");
}

static _Atomic(const struct yo_search_clock *) seen_clock;
static _Atomic int64_t seen_end; /* of that clock, when the search began */

/* Searches until its time, or its clock, ends it. */
static enum yo_err watch_clock(void *ctx, const void *game, const struct yo_search_limits *limits,
                               const atomic_bool *stop, yo_search_report_fn report, void *user,
                               struct yo_search_result *result, struct yo_diag *diag) {
    struct yo_search_clock own = {0};
    struct yo_search_clock *clock = yo_search_clock_begin(limits, &own);
    (void)ctx, (void)game, (void)report, (void)user, (void)diag;
    atomic_store(&seen_clock, clock);
    atomic_store(&seen_end, yo_search_clock_end(clock));
    for (int64_t end = 0; !(stop && atomic_load(stop)) && (!end || yo_time_ms() < end);
         usleep(1000))
        end = yo_search_clock_end(clock);
    *result = (struct yo_search_result){0};
    return YO_OK;
}

/* Its own search, too, may be one that ponders: it has the clock that a ponder hit sets. */
static void alone_a_clock_set_later_ends_it(void **state) {
    (void)state;
    struct yo_search_clock clock = {.round_ms = -1};
    struct yo_search_limits limits = {.clock = &clock};
    struct crowd c;
    pthread_t thread;
    open_crowd(&c);
    dismiss_all(&c);
    c.own.run = watch_clock;
    assert_int_equal(pthread_create(&thread, NULL, ponderhit_soon, &clock), 0);
    think(&c, &limits, NULL);
    pthread_join(thread, NULL);
    assert_ptr_equal(atomic_load(&seen_clock), &clock);
    close_crowd(&c);
}

static _Atomic int64_t ordered_at;

/* A policy on a slow machine. */
static void order_slowly(void *user, const void *position, const yo_move *moves, size_t count,
                         double *likely) {
    (void)user, (void)position, (void)moves;
    atomic_store(&ordered_at, yo_time_ms());
    for (size_t i = 0; i < count; i++)
        likely[i] = 0;
    usleep(100000);
}

/* The first plan of a position asks for the quick order of its moves, which may take long. */
static void time_to_plan_is_part_of_the_move(void **state) {
    (void)state;
    struct yo_search_limits limits = {.time_ms = 1000};
    struct crowd c;
    open_crowd_for(&c,
                   &(struct yo_plan_config){.strategy = YO_PLAN_PREDICT, .order = order_slowly});
    dismiss_all(&c);
    c.own.run = watch_clock;
    set_game(&c, "4k4/9/9/9/9/9/9/9/R3K4 b - 1"); /* another: that one has been planned */
    think(&c, &limits, NULL);
    assert_true(atomic_load(&seen_end) <= atomic_load(&ordered_at) + limits.time_ms);
    close_crowd(&c);
}

/* As when it has no cluster: an answer that nothing is behind would pass for one of a search. */
static void alone_it_reports_what_ended_its_search(void **state) {
    (void)state;
    struct yo_search_limits limits = {.time_ms = 1000};
    struct yo_search_result result;
    struct yo_diag diag = {0};
    struct crowd c;
    open_crowd(&c);
    dismiss_all(&c);
    c.own.run = refuse;
    assert_int_equal(yo_search_run(c.master, c.game, &limits, NULL, NULL, NULL, &result, &diag),
                     YO_ERR_IO);
    assert_string_equal(diag.what, "its device is lost");
    close_crowd(&c);
}

/* An analysis: the master's own search has the details, and learns what the workers find. Their
 * visits are playouts of the search, those that it had before are not. */
static void workers_help_an_analysis(void **state) {
    (void)state;
    struct yo_search_limits limits = {.playouts = 10 * VISITS, .details = true, .whole = true};
    struct crowd c;
    open_crowd_for(&c, &(struct yo_plan_config){.strategy = YO_PLAN_SHARE});
    int64_t start = yo_time_ms();
    struct yo_search_result result = think(&c, &limits, NULL);
    assert_true(yo_time_ms() - start < LONG_MS);
    assert_true(atomic_load(&c.searches) > 0);
    assert_true(atomic_load(&learned) >= limits.playouts - VISITS);
    assert_true(result.moves[0].visits >= BEFORE + limits.playouts);
    close_crowd(&c);
}

/* A worker that its broker refused for a while begins anew under its name. A master that has not
 * missed it knows the last serial of before, and passes over what is no higher. */
static void entries_of_a_second_run_are_new(void **state) {
    (void)state;
    struct yo_search_limits limits = {.playouts = 10 * VISITS, .details = true, .whole = true};
    struct crowd c;
    open_crowd_for(&c, &(struct yo_plan_config){.strategy = YO_PLAN_SHARE});
    for (int i = 2; i <= WORKERS; i++)
        dismiss(&c, i);
    for (int run = 0; run < 2; run++) {
        think(&c, &limits, NULL);
        dismiss(&c, 1);
        hire(&c, 1);
    }
    assert_true(atomic_load(&c.hub.places[1].serial) > 0);
    assert_int_equal(atomic_load(&c.hub.places[1].stale), 0);
    close_crowd(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_goes_on_over_moves),
        cmocka_unit_test(stop_ends_an_endless_search),
        cmocka_unit_test(a_clock_set_later_ends_it),
        cmocka_unit_test(without_workers_the_master_searches_itself),
        cmocka_unit_test(workers_that_only_vote_leave_the_search_to_the_master),
        cmocka_unit_test(without_a_legal_move_it_ends_at_once),
        cmocka_unit_test(a_game_that_repetition_has_ended_is_its_own_affair),
        cmocka_unit_test(alone_it_searches_as_many_lines_as_it_should),
        cmocka_unit_test(alone_a_clock_set_later_ends_it),
        cmocka_unit_test(time_to_plan_is_part_of_the_move),
        cmocka_unit_test(alone_it_reports_what_ended_its_search),
        cmocka_unit_test(workers_help_an_analysis),
        cmocka_unit_test(entries_of_a_second_run_are_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
