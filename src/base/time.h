/* Monotonic time since an arbitrary fixed moment. */
#pragma once

#include <stdint.h>

int64_t yo_time_ms(void);
int64_t yo_time_ns(void);
