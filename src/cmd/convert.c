/* yomi convert: game records of shogi from one format or charset into another. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/notice.h"
#include "cmd/command.h"
#include "game/shogi/kifu/encode.h"

enum { BY_NAME, UTF_8, SHIFT_JIS };
static const char *const charsets[] = {
    [BY_NAME] = "name", [UTF_8] = "utf-8", [SHIFT_JIS] = "shift-jis", NULL};
static const char *const formats[] = {"name", "csa", "kif", "ki2", "jkf", NULL};

static enum yo_err choose_writing(const struct yo_options *o, const char *to,
                                  struct yo_shogi_writing *how, struct yo_diag *diag) {
    size_t format = yo_options_choice(o, "format"), charset = yo_options_choice(o, "charset");
    bool named = yo_shogi_writing_of_name(to, how);
    if (!named && format == 0) {
        yo_diag_set(diag, YO_ERR_ARGUMENT, "%.100s: the name tells no format", to);
        yo_diag_hint(diag, "names end in .kif, .kifu, .ki2, .ki2u, .csa or .jkf; or give --format");
        return YO_ERR_ARGUMENT;
    }
    if (format > 0) how->format = (enum yo_shogi_format)(format - 1);
    if (charset != BY_NAME)
        how->charset = charset == SHIFT_JIS ? YO_SHOGI_SHIFT_JIS : YO_SHOGI_UTF8;
    how->replaces = yo_options_bool(o, "replace");
    return YO_OK;
}

static enum yo_err write_bytes(const char *to, const struct yo_buf *bytes, struct yo_diag *diag) {
    if (strcmp(to, "-") != 0) return yo_file_replace(to, yo_buf_text(bytes), bytes->len, diag);
    int why = yo_file_write(STDOUT_FILENO, yo_buf_text(bytes), bytes->len);
    return why ? yo_diag_set(diag, YO_ERR_IO, "cannot write: %s", strerror(why)) : YO_OK;
}

static enum yo_err convert(const struct yo_shogi_record *record, const char *to,
                           const struct yo_shogi_writing *how, struct yo_diag *diag) {
    struct yo_buf bytes = {0};
    size_t replaced = 0;
    enum yo_err err = yo_shogi_record_encode(record, how, &bytes, &replaced, diag);
    if (err == YO_ERR_UNSUPPORTED)
        yo_diag_hint(diag, "write UTF-8 (.kifu, .ki2u, --charset utf-8), or give --replace");
    if (!err) err = write_bytes(to, &bytes, diag);
    yo_buf_free(&bytes);
    const char *loss = yo_shogi_writing_loss(record, how->format);
    if (!err && loss) yo_notice(&yo_cmd_notices, "%.100s: %s", to, loss);
    if (!err && replaced)
        yo_notice(&yo_cmd_notices,
                  "%.100s: characters that Shift_JIS lacks, written as \xe3\x80\x93: %zu", to,
                  replaced);
    return err;
}

static enum yo_err run(const struct yo_options *o, struct yo_diag *diag) {
    const char *from = yo_options_argument(o, 0), *to = yo_options_argument(o, 1);
    struct yo_shogi_writing how = {.format = YO_SHOGI_KIF};
    struct yo_shogi_record *record = NULL;
    struct yo_buf text = {0};
    enum yo_err err = choose_writing(o, to, &how, diag);
    if (!err) err = yo_file_read_text(strcmp(from, "-") == 0 ? "/dev/stdin" : from, &text, diag);
    if (!err) err = yo_shogi_record_parse(yo_buf_text(&text), text.len, from, &record, diag);
    if (!err && record->more)
        yo_notice(&yo_cmd_notices, "%.100s has more games; the first is written", from);
    if (!err) err = convert(record, to, &how, diag);
    yo_shogi_record_delete(record);
    yo_buf_free(&text);
    return err;
}

const struct yo_command yo_command_convert = {
    .name = "convert",
    .summary = "convert a shogi game record to another format or charset",
    .description =
        "Reads CSA, KIF, KI2, JKF (JSON) or a line of USI (startpos moves ..., or a SFEN), in "
        "UTF-8 or Shift_JIS, whatever the name of the file, and writes the format that the name of "
        "the new file stands for: .kif and .ki2 in Shift_JIS, as kifu programs on Windows expect, "
        ".kifu and .ki2u in UTF-8, .csa in CSA's version 2.2, or 3.0 in UTF-8 where there is more "
        "than ASCII, .jkf and .json in JKF.\n\n"
        "A character that Shift_JIS does not have is an error that names it, and no file is "
        "written; with --replace it becomes the geta mark, and a message says how many there "
        "were. A message also names what a format cannot hold (variations in CSA, times in "
        "KI2).",
    .examples = "yomi convert game.csa game.kif\n"
                "yomi convert game.kif game.kifu\n"
                "yomi convert game.kif - --format ki2",
    .options =
        (const struct yo_option[]){
            YO_CHOICE("format", YO_ON_CLI, "name", formats, "FORMAT",
                      "the format to write; name: by the name of the file"),
            YO_CHOICE("charset", YO_ON_CLI, "name", charsets, "CHARSET",
                      "the charset to write; name: by the name of the file"),
            YO_BOOL("replace", YO_ON_CLI, "false",
                    "write what Shift_JIS lacks as the geta mark instead of failing"),
            YO_OPTIONS_END,
        },
    .arguments =
        (const struct yo_argument[]){
            {.name = "FROM", .help = "the record to read; - for standard input"},
            {.name = "TO", .help = "the record to write; - for standard output"},
            {.name = NULL},
        },
    .run = run,
};
