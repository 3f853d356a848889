#include "support/perft_table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/go/perft.h"
#include "support/naive_game.h"
#include "support/test.h"

/* "1,234" or "1234"; 0 for an empty cell. */
static uint64_t number(const char *cell) {
    uint64_t n = 0;
    for (; *cell; cell++)
        if (isdigit((unsigned char)*cell)) n = 10 * n + (uint64_t)(*cell - '0');
    return n;
}

static int ko_by_name(const char *cell) {
    if (strstr(cell, "simple")) return 0;
    if (strstr(cell, "positional")) return 1;
    assert_non_null(strstr(cell, "situational"));
    return 2;
}

/* | size | ko | suicide | passes | count of depth 1 | count of depth 2 | ... */
static int read_line(char *line, void (*check)(const struct perft_row *row)) {
    char *cells[32] = {NULL}, *rest = line + 1;
    int n = 0, found = 0;
    while (n < 32 && (cells[n] = strsep(&rest, "|")) && rest)
        n++;
    assert_true(n > 4);
    struct perft_row row = {.size = (int)strtol(cells[0], NULL, 10), .ko = ko_by_name(cells[1])};
    row.suicide = strstr(cells[2], "yes");
    row.passes = strstr(cells[3], "yes");
    for (int i = 4; i < n; i++) {
        row.depth = i - 3;
        row.count = number(cells[i]);
        if (row.count == 0) continue;
        check(&row);
        found++;
    }
    return found;
}

int perft_table_read(void (*check)(const struct perft_row *row)) {
    char line[1024];
    int found = 0;
    FILE *file = fopen("docs/perft.md", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (line[0] == '|' && isdigit((unsigned char)line[2])) found += read_line(line, check);
    fclose(file);
    return found;
}

uint64_t perft_fast(const struct perft_row *row) {
    struct yo_go_rules rules = yo_go_rules_default;
    rules.ko = (enum yo_go_ko)row->ko;
    rules.suicide = row->suicide;
    struct yo_go_game *game;
    struct yo_go_position position;
    assert_int_equal(yo_go_game_new(row->size, &rules, &game), YO_OK);
    yo_go_position_from_game(game, &position);
    uint64_t count = yo_go_perft(&position, row->depth, row->passes);
    yo_go_game_delete(game);
    return count;
}

uint64_t perft_naive(const struct perft_row *row) {
    static struct naive_game game;
    naive_game_init(&game, row->size, (enum naive_ko)row->ko, row->suicide);
    return naive_perft(&game, row->depth, row->passes);
}
