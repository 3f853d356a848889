#include "cmd/cluster/roll.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"

static struct yo_nats_config broker_of(const struct yo_options *options, char name[]) {
    snprintf(name, YO_MESSAGE_NAME, "roll-%ld", (long)getpid());
    return (struct yo_nats_config){.url = yo_options_text(options, "server"),
                                   .cluster = yo_options_text(options, "cluster-name"),
                                   .auth_file = yo_options_text(options, "cluster-auth"),
                                   .master = name};
}

enum yo_err yo_roll_open(const struct yo_options *options, int64_t wait_ms, struct yo_roll *roll,
                         struct yo_diag *diag) {
    char name[YO_MESSAGE_NAME];
    struct yo_nats_config config = broker_of(options, name);
    config.wait_ms = wait_ms;
    *roll = (struct yo_roll){.transport.fd = -1};
    roll->entries = yo_alloc(YO_ROLL_MAX, sizeof *roll->entries);
    if (!roll->entries) return yo_diag_set(diag, YO_ERR_NOMEM, "no memory for the workers");
    enum yo_err err = yo_transport_nats(&config, &roll->transport, diag);
    if (err) yo_roll_close(roll);
    return err;
}

bool yo_roll_shared(const struct yo_options *options, int64_t time_ms, char name[YO_MESSAGE_NAME]) {
    char self[YO_MESSAGE_NAME];
    struct yo_nats_config config = broker_of(options, self);
    return yo_transport_nats_shared(&config, time_ms, name);
}

void yo_roll_close(struct yo_roll *roll) {
    yo_transport_close(&roll->transport);
    for (size_t i = 0; i < roll->count; i++) {
        yo_message_free(&roll->entries[i].about);
        yo_message_free(&roll->entries[i].beat);
    }
    yo_free(roll->entries);
    *roll = (struct yo_roll){.transport.fd = -1};
}

static struct yo_roll_entry *entry_of(struct yo_roll *roll, const char *name) {
    for (size_t i = 0; i < roll->count; i++)
        if (strcmp(roll->entries[i].about.worker, name) == 0) return &roll->entries[i];
    if (roll->count == YO_ROLL_MAX) return NULL;
    struct yo_roll_entry *entry = &roll->entries[roll->count++];
    strcpy(entry->about.worker, name);
    return entry;
}

/* Takes the message over. */
static void take(struct yo_roll *roll, struct yo_message *m) {
    bool about = m->kind == YO_MESSAGE_ANNOUNCE, beat = m->kind == YO_MESSAGE_BEAT;
    if (m->kind == YO_MESSAGE_LEAVE && strcmp(m->worker, YO_TRANSPORT_NOBODY) == 0)
        roll->nobody = true;
    struct yo_roll_entry *entry = about || beat ? entry_of(roll, m->worker) : NULL;
    if (!entry) {
        yo_message_free(m);
        return;
    }
    struct yo_message *to = about ? &entry->about : &entry->beat;
    yo_message_free(to);
    *to = *m;
    if (about) entry->known = true;
}

void yo_roll_tell(struct yo_roll *roll, enum yo_message_kind kind) {
    struct yo_message m = {.kind = kind};
    struct yo_buf line = {0};
    if (yo_message_write(&m, &line) == YO_OK)
        roll->transport.ops->send(roll->transport.ctx, NULL, yo_buf_text(&line), line.len);
    yo_buf_free(&line);
}

static size_t known(const struct yo_roll *roll) {
    size_t count = 0;
    for (size_t i = 0; i < roll->count; i++)
        count += roll->entries[i].known;
    return count;
}

void yo_roll_call(struct yo_roll *roll, size_t expected, int64_t time_ms) {
    struct yo_transport t = roll->transport;
    struct yo_buf bytes = {0};
    int64_t until = yo_time_ms() + time_ms;
    roll->nobody = false;
    yo_roll_tell(roll, YO_MESSAGE_WHO);
    while (!roll->nobody && known(roll) < expected) {
        int64_t left = until - yo_time_ms();
        struct yo_message m;
        if (left <= 0) break;
        if (!t.ops->receive(t.ctx, &bytes)) {
            poll(&(struct pollfd){.fd = t.fd, .events = POLLIN}, 1, (int)left);
            continue;
        }
        if (yo_message_read(yo_buf_text(&bytes), bytes.len, &m, NULL) == YO_OK) take(roll, &m);
    }
    yo_buf_free(&bytes);
}
