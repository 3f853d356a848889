/* What `yomi play --game shogi` shows: the board with the hands, moves, scores, the end. */
#include <stdio.h>
#include <string.h>

#include "base/time.h"
#include "cmd/play/shogi.h"
#include "cmd/talk.h"
#include "game/shogi/kifu/words.h"
#include "game/shogi/text.h"

/* The board has its own background, as in Go. White's pieces have another colour and the v that
 * printed diagrams put before them. */
struct palette {
    const char *board, *black, *white, *mark, *reset;
};
static const struct palette colors_256 = {"\033[48;5;179m", "\033[38;5;16m", "\033[38;5;88m",
                                          "\033[48;5;222m", "\033[0m"};
static const struct palette colors_16 = {"\033[43m", "\033[30m", "\033[31m", "\033[47m", "\033[0m"};

/* The v tells the sides apart. */
static const struct palette no_colors = {"", "", "", "", ""};

static const struct palette *palette_of(const struct yo_term *term) {
    if (!term->colors) return &no_colors;
    return term->many_colors ? &colors_256 : &colors_16;
}

const char *yo_play_shogi_side(int side) { return side ? "White" : "Black"; }

/* ": you", ": Yomi", or nothing if two people play. */
static const char *player(const struct yo_play_shogi *play, int side) {
    if (!play->human[side]) return ": Yomi";
    return play->human[side ^ 1] ? "" : ": you";
}

/* ---- moves and scores ---- */

static void put_move(const struct yo_shogi_game *game, yo_shogi_move move, bool graphic,
                     struct yo_buf *out) {
    char usi[YO_SHOGI_MOVE_TEXT], words[YO_SHOGI_WORDS_TEXT];
    yo_shogi_move_format(move, usi);
    if (graphic)
        yo_buf_printf(out, "%s (%s)", yo_shogi_game_move_words(game, move, words), usi);
    else
        yo_buf_str(out, usi);
}

void yo_play_shogi_put_move(const struct yo_play_shogi *play, yo_shogi_move move,
                            struct yo_buf *out) {
    put_move(play->game, move, play->term.graphic, out);
}

void yo_play_shogi_put_line(const struct yo_play_shogi *play, const struct yo_shogi_found *found,
                            struct yo_buf *out) {
    struct yo_shogi_game *game;
    if (yo_shogi_game_copy(play->game, &game)) return;
    for (size_t i = 0; i < found->length && yo_shogi_game_legal(game, found->line[i]); i++) {
        char text[YO_SHOGI_MOVE_TEXT], words[YO_SHOGI_WORDS_TEXT];
        yo_buf_printf(out, " %s",
                      play->term.graphic ? yo_shogi_game_move_words(game, found->line[i], words)
                                         : yo_shogi_move_format(found->line[i], text));
        if (yo_shogi_game_play(game, found->line[i], NULL)) break;
    }
    yo_shogi_game_delete(game);
}

void yo_play_shogi_put_score(const struct yo_shogi_found *found, struct yo_buf *out) {
    if (found->mates && found->mate_in > 0)
        yo_buf_printf(out, "mates in %d", found->mate_in);
    else if (found->mates)
        yo_buf_printf(out, "is mated in %d", -found->mate_in);
    else
        yo_buf_printf(out, "is %s by %.1f pawns (%.0f%% to win)",
                      found->score < 0 ? "behind" : "ahead",
                      (found->score < 0 ? -found->score : found->score) / 100.0,
                      100 * yo_shogi_score_rate(found->score));
}

/* ---- the board ---- */

static void add_hand(struct yo_buf *out, const struct yo_play_shogi *play, int side) {
    const struct yo_shogi_position *pos = shogi_game_now(play->game);
    yo_buf_printf(out, "    %s%s, in hand:", yo_play_shogi_side(side), player(play, side));
    for (int kind = YO_SHOGI_ROOK; kind >= YO_SHOGI_PAWN; kind--) {
        int count = shogi_hand_count(pos->hands[side], kind);
        char letter[2] = {yo_shogi_letters[kind], '\0'};
        if (count == 0) continue;
        yo_buf_printf(out, " %s", play->term.graphic ? yo_shogi_kif_pieces[kind] : letter);
        if (count > 1) yo_buf_printf(out, "x%d", count);
    }
    char clock[YO_TIMER_TEXT];
    bool to_move = (int)yo_shogi_game_to_move(play->game) == side;
    if (!pos->hands[side]) yo_buf_str(out, " nothing");
    yo_timer_text(&play->timer, side, to_move, yo_time_ms(), clock);
    yo_buf_printf(out, "%s%s\n", *clock ? "; " : "", clock);
}

/* "v香", " 歩", " ・"; the last move's target has another background. */
static void add_graphic_row(struct yo_buf *out, const struct yo_shogi_position *pos, int rank,
                            int marked, const struct palette *colors) {
    yo_buf_printf(out, " %c %s", 'a' + rank, colors->board);
    for (int file = 8; file >= 0; file--) {
        int square = shogi_square(file, rank);
        yo_shogi_piece piece = pos->board[square];
        bool white = piece && shogi_side(piece);
        yo_buf_printf(out, "%s%s%c%s%s", square == marked ? colors->mark : "",
                      white ? colors->white : colors->black, white ? 'v' : ' ',
                      piece ? yo_shogi_kif_short_pieces[shogi_kind(piece)] : "・",
                      square == marked ? colors->board : "");
    }
    yo_buf_printf(out, "%s %s %s\n", colors->black, colors->reset, yo_shogi_kanji_digits[rank]);
}

/* " p", "+R", "(P)": capitals are Black's. */
static void add_ascii_row(struct yo_buf *out, const struct yo_shogi_position *pos, int rank,
                          int marked) {
    yo_buf_printf(out, " %c ", 'a' + rank);
    for (int file = 8; file >= 0; file--) {
        int square = shogi_square(file, rank);
        yo_shogi_piece piece = pos->board[square];
        int kind = shogi_kind(piece);
        char letter = piece ? yo_shogi_letters[kind > YO_SHOGI_KING ? kind - 8 : kind] : '.';
        bool promoted = kind > YO_SHOGI_KING;
        if (piece && shogi_side(piece)) letter = (char)(letter - 'A' + 'a');
        yo_buf_printf(out, "%s%c%c%c", square == marked && promoted ? "(" : " ",
                      promoted           ? '+'
                      : square == marked ? '('
                                         : ' ',
                      letter, square == marked ? ')' : ' ');
    }
    yo_buf_printf(out, " %c\n", 'a' + rank);
}

static void add_board(struct yo_buf *out, const struct yo_play_shogi *play) {
    const struct yo_shogi_position *pos = shogi_game_now(play->game);
    size_t count = yo_shogi_game_move_count(play->game);
    int marked = count ? shogi_to(yo_shogi_game_move(play->game, count - 1)) : YO_SHOGI_NO_SQUARE;
    yo_buf_str(out, "  ");
    for (int file = 9; file >= 1; file--)
        yo_buf_printf(out, play->term.graphic ? "  %d" : "   %d", file);
    yo_buf_char(out, '\n');
    for (int rank = 0; rank < 9; rank++) {
        if (play->term.graphic)
            add_graphic_row(out, pos, rank, marked, palette_of(&play->term));
        else
            add_ascii_row(out, pos, rank, marked);
    }
}

static void add_last_move(struct yo_buf *out, const struct yo_play_shogi *play) {
    size_t count = yo_shogi_game_move_count(play->game);
    struct yo_shogi_game before = *play->game; /* a shallow copy, only read */
    if (count == 0) return;
    before.count--;
    yo_buf_printf(out, "    Last move: %s ", yo_play_shogi_side(shogi_game_now(&before)->side));
    put_move(&before, yo_shogi_game_move(play->game, count - 1), play->term.graphic, out);
    yo_buf_char(out, '\n');
}

void yo_play_shogi_show(struct yo_play_shogi *play) {
    struct yo_buf out = {0};
    int side = (int)yo_shogi_game_to_move(play->game);
    yo_buf_char(&out, '\n');
    add_hand(&out, play, YO_SHOGI_WHITE);
    add_board(&out, play);
    add_hand(&out, play, YO_SHOGI_BLACK);
    add_last_move(&out, play);
    if (play->end)
        yo_buf_str(&out, "    The game is over\n\n");
    else
        yo_buf_printf(&out, "    Move %zu: %s to play%s\n\n",
                      yo_shogi_game_move_count(play->game) + 1, yo_play_shogi_side(side),
                      yo_shogi_game_in_check(play->game) ? ", in check" : "");
    yo_talk_print(&out);
    play->shown = true;
}

/* ---- messages ---- */

void yo_play_shogi_greet(const struct yo_play_shogi *play) {
    bool black = play->human[YO_SHOGI_BLACK], white = play->human[YO_SHOGI_WHITE];
    char limits[64] = "", text[YO_TIMER_TEXT];
    bool clocks = yo_timer_is_on(&play->timer);
    if (play->limits.time_ms && !(clocks && !yo_options_given(play->options, "time")))
        snprintf(limits, sizeof limits, "%g s", (double)play->limits.time_ms / 1000);
    if (play->limits.nodes)
        snprintf(limits + strlen(limits), sizeof limits - strlen(limits), "%s%llu nodes",
                 limits[0] ? " or " : "", (unsigned long long)play->limits.nodes);
    yo_talk_say("Shogi. %s Yomi thinks %s%s (evaluation: %s).",
                black && white   ? "Two people play."
                : black || white ? (black ? "You are Black (sente, upwards)."
                                          : "You are White (gote, downwards).")
                                 : "Yomi plays itself.",
                limits[0] ? limits : "by its clock", limits[0] ? " a move" : "",
                yo_shogi_engine_eval(play->engine));
    if (clocks)
        yo_talk_say("Each side has %s on its clock.", yo_timer_settings(&play->timer, text));
    if (black || white)
        yo_talk_say("Type a move: 7g7f, 8h2b+ to promote, P*5e to drop%s. Also: undo, hint, "
                    "score, save, help, quit.",
                    play->term.graphic ? "; or ７六歩" : "");
}

void yo_play_shogi_prompt(struct yo_play_shogi *play) {
    bool explain = yo_shogi_game_move_count(play->game) < 2 && yo_term_width() >= 50;
    int side = (int)yo_shogi_game_to_move(play->game);
    char clock[YO_TIMER_TEXT];
    yo_timer_text(&play->timer, side, true, yo_time_ms(), clock);
    if (play->end)
        yo_term_prompt(&play->term, "new, save, undo or quit> ");
    else
        yo_term_prompt(&play->term, "%s%s%s%s> ", yo_play_shogi_side(side), *clock ? " " : "",
                       clock, explain ? ", your move (for example 7g7f)" : "");
}

static void say_winner(const struct yo_play_shogi *play, int winner, const char *how) {
    bool one_person = play->human[0] != play->human[1];
    if (one_person && play->human[winner])
        yo_talk_say("You win with %s %s. Well played!", yo_play_shogi_side(winner), how);
    else
        yo_talk_say("%s%s wins %s.", yo_play_shogi_side(winner),
                    play->human[winner] ? "" : " (Yomi)", how);
}

void yo_play_shogi_tell_end(struct yo_play_shogi *play) {
    int side = (int)yo_shogi_game_to_move(play->game);
    if (!play->shown) yo_play_shogi_show(play);
    switch (play->end) {
    case YO_SHOGI_END_MATE:
        say_winner(play, side ^ 1, "by mate");
        break;
    case YO_SHOGI_END_DECLARATION:
        say_winner(play, side, "by declaring the king entered");
        break;
    case YO_SHOGI_END_FOUL_BY_BLACK:
    case YO_SHOGI_END_FOUL_BY_WHITE:
        say_winner(play, play->end == YO_SHOGI_END_FOUL_BY_BLACK,
                   "since the other gave nothing but check");
        break;
    case YO_SHOGI_END_RESIGN:
        say_winner(play, side ^ 1, "by resignation");
        break;
    case YO_SHOGI_END_TIME_UP:
        say_winner(play, play->late ^ 1, "on time");
        break;
    case YO_SHOGI_END_REPETITION:
        yo_talk_say("A draw: the same position for the fourth time.");
        break;
    default:
        yo_talk_say("A draw: the game has lasted too long.");
        break;
    }
    yo_talk_say("Next: new (another game), save game.kif (keep this one)%s, or quit.",
                play->human[0] || play->human[1] ? ", undo (play on)" : "");
    play->told = true;
}
