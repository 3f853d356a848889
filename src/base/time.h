/* Monotonic time since an arbitrary fixed moment. */
#pragma once

#include <stdint.h>

int64_t yo_time_ms(void);
int64_t yo_time_ns(void);

/* The same without the times when the process was stopped or the machine slept, so that nobody who
 * is waited for seems late then: more than a second between two calls is left out. So whoever waits
 * by it asks at least twice a second. */
int64_t yo_time_awake_ms(void);

/* Writes "1:05 left" or "2:03:10 left": the time for what is to do at the rate so far; "" while
 * nothing is done yet. */
void yo_time_left(int64_t spent_ms, double done, double to_do, char out[32]);
