#include "game/go/game_ops.h"

#include <string.h>

#include "base/diag.h"
#include "game/go/legal.h"
#include "game/go/score.h"
#include "game/go/sets.h"
#include "game/go/state.h"

static size_t recent_count(const struct yo_go_position *pos) {
    return pos->played < YO_GO_RECENT ? pos->played : YO_GO_RECENT;
}

static bool occurred(const struct yo_go_position *pos, enum yo_go_ko ko, uint64_t situation) {
    return yo_go_repeats(ko, situation, pos->recent, recent_count(pos)) ||
           yo_go_repeats(ko, situation, pos->game, pos->game_count);
}

static yo_go_point move_ago(const struct yo_go_game *game, size_t ago) {
    return game->count >= ago ? game->moves[game->count - ago].move : YO_GO_NONE;
}

static uint8_t count_turns(const struct yo_go_game *game) {
    enum yo_go_color by = yo_go_other(game->to_move);
    size_t turns = 0;
    for (; turns < YO_GO_TURNS && turns < game->count; turns++, by = yo_go_other(by))
        if (game->moves[game->count - 1 - turns].color != by) break;
    return (uint8_t)turns;
}

/* Stones of a handicap or another start count as those played: territory is what lies around them.
 */
static int16_t count_ahead(const struct yo_go_game *game) {
    int ahead = 0, points = game->start.geometry->points;
    for (int p = 0; p < points; p++) {
        ahead += game->start.color[p] == YO_GO_BLACK;
        ahead -= game->start.color[p] == YO_GO_WHITE;
    }
    for (size_t i = 0; i < game->count; i++)
        if (game->moves[i].move != YO_GO_PASS)
            ahead += game->moves[i].color == YO_GO_BLACK ? 1 : -1;
    return (int16_t)ahead;
}

static void remember_board(struct yo_go_position *pos) {
    pos->ko_was[1] = pos->ko_was[0];
    pos->ko_was[0] = pos->board.ko;
    memcpy(pos->empty_was[1], pos->empty_was[0], sizeof pos->empty_was[0]);
    memcpy(pos->empty_was[0], pos->board.empty, sizeof pos->empty_was[0]);
}

/* A game stores only its first and last board: replay the two before the last. */
static void remember_boards(const struct yo_go_game *game, struct yo_go_position *pos) {
    size_t first = game->count > 2 ? game->count - 2 : 0;
    pos->board = game->start;
    for (size_t i = 0; i < game->count; i++) {
        if (i >= first) remember_board(pos);
        yo_go_board_play(&pos->board, game->moves[i].color, game->moves[i].move);
    }
    pos->board = game->board;
}

void yo_go_position_from_game(const struct yo_go_game *game, struct yo_go_position *position) {
    int passes = yo_go_game_passes(game);
    *position = (struct yo_go_position){
        .rules = game->rules,
        .game = game->situations,
        .game_count = game->count + 1,
        .handicap = (uint16_t)game->handicap,
        .last = move_ago(game, 1),
        .before = move_ago(game, 2),
        .earlier = {move_ago(game, 3), move_ago(game, 4), move_ago(game, 5)},
        .turns = count_turns(game),
        .stones_ahead = count_ahead(game),
        .to_move = (uint8_t)game->to_move,
        .passes = passes == 1,
        .ko_holds = game->count > 0 && game->moves[game->count - 1].color != game->to_move,
    };
    remember_boards(game, position);
}

void yo_go_position_use_area(struct yo_go_position *pos, bool closed) {
    struct yo_go_rules *rules = &pos->rules;
    if (rules->scoring == YO_GO_AREA) return;
    rules->komi2 = yo_go_score_area_komi2(&pos->board, rules, pos->handicap,
                                          (enum yo_go_color)pos->to_move, closed);
    rules->scoring = YO_GO_AREA;
    rules->tax = YO_GO_TAX_NONE;
    rules->handicap_bonus = YO_GO_BONUS_0; /* included in the komi */
    rules->friendly_pass_ok = true;        /* dead stones never have to be captured */
    pos->stones_cost = closed ? YO_GO_STONES_CLOSED : YO_GO_STONES_OPEN;
}

/* yo_go_score_area_komi2 after a move, from the one before it. On an open board the side to move
 * counts as half a stone ahead, which the end of the game takes back. */
static int komi2_change(const struct yo_go_position *pos, enum yo_go_color color,
                        yo_go_point move) {
    int side = color == YO_GO_BLACK ? 1 : -1, change = move == YO_GO_PASS ? 0 : 2 * side;
    if (pos->stones_cost == YO_GO_STONES_OPEN) change -= 2 * side;
    bool ends = move == YO_GO_PASS && pos->passes == 1;
    return pos->stones_cost == YO_GO_STONES_OPEN && ends ? change + side : change;
}

bool yo_go_position_legal(const struct yo_go_position *pos, yo_go_point move) {
    if (move == YO_GO_PASS) return true;
    enum yo_go_color color = (enum yo_go_color)pos->to_move;
    if (yo_go_legality(&pos->board, &pos->rules, pos->ko_holds, color, move) != YO_GO_LEGAL)
        return false;
    if (!yo_go_can_repeat(&pos->board, &pos->rules, color, move)) return true;
    uint64_t stones = yo_go_hash_after(&pos->board, color, move);
    return !occurred(pos, pos->rules.ko, yo_go_situation(stones, yo_go_other(color)));
}

/* ---- superko on the whole board ---- */

/* A small bit table (Bloom filter) rejects most situations without a look at the history. */
#define SEEN_BITS 4096

static unsigned seen_index(uint64_t situation) { return (unsigned)(situation >> 20) % SEEN_BITS; }

static void set(uint64_t *words, unsigned p) { words[p >> 6] |= (uint64_t)1 << (p & 63); }

static void note_all(const uint64_t *situations, size_t count, uint64_t *seen) {
    for (size_t i = 0; i < count; i++) {
        set(seen, seen_index(situations[i]));
        set(seen, seen_index(situations[i] ^ YO_GO_ZOBRIST_WHITE_TO_MOVE));
    }
}

static bool superko_forbids(const struct yo_go_position *pos, const uint64_t *seen, yo_go_point p) {
    const struct yo_go_board *board = &pos->board;
    enum yo_go_color own = (enum yo_go_color)pos->to_move;
    if (!yo_go_can_repeat(board, &pos->rules, own, p)) return false;
    uint64_t after = yo_go_situation(yo_go_hash_after(board, own, p), yo_go_other(own));
    return yo_go_bit(seen, seen_index(after)) &&
           yo_go_legality(board, &pos->rules, pos->ko_holds, own, p) == YO_GO_LEGAL &&
           occurred(pos, pos->rules.ko, after);
}

bool yo_go_position_superko(const struct yo_go_position *pos, uint64_t forbidden[YO_GO_WORDS_MAX]) {
    const struct yo_go_board *board = &pos->board;
    bool any = false;
    memset(forbidden, 0, YO_GO_WORDS_MAX * sizeof forbidden[0]);
    if (pos->rules.ko == YO_GO_KO_SIMPLE) return false;
    if (!pos->rules.suicide && !board->captures[yo_go_other((enum yo_go_color)pos->to_move)])
        return false; /* as yo_go_can_repeat says of each point */
    uint64_t seen[SEEN_BITS / 64] = {0};
    note_all(pos->game, pos->game_count, seen);
    note_all(pos->recent, recent_count(pos), seen);
    for (int w = 0; w < board->geometry->words; w++)
        for (uint64_t left = board->empty[w]; left; left &= left - 1) {
            unsigned p = 64 * (unsigned)w + (unsigned)__builtin_ctzll(left);
            if (!superko_forbids(pos, seen, (yo_go_point)p)) continue;
            set(forbidden, p);
            any = true;
        }
    return any;
}

void yo_go_position_play(struct yo_go_position *pos, yo_go_point move) {
    enum yo_go_color color = (enum yo_go_color)pos->to_move;
    remember_board(pos);
    if (pos->stones_cost != YO_GO_STONES_FREE) pos->rules.komi2 += komi2_change(pos, color, move);
    yo_go_board_play(&pos->board, color, move);
    pos->to_move = (uint8_t)yo_go_other(color);
    pos->passes = move == YO_GO_PASS ? (uint8_t)(pos->passes + 1) : 0;
    pos->ko_holds = true;
    memmove(pos->earlier + 1, pos->earlier, sizeof pos->earlier - sizeof pos->earlier[0]);
    pos->earlier[0] = pos->before;
    pos->before = pos->last;
    pos->last = move;
    if (pos->turns < YO_GO_TURNS) pos->turns++;
    if (move != YO_GO_PASS)
        pos->stones_ahead = (int16_t)(pos->stones_ahead + (color == YO_GO_BLACK ? 1 : -1));
    uint64_t situation = yo_go_situation(pos->board.hash, (enum yo_go_color)pos->to_move);
    /* Under simple ko a long cycle ends the game without result; a pass is not part of a cycle. */
    pos->repeated = pos->rules.ko == YO_GO_KO_SIMPLE && move != YO_GO_PASS &&
                    occurred(pos, YO_GO_KO_SITUATIONAL, situation);
    pos->recent[pos->played++ % YO_GO_RECENT] = situation;
}

/* Stones that disappeared with a move were captured by it, or the move was suicide, which leaves no
 * stone. */
static void take_back(const struct yo_go_position *pos, int ago, enum yo_go_color by,
                      yo_go_point move, uint8_t *color) {
    if (move == YO_GO_PASS) return;
    const uint64_t *before = pos->empty_was[ago],
                   *after = ago == 0 ? pos->board.empty : pos->empty_was[ago - 1];
    uint8_t gone = (uint8_t)(yo_go_bit(after, move) ? by : yo_go_other(by));
    color[move] = YO_GO_EMPTY;
    for (int w = 0; w < pos->board.geometry->words; w++)
        for (uint64_t left = after[w] & ~before[w]; left; left &= left - 1)
            color[64 * w + __builtin_ctzll(left)] = gone;
}

void yo_go_position_colors(const struct yo_go_position *pos, int ago,
                           uint8_t color[YO_GO_POINTS_MAX + 1]) {
    memcpy(color, pos->board.color, sizeof pos->board.color);
    enum yo_go_color to_move = (enum yo_go_color)pos->to_move;
    if (ago > 0) take_back(pos, 0, yo_go_other(to_move), pos->last, color);
    if (ago > 1) take_back(pos, 1, to_move, pos->before, color);
}

static bool is_over(const struct yo_go_position *pos) { return pos->passes >= 2 || pos->repeated; }

/* ---- marks ---- */

static uint64_t mix(uint64_t h, uint64_t x) { return (h ^ x) * UINT64_C(0x9e3779b97f4a7c15); }

/* Hash of the game after `count` moves, with this side to move. */
static uint64_t key_of(const struct yo_go_game *game, size_t count, enum yo_go_color to_move) {
    const struct yo_go_rules *r = &game->rules;
    uint64_t h = mix((uint64_t)yo_go_game_size(game), (uint64_t)game->handicap);
    h = mix(h, (uint64_t)r->ko << 24 | (uint64_t)r->scoring << 16 | (uint64_t)r->tax << 8 |
                   (uint64_t)r->handicap_bonus);
    h = mix(h, (uint64_t)r->suicide << 1 | (uint64_t)r->friendly_pass_ok);
    h = mix(h, (uint64_t)(int64_t)r->komi2);
    for (size_t i = 0; i <= count; i++)
        h = mix(h, game->situations[i]);
    h = mix(h, (uint64_t)to_move);
    return h ? h : 1;
}

static struct yo_game_mark mark(const void *of) {
    const struct yo_go_game *game = of;
    return (struct yo_game_mark){key_of(game, game->count, game->to_move), game->count};
}

static bool since(const void *of, const struct yo_game_mark *mark_, yo_move *out, size_t room,
                  size_t *count) {
    const struct yo_go_game *game = of;
    if (mark_->key == 0 || game->count < mark_->length || game->count - mark_->length > room)
        return false;
    size_t at = mark_->length;
    enum yo_go_color color = at < game->count ? game->moves[at].color : game->to_move;
    if (key_of(game, at, color) != mark_->key) return false;
    for (*count = 0; at < game->count; at++, color = yo_go_other(color)) {
        if (game->moves[at].color != color) return false;
        out[(*count)++] = game->moves[at].move;
    }
    return game->to_move == color;
}

/* ---- the table ---- */

static int side_to_move(const void *position) {
    const struct yo_go_position *pos = position;
    return pos->to_move == YO_GO_WHITE;
}

static size_t moves(const void *position, yo_move *out) {
    const struct yo_go_position *pos = position;
    const struct yo_go_board *board = &pos->board;
    if (is_over(pos)) return 0;
    uint64_t forbidden[YO_GO_WORDS_MAX];
    struct yo_go_set empty, open; /* a point beside an empty one is neither ko nor suicide */
    size_t count = 0;
    yo_go_position_superko(pos, forbidden);
    memcpy(empty.word, board->empty, sizeof empty.word);
    yo_go_set_beside(board->geometry, &empty, &open);
    for (int w = 0; w < board->geometry->words; w++)
        for (uint64_t left = board->empty[w] & ~forbidden[w]; left; left &= left - 1) {
            yo_go_point p = (yo_go_point)(64 * w + __builtin_ctzll(left));
            if (yo_go_bit(open.word, p) ||
                yo_go_legality(board, &pos->rules, pos->ko_holds, (enum yo_go_color)pos->to_move,
                               p) == YO_GO_LEGAL)
                out[count++] = p;
        }
    out[count++] = YO_GO_PASS;
    return count;
}

static void play(void *position, yo_move move) { yo_go_position_play(position, (yo_go_point)move); }

static enum yo_outcome outcome(const void *position) {
    const struct yo_go_position *pos = position;
    if (pos->repeated) return YO_OUTCOME_DRAW;
    if (pos->passes < 2) return YO_OUTCOME_NONE;
    struct yo_go_score score;
    yo_go_score_board(&pos->board, &pos->rules, pos->handicap, NULL, &score);
    if (score.lead2 == 0) return YO_OUTCOME_DRAW;
    return score.lead2 > 0 ? YO_OUTCOME_FIRST : YO_OUTCOME_SECOND;
}

/* Equal for positions with the same continuations, superko history aside. */
static uint64_t hash(const void *position) {
    const struct yo_go_position *pos = position;
    uint64_t h = yo_go_situation(pos->board.hash, (enum yo_go_color)pos->to_move);
    if (pos->board.ko != YO_GO_NONE && pos->ko_holds)
        h ^= (pos->board.ko + 1u) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ pos->passes * UINT64_C(0xd1b54a32d192ed03);
}

static char *format(const void *position, yo_move move, char *out) {
    const struct yo_go_position *pos = position;
    char text[8];
    return strcpy(out, yo_go_point_format((yo_go_point)move, pos->board.geometry->size, text));
}

static enum yo_err parse(const void *position, const char *text, yo_move *move,
                         struct yo_diag *diag) {
    const struct yo_go_position *pos = position;
    yo_go_point point;
    enum yo_err err = yo_go_point_parse(text, pos->board.geometry->size, &point, diag);
    if (err) return err;
    if (point == YO_GO_RESIGN || !yo_go_position_legal(pos, point))
        return yo_diag_set(diag, YO_ERR_ILLEGAL, "illegal move: %.20s", text);
    *move = point;
    return YO_OK;
}

static void from_game(const void *game, void *position) {
    yo_go_position_from_game(game, position);
}

const struct yo_game_ops yo_go_ops = {
    .name = "go",
    .position_size = sizeof(struct yo_go_position),
    .max_moves = YO_GO_POINTS_MAX + 1,
    .move_bound = YO_GO_PASS + 1,
    .move_null = YO_GO_PASS,
    .from_game = from_game,
    .mark = mark,
    .since = since,
    .side_to_move = side_to_move,
    .moves = moves,
    .play = play,
    .outcome = outcome,
    .hash = hash,
    .format = format,
    .parse = parse,
};
