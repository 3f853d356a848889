/* EvalFile and FV_SCALE: what positions are worth. */
#include <string.h>

#include "base/alloc.h"
#include "eval/shogi/net_eval.h"
#include "eval/shogi/net_open.h"
#include "protocol/usi/internal.h"

static char *copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = yo_alloc(size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

static void use(struct yo_usi *usi, struct yo_shogi_net *net) {
    if (usi->search) { /* it must let go of the old one first */
        yo_ab_set_options(usi->search, &yo_ab_options_default);
        yo_ab_clear(usi->search);
    }
    yo_shogi_net_delete(usi->net);
    usi->net = net;
    usi->eval = yo_shogi_net_eval(net);
}

/* Reports a file that cannot be read, and what evaluates instead: what did before, or the built-in
 * network. */
static enum yo_err load(struct yo_usi *usi, const char *name) {
    struct yo_shogi_net *net;
    struct yo_diag diag = {0};
    char text[512];
    char *copy = copy_text(name);
    if (!copy) return YO_ERR_NOMEM;
    enum yo_err err = yo_shogi_net_open(name, &net, &diag);
    yo_free(usi->eval_asked);
    usi->eval_asked = copy;
    if (err == YO_ERR_NOMEM) return err;
    if (err) {
        yo_diag_format(&diag, text, sizeof text);
        yo_usi_say(usi, "info string EvalFile %s", text);
        if (!usi->eval.value) {
            err = yo_shogi_net_open(YO_SHOGI_EVAL_DEFAULT, &net, &diag);
            if (err) return err;
            use(usi, net);
        }
        yo_usi_say(usi, "info string evaluating by %s", usi->eval.name);
        return YO_OK;
    }
    use(usi, net);
    return YO_OK;
}

enum yo_err yo_usi_prepare_eval(struct yo_usi *usi) {
    const char *name = yo_usi_text_option(usi, "EvalFile");
    if (!name) name = YO_SHOGI_EVAL_DEFAULT;
    enum yo_err err = YO_OK;
    if (!usi->eval_asked || strcmp(usi->eval_asked, name) != 0) err = load(usi, name);
    int scale = (int)yo_options_int(&usi->options, "FV_SCALE");
    if (usi->net && usi->net->scale != scale) {
        usi->net->scale = scale;
        if (usi->search) yo_ab_clear(usi->search);
    }
    return err;
}

void yo_usi_free_eval(struct yo_usi *usi) {
    yo_shogi_net_delete(usi->net);
    yo_free(usi->eval_asked);
}
