/* bench_cluster_swarm URL WORKERS [CONNECTIONS]: so many workers with synthetic engines at a
 * broker, in one process: they announce themselves, beat twice a second, take jobs, and report a
 * legal move once a second. Prints, at the end of input, for each wave of jobs, which are those
 * without a pause, how many workers got one and when the last of them did; plans are made further
 * apart than the pause. For docs/cluster.md; experiments/cluster/run runs it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef YOMI_NATS
#include <nats/nats.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "cluster/lines.h"
#include "cluster/message.h"
#include "cluster/root.h"

enum { BEAT_MS = 500, REPORT_MS = 1000, PAUSE_MS = 30, WAVES_MAX = 1000 };

struct ant {
    char name[YO_MESSAGE_NAME];
    natsConnection *connection;
    struct yo_message job; /* its job number is 0 for none */
    char pv[16];
    int64_t began_ms, beat_ms, report_ms;
    size_t wave; /* the last one that it got a job in */
};

static struct ant *ants;
static size_t ant_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/* Under the mutex: the current wave of jobs. */
static int64_t wave_first_ms, wave_last_ms; /* last: of a worker's first job in it */
static int64_t heard_ms;                    /* the last job */
static size_t wave_jobs, jobs_all;
static struct {
    size_t jobs;
    int64_t ms;
} waves[WAVES_MAX];
static size_t wave_count, wave_number = 1;

static void publish(struct ant *a, const char *subject, struct yo_message *m) {
    struct yo_buf line = {0};
    strcpy(m->worker, a->name);
    if (yo_message_write(m, &line) == YO_OK)
        natsConnection_Publish(a->connection, subject, line.data, (int)line.len);
    yo_buf_free(&line);
}

static void announce(struct ant *a) {
    struct yo_message m = {.kind = YO_MESSAGE_ANNOUNCE,
                           .game = "shogi",
                           .engine = "synthetic",
                           .host = "bench",
                           .pid = 1,
                           .speed = 1000000,
                           .values = true,
                           .searchmoves = true,
                           .multi_pv = true};
    publish(a, "yomi.hello", &m);
}

/* The first move that the job allows. */
static void choose(struct ant *a) {
    const char *only = a->job.only ? a->job.only : "";
    struct yo_root root;
    a->pv[0] = '\0';
    if (yo_root_word(&only, a->pv) || yo_root_read(&a->job.root, &root, NULL)) return;
    const struct yo_game_ops *ops = yo_root_ops(root.kind);
    void *position = yo_alloc_aligned(ops->position_size);
    yo_move *moves = yo_alloc(ops->max_moves, sizeof *moves);
    if (position && moves && yo_root_play(&root, a->job.path, NULL) == YO_OK) {
        ops->from_game(yo_root_game(&root), position);
        if (ops->moves(position, moves) > 0) ops->format(position, moves[0], a->pv);
    }
    yo_free(moves);
    yo_free_aligned(position);
    yo_root_free(&root);
}

static void end_wave(void) {
    if (wave_jobs && wave_count < WAVES_MAX) {
        waves[wave_count].jobs = wave_jobs;
        waves[wave_count++].ms = wave_last_ms - wave_first_ms;
    }
    wave_jobs = 0;
    wave_number++;
}

static void count_job(struct ant *a, int64_t now) {
    if (wave_jobs && now - heard_ms > PAUSE_MS) end_wave();
    if (!wave_jobs) wave_first_ms = now;
    heard_ms = now;
    jobs_all++;
    if (a->wave == wave_number) return;
    a->wave = wave_number;
    wave_last_ms = now;
    wave_jobs++;
}

static void arrive(natsConnection *c, natsSubscription *s, natsMsg *msg, void *user) {
    struct ant *a = user;
    struct yo_message m;
    (void)c, (void)s;
    if (yo_message_read(natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg), &m, NULL) ==
        YO_OK) {
        pthread_mutex_lock(&mutex);
        if (m.kind == YO_MESSAGE_JOB && m.job > a->job.job) {
            yo_message_free(&a->job);
            a->job = m;
            a->began_ms = yo_time_ms();
            a->report_ms = a->began_ms + (int64_t)(rand() % REPORT_MS);
            choose(a);
            count_job(a, a->began_ms);
            m = (struct yo_message){0};
        } else if (m.kind == YO_MESSAGE_STOP && m.job >= a->job.job) {
            yo_message_free(&a->job);
        } else if (m.kind == YO_MESSAGE_WHO) {
            announce(a);
        }
        pthread_mutex_unlock(&mutex);
        yo_message_free(&m);
    }
    natsMsg_Destroy(msg);
}

static void beat(struct ant *a, int64_t now) {
    struct yo_message m = {.kind = YO_MESSAGE_BEAT, .job = a->job.job, .speed = 1000000};
    strcpy(m.master, a->job.master);
    m.busy_ms = a->job.job ? now - a->began_ms : 0;
    m.nodes = 1000 * m.busy_ms;
    publish(a, "yomi.hello", &m);
}

static void report(struct ant *a, int64_t now) {
    char subject[2 * YO_MESSAGE_NAME];
    struct yo_message_line line = {
        .pv = a->pv, .winrate = 0.5, .centipawns = rand() % 100, .depth = 10, .seldepth = 12};
    struct yo_message m = {.kind = YO_MESSAGE_REPORT,
                           .job = a->job.job,
                           .busy_ms = now - a->began_ms,
                           .nodes = 1000 * (now - a->began_ms),
                           .found = &line,
                           .found_count = 1};
    strcpy(m.master, a->job.master);
    snprintf(subject, sizeof subject, "yomi.master.%s", m.master);
    publish(a, subject, &m);
}

static void act(int64_t now) {
    for (size_t i = 0; i < ant_count; i++) {
        struct ant *a = &ants[i];
        pthread_mutex_lock(&mutex);
        if (now >= a->beat_ms) {
            beat(a, now);
            a->beat_ms = now + BEAT_MS;
        }
        if (a->job.job && a->pv[0] && now >= a->report_ms) {
            report(a, now);
            a->report_ms = now + REPORT_MS;
        }
        pthread_mutex_unlock(&mutex);
    }
}

int main(int argc, char **argv) {
    natsConnection *connections[256];
    natsOptions *options;
    char subject[2 * YO_MESSAGE_NAME];
    ant_count = argc > 2 ? (size_t)atoi(argv[2]) : 0;
    size_t count = argc > 3 ? (size_t)atoi(argv[3]) : 16;
    if (count < 1 || count > 256 || ant_count < 1) {
        fprintf(stderr, "usage: cluster_swarm URL WORKERS [CONNECTIONS]\n");
        return 2;
    }
    ants = calloc(ant_count, sizeof *ants);
    natsOptions_Create(&options);
    natsOptions_SetURL(options, argv[1]);
    natsOptions_UseGlobalMessageDelivery(options, true); /* not a thread a subscription */
    for (size_t i = 0; i < count; i++)
        if (natsConnection_Connect(&connections[i], options) != NATS_OK) return 1;
    int64_t start = yo_time_ms();
    for (size_t i = 0; i < ant_count; i++) {
        natsSubscription *s;
        struct ant *a = &ants[i];
        a->connection = connections[i % count];
        a->beat_ms = start + (int64_t)(i * BEAT_MS / ant_count);
        snprintf(a->name, sizeof a->name, "ant-%zu", i);
        snprintf(subject, sizeof subject, "yomi.worker.%s", a->name);
        natsConnection_Subscribe(&s, a->connection, subject, arrive, a);
        natsConnection_Subscribe(&s, a->connection, "yomi.workers", arrive, a);
        announce(a);
    }
    fprintf(stderr, "%zu workers on %zu connections\n", ant_count, count);
    for (;;) {
        struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
        char bytes[64];
        if (poll(&in, 1, 10) > 0 && read(STDIN_FILENO, bytes, sizeof bytes) <= 0) break;
        act(yo_time_ms());
    }
    pthread_mutex_lock(&mutex);
    end_wave();
    for (size_t i = 0; i < wave_count; i++)
        printf("wave %zu: %zu jobs within %" PRId64 " ms\n", i, waves[i].jobs, waves[i].ms);
    printf("jobs in all: %zu\n", jobs_all);
    fflush(stdout);
    _exit(0);
}
#else
int main(void) {
    fprintf(stderr, "built without libnats\n");
    return 1;
}
#endif
