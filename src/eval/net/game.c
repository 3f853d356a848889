#include "eval/net/game.h"

#include <math.h>

#include "eval/net/go.h"
#include "eval/net/shogi.h"

const struct yo_net_game *yo_net_game(const struct yo_net *net) {
    switch (net->format) {
    case YO_NET_DLSHOGI:
        return &yo_net_dlshogi;
    case YO_NET_PIECES:
        return &yo_net_pieces;
    case YO_NET_KATAGO:
        break;
    }
    return &yo_net_go;
}

void yo_net_softmax(float *values, size_t count) {
    float most = -INFINITY;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        if (values[i] > most) most = values[i];
    for (size_t i = 0; i < count; i++) {
        values[i] = (float)exp((double)values[i] - (double)most);
        sum += (double)values[i];
    }
    for (size_t i = 0; i < count; i++)
        values[i] = (float)((double)values[i] / sum);
}
