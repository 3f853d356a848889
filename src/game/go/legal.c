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
