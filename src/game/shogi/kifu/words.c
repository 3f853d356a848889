#include "game/shogi/kifu/words.h"

#include <string.h>

#include "game/shogi/text.h"

const char *const yo_shogi_csa_pieces[YO_SHOGI_KINDS] = {
    [YO_SHOGI_PAWN] = "FU",      [YO_SHOGI_LANCE] = "KY",      [YO_SHOGI_KNIGHT] = "KE",
    [YO_SHOGI_SILVER] = "GI",    [YO_SHOGI_GOLD] = "KI",       [YO_SHOGI_BISHOP] = "KA",
    [YO_SHOGI_ROOK] = "HI",      [YO_SHOGI_KING] = "OU",       [YO_SHOGI_TOKIN] = "TO",
    [YO_SHOGI_PRO_LANCE] = "NY", [YO_SHOGI_PRO_KNIGHT] = "NK", [YO_SHOGI_PRO_SILVER] = "NG",
    [YO_SHOGI_HORSE] = "UM",     [YO_SHOGI_DRAGON] = "RY",
};
const char *const yo_shogi_kif_pieces[YO_SHOGI_KINDS] = {
    [YO_SHOGI_PAWN] = "歩",        [YO_SHOGI_LANCE] = "香",        [YO_SHOGI_KNIGHT] = "桂",
    [YO_SHOGI_SILVER] = "銀",      [YO_SHOGI_GOLD] = "金",         [YO_SHOGI_BISHOP] = "角",
    [YO_SHOGI_ROOK] = "飛",        [YO_SHOGI_KING] = "玉",         [YO_SHOGI_TOKIN] = "と",
    [YO_SHOGI_PRO_LANCE] = "成香", [YO_SHOGI_PRO_KNIGHT] = "成桂", [YO_SHOGI_PRO_SILVER] = "成銀",
    [YO_SHOGI_HORSE] = "馬",       [YO_SHOGI_DRAGON] = "龍",
};
const char *const yo_shogi_kif_pieces_too[YO_SHOGI_KINDS] = {
    [YO_SHOGI_KING] = "王",       [YO_SHOGI_PRO_LANCE] = "杏", [YO_SHOGI_PRO_KNIGHT] = "圭",
    [YO_SHOGI_PRO_SILVER] = "全", [YO_SHOGI_DRAGON] = "竜",
};
const char *const yo_shogi_kif_short_pieces[YO_SHOGI_KINDS] = {
    [YO_SHOGI_PAWN] = "歩",      [YO_SHOGI_LANCE] = "香",      [YO_SHOGI_KNIGHT] = "桂",
    [YO_SHOGI_SILVER] = "銀",    [YO_SHOGI_GOLD] = "金",       [YO_SHOGI_BISHOP] = "角",
    [YO_SHOGI_ROOK] = "飛",      [YO_SHOGI_KING] = "玉",       [YO_SHOGI_TOKIN] = "と",
    [YO_SHOGI_PRO_LANCE] = "杏", [YO_SHOGI_PRO_KNIGHT] = "圭", [YO_SHOGI_PRO_SILVER] = "全",
    [YO_SHOGI_HORSE] = "馬",     [YO_SHOGI_DRAGON] = "龍",
};
const char *const yo_shogi_wide_digits[9] = {"１", "２", "３", "４", "５", "６", "７", "８", "９"};
const char *const yo_shogi_kanji_digits[9] = {"一", "二", "三", "四", "五", "六", "七", "八", "九"};

const char *const yo_shogi_csa_ends[YO_SHOGI_ENDS] = {
#define X(name, csa, kif) [YO_SHOGI_END_##name] = csa,
    YO_SHOGI_END_LIST(X)
#undef X
};
const char *const yo_shogi_kif_ends[YO_SHOGI_ENDS] = {
#define X(name, csa, kif) [YO_SHOGI_END_##name] = kif,
    YO_SHOGI_END_LIST(X)
#undef X
};

/* pieces: White's first two ranks. White moves first in all but the even game. */
#define HANDICAP(pieces) pieces "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
static const struct {
    const char *name, *preset, *sfen;
} handicaps[] = {
    {"平手", "HIRATE", YO_SHOGI_START},
    {"香落ち", "KY", HANDICAP("lnsgkgsn1/1r5b1")},
    {"右香落ち", "KY_R", HANDICAP("1nsgkgsnl/1r5b1")},
    {"角落ち", "KA", HANDICAP("lnsgkgsnl/1r7")},
    {"飛車落ち", "HI", HANDICAP("lnsgkgsnl/7b1")},
    {"飛香落ち", "HIKY", HANDICAP("lnsgkgsn1/7b1")},
    {"二枚落ち", "2", HANDICAP("lnsgkgsnl/9")},
    {"三枚落ち", "3", HANDICAP("lnsgkgsn1/9")},
    {"四枚落ち", "4", HANDICAP("1nsgkgsn1/9")},
    {"五枚落ち", "5", HANDICAP("2sgkgsn1/9")},
    {"左五枚落ち", "5_L", HANDICAP("1nsgkgs2/9")},
    {"六枚落ち", "6", HANDICAP("2sgkgs2/9")},
    {"左七枚落ち", "7_L", HANDICAP("2sgkg3/9")},
    {"右七枚落ち", "7_R", HANDICAP("3gkgs2/9")},
    {"八枚落ち", "8", HANDICAP("3gkg3/9")},
    {"十枚落ち", "10", HANDICAP("4k4/9")},
};

const char *yo_shogi_handicap(size_t i, const char **sfen) {
    if (i >= sizeof handicaps / sizeof handicaps[0]) return NULL;
    *sfen = handicaps[i].sfen;
    return handicaps[i].name;
}

/* -1: none. */
static int find_handicap(const struct yo_shogi_position *pos) {
    for (size_t i = 0; i < sizeof handicaps / sizeof handicaps[0]; i++) {
        struct yo_shogi_position start;
        yo_shogi_sfen_parse(handicaps[i].sfen, &start, NULL);
        if (memcmp(start.board, pos->board, sizeof start.board) == 0 &&
            memcmp(start.hands, pos->hands, sizeof start.hands) == 0 && start.side == pos->side)
            return (int)i;
    }
    return -1;
}

const char *yo_shogi_handicap_name(const struct yo_shogi_position *pos) {
    int i = find_handicap(pos);
    return i < 0 ? NULL : handicaps[i].name;
}

const char *yo_shogi_jkf_preset(const struct yo_shogi_position *pos) {
    int i = find_handicap(pos);
    return i < 0 ? NULL : handicaps[i].preset;
}

const char *yo_shogi_jkf_start(const char *preset) {
    for (size_t i = 0; i < sizeof handicaps / sizeof handicaps[0]; i++)
        if (strcmp(handicaps[i].preset, preset) == 0) return handicaps[i].sfen;
    return NULL;
}

static const char *const headers[][2] = {
    {"N+", "先手"},
    {"N-", "後手"},
    {"$EVENT", "棋戦"},
    {"$SITE", "場所"},
    {"$START_TIME", "開始日時"},
    {"$END_TIME", "終了日時"},
    {"$TIME_LIMIT", "持ち時間"},
    {"$OPENING", "戦型"},
    {"$NOTE", "備考"},
};

const char *yo_shogi_header_from_csa(const char *key) {
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (strcmp(headers[i][0], key) == 0) return headers[i][1];
    return NULL;
}

const char *yo_shogi_header_to_csa(const char *key) {
    if (strcmp(key, "下手") == 0) return "N+";
    if (strcmp(key, "上手") == 0) return "N-";
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
        if (strcmp(headers[i][1], key) == 0) return headers[i][0];
    return NULL;
}

bool yo_shogi_header_is_setup(const char *key) {
    static const char *const keys[] = {"手合割",     "手番",       "先手の持駒",
                                       "後手の持駒", "下手の持駒", "上手の持駒"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i], key) == 0) return true;
    return false;
}
