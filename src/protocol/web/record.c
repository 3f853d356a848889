#include "protocol/web/record.h"

#include <string.h>

const struct web_header yo_web_headers[] = {
    {"black", "PB", "先手", "下手"},  {"white", "PW", "後手", "上手"},
    {"black_rank", "BR", NULL, NULL}, {"white_rank", "WR", NULL, NULL},
    {"date", "DT", "開始日時", NULL}, {"result", "RE", NULL, NULL},
    {"event", "EV", "棋戦", NULL},    {"round", "RO", NULL, NULL},
    {"place", "PC", "場所", NULL},    {"name", "GN", "表題", NULL},
    {"note", "GC", "備考", NULL},     {"source", "SO", NULL, NULL},
    {"time", "TM", "持ち時間", NULL}, {"overtime", "OT", "秒読み", NULL},
    {"opening", "ON", "戦型", NULL},  {NULL, NULL, NULL, NULL},
};

const char *const yo_web_formats[] = {
    [YO_SHOGI_CSA] = "csa", [YO_SHOGI_KIF] = "kif", [YO_SHOGI_KI2] = "ki2", [YO_SHOGI_JKF] = "jkf"};

static const char *const ends[YO_SHOGI_ENDS] = {
#define X(name, csa, kif) [YO_SHOGI_END_##name] = #name,
    YO_SHOGI_END_LIST(X)
#undef X
};

char *yo_web_end_name(int end, char out[32]) {
    size_t i = 0;
    for (const char *p = ends[end]; *p && i < 31; p++)
        out[i++] = (char)(*p == '_' ? ' ' : *p - 'A' + 'a');
    out[i] = '\0';
    return out;
}

enum yo_shogi_end yo_web_end_find(const char *name) {
    char known[32];
    for (int end = 1; end < YO_SHOGI_ENDS; end++)
        if (strcmp(yo_web_end_name(end, known), name) == 0) return (enum yo_shogi_end)end;
    return YO_SHOGI_GOES_ON;
}
