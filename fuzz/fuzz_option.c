/* The option parsers: the input's lines are the words of a command line; then each word is also
 * taken for "key=value" from a protocol. */
#include <stdint.h>
#include <string.h>

#include "base/option.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const choices[] = {"light", "mogo", NULL};
static const struct yo_option rows[] = {
    YO_INT("size", YO_EVERYWHERE, "9", 2, 19, "N", ""),
    YO_REAL("komi", YO_EVERYWHERE, "7.5", -400, 400, "K", ""),
    YO_CHOICE("policy", YO_EVERYWHERE, "light", choices, "NAME", ""),
    YO_BOOL("json", YO_EVERYWHERE, "false", ""),
    YO_STRING("log-file", YO_EVERYWHERE, NULL, "FILE", ""),
    YO_OPTIONS_END,
};
static const struct yo_argument arguments[] = {
    {.name = "POLICY", .choices = choices, .optional = true, .help = ""},
    {.name = "FILE", .optional = true, .many = true, .help = ""},
    {.name = NULL},
};

/* Whatever was read, the values must be ones the rows allow. */
static void check_values(const struct yo_options *options) {
    int64_t size = yo_options_int(options, "size");
    double komi = yo_options_real(options, "komi");
    if (size < 2 || size > 19 || !(komi >= -400 && komi <= 400)) __builtin_trap();
    if (yo_options_choice(options, "policy") > 1) __builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { WORDS = 32, BYTES = 4096 };
    char text[BYTES + 1], *argv[WORDS], *rest = text;
    int argc = 0;
    size_t len = size < BYTES ? size : BYTES;
    memcpy(text, data, len);
    text[len] = '\0';
    for (char *word; argc < WORDS && (word = strsep(&rest, "\n"));)
        argv[argc++] = word;

    struct yo_options options;
    struct yo_diag diag;
    bool help;
    if (yo_options_init(&options, rows, &diag)) return 0;
    yo_options_parse(&options, arguments, argc, argv, &help, &diag);
    check_values(&options);
    for (int i = 0; i < argc; i++) {
        char *value = argv[i], *key = strsep(&value, "=");
        yo_options_set(&options, YO_ON_USI, key, value ? value : "", &diag);
        check_values(&options);
    }
    yo_options_free(&options);
    return 0;
}
