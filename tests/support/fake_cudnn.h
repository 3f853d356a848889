/* A cuDNN for tests: checks what it is told strictly, and computes on the host. It knows the
 * descriptors that Yomi makes and nothing else. For each graph it offers engines that must not be
 * taken before one that may: one that loses precision, one that compiles, one whose plan does not
 * work, one with a large workspace. With activations other than relu only the one that compiles
 * works. */
#pragma once

#include "eval/net/cuda/cudnn.h"

/* The table, for yo_cudnn_replace. */
extern const struct yo_cudnn fake_cudnn;

struct fake_cudnn_state {
    int (*fails)(void); /* asked at each call that may fail; not zero: it does */
    bool spoils;        /* results are wrong */
    bool refuses;       /* it has no engine that works */
    int failed;         /* calls that failed */
    int alive;          /* handles and descriptors that are not released */
    int executions;     /* plans run */
    int fused;          /* those with more than a convolution */
    char wrong[200];    /* the first mistake of the caller, or "" */
};
extern struct fake_cudnn_state fake_cudnn_state;
