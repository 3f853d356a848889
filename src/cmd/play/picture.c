#include "cmd/play/picture.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "game/go/handicap.h"

enum { GAP = 3, SWATCH = 4 }; /* columns between board and panel; of a stone in the panel */

/* Stone characters look inverted on a dark terminal, so the board has its own background. */
struct palette {
    const char *board, *grid, *black, *white, *mark, *reset;
};
static const struct palette colors_256 = {"\033[48;5;179m", "\033[38;5;94m",  "\033[38;5;16m",
                                          "\033[38;5;231m", "\033[48;5;167m", "\033[0m"};
static const struct palette colors_16 = {"\033[43m", "\033[30m", "\033[30m",
                                         "\033[97m", "\033[41m", "\033[0m"};

void yo_picture_of_game(struct yo_picture *picture, const struct yo_go_game *game) {
    size_t count = yo_go_game_move_count(game);
    memset(picture, 0, sizeof *picture);
    picture->size = yo_go_game_size(game);
    picture->marked = count ? yo_go_game_move(game, count - 1).move : YO_GO_NONE;
    for (int p = 0; p < picture->size * picture->size; p++) {
        enum yo_go_color color = yo_go_game_at(game, (yo_go_point)p);
        if (color == YO_GO_BLACK) picture->cell[p] = YO_CELL_BLACK;
        if (color == YO_GO_WHITE) picture->cell[p] = YO_CELL_WHITE;
    }
}

void yo_panel_add(struct yo_panel *panel, enum yo_cell stone, const char *fmt, ...) {
    if (panel->count == YO_PANEL_LINES) return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(panel->line[panel->count].text, sizeof panel->line[0].text, fmt, args);
    va_end(args);
    panel->line[panel->count++].stone = stone;
}

/* ---- single points ---- */

static const char *grid_sign(int size, int p) {
    static const char *const signs[3][3] = {{"┌", "┬", "┐"}, {"├", "┼", "┤"}, {"└", "┴", "┘"}};
    if (yo_go_is_star(size, (yo_go_point)p)) return "╋";
    int row = p / size, col = p % size;
    return signs[(row > 0) + (row == size - 1)][(col > 0) + (col == size - 1)];
}

static void add_graphic_cell(struct yo_buf *out, const struct yo_picture *picture, int p,
                             const struct palette *colors) {
    char label[2] = {picture->label[p], '\0'};
    const struct {
        const char *color, *sign;
    } looks[] = {
        [YO_CELL_EMPTY] = {colors->grid, grid_sign(picture->size, p)},
        [YO_CELL_BLACK] = {colors->black, "●"},
        [YO_CELL_WHITE] = {colors->white, "●"},
        [YO_CELL_BLACK_DEAD] = {colors->black, "×"},
        [YO_CELL_WHITE_DEAD] = {colors->white, "×"},
        [YO_CELL_BLACK_LAND] = {colors->black, "▪"},
        [YO_CELL_WHITE_LAND] = {colors->white, "▪"},
        [YO_CELL_LABEL] = {colors->black, label},
    };
    bool marked = picture->marked == p;
    yo_buf_printf(out, "%s%s%s%s", marked ? colors->mark : "", looks[picture->cell[p]].color,
                  looks[picture->cell[p]].sign, marked ? colors->board : "");
}

static char ascii_cell(const struct yo_picture *picture, int p) {
    static const char signs[] = {
        [YO_CELL_BLACK] = 'X',      [YO_CELL_WHITE] = 'O',      [YO_CELL_BLACK_DEAD] = 'x',
        [YO_CELL_WHITE_DEAD] = 'o', [YO_CELL_BLACK_LAND] = 'b', [YO_CELL_WHITE_LAND] = 'w'};
    if (picture->cell[p] == YO_CELL_EMPTY)
        return yo_go_is_star(picture->size, (yo_go_point)p) ? '+' : '.';
    return picture->cell[p] == YO_CELL_LABEL ? picture->label[p] : signs[picture->cell[p]];
}

/* ---- lines ---- */

/* The text between two points. Beside the marked point it has the mark's background, since one cell
 * alone is hard to see. */
static void add_between(struct yo_buf *out, const struct palette *colors, const char *sign,
                        bool marked) {
    yo_buf_printf(out, "%s%s%s%s", colors->grid, marked ? colors->mark : "", sign,
                  marked ? colors->board : "");
}

static void add_graphic_row(struct yo_buf *out, const struct yo_picture *picture, int row,
                            bool wide, const struct palette *colors) {
    int size = picture->size, first = row * size;
    yo_buf_str(out, colors->board);
    for (int p = first; p < first + size; p++) {
        bool beside = picture->marked == p || (p > first && picture->marked == p - 1);
        if (wide || p == first) add_between(out, colors, p == first ? " " : "─", wide && beside);
        add_graphic_cell(out, picture, p, colors);
    }
    add_between(out, colors, " ", wide && picture->marked == first + size - 1);
    yo_buf_str(out, colors->reset);
}

static void add_ascii_row(struct yo_buf *out, const struct yo_picture *picture, int row,
                          bool wide) {
    int size = picture->size, marked = picture->marked / size == row ? picture->marked % size : -2;
    for (int col = 0; col < size; col++) {
        bool here = marked == col, before = marked == col - 1;
        if (wide || col == 0) yo_buf_char(out, here && wide ? '(' : before && wide ? ')' : ' ');
        yo_buf_char(out, ascii_cell(picture, row * size + col));
    }
    yo_buf_char(out, wide && marked == size - 1 ? ')' : ' ');
}

static void add_letters(struct yo_buf *out, int size, bool wide) {
    yo_buf_str(out, "    ");
    for (int col = 0; col < size; col++) {
        if (wide && col > 0) yo_buf_char(out, ' ');
        yo_buf_char(out, "ABCDEFGHJKLMNOPQRST"[col]);
    }
    yo_buf_str(out, "    ");
}

static void add_board_line(struct yo_buf *out, const struct yo_picture *picture, int line,
                           bool wide, const struct yo_picture_style *style) {
    int size = picture->size, row = line - 1;
    if (line == 0 || line == size + 1) {
        add_letters(out, size, wide);
        return;
    }
    yo_buf_printf(out, "%2d ", size - row);
    if (style->graphic)
        add_graphic_row(out, picture, row, wide, style->many_colors ? &colors_256 : &colors_16);
    else
        add_ascii_row(out, picture, row, wide);
    yo_buf_printf(out, " %-2d", size - row);
}

static void add_panel_line(struct yo_buf *out, const struct yo_panel *panel, size_t i,
                           const struct yo_picture_style *style) {
    const struct palette *colors = style->many_colors ? &colors_256 : &colors_16;
    bool black = panel->line[i].stone == YO_CELL_BLACK;
    if (panel->line[i].stone != YO_CELL_EMPTY && style->graphic)
        yo_buf_printf(out, "%s%s ● %s ", colors->board, black ? colors->black : colors->white,
                      colors->reset);
    else if (panel->line[i].stone != YO_CELL_EMPTY)
        yo_buf_printf(out, " %c  ", black ? 'X' : 'O');
    yo_buf_str(out, panel->line[i].text);
}

/* The width of the longest line, not the maximum: beside a 19x19 board columns are scarce, and
 * below it the panel would push the board off a screen of 24 rows. */
static int panel_width(const struct yo_panel *panel) {
    int width = 0;
    for (size_t i = 0; i < panel->count; i++) {
        int stone = panel->line[i].stone != YO_CELL_EMPTY ? SWATCH : 0;
        int line = stone + (int)strlen(panel->line[i].text);
        if (line > width) width = line;
    }
    return width;
}

/* Removes trailing blanks, since tests compare transcripts. */
static void end_line(struct yo_buf *out) {
    while (out->len > 0 && out->data[out->len - 1] == ' ')
        out->len--;
    yo_buf_char(out, '\n');
}

static void add_panel_below(struct yo_buf *out, const struct yo_panel *panel,
                            const struct yo_picture_style *style) {
    for (size_t i = 0; i < panel->count; i++) {
        if (!panel->line[i].text[0]) continue;
        add_panel_line(out, panel, i, style);
        end_line(out);
    }
}

void yo_picture_draw(struct yo_buf *out, const struct yo_picture *picture,
                     const struct yo_panel *panel, const struct yo_picture_style *style) {
    int size = picture->size, edges = 8;
    bool wide = edges + 2 * size - 1 <= style->width;
    int board_width = edges + (wide ? 2 * size - 1 : size);
    bool beside = panel && board_width + GAP + panel_width(panel) <= style->width;
    int panel_lines = beside ? (int)panel->count : 0;
    for (int line = 0; line < size + 2 || line - 1 < panel_lines; line++) {
        if (line < size + 2)
            add_board_line(out, picture, line, wide, style);
        else
            yo_buf_printf(out, "%*s", board_width, "");
        if (line > 0 && line - 1 < panel_lines) {
            yo_buf_printf(out, "%*s", GAP, "");
            add_panel_line(out, panel, (size_t)line - 1, style);
        }
        end_line(out);
    }
    if (panel && !beside) add_panel_below(out, panel, style);
}
