#include "cmd/cluster/place.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/time.h"

enum { KILL_MS = 2000, LOOK_US = 10000 };

static void path_of(const struct yo_place *place, const char *what, const char *ending,
                    char out[YO_PLACE_PATH]) {
    snprintf(out, YO_PLACE_PATH, "%.300s/%.60s.%s", place->folder, what, ending);
}

/* Until this process ends: of two that start things one would hide what the other has started. */
static void lock(const struct yo_place *place) {
    char path[YO_PLACE_PATH];
    path_of(place, "up", "lock", path);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) flock(fd, LOCK_EX);
}

enum yo_err yo_place_open(const struct yo_options *options, bool make, struct yo_place *place,
                          struct yo_diag *diag) {
    const char *folder = yo_options_text(options, "folder"), *run = getenv("XDG_RUNTIME_DIR");
    struct stat about;
    if (folder)
        snprintf(place->folder, sizeof place->folder, "%.300s", folder);
    else
        snprintf(place->folder, sizeof place->folder, "%.200s/yomi-cluster-%ld-%.50s",
                 run && *run ? run : "/tmp", (long)getuid(),
                 yo_options_text(options, "cluster-name"));
    if (make && mkdir(place->folder, 0700) != 0 && errno != EEXIST)
        return yo_diag_set(diag, YO_ERR_IO, "cannot make %.120s: %s", place->folder,
                           strerror(errno));
    /* Its files say which processes to end: they have to be the user's own. */
    if (lstat(place->folder, &about) == 0 && (!S_ISDIR(about.st_mode) || about.st_uid != getuid()))
        return yo_diag_set(diag, YO_ERR_IO, "%.120s belongs to somebody else", place->folder);
    if (make) lock(place);
    return YO_OK;
}

/* When a process was started, in the kernel's ticks: with its number it is unique. 0: it is not
 * there. */
static unsigned long long started_at(pid_t pid) {
    char path[64], text[1024];
    unsigned long long ticks = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    size_t len = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[len] = '\0';
    const char *rest = strrchr(text, ')'); /* the name may hold anything */
    char state = 0;
    if (rest && sscanf(rest + 1, " %c", &state) == 1 && state != 'Z')
        for (int field = 2; field < 22 && rest; field++)
            rest = strchr(rest + 1, ' ');
    else
        rest = NULL;
    if (rest) sscanf(rest, "%llu", &ticks);
    return ticks;
}

pid_t yo_place_process(const struct yo_place *place, const char *what) {
    char path[YO_PLACE_PATH];
    long pid = 0;
    unsigned long long ticks = 0;
    path_of(place, what, "pid", path);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    bool read = fscanf(file, "%ld %llu", &pid, &ticks) == 2;
    fclose(file);
    return read && pid > 0 && ticks && started_at((pid_t)pid) == ticks ? (pid_t)pid : 0;
}

static void be_the_program(const char *log, const char *const *argv) {
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600), in = open("/dev/null", O_RDONLY);
    setsid(); /* it lives on when the terminal closes */
    if (out < 0) out = open("/dev/null", O_WRONLY);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    signal(SIGPIPE, SIG_DFL);
    execvp(argv[0], (char *const *)(void *)argv);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

enum yo_err yo_place_start(const struct yo_place *place, const char *what, const char *const *argv,
                           struct yo_diag *diag) {
    char path[YO_PLACE_PATH], text[64];
    path_of(place, what, "log", path);
    pid_t pid = fork();
    if (pid == 0) be_the_program(path, argv);
    if (pid < 0)
        return yo_diag_set(diag, YO_ERR_IO, "cannot start %.60s: %s", what, strerror(errno));
    snprintf(text, sizeof text, "%ld %llu\n", (long)pid, started_at(pid));
    path_of(place, what, "pid", path);
    enum yo_err err = yo_file_replace(path, text, strlen(text), diag);
    if (err) kill(pid, SIGKILL); /* nobody could find it again */
    return err;
}

/* Whether it has ended when this returns. */
static bool end_by(const struct yo_place *place, const char *what, int signal, int64_t wait_ms) {
    pid_t pid = yo_place_process(place, what);
    int64_t until = yo_time_ms() + wait_ms;
    if (pid) kill(pid, signal);
    while (pid && yo_time_ms() < until && (pid = yo_place_process(place, what)))
        usleep(LOOK_US);
    return pid == 0;
}

bool yo_place_ask(const struct yo_place *place, const char *what) {
    pid_t pid = yo_place_process(place, what);
    return pid && kill(pid, SIGTERM) == 0;
}

void yo_place_end(const struct yo_place *place, const char *what, int64_t wait_ms) {
    char path[YO_PLACE_PATH];
    /* After SIGKILL too it is there until the kernel gets to it; a broker answers as long. */
    if (!end_by(place, what, SIGTERM, wait_ms)) end_by(place, what, SIGKILL, KILL_MS);
    path_of(place, what, "pid", path);
    unlink(path);
}
