/* Text of points, colours, komi and scores, as GTP and people write them. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "yomi/go.h"

/* Go skips the letter I. */
static const char columns[] = "ABCDEFGHJKLMNOPQRST";

static enum yo_err bad_point(const char *text, int size, struct yo_diag *diag) {
    yo_diag_set(diag, YO_ERR_PARSE, "'%.20s' is not a point of a %dx%d board", text, size, size);
    if ((text[0] == 'i' || text[0] == 'I') && isdigit((unsigned char)text[1]))
        yo_diag_hint(diag, "the letter I is not used: after H comes J");
    else
        yo_diag_hint(diag, "points are A1 to %c%d, or pass", columns[size - 1], size);
    return YO_ERR_PARSE;
}

enum yo_err yo_go_point_parse(const char *text, int size, yo_go_point *point,
                              struct yo_diag *diag) {
    if (strcasecmp(text, "pass") == 0) {
        *point = YO_GO_PASS;
        return YO_OK;
    }
    if (strcasecmp(text, "resign") == 0) {
        *point = YO_GO_RESIGN;
        return YO_OK;
    }
    const char *letter = text[0] ? strchr(columns, toupper((unsigned char)text[0])) : NULL;
    if (!letter || letter - columns >= size) return bad_point(text, size, diag);
    int row = 0;
    const char *p = text + 1;
    for (; isdigit((unsigned char)*p) && row <= size; p++)
        row = 10 * row + (*p - '0');
    if (*p || row < 1 || row > size) return bad_point(text, size, diag);
    *point = (yo_go_point)((size - row) * size + (letter - columns));
    return YO_OK;
}

char *yo_go_point_format(yo_go_point point, int size, char out[8]) {
    if (point < size * size)
        snprintf(out, 8, "%c%u", columns[point % size], (unsigned)(size - point / size) % 100u);
    else
        strcpy(out, point == YO_GO_PASS ? "pass" : point == YO_GO_RESIGN ? "resign" : "none");
    return out;
}

enum yo_err yo_go_color_parse(const char *text, enum yo_go_color *color, struct yo_diag *diag) {
    if (strcasecmp(text, "b") == 0 || strcasecmp(text, "black") == 0) {
        *color = YO_GO_BLACK;
        return YO_OK;
    }
    if (strcasecmp(text, "w") == 0 || strcasecmp(text, "white") == 0) {
        *color = YO_GO_WHITE;
        return YO_OK;
    }
    yo_diag_set(diag, YO_ERR_PARSE, "'%.20s' is not a colour", text);
    yo_diag_hint(diag, "use b, black, w or white");
    return YO_ERR_PARSE;
}

static enum yo_err bad_komi(const char *text, enum yo_err err, struct yo_diag *diag) {
    yo_diag_set(diag, err, "'%.20s' cannot be the komi", text);
    yo_diag_hint(diag, "use a whole or half number from -4000 to 4000, such as 7.5 or 0");
    return err;
}

/* Not by strtod, which reads 7,5 in some locales and "nan" in all. */
enum yo_err yo_go_komi_parse(const char *text, int *komi2, struct yo_diag *diag) {
    const char *p = text;
    bool negative = *p == '-', digits = false, half = false;
    if (*p == '-' || *p == '+') p++;
    int whole = 0;
    for (; isdigit((unsigned char)*p); p++, digits = true)
        whole = whole > 4000 ? whole : 10 * whole + (*p - '0');
    if (*p == '.') {
        p++;
        half = *p == '5';
        if (*p == '5' || *p == '0') p++, digits = true;
        while (digits && *p == '0')
            p++;
    }
    if (*p || !digits) return bad_komi(text, YO_ERR_PARSE, diag);
    if (2 * whole + half > 8000) return bad_komi(text, YO_ERR_RANGE, diag);
    *komi2 = negative ? -(2 * whole + half) : 2 * whole + half;
    return YO_OK;
}

char *yo_go_score_format(const struct yo_go_score *score, char out[16]) {
    unsigned lead2 = score->lead2 < 0 ? 0u - (unsigned)score->lead2 : (unsigned)score->lead2;
    if (lead2 == 0)
        strcpy(out, "0");
    else
        snprintf(out, 16, "%c+%u%s", score->lead2 > 0 ? 'B' : 'W', lead2 / 2,
                 lead2 % 2 ? ".5" : "");
    return out;
}
