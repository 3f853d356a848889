#include "base/nearest.h"

#include <string.h>

enum { LENGTH_MAX = 63 };

/* ASCII only: all names are ASCII, and a locale must not change what matches. */
static char fold(char c) {
    if (c >= 'A' && c <= 'Z') return (char)(c - 'A' + 'a');
    return c == '_' ? '-' : c;
}

bool yo_name_equal(const char *a, const char *b) {
    while (*a && fold(*a) == fold(*b))
        a++, b++;
    return *a == *b;
}

static size_t min2(size_t a, size_t b) { return a < b ? a : b; }

/* Optimal string alignment with three rolling rows: row[i % 3][j] is the distance between the
 * first i characters of a and the first j of b. */
size_t yo_edit_distance(const char *a, const char *b) {
    size_t a_len = min2(strlen(a), LENGTH_MAX), b_len = min2(strlen(b), LENGTH_MAX);
    size_t row[3][LENGTH_MAX + 1];
    for (size_t j = 0; j <= b_len; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t *now = row[i % 3], *above = row[(i - 1) % 3], *swap = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            bool same = fold(a[i - 1]) == fold(b[j - 1]);
            size_t best = min2(min2(above[j], now[j - 1]) + 1, above[j - 1] + !same);
            bool swapped = i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
                           fold(a[i - 2]) == fold(b[j - 1]);
            now[j] = swapped ? min2(best, swap[j - 2] + 1) : best;
        }
    }
    return row[a_len % 3][b_len];
}

static bool is_prefix(const char *text, const char *name) {
    size_t i = 0;
    while (text[i] && fold(text[i]) == fold(name[i]))
        i++;
    return i >= 2 && text[i] == '\0';
}

/* Up to a third of the letters may be wrong, and one of two letters. An abbreviation counts as one
 * wrong letter. */
void yo_nearest_offer(struct yo_nearest *nearest, const char *name) {
    size_t allowed = (strlen(nearest->text) + 1) / 3;
    size_t distance = yo_edit_distance(nearest->text, name);
    if (is_prefix(nearest->text, name)) distance = min2(distance, 1);
    if (distance > allowed || distance >= strlen(name)) return;
    if (nearest->best && distance >= nearest->distance) return;
    nearest->best = name;
    nearest->distance = distance;
}
