/* Where the games of a shogi match begin. */
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/random.h"
#include "game/shogi/movegen.h"
#include "game/shogi/see.h"
#include "game/shogi/text.h"
#include "match/shogi.h"

static enum yo_err read_start(const char *line, size_t len, struct yo_shogi_position *pos,
                              struct yo_diag *diag) {
    if (len >= 8 && strncmp(line, "startpos", 8) == 0) {
        yo_shogi_position_start(pos);
        return YO_OK;
    }
    struct yo_buf sfen = {0};
    yo_buf_add(&sfen, line, len);
    enum yo_err err = yo_buf_status(&sfen);
    if (!err) err = yo_shogi_sfen_parse(yo_buf_text(&sfen), pos, diag);
    yo_buf_free(&sfen);
    return err;
}

enum yo_err yo_usi_opening_parse(const char *line, struct yo_usi_opening *o, struct yo_diag *diag) {
    if (strncmp(line, "position ", 9) == 0) line += 9;
    const char *moves = strstr(line, " moves");
    size_t len = moves ? (size_t)(moves - line) : strcspn(line, "\r\n");
    *o = (struct yo_usi_opening){0};
    enum yo_err err = read_start(line, len, &o->start, diag);
    if (err) return err;
    /* A move and its space take five characters or more. */
    o->moves = yo_alloc(strlen(line) / 5 + 1, sizeof *o->moves);
    if (!o->moves) return yo_diag_set(diag, YO_ERR_NOMEM, "out of memory");
    struct yo_shogi_position pos = o->start;
    const char *rest = moves ? moves + 6 : "";
    for (;;) {
        char word[16];
        rest += strspn(rest, " \t\r\n");
        size_t word_len = strcspn(rest, " \t\r\n");
        if (word_len == 0) return YO_OK;
        size_t kept = word_len < sizeof word ? word_len : sizeof word - 1;
        memcpy(word, rest, kept);
        word[kept] = '\0';
        rest += word_len;
        yo_shogi_move move;
        if (yo_shogi_move_parse(word, &move, NULL) || !yo_shogi_move_is_sound(&pos, move)) {
            yo_free(o->moves);
            o->moves = NULL;
            return yo_diag_set(diag, YO_ERR_PARSE, "%s is not a legal move there", word);
        }
        o->moves[o->count++] = move;
        yo_shogi_play(&pos, move);
    }
}

enum yo_err yo_usi_opening_draw(uint64_t seed, int plies, struct yo_usi_opening *o) {
    struct yo_shogi_position pos;
    *o = (struct yo_usi_opening){.moves = yo_alloc((size_t)plies + 1, sizeof *o->moves)};
    if (!o->moves) return YO_ERR_NOMEM;
    yo_shogi_position_start(&o->start);
    pos = o->start;
    while (o->count < (size_t)plies) {
        yo_shogi_move moves[YO_SHOGI_LIST];
        size_t count = yo_shogi_legal_moves(&pos, moves);
        size_t before = o->count;
        while (count > 0 && o->count == before) {
            size_t i = (size_t)(yo_splitmix64(&seed) % count);
            yo_shogi_move move = moves[i];
            moves[i] = moves[--count];
            if (yo_shogi_gives_away(&pos, move)) continue;
            o->moves[o->count++] = move;
            yo_shogi_play(&pos, move);
        }
        if (o->count == before) break; /* every move loses material: the game begins here */
    }
    return YO_OK;
}
