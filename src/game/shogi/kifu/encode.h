/* Records as bytes of a file: the format and the charset that people expect behind a file's name.
 * Kifu programs write .kif and .ki2 in Shift_JIS as Windows has it (CP932), .kifu and .ki2u in
 * UTF-8. */
#pragma once

#include "game/shogi/kifu/record.h"

enum yo_shogi_charset { YO_SHOGI_UTF8, YO_SHOGI_SHIFT_JIS };

struct yo_shogi_writing {
    enum yo_shogi_format format;
    enum yo_shogi_charset charset;
    bool replaces; /* what Shift_JIS lacks becomes U+3013 (the geta mark) and is counted; if not, it
                      is an error that names the character and its place */
};

/* By the ending of the name, in any case; false, with nothing written, if it is none of ours. */
bool yo_shogi_writing_of_name(const char *path, struct yo_shogi_writing *how);
/* As the record was read. */
struct yo_shogi_writing yo_shogi_writing_as_read(const struct yo_shogi_record *record);

/* Appends the bytes. *replaced (may be NULL) says how many characters were. On failure nothing is
 * appended. */
enum yo_err yo_shogi_record_encode(const struct yo_shogi_record *record,
                                   const struct yo_shogi_writing *how, struct yo_buf *out,
                                   size_t *replaced, struct yo_diag *diag);

/* What a record has that the format cannot hold, in words for a person; NULL if there is nothing:
 * variations and bookmarks in CSA, times in KI2. */
const char *yo_shogi_writing_loss(const struct yo_shogi_record *record,
                                  enum yo_shogi_format format);
