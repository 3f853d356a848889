#include "eval/net/protobuf.h"

bool yo_pb_varint(struct yo_pb *pb, uint64_t *value) {
    uint64_t sum = 0;
    for (int shift = 0; shift < 64 && pb->at < pb->end; shift += 7) {
        unsigned char byte = *pb->at++;
        sum |= (uint64_t)(byte & 127) << shift;
        if (!(byte & 128)) {
            *value = sum;
            return true;
        }
    }
    return false;
}

static bool take_fixed(struct yo_pb *pb, int count, uint64_t *value) {
    if (pb->end - pb->at < count) return false;
    *value = 0;
    for (int i = 0; i < count; i++)
        *value |= (uint64_t)*pb->at++ << (8 * i);
    return true;
}

int yo_pb_next(struct yo_pb *pb, struct yo_pb_field *field) {
    uint64_t key, len;
    if (pb->at == pb->end) return 0;
    if (!yo_pb_varint(pb, &key) || key >> 3 == 0 || key >> 3 > 1 << 29) return -1;
    *field = (struct yo_pb_field){.number = (int)(key >> 3), .type = (enum yo_pb_type)(key & 7)};
    switch (key & 7) {
    case YO_PB_VARINT:
        return yo_pb_varint(pb, &field->value) ? 1 : -1;
    case YO_PB_64:
        return take_fixed(pb, 8, &field->value) ? 1 : -1;
    case YO_PB_32:
        return take_fixed(pb, 4, &field->value) ? 1 : -1;
    case YO_PB_BYTES:
        if (!yo_pb_varint(pb, &len) || len > yo_pb_len(*pb)) return -1;
        field->bytes = yo_pb_of(pb->at, (size_t)len);
        pb->at += len;
        return 1;
    default:
        return -1;
    }
}
