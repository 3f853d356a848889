#include "support/naive_shogi.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void naive_shogi_read(struct naive_shogi *pos, const char *sfen) {
    memset(pos, 0, sizeof *pos);
    int rank = 0, file = 0;
    for (; *sfen != ' '; sfen++) {
        if (*sfen == '/') {
            rank++;
            file = 0;
        } else if (isdigit((unsigned char)*sfen)) {
            file += *sfen - '0';
        } else if (*sfen == '+') {
            pos->promoted[rank][file] = true;
        } else {
            pos->letter[rank][file++] = *sfen;
        }
    }
    pos->white = sfen[1] == 'w';
    for (sfen += 3; *sfen && *sfen != ' ' && *sfen != '-'; sfen++) {
        int count = 0;
        while (isdigit((unsigned char)*sfen))
            count = 10 * count + (*sfen++ - '0');
        pos->hand[(int)*sfen] = count ? count : 1;
    }
}

static bool is_white(char letter) { return islower((unsigned char)letter); }

/* Can this piece move so far ahead, as its side sees it, and aside? *far is set if
 * the way there is longer than one step. */
static bool pattern(char kind, bool promoted, int ahead, int aside, bool *far) {
    int a = abs(ahead), s = abs(aside);
    bool step = a <= 1 && s <= 1;
    bool gold = step && !(ahead == -1 && s == 1);
    bool straight = a == 0 || s == 0, diagonal = a == s;
    *far = !step;
    if (promoted && kind == 'R') return step || straight;
    if (promoted && kind == 'B') return step || diagonal;
    if (promoted) return gold;
    switch (kind) {
    case 'P':
        return ahead == 1 && s == 0;
    case 'L':
        return ahead >= 1 && s == 0;
    case 'N':
        *far = false;
        return ahead == 2 && s == 1;
    case 'S':
        return step && (diagonal || ahead == 1);
    case 'G':
        return gold;
    case 'B':
        return diagonal;
    case 'R':
        return straight;
    default:
        return step;
    }
}

static int sign(int n) { return (n > 0) - (n < 0); }

/* Does the piece on (r, f) reach (tr, tf), whatever stands there? */
static bool reaches(const struct naive_shogi *pos, int r, int f, int tr, int tf) {
    char letter = pos->letter[r][f];
    if (!letter || (r == tr && f == tf)) return false;
    bool far;
    int ahead = is_white(letter) ? tr - r : r - tr;
    if (!pattern((char)toupper(letter), pos->promoted[r][f], ahead, tf - f, &far)) return false;
    if (!far) return true;
    int dr = sign(tr - r), df = sign(tf - f);
    for (r += dr, f += df; r != tr || f != tf; r += dr, f += df)
        if (pos->letter[r][f]) return false;
    return true;
}

bool naive_shogi_in_check(const struct naive_shogi *pos, bool white) {
    for (int kr = 0; kr < 9; kr++)
        for (int kf = 0; kf < 9; kf++) {
            if (pos->letter[kr][kf] != (white ? 'k' : 'K')) continue;
            for (int r = 0; r < 9; r++)
                for (int f = 0; f < 9; f++)
                    if (pos->letter[r][f] && is_white(pos->letter[r][f]) != white &&
                        reaches(pos, r, f, kr, kf))
                        return true;
        }
    return false;
}

static int rank_of(const char *square) { return square[1] - 'a'; }
static int file_of(const char *square) { return '9' - square[0]; }

char naive_shogi_target(const struct naive_shogi *pos, const char *move) {
    return pos->letter[rank_of(move + 2)][file_of(move + 2)];
}

void naive_shogi_play(struct naive_shogi *pos, const char *move) {
    int tr = rank_of(move + 2), tf = file_of(move + 2);
    if (move[1] == '*') {
        char letter = pos->white ? (char)tolower(move[0]) : move[0];
        pos->hand[(int)letter]--;
        pos->letter[tr][tf] = letter;
        pos->promoted[tr][tf] = false;
    } else {
        int r = rank_of(move), f = file_of(move);
        char taken = pos->letter[tr][tf];
        if (taken) pos->hand[pos->white ? tolower(taken) : toupper(taken)]++;
        pos->letter[tr][tf] = pos->letter[r][f];
        pos->promoted[tr][tf] = pos->promoted[r][f] || move[4] == '+';
        pos->letter[r][f] = 0;
        pos->promoted[r][f] = false;
    }
    pos->white = !pos->white;
}

static bool is_legal(const struct naive_shogi *pos, const char *move) {
    struct naive_shogi next = *pos;
    naive_shogi_play(&next, move);
    if (naive_shogi_in_check(&next, pos->white)) return false;
    if (move[0] != 'P' || move[1] != '*' || !naive_shogi_in_check(&next, next.white)) return true;
    naive_shogi_text replies[NAIVE_SHOGI_MOVES];
    return naive_shogi_moves(&next, replies) > 0;
}

/* How far from the far edge a piece must stay, as itself, to be able to move on. */
static bool is_stuck(char letter, int rank) {
    int left = is_white(letter) ? 8 - rank : rank;
    switch (toupper(letter)) {
    case 'P':
    case 'L':
        return left == 0;
    case 'N':
        return left <= 1;
    default:
        return false;
    }
}

static bool has_pawn(const struct naive_shogi *pos, char pawn, int file) {
    for (int r = 0; r < 9; r++)
        if (pos->letter[r][file] == pawn && !pos->promoted[r][file]) return true;
    return false;
}

static void square_text(int rank, int file, char *out) {
    out[0] = (char)('9' - file);
    out[1] = (char)('a' + rank);
}

static size_t add_if_legal(const struct naive_shogi *pos, const char *move, naive_shogi_text *out,
                           size_t count) {
    if (is_legal(pos, move)) strcpy(out[count++], move);
    return count;
}

static size_t add_steps(const struct naive_shogi *pos, int r, int f, naive_shogi_text *out,
                        size_t count) {
    char letter = pos->letter[r][f];
    bool can_promote = !pos->promoted[r][f] && strchr("PLNSBR", toupper(letter));
    for (int tr = 0; tr < 9; tr++)
        for (int tf = 0; tf < 9; tf++) {
            char there = pos->letter[tr][tf];
            if (!reaches(pos, r, f, tr, tf) || (there && is_white(there) == pos->white)) continue;
            char move[8] = "";
            square_text(r, f, move);
            square_text(tr, tf, move + 2);
            if (pos->promoted[r][f] || !is_stuck(letter, tr))
                count = add_if_legal(pos, move, out, count);
            bool in_zone = pos->white ? r > 5 || tr > 5 : r < 3 || tr < 3;
            if (can_promote && in_zone) count = add_if_legal(pos, strcat(move, "+"), out, count);
        }
    return count;
}

static size_t add_drops(const struct naive_shogi *pos, int r, int f, naive_shogi_text *out,
                        size_t count) {
    for (const char *kind = "PLNSGBR"; *kind; kind++) {
        char letter = pos->white ? (char)tolower(*kind) : *kind;
        if (pos->hand[(int)letter] == 0 || is_stuck(letter, r)) continue;
        if (*kind == 'P' && has_pawn(pos, letter, f)) continue;
        char move[8] = {*kind, '*'};
        square_text(r, f, move + 2);
        count = add_if_legal(pos, move, out, count);
    }
    return count;
}

static int compare(const void *a, const void *b) { return strcmp(a, b); }

size_t naive_shogi_moves(const struct naive_shogi *pos, naive_shogi_text *out) {
    size_t count = 0;
    for (int r = 0; r < 9; r++)
        for (int f = 0; f < 9; f++) {
            char letter = pos->letter[r][f];
            if (!letter)
                count = add_drops(pos, r, f, out, count);
            else if (is_white(letter) == pos->white)
                count = add_steps(pos, r, f, out, count);
        }
    qsort(out, count, sizeof *out, compare);
    return count;
}
