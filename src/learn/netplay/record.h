/* The record of a game of self-play: setup, moves, what the searches found, and how it ended. One
 * format for all games; docs/selfplay.md describes the bytes. The owner of a record frees it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "game/game.h"

#define YO_NETPLAY_SETUP_MAX 48
#define YO_NETPLAY_STEPS_MAX 4096
#define YO_NETPLAY_CELLS_MAX 361

enum yo_netplay_end {
    YO_NETPLAY_UNFINISHED,
    YO_NETPLAY_OVER,     /* by the rules of the game */
    YO_NETPLAY_SETTLED,  /* no move can change the result, or one side has a forced win */
    YO_NETPLAY_RESIGNED, /* the final position is not known */
    YO_NETPLAY_CUT,      /* too long: the winner is not known */
    YO_NETPLAY_ENDS
};

enum yo_netplay_kind {
    YO_NETPLAY_OPENING, /* drawn by the policy, not searched */
    YO_NETPLAY_FAST,    /* a short search: no policy target */
    YO_NETPLAY_FULL,    /* with a policy target */
    YO_NETPLAY_KINDS
};

struct yo_netplay_target {
    uint16_t move, weight; /* weights are relative to each other; none is 0 */
};

struct yo_netplay_step {
    uint16_t move;
    uint8_t kind;   /* enum yo_netplay_kind */
    uint16_t win;   /* by the search, for the side to move: 65535 is certain; a draw counts half */
    int16_t score2; /* likewise: expected half points */
    uint32_t target_at; /* FULL: place in the record's targets */
    uint16_t target_count;
};

struct yo_netplay_record {
    uint8_t game;    /* struct yo_netplay_rules */
    uint8_t end;     /* enum yo_netplay_end */
    uint8_t outcome; /* enum yo_outcome; NONE: unknown */
    int lead2;       /* of the first side in half points; OVER and SETTLED only */
    uint64_t number;
    uint32_t net; /* identifies the network */
    uint8_t setup[YO_NETPLAY_SETUP_MAX];
    size_t setup_size;
    struct yo_netplay_step *steps;
    size_t step_count, step_room;
    struct yo_netplay_target *targets;
    size_t target_count, target_room;
    uint8_t
        owner[YO_NETPLAY_CELLS_MAX]; /* OVER and SETTLED: 1 the first side, 2 the other, 0 none */
    size_t cells;                    /* 0: no owners */
};

void yo_netplay_record_free(struct yo_netplay_record *record);
/* Removes steps, targets and the end; the memory stays. */
void yo_netplay_record_clear(struct yo_netplay_record *record);
/* Add to a record; the targets of a step are added before it. */
enum yo_err yo_netplay_record_target(struct yo_netplay_record *record, uint16_t move,
                                     uint16_t weight);
enum yo_err yo_netplay_record_step(struct yo_netplay_record *record,
                                   const struct yo_netplay_step *step);

/* Appends the record with its frame: magic, length, checksum. */
enum yo_err yo_netplay_record_write(const struct yo_netplay_record *record, struct yo_buf *out);

enum yo_netplay_found {
    YO_NETPLAY_RECORD,
    YO_NETPLAY_DAMAGED, /* bytes that are no record: *at is after them */
    YO_NETPLAY_CUT_OFF, /* the last record is not whole: the writer was killed */
    YO_NETPLAY_NO_MORE,
    YO_NETPLAY_NO_MEMORY
};

/* Reads the record at *at and advances *at. Checks the structure, not the rules of the game. */
enum yo_netplay_found yo_netplay_record_next(const char *bytes, size_t len, size_t *at,
                                             struct yo_netplay_record *record);
