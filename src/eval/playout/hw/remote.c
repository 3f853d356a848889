#include "eval/playout/hw/remote.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/notice.h"
#include "base/time.h"
#include "eval/playout/hw/rest.h"
#include "eval/playout/hw/socket.h"
#include "eval/playout/hw/wire.h"

#define GREETING_MS   2000
#define ANSWER_MS     60000 /* for a piece of at most a thousand games; a simulation is slow */
#define ASK_AGAIN_MS  5000  /* pause before the next attempt after a failure */
#define KOMI2_UNASKED 15    /* only the server's own count of wins depends on it */

struct remote {
    char name[128];
    pthread_mutex_t lock;
    uint32_t sizes; /* bit n: it plays boards of n by n; under the lock, as is what follows */
    bool lost;
    int64_t ask_again_ms;
    struct yo_playout_backend backend;
};

/* A connection, and the frame that is being sent or was received last. */
struct link {
    int fd;
    bool after_loss; /* opened while the server counted as lost */
    uint32_t sequence;
    uint8_t frame[YO_HW_WIRE_FRAME_MAX];
    char what[200]; /* why it failed */
};

static const char *address_of(const struct remote *remote) {
    return remote->name + strlen(YO_HW_REMOTE_PREFIX);
}

/* ---- request and reply ---- */

static bool give_up(struct link *link, const char *what) {
    if (what != link->what) snprintf(link->what, sizeof link->what, "%s", what);
    return false;
}

static bool receive(struct link *link, int64_t timeout_ms, struct yo_hw_header *header) {
    static const char *const reasons[] = {"", "it closed the connection",
                                          "it did not answer in time", "the connection failed"};
    enum yo_hw_io io = yo_hw_read(link->fd, link->frame, YO_HW_WIRE_HEADER, timeout_ms, NULL);
    if (io) return give_up(link, reasons[io]);
    enum yo_hw_fault fault = yo_hw_wire_header(link->frame, header);
    if (fault) return give_up(link, yo_hw_fault_text(fault));
    size_t rest = header->length + YO_HW_WIRE_CHECKSUM;
    io = yo_hw_read(link->fd, link->frame + YO_HW_WIRE_HEADER, rest, timeout_ms, NULL);
    if (io) return give_up(link, reasons[io]);
    if (!yo_hw_wire_intact(link->frame, YO_HW_WIRE_HEADER + rest))
        return give_up(link, yo_hw_fault_text(YO_HW_FAULT_CHECKSUM));
    return true;
}

/* The reply's payload is in the frame, behind its header. */
static bool ask(struct link *link, enum yo_hw_message question, const uint8_t *payload,
                size_t length, enum yo_hw_message answer, int64_t timeout_ms,
                struct yo_hw_header *header) {
    size_t n = yo_hw_wire_frame(link->frame, question, link->sequence, payload, length);
    if (yo_hw_write(link->fd, link->frame, n, timeout_ms))
        return give_up(link, "the connection failed");
    if (!receive(link, timeout_ms, header)) return false;
    if (header->type == YO_HW_ERROR) {
        char text[160];
        yo_hw_wire_get_error(link->frame + YO_HW_WIRE_HEADER, header->length, text);
        snprintf(link->what, sizeof link->what, "it refused: %s", text);
        return false;
    }
    if (header->type != answer || header->sequence != link->sequence)
        return give_up(link, "it answered something else");
    link->sequence++;
    return true;
}

/* ---- connections ---- */

static bool greet(struct remote *remote, struct link *link) {
    struct yo_hw_header header;
    uint32_t sizes;
    char name[64];
    if (!ask(link, YO_HW_HELLO, NULL, 0, YO_HW_WELCOME, GREETING_MS, &header)) return false;
    if (yo_hw_wire_get_welcome(link->frame + YO_HW_WIRE_HEADER, header.length, &sizes, name))
        return give_up(link, "its greeting makes no sense");
    pthread_mutex_lock(&remote->lock);
    remote->sizes = sizes;
    pthread_mutex_unlock(&remote->lock);
    return true;
}

static bool open_link(struct remote *remote, struct link *link) {
    struct yo_diag diag;
    memset(link, 0, sizeof *link);
    link->fd = -1;
    pthread_mutex_lock(&remote->lock);
    link->after_loss = remote->lost;
    pthread_mutex_unlock(&remote->lock);
    if (yo_hw_connect(address_of(remote), &link->fd, &diag)) return give_up(link, diag.what);
    return greet(remote, link);
}

static void close_link(struct link *link) {
    if (link->fd >= 0) close(link->fd);
    link->fd = -1;
}

static bool may_ask(struct remote *remote) {
    pthread_mutex_lock(&remote->lock);
    bool may = !remote->lost || yo_time_ms() >= remote->ask_again_ms;
    pthread_mutex_unlock(&remote->lock);
    return may;
}

/* Loss and recovery are reported once each. A reply on a connection opened before the loss does not
 * count as recovery. */
static void note_lost(struct remote *remote, const struct yo_playout_env *env, const char *why,
                      const char *instead) {
    pthread_mutex_lock(&remote->lock);
    bool news = !remote->lost;
    remote->lost = true;
    remote->ask_again_ms = yo_time_ms() + ASK_AGAIN_MS;
    pthread_mutex_unlock(&remote->lock);
    if (news)
        yo_notice(&env->notices, "%s is lost (%s); playouts by %s instead", remote->name, why,
                  instead);
}

static void note_back(struct remote *remote, const struct yo_playout_env *env, struct link *link) {
    if (!link->after_loss) return;
    pthread_mutex_lock(&remote->lock);
    bool news = remote->lost;
    remote->lost = link->after_loss = false;
    pthread_mutex_unlock(&remote->lock);
    if (news) yo_notice(&env->notices, "%s is back", remote->name);
}

/* ---- the backend ---- */

static bool play_piece(struct link *link, enum yo_playout_policy policy, int size,
                       struct yo_playout_piece *piece) {
    struct yo_hw_play play = {.policy = policy, .seed = piece->seed, .komi2 = KOMI2_UNASKED};
    yo_playout_piece_start(piece, &play.position);
    while (piece->games > 0) {
        uint32_t histogram[2 * YO_GO_POINTS_MAX + 1] = {0};
        struct yo_playout_result result = {.histogram = histogram,
                                           .ownership = piece->result->owner};
        play.first_game = piece->first_game;
        play.games = piece->games;
        if (play.games > YO_HW_WIRE_GAMES_MAX) play.games = YO_HW_WIRE_GAMES_MAX;
        uint8_t payload[YO_HW_WIRE_PAYLOAD_MAX];
        struct yo_hw_header header;
        size_t length = yo_hw_wire_put_play(payload, &play);
        if (!ask(link, YO_HW_PLAY, payload, length, YO_HW_RESULT, ANSWER_MS, &header)) return false;
        if (yo_hw_wire_get_result(link->frame + YO_HW_WIRE_HEADER, header.length, size, play.games,
                                  &result))
            return give_up(link, "its result makes no sense");
        piece->result->moves += result.moves;
        yo_playout_add_histogram(piece->result, size * size, piece->komi2, histogram);
        piece->first_game += play.games;
        piece->games -= play.games;
    }
    return true;
}

static size_t here_size(int size) {
    size_t most = 0;
    for (int policy = 0; policy < YO_PLAYOUT_POLICIES; policy++) {
        size_t n = yo_playout_scratch_size(
            yo_playout_backend_here(&yo_playout_env_default, (enum yo_playout_policy)policy, size),
            size);
        if (n > most) most = n;
    }
    return most;
}

/* The link precedes the scratch of the local fallback backend. */
#define LINK_ROOM ((sizeof(struct link) + 63) / 64 * 64)
static size_t scratch_size(const struct yo_playout_backend *backend, int size) {
    (void)backend;
    return LINK_ROOM + here_size(size);
}

static void run(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                enum yo_playout_policy policy, int size, const struct yo_playout_source *source,
                void *scratch) {
    struct remote *remote = backend->ctx;
    const struct yo_playout_backend *here = yo_playout_backend_here(env, policy, size);
    void *here_scratch = (char *)scratch + LINK_ROOM;
    struct yo_playout_piece piece = {.games = 0};
    struct link *link = scratch;
    link->fd = -1;
    bool going = may_ask(remote);
    while (going && source->next(source->ctx, &piece)) {
        if (piece.sink) break;
        going =
            (link->fd >= 0 || open_link(remote, link)) && play_piece(link, policy, size, &piece);
        if (going)
            note_back(remote, env, link);
        else
            note_lost(remote, env, link->what, here->name);
    }
    close_link(link);
    yo_hw_play_rest(here, env, policy, size, &piece, source, here_scratch);
}

static bool available(const struct yo_playout_backend *backend) {
    struct link link;
    bool there = open_link(backend->ctx, &link);
    close_link(&link);
    return there;
}

static bool supports(const struct yo_playout_backend *backend, const struct yo_playout_env *env,
                     enum yo_playout_policy policy, int size) {
    (void)env;
    struct remote *remote = backend->ctx;
    pthread_mutex_lock(&remote->lock);
    bool plays = !remote->sizes || remote->sizes >> size & 1;
    pthread_mutex_unlock(&remote->lock);
    return plays && policy == YO_PLAYOUT_LIGHT;
}

static void close_remote(const struct yo_playout_backend *backend) {
    struct remote *remote = backend->ctx;
    pthread_mutex_destroy(&remote->lock);
    yo_free(remote);
}

static const struct yo_playout_backend_ops ops = {
    .summary = "a hardware server",
    .needs = "a server at that address (`yomi hw-server`)",
    .available = available,
    .supports = supports,
    .scratch_size = scratch_size,
    .run = run,
    .close = close_remote,
};

enum yo_err yo_hw_remote_open(const char *name, const struct yo_playout_backend **out) {
    struct remote *remote = yo_alloc(1, sizeof *remote);
    if (!remote) return YO_ERR_NOMEM;
    if (strlen(name) >= sizeof remote->name) {
        yo_free(remote);
        return YO_ERR_UNKNOWN;
    }
    snprintf(remote->name, sizeof remote->name, "%s", name);
    pthread_mutex_init(&remote->lock, NULL);
    remote->backend = (struct yo_playout_backend){remote->name, &ops, remote};
    *out = &remote->backend;
    return YO_OK;
}
