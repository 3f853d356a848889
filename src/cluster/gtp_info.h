/* A line of lz-analyze, "info move D4 visits 10 winrate 5012 ... pv D4 E5 info move ...", as lines
 * of a report. */
#pragma once

#include "cluster/message.h"

/* At most `room` lines; returns how many. *visits gets the sum of theirs. The caller frees them. */
size_t yo_gtp_info_read(const char *text, struct yo_message_line *lines, size_t room,
                        int64_t *visits);
