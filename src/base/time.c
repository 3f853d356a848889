#include "base/time.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

int64_t yo_time_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t yo_time_ms(void) { return yo_time_ns() / 1000000; }

int64_t yo_time_awake_ms(void) {
    enum { LONGEST_MS = 1000 };
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int64_t last, asleep;
    pthread_mutex_lock(&lock);
    int64_t now = yo_time_ms();
    if (last && now - last > LONGEST_MS) asleep += now - last;
    last = now;
    int64_t awake = now - asleep;
    pthread_mutex_unlock(&lock);
    return awake;
}

void yo_time_left(int64_t spent_ms, double done, double to_do, char out[32]) {
    out[0] = '\0';
    if (done <= 0 || spent_ms < 0) return;
    double left_s = (double)spent_ms / 1000 * to_do / done;
    if (!(left_s >= 0 && left_s < 1e8)) return; /* three years: no estimate */
    long s = (long)left_s;
    if (s >= 3600)
        snprintf(out, 32, "%ld:%02ld:%02ld left", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(out, 32, "%ld:%02ld left", s / 60, s % 60);
}
