/* Sessions that share networks: one evaluator for the same wishes, another for others, also when
 * they ask at the same time; each session ends without the others' noticing. */
#include "support/test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "engine/nets.h"
#include "engine/options.h"
#include "engine/session.h"
#include "game/go/game_ops.h"
#include "game/shogi/game_ops.h"
#include "support/katago_net.h"

static char path[] = "/tmp/yomi-test-nets-XXXXXX";

static void write_net(unsigned seed) {
    struct katago_net net = {.version = 8,
                             .blocks = "og",
                             .trunk = 6,
                             .mid = 6,
                             .pool = 3,
                             .head = 3,
                             .ky = 3,
                             .kx = 3,
                             .seed = seed};
    struct yo_buf file = {0};
    katago_net_make(&net);
    katago_net_write(&net, true, &file);
    if (seed % 2) yo_buf_str(&file, "\n"); /* another size */
    assert_int_equal(yo_file_replace(path, file.data, file.len, NULL), YO_OK);
    yo_buf_free(&file);
    katago_net_free(&net);
}

static struct yo_net_wish wish_for(const char *backend) {
    return (struct yo_net_wish){
        .game = &yo_go_ops, .path = path, .backend = backend, .options = {.cache_bytes = 1 << 20}};
}

static struct yo_eval open_one(struct yo_nets *nets, struct yo_net_wish wish) {
    struct yo_eval eval;
    struct yo_diag diag = {0};
    if (yo_nets_open(nets, &wish, &eval, &diag)) fail_msg("%s", diag.what);
    return eval;
}

static void close_one(struct yo_eval eval) { eval.ops->destroy(eval.ctx); }

static void same_wishes_share(void **state) {
    (void)state;
    struct yo_nets *nets;
    struct yo_net_wish wish = wish_for("reference"), turned = wish;
    write_net(1);
    turned.options.symmetry = 3;
    assert_int_equal(yo_nets_new(2, 2, (struct yo_notices){0}, &nets), YO_OK);
    struct yo_eval a = open_one(nets, wish), b = open_one(nets, wish), c = open_one(nets, turned);
    assert_ptr_equal(a.ctx, b.ctx);
    assert_ptr_not_equal(a.ctx, c.ctx);
    assert_int_equal(yo_net_eval_users(&a), 3); /* ours too */
    close_one(a);
    assert_int_equal(yo_net_eval_users(&b), 2);
    struct yo_eval_about about;
    b.ops->describe(b.ctx, 0, &about);
    assert_int_equal(about.batch, 1); /* a half of what two threads take */
    write_net(2);
    struct yo_eval d = open_one(nets, wish), alone = open_one(NULL, wish);
    assert_ptr_not_equal(b.ctx, d.ctx);
    assert_ptr_not_equal(d.ctx, alone.ctx);
    close_one(b);
    close_one(c);
    close_one(d);
    close_one(alone);
    yo_nets_delete(nets);
}

/* A client that tries one network after the other does not fill the memory. */
static void few_are_kept(void **state) {
    (void)state;
    struct yo_nets *nets;
    assert_int_equal(yo_nets_new(1, 1, (struct yo_notices){0}, &nets), YO_OK);
    write_net(1);
    struct yo_eval used[6];
    for (int symmetry = 0; symmetry < 6; symmetry++) {
        struct yo_net_wish wish = wish_for("reference");
        wish.options.symmetry = symmetry;
        used[symmetry] = open_one(nets, wish);
        /* The fifth and sixth find no place: all others are used. */
        assert_int_equal(yo_net_eval_users(&used[symmetry]), symmetry < 4 ? 2 : 1);
    }
    close_one(used[0]);
    struct yo_net_wish wish = wish_for("reference");
    wish.options.symmetry = 6;
    used[0] = open_one(nets, wish);
    assert_int_equal(yo_net_eval_users(&used[0]), 2); /* in the place of the first */
    for (int i = 0; i < 6; i++)
        close_one(used[i]);
    yo_nets_delete(nets);
}

static void other_games_are_refused(void **state) {
    (void)state;
    struct yo_nets *nets;
    struct yo_eval eval = {0};
    struct yo_diag diag = {0};
    struct yo_net_wish wish = wish_for(NULL);
    write_net(1);
    wish.game = &yo_shogi_ops;
    assert_int_equal(yo_nets_new(1, 1, (struct yo_notices){0}, &nets), YO_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(yo_nets_open(i ? nets : NULL, &wish, &eval, &diag), YO_ERR_UNSUPPORTED);
        assert_non_null(strstr(diag.what, "is a network for go, not for shogi"));
    }
    wish.game = &yo_go_ops;
    wish.backend = "nonsense";
    assert_int_not_equal(yo_nets_open(nets, &wish, &eval, &diag), YO_OK);
    wish.path = "/nowhere/at/all";
    assert_int_not_equal(yo_nets_open(nets, &wish, &eval, &diag), YO_OK);
    yo_nets_delete(nets);
}

/* ---- sessions ---- */

struct player {
    struct yo_nets *nets;
    void *net;
    double winrate;
};

static void set(struct yo_session *session, const char *key, const char *value) {
    struct yo_diag diag = {0};
    if (yo_session_set(session, YO_EVERYWHERE, key, value, &diag)) fail_msg("%s", diag.what);
}

static void *play(void *user) {
    struct player *p = user;
    struct yo_session_config config = {.game = YO_SESSION_GO, .strict = true, .nets = p->nets};
    struct yo_session *session;
    struct yo_eval net;
    struct yo_search_result result;
    const struct yo_search_limits limits = {.visits = 30};
    assert_int_equal(yo_session_new(&config, &session, NULL), YO_OK);
    set(session, "net", path);
    set(session, "net-backend", "reference");
    set(session, "threads", "1");
    struct yo_go_game *game;
    assert_int_equal(yo_go_game_new(5, NULL, &game), YO_OK);
    yo_session_take_go(session, game);
    assert_int_equal(yo_session_net(session, &net, NULL), YO_OK);
    p->net = net.ctx;
    assert_int_equal(yo_session_analyse(session, NULL, &limits, NULL, NULL, NULL, &result, NULL),
                     YO_OK);
    p->winrate = yo_search_root_winrate(&result);
    yo_session_delete(session);
    return NULL;
}

static void sessions_think_together(void **state) {
    (void)state;
    enum { PLAYERS = 4 };
    struct player players[PLAYERS], alone = {0};
    pthread_t threads[PLAYERS];
    struct yo_nets *nets;
    write_net(1);
    play(&alone);
    assert_int_equal(yo_nets_new(2, PLAYERS, (struct yo_notices){0}, &nets), YO_OK);
    for (int i = 0; i < PLAYERS; i++) {
        players[i] = (struct player){.nets = nets};
        assert_int_equal(pthread_create(&threads[i], NULL, play, &players[i]), 0);
    }
    for (int i = 0; i < PLAYERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < PLAYERS; i++) {
        assert_ptr_equal(players[i].net, players[0].net);
        assert_true(players[i].winrate == alone.winrate); /* not a bit of difference */
    }
    yo_nets_delete(nets);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_wishes_share),
        cmocka_unit_test(few_are_kept),
        cmocka_unit_test(other_games_are_refused),
        cmocka_unit_test(sessions_think_together),
    };
    int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
