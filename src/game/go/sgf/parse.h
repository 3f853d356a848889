/* The parser's state: one pass over one input with one assumption about its charset. Private to
 * read.c and parse.c. */
#pragma once

#include "game/go/sgf/charset.h"
#include "game/go/sgf/tree.h"

struct sgf_place {
    int line, column;
};

/* A file that is well-formed UTF-8 and has enough non-ASCII text is UTF-8, whatever CA it declares:
 * only very short text in other charsets passes the test by accident. */
enum sgf_utf8 { SGF_NOT_UTF8, SGF_MAYBE_UTF8, SGF_SURELY_UTF8 };

struct sgf_parser {
    /* In: */
    const char *at, *end;
    struct yo_sgf *sgf;   /* empty at first, filled by the run */
    struct yo_diag *diag; /* not NULL */
    enum sgf_utf8 utf8;
    bool forced_utf8;  /* by a byte order mark, or because the input was converted */
    bool ignore_pairs; /* treat every byte as a character, whatever CA says */
    /* Out: */
    bool used_pairs;
    bool guessed; /* no CA, and bytes that are not UTF-8 */
    bool cut;     /* the input ends within a game */

    struct sgf_charset charset; /* starts as ISO-8859-1 */
    char declared[32];          /* the CA it was opened for, or "" */
    struct sgf_place place;     /* of `at` */
    struct yo_sgf_node *node;
    size_t depth;
    size_t odd_values;
    struct yo_buf scratch;
};

enum yo_err yo_sgf_parser_run(struct sgf_parser *p);
