#include "eval/net/game.h"

#include <math.h>

#include "eval/net/go.h"

const struct yo_net_game *yo_net_game(const struct yo_net *net) {
    (void)net;
    return &yo_net_go;
}

void yo_net_softmax(float *values, size_t count) {
    double most = -INFINITY, sum = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, (double)values[i]);
    for (size_t i = 0; i < count; i++) {
        values[i] = (float)exp((double)values[i] - most);
        sum += (double)values[i];
    }
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((double)values[i] / sum);
}
