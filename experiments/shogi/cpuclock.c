/* Loaded into an engine before its libraries (LD_PRELOAD), the clock that the engine reads is the processor time of its own process,
 * counted from when it started. So a match by time between engines with one thread each is fair where other programs run, too:
 *   cc -O2 -shared -fPIC cpuclock.c -o cpuclock.so */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int read_clock(clockid_t clock, struct timespec *out) {
    return (int)syscall(SYS_clock_gettime, clock, out);
}

static struct timespec starts[CLOCK_BOOTTIME + 1];

__attribute__((constructor)) static void begin(void) {
    static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW,
                                       CLOCK_BOOTTIME};
    for (int i = 0; i < 4; i++)
        read_clock(clocks[i], &starts[clocks[i]]);
}

static int own_time(clockid_t clock, struct timespec *out) {
    const struct timespec *start = &starts[clock];
    struct timespec used;
    if (read_clock(CLOCK_PROCESS_CPUTIME_ID, &used)) return -1;
    out->tv_sec = start->tv_sec + used.tv_sec + (start->tv_nsec + used.tv_nsec) / 1000000000;
    out->tv_nsec = (start->tv_nsec + used.tv_nsec) % 1000000000;
    return 0;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME: return own_time(clock, out);
    default: return read_clock(clock, out);
    }
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (own_time(CLOCK_REALTIME, &now)) return -1;
    *out = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}
