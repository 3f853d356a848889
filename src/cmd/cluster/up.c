/* yomi cluster up, status and stop. */
#include "cmd/cluster/up.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/json.h"
#include "base/time.h"
#include "cluster/root.h"
#include "cmd/cluster/place.h"
#include "cmd/cluster/roll.h"
#include "cmd/programs.h"

enum {
    BROKER_MS = 5000,
    WORKER_MS = 30000, /* to load a network on a busy machine */
    LISTEN_MS = 800,   /* longer than from one beat to the next */
    MORE_MS = 200,     /* for an answer of those that are there already */
    ANSWER_MS = 1000,  /* stop: for the answer of a broker of our own, or it hangs */
    QUIT_MS = 3000,
    END_MS = 2000,
    HUNG_MS = 100, /* for a broker that does not answer anyway */
    WORKERS_MAX = 256,
    PAUSE_US = 20000
};

/* ---- up ---- */

static const char *port_of(const char *server, char out[16]) {
    const char *host = strstr(server, "://"), *colon = host ? strrchr(host + 3, ':') : NULL;
    snprintf(out, 16, "%.10s", colon ? colon + 1 : "4222");
    return out;
}

static bool is_here(const char *server) {
    static const char *const names[] = {"nats://127.0.0.1", "nats://localhost"};
    for (size_t i = 0; i < 2; i++)
        if (strncmp(server, names[i], strlen(names[i])) == 0) return true;
    return false;
}

/* A broker that answers already is used as it is. */
static enum yo_err start_broker(const struct yo_options *o, const struct yo_place *place,
                                struct yo_roll *roll, struct yo_diag *diag) {
    const char *server = yo_options_text(o, "server"), *conf = yo_options_text(o, "broker-config");
    char port[16], program[512];
    enum yo_err err = yo_roll_open(o, 0, roll, diag);
    if (!err) {
        printf("there is a broker at %s\n", server);
        return YO_OK;
    }
    if (err != YO_ERR_STATE) return err; /* there is one that lets nobody in like this */
    if (!is_here(server)) return err;    /* on another machine: not to be started from here */
    if (yo_place_process(place, "broker")) {
        yo_diag_set(diag, YO_ERR_STATE, "a broker that was started before does not answer at %.80s",
                    server);
        yo_diag_hint(diag, "`yomi cluster stop` ends it; a second one wants a --cluster-name or a "
                           "--folder of its own");
        return YO_ERR_STATE;
    }
    if (!yo_program_find("nats-server", program, sizeof program)) {
        yo_diag_set(diag, YO_ERR_UNSUPPORTED, "there is no nats-server to start as the broker");
        yo_diag_hint(diag, "it is a package of Debian: apt-get install nats-server");
        return diag->err;
    }
    const char *plain[] = {program, "-a", "127.0.0.1", "-p", port_of(server, port), NULL};
    const char *own[] = {program, "-c", conf, NULL};
    err = yo_place_start(place, "broker", conf ? own : plain, diag);
    if (err) return err;
    int64_t until = yo_time_ms() + BROKER_MS;
    while ((err = yo_roll_open(o, 0, roll, diag)) && yo_time_ms() < until &&
           yo_place_process(place, "broker"))
        usleep(PAUSE_US);
    if (err) {
        bool lives = yo_place_process(place, "broker") != 0;
        yo_place_end(place, "broker", END_MS);
        if (!lives)
            yo_diag_set(diag, err, "the broker does not start; %.120s/broker.log says why",
                        place->folder);
        return err;
    }
    printf("started a broker at %s\n", server);
    return YO_OK;
}

/* The name of a worker's process; each game has its own. */
static const char *worker_name(const char *game, int64_t number, char out[32]) {
    snprintf(out, 32, "worker-%.8s-%" PRId64, game, number);
    return out;
}

/* *kept: those that an earlier up started. */
static enum yo_err start_workers(const struct yo_options *o, const struct yo_place *place,
                                 int64_t count, int64_t *kept, struct yo_diag *diag) {
    char program[4096], what[32];
    ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
    if (len <= 0) return yo_diag_set(diag, YO_ERR_IO, "cannot tell which program this is");
    program[len] = '\0';
    for (int64_t i = 1; i <= count; i++) {
        const char *argv[20] = {program,          "worker",
                                "--server",       yo_options_text(o, "server"),
                                "--game",         yo_options_text(o, "game"),
                                "--cluster-name", yo_options_text(o, "cluster-name")};
        int argc = 8;
        const char *auth = yo_options_text(o, "worker-auth");
        if (!auth) auth = yo_options_text(o, "cluster-auth");
        if (auth) {
            argv[argc++] = "--cluster-auth";
            argv[argc++] = auth;
        }
        if (yo_options_text(o, "options")) {
            argv[argc++] = "--options";
            argv[argc++] = yo_options_text(o, "options");
        }
        worker_name(yo_options_text(o, "game"), i, what);
        if (yo_place_process(place, what)) {
            ++*kept;
            continue;
        }
        enum yo_err err = yo_place_start(place, what, argv, diag);
        if (err) return err;
    }
    return YO_OK;
}

/* Workers of the game that have announced themselves; *others: those of another one. */
static size_t count_workers(const struct yo_roll *roll, const char *game, size_t *others) {
    size_t here = *others = 0;
    for (size_t i = 0; i < roll->count; i++)
        if (roll->entries[i].known)
            ++*(strcmp(roll->entries[i].about.game, game) == 0 ? &here : others);
    return here;
}

/* Of those that up starts. */
static bool has_living_worker(const struct yo_place *place, const char *game, size_t count) {
    char what[32];
    for (size_t i = 1; i <= count; i++)
        if (yo_place_process(place, worker_name(game, (int64_t)i, what))) return true;
    return false;
}

/* Waits until there are so many, or all have died; returns how many there are, which may be more.
 */
static size_t wait_for_workers(const struct yo_place *place, struct yo_roll *roll, const char *game,
                               size_t count) {
    int64_t until = yo_time_ms() + WORKER_MS;
    size_t others = 0;
    while (count_workers(roll, game, &others) < count && yo_time_ms() < until &&
           has_living_worker(place, game, count)) {
        yo_roll_call(roll, count + others, LISTEN_MS);
        if (roll->nobody) usleep(PAUSE_US);
    }
    yo_roll_call(roll, YO_ROLL_MAX, MORE_MS);
    return count_workers(roll, game, &others);
}

static void print_command(const struct yo_options *o) {
    static const char *const keys[] = {"cluster-name", "cluster-auth"};
    bool go = strcmp(yo_options_text(o, "game"), "go") == 0;
    printf("play with them: yomi %s --cluster %s", go ? "gtp" : "usi",
           yo_options_text(o, "server"));
    for (size_t i = 0; i < 2; i++)
        if (yo_options_given(o, keys[i])) printf(" --%s %s", keys[i], yo_options_text(o, keys[i]));
    printf("\n");
}

enum yo_err yo_cluster_up(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_place place;
    struct yo_roll roll = {0};
    int64_t count = yo_options_int(o, "workers");
    if (count > WORKERS_MAX)
        return yo_diag_set(diag, YO_ERR_ARGUMENT, "up starts at most %d workers", WORKERS_MAX);
    enum yo_err err = yo_place_open(o, true, &place, diag);
    if (!err) err = start_broker(o, &place, &roll, diag);
    int64_t kept = 0;
    const char *game = yo_options_text(o, "game");
    if (!err) err = start_workers(o, &place, count, &kept, diag);
    if (err) {
        yo_roll_close(&roll);
        return err;
    }
    size_t here = wait_for_workers(&place, &roll, game, (size_t)count);
    yo_roll_close(&roll);
    printf("%zu workers for %s are there; logs in %s\n", here, game, place.folder);
    if (kept)
        printf("%" PRId64 " of them were started before, and are as they were; `yomi cluster stop` "
               "ends them\n",
               kept);
    if (here > 0) print_command(o);
    if (here >= (size_t)count) return YO_OK;
    yo_diag_set(diag, YO_ERR_IO, "%zu of %" PRId64 " workers have announced themselves", here,
                count);
    yo_diag_hint(diag, "%.100s/worker-%.8s-1.log may say why; `yomi cluster stop` ends the rest",
                 place.folder, game);
    return YO_ERR_IO;
}

/* ---- status ---- */

/* Of the best move that the worker has found: for the side to move in its position. */
static void print_value(const struct yo_message *b, bool is_go) {
    printf("; best %s", b->best);
    if (b->mate)
        printf(" mate %+" PRId64, b->mate);
    else if (is_go)
        printf(" %.1f%%", 100 * b->winrate);
    else
        printf(" cp %+" PRId64, b->centipawns);
    if (b->depth) printf(", depth %" PRId64, b->depth);
    printf(", %.1f s old", (double)b->value_ms / 1000);
}

static void print_job(const struct yo_message *b, bool is_go) {
    if (!b->job) {
        printf("  idle\n");
        return;
    }
    printf("  job %" PRId64 " of %s for %.1f s, %" PRId64 " nodes: ", b->job, b->master,
           (double)b->busy_ms / 1000, b->nodes);
    if (b->path && *b->path) printf("after %s, ", b->path);
    if (b->moves)
        printf("%" PRId64 " moves", b->moves);
    else
        printf("all moves");
    if (*b->best) print_value(b, is_go);
    printf("\n");
}

static void print_entry(const struct yo_roll_entry *e) {
    const struct yo_message *a = &e->about, *b = &e->beat;
    char can[64], threads[40] = "";
    bool options = a->options && *a->options;
    snprintf(can, sizeof can, "%s%s%s", a->values ? "values " : "", a->searchmoves ? "moves " : "",
             a->multi_pv ? "lines" : "");
    if (a->threads) snprintf(threads, sizeof threads, ", threads %" PRId64, a->threads);
    double speed = b->speed > 0 ? b->speed : a->speed;
    printf("%-28s %-5s %-28.28s %8.0f/s  %-18s up %.0f s, %s pid %" PRId64 "%s%s%s\n", a->worker,
           a->game, a->engine, speed, can, (double)a->up_ms / 1000, a->host, a->pid, threads,
           options ? ", options " : "", options ? a->options : "");
    print_job(b, strcmp(a->game, "go") == 0);
}

static void print_json(const struct yo_roll *roll) {
    for (size_t i = 0; i < roll->count; i++) {
        struct yo_buf line = {0};
        if (!roll->entries[i].known) continue;
        yo_message_write(&roll->entries[i].about, &line);
        yo_buf_char(&line, '\n');
        if (roll->entries[i].beat.kind == YO_MESSAGE_BEAT) {
            yo_message_write(&roll->entries[i].beat, &line);
            yo_buf_char(&line, '\n');
        }
        fwrite(yo_buf_text(&line), 1, line.len, stdout);
        yo_buf_free(&line);
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct yo_roll_entry *)a)->about.worker,
                  ((const struct yo_roll_entry *)b)->about.worker);
}

enum yo_err yo_cluster_status(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_roll roll;
    enum yo_err err = yo_roll_open(o, 0, &roll, diag);
    if (err) return err;
    yo_roll_call(&roll, YO_ROLL_MAX, LISTEN_MS);
    qsort(roll.entries, roll.count, sizeof *roll.entries, by_name);
    size_t here = 0, busy = 0;
    for (size_t i = 0; i < roll.count; i++) {
        const struct yo_roll_entry *e = &roll.entries[i];
        if (!e->known) continue;
        here++;
        busy += e->beat.job != 0;
        if (!yo_options_bool(o, "json")) print_entry(e);
    }
    if (yo_options_bool(o, "json"))
        print_json(&roll);
    else
        printf("%zu workers at %s, %zu of them with a job\n", here, yo_options_text(o, "server"),
               busy);
    yo_roll_close(&roll);
    return YO_OK;
}

/* ---- stop ---- */

static void quit_workers(struct yo_roll *roll) {
    int64_t until = yo_time_ms() + QUIT_MS;
    yo_roll_tell(roll, YO_MESSAGE_QUIT);
    do {
        usleep(PAUSE_US);
        yo_roll_call(roll, 1, PAUSE_US / 100);
    } while (!roll->nobody && yo_time_ms() < until);
}

/* Asks those that `up` started on this machine to end; returns how many there were. */
static size_t ask_workers(const struct yo_place *place) {
    size_t asked = 0;
    char what[32];
    for (const char *const *game = yo_root_games; *game; game++)
        for (int i = 1; i <= WORKERS_MAX; i++)
            asked += yo_place_ask(place, worker_name(*game, i, what));
    return asked;
}

static void end_workers(const struct yo_place *place) {
    int64_t until = yo_time_ms() + END_MS;
    char what[32];
    for (const char *const *game = yo_root_games; *game; game++)
        for (int i = 1; i <= WORKERS_MAX; i++)
            yo_place_end(place, worker_name(*game, i, what), until - yo_time_ms());
}

/* Those who listen end by themselves; those that `up` started on this machine end in any case, and
 * so does its broker, unless another cluster uses it. */
enum yo_err yo_cluster_stop(const struct yo_options *o, struct yo_diag *diag) {
    struct yo_place place;
    struct yo_roll roll;
    const char *server = yo_options_text(o, "server");
    char other[YO_MESSAGE_NAME];
    enum yo_err err = yo_place_open(o, false, &place, diag);
    if (err) return err;
    struct yo_diag why = {0};
    bool broker = yo_place_process(&place, "broker") != 0, shared = false;
    size_t workers = ask_workers(&place); /* they may need as long as a broker that hangs */
    enum yo_err no_broker = yo_roll_open(o, broker ? ANSWER_MS : 0, &roll, &why);
    if (!no_broker) {
        quit_workers(&roll);
        yo_roll_close(&roll);
        shared = broker && yo_roll_shared(o, LISTEN_MS, other);
    }
    end_workers(&place);
    if (broker && !shared)
        yo_place_end(&place, "broker", no_broker == YO_ERR_CANCELLED ? HUNG_MS : END_MS);
    if (no_broker && !broker && !workers) {
        *diag = why;
        if (no_broker == YO_ERR_STATE)
            yo_diag_set(diag, no_broker, "there is no cluster at %.80s", server);
        return no_broker;
    }
    if (shared)
        printf("stopped the workers; the broker at %s goes on, since the cluster %s uses it: once "
               "that is stopped, this command ends the broker\n",
               server, other);
    else if (no_broker || broker)
        printf("stopped\n");
    else
        printf("stopped the workers; the broker at %s, which was not started from here, goes on\n",
               server);
    return YO_OK;
}
