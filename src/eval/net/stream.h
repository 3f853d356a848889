/* The bytes of a network file as a stream: decompressed if gzip, read as words, numbers and blocks
 * of floats. Memory grows with the data read, never with a length the file claims. Errors name the
 * part of the file and the byte. The bytes are the caller's and outlive the stream. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yomi/error.h"

struct yo_net_stream;

/* The version of zlib. */
const char *yo_net_stream_zlib(void);

enum yo_err yo_net_stream_new(const void *bytes, size_t len, struct yo_net_stream **stream,
                              struct yo_diag *diag);
void yo_net_stream_delete(struct yo_net_stream *stream);

/* Sets the part of the file that errors name: "trunk", "policy head conv1p". */
void yo_net_stream_part(struct yo_net_stream *stream, const char *part);

/* The next word: printable characters up to white space. `what` is for the message. */
enum yo_err yo_net_stream_word(struct yo_net_stream *stream, const char *what, char *out,
                               size_t size, struct yo_diag *diag);
enum yo_err yo_net_stream_int(struct yo_net_stream *stream, const char *what, int min, int max,
                              int *out, struct yo_diag *diag);
/* The next number, which must be finite. */
enum yo_err yo_net_stream_double(struct yo_net_stream *stream, const char *what, double *out,
                                 struct yo_diag *diag);
/* `count` finite floats, as words or after "@BIN@" as little-endian bytes. Release *out with
 * yo_free. */
enum yo_err yo_net_stream_floats(struct yo_net_stream *stream, const char *what, size_t count,
                                 float **out, struct yo_diag *diag);
/* Fails if more than some white space is left, or if the packed data has no end. */
enum yo_err yo_net_stream_end(struct yo_net_stream *stream, struct yo_diag *diag);

/* An error at this place of the stream: "part: what, at byte n". Returns err. */
enum yo_err yo_net_stream_error(const struct yo_net_stream *stream, enum yo_err err,
                                struct yo_diag *diag, const char *what);
