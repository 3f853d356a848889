#include "learn/netplay/record.h"

#include <string.h>
#include <zlib.h>

#include "base/alloc.h"

#define MAGIC       "YMSP"
#define VERSION     1
#define FRAME       12 /* magic, length, checksum */
#define LENGTH_MAX  (4u << 20)
#define TARGETS_MAX (1u << 20)

void yo_netplay_record_free(struct yo_netplay_record *record) {
    yo_free(record->steps);
    yo_free(record->targets);
    *record = (struct yo_netplay_record){0};
}

void yo_netplay_record_clear(struct yo_netplay_record *record) {
    record->step_count = record->target_count = record->cells = record->setup_size = 0;
    record->end = YO_NETPLAY_UNFINISHED;
    record->outcome = YO_OUTCOME_NONE;
    record->lead2 = 0;
}

enum yo_err yo_netplay_record_target(struct yo_netplay_record *record, uint16_t move,
                                     uint16_t weight) {
    if (record->target_count == record->target_room) {
        size_t room = record->target_room ? 2 * record->target_room : 512;
        void *more = yo_realloc(record->targets, room, sizeof *record->targets);
        if (!more) return YO_ERR_NOMEM;
        record->targets = more;
        record->target_room = room;
    }
    record->targets[record->target_count++] =
        (struct yo_netplay_target){.move = move, .weight = weight};
    return YO_OK;
}

enum yo_err yo_netplay_record_step(struct yo_netplay_record *record,
                                   const struct yo_netplay_step *step) {
    if (record->step_count == record->step_room) {
        size_t room = record->step_room ? 2 * record->step_room : 128;
        void *more = yo_realloc(record->steps, room, sizeof *record->steps);
        if (!more) return YO_ERR_NOMEM;
        record->steps = more;
        record->step_room = room;
    }
    record->steps[record->step_count++] = *step;
    return YO_OK;
}

/* ---- writing ---- */

static void put_byte(struct yo_buf *out, unsigned byte) { yo_buf_char(out, (char)byte); }

static void put_word(struct yo_buf *out, uint32_t word) {
    for (int i = 0; i < 4; i++)
        put_byte(out, word >> 8 * i & 255);
}

/* Seven bits a byte, the lowest first; the top bit says that more follow. */
static void put_number(struct yo_buf *out, uint64_t number) {
    for (; number >= 128; number >>= 7)
        put_byte(out, (unsigned)(number & 127) | 128);
    put_byte(out, (unsigned)number);
}

static void put_signed(struct yo_buf *out, int64_t number) {
    put_number(out, number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1);
}

static void put_step(const struct yo_netplay_record *record, const struct yo_netplay_step *step,
                     struct yo_buf *out) {
    put_byte(out, step->kind);
    put_number(out, step->move);
    if (step->kind == YO_NETPLAY_OPENING) return;
    put_number(out, step->win);
    put_signed(out, step->score2);
    if (step->kind != YO_NETPLAY_FULL) return;
    put_number(out, step->target_count);
    for (size_t i = 0; i < step->target_count; i++) {
        put_number(out, record->targets[step->target_at + i].move);
        put_number(out, record->targets[step->target_at + i].weight);
    }
}

static void put_owners(const struct yo_netplay_record *record, struct yo_buf *out) {
    put_number(out, record->cells);
    for (size_t i = 0; i < record->cells; i += 4) {
        unsigned byte = 0;
        for (size_t k = 0; k < 4 && i + k < record->cells; k++)
            byte |= (unsigned)record->owner[i + k] << 2 * k;
        put_byte(out, byte);
    }
}

enum yo_err yo_netplay_record_write(const struct yo_netplay_record *record, struct yo_buf *out) {
    size_t start = out->len;
    for (int i = 0; i < FRAME; i++)
        put_byte(out, 0);
    put_byte(out, VERSION);
    put_byte(out, record->game);
    put_number(out, record->number);
    put_word(out, record->net);
    put_byte(out, (unsigned)record->setup_size);
    yo_buf_add(out, (const char *)record->setup, record->setup_size);
    put_number(out, record->step_count);
    for (size_t i = 0; i < record->step_count; i++)
        put_step(record, &record->steps[i], out);
    put_byte(out, record->end);
    put_byte(out, record->outcome);
    put_signed(out, record->lead2);
    put_owners(record, out);
    if (yo_buf_status(out) != YO_OK) return YO_ERR_NOMEM;
    const char *payload = out->data + start + FRAME;
    size_t length = out->len - start - FRAME;
    uint32_t sum = (uint32_t)crc32(0, (const unsigned char *)payload, (unsigned)length);
    memcpy(out->data + start, MAGIC, 4);
    for (int i = 0; i < 4; i++) {
        out->data[start + 4 + (size_t)i] = (char)(length >> 8 * i & 255);
        out->data[start + 8 + (size_t)i] = (char)(sum >> 8 * i & 255);
    }
    return YO_OK;
}

/* ---- reading ---- */

/* What is left of a payload; bad once something did not fit. */
struct source {
    const unsigned char *at, *end;
    bool bad;
};

static unsigned get_byte(struct source *s) {
    if (s->at == s->end) {
        s->bad = true;
        return 0;
    }
    return *s->at++;
}

static uint32_t get_word(struct source *s) {
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word |= (uint32_t)get_byte(s) << 8 * i;
    return word;
}

static uint64_t get_number(struct source *s, uint64_t most) {
    uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
        unsigned byte = get_byte(s);
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            if (number > most) s->bad = true;
            return s->bad ? 0 : number;
        }
    }
    s->bad = true;
    return 0;
}

static int get_signed(struct source *s, int most) {
    uint64_t number = get_number(s, 2 * (uint64_t)most + 1);
    int value = (int)(number >> 1);
    return number & 1 ? -value - 1 : value;
}

/* False if there is no memory. */
static bool get_targets(struct source *s, struct yo_netplay_record *record,
                        struct yo_netplay_step *step) {
    step->target_at = (uint32_t)record->target_count;
    step->target_count = (uint16_t)get_number(s, UINT16_MAX);
    if (step->target_count == 0 || record->target_count + step->target_count > TARGETS_MAX)
        s->bad = true;
    for (size_t i = 0; i < step->target_count && !s->bad; i++) {
        uint16_t move = (uint16_t)get_number(s, UINT16_MAX);
        uint16_t weight = (uint16_t)get_number(s, UINT16_MAX);
        if (weight == 0) s->bad = true;
        if (yo_netplay_record_target(record, move, weight)) return false;
    }
    return true;
}

static bool get_step(struct source *s, struct yo_netplay_record *record) {
    struct yo_netplay_step step = {.kind = (uint8_t)get_byte(s)};
    if (step.kind >= YO_NETPLAY_KINDS) s->bad = true;
    step.move = (uint16_t)get_number(s, UINT16_MAX);
    if (step.kind != YO_NETPLAY_OPENING) {
        step.win = (uint16_t)get_number(s, UINT16_MAX);
        step.score2 = (int16_t)get_signed(s, INT16_MAX);
        if (step.kind == YO_NETPLAY_FULL && !get_targets(s, record, &step)) return false;
    }
    return s->bad || yo_netplay_record_step(record, &step) == YO_OK;
}

static void get_owners(struct source *s, struct yo_netplay_record *record) {
    record->cells = (size_t)get_number(s, YO_NETPLAY_CELLS_MAX);
    for (size_t i = 0; i < record->cells; i += 4) {
        unsigned byte = get_byte(s);
        for (size_t k = 0; k < 4; k++) {
            unsigned owner = byte >> 2 * k & 3;
            if (owner == 3 || (owner && i + k >= record->cells)) s->bad = true;
            if (i + k < record->cells) record->owner[i + k] = (uint8_t)owner;
        }
    }
}

/* False if there is no memory. */
static bool get_payload(struct source *s, struct yo_netplay_record *record) {
    yo_netplay_record_clear(record);
    if (get_byte(s) != VERSION) s->bad = true;
    record->game = (uint8_t)get_byte(s);
    record->number = get_number(s, UINT64_MAX);
    record->net = get_word(s);
    record->setup_size = get_byte(s);
    if (record->setup_size > YO_NETPLAY_SETUP_MAX) s->bad = true;
    for (size_t i = 0; i < record->setup_size && !s->bad; i++)
        record->setup[i] = (uint8_t)get_byte(s);
    size_t steps = (size_t)get_number(s, YO_NETPLAY_STEPS_MAX);
    for (size_t i = 0; i < steps && !s->bad; i++)
        if (!get_step(s, record)) return false;
    record->end = (uint8_t)get_byte(s);
    record->outcome = (uint8_t)get_byte(s);
    if (record->end >= YO_NETPLAY_ENDS || record->outcome > YO_OUTCOME_DRAW) s->bad = true;
    record->lead2 = get_signed(s, INT16_MAX);
    get_owners(s, record);
    if (s->at != s->end) s->bad = true;
    return true;
}

static uint32_t word_at(const char *bytes) {
    struct source s = {(const unsigned char *)bytes, (const unsigned char *)bytes + 4, false};
    return get_word(&s);
}

/* Skips to the next magic after *at. */
static enum yo_netplay_found damaged(const char *bytes, size_t len, size_t *at) {
    size_t i = *at + 1;
    while (i < len && (len - i < 4 || memcmp(bytes + i, MAGIC, 4) != 0))
        i++;
    *at = i;
    return YO_NETPLAY_DAMAGED;
}

enum yo_netplay_found yo_netplay_record_next(const char *bytes, size_t len, size_t *at,
                                             struct yo_netplay_record *record) {
    size_t left = len - *at;
    const char *frame = bytes + *at;
    if (left == 0) return YO_NETPLAY_NO_MORE;
    if (memcmp(frame, MAGIC, left < 4 ? left : 4) != 0) return damaged(bytes, len, at);
    uint32_t length = left < FRAME ? 0 : word_at(frame + 4);
    if (length > LENGTH_MAX) return damaged(bytes, len, at);
    if (left < FRAME || left - FRAME < length) {
        /* The end of the file, unless a damaged length hides further records. */
        size_t next = *at;
        damaged(bytes, len, &next);
        enum yo_netplay_found found = next < len ? YO_NETPLAY_DAMAGED : YO_NETPLAY_CUT_OFF;
        *at = next;
        return found;
    }
    struct source s = {(const unsigned char *)frame + FRAME,
                       (const unsigned char *)frame + FRAME + length, false};
    if (crc32(0, s.at, length) != word_at(frame + 8)) return damaged(bytes, len, at);
    if (!get_payload(&s, record)) return YO_NETPLAY_NO_MEMORY;
    if (s.bad) return damaged(bytes, len, at);
    *at += FRAME + length;
    return YO_NETPLAY_RECORD;
}
