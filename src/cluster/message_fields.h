/* The fields of a message, shared by its writer (message.c) and its reader (message_read.c);
 * nothing else includes it. */
#pragma once

#include "cluster/message.h"

enum message_field_type {
    TEXT,  /* char[size] */
    OWNED, /* char *, at most `size` bytes */
    INT,   /* int64_t, from -size to size; counts are not negative */
    COUNT,
    REAL, /* within size on either side */
    FLAG
};

/* A field of a struct and its name in JSON. One that is missing is empty, 0 or false. */
struct message_field {
    const char *key;
    enum message_field_type type;
    unsigned kinds; /* bits of the messages that have it */
    size_t offset;
    double size;
};

#define BIT(kind)   (1u << YO_MESSAGE_##kind)
#define EXACT       9007199254740992.0 /* 2^53 */
#define LONG_TEXT   100000
#define WORDS       (1u << 31) /* for people: cut if too long. A message with half a game is void. */
#define ALL         (WORDS - 1)
#define FROM_WORKER (BIT(ANNOUNCE) | BIT(BEAT) | BIT(REPORT) | BIT(LEAVE))
#define FROM_MASTER (BIT(JOB) | BIT(KEEP) | BIT(STOP))

/* Each table ends with a field without a key. */
extern const struct message_field yo_message_fields[], yo_message_game_fields[],
    yo_message_line_fields[];
