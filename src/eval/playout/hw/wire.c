#include "eval/playout/hw/wire.h"

#include <stdio.h>
#include <string.h>

static const uint8_t magic[4] = {'Y', 'M', 'H', 'W'};

const char *yo_hw_fault_text(enum yo_hw_fault fault) {
    static const char *const texts[] = {
#define X(name, text) text,
        YO_HW_FAULT_LIST(X)
#undef X
    };
    return (size_t)fault < sizeof texts / sizeof texts[0] ? texts[fault] : "an unknown fault";
}

/* ---- numbers, the lowest byte first ---- */

static uint8_t *put(uint8_t *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        *out++ = (uint8_t)(value >> 8 * i);
    return out;
}

static uint64_t get(const uint8_t **in, int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t) * (*in)++ << 8 * i;
    return value;
}

/* CRC-32 as in Ethernet and zip, four bits at a time. */
static uint32_t checksum(const uint8_t *bytes, size_t length) {
    static const uint32_t table[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < length; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

/* ---- frames ---- */

size_t yo_hw_wire_frame(uint8_t *out, enum yo_hw_message type, uint32_t sequence,
                        const uint8_t *payload, size_t length) {
    memcpy(out, magic, sizeof magic);
    uint8_t *p = put(out + sizeof magic, YO_HW_WIRE_VERSION, 1);
    p = put(p, type, 1);
    p = put(p, 0, 2);
    p = put(p, sequence, 4);
    p = put(p, length, 4);
    if (length) memmove(p, payload, length);
    p += length;
    p = put(p, checksum(out, (size_t)(p - out)), 4);
    return (size_t)(p - out);
}

enum yo_hw_fault yo_hw_wire_header(const uint8_t *bytes, struct yo_hw_header *header) {
    const uint8_t *p = bytes + sizeof magic;
    if (memcmp(bytes, magic, sizeof magic) != 0) return YO_HW_FAULT_MAGIC;
    if (get(&p, 1) != YO_HW_WIRE_VERSION) return YO_HW_FAULT_VERSION;
    header->type = (uint8_t)get(&p, 1);
    uint64_t reserved = get(&p, 2);
    header->sequence = (uint32_t)get(&p, 4);
    header->length = (uint32_t)get(&p, 4);
    if (reserved || header->length > YO_HW_WIRE_PAYLOAD_MAX) return YO_HW_FAULT_LENGTH;
    return YO_HW_FAULT_NONE;
}

bool yo_hw_wire_intact(const uint8_t *frame, size_t length) {
    const uint8_t *p = frame + length - YO_HW_WIRE_CHECKSUM;
    return get(&p, 4) == checksum(frame, length - YO_HW_WIRE_CHECKSUM);
}

/* ---- play ---- */

#define PLAY_FIXED 30 /* bytes before the stones */

size_t yo_hw_wire_put_play(uint8_t *out, const struct yo_hw_play *play) {
    const struct yo_playout_position *position = &play->position;
    uint8_t *p = put(out, position->size, 1);
    p = put(p, position->to_move, 1);
    p = put(p, position->ko, 2);
    p = put(p, position->last, 2);
    p = put(p, (uint64_t)play->policy, 2);
    p = put(p, play->seed, 8);
    p = put(p, play->first_game, 8);
    p = put(p, play->games, 4);
    p = put(p, (uint16_t)play->komi2, 2);
    size_t points = (size_t)(position->size * position->size);
    memcpy(p, position->stones, points);
    return PLAY_FIXED + points;
}

enum yo_hw_fault yo_hw_wire_get_play(const uint8_t *in, size_t length, struct yo_hw_play *play) {
    memset(play, 0, sizeof *play);
    if (length < PLAY_FIXED) return YO_HW_FAULT_CONTENT;
    struct yo_playout_position *position = &play->position;
    position->size = (uint8_t)get(&in, 1);
    position->to_move = (uint8_t)get(&in, 1);
    position->ko = (yo_go_point)get(&in, 2);
    position->last = (yo_go_point)get(&in, 2);
    unsigned policy = (unsigned)get(&in, 2);
    play->policy = (enum yo_playout_policy)policy;
    play->seed = get(&in, 8);
    play->first_game = get(&in, 8);
    play->games = (uint32_t)get(&in, 4);
    play->komi2 = (int16_t)get(&in, 2);
    if (position->size < YO_GO_SIZE_MIN || position->size > YO_GO_SIZE_MAX ||
        length != PLAY_FIXED + (size_t)(position->size * position->size))
        return YO_HW_FAULT_CONTENT;
    if (policy >= YO_PLAYOUT_POLICIES || play->games < 1 || play->games > YO_HW_WIRE_GAMES_MAX)
        return YO_HW_FAULT_CONTENT;
    memcpy(position->stones, in, length - PLAY_FIXED);
    return YO_HW_FAULT_NONE;
}

/* ---- result ---- */

static size_t result_length(int size) {
    return 4 + 8 + 8 + 3 * 4 + 4 * (size_t)(3 * size * size + 1);
}

size_t yo_hw_wire_put_result(uint8_t *out, const struct yo_playout_result *result, int size,
                             int komi2) {
    uint64_t black, white, draws;
    yo_playout_count_wins(result->histogram, size, komi2, &black, &white, &draws);
    uint8_t *p = put(out, result->games, 4);
    p = put(p, result->moves, 8);
    p = put(p, (uint64_t)result->score_sum, 8);
    p = put(p, black, 4);
    p = put(p, white, 4);
    p = put(p, draws, 4);
    for (int i = 0; i <= 2 * size * size; i++)
        p = put(p, result->histogram[i], 4);
    for (int i = 0; i < size * size; i++)
        p = put(p, (uint32_t)result->ownership[i], 4);
    return result_length(size);
}

/* Rejects a result whose numbers are inconsistent. */
static bool adds_up(const uint8_t *in, int size, uint64_t games, int64_t score_sum) {
    uint64_t count = 0;
    int64_t scores = 0, owners = 0;
    for (int i = 0; i <= 2 * size * size; i++) {
        uint64_t here = get(&in, 4);
        count += here;
        scores += (int64_t)here * (i - size * size);
    }
    for (int i = 0; i < size * size; i++)
        owners += (int32_t)get(&in, 4);
    return count == games && scores == score_sum && owners == score_sum;
}

enum yo_hw_fault yo_hw_wire_get_result(const uint8_t *in, size_t length, int size, uint32_t games,
                                       struct yo_playout_result *result) {
    if (length != result_length(size)) return YO_HW_FAULT_CONTENT;
    uint64_t played = get(&in, 4), moves = get(&in, 8);
    int64_t score_sum = (int64_t)get(&in, 8);
    in += 3 * 4; /* wins are a sum over the histogram, which is here */
    if (played != games || !adds_up(in, size, games, score_sum)) return YO_HW_FAULT_CONTENT;
    result->games += played;
    result->moves += moves;
    result->score_sum += score_sum;
    for (int i = 0; i <= 2 * size * size; i++) {
        uint32_t here = (uint32_t)get(&in, 4);
        if (result->histogram) result->histogram[i] += here;
    }
    for (int i = 0; i < size * size; i++) {
        int32_t here = (int32_t)get(&in, 4);
        if (result->ownership) result->ownership[i] += here;
    }
    return YO_HW_FAULT_NONE;
}

/* ---- welcome and error ---- */

static size_t put_text(uint8_t *out, const char *text, size_t room) {
    size_t length = strlen(text);
    if (length > room) length = room;
    memcpy(out, text, length);
    return length;
}

/* Copies text for messages, without unprintable characters. */
static void get_text(const uint8_t *in, size_t length, char *text, size_t room) {
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < room; i++)
        if (in[i] >= ' ' && in[i] <= '~') text[n++] = (char)in[i];
    text[n] = '\0';
}

size_t yo_hw_wire_put_welcome(uint8_t *out, uint32_t sizes, const char *name) {
    uint8_t *p = put(out, sizes, 4);
    return 4 + put_text(p, name, 63);
}

enum yo_hw_fault yo_hw_wire_get_welcome(const uint8_t *in, size_t length, uint32_t *sizes,
                                        char name[64]) {
    if (length < 4) return YO_HW_FAULT_CONTENT;
    *sizes = (uint32_t)get(&in, 4);
    get_text(in, length - 4, name, 64);
    return YO_HW_FAULT_NONE;
}

size_t yo_hw_wire_put_error(uint8_t *out, enum yo_hw_fault fault, const char *text) {
    uint8_t *p = put(out, fault, 2);
    return 2 + put_text(p, text, 158);
}

void yo_hw_wire_get_error(const uint8_t *in, size_t length, char text[160]) {
    if (length < 2) {
        snprintf(text, 160, "no reason");
        return;
    }
    enum yo_hw_fault fault = (enum yo_hw_fault)get(&in, 2);
    get_text(in, length - 2, text, 160);
    if (!text[0]) snprintf(text, 160, "%s", yo_hw_fault_text(fault));
}
