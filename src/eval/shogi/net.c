#include "eval/shogi/net.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "eval/shogi/kernel.h"

/* ---- file formats ---- */

#define LAYERS                                                                                     \
    "Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32](ClippedReLU[32]("      \
    "AffineTransform[32<-512](InputSlice[512(0:512)])))))"
#define EXPECTED                                                                                   \
    "expected K-P or HalfKP 256x2-32-32 in the format of YaneuraOu's nn.bin, or Yomi's own K-P "   \
    "relative or HalfKA zones"

enum { VERSION = 0x7af32f16, LAYERS_HASH = 0x63337156, TEXT_MAX = 4096 };

/* The sizes of the parts behind the header. */
enum {
    SUMS_BYTES = 2 * SHOGI_NET_SUMS,
    LAYERS_BYTES = 4 + 4 * 32 + 32 * 512 + 4 * 32 + 32 * 32 + 4 + 32
};

static const struct kind {
    enum yo_shogi_net_kind kind;
    const char *name, *text;
    uint32_t hash;
    size_t inputs;
} kinds[] = {
    {YO_SHOGI_NET_KP, "K-P 256x2-32-32", "Features=K+P[1710->256x2]," LAYERS, 0x3f5715ff,
     SHOGI_KP_INPUTS},
    {YO_SHOGI_NET_HALFKP, "HalfKP 256x2-32-32", "Features=HalfKP(Friend)[125388->256x2]," LAYERS,
     0x5d69d7b8, SHOGI_HALFKP_INPUTS},
    {YO_SHOGI_NET_RELATIVE, "K-P relative 256x2-32-32",
     "Features=K+P+RelativeKP[6912->256x2]," LAYERS, 0x52f715ff, SHOGI_RELATIVE_INPUTS},
    {YO_SHOGI_NET_ZONES, "HalfKA zones 256x2-32-32", "Features=HalfKA_zones[30996->256x2]," LAYERS,
     0x6b2e15ff, SHOGI_ZONES_INPUTS},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct reader {
    const uint8_t *at, *end;
};

static size_t left(const struct reader *r) { return (size_t)(r->end - r->at); }

static uint32_t take32(struct reader *r) {
    uint32_t value = (uint32_t)r->at[0] | (uint32_t)r->at[1] << 8 | (uint32_t)r->at[2] << 16 |
                     (uint32_t)r->at[3] << 24;
    r->at += 4;
    return value;
}

static void take_int16(struct reader *r, int16_t *out, size_t count) {
    for (size_t i = 0; i < count; i++, r->at += 2)
        out[i] = (int16_t)(uint16_t)(r->at[0] | r->at[1] << 8);
}

static void take_int32(struct reader *r, int32_t *out, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = (int32_t)take32(r);
}

static void take_int8(struct reader *r, int8_t *out, size_t count) {
    memcpy(out, r->at, count);
    r->at += count;
}

/* ---- The header ---- */

static enum yo_err refuse(struct yo_diag *diag, enum yo_err err) {
    yo_diag_hint(diag, EXPECTED);
    return err;
}

/* Text of a file, for a message: unprintable characters become '?'. */
static void printable(const struct reader *r, size_t size, char out[120]) {
    size_t n = size < 119 ? size : 119;
    for (size_t i = 0; i < n; i++)
        out[i] = r->at[i] >= 32 && r->at[i] < 127 ? (char)r->at[i] : '?';
    out[n] = '\0';
}

static enum yo_err read_header(struct reader *r, const struct kind **kind, struct yo_diag *diag) {
    if (left(r) < 12)
        return refuse(diag, yo_diag_set(diag, YO_ERR_PARSE, "%zu bytes are no network", left(r)));
    uint32_t version = take32(r), hash = take32(r), size = take32(r);
    if (version != VERSION)
        return refuse(diag, yo_diag_set(diag, YO_ERR_PARSE, "version %#" PRIx32 ", not %#x",
                                        version, VERSION));
    if (size > TEXT_MAX || size > left(r))
        return refuse(diag, yo_diag_set(diag, YO_ERR_PARSE, "the file ends in its header"));
    for (*kind = kinds; *kind < kinds + KINDS; ++*kind) {
        if (strlen((*kind)->text) != size || memcmp(r->at, (*kind)->text, size) != 0) continue;
        r->at += size;
        if (hash == ((*kind)->hash ^ LAYERS_HASH)) return YO_OK;
        return refuse(diag, yo_diag_set(diag, YO_ERR_PARSE,
                                        "the header's hash is %#" PRIx32 ", not %#" PRIx32, hash,
                                        (*kind)->hash ^ LAYERS_HASH));
    }
    char text[120];
    printable(r, size, text);
    return refuse(diag, yo_diag_set(diag, YO_ERR_UNSUPPORTED, "another architecture: %s", text));
}

static enum yo_err check_hash(struct reader *r, uint32_t wanted, const char *part,
                              struct yo_diag *diag) {
    uint32_t hash = take32(r);
    if (hash == wanted) return YO_OK;
    return refuse(diag, yo_diag_set(diag, YO_ERR_PARSE,
                                    "the hash of its %s is %#" PRIx32 ", not %#" PRIx32, part, hash,
                                    wanted));
}

/* ---- The numbers ---- */

static void regroup(const int8_t *rows, size_t inputs, int8_t (*groups)[SHOGI_NET_HIDDEN][4]) {
    for (size_t output = 0; output < SHOGI_NET_HIDDEN; output++)
        for (size_t input = 0; input < inputs; input++)
            groups[input / 4][output][input % 4] = rows[output * inputs + input];
}

static enum yo_err read_body(struct reader *r, struct yo_shogi_net *net, const struct kind *kind,
                             struct yo_diag *diag) {
    struct shogi_net_layers *l = &net->layers;
    enum yo_err err = check_hash(r, kind->hash, "inputs", diag);
    if (err) return err;
    take_int16(r, l->sum_biases, SHOGI_NET_SUMS);
    take_int16(r, net->weights[0], kind->inputs * SHOGI_NET_SUMS);
    if ((err = check_hash(r, LAYERS_HASH, "layers", diag))) return err;
    take_int32(r, l->biases1, SHOGI_NET_HIDDEN);
    take_int8(r, l->rows1[0], sizeof l->rows1);
    take_int32(r, l->biases2, SHOGI_NET_HIDDEN);
    take_int8(r, l->rows2[0], sizeof l->rows2);
    take_int32(r, &l->bias3, 1);
    take_int8(r, l->row3, sizeof l->row3);
    regroup(l->rows1[0], 2 * SHOGI_NET_SUMS, l->groups1);
    regroup(l->rows2[0], SHOGI_NET_HIDDEN, l->groups2);
    return YO_OK;
}

/* FNV-1a. */
static uint64_t id_of(const uint8_t *bytes, size_t size) {
    uint64_t id = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        id = (id ^ bytes[i]) * 0x100000001b3u;
    return id;
}

enum yo_err yo_shogi_net_new(enum yo_shogi_net_kind kind, struct yo_shogi_net **out) {
    struct yo_shogi_net *net = yo_alloc_aligned(sizeof *net);
    if (!net) return YO_ERR_NOMEM;
    net->kind = kind;
    net->inputs = kinds[kind].inputs;
    net->kernel = yo_shogi_net_kernel();
    net->scale = SHOGI_NET_SCALE;
    net->weights = yo_alloc_aligned(net->inputs * SUMS_BYTES);
    if (!net->weights) {
        yo_shogi_net_delete(net);
        return YO_ERR_NOMEM;
    }
    *out = net;
    return YO_OK;
}

enum yo_err yo_shogi_net_read(const uint8_t *bytes, size_t size, struct yo_shogi_net **out,
                              struct yo_diag *diag) {
    struct reader r = {bytes, bytes + size};
    const struct kind *kind = NULL;
    enum yo_err err = read_header(&r, &kind, diag);
    if (err) return err;
    size_t weights = kind->inputs * SUMS_BYTES, wanted = 4 + SUMS_BYTES + weights + LAYERS_BYTES;
    if (left(&r) != wanted)
        return refuse(diag, yo_diag_set(diag, YO_ERR_PARSE,
                                        "%s: %zu bytes after the header, but %zu belong there",
                                        kind->name, left(&r), wanted));
    struct yo_shogi_net *net;
    err = yo_shogi_net_new(kind->kind, &net);
    if (err) return yo_diag_set(diag, err, "not enough memory for the network");
    net->id = id_of(bytes, size);
    err = read_body(&r, net, kind, diag);
    if (err) {
        yo_shogi_net_delete(net);
        return err;
    }
    *out = net;
    return YO_OK;
}

void yo_shogi_net_delete(struct yo_shogi_net *net) {
    if (!net) return;
    yo_free_aligned(net->weights);
    yo_free_aligned(net);
}

const char *yo_shogi_net_name(const struct yo_shogi_net *net) { return kinds[net->kind].name; }

/* ---- Writing ---- */

static void put32(struct yo_buf *out, uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8)
        yo_buf_char(out, (char)(value >> shift & 255));
}

static void put_int16(struct yo_buf *out, const int16_t *in, size_t count) {
    for (size_t i = 0; i < count; i++) {
        yo_buf_char(out, (char)((uint16_t)in[i] & 255));
        yo_buf_char(out, (char)((uint16_t)in[i] >> 8));
    }
}

static void put_int32(struct yo_buf *out, const int32_t *in, size_t count) {
    for (size_t i = 0; i < count; i++)
        put32(out, (uint32_t)in[i]);
}

static void put_int8(struct yo_buf *out, const int8_t *in, size_t count) {
    yo_buf_add(out, (const char *)in, count);
}

void yo_shogi_net_write(const struct yo_shogi_net *net, struct yo_buf *out) {
    const struct shogi_net_layers *l = &net->layers;
    const struct kind *kind = &kinds[net->kind];
    put32(out, VERSION);
    put32(out, kind->hash ^ LAYERS_HASH);
    put32(out, (uint32_t)strlen(kind->text));
    yo_buf_str(out, kind->text);
    put32(out, kind->hash);
    put_int16(out, l->sum_biases, SHOGI_NET_SUMS);
    put_int16(out, net->weights[0], net->inputs * SHOGI_NET_SUMS);
    put32(out, LAYERS_HASH);
    put_int32(out, l->biases1, SHOGI_NET_HIDDEN);
    put_int8(out, l->rows1[0], sizeof l->rows1);
    put_int32(out, l->biases2, SHOGI_NET_HIDDEN);
    put_int8(out, l->rows2[0], sizeof l->rows2);
    put_int32(out, &l->bias3, 1);
    put_int8(out, l->row3, sizeof l->row3);
}

/* ---- Files ---- */

/* A little more than the largest possible network, which is HalfKP. */
enum { FILE_MAX = SHOGI_HALFKP_INPUTS * SUMS_BYTES + (1 << 16) };

static enum yo_err read_all(FILE *file, uint8_t **bytes, size_t *size) {
    size_t cap = 1 << 20;
    *bytes = NULL;
    *size = 0;
    for (;;) {
        uint8_t *grown = yo_realloc(*bytes, cap, 1);
        if (!grown) return YO_ERR_NOMEM;
        *bytes = grown;
        *size += fread(*bytes + *size, 1, cap - *size, file);
        if (*size < cap || cap >= FILE_MAX) break;
        cap = 2 * cap < FILE_MAX ? 2 * cap : FILE_MAX;
    }
    return ferror(file) ? YO_ERR_IO : YO_OK;
}

enum yo_err yo_shogi_net_load(const char *path, struct yo_shogi_net **net, struct yo_diag *diag) {
    uint8_t *bytes;
    size_t size;
    FILE *file = fopen(path, "rbe");
    if (!file) {
        enum yo_err err =
            yo_diag_set(diag, YO_ERR_IO, "cannot open %.150s: %s", path, strerror(errno));
        return refuse(diag, err);
    }
    enum yo_err err = read_all(file, &bytes, &size);
    if (err == YO_ERR_IO) yo_diag_set(diag, err, "cannot read %.150s: %s", path, strerror(errno));
    if (err == YO_ERR_NOMEM) yo_diag_set(diag, err, "not enough memory for the network");
    fclose(file);
    if (!err && (err = yo_shogi_net_read(bytes, size, net, diag))) yo_diag_where(diag, path, 0, 0);
    yo_free(bytes);
    return err;
}
