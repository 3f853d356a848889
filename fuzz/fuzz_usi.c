/* Any bytes as a USI session: whatever is said, what is answered are lines of USI, and of answers
 * there are as many as searches that were begun. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/split.h"
#include "protocol/usi/usi.h"

static struct yo_usi *usi;
static int answers, complaints;

static void check(int holds) {
    if (!holds) abort();
}

static bool begins(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

/* Never called by two threads at once. */
static void hear(void *user, const char *line) {
    static const char *const words[] = {"id ",   "option ",   "usiok",     "readyok",
                                        "info ", "bestmove ", "checkmate "};
    (void)user;
    bool known = false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        known |= begins(line, words[i]);
    check(known && !strpbrk(line, "\r\n"));
    answers += begins(line, "bestmove ") || begins(line, "checkmate ");
    complaints += begins(line, "info string ");
}

/* Options could ask for more memory than there is, or for files that are none; names match whatever
 * their case, and '-' equals '_'. */
static bool is_harmless(const char *line) {
    static const char *const names[] = {"hash", "threads", "file", "model", "name net", "memory"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcasestr(line, names[i])) return false;
    return true;
}

static bool is_go(const char *line) {
    line += strspn(line, " \t\r\n");
    return begins(line, "go") && (line[2] == '\0' || strchr(" \t\r\n", line[2]));
}

/* No search may go on: it could be asked to without an end. The client stops it, ponderhit or not.
 */
static void feed(void *user, const char *bytes, size_t len) {
    bool *open = user;
    char *line = strndup(bytes, len);
    if (*open && is_harmless(line)) {
        answers = complaints = 0;
        *open = yo_usi_line(usi, line);
        if (*open) {
            yo_usi_line(usi, "ponderhit btime 0 wtime 0");
            yo_usi_line(usi, "stop");
        }
        /* A go is answered, or told what is wrong with it; some notices come with an answer. */
        check(answers <= is_go(line) && (answers || complaints || !is_go(line)));
    }
    free(line);
}

static void start(void) {
    check(yo_usi_new(&(struct yo_usi_config){.write = hear, .tune = false}, &usi, NULL) == YO_OK);
    check(yo_usi_line(usi, "setoption name USI_Hash value 1"));
    check(yo_usi_line(usi, "setoption name EvalFile value material"));
    check(yo_usi_line(usi, "setoption name DNN_Model value " YOMI_SOURCE
                           "/fuzz/corpus/net/pieces.onnx"));
    check(yo_usi_line(usi, "isready"));
}

/* Making an engine takes longer than talking to it, so there is one; what may differ is set. */
static void begin_anew(void) {
    static const char *const lines[] = {
        "position startpos",
        "setoption name search value alphabeta",
        "setoption name MultiPV value 1",
        "setoption name DepthRule value plain",
        "setoption name Pruning value full",
        "setoption name Stochastic_Ponder value false",
        "setoption name ResignValue value 99999",
        "setoption name MaxMovesToDraw value 0",
        "setoption name EnteringKingRule value CSARule27",
        "setoption name leaf-mate value 50",
        "setoption name root-mate value 1000",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        check(yo_usi_line(usi, lines[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool open = true;
    if (!usi) start();
    begin_anew();
    struct yo_split split = {.emit = feed, .user = &open};
    yo_split_add(&split, (const char *)data, size);
    yo_split_end(&split);
    return 0;
}
