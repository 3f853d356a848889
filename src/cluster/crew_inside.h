/* Shared by the files of the crew; nothing else includes it.
 *   crew.c       life, plans, searches
 *   crew_take.c  what follows from each message
 *   crew_send.c  messages to workers */
#pragma once

#include "cluster/crew.h"
#include "cluster/entries.h"

struct crew_worker {
    char name[YO_MESSAGE_NAME];
    uint32_t id;
    size_t seat; /* a small number that nobody else has as long as it is there */
    struct yo_plan_worker able;
    char engine[80], table[20];
    int64_t pid;
    bool announced;
    bool known;     /* announced, and plays this game */
    bool elsewhere; /* works for another master */
    int strikes;
    int64_t heard_ms, sent_ms, kept_ms;
    /* Its job: */
    int64_t job; /* 0: none */
    struct yo_plan_job plan_job;
    size_t number; /* among those who search the same: its seat */
    bool done;
    int64_t busy_ms, nodes;
    int64_t serial; /* of the last entries that it sent */
};

struct yo_crew {
    struct yo_crew_config config;
    const struct yo_game_ops *ops;
    void *root, *position, *scratch; /* of ops */
    struct crew_worker *workers;
    size_t count, room;
    uint32_t last_id;
    int64_t last_job;
    struct yo_plan *plan;
    /* While a search runs: */
    const void *game;
    struct yo_message_game root_message;
    size_t lines;
    bool helps;        /* a search of the master's own */
    int64_t report_ms; /* between two reports of a worker, and two messages of entries */
    bool dirty;        /* something happened since the last plan */
    int64_t planned_ms, again_ms;
    uint64_t nodes_before; /* of jobs that have ended */
    uint64_t nodes_own;    /* of the master's own search */
    struct yo_crew_count seen;
    /* Entries of the workers' tables, gathered for all: */
    struct yo_buf entries;
    size_t entry_count;
    int64_t serial; /* of the last message of them */
    char table[20];
    int64_t shared_ms;
    /* Scratch of the plan: */
    struct yo_plan_worker *able;
    const struct yo_plan_job **jobs;
    size_t *which;
};

/* ---- crew_send.c ---- */

void yo_crew_send_plain(struct yo_crew *crew, enum yo_message_kind kind,
                        const struct crew_worker *worker);
enum yo_err yo_crew_send_job(struct yo_crew *crew, struct crew_worker *worker, int64_t now_ms);
/* Sends the entries that were gathered to all workers. */
void yo_crew_send_entries(struct yo_crew *crew, int64_t now_ms);

/* ---- crew_take.c ---- */

bool yo_crew_is_usable(const struct crew_worker *worker);
/* The worker is gone; the last one takes its place in the list. */
void yo_crew_lose(struct yo_crew *crew, struct crew_worker *worker, const char *why);

/* ---- crew.c ---- */

void yo_crew_drop_job(struct yo_crew *crew, struct crew_worker *worker);
