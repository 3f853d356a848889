/* A model of the moves that players choose: the chance of a move is proportional to the exponential
 * of the sum of its features' weights. train/learn_moves.c learned the weights from game records;
 * moves.bin holds them and is built into the program. */
#pragma once

#include "search/go/feature.h"

#define YO_GO_MODEL_MAGIC "yomi moves 1\n" /* how the file begins */
#define YO_GO_MODEL_SCALE 1024.0f          /* weights are stored as 16-bit integers of this unit */
#define YO_GO_MODEL_SLOTS 131072           /* of the table of shapes, a power of two */
#define YO_GO_MODEL_MAX   (YO_GO_MODEL_SLOTS / 2)

struct yo_go_model {
    float listed[YO_GO_FEATURES];
    struct yo_go_model_slot {
        uint32_t key; /* 0: empty */
        float weight;
    } slots[YO_GO_MODEL_SLOTS];
};

/* The file: the magic, a weight for each listed feature, and for each shape its key and weight;
 * integers are little-endian. */
enum yo_err yo_go_model_read(struct yo_go_model *model, const unsigned char *bytes, size_t len,
                             struct yo_diag *diag);
/* The built-in model; read at the first call. */
const struct yo_go_model *yo_go_model(void);

float yo_go_model_score(const struct yo_go_model *model, const struct yo_go_features *features);
