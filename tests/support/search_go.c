#include "support/search_go.h"

#include "eval/playout/playouts.h"
#include "support/test.h"

struct yo_eval go_eval;

const char go_settled[] = "OO.XXO..."
                          ".XXXXO..."
                          "X.XOOOO.."
                          ".XXXXXO.O"
                          "X.XOOOOO."
                          ".XXXXXO.O"
                          "XX.X.XOO."
                          ".X.XXXO.O"
                          "X.XX.XOO.";

const char go_unsafe[] = "X...X.X.."
                         ".X.X.X.X."
                         ".X.XX..X."
                         "XXXXXX.X."
                         "OXOOXOXXX"
                         "OO.OOOOOX"
                         "..OX.O..O"
                         ".O.OXXO.."
                         ".O.OOXO..";

const char go_territory[] = "..OXXX..X"
                            ".OOX..XXX"
                            "OOXXX.XOX"
                            "OOOXXXOOO"
                            "OXOOXO..O"
                            "OXOOOOOO."
                            "XXXXXXXO."
                            "X...XXOO."
                            "X.XX.XXO.";

const char go_seki[] = "X.OOO.XO."
                       "XXXXXXXOO"
                       "OOOOOOOO."
                       "XXXXXXXOO"
                       "X.X.XXXXX"
                       "XXXXXXXXX"
                       ".X.X.X.X."
                       "XXXXXXXXX"
                       ".X.X.X.X.";

const char go_fight[] = "........."
                        ".OOOOO..."
                        "OXXXXXO.."
                        "OXXXXXO.."
                        ".OOO.OO.."
                        "....X...."
                        "..X...X.."
                        "....X...."
                        ".........";

const char go_lone[] = "........."
                       "........."
                       "........."
                       "........."
                       "........."
                       "........."
                       "..X......"
                       "........."
                       ".........";

int go_eval_set_up(void **unused) {
    (void)unused;
    struct yo_diag diag;
    return yo_playouts_eval_open("scalar", 1, &go_eval, &diag);
}

int go_eval_tear_down(void **unused) {
    (void)unused;
    go_eval.ops->destroy(go_eval.ctx);
    return 0;
}

struct yo_go_rules go_komi(int komi2) {
    struct yo_go_rules rules = yo_go_rules_default;
    rules.komi2 = komi2;
    return rules;
}

struct yo_search_result go_search(struct yo_search search, struct yo_go_game *game,
                                  uint64_t playouts, bool clean_up) {
    struct yo_search_limits limits = {.playouts = playouts, .clean_up = clean_up};
    struct yo_search_result result;
    struct yo_diag diag;
    assert_int_equal(yo_search_run(search, game, &limits, NULL, NULL, NULL, &result, &diag), YO_OK);
    assert_true(result.move_count > 0);
    return result;
}
