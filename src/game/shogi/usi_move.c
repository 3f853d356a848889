#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "game/shogi/text.h"

static int parse_square(const char *text) {
    bool good = text[0] >= '1' && text[0] <= '9' && text[1] >= 'a' && text[1] <= 'i';
    return good ? shogi_square(text[0] - '1', text[1] - 'a') : YO_SHOGI_NO_SQUARE;
}

static yo_shogi_move parse_drop(const char *text) {
    int kind = text[0] >= 'A' && text[0] <= 'Z' ? yo_shogi_kind_of_letter(text[0]) : 0;
    int to = parse_square(text + 2);
    if (!kind || kind == YO_SHOGI_KING || to == YO_SHOGI_NO_SQUARE || text[4])
        return YO_SHOGI_NO_MOVE;
    return shogi_drop(kind, to);
}

static yo_shogi_move parse_step(const char *text) {
    int from = parse_square(text);
    int to = from == YO_SHOGI_NO_SQUARE ? from : parse_square(text + 2);
    if (to == YO_SHOGI_NO_SQUARE || from == to) return YO_SHOGI_NO_MOVE;
    yo_shogi_move move = shogi_move(from, to);
    if (text[4] == '\0') return move;
    return text[4] == '+' && text[5] == '\0' ? move | YO_SHOGI_PROMOTE : YO_SHOGI_NO_MOVE;
}

enum yo_err yo_shogi_move_parse(const char *text, yo_shogi_move *move, struct yo_diag *diag) {
    yo_shogi_move read = text[0] && text[1] == '*' ? parse_drop(text) : parse_step(text);
    if (read == YO_SHOGI_NO_MOVE) {
        yo_diag_set(diag, YO_ERR_PARSE, "%.20s is no move", text);
        yo_diag_hint(diag, "moves are written like 7g7f, 8h2b+ and P*5e");
        return YO_ERR_PARSE;
    }
    *move = read;
    return YO_OK;
}

char *yo_shogi_square_format(int square, char out[3]) {
    out[0] = (char)('1' + shogi_file(square));
    out[1] = (char)('a' + shogi_rank(square));
    out[2] = '\0';
    return out;
}

char *yo_shogi_move_format(yo_shogi_move move, char out[YO_SHOGI_MOVE_TEXT]) {
    if (move == YO_SHOGI_NO_MOVE) return strcpy(out, "none");
    if (shogi_to(move) >= YO_SHOGI_SQUARES || shogi_dropped(move) >= YO_SHOGI_KING) {
        snprintf(out, YO_SHOGI_MOVE_TEXT, "%#x", (unsigned)move); /* from a damaged file */
        return out;
    }
    if (shogi_is_drop(move)) {
        out[0] = yo_shogi_letters[shogi_dropped(move)];
        out[1] = '*';
    } else {
        yo_shogi_square_format(shogi_from(move), out);
    }
    yo_shogi_square_format(shogi_to(move), out + 2);
    if (shogi_promotes(move)) strcpy(out + 4, "+");
    return out;
}
