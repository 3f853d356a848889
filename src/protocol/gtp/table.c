/* The table of GTP commands, one row each. A test compares it with docs/gtp.md. */
#include "protocol/gtp/internal.h"

#define ROW(topic, name, handler, min, max, usage, help)                                           \
    { topic, name, yo_gtp_cmd_##handler, min, max, usage, help }

/* clang-format off */
const struct yo_gtp_command yo_gtp_commands[] = {
#define T "Administration"
    ROW(T, "protocol_version", protocol_version, 0, 0, "", "the version of GTP: 2"),
    ROW(T, "name", name, 0, 0, "", "the engine's name"),
    ROW(T, "version", version, 0, 0, "", "the engine's version"),
    ROW(T, "known_command", known_command, 1, 1, "COMMAND", "true or false"),
    ROW(T, "list_commands", list_commands, 0, 0, "", "every command, one a line"),
    ROW(T, "help", list_commands, 0, 0, "", "the same"),
    ROW(T, "quit", quit, 0, 0, "", "answer and end"),
    ROW(T, "echo", echo, 0, YO_GTP_ANY, "TEXT", "the text itself"),
    ROW(T, "cputime", cputime, 0, 0, "", "processor seconds used so far, by all threads"),
    ROW(T, "clear_cache", clear_cache, 0, 0, "", "forget what searches keep between moves"),
    ROW(T, "get_random_seed", get_random_seed, 0, 0, "", "the seed of the playouts"),
    ROW(T, "set_random_seed", set_random_seed, 1, 1, "SEED", "change it"),
    ROW(T, "yomi-param", yomi_param, 0, 2, "[KEY [VALUE]]",
        "show or set limits, seed, resign, lag, judge, and every option of the search"),
    ROW(T, "kata-list-params", kata_list_params, 0, 0, "", "the settings that have KataGo's names"),
    ROW(T, "kata-get-param", kata_get_param, 1, 1, "NAME", "one of them"),
    ROW(T, "kata-set-param", kata_set_param, 2, 2, "NAME VALUE", "change it"),
    ROW(T, "kata-get-params", kata_get_params, 0, 0, "", "all of them as JSON"),
    ROW(T, "kata-set-params", kata_set_params, 1, YO_GTP_ANY, "JSON", "change several"),
#undef T
#define T "Setting up"
    ROW(T, "boardsize", boardsize, 1, 1, "SIZE", "an empty board, 2 to 19 points wide"),
    ROW(T, "query_boardsize", query_boardsize, 0, 0, "", "the width of the board"),
    ROW(T, "clear_board", clear_board, 0, 0, "", "begin a new game"),
    ROW(T, "komi", komi, 1, 1, "KOMI", "in whole or half points"),
    ROW(T, "get_komi", get_komi, 0, 0, "", "the komi"),
    ROW(T, "fixed_handicap", fixed_handicap, 1, 1, "STONES", "on the standard's points; tells them"),
    ROW(T, "place_free_handicap", place_free_handicap, 1, 1, "STONES",
        "where the engine likes; tells the points"),
    ROW(T, "set_free_handicap", set_free_handicap, 2, YO_GTP_ANY, "POINT POINT...",
        "on these points"),
    ROW(T, "get_handicap", get_handicap, 0, 0, "", "how many handicap stones there are"),
    ROW(T, "loadsgf", loadsgf, 1, 2, "FILE [MOVE]",
        "a game record, up to before a move, named by number or point; without rules or komi in it "
        "the current ones stay; one that is cut off or has an illegal move is loaded as far as it "
        "goes"),
    ROW(T, "printsgf", printsgf, 0, 1, "[FILE]",
        "the game as SGF, within the record it was loaded from, in the answer or in a file"),
    ROW(T, "gogui-setup", gogui_setup, 0, YO_GTP_ANY, "COLOR POINT...",
        "put stones on the board (color e takes away)"),
    ROW(T, "gogui-setup_player", gogui_setup_player, 1, 1, "COLOR", "whose turn it is"),
#undef T
#define T "Playing"
    ROW(T, "play", play, 2, 2, "COLOR MOVE", "a move, or pass"),
    ROW(T, "gogui-play_sequence", play_sequence, 0, YO_GTP_ANY, "COLOR MOVE...",
        "several moves, all or none"),
    ROW(T, "genmove", genmove, 1, 1, "COLOR", "think, play, and tell the move"),
    ROW(T, "reg_genmove", reg_genmove, 1, 1, "COLOR", "think and tell, but do not play"),
    ROW(T, "kgs-genmove_cleanup", genmove_cleanup, 1, 1, "COLOR",
        "the same, passing only when no dead stones are left"),
    ROW(T, "undo", undo, 0, 0, "", "take the last move back"),
    ROW(T, "gg-undo", gg_undo, 0, 1, "[MOVES]", "take several back"),
    ROW(T, "trymove", trymove, 2, 2, "COLOR MOVE", "play for the moment"),
    ROW(T, "popgo", popgo, 0, 0, "", "take back what trymove played"),
#undef T
#define T "Analysis"
    ROW(T, "lz-analyze", lz_analyze, 0, YO_GTP_ANY, "[COLOR] [INTERVAL] [KEY VALUE]...",
        "think and report, in Leela Zero's form, until the next line comes"),
    ROW(T, "lz-genmove_analyze", lz_genmove_analyze, 0, YO_GTP_ANY,
        "[COLOR] [INTERVAL] [KEY VALUE]...", "report while thinking, then play"),
    ROW(T, "kata-analyze", kata_analyze, 0, YO_GTP_ANY, "[COLOR] [INTERVAL] [KEY VALUE]...",
        "the same in KataGo's form; keys are interval, minmoves, maxmoves, ownership, ownershipStdev, "
        "movesOwnership, movesOwnershipStdev, rootInfo, pvVisits, pvEdgeVisits, noResultValue, avoid, "
        "allow"),
    ROW(T, "kata-genmove_analyze", kata_genmove_analyze, 0, YO_GTP_ANY,
        "[COLOR] [INTERVAL] [KEY VALUE]...", "report while thinking, then play"),
    ROW(T, "analyze", kata_analyze, 0, YO_GTP_ANY, "[COLOR] [INTERVAL] [KEY VALUE]...",
        "kata-analyze by the name that Sabaki looks for first"),
    ROW(T, "genmove_analyze", kata_genmove_analyze, 0, YO_GTP_ANY,
        "[COLOR] [INTERVAL] [KEY VALUE]...", "kata-genmove_analyze likewise"),
    ROW(T, "kata-search", kata_search, 0, 1, "[COLOR]", "think and tell, as genmove, but do not play"),
    ROW(T, "kata-search_cancellable", kata_search_cancellable, 0, 1, "[COLOR]",
        "the same; the next line ends it, with the answer cancelled"),
    ROW(T, "kata-search_analyze", kata_search_analyze, 0, YO_GTP_ANY,
        "[COLOR] [INTERVAL] [KEY VALUE]...", "kata-genmove_analyze that does not play"),
    ROW(T, "kata-search_analyze_cancellable", kata_search_analyze_cancellable, 0, YO_GTP_ANY,
        "[COLOR] [INTERVAL] [KEY VALUE]...", "the same; the next line ends it, with play cancelled"),
    ROW(T, "kata-raw-nn", kata_raw_nn, 1, 1, "SYMMETRY|all",
        "what the network says of the position, before any search"),
#undef T
#define T "Time"
    ROW(T, "time_settings", time_settings, 3, 3, "MAIN PERIOD STONES",
        "main time and Canadian overtime, in seconds"),
    ROW(T, "kgs-time_settings", kgs_time_settings, 1, 4, "KIND [MAIN [PERIOD COUNT]]",
        "none, absolute, byoyomi or canadian"),
    ROW(T, "kata-time_settings", kgs_time_settings, 1, 4, "KIND [MAIN [PERIOD [COUNT]]]",
        "the same, and fischer: MAIN and what each move brings"),
    ROW(T, "kata-list_time_settings", kata_list_time_settings, 0, 0, "", "those kinds"),
    ROW(T, "time_left", time_left, 3, 3, "COLOR SECONDS STONES",
        "what the referee's clock shows"),
#undef T
#define T "Scoring"
    ROW(T, "final_score", final_score, 0, 0, "", "the result, dead stones taken off"),
    ROW(T, "final_status", final_status, 1, 1, "POINT",
        "alive, dead, seki, black_territory, white_territory or dame"),
    ROW(T, "final_status_list", final_status_list, 1, 1, "STATUS",
        "the strings that are alive, dead or seki, one a line; the points that are black_territory, "
        "white_territory or dame"),
#undef T
#define T "Looking at the board"
    ROW(T, "showboard", showboard, 0, 0, "", "a drawing"),
    ROW(T, "list_stones", list_stones, 1, 1, "COLOR", "where its stones are"),
    ROW(T, "get_position", get_position, 0, 0, "", "all stones, in the words of gogui-setup"),
    ROW(T, "color", color, 1, 1, "POINT", "black, white or empty"),
    ROW(T, "is_legal", is_legal, 2, 2, "COLOR MOVE", "1 or 0"),
    ROW(T, "all_legal", all_legal, 1, 1, "COLOR", "every legal move but pass"),
    ROW(T, "captures", captures, 1, 1, "COLOR", "stones taken by it"),
    ROW(T, "last_move", last_move, 0, 0, "", "color and move"),
    ROW(T, "move_history", move_history, 0, 0, "", "all moves, the last one first"),
    ROW(T, "countlib", countlib, 1, 1, "POINT", "how many liberties a string has"),
    ROW(T, "findlib", findlib, 1, 1, "POINT", "where they are"),
#undef T
#define T "Rules"
    ROW(T, "kgs-rules", kgs_rules, 1, 1, "NAME", "chinese, japanese, aga, new_zealand"),
    ROW(T, "kata-get-rules", kata_get_rules, 0, 0, "", "the rules as JSON"),
    ROW(T, "kata-set-rules", kata_set_rules, 1, YO_GTP_ANY, "RULES", "a name or JSON"),
    ROW(T, "kata-set-rule", kata_set_rule, 2, 2, "KEY VALUE", "one of them"),
#undef T
#define T "For clients"
    ROW(T, "kgs-chat", kgs_chat, 0, YO_GTP_ANY, "game|private NAME MESSAGE", "a polite refusal"),
    ROW(T, "kgs-game_over", kgs_game_over, 0, 0, "", "the game has ended"),
    ROW(T, "gogui-analyze_commands", gogui_analyze_commands, 0, 0, "", "what GoGui's menu shows"),
    ROW(T, "gogui-interrupt", gogui_interrupt, 0, 0, "",
        "tells that the comment \"# interrupt\" cuts thinking short"),
    ROW(T, "yomi-best_moves", yomi_best_moves, 0, 1, "[COLOR]", "the best moves, to draw (gfx)"),
    ROW(T, "yomi-ownership", yomi_ownership, 0, 1, "[COLOR]",
        "who owns each point, +1 Black to -1 White"),
    ROW(T, "yomi-winrates", yomi_winrates, 0, 1, "[COLOR]",
        "how each move does, +1 Black wins to -1 White wins"),
    ROW(T, "yomi-visits", yomi_visits, 0, 1, "[COLOR]", "the playouts each move got"),
    ROW(T, "yomi-rave", yomi_rave, 0, 1, "[COLOR]",
        "how playouts do in which a point is played at any time"),
    ROW(T, "yomi-prior", yomi_prior, 0, 1, "[COLOR]",
        "what was known of each move before the search, 1 for the likeliest"),
    ROW(T, "yomi-histogram", yomi_histogram, 0, 0, "", "how playouts from here end, by score"),
#undef T
    {NULL, NULL, NULL, 0, 0, NULL, NULL},
};
/* clang-format on */
