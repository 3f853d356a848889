/* Tables of probabilities and the games they are learned from: no input does harm, what fails says
 * why, and a table that parses is written and read back the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "learn/probability.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(const struct yo_probability_table *table) {
    struct yo_probability_table again;
    struct yo_buf text = {0};
    yo_probability_write(table, &text);
    if (yo_probability_parse(yo_buf_text(&text), "again", &again, NULL)) __builtin_trap();
    if (memcmp(table->played, again.played, sizeof again.played) != 0) __builtin_trap();
    yo_buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct yo_probability_table table = {0};
    struct yo_diag diag = {0};
    if (yo_probability_parse(text, "table", &table, &diag) == YO_OK)
        check_table(&table);
    else if (diag.what[0] == '\0')
        __builtin_trap();
    if (memchr(text, 'm', size) && size < 400 &&
        yo_probability_learn(&table, text, size, "games", 0, &diag) != YO_OK && !diag.what[0])
        __builtin_trap();
    free(text);
    return 0;
}
