/* A network's graph computed number by number, each from its definition and with no regard to time:
 * the judge of the reference backend. */
#pragma once

#include "eval/net/graph.h"

/* The number at channel c and point (x, y) of a tensor; 0 beyond the edge. planes[plane][point] and
 * globals are the inputs. Vectors have one point, (0, 0). */
struct naive_net {
    const struct yo_net_graph *graph;
    int size;
    const float *planes, *globals;
    double **known; /* numbers of each tensor, computed when first asked for */
};

void naive_net_start(struct naive_net *net, const struct yo_net_graph *graph, int size,
                     const float *planes, const float *globals);
double naive_net_at(struct naive_net *net, int tensor, int c, int y, int x);
void naive_net_end(struct naive_net *net);
