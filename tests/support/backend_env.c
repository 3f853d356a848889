#include "support/backend_env.h"

struct yo_playout_env backend_env;
