/* Networks for shogi: reading the community's files, and the same number from every kernel whatever
 * was played and taken back. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "eval/shogi/kernel.h"
#include "eval/shogi/material.h"
#include "eval/shogi/net_eval.h"
#include "eval/shogi/net_open.h"
#include "eval/shogi/refresh.h"
#include "game/shogi/movegen.h"
#include "game/shogi/text.h"
#include "support/ab_think.h"
#include "support/naive_shogi_net.h"
#include "support/shogi_random.h"

static struct yo_shogi_net *read_net(const struct naive_net *naive) {
    struct yo_shogi_net *net = NULL;
    struct yo_diag diag = {0};
    enum yo_err err = yo_shogi_net_read(naive->bytes, naive->size, &net, &diag);
    if (err) fail_msg("%s", diag.what);
    return net;
}

static int clamped(int32_t output, int scale) {
    int value = output / scale;
    return value > YO_SHOGI_EVAL_MAX    ? YO_SHOGI_EVAL_MAX
           : value < -YO_SHOGI_EVAL_MAX ? -YO_SHOGI_EVAL_MAX
                                        : value;
}

/* ---- Values ---- */

enum { PLIES = 60 };

/* Wanders through a tree as a search does: plays, passes, takes back, and asks now and then. cache:
 * may be NULL, and hold anything of other networks. */
static void wander(const struct naive_net *naive, struct yo_shogi_net *net, uint64_t *state,
                   int steps, void *cache) {
    struct yo_shogi_eval eval = yo_shogi_net_eval(net);
    char *states = yo_alloc_aligned((PLIES + 1) * eval.state_size);
    struct yo_shogi_position positions[PLIES + 1];
    int ply = 0;
    shogi_random_game(state, (int)shogi_random(state, 80), &positions[0]);
    eval.root(net, &positions[0], states);
    if (cache) eval.use_cache(states, cache);
    for (int i = 0; i < steps; i++) {
        struct yo_shogi_position *pos = &positions[ply];
        yo_shogi_move moves[YO_SHOGI_LIST], move;
        size_t count = yo_shogi_legal_moves(pos, moves);
        bool back = ply == PLIES || count == 0 || (ply > 0 && shogi_random(state, 5) < 2);
        if (back && ply == 0) break;
        if (back) {
            ply -= 1 + (int)shogi_random(state, (uint32_t)ply);
        } else {
            bool pass = !shogi_in_check(pos) && shogi_random(state, 10) == 0;
            move = pass ? YO_SHOGI_NO_MOVE : moves[shogi_random(state, (uint32_t)count)];
            pos[1] = pos[0];
            if (pass)
                yo_shogi_play_null(&pos[1]);
            else
                yo_shogi_play(&pos[1], move);
            eval.step(net, &pos[0], &pos[1], move, states + (size_t)ply * eval.state_size,
                      states + (size_t)(ply + 1) * eval.state_size);
            ply++;
        }
        if (shogi_random(state, 3) == 0) continue;
        int value = eval.value(net, &positions[ply], states + (size_t)ply * eval.state_size);
        int wanted = clamped(naive_net_output(naive, &positions[ply]), net->scale);
        char sfen[YO_SHOGI_SFEN_MAX];
        if (value != wanted)
            fail_msg("%s, %s: %d, not %d", net->kernel->name,
                     yo_shogi_sfen_format(&positions[ply], sfen), value, wanted);
    }
    yo_free_aligned(states);
}

static void same_on_every_kernel(enum yo_shogi_net_kind kind, bool large) {
    struct naive_net naive;
    uint64_t state = 17 + large;
    static struct shogi_refresh cache; /* keeps what other networks left */
    naive_net_make(&naive, kind, &state, large);
    struct yo_shogi_net *net = read_net(&naive);
    int tried = 0;
    for (const struct shogi_net_kernel *const *k = yo_shogi_net_kernels; *k; k++) {
        if (!(*k)->available()) continue;
        net->kernel = *k;
        net->scale = tried % 2 ? 1 : 16;
        for (int game = 0; game < 12; game++)
            wander(&naive, net, &state, 150, game % 3 ? &cache : NULL);
        tried++;
    }
    assert_true(tried >= 1);
    yo_shogi_net_delete(net);
    free(naive.bytes);
}

static void kp_values(void **unused) {
    (void)unused;
    same_on_every_kernel(YO_SHOGI_NET_KP, false);
}

static void halfkp_values(void **unused) {
    (void)unused;
    same_on_every_kernel(YO_SHOGI_NET_HALFKP, false);
}

static void relative_values(void **unused) {
    (void)unused;
    same_on_every_kernel(YO_SHOGI_NET_RELATIVE, false);
}

static void zones_values(void **unused) {
    (void)unused;
    same_on_every_kernel(YO_SHOGI_NET_ZONES, false);
}

static void wild_weights_wrap_alike(void **unused) {
    (void)unused;
    same_on_every_kernel(YO_SHOGI_NET_KP, true);
    same_on_every_kernel(YO_SHOGI_NET_RELATIVE, true);
    same_on_every_kernel(YO_SHOGI_NET_ZONES, true);
}

/* Games seldom bring a king far from home: pieces strewn over the board, until either king has been
 * on every square. */
static void kings_on_every_square(enum yo_shogi_net_kind kind) {
    struct naive_net naive;
    uint64_t state = 29;
    bool seen[2][YO_SHOGI_SQUARES] = {{0}};
    naive_net_make(&naive, kind, &state, false);
    struct yo_shogi_net *net = read_net(&naive);
    struct yo_shogi_eval eval = yo_shogi_net_eval(net);
    void *at = yo_alloc_aligned(eval.state_size);
    for (int left = 2 * YO_SHOGI_SQUARES; left > 0;) {
        struct yo_shogi_position pos;
        shogi_random_setup(&state, &pos);
        if (pos.king[0] == YO_SHOGI_NO_SQUARE || pos.king[1] == YO_SHOGI_NO_SQUARE) continue;
        if (seen[0][pos.king[0]] && seen[1][pos.king[1]]) continue;
        for (int side = 0; side < 2; side++) {
            left -= !seen[side][pos.king[side]];
            seen[side][pos.king[side]] = true;
        }
        eval.root(net, &pos, at);
        assert_int_equal(eval.value(net, &pos, at),
                         clamped(naive_net_output(&naive, &pos), net->scale));
    }
    yo_free_aligned(at);
    yo_shogi_net_delete(net);
    free(naive.bytes);
}

static void strewn_pieces(void **unused) {
    (void)unused;
    kings_on_every_square(YO_SHOGI_NET_HALFKP);
    kings_on_every_square(YO_SHOGI_NET_RELATIVE);
    kings_on_every_square(YO_SHOGI_NET_ZONES);
}

/* ---- Inputs ---- */

static bool is_on(const size_t *inputs, size_t count, size_t input) {
    for (size_t i = 0; i < count; i++)
        if (inputs[i] == input) return true;
    return false;
}

/* By hand: numbers of docs/shogi-net.md. */
static void inputs_of_zones(void **unused) {
    (void)unused;
    static const struct {
        const char *sfen;
        int viewer;
        size_t on[5]; /* own king, other's king, own rook, other's rook, own pawn in hand */
    } cases[] = {
        /* Kings on 2h and 5a, Black's rook on 7e, White's on 8b. Zone 6, the square 1 * 9 + 7. */
        {"4k4/1r7/9/9/2R6/9/9/7K1/9 b P 1",
         YO_SHOGI_BLACK,
         {30951 + 16, 9774 + 1548 + 36, 9774 + 1224 + 58, 9774 + 1305 + 64, 9774 + 1}},
        /* The mirror image: the same inputs. */
        {"4k4/7r1/9/9/6R2/9/9/1K7/9 b P 1",
         YO_SHOGI_BLACK,
         {30951 + 16, 9774 + 1548 + 36, 9774 + 1224 + 58, 9774 + 1305 + 64, 9774 + 1}},
        /* And upside down, for White. */
        {"9/1k7/9/9/6r2/9/9/7R1/4K4 w p 1",
         YO_SHOGI_WHITE,
         {30951 + 16, 9774 + 1548 + 36, 9774 + 1224 + 58, 9774 + 1305 + 64, 9774 + 1}},
        /* File 5 is not mirrored: the king on 5i, zone 4, the rook on 7e as it is. */
        {"4k4/1r7/9/9/2R6/9/9/9/4K4 b P 1",
         YO_SHOGI_BLACK,
         {30951 + 44, 6516 + 1548 + 36, 6516 + 1224 + 58, 6516 + 1305 + 64, 6516 + 1}},
        /* 7f, file 3 after mirroring, with all others mirrored; zone 15. */
        {"3k5/1r7/9/9/2R6/2K6/9/9/9 b P 1",
         YO_SHOGI_BLACK,
         {30951 + 23, 24435 + 1548 + 27, 24435 + 1224 + 22, 24435 + 1305 + 10, 24435 + 1}},
        /* 6a, the farthest rank, file 4 after mirroring; zone 18. */
        {"1r1K5/9/9/9/2R6/9/9/9/4k4 b P 1",
         YO_SHOGI_BLACK,
         {30951 + 27, 29322 + 1548 + 44, 29322 + 1224 + 22, 29322 + 1305 + 9, 29322 + 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yo_shogi_position pos;
        size_t on[SHOGI_INPUTS_ON];
        assert_int_equal(yo_shogi_sfen_parse(cases[i].sfen, &pos, NULL), YO_OK);
        size_t count = yo_shogi_inputs(&pos, cases[i].viewer, YO_SHOGI_NET_ZONES, on);
        assert_int_equal(count, 5);
        for (size_t j = 0; j < count; j++)
            if (!is_on(on, count, cases[i].on[j]))
                fail_msg("%s: %zu is not on", cases[i].sfen, cases[i].on[j]);
    }
}

static void forty_inputs_of_zones(void **unused) {
    (void)unused;
    uint64_t state = 31;
    for (int game = 0; game < 100; game++) {
        struct yo_shogi_position pos;
        size_t on[SHOGI_INPUTS_ON];
        shogi_random_game(&state, (int)shogi_random(&state, 150), &pos);
        for (int viewer = 0; viewer < 2; viewer++)
            assert_int_equal(yo_shogi_inputs(&pos, viewer, YO_SHOGI_NET_ZONES, on), 40);
    }
}

/* The same search, node for node. */
static void searches_are_equal(void **unused) {
    (void)unused;
    struct yo_shogi_net *net;
    struct yo_ab *search;
    uint64_t nodes = 0, state = 3;
    int score = 0;
    assert_int_equal(yo_shogi_net_open("builtin", &net, NULL), YO_OK);
    struct yo_shogi_eval eval = yo_shogi_net_eval(net);
    struct yo_ab_options options = yo_ab_options_default;
    options.eval = &eval;
    assert_int_equal(yo_ab_new(1, &search), YO_OK);
    assert_int_equal(yo_ab_set_options(search, &options), YO_OK);
    struct yo_shogi_position pos;
    shogi_random_game(&state, 30, &pos);
    for (const struct shogi_net_kernel *const *k = yo_shogi_net_kernels; *k; k++) {
        if (!(*k)->available()) continue;
        net->kernel = *k;
        yo_ab_clear(search);
        struct ab_found r = ab_think(search, &pos, &(struct yo_search_limits){.depth = 6}, NULL);
        if (nodes) {
            assert_int_equal(r.nodes, nodes);
            assert_int_equal(r.score, score);
        }
        nodes = r.nodes;
        score = r.score;
    }
    yo_ab_delete(search);
    yo_shogi_net_delete(net);
}

/* ---- Names ---- */

static void builtin_knows_material(void **unused) {
    (void)unused;
    struct yo_shogi_net *net;
    assert_int_equal(yo_shogi_net_open("builtin", &net, NULL), YO_OK);
    struct yo_shogi_eval eval = yo_shogi_net_eval(net);
    void *state = yo_alloc_aligned(eval.state_size);
    static const char *const sfens[] = {
        /* White's rook, then Black's, is in the other's hand. */
        "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B7/LNSGKGSNL b r 1"};
    int values[2];
    for (int i = 0; i < 2; i++) {
        struct yo_shogi_position pos;
        assert_int_equal(yo_shogi_sfen_parse(sfens[i], &pos, NULL), YO_OK);
        eval.root(net, &pos, state);
        values[i] = eval.value(net, &pos, state);
    }
    assert_true(values[0] > 300);
    assert_true(values[1] < -300);
    yo_free_aligned(state);
    yo_shogi_net_delete(net);
}

static void material_needs_no_net(void **unused) {
    (void)unused;
    struct yo_shogi_net *net;
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_net_open("material", &net, NULL), YO_OK);
    assert_null(net);
    struct yo_shogi_eval eval = yo_shogi_net_eval(net);
    yo_shogi_position_start(&pos);
    assert_int_equal(eval.value(eval.net, &pos, NULL), yo_shogi_material(&pos));
}

/* A problem without Black's king: nothing for a network. */
static void a_missing_king_is_material(void **unused) {
    (void)unused;
    struct yo_shogi_net *net;
    struct yo_shogi_position pos;
    assert_int_equal(yo_shogi_net_open("builtin", &net, NULL), YO_OK);
    assert_int_equal(yo_shogi_sfen_parse("7kl/9/6P2/9/9/9/9/9/9 b 2G 1", &pos, NULL), YO_OK);
    struct yo_shogi_eval eval = yo_shogi_net_eval(net);
    void *state = yo_alloc_aligned(eval.state_size);
    eval.root(net, &pos, state);
    assert_int_equal(eval.value(net, &pos, state), yo_shogi_material(&pos));
    yo_free_aligned(state);
    yo_shogi_net_delete(net);
}

/* ---- Files that are none ---- */

static void assert_refused(const uint8_t *bytes, size_t size, const char *why) {
    struct yo_shogi_net *net = NULL;
    struct yo_diag diag = {0};
    assert_int_not_equal(yo_shogi_net_read(bytes, size, &net, &diag), YO_OK);
    assert_null(net);
    if (!strstr(diag.what, why)) fail_msg("\"%s\" says nothing of \"%s\"", diag.what, why);
    assert_non_null(strstr(diag.hint, "expected K-P or HalfKP"));
}

static void says_what_is_wrong(void **unused) {
    (void)unused;
    struct naive_net naive;
    uint64_t state = 5;
    naive_net_make(&naive, YO_SHOGI_NET_KP, &state, false);
    uint8_t *bytes = naive.bytes;
    size_t layers = naive.size - (4 + 128 + 16384 + 128 + 1024 + 4 + 32);
    assert_refused(bytes, 0, "0 bytes");
    assert_refused(bytes, 11, "11 bytes");
    assert_refused(bytes, 12, "ends in its header");
    assert_refused(bytes, naive.header - 1, "ends in its header");
    assert_refused(bytes, naive.header, "bytes after the header");
    assert_refused(bytes, naive.size - 1, "bytes after the header");
    static const struct {
        size_t at;
        const char *why;
    } damages[] = {{0, "version"},
                   {4, "header's hash"},
                   {8, "another architecture"},
                   {11, "ends in its header"},
                   {25, "another architecture"}};
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        bytes[damages[i].at] ^= 1;
        assert_refused(bytes, naive.size, damages[i].why);
        bytes[damages[i].at] ^= 1;
    }
    bytes[naive.header] ^= 1;
    assert_refused(bytes, naive.size, "hash of its inputs");
    bytes[naive.header] ^= 1;
    bytes[layers] ^= 1;
    assert_refused(bytes, naive.size, "hash of its layers");
    bytes[layers] ^= 1;
    yo_shogi_net_delete(read_net(&naive)); /* whole again */
    bytes = realloc(bytes, naive.size + 1);
    bytes[naive.size] = 0;
    assert_refused(bytes, naive.size + 1, "bytes after the header");
    free(bytes);
}

static void files(void **unused) {
    (void)unused;
    struct naive_net naive;
    uint64_t state = 7;
    char path[] = "/tmp/yomi-net-XXXXXX";
    struct yo_shogi_net *net = NULL;
    struct yo_diag diag;
    naive_net_make(&naive, YO_SHOGI_NET_KP, &state, false);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, naive.bytes, naive.size), naive.size);
    assert_int_equal(yo_shogi_net_open(path, &net, &diag), YO_OK);
    assert_string_equal(yo_shogi_net_name(net), "K-P 256x2-32-32");
    yo_shogi_net_delete(net);
    assert_int_equal(ftruncate(fd, 1000), 0);
    close(fd);
    assert_int_equal(yo_shogi_net_open(path, &net, &diag), YO_ERR_PARSE);
    assert_string_equal(diag.where, path);
    unlink(path);
    assert_int_equal(yo_shogi_net_open(path, &net, &diag), YO_ERR_IO);
    assert_non_null(strstr(diag.what, "cannot open"));
    assert_int_equal(yo_shogi_net_open("/tmp", &net, &diag), YO_ERR_IO); /* a folder */
    free(naive.bytes);
}

static void memory_may_run_out(void **unused) {
    (void)unused;
    struct yo_shogi_net *net = NULL;
    enum yo_err err = YO_ERR_NOMEM;
    for (long n = 0; err; n++) {
        yo_alloc_fail_after(n);
        err = yo_shogi_net_open("builtin", &net, NULL);
        yo_alloc_fail_after(-1);
        if (err) assert_int_equal(err, YO_ERR_NOMEM);
    }
    yo_shogi_net_delete(net);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kp_values),
        cmocka_unit_test(halfkp_values),
        cmocka_unit_test(relative_values),
        cmocka_unit_test(zones_values),
        cmocka_unit_test(wild_weights_wrap_alike),
        cmocka_unit_test(strewn_pieces),
        cmocka_unit_test(inputs_of_zones),
        cmocka_unit_test(forty_inputs_of_zones),
        cmocka_unit_test(searches_are_equal),
        cmocka_unit_test(builtin_knows_material),
        cmocka_unit_test(material_needs_no_net),
        cmocka_unit_test(a_missing_king_is_material),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(files),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
