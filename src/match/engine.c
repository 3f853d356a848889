/* The engines' processes, and which builds they are. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "match/match.h"

/* ---- which build ---- */

static bool is_shell(int fd) {
    struct stat program, shell;
    return fstat(fd, &program) == 0 && stat("/bin/sh", &shell) == 0 &&
           program.st_dev == shell.st_dev && program.st_ino == shell.st_ino;
}

/* The child of this process; 0 for none, or if the system does not show it. */
static long only_child(long pid) {
    char path[64];
    long child = 0, other;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", pid, pid);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    if (fscanf(file, "%ld %ld", &child, &other) != 1) child = 0;
    fclose(file);
    return child;
}

/* Opens the running program's file: the shell's child if the shell waits for it. -1 if the system
 * does not show it. */
static int open_program(long pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/exe", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !is_shell(fd)) return fd;
    close(fd);
    pid = only_child(pid);
    return pid > 0 ? open_program(pid) : -1;
}

/* Adds a hash of the program, since versions do not change with every build. */
static void add_program(const struct yo_peer *peer, struct yo_match_greeting *greeting) {
    int fd = open_program(peer->child.pid);
    uint64_t hash = fd < 0 ? 0 : yo_match_hash(fd);
    size_t len = strlen(greeting->build);
    if (fd >= 0) close(fd);
    if (hash)
        snprintf(greeting->build + len, sizeof greeting->build - len, ", program %016" PRIx64,
                 hash);
}

/* ---- starting ---- */

/* Adds the engine's last output to the message: it often names the wrong option. */
static void tell_cannot_play(const struct yo_match *m, int which, const struct yo_peer *peer,
                             struct yo_diag *diag) {
    struct yo_diag why = *diag;
    char last[YO_PEER_LAST];
    yo_peer_last(peer, last);
    if (peer->fault != YO_PEER_CRASHED && peer->fault != YO_PEER_HUNG) last[0] = '\0';
    yo_diag_set(diag, YO_ERR_IO, "'%.60s' cannot play: %.120s%s%s", m->commands[which], why.what,
                last[0] ? "; it said: " : "", last);
    if (why.hint[0])
        yo_diag_hint(diag, "%s", why.hint);
    else if (peer->fault > YO_PEER_REFUSED) /* it runs but does not speak the protocol */
        yo_diag_hint(diag, "it has to be a command line that %s", m->kind->speaks);
}

enum yo_err yo_match_engine_start(struct yo_match *m, int which, struct yo_peer *peer,
                                  struct yo_match_greeting *greeting, struct yo_diag *diag) {
    enum yo_err err = yo_peer_start(peer, m->commands[which], diag);
    peer->stop = m->stopped;
    if (!err) err = m->kind->greet(m, which, peer, greeting, diag);
    if (!err && greeting) add_program(peer, greeting);
    if (err && diag) tell_cannot_play(m, which, peer, diag);
    if (err) yo_peer_stop(peer);
    return err;
}

enum yo_err yo_match_engine_ready(struct yo_match *m, int which, struct yo_peer *peer,
                                  struct yo_diag *diag) {
    if (yo_peer_is_fit(peer)) return YO_OK;
    yo_peer_stop(peer);
    return yo_match_engine_start(m, which, peer, NULL, diag);
}
