/* Monotonic time since an arbitrary fixed moment. */
#pragma once

#include <stdint.h>

int64_t yo_time_ms(void);
int64_t yo_time_ns(void);

/* Writes "1:05 left" or "2:03:10 left": the time for what is to do at the rate so far; "" while
 * nothing is done yet. */
void yo_time_left(int64_t spent_ms, double done, double to_do, char out[32]);
