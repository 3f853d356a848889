/* A Go board as text, with Unicode and colours or in plain ASCII. A panel of a few lines is beside
 * it or, on a narrow terminal, below it. */
#pragma once

#include "base/buf.h"
#include "yomi/go.h"

enum yo_cell {
    YO_CELL_EMPTY,
    YO_CELL_BLACK,
    YO_CELL_WHITE,
    YO_CELL_BLACK_DEAD,
    YO_CELL_WHITE_DEAD,
    YO_CELL_BLACK_LAND, /* an empty point owned by Black */
    YO_CELL_WHITE_LAND,
    YO_CELL_LABEL, /* an empty point that shows its label */
};

struct yo_picture {
    int size;
    yo_go_point marked; /* the last move, or a value that is not on the board */
    uint8_t cell[YO_GO_POINTS_MAX];
    char label[YO_GO_POINTS_MAX];
};

#define YO_PANEL_LINES 8
#define YO_PANEL_WIDTH 30

struct yo_panel {
    size_t count;
    struct {
        enum yo_cell stone; /* shown before the text; YO_CELL_EMPTY for none */
        char text[YO_PANEL_WIDTH + 1];
    } line[YO_PANEL_LINES];
};

struct yo_picture_style {
    bool graphic;     /* Unicode and colours */
    bool many_colors; /* as in struct yo_term */
    int width;        /* columns of the terminal */
};

/* Takes the stones of a game and marks its last move. */
void yo_picture_of_game(struct yo_picture *picture, const struct yo_go_game *game);
/* Adds a line, cut to the panel's width. Lines beyond the panel's last are dropped. */
void yo_panel_add(struct yo_panel *panel, enum yo_cell stone, const char *fmt, ...) YO_PRINTF(3, 4);
/* panel may be NULL. */
void yo_picture_draw(struct yo_buf *out, const struct yo_picture *picture,
                     const struct yo_panel *panel, const struct yo_picture_style *style);
