/* fp16 on the host: conversions to and from float. */
#pragma once

#include <stdint.h>
#include <string.h>

/* Rounds to nearest, ties to even; values out of range become the largest finite one. */
static inline uint16_t yo_half_from(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return (uint16_t)(sign | 0x7e00); /* not a number */
    if (magnitude >= 0x477ff000) return (uint16_t)(sign | 0x7bff);
    if (magnitude < 0x33000001) return (uint16_t)sign; /* at most half of the smallest */
    int exponent = (int)(magnitude >> 23) - 112;       /* 1 is the smallest normal */
    uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000;
    int drop = exponent > 0 ? 13 : 14 - exponent;
    uint32_t kept = mantissa >> drop, rest = mantissa & ((1u << drop) - 1), half = 1u << (drop - 1);
    if (rest > half || (rest == half && kept & 1)) kept++;
    if (exponent > 0) kept += (uint32_t)(exponent - 1) << 10; /* the hidden bit adds the last one */
    return (uint16_t)(sign | kept);
}

static inline float yo_half_to(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31,
             mantissa = half & 1023;
    float value;
    if (exponent == 0) {
        value = (float)mantissa * (1.0f / 16777216.0f);
        return sign ? -value : value;
    }
    uint32_t bits = sign | (exponent == 31 ? 255 : exponent + 112) << 23 | mantissa << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}
