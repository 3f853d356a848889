#include "base/home.h"

#include <stdlib.h>

bool yo_home_cache(struct yo_buf *path) {
    const char *own = getenv("YOMI_CACHE"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (own) {
        if (own[0]) yo_buf_printf(path, "%s/", own);
        return own[0] && !yo_buf_status(path);
    }
    if (cache && cache[0] == '/') /* the specification says: ignore a relative one */
        yo_buf_printf(path, "%s/yomi/", cache);
    else if (home && home[0] == '/')
        yo_buf_printf(path, "%s/.cache/yomi/", home);
    else
        return false;
    return !yo_buf_status(path);
}
