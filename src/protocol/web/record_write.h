/* Shared by the files of record.write: the nodes of the request, and the record that is made of
 * them. */
#pragma once

#include "protocol/web/record.h"

enum { WEB_LINE = 20 };

/* What an analysis found, from a node's `found`. */
struct web_found {
    bool known;
    double winrate, score; /* Black's */
    int64_t visits, nodes, cp, mate, depth;
    yo_move pv[WEB_LINE];
    size_t length;
};

struct web_writer {
    const json_t *record, *nodes;
    size_t count;
    struct web_game start; /* the first position, for the text of moves */
    struct yo_diag *diag;
    struct yo_sgf *sgf;
    struct yo_sgf_node **go; /* by node */
    uint8_t *to_move;        /* by node: the colour to move after it */
    struct yo_shogi_record *kif;
    int *shogi;                          /* by node */
    struct yo_shogi_position *positions; /* by node */
};

enum yo_err yo_web_record_no_memory(struct web_writer *w);
/* The node's `found`; known is false without one. */
enum yo_err yo_web_record_found(const struct web_writer *w, const json_t *node,
                                struct web_found *out);
const char *yo_web_record_comment(const json_t *node);
const json_t *yo_web_record_node(const struct web_writer *w, size_t i);
/* The number of the node's parent, which stands before it. */
enum yo_err yo_web_record_parent(const struct web_writer *w, size_t i, int64_t *parent);

enum yo_err yo_web_write_go(struct web_writer *w, const json_t *headers, struct yo_buf *text);
/* *lost: what the format cannot hold, or NULL. */
enum yo_err yo_web_write_shogi(struct web_writer *w, const json_t *headers,
                               enum yo_shogi_format format, struct yo_buf *text, const char **lost);
