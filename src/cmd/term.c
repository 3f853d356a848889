#include "cmd/term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/time.h"
#include "cmd/edit.h"

atomic_bool yo_term_interrupted;

/* A signal may come to any thread at any time, also between the test of the flag and the wait for
 * input. So the handler writes a byte to a pipe that is polled with the input. */
static int wake[2] = {-1, -1};
static struct sigaction old_action;

static void on_interrupt(int signal) {
    (void)signal;
    int saved = errno;
    atomic_store(&yo_term_interrupted, true);
    if (write(wake[1], "", 1) < 0) { /* full: the reader wakes anyway */
    }
    errno = saved;
}

static const char *env(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

/* Reads the environment, not the C library's locale: that is "C" if the locale's files are not
 * installed, even if the terminal supports UTF-8. */
static bool is_utf8(void) {
    const char *locale = env("LC_ALL");
    if (!*locale) locale = env("LC_CTYPE");
    if (!*locale) locale = env("LANG");
    return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
}

static bool has_many_colors(void) {
    static const char *const names[] = {"256color", "direct",  "kitty",  "alacritty",
                                        "foot",     "ghostty", "wezterm"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(env("TERM"), names[i])) return true;
    return *env("COLORTERM") != '\0';
}

/* For one signal; the next has its usual effect. */
static void listen_to_interrupts(struct sigaction *old) {
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, old);
}

/* libedit keeps every cell of the screen. */
static bool is_usual_size(void) {
    struct winsize size = {0};
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    return (unsigned)size.ws_row * size.ws_col <= 1000000;
}

void yo_term_open(struct yo_term *term, bool ascii) {
    const char *name = env("TERM");
    bool out = isatty(STDOUT_FILENO), dumb = !*name || strcmp(name, "dumb") == 0;
    memset(term, 0, sizeof *term);
    term->interactive = out && isatty(STDIN_FILENO);
    term->graphic = out && !dumb && !ascii && is_utf8();
    term->colors = term->graphic && !*env("NO_COLOR");
    term->many_colors = has_many_colors();
    term->moves = out && !dumb;
    if (!term->interactive) return;
    if (pipe2(wake, O_CLOEXEC | O_NONBLOCK) < 0) wake[0] = wake[1] = -1;
    listen_to_interrupts(&old_action);
    if (term->moves && is_usual_size()) term->edit = yo_edit_new(is_utf8());
}

void yo_term_resume(const struct yo_term *term) {
    char bytes[64];
    if (!term->interactive) return;
    while (wake[0] >= 0 && read(wake[0], bytes, sizeof bytes) > 0)
        continue;
    atomic_store(&yo_term_interrupted, false);
    listen_to_interrupts(NULL);
}

void yo_term_close(struct yo_term *term) {
    yo_term_spin_end(term);
    if (!term->interactive) return;
    yo_edit_delete(term->edit);
    term->edit = NULL;
    sigaction(SIGINT, &old_action, NULL);
    if (wake[0] >= 0) {
        close(wake[0]);
        close(wake[1]);
    }
    wake[0] = wake[1] = -1;
}

int yo_term_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

static int64_t
    deadline; /* of the input; not in yo_term, which libedit's reader does not get; 0: none */

void yo_term_until(int64_t deadline_ms) { deadline = deadline_ms; }

static bool is_late(void) { return deadline && yo_time_ms() >= deadline; }

/* For poll: milliseconds, a minute at most, or -1. */
static int wait_ms(void) {
    if (!deadline) return -1;
    int64_t left = deadline - yo_time_ms();
    return left <= 0 ? 0 : left < 60000 ? (int)left : 60000;
}

size_t yo_term_bytes(char *bytes, size_t most) {
    struct pollfd fds[2] = {{STDIN_FILENO, POLLIN, 0}, {wake[0], POLLIN, 0}};
    for (;;) {
        if (atomic_load(&yo_term_interrupted) || is_late()) return 0;
        if (poll(fds, 2, wait_ms()) < 0 && errno != EINTR) return 0;
        if (!(fds[0].revents & (POLLIN | POLLHUP | POLLERR | POLLNVAL))) continue;
        ssize_t got = read(STDIN_FILENO, bytes, most);
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        return got > 0 ? (size_t)got : 0;
    }
}

/* Appends input to the buffer; false at the end of input or after Ctrl-C. */
static bool fill(struct yo_term *term) {
    size_t got = yo_term_bytes(term->input + term->len, sizeof term->input - term->len);
    term->len += got;
    return got > 0;
}

static void take(const char *bytes, size_t len, char *line) {
    memcpy(line, bytes, len);
    line[len] = '\0';
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)line[i] < ' ' || line[i] == 127) line[i] = ' ';
}

static void drop(struct yo_term *term, size_t len) {
    term->len -= len;
    memmove(term->input, term->input + len, term->len);
}

void yo_term_prompt(struct yo_term *term, const char *fmt, ...) {
    va_list args;
    if (!term->interactive) return;
    va_start(args, fmt);
    vsnprintf(term->prompt, sizeof term->prompt, fmt, args);
    va_end(args);
}

static enum yo_term_input read_edited(struct yo_term *term, char line[YO_TERM_LINE_MAX]) {
    size_t len;
    const char *text = yo_edit_read(term->edit, term->prompt, &len);
    if (is_late()) return YO_TERM_LATE;
    if (!text || atomic_load(&yo_term_interrupted)) return YO_TERM_END;
    if (len >= YO_TERM_LINE_MAX) return YO_TERM_TOO_LONG;
    take(text, len, line);
    return YO_TERM_LINE;
}

enum yo_term_input yo_term_read(struct yo_term *term, char line[YO_TERM_LINE_MAX]) {
    bool too_long = false;
    if (term->edit) return read_edited(term, line);
    fputs(term->prompt, stdout);
    fflush(stdout);
    while (!term->ended) {
        const char *end = memchr(term->input, '\n', term->len);
        if (end) {
            size_t len = (size_t)(end - term->input);
            take(term->input, len, line);
            drop(term, len + 1);
            return too_long ? YO_TERM_TOO_LONG : YO_TERM_LINE;
        }
        if (term->len == sizeof term->input) {
            too_long = true;
            term->len = 0;
        }
        if (fill(term)) continue;
        if (is_late()) {
            term->len = 0;
            return YO_TERM_LATE;
        }
        term->ended = true;
    }
    /* The last line of a file may have no newline. */
    size_t len = atomic_load(&yo_term_interrupted) ? 0 : term->len;
    if (len == 0 && !too_long) return YO_TERM_END;
    take(term->input, len, line);
    term->len = 0;
    return too_long ? YO_TERM_TOO_LONG : YO_TERM_LINE;
}

void yo_term_spin(struct yo_term *term, const char *text) {
    static const char *const braille[] = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
    static const char *const ascii[] = {"|", "/", "-", "\\"};
    if (!term->interactive || !term->moves) return;
    const char *sign = term->graphic ? braille[term->frame % 10] : ascii[term->frame % 4];
    int room = yo_term_width() - 3;
    printf("\r%s %.*s\033[K", sign, room > 0 ? room : 0, text);
    fflush(stdout);
    term->frame++;
}

void yo_term_spin_end(struct yo_term *term) {
    if (term->frame == 0) return;
    fputs("\r\033[K", stdout);
    fflush(stdout);
    term->frame = 0;
}
