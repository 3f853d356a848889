/* Messages to workers. */
#include <stdio.h>
#include <string.h>

#include "cluster/crew_inside.h"

static void send_message(struct yo_crew *c, struct yo_message *m, const char *to) {
    struct yo_buf line = {0};
    snprintf(m->master, sizeof m->master, "%s", c->config.master);
    if (to) snprintf(m->worker, sizeof m->worker, "%s", to);
    if (yo_message_write(m, &line) == YO_OK)
        c->config.send(c->config.user, to, yo_buf_text(&line), line.len);
    yo_buf_free(&line);
}

void yo_crew_send_plain(struct yo_crew *c, enum yo_message_kind kind, const struct crew_worker *w) {
    struct yo_message m = {.kind = kind, .job = w ? w->job : 0};
    send_message(c, &m, w ? w->name : NULL);
}

/* Moves as text, from this position; played, one after the other, or all in the same position. */
static enum yo_err write_moves(struct yo_crew *c, void *position, bool play, const yo_move *moves,
                               size_t count, struct yo_buf *out) {
    char word[16];
    for (size_t i = 0; i < count; i++) {
        yo_buf_printf(out, "%s%s", i ? " " : "", c->ops->format(position, moves[i], word));
        if (play) c->ops->play(position, moves[i]);
    }
    return yo_buf_status(out);
}

/* Entries that each worker may send at a time: all together fit into one message. */
static int64_t share_of(const struct yo_crew *c) {
    enum { EACH_MAX = 256, WORKERS_MAX = 200 };
    if (c->count + c->helps < 2 || c->count > WORKERS_MAX) return 0;
    int64_t each = YO_ENTRIES_MAX / (int64_t)c->count;
    return each < EACH_MAX ? each : EACH_MAX;
}

enum yo_err yo_crew_send_job(struct yo_crew *c, struct crew_worker *w, int64_t now) {
    const struct yo_plan_job *job = &w->plan_job;
    struct yo_buf path = {0}, only = {0};
    struct yo_message m = {.kind = YO_MESSAGE_JOB,
                           .job = w->job,
                           .root = c->root_message,
                           .lines = (int64_t)c->lines,
                           .number = (int64_t)w->number,
                           .share = w->table[0] ? share_of(c) : 0,
                           .lease_ms = YO_CREW_LEASE_MS,
                           .report_ms = c->report_ms};
    memcpy(c->position, c->root, c->ops->position_size);
    enum yo_err err = write_moves(c, c->position, true, job->path, job->path_count, &path);
    if (!err && job->only)
        err = write_moves(c, c->position, false, job->only, job->only_count, &only);
    if (!err) {
        m.path = path.data;
        m.only = only.data;
        send_message(c, &m, w->name);
        w->sent_ms = w->kept_ms = now;
        c->seen.jobs++;
    }
    yo_buf_free(&path);
    yo_buf_free(&only);
    return err;
}

void yo_crew_send_entries(struct yo_crew *c, int64_t now) {
    struct yo_message m = {.kind = YO_MESSAGE_ENTRIES, .data = c->entries.data};
    strcpy(m.table, c->table);
    if (c->entry_count > 0) m.serial = ++c->serial;
    if (c->entry_count > 0 && yo_buf_status(&c->entries) == YO_OK) {
        send_message(c, &m, NULL);
        if (c->helps && c->config.learn)
            c->config.learn(c->config.user, c->table, yo_buf_text(&c->entries), c->entry_count);
    }
    yo_buf_free(&c->entries);
    c->entry_count = 0;
    c->shared_ms = now;
}
