/* yomi selfplay show: what a file of self-play records holds. */
#include <inttypes.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/file.h"
#include "cmd/selfplay/selfplay.h"
#include "learn/netplay/go.h"
#include "learn/netplay/sgf.h"
#include "learn/netplay/shogi.h"

struct summary {
    uint64_t records, damaged, steps, targets, ends[YO_NETPLAY_ENDS], outcomes[4];
    uint64_t sizes[YO_GO_SIZE_MAX + 1];
    bool cut_off;
};

static void add(struct summary *s, const struct yo_netplay_record *r) {
    int size = r->game == YO_NETPLAY_SHOGI ? 0 : yo_netplay_go.size(r->setup, r->setup_size);
    s->records++;
    s->steps += r->step_count;
    s->ends[r->end]++;
    s->outcomes[r->outcome]++;
    s->sizes[size]++;
    for (size_t i = 0; i < r->step_count; i++)
        s->targets += r->steps[i].kind == YO_NETPLAY_FULL;
}

static void print(const struct summary *s) {
    static const char *const ends[YO_NETPLAY_ENDS] = {"unfinished", "played to the end", "settled",
                                                      "resigned", "cut"};
    printf("%" PRIu64 " games, %" PRIu64 " moves, %" PRIu64 " policy targets\n", s->records,
           s->steps, s->targets);
    printf("Black won %" PRIu64 ", White %" PRIu64 ", %" PRIu64 " drawn\n",
           s->outcomes[YO_OUTCOME_FIRST], s->outcomes[YO_OUTCOME_SECOND],
           s->outcomes[YO_OUTCOME_DRAW]);
    for (int i = 0; i < YO_NETPLAY_ENDS; i++)
        if (s->ends[i]) printf("%s: %" PRIu64 "\n", ends[i], s->ends[i]);
    for (int i = YO_GO_SIZE_MIN; i <= YO_GO_SIZE_MAX; i++)
        if (s->sizes[i]) printf("%dx%d: %" PRIu64 "\n", i, i, s->sizes[i]);
    if (s->sizes[0]) printf("shogi: %" PRIu64 "\n", s->sizes[0]);
    if (s->damaged) printf("%" PRIu64 " damaged parts were skipped\n", s->damaged);
    if (s->cut_off) printf("the last record is not whole\n");
}

static enum yo_err print_game(const struct yo_netplay_record *record, bool usi,
                              struct yo_diag *diag) {
    struct yo_buf text = {0};
    enum yo_err err = record->game != YO_NETPLAY_SHOGI ? yo_netplay_sgf(record, &text, diag)
                      : usi                            ? yo_netplay_usi(record, &text, diag)
                                                       : yo_selfplay_kif(record, &text, diag);
    if (!err) fputs(yo_buf_text(&text), stdout);
    yo_buf_free(&text);
    return err;
}

/* Reads on to game number `wanted`, or to the end. */
static enum yo_err read_all(const struct yo_buf *bytes, uint64_t wanted, bool usi,
                            struct summary *s, struct yo_diag *diag) {
    struct yo_netplay_record record = {0};
    enum yo_err err = YO_OK;
    size_t at = 0;
    for (bool more = true; more && !err;) {
        switch (yo_netplay_record_next(yo_buf_text(bytes), bytes->len, &at, &record)) {
        case YO_NETPLAY_RECORD:
            add(s, &record);
            if (s->records != wanted) break;
            err = print_game(&record, usi, diag);
            more = false;
            break;
        case YO_NETPLAY_DAMAGED:
            s->damaged++;
            break;
        case YO_NETPLAY_CUT_OFF:
            s->cut_off = true;
            more = false;
            break;
        case YO_NETPLAY_NO_MORE:
            more = false;
            break;
        case YO_NETPLAY_NO_MEMORY:
            err = yo_diag_set(diag, YO_ERR_NOMEM, "not enough memory for a record");
            break;
        }
    }
    yo_netplay_record_free(&record);
    return err;
}

enum yo_err yo_selfplay_show(const struct yo_options *options, struct yo_diag *diag) {
    const char *path = yo_options_argument(options, 1);
    uint64_t wanted = (uint64_t)yo_options_int(options, "game");
    struct yo_buf bytes = {0};
    struct summary s = {0};
    if (!path) return yo_diag_set(diag, YO_ERR_ARGUMENT, "give the FILE of the games");
    enum yo_err err = yo_file_read(path, &bytes, diag);
    if (!err) err = read_all(&bytes, wanted, yo_options_bool(options, "usi"), &s, diag);
    yo_buf_free(&bytes);
    if (err) return err;
    if (wanted > s.records)
        return yo_diag_set(diag, YO_ERR_RANGE, "%.150s has %" PRIu64 " games", path, s.records);
    if (s.records == 0 && s.damaged) {
        yo_diag_set(diag, YO_ERR_PARSE, "%.150s is no file of self-play games", path);
        yo_diag_hint(diag, "those are of selfplay go and selfplay shogi --search puct; "
                           "alpha-beta writes positions alone");
        return YO_ERR_PARSE;
    }
    if (wanted == 0) print(&s);
    return YO_OK;
}
