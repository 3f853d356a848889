#include "engine/shogi_note.h"

static const char *comment_of(const struct yo_shogi_record *record, int node) {
    return yo_shogi_record_text(record, record->nodes[node].comment);
}

bool yo_shogi_noted(const struct yo_shogi_record *record, int node, enum yo_shogi_note_form form,
                    int *score_black) {
    return yo_shogi_note_read(comment_of(record, node), form, score_black);
}

int yo_shogi_noted_variation(const struct yo_shogi_record *record, int node,
                             enum yo_shogi_note_form form) {
    const struct yo_shogi_node *nodes = record->nodes;
    int first = nodes[node].child, score;
    if (first == YO_SHOGI_NO_NODE) return YO_SHOGI_NO_NODE;
    for (int n = nodes[first].sibling; n != YO_SHOGI_NO_NODE; n = nodes[n].sibling)
        if (yo_shogi_noted(record, n, form, &score)) return n;
    return YO_SHOGI_NO_NODE;
}

/* Rewrites the comment: the lines that are not ours, then the note, if any. */
static enum yo_err annotate(struct yo_shogi_record *record, int node, enum yo_shogi_note_form form,
                            const struct yo_shogi_note *note, const struct yo_shogi_position *pos,
                            int previous) {
    struct yo_buf comment = {0};
    yo_shogi_note_strip(comment_of(record, node), form, &comment);
    if (comment.len && note) yo_buf_char(&comment, '\n');
    if (note) yo_shogi_note_write(&comment, form, note, pos, previous);
    enum yo_err err = yo_buf_status(&comment);
    if (!err)
        err = yo_shogi_record_set_text(record, &record->nodes[node].comment, yo_buf_text(&comment));
    yo_buf_free(&comment);
    return err;
}

enum yo_err yo_shogi_notes_forget(struct yo_shogi_record *record, int node,
                                  enum yo_shogi_note_form form) {
    int score;
    if (!yo_shogi_noted(record, node, form, &score)) return YO_OK;
    return annotate(record, node, form, NULL, NULL, YO_SHOGI_NO_SQUARE);
}

enum yo_err yo_shogi_notes_write(struct yo_shogi_record *record, int node,
                                 enum yo_shogi_note_form form, const struct yo_shogi_note *note,
                                 const struct yo_shogi_position *pos, int previous) {
    int old;
    while ((old = yo_shogi_noted_variation(record, node, form)) != YO_SHOGI_NO_NODE)
        yo_shogi_record_cut(record, old);
    return annotate(record, node, form, note, pos, previous);
}

enum yo_err yo_shogi_notes_add_line(struct yo_shogi_record *record, int node,
                                    enum yo_shogi_note_form form, const struct yo_shogi_note *note,
                                    const struct yo_shogi_position *pos) {
    struct yo_shogi_note first = *note; /* the score alone: the moves follow as nodes */
    first.length = 0;
    first.lost = 0;
    for (size_t i = 0; i < note->length; i++) {
        enum yo_err err = yo_shogi_record_add(record, node, note->line[i], YO_SHOGI_GOES_ON, &node);
        if (err == YO_ERR_RANGE) return YO_OK; /* the record is at its maximum length */
        if (!err && i == 0) err = annotate(record, node, form, &first, pos, YO_SHOGI_NO_SQUARE);
        if (err) return err;
    }
    return YO_OK;
}
