/* Error codes and error messages.
 * Every function that can fail returns enum yo_err; a struct yo_diag, where one is passed, is the
 * caller's storage and is filled only on failure. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define YO_ERR_LIST(X)                                                                             \
    X(YO_OK, "ok")                                                                                 \
    X(YO_ERR_NOMEM, "out of memory")                                                               \
    X(YO_ERR_ARGUMENT, "bad argument")                                                             \
    X(YO_ERR_RANGE, "value out of range")                                                          \
    X(YO_ERR_PARSE, "malformed input")                                                             \
    X(YO_ERR_ILLEGAL, "illegal move")                                                              \
    X(YO_ERR_UNKNOWN, "unknown name")                                                              \
    X(YO_ERR_UNSUPPORTED, "not supported")                                                         \
    X(YO_ERR_STATE, "not possible now")                                                            \
    X(YO_ERR_IO, "input or output failed")                                                         \
    X(YO_ERR_MISMATCH, "results disagree")                                                         \
    X(YO_ERR_CANCELLED, "cancelled")

enum yo_err {
#define X(name, text) name,
    YO_ERR_LIST(X)
#undef X
};

/* What failed, where, and how to fix it. line and column count from 1; 0 means unknown. */
struct yo_diag {
    enum yo_err err;
    int line;
    int column;
    char where[128]; /* a long file name has "..." in place of its beginning */
    char what[256];
    char hint[192];
};

/* The short text of a code, never NULL. */
const char *yo_err_text(enum yo_err err);

#ifdef __cplusplus
}
#endif
