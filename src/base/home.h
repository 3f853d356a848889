/* Folders of the user, as the XDG base directory specification names them. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"

/* For what can be computed again: YOMI_CACHE, $XDG_CACHE_HOME/yomi or ~/.cache/yomi, with a slash
 * at its end. It need not exist. False: YOMI_CACHE is empty, or no home is known. */
bool yo_home_cache(struct yo_buf *path);
