/* Game records: a tree of moves with comments, times and variations, read from CSA, KIF, KI2 and
 * JKF and written back; lines of USI are read, too, and count as KIF. Text is UTF-8 in memory. A
 * record owns its nodes and strings; nodes are numbers, node 0 is the first position. */
#pragma once

#include "base/buf.h"
#include "game/shogi/position.h"

/* How a game ended: name, CSA's term, KIF's term. If a format has none, the nearest is written. The
 * side to move is the one that resigns, is mated, declares, or exceeds its time. */
#define YO_SHOGI_END_LIST(X)                                                                       \
    X(RESIGN, "TORYO", "投了")                                                                     \
    X(BREAK, "CHUDAN", "中断")                                                                     \
    X(REPETITION, "SENNICHITE", "千日手")                                                          \
    X(IMPASSE, "JISHOGI", "持将棋")                                                                \
    X(MATE, "TSUMI", "詰み")                                                                       \
    X(NO_MATE, "FUZUMI", "不詰")                                                                   \
    X(TIME_UP, "TIME_UP", "切れ負け")                                                              \
    X(FOUL, "ILLEGAL_MOVE", "反則負け")                                                            \
    X(FOUL_BY_BLACK, "+ILLEGAL_ACTION", "反則勝ち")                                                \
    X(FOUL_BY_WHITE, "-ILLEGAL_ACTION", "反則勝ち")                                                \
    X(DECLARATION, "KACHI", "入玉勝ち")                                                            \
    X(DRAW, "HIKIWAKE", "引き分け")                                                                \
    X(MAX_MOVES, "MAX_MOVES", "最大手数")                                                          \
    X(TAKEN_BACK, "MATTA", "待った")                                                               \
    X(ERROR, "ERROR", "エラー")                                                                    \
    X(SEALED, "CHUDAN", "封じ手")                                                                  \
    X(WALKOVER_WIN, "CHUDAN", "不戦勝")                                                            \
    X(WALKOVER_LOSS, "CHUDAN", "不戦敗")

enum yo_shogi_end {
    YO_SHOGI_GOES_ON,
#define X(name, csa, kif) YO_SHOGI_END_##name,
    YO_SHOGI_END_LIST(X)
#undef X
        YO_SHOGI_ENDS
};

enum yo_shogi_format { YO_SHOGI_CSA, YO_SHOGI_KIF, YO_SHOGI_KI2, YO_SHOGI_JKF };

enum { YO_SHOGI_NO_NODE = -1, YO_SHOGI_RECORD_PLIES = 9999 };

struct yo_shogi_node {
    yo_shogi_move move; /* YO_SHOGI_NO_MOVE in the first node and in nodes with an `end` */
    uint8_t end;        /* enum yo_shogi_end */
    uint16_t ply;       /* moves from the first position; an end counts as one */
    int parent, child, sibling;
    int64_t time_ms;          /* spent on this move; -1: not known */
    size_t comment, bookmark; /* texts, see yo_shogi_record_text; 0: none */
};

struct yo_shogi_header {
    size_t key, value; /* texts; keys as in KIF, for example 先手 */
};

struct yo_shogi_record {
    enum yo_shogi_format format; /* as read */
    const char *charset;         /* as read: "UTF-8" or "CP932" */
    bool more;                   /* the file has more games, which were not read */
    struct yo_shogi_position start;
    struct yo_shogi_header *headers;
    size_t header_count, header_cap;
    struct yo_shogi_node *nodes;
    size_t node_count, node_cap;
    struct yo_buf texts; /* NUL-terminated strings one after another */
};

/* A record with the standard first position and one node. */
enum yo_err yo_shogi_record_new(struct yo_shogi_record **record);
void yo_shogi_record_delete(struct yo_shogi_record *record);

/* Detects encoding and format from the bytes. name is for messages. On failure *record is unchanged
 * and diag has line and column; the column counts characters. Of a CSA file with several games,
 * reads only the first. */
enum yo_err yo_shogi_record_parse(const char *bytes, size_t len, const char *name,
                                  struct yo_shogi_record **record, struct yo_diag *diag);
/* Appends the text in UTF-8. CSA has no variations: only the main line is written. */
enum yo_err yo_shogi_record_write(const struct yo_shogi_record *record, enum yo_shogi_format format,
                                  struct yo_buf *out);

/* Never NULL. */
const char *yo_shogi_record_text(const struct yo_shogi_record *record, size_t text);
/* The value of a header, or NULL. */
const char *yo_shogi_record_header(const struct yo_shogi_record *record, const char *key);
enum yo_err yo_shogi_record_add_header(struct yo_shogi_record *record, const char *key,
                                       const char *value);
/* Adds a new last child. */
enum yo_err yo_shogi_record_add(struct yo_shogi_record *record, int parent, yo_shogi_move move,
                                enum yo_shogi_end end, int *node);
/* Appends a line to a text, which may still be empty. */
enum yo_err yo_shogi_record_add_line(struct yo_shogi_record *record, size_t *text, const char *line,
                                     size_t len);
/* Replaces a text, such as a node's comment; "" for none. */
enum yo_err yo_shogi_record_set_text(struct yo_shogi_record *record, size_t *text,
                                     const char *value);
/* Removes a node, not the first, from the tree, with its subtree. */
void yo_shogi_record_cut(struct yo_shogi_record *record, int node);
/* The position after a node's move. */
void yo_shogi_record_position(const struct yo_shogi_record *record, int node,
                              struct yo_shogi_position *pos);
