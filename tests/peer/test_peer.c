/* peer/: programs of every temper behind one interface. The peers are lines of shell. */
#include "support/test.h"

#include <signal.h>
#include <string.h>

#include "base/diag.h"
#include "base/time.h"
#include "peer/gtp.h"
#include "peer/usi.h"

#define SOON_MS  300
#define LONG_MS  20000
#define FAST_MAX 10000 /* well under LONG_MS, on a busy machine too */

static struct yo_peer start(const char *command) {
    struct yo_peer peer;
    assert_int_equal(yo_peer_start(&peer, command, NULL), YO_OK);
    return peer;
}

/* Asks once, wants this fault and this text in the message. */
static void assert_fault(const char *command, int64_t timeout_ms, enum yo_peer_fault fault,
                         const char *what) {
    struct yo_peer peer = start(command);
    struct yo_diag diag = {0};
    assert_int_not_equal(yo_peer_gtp_ask(&peer, "name", timeout_ms, NULL, &diag), YO_OK);
    assert_int_equal(peer.fault, fault);
    if (!strstr(diag.what, what)) fail_msg("%s: %s", command, diag.what);
    bool fit = fault <= YO_PEER_REFUSED;
    assert_int_equal(yo_peer_is_fit(&peer), fit);
    if (!fit) { /* nothing more is said to it, and the reason stays */
        struct yo_diag again = {0};
        assert_int_not_equal(yo_peer_say(&peer, "name", &again), YO_OK);
        assert_string_equal(again.what, diag.what);
    }
    yo_peer_stop(&peer);
    assert_int_equal(peer.child.pid, 0);
}

static void every_way_to_fail_has_a_name(void **state) {
    (void)state;
    assert_fault("read x; printf '? what\\n\\n'; cat", LONG_MS, YO_PEER_REFUSED, "what");
    assert_fault("exit 3", LONG_MS, YO_PEER_CRASHED, "3");
    assert_fault("read x; kill -9 $$", LONG_MS, YO_PEER_CRASHED, "");
    assert_fault("read x; sleep 60", SOON_MS, YO_PEER_HUNG, "did not answer name within 0.3 s");
    assert_fault("read x; printf '= half\\n'; sleep 60", SOON_MS, YO_PEER_HUNG, "did not answer");
    assert_fault("read x; echo hello; sleep 60", LONG_MS, YO_PEER_NONSENSE, "hello");
    assert_fault("read x; printf 'a\\0b\\n'; sleep 60", LONG_MS, YO_PEER_NONSENSE, "no answer");
}

static void answers_are_what_was_said(void **state) {
    (void)state;
    struct yo_peer peer =
        start("printf '\\n\\n'; while read -r x; do case $x in"
              " list*) printf '=  a\\r\\nb\\n\\n';; known*) printf '= true\\n\\n';;"
              " quit) printf '=\\n\\n'; exit;; *) printf '=1\\n\\n';; esac; done");
    struct yo_buf answer = {0};
    assert_int_equal(yo_peer_gtp_ask(&peer, "list", LONG_MS, &answer, NULL), YO_OK);
    assert_string_equal(yo_buf_text(&answer), "a\nb");
    assert_int_equal(yo_peer_gtp_ask(&peer, "other", LONG_MS, &answer, NULL), YO_OK);
    assert_string_equal(yo_buf_text(&answer), "1");
    assert_true(yo_peer_gtp_knows(&peer, "anything", LONG_MS));
    yo_buf_free(&answer);
    yo_peer_stop(&peer);
    yo_peer_stop(&peer); /* a second time does nothing */
}

static void the_last_words_of_the_dead_are_kept(void **state) {
    (void)state;
    char last[YO_PEER_LAST];
    struct yo_peer peer = start("printf '= half'; echo 'no such option' >&2; exit 2");
    assert_int_not_equal(yo_peer_gtp_ask(&peer, "name", LONG_MS, NULL, NULL), YO_OK);
    yo_peer_last(&peer, last);
    assert_non_null(strstr(last, "no such option"));
    assert_non_null(strstr(last, "= half"));
    yo_peer_stop(&peer);
}

static void a_stop_flag_ends_the_waiting(void **state) {
    (void)state;
    atomic_bool stop = true;
    struct yo_peer peer = start("sleep 60");
    int64_t start_ms = yo_time_ms();
    peer.stop = &stop;
    assert_int_not_equal(yo_peer_gtp_ask(&peer, "name", LONG_MS, NULL, NULL), YO_OK);
    assert_int_equal(peer.fault, YO_PEER_HUNG);
    yo_peer_stop(&peer);
    assert_true(yo_time_ms() - start_ms < FAST_MAX);
}

/* `yomi web` blocks the signals that end it, and waits for them. */
static void blocked_signals_are_not_inherited(void **state) {
    (void)state;
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    struct yo_peer peer = start("read x; kill -TERM $$; printf '= alive\\n\\n'; cat >/dev/null");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    assert_int_not_equal(yo_peer_gtp_ask(&peer, "name", LONG_MS, NULL, NULL), YO_OK);
    assert_int_equal(peer.fault, YO_PEER_CRASHED);
    assert_non_null(strstr(peer.why, "signal 15"));
    yo_peer_stop(&peer);
}

#define USI_ENGINE                                                                                 \
    "while read -r x; do case $x in usi) echo 'id name Toy 1'; echo 'option name Threads type "    \
    "spin'"                                                                                        \
    "; echo usiok;; isready) echo readyok;; quit) exit;; esac; done"

static void usi_is_greeted(void **state) {
    (void)state;
    char name[64];
    struct yo_diag diag = {0};
    struct yo_peer peer = start(USI_ENGINE);
    assert_int_equal(yo_peer_usi_greet(&peer, "Threads=2", LONG_MS, name, &diag), YO_OK);
    assert_string_equal(name, "Toy 1");
    yo_peer_stop(&peer);
    peer = start(USI_ENGINE);
    assert_int_not_equal(yo_peer_usi_greet(&peer, "Thread=2", LONG_MS, name, &diag), YO_OK);
    assert_non_null(strstr(diag.hint, "Threads"));
    yo_peer_stop(&peer);
    peer = start("read x; echo usiok; cat >/dev/null");
    assert_int_not_equal(yo_peer_usi_greet(&peer, NULL, SOON_MS, name, &diag), YO_OK);
    assert_non_null(strstr(diag.what, "did not answer isready within 0.3 s"));
    yo_peer_stop(&peer);
    peer = start("read x; echo '? unknown command'; cat >/dev/null");
    assert_int_not_equal(yo_peer_usi_greet(&peer, NULL, LONG_MS, name, &diag), YO_OK);
    assert_int_equal(peer.fault, YO_PEER_NONSENSE);
    yo_peer_stop(&peer);
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_to_fail_has_a_name),
        cmocka_unit_test(answers_are_what_was_said),
        cmocka_unit_test(the_last_words_of_the_dead_are_kept),
        cmocka_unit_test(a_stop_flag_ends_the_waiting),
        cmocka_unit_test(blocked_signals_are_not_inherited),
        cmocka_unit_test(usi_is_greeted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
