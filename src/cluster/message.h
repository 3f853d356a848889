/* The messages between a cluster's master and its workers: one line of JSON each, with a version
 * and a bound on every field. docs/cluster.md specifies them. A message that was read is checked
 * for syntax and bounds only; whether its moves are legal is for the reader to find out. The holder
 * of a message frees it with yo_message_free. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum {
    YO_MESSAGE_VERSION = 1,
    YO_MESSAGE_BYTES_MAX = 1 << 18,
    YO_MESSAGE_NAME = 48, /* a worker's or master's name, NUL included: letters, digits, - and _ */
    YO_MESSAGE_LINES_MAX = 64,
    YO_MESSAGE_PV_MAX = 1 << 10,
};

#define YO_MESSAGE_KIND_LIST(X)                                                                    \
    X(ANNOUNCE, "announce") /* worker: what it is; at its start and when asked */                  \
    X(BEAT, "beat")         /* worker: it lives; what it is doing */                               \
    X(REPORT, "report")     /* worker: what its search has found so far */                         \
    X(LEAVE, "leave")       /* worker: it ends */                                                  \
    X(ENTRIES, "entries")   /* worker, master: what searches have learned, for the others */       \
    X(JOB, "job")           /* master: search this from now on */                                  \
    X(KEEP, "keep")         /* master: the job still holds */                                      \
    X(STOP, "stop")         /* master: stop the search */                                          \
    X(WHO, "who")           /* anyone: announce yourselves */                                      \
    X(QUIT, "quit")         /* operator: end the process */

enum yo_message_kind {
#define X(name, text) YO_MESSAGE_##name,
    YO_MESSAGE_KIND_LIST(X)
#undef X
        YO_MESSAGE_KINDS
};

/* A game from its start: what a worker needs to set up the root. */
struct yo_message_game {
    char game[8]; /* "go" or "shogi" */
    char *start;  /* Go: a letter a point, '.', 'b' or 'w', or ""; shogi: SFEN */
    char *moves;  /* separated by spaces; Go: with the colour in front, "bD4 wpass" */
    char rules[256];
    int64_t size, komi2, handicap; /* Go */
    int64_t max_moves;             /* shogi */
    bool white;                    /* Go: White is to move at the start */
    bool white_now;                /* Go: White is to move at the root */
};

/* A root move of a job and its value for the side to move there. */
struct yo_message_line {
    char *pv; /* its moves, separated by spaces; the first is the move itself */
    double winrate;
    bool proven;
    int64_t centipawns, mate, depth, seldepth, visits, bound;
    double score;
    double prior;
};

struct yo_message {
    enum yo_message_kind kind;
    char worker[YO_MESSAGE_NAME]; /* the sender, or the one it is for */
    char master[YO_MESSAGE_NAME]; /* likewise */
    int64_t job;                  /* its number: counts up, from 1; 0: none */

    /* announce */
    char game[8], engine[80], host[64];
    int64_t threads, pid, up_ms;
    double speed; /* nodes or playouts a second, measured; 0: not yet */
    bool values, searchmoves, multi_pv;
    char *options;  /* those that its operator gave it */
    char table[20]; /* the kind of its entries, also of a message of entries; "": none */

    /* beat, report */
    int64_t nodes; /* of the current job */
    int64_t busy_ms;
    int64_t moves; /* beat: of its position that it considers; 0: all */
    /* beat: the best move that it has found there, "": none yet; its value, as in a line */
    char best[16];
    double winrate;
    int64_t centipawns, mate, depth;
    int64_t value_ms; /* how long ago its search said so */

    /* job */
    struct yo_message_game root;
    char *path; /* moves from the root to the position to search; also of a beat */
    char *only; /* moves to consider there; "": all */
    int64_t lines;
    int64_t most_nodes, most_ms; /* 0: until told */
    int64_t lease_ms;            /* without a keep for so long the worker stops */
    int64_t report_ms;           /* between two reports, and two messages of entries */
    int64_t number;              /* among workers that search the same position, from 0 */
    int64_t serial;              /* of entries: counts up, by sender; 0: not counted */
    int64_t share;               /* how many entries it may send at a time */

    /* entries */
    char *data; /* cluster/entries.h */

    /* report */
    bool done; /* the search has ended; there will be no more */
    bool failed;
    char *note; /* for people: why it failed; engine's words */
    struct yo_message_line *found;
    size_t found_count;
};

/* Appends one line, without a newline. */
enum yo_err yo_message_write(const struct yo_message *message, struct yo_buf *out);
/* On failure nothing is to be freed. */
enum yo_err yo_message_read(const char *bytes, size_t len, struct yo_message *message,
                            struct yo_diag *diag);
void yo_message_free(struct yo_message *message);
void yo_message_game_free(struct yo_message_game *game);

/* Whether it can be the name of a worker, a master or a cluster. */
bool yo_message_is_name(const char *name);
const char *yo_message_kind_text(enum yo_message_kind kind);
/* A copy on the heap of base/alloc.h; NULL for NULL or without memory. */
char *yo_message_copy_text(const char *text);
