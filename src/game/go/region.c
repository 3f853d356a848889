#include "game/go/region.h"

#include <string.h>

#include "game/go/geometry.h"

void yo_go_region_find(int size, const uint8_t *colors, yo_go_point start, uint8_t *seen,
                       struct yo_go_region *region) {
    const struct yo_go_geometry *g = yo_go_geometry(size);
    uint8_t color = colors[start];
    memset(region->touches, 0, sizeof region->touches);
    region->count = 0;
    region->points[region->count++] = start;
    seen[start] = 1;
    for (int i = 0; i < region->count; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = g->nbr[region->points[i]][d];
            if (q == YO_GO_OFF_POINT) continue;
            if (colors[q] != color) region->touches[colors[q]] = true;
            if (colors[q] != color || seen[q]) continue;
            seen[q] = 1;
            region->points[region->count++] = (yo_go_point)q;
        }
}

void yo_go_region_colors(const struct yo_go_game *game, const uint8_t *dead, uint8_t *colors) {
    int points = yo_go_game_size(game) * yo_go_game_size(game);
    for (int p = 0; p < points; p++)
        colors[p] = dead && dead[p] ? YO_GO_EMPTY : (uint8_t)yo_go_game_at(game, (yo_go_point)p);
}

void yo_go_region_owners(const struct yo_go_game *game, const uint8_t *dead, uint8_t *owner) {
    int size = yo_go_game_size(game), points = size * size;
    uint8_t colors[YO_GO_POINTS_MAX], seen[YO_GO_POINTS_MAX] = {0};
    struct yo_go_region region;
    yo_go_region_colors(game, dead, colors);
    memcpy(owner, colors, (size_t)points);
    for (int p = 0; p < points; p++) {
        if (colors[p] != YO_GO_EMPTY || seen[p]) continue;
        yo_go_region_find(size, colors, (yo_go_point)p, seen, &region);
        if (region.touches[YO_GO_BLACK] == region.touches[YO_GO_WHITE]) continue;
        for (int i = 0; i < region.count; i++)
            owner[region.points[i]] = region.touches[YO_GO_BLACK] ? YO_GO_BLACK : YO_GO_WHITE;
    }
}
