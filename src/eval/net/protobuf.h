/* The wire format of protocol buffers, read in place: a message is a run of fields, each a number
 * and a varint, four or eight bytes, or a run of bytes. Nothing is copied. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct yo_pb {
    const unsigned char *at, *end;
};

enum yo_pb_type { YO_PB_VARINT = 0, YO_PB_64 = 1, YO_PB_BYTES = 2, YO_PB_32 = 5 };

struct yo_pb_field {
    int number;
    enum yo_pb_type type;
    uint64_t value;     /* VARINT, 64, 32 */
    struct yo_pb bytes; /* BYTES */
};

static inline struct yo_pb yo_pb_of(const void *bytes, size_t len) {
    const unsigned char *at = bytes;
    return (struct yo_pb){at, at + len};
}

static inline size_t yo_pb_len(struct yo_pb pb) { return (size_t)(pb.end - pb.at); }

/* The next field: 1, 0 at the end of the message, -1 if the bytes are no message. */
int yo_pb_next(struct yo_pb *message, struct yo_pb_field *field);
/* The next of packed varints. */
bool yo_pb_varint(struct yo_pb *bytes, uint64_t *value);
