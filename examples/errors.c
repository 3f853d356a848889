/* yomi/error.h: a function that can fail returns a code, and fills what a person will read. */
#include <stdio.h>
#include <yomi/error.h>
#include <yomi/go.h>

int main(void) {
    struct yo_diag diag;
    struct yo_go_rules rules = yo_go_rules_default;
    enum yo_err err = yo_go_rules_parse("chinise", &rules, &diag);
    printf("%s: %s; %s\n", yo_err_text(err), diag.what, diag.hint);
    return err == YO_ERR_UNKNOWN ? 0 : 1;
}
