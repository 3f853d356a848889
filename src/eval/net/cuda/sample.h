/* Compares samples of a GPU's results with the CPU's: one position of a worker's first batch, later
 * one now and then, so that the comparisons take a thousandth of the time. */
#pragma once

#include "eval/net/cuda/program.h"

struct yo_net_sample;

/* For boards of one size. All memory that a comparison needs is allocated here. */
enum yo_err yo_net_sample_new(struct yo_net_cuda_program *program, int size,
                              struct yo_net_sample **sample, struct yo_diag *diag);
void yo_net_sample_delete(struct yo_net_sample *sample);
/* False if a comparison was due and position `number` of the batch, which the GPU has computed, is
 * wrong. A position that the CPU cannot compute is not compared. */
bool yo_net_sample_agrees(struct yo_net_sample *sample, const struct yo_net_batch *batch,
                          int number);
/* The next call compares, however recent the last comparison is. */
void yo_net_sample_again(struct yo_net_sample *sample);
