/* The text of 3x3 patterns: no input does harm, and what fails says why. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "game/go/patterns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct yo_go_patterns table;
    struct yo_diag diag = {0};
    if (size > 200) return 0; /* what is compiled takes its time, and teaches nothing more */
    char *text = malloc(size ? size : 1); /* no byte behind it may be read */
    if (!text) return 0;
    memcpy(text, data, size);
    if (yo_go_patterns_parse(text, size, "patterns", &table, &diag) && diag.what[0] == '\0')
        __builtin_trap();
    free(text);
    return 0;
}
