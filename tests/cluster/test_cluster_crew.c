/* cluster/crew: jobs, leases and faults, by a clock of the test's own and without input or
 * output. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "cluster/crew.h"
#include "cluster/entries.h"
#include "cluster/lines.h"
#include "yomi/shogi.h"

enum { WORKERS = 4, SENT_MAX = 4096 };

/* What the crew has sent to each worker last. */
struct post {
    struct yo_message job[WORKERS + 1]; /* the last job of worker i; kind JOB if there is one */
    bool stopped[WORKERS + 1];          /* since that job */
    size_t keeps, jobs, asked;
    struct yo_message entries; /* the last that went to all */
    size_t shared, learned;
};

static int number_of(const char *name) { return name && name[0] == 'w' ? name[1] - '0' : 0; }

static void take_sent(void *user, const char *to, const char *bytes, size_t len) {
    struct post *p = user;
    struct yo_message m;
    int i = number_of(to);
    assert_int_equal(yo_message_read(bytes, len, &m, NULL), YO_OK);
    assert_in_range(i, 0, WORKERS);
    if (m.kind == YO_MESSAGE_JOB) {
        assert_true(m.job > p->job[i].job); /* numbers only grow */
        yo_message_free(&p->job[i]);
        p->job[i] = m;
        p->stopped[i] = false;
        p->jobs++;
        return;
    }
    if (m.kind == YO_MESSAGE_ENTRIES) {
        assert_null(to);
        yo_message_free(&p->entries);
        p->entries = m;
        p->shared++;
        return;
    }
    if (m.kind == YO_MESSAGE_STOP) p->stopped[i] = true;
    if (m.kind == YO_MESSAGE_KEEP) p->keeps++;
    if (m.kind == YO_MESSAGE_WHO) p->asked++;
    yo_message_free(&m);
}

struct bench {
    struct post post;
    struct yo_crew *crew;
    struct yo_shogi_game *game;
    int64_t now;
};

static void say(struct bench *b, const struct yo_message *m) {
    struct yo_buf line = {0};
    assert_int_equal(yo_message_write(m, &line), YO_OK);
    yo_crew_take(b->crew, yo_buf_text(&line), line.len, b->now);
    yo_buf_free(&line);
}

static void announce_for(struct bench *b, int i, int64_t pid, const char *game) {
    struct yo_message m = {.kind = YO_MESSAGE_ANNOUNCE,
                           .engine = "e",
                           .pid = pid,
                           .speed = 1000,
                           .values = true,
                           .searchmoves = true,
                           .table = "0123456789abcdef"};
    snprintf(m.worker, sizeof m.worker, "w%d", i);
    snprintf(m.game, sizeof m.game, "%s", game);
    say(b, &m);
}

static void announce(struct bench *b, int i, int64_t pid) { announce_for(b, i, pid, "shogi"); }

/* A beat as this worker would send it. */
static void beat(struct bench *b, int i) {
    const struct yo_message *job = &b->post.job[i];
    struct yo_message m = {.kind = YO_MESSAGE_BEAT};
    snprintf(m.worker, sizeof m.worker, "w%d", i);
    if (job->job && !b->post.stopped[i]) {
        m.job = job->job;
        strcpy(m.master, job->master);
    }
    say(b, &m);
}

/* A report of the first move that the job allows, with this value. */
static void report_as(struct bench *b, int i, int64_t job, const char *move, int cp, int64_t busy) {
    char pv[32];
    struct yo_message_line line = {.pv = pv, .centipawns = cp, .winrate = 0.5, .depth = 5};
    struct yo_message m = {.kind = YO_MESSAGE_REPORT,
                           .job = job,
                           .nodes = busy,
                           .busy_ms = busy,
                           .found = &line,
                           .found_count = 1};
    snprintf(pv, sizeof pv, "%s", move);
    snprintf(m.worker, sizeof m.worker, "w%d", i);
    strcpy(m.master, "m");
    say(b, &m);
}

/* The first move of a job: of those it names, or of all. */
static void first_move(struct bench *b, int i, char out[16]) {
    const struct yo_message *job = &b->post.job[i];
    const char *only = job->only ? job->only : "";
    struct yo_root root;
    assert_int_equal(yo_root_read(&job->root, &root, NULL), YO_OK);
    assert_int_equal(yo_root_play(&root, job->path, NULL), YO_OK);
    if (!yo_root_word(&only, out)) {
        yo_shogi_move moves[YO_SHOGI_LIST];
        assert_true(yo_shogi_game_legal_moves(root.shogi, moves) > 0);
        yo_shogi_move_format(moves[0], out);
    }
    yo_root_free(&root);
}

static void report(struct bench *b, int i, int cp) {
    char move[16];
    first_move(b, i, move);
    report_as(b, i, b->post.job[i].job, move, cp, b->now);
}

static void count_learned(void *user, const char *table, const char *data, size_t count) {
    assert_string_equal(table, "0123456789abcdef");
    assert_int_equal(yo_entries_count(data), count);
    ((struct post *)user)->learned += count;
}

static void set_up(struct bench *b, enum yo_plan_strategy strategy) {
    *b = (struct bench){.now = 1000};
    struct yo_crew_config config = {.master = "m",
                                    .game = YO_SESSION_SHOGI,
                                    .plan = {.strategy = strategy},
                                    .send = take_sent,
                                    .learn = count_learned,
                                    .user = &b->post};
    assert_int_equal(yo_shogi_game_new(NULL, &b->game, NULL), YO_OK);
    assert_int_equal(yo_crew_new(&config, &b->crew, NULL), YO_OK);
}

static void begin_for(struct bench *b, int64_t time_ms) {
    struct yo_search_limits limits = {0};
    assert_int_equal(yo_crew_begin(b->crew, b->game, &limits, time_ms, b->now, NULL), YO_OK);
    yo_crew_tick(b->crew, b->now);
}

static void begin(struct bench *b) { begin_for(b, 15000); }

static void tear_down(struct bench *b) {
    yo_crew_delete(b->crew);
    yo_shogi_game_delete(b->game);
    for (int i = 0; i <= WORKERS; i++)
        yo_message_free(&b->post.job[i]);
    yo_message_free(&b->post.entries);
}

/* Time passes; workers of the mask beat, twice a second. */
static void pass(struct bench *b, int64_t ms, unsigned alive) {
    for (int64_t end = b->now + ms; b->now < end;) {
        b->now += 10;
        for (int i = 1; i <= WORKERS; i++)
            if (b->now % 500 == 0 && (alive & (1u << i))) beat(b, i);
        int64_t due = yo_crew_tick(b->crew, b->now);
        assert_true(due > b->now - 10);
    }
}

enum { ALL = 0x1e };

/* Every root move is in a job, or below one. */
static bool covers(const struct bench *b) {
    yo_shogi_move moves[YO_SHOGI_LIST];
    size_t count = yo_shogi_game_legal_moves(b->game, moves);
    for (size_t k = 0; k < count; k++) {
        char text[YO_SHOGI_MOVE_TEXT];
        bool found = false;
        yo_shogi_move_format(moves[k], text);
        for (int i = 1; i <= WORKERS && !found; i++) {
            const struct yo_message *job = &b->post.job[i];
            if (!job->job || b->post.stopped[i]) continue;
            bool at_root = !job->path || !*job->path;
            const char *where = at_root ? job->only : job->path;
            found = at_root && (!where || !*where);
            if (where && strstr(where, text)) found = true;
        }
        if (!found) return false;
    }
    return true;
}

static void everyone_gets_a_job_and_every_move_is_searched(void **state) {
    (void)state;
    for (int s = 0; s < YO_PLAN_STRATEGY_COUNT; s++) {
        struct bench b;
        set_up(&b, (enum yo_plan_strategy)s);
        for (int i = 1; i <= WORKERS; i++)
            announce(&b, i, i);
        begin(&b);
        for (int i = 1; i <= WORKERS; i++)
            assert_true(b.post.job[i].job > 0);
        assert_true(covers(&b));
        assert_int_equal(yo_crew_count(b.crew).busy, WORKERS);
        yo_crew_end(b.crew);
        for (int i = 1; i <= WORKERS; i++)
            assert_true(b.post.stopped[i]);
        tear_down(&b);
    }
}

static void send_entries(struct bench *b, int i, const char *master, const char *table, char *data,
                         int64_t serial) {
    struct yo_message m = {.kind = YO_MESSAGE_ENTRIES, .data = data, .serial = serial};
    snprintf(m.worker, sizeof m.worker, "w%d", i);
    snprintf(m.master, sizeof m.master, "%s", master);
    snprintf(m.table, sizeof m.table, "%s", table);
    say(b, &m);
}

static void entries_of_one_reach_all(void **state) {
    (void)state;
    struct bench b;
    char one[] = "00000000000000aa00000000000000bb", two[] = "00000000000000cc00000000000000dd";
    set_up(&b, YO_PLAN_PREDICT);
    for (int i = 1; i <= WORKERS; i++)
        announce(&b, i, i);
    send_entries(&b, 1, "m", "0123456789abcdef", one, 0); /* there is no search */
    begin(&b);
    assert_true(b.post.job[1].share > 0);
    pass(&b, 200, ALL);
    assert_int_equal(b.post.shared, 0);
    send_entries(&b, 1, "m", "0123456789abcdef", one, 0);
    send_entries(&b, 2, "m", "0123456789abcdef", two, 5);
    send_entries(&b, 2, "m", "0123456789abcdef", two, 5); /* a repeat, and one that is late */
    send_entries(&b, 2, "m", "0123456789abcdef", two, 4);
    send_entries(&b, 3, "other", "0123456789abcdef", two, 0);
    send_entries(&b, 3, "m", "fedcba9876543210", two, 0); /* not its kind */
    char garbage[] = "00000000000000aa00000000000000bx";
    uint64_t refused = yo_crew_count(b.crew).refused;
    send_entries(&b, 3, "m", "0123456789abcdef", garbage, 0);
    assert_int_equal(yo_crew_count(b.crew).refused, refused + 1);
    pass(&b, 200, ALL);
    assert_int_equal(b.post.shared, 1);
    assert_string_equal(b.post.entries.table, "0123456789abcdef");
    char both[80];
    snprintf(both, sizeof both, "%s%s", one, two);
    assert_string_equal(b.post.entries.data, both);
    tear_down(&b);
}

/* A search of the master's own is one more among those that exchange, and has the number 0. */
static void entries_reach_a_search_that_is_helped(void **state) {
    (void)state;
    struct bench b;
    char one[] = "00000000000000aa00000000000000bb";
    struct yo_search_limits limits = {0};
    set_up(&b, YO_PLAN_SHARE);
    announce(&b, 1, 1);
    begin(&b);
    assert_int_equal(b.post.job[1].share, 0); /* with nobody */
    send_entries(&b, 1, "m", "0123456789abcdef", one, 1);
    pass(&b, 200, ALL);
    assert_int_equal(b.post.learned, 0);
    yo_crew_end(b.crew);
    assert_int_equal(yo_crew_begin(b.crew, b.game, &limits, 15000, b.now, NULL), YO_OK);
    yo_crew_help(b.crew);
    yo_crew_tick(b.crew, b.now);
    assert_true(b.post.job[1].share > 0);
    assert_int_equal(b.post.job[1].number, 1);
    send_entries(&b, 1, "m", "0123456789abcdef", one, 2);
    pass(&b, 200, ALL);
    assert_int_equal(b.post.learned, 1);
    yo_crew_end(b.crew);
    begin(&b);
    assert_int_equal(b.post.job[1].number, 0);
    tear_down(&b);
}

/* What does not fit into one message is lost. */
static void a_flood_of_entries_is_cut(void **state) {
    (void)state;
    struct bench b;
    struct yo_buf many = {0};
    struct yo_search_entry entry = {1, 2};
    set_up(&b, YO_PLAN_PREDICT);
    for (int i = 1; i <= WORKERS; i++)
        announce(&b, i, i);
    begin(&b);
    for (int i = 0; i < YO_ENTRIES_MAX / 2 - 1; i++)
        yo_entries_write(&entry, 1, &many);
    for (int i = 0; i < 10; i++)
        send_entries(&b, 1, "m", "0123456789abcdef", many.data, 0);
    pass(&b, 200, ALL);
    assert_int_equal(yo_entries_count(b.post.entries.data), 2 * (YO_ENTRIES_MAX / 2 - 1));
    yo_buf_free(&many);
    tear_down(&b);
}

static void the_best_report_is_the_result(void **state) {
    (void)state;
    struct bench b;
    struct yo_search_result result;
    char move[16], text[YO_SHOGI_MOVE_TEXT];
    set_up(&b, YO_PLAN_SPLIT);
    for (int i = 1; i <= WORKERS; i++)
        announce(&b, i, i);
    begin(&b);
    for (int i = 1; i <= WORKERS; i++)
        report(&b, i, i == 3 ? 80 : -50);
    yo_crew_result(b.crew, &result);
    first_move(&b, 3, move);
    assert_true(result.move_count > 0);
    assert_string_equal(yo_shogi_move_format((yo_shogi_move)result.moves[0].move, text), move);
    assert_int_equal(result.moves[0].centipawns, 80);
    tear_down(&b);
}

/* A move of a tenth of a second is over before a report comes that is sent ten times a second. */
static void short_moves_have_frequent_reports(void **state) {
    (void)state;
    static const struct {
        int64_t time, report;
    } cases[] = {{100, 6}, {1200, 20}, {6000, 100}, {15000, 100}, {0, 100}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench b;
        set_up(&b, YO_PLAN_PREDICT);
        for (int w = 1; w <= WORKERS; w++)
            announce(&b, w, w);
        begin_for(&b, cases[i].time);
        assert_int_equal(b.post.job[1].report_ms, cases[i].report);
        tear_down(&b);
    }
}

/* Silent for 1.5 s: its part of the moves goes to the others at once. */
static void the_job_of_a_silent_worker_goes_to_others(void **state) {
    (void)state;
    struct bench b;
    set_up(&b, YO_PLAN_SPLIT);
    for (int i = 1; i <= WORKERS; i++)
        announce(&b, i, i);
    begin(&b);
    pass(&b, 1000, ALL);
    int64_t silent_from = b.now;
    unsigned alive = ALL & ~(1u << 2);
    while (yo_crew_count(b.crew).workers == WORKERS && b.now < 60000)
        pass(&b, 10, alive);
    pass(&b, 50, alive);
    assert_true(b.now - silent_from <= 2000);
    assert_int_equal(yo_crew_count(b.crew).lost, 1);
    b.post.stopped[2] = true; /* its job does not count */
    assert_true(covers(&b));
    /* It comes back: first a beat, then, asked who it is, its name. */
    beat(&b, 2);
    announce(&b, 2, 2);
    pass(&b, 100, ALL);
    assert_int_equal(yo_crew_count(b.crew).busy, WORKERS);
    assert_true(covers(&b));
    tear_down(&b);
}

/* Each question is answered by an announcement and a beat: to ask again at the beat of a worker
 * that has announced another game would never end. */
static void a_worker_of_another_game_is_asked_once(void **state) {
    (void)state;
    struct bench b;
    set_up(&b, YO_PLAN_SPLIT);
    beat(&b, 1);
    assert_int_equal(b.post.asked, 1);
    for (int i = 0; i < 5; i++) {
        announce_for(&b, 1, 1, "go");
        beat(&b, 1);
    }
    assert_int_equal(b.post.asked, 1);
    assert_int_equal(yo_crew_count(b.crew).workers, 0);
    tear_down(&b);
}

static void a_worker_that_leaves_is_replaced_at_once(void **state) {
    (void)state;
    struct bench b;
    set_up(&b, YO_PLAN_SPLIT);
    for (int i = 1; i <= WORKERS; i++)
        announce(&b, i, i);
    begin(&b);
    pass(&b, 500, ALL);
    say(&b, &(struct yo_message){.kind = YO_MESSAGE_LEAVE, .worker = "w1"});
    b.post.stopped[1] = true;
    pass(&b, 30, 0);
    assert_true(covers(&b));
    tear_down(&b);
}

/* A job that did not arrive, or ran out of its lease, is sent again under a new number. */
static void a_lost_job_is_sent_again(void **state) {
    (void)state;
    struct bench b;
    set_up(&b, YO_PLAN_SHARE);
    announce(&b, 1, 1);
    begin(&b);
    int64_t first = b.post.job[1].job;
    for (int i = 0; i < 6; i++) {
        b.now += 500;
        say(&b, &(struct yo_message){.kind = YO_MESSAGE_BEAT, .worker = "w1"}); /* idle */
        yo_crew_tick(b.crew, b.now);
    }
    assert_true(b.post.job[1].job > first);
    tear_down(&b);
}

/* The worker begins such a job anew, with its time and nodes from zero. */
static void reports_of_a_job_that_was_sent_again_count(void **state) {
    (void)state;
    struct bench b;
    char move[16];
    set_up(&b, YO_PLAN_SHARE);
    announce(&b, 1, 1);
    begin(&b);
    int64_t first = b.post.job[1].job;
    first_move(&b, 1, move);
    report_as(&b, 1, first, move, 40, 20000);
    b.now += 2000;
    say(&b, &(struct yo_message){.kind = YO_MESSAGE_BEAT, .worker = "w1"}); /* idle */
    assert_true(b.post.job[1].job > first);
    report_as(&b, 1, b.post.job[1].job, move, -70, 100);
    assert_int_equal(yo_crew_count(b.crew).reports, 2);
    assert_int_equal(yo_crew_count(b.crew).nodes, 20100);
    tear_down(&b);
}

static void what_does_not_belong_changes_nothing(void **state) {
    (void)state;
    struct bench b;
    struct yo_search_result result;
    char move[16];
    set_up(&b, YO_PLAN_SHARE);
    for (int i = 1; i <= WORKERS; i++)
        announce(&b, i, i);
    begin(&b);
    report(&b, 1, 40);
    int64_t job = b.post.job[1].job, changed = yo_crew_count(b.crew).changed;
    first_move(&b, 1, move);
    report_as(&b, 1, job, move, -900, 1);        /* older than the last: reordered */
    report_as(&b, 1, job - 1, move, -900, 9000); /* of a job that it does not have */
    report_as(&b, 1, job + 9, move, -900, 9000);
    report_as(&b, 2, job, move, -900, 9000); /* of another worker's job */
    struct yo_message foreign = {.kind = YO_MESSAGE_REPORT, .worker = "w1", .job = job};
    strcpy(foreign.master, "other");
    say(&b, &foreign);
    say(&b, &b.post.job[1]); /* what a master says */
    yo_crew_take(b.crew, "garbage", 7, b.now);
    yo_crew_take(b.crew, "", 0, b.now);
    assert_int_equal(yo_crew_count(b.crew).changed, changed);
    yo_crew_result(b.crew, &result);
    assert_int_equal(result.moves[0].centipawns, 40);
    tear_down(&b);
}

static void who_reports_illegal_moves_is_not_used_any_more(void **state) {
    (void)state;
    struct bench b;
    set_up(&b, YO_PLAN_SPLIT);
    for (int i = 1; i <= WORKERS; i++)
        announce(&b, i, i);
    begin(&b);
    for (int k = 0; k < 3; k++)
        report_as(&b, 4, b.post.job[4].job, "5e5d", 3000, b.now + k);
    assert_int_equal(yo_crew_count(b.crew).workers, WORKERS - 1);
    assert_true(b.post.stopped[4]);
    pass(&b, 50, ALL);
    assert_true(covers(&b));
    announce(&b, 4, 44); /* another program under that name */
    assert_int_equal(yo_crew_count(b.crew).workers, WORKERS);
    tear_down(&b);
}

static void a_worker_of_another_master_is_left_alone(void **state) {
    (void)state;
    struct bench b;
    set_up(&b, YO_PLAN_SHARE);
    announce(&b, 1, 1);
    struct yo_message busy = {.kind = YO_MESSAGE_BEAT, .worker = "w1", .master = "other", .job = 5};
    say(&b, &busy);
    begin(&b);
    assert_int_equal(b.post.job[1].job, 0);
    say(&b, &(struct yo_message){.kind = YO_MESSAGE_BEAT, .worker = "w1"});
    pass(&b, 50, 0);
    assert_true(b.post.job[1].job > 0);
    tear_down(&b);
}

/* Any messages in any order, cut and changed: the crew stays sound and has a legal move. */
static void chaos_is_survived(void **state) {
    (void)state;
    uint64_t seed = 1;
    for (int round = 0; round < 5; round++) {
        struct bench b;
        set_up(&b, (enum yo_plan_strategy)round);
        begin(&b);
        for (int step = 0; step < 2000; step++) {
            uint64_t r = yo_splitmix64(&seed);
            int i = 1 + (int)(r % WORKERS);
            b.now += (int64_t)(r >> 8) % 40;
            switch (r >> 20 & 7) {
            case 0:
                announce(&b, i, (int64_t)(r >> 30 & 3));
                break;
            case 1:
            case 2:
                beat(&b, i);
                break;
            case 3:
            case 4:
                if (b.post.job[i].job) report(&b, i, (int)(r >> 40 & 511) - 256);
                break;
            case 5:
                report_as(&b, i, (int64_t)(r >> 30 & 63), "2g2f", 10, b.now);
                break;
            case 6: {
                struct yo_message leave = {.kind = YO_MESSAGE_LEAVE};
                snprintf(leave.worker, sizeof leave.worker, "w%d", i);
                say(&b, &leave);
                break;
            }
            default:
                yo_crew_tick(b.crew, b.now);
            }
            if (step % 400 == 399) {
                struct yo_search_result result;
                yo_crew_result(b.crew, &result);
                assert_true(result.move_count > 0);
                assert_true(yo_shogi_game_legal(b.game, (yo_shogi_move)result.moves[0].move));
                yo_crew_end(b.crew);
                assert_int_equal(
                    yo_shogi_game_play(b.game, (yo_shogi_move)result.moves[0].move, NULL), YO_OK);
                begin(&b);
            }
        }
        tear_down(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everyone_gets_a_job_and_every_move_is_searched),
        cmocka_unit_test(entries_of_one_reach_all),
        cmocka_unit_test(entries_reach_a_search_that_is_helped),
        cmocka_unit_test(a_flood_of_entries_is_cut),
        cmocka_unit_test(the_best_report_is_the_result),
        cmocka_unit_test(short_moves_have_frequent_reports),
        cmocka_unit_test(the_job_of_a_silent_worker_goes_to_others),
        cmocka_unit_test(a_worker_of_another_game_is_asked_once),
        cmocka_unit_test(a_worker_that_leaves_is_replaced_at_once),
        cmocka_unit_test(a_lost_job_is_sent_again),
        cmocka_unit_test(reports_of_a_job_that_was_sent_again_count),
        cmocka_unit_test(what_does_not_belong_changes_nothing),
        cmocka_unit_test(who_reports_illegal_moves_is_not_used_any_more),
        cmocka_unit_test(a_worker_of_another_master_is_left_alone),
        cmocka_unit_test(chaos_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
