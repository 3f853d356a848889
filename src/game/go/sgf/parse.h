/* The parser's state: one run over one input in one idea of its charset. read.c makes the runs;
 * nobody else needs this. */
#pragma once

#include "game/go/sgf/charset.h"
#include "game/go/sgf/tree.h"

struct sgf_place {
    int line, column;
};

/* A file that is well-formed UTF-8 and has enough of it is UTF-8, whatever it says: text of other
 * charsets passes the test by accident only when it is very short. */
enum sgf_utf8 { SGF_NOT_UTF8, SGF_MAYBE_UTF8, SGF_SURELY_UTF8 };

struct sgf_parser {
    /* In: */
    const char *at, *end;
    struct yo_sgf *sgf; /* an empty one, filled by the run */
    struct yo_diag *diag;
    enum sgf_utf8 utf8;
    bool forced_utf8;  /* by a byte order mark, or since the input was converted */
    bool ignore_pairs; /* take no byte as part of the one before, whatever CA says */
    /* Out: */
    bool used_pairs;
    bool guessed; /* no CA, and bytes that are not UTF-8 */

    struct sgf_charset charset; /* starts as ISO-8859-1 */
    char declared[32];          /* the CA it was opened for, or "" */
    struct sgf_place place;     /* of `at` */
    struct yo_sgf_node *node;
    size_t depth;
    size_t odd_values;
    struct yo_buf scratch;
};

enum yo_err yo_sgf_parser_run(struct sgf_parser *p);
