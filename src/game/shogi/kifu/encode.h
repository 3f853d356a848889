/* Encodes records for files: the format and the charset that a file name implies. Kifu programs
 * write .kif and .ki2 in Shift_JIS as on Windows (CP932), .kifu and .ki2u in UTF-8. */
#pragma once

#include "game/shogi/kifu/record.h"

enum yo_shogi_charset { YO_SHOGI_UTF8, YO_SHOGI_SHIFT_JIS };

struct yo_shogi_writing {
    enum yo_shogi_format format;
    enum yo_shogi_charset charset;
    bool replaces; /* characters that Shift_JIS lacks become U+3013 (the geta mark) and are
                      counted; if false, such a character is an error that names it and its place */
};

/* Chosen by the file name extension, in any case. False, with nothing written, if it is unknown. */
bool yo_shogi_writing_of_name(const char *path, struct yo_shogi_writing *how);
/* The format and charset in which the record was read. */
struct yo_shogi_writing yo_shogi_writing_as_read(const struct yo_shogi_record *record);

/* Appends the bytes. *replaced (may be NULL) is the number of replaced characters. On failure
 * nothing is appended. */
enum yo_err yo_shogi_record_encode(const struct yo_shogi_record *record,
                                   const struct yo_shogi_writing *how, struct yo_buf *out,
                                   size_t *replaced, struct yo_diag *diag);

/* A message that names what the format cannot hold of this record: variations and bookmarks in CSA,
 * times in KI2. NULL if nothing is lost. */
const char *yo_shogi_writing_loss(const struct yo_shogi_record *record,
                                  enum yo_shogi_format format);
