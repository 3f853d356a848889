/* Characters and escaping. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* <ctype.h> follows the locale; a file format must not. */
static inline bool sgf_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static inline bool sgf_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static inline bool sgf_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool sgf_is_alpha(char c) { return sgf_is_upper(c) || sgf_is_lower(c); }
static inline bool sgf_is_alnum(char c) { return sgf_is_alpha(c) || sgf_is_digit(c); }
static inline bool sgf_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline char sgf_to_upper(char c) { return sgf_is_lower(c) ? (char)(c - 'a' + 'A') : c; }

/* Does decoding change anything? */
bool yo_sgf_text_is_plain(const char *raw, size_t len);
/* Resolves escapes and soft line breaks. Line breaks of any kind become '\n', or a space where the
 * property holds a single line (simple); other white space becomes a space. */
void yo_sgf_text_decode(const char *raw, size_t len, bool simple, struct yo_buf *out);
/* Escapes what would end the value or be taken for an escape. */
void yo_sgf_text_escape(const char *text, struct yo_buf *out);
