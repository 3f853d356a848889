#include "yomi/version.h"

const char *yo_version(void) { return YO_VERSION; }
