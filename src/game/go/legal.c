#include "game/go/legal.h"

static bool has_own_neighbour(const struct yo_go_board *board, enum yo_go_color color,
                              yo_go_point p) {
    const uint16_t *nbr = board->geometry->nbr[p];
    for (int d = 0; d < 4; d++)
        if (board->color[nbr[d]] == color) return true;
    return false;
}

enum yo_go_verdict yo_go_legality(const struct yo_go_board *board, const struct yo_go_rules *rules,
                                  bool ko_holds, enum yo_go_color color, yo_go_point p) {
    if (board->color[p] != YO_GO_EMPTY) return YO_GO_OCCUPIED;
    /* Under superko retaking a ko also repeats a position; checking it first gives the better
     * message. */
    if (ko_holds && p == board->ko) return YO_GO_RETAKES_KO;
    if (!yo_go_board_is_suicide(board, color, p)) return YO_GO_LEGAL;
    return rules->suicide && has_own_neighbour(board, color, p) ? YO_GO_LEGAL : YO_GO_IS_SUICIDE;
}

static uint64_t string_hash(const struct yo_go_board *board, unsigned head) {
    uint64_t hash = 0;
    unsigned p = head;
    do {
        hash ^= yo_go_zobrist[board->color[p]][p];
        p = board->next[p];
    } while (p != head);
    return hash;
}

/* Strings of `color` adjacent to p whose only liberty is p, each once. */
static uint64_t neighbours_in_atari(const struct yo_go_board *board, enum yo_go_color color,
                                    yo_go_point p) {
    const uint16_t *nbr = board->geometry->nbr[p];
    unsigned seen[4];
    int count = 0;
    uint64_t hash = 0;
    for (int d = 0; d < 4; d++) {
        if (board->color[nbr[d]] != color) continue;
        unsigned head = board->head[nbr[d]];
        bool again = false;
        for (int i = 0; i < count; i++)
            again = again || seen[i] == head;
        if (again || !yo_go_string_in_atari(&board->string[head])) continue;
        seen[count++] = head;
        hash ^= string_hash(board, head);
    }
    return hash;
}

uint64_t yo_go_hash_after(const struct yo_go_board *board, enum yo_go_color color, yo_go_point p) {
    if (yo_go_board_is_suicide(board, color, p))
        return board->hash ^ neighbours_in_atari(board, color, p);
    return board->hash ^ yo_go_zobrist[color][p] ^
           neighbours_in_atari(board, yo_go_other(color), p);
}

bool yo_go_repeats(enum yo_go_ko ko, uint64_t situation, const uint64_t *history, size_t count) {
    if (ko == YO_GO_KO_SIMPLE) return false;
    /* Positional superko ignores the side to move. */
    uint64_t other =
        ko == YO_GO_KO_POSITIONAL ? situation ^ YO_GO_ZOBRIST_WHITE_TO_MOVE : situation;
    for (size_t i = count; i-- > 0;)
        if (history[i] == situation || history[i] == other) return true;
    return false;
}

/* The string must be captured meanwhile, so its liberties are filled; what fills a point that was
 * empty must be captured in turn, so the empty points beside it are filled too, and so on: each
 * point of the string and of the empty regions beside it is played on at least once. */
int yo_go_cycle_bound(const struct yo_go_board *board, yo_go_point p, int most) {
    const struct yo_go_geometry *geometry = board->geometry;
    uint64_t seen[YO_GO_WORDS_MAX] = {0};
    uint16_t points[YO_GO_POINTS_MAX];
    int count = 0;
    if (board->color[p] == YO_GO_EMPTY) return 0;
    points[count++] = p;
    seen[p >> 6] |= (uint64_t)1 << (p & 63);
    for (int i = 0; i < count && count <= most; i++)
        for (int d = 0; d < 4; d++) {
            unsigned q = geometry->nbr[points[i]][d];
            if (board->color[q] == YO_GO_OFF || yo_go_bit(seen, q)) continue;
            if (board->color[q] != YO_GO_EMPTY && board->head[q] != board->head[p]) continue;
            seen[q >> 6] |= (uint64_t)1 << (q & 63);
            points[count++] = (uint16_t)q;
        }
    return count;
}
