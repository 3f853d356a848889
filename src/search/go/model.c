#include "search/go/model.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/diag.h"

/* moves.bin, put into the program by cmake/embed.cmake. */
extern const unsigned char yo_go_moves[];
extern const size_t yo_go_moves_len;

#define MAGIC_LEN   (sizeof YO_GO_MODEL_MAGIC - 1)
#define SHAPE_BYTES 6

static struct yo_go_model built_in;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t slot_of(uint32_t key) { return key * 0x9e3779b1u >> 15; }

static_assert(UINT32_MAX >> 15 == YO_GO_MODEL_SLOTS - 1, "slot_of gives every slot");

static float weight_at(const unsigned char *bytes) {
    return (float)(int16_t)(bytes[0] | bytes[1] << 8) / YO_GO_MODEL_SCALE;
}

static void put(struct yo_go_model *model, uint32_t key, float weight) {
    uint32_t i = slot_of(key);
    while (model->slots[i].key != 0)
        i = (i + 1) % YO_GO_MODEL_SLOTS;
    model->slots[i] = (struct yo_go_model_slot){key, weight};
}

enum yo_err yo_go_model_read(struct yo_go_model *model, const unsigned char *bytes, size_t len,
                             struct yo_diag *diag) {
    size_t head = MAGIC_LEN + (size_t)2 * YO_GO_FEATURES;
    if (len < head || memcmp(bytes, YO_GO_MODEL_MAGIC, MAGIC_LEN) != 0)
        return yo_diag_set(diag, YO_ERR_PARSE, "this is no model of moves");
    if ((len - head) % SHAPE_BYTES != 0 || (len - head) / SHAPE_BYTES > YO_GO_MODEL_MAX)
        return yo_diag_set(diag, YO_ERR_PARSE, "the model of moves is damaged: %zu bytes", len);
    memset(model, 0, sizeof *model);
    for (int i = 0; i < YO_GO_FEATURES; i++)
        model->listed[i] = weight_at(bytes + MAGIC_LEN + 2 * i);
    for (const unsigned char *at = bytes + head; at < bytes + len; at += SHAPE_BYTES) {
        uint32_t key = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        if (key < YO_GO_FEATURES)
            return yo_diag_set(diag, YO_ERR_PARSE, "the model of moves has a shape without key");
        put(model, key, weight_at(at + 4));
    }
    return YO_OK;
}

static void read_built_in(void) {
    enum yo_err err = yo_go_model_read(&built_in, yo_go_moves, yo_go_moves_len, NULL);
    assert(err == YO_OK); /* the built-in file is valid */
    (void)err;
}

const struct yo_go_model *yo_go_model(void) {
    pthread_once(&once, read_built_in);
    return &built_in;
}

static float shape_weight(const struct yo_go_model *model, uint32_t key) {
    for (uint32_t i = slot_of(key); model->slots[i].key != 0; i = (i + 1) % YO_GO_MODEL_SLOTS)
        if (model->slots[i].key == key) return model->slots[i].weight;
    return 0;
}

float yo_go_model_score(const struct yo_go_model *model, const struct yo_go_features *features) {
    float sum = 0;
    for (size_t i = 0; i < features->count; i++) {
        uint32_t id = features->id[i];
        sum += id < YO_GO_FEATURES ? model->listed[id] : shape_weight(model, id);
    }
    return sum;
}
