/* The info lines of a USI engine, as lines of a report. */
#pragma once

#include "cluster/message.h"

/* What an engine has said of a search. Zeroed: nothing; the holder frees it. */
struct yo_usi_info {
    struct yo_message_line lines[YO_MESSAGE_LINES_MAX];
    size_t count; /* lines known, from the first on without a gap */
    int64_t nodes;
    bool scored; /* some line had a value */
};

/* Takes a line "info ..."; true if it had a value and a PV. Anything else changes nothing. */
bool yo_usi_info_take(struct yo_usi_info *info, const char *line);
void yo_usi_info_free(struct yo_usi_info *info);
