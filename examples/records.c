/* yomi/sgf.h: reads a record, comments its last move, and writes it. */
#include <stdio.h>
#include <string.h>
#include <yomi/sgf.h>

int main(void) {
    static const char record[] = "(;GM[1]SZ[9]PB[Ann]PW[Ben];B[ee];W[gc];B[cg])";
    struct yo_sgf *sgf;
    struct yo_diag diag;
    char *text;
    size_t len;
    if (yo_sgf_parse(record, strlen(record), "record", &sgf, &diag)) {
        fprintf(stderr, "line %d, column %d: %s\n", diag.line, diag.column, diag.what);
        return 1;
    }
    struct yo_sgf_node *node = yo_sgf_root(sgf, 0);
    while (yo_sgf_child(node))
        node = yo_sgf_child(node);
    if (yo_sgf_set(sgf, node, "C", "A calm move.") || yo_sgf_write(sgf, &text, &len)) return 1;
    printf("%s", text);
    yo_sgf_free_text(text);
    yo_sgf_delete(sgf);
    return 0;
}
