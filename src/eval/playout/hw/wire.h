/* The messages of docs/hw-protocol.md encoded and decoded. The decoder checks every length and
 * value and returns a fault code for an error. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/playout.h"

#define YO_HW_WIRE_VERSION     1
#define YO_HW_WIRE_HEADER      16
#define YO_HW_WIRE_CHECKSUM    4
#define YO_HW_WIRE_PAYLOAD_MAX 8192
#define YO_HW_WIRE_FRAME_MAX   (YO_HW_WIRE_HEADER + YO_HW_WIRE_PAYLOAD_MAX + YO_HW_WIRE_CHECKSUM)
#define YO_HW_WIRE_GAMES_MAX   131071u

enum yo_hw_message {
    YO_HW_HELLO = 1,
    YO_HW_WELCOME,
    YO_HW_PLAY,
    YO_HW_RESULT,
    YO_HW_ERROR,
};

/* Faults up to YO_HW_FAULT_TIMEOUT leave the start of the next message, or its request, unknown:
 * the connection is closed after them. */
#define YO_HW_FAULT_LIST(X)                                                                        \
    X(YO_HW_FAULT_NONE, "no fault")                                                                \
    X(YO_HW_FAULT_MAGIC, "not a message of this protocol")                                         \
    X(YO_HW_FAULT_VERSION, "an unknown version of the protocol")                                   \
    X(YO_HW_FAULT_LENGTH, "a message of impossible length")                                        \
    X(YO_HW_FAULT_CHECKSUM, "a damaged message")                                                   \
    X(YO_HW_FAULT_SEQUENCE, "a message out of order")                                              \
    X(YO_HW_FAULT_TIMEOUT, "half a message")                                                       \
    X(YO_HW_FAULT_TYPE, "a message of unknown type")                                               \
    X(YO_HW_FAULT_CONTENT, "a message with impossible content")                                    \
    X(YO_HW_FAULT_POSITION, "an impossible position")                                              \
    X(YO_HW_FAULT_UNSUPPORTED, "a board size or policy that this server does not play")            \
    X(YO_HW_FAULT_BUSY, "too many connections")                                                    \
    X(YO_HW_FAULT_INTERNAL, "the server could not play the games")

enum yo_hw_fault {
#define X(name, text) name,
    YO_HW_FAULT_LIST(X)
#undef X
};
const char *yo_hw_fault_text(enum yo_hw_fault fault);

struct yo_hw_header {
    uint8_t type;
    uint32_t sequence;
    uint32_t length; /* of the payload */
};

/* ---- frames ---- */

/* Writes header, payload and checksum; returns how many bytes. out has room for a frame of that
 * length. */
size_t yo_hw_wire_frame(uint8_t *out, enum yo_hw_message type, uint32_t sequence,
                        const uint8_t *payload, size_t length);
enum yo_hw_fault yo_hw_wire_header(const uint8_t *bytes, struct yo_hw_header *header);
/* Whether the checksum at the end of a whole frame is right. */
bool yo_hw_wire_intact(const uint8_t *frame, size_t length);

/* ---- payloads; encoders return the length, at most YO_HW_WIRE_PAYLOAD_MAX ---- */

struct yo_hw_play {
    struct yo_playout_position position;
    enum yo_playout_policy policy;
    uint64_t seed, first_game;
    uint32_t games;
    int16_t komi2;
};
size_t yo_hw_wire_put_play(uint8_t *out, const struct yo_hw_play *play);
enum yo_hw_fault yo_hw_wire_get_play(const uint8_t *in, size_t length, struct yo_hw_play *play);

/* result has both arrays; decoding adds to it. */
size_t yo_hw_wire_put_result(uint8_t *out, const struct yo_playout_result *result, int size,
                             int komi2);
enum yo_hw_fault yo_hw_wire_get_result(const uint8_t *in, size_t length, int size, uint32_t games,
                                       struct yo_playout_result *result);

/* Bit n of sizes: boards of n by n are played. */
size_t yo_hw_wire_put_welcome(uint8_t *out, uint32_t sizes, const char *name);
enum yo_hw_fault yo_hw_wire_get_welcome(const uint8_t *in, size_t length, uint32_t *sizes,
                                        char name[64]);

size_t yo_hw_wire_put_error(uint8_t *out, enum yo_hw_fault fault, const char *text);
/* The error text, truncated to fit; every payload gives a text. */
void yo_hw_wire_get_error(const uint8_t *in, size_t length, char text[160]);
