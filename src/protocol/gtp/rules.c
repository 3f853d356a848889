/* Rules by KGS's names and in KataGo's form, and other KGS commands. */
#include <string.h>
#include <strings.h>

#include "game/go/rules.h"
#include "protocol/gtp/internal.h"

/* Keeps komi: neither KGS nor KataGo sets komi with the rules. */
static enum yo_err set_rules(struct yo_gtp *gtp, const char *text, struct yo_diag *diag) {
    struct yo_go_rules rules = *yo_go_game_rules(gtp->game);
    enum yo_err err = yo_go_rules_parse(text, &rules, diag);
    if (!err) yo_go_game_set_rules(gtp->game, &rules);
    return err;
}

YO_GTP_HANDLER(kgs_rules) {
    (void)out;
    /* KGS's Chinese rules have superko; KataGo's do not. */
    bool chinese = strcasecmp(line->args[0], "chinese") == 0;
    return set_rules(gtp, chinese ? "chinese-kgs" : line->args[0], diag);
}

YO_GTP_HANDLER(kgs_chat) {
    (void)gtp, (void)line, (void)diag;
    yo_buf_str(out, "I am a program and cannot chat, but thank you for talking to me.");
    return YO_OK;
}

YO_GTP_HANDLER(kgs_game_over) {
    (void)line, (void)out, (void)diag;
    yo_gtp_new_game(gtp);
    return YO_OK;
}

YO_GTP_HANDLER(kata_get_rules) {
    (void)line, (void)diag;
    char text[512];
    yo_go_rules_format(yo_go_game_rules(gtp->game), text, sizeof text);
    yo_buf_str(out, text);
    return YO_OK;
}

YO_GTP_HANDLER(kata_set_rules) {
    (void)out;
    return set_rules(gtp, line->rest, diag);
}

static bool is_bare_json(const char *text) {
    return strcmp(text, "true") == 0 || strcmp(text, "false") == 0 ||
           (*text && text[strspn(text, "+-.0123456789")] == '\0');
}

YO_GTP_HANDLER(kata_set_rule) {
    (void)out;
    char key[48], value[48];
    yo_gtp_quote(line->args[0], key);
    yo_gtp_quote(line->args[1], value);
    if (strpbrk(key, "\"\\") || strpbrk(value, "\"\\"))
        return yo_diag_set(diag, YO_ERR_PARSE, "syntax error: no quotes are needed");
    const char *quote = is_bare_json(value) ? "" : "\"";
    struct yo_buf json = {0};
    yo_buf_printf(&json, "{\"%s\":%s%s%s}", key, quote, value, quote);
    enum yo_err err = yo_buf_status(&json);
    struct yo_go_rules rules = *yo_go_game_rules(gtp->game);
    if (!err) err = yo_go_rules_change(yo_buf_text(&json), json.len, &rules, diag);
    if (!err) yo_go_game_set_rules(gtp->game, &rules);
    yo_buf_free(&json);
    return err;
}
