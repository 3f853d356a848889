/* The names that KataGo's configuration has for options of ours: kata-get-param and kin, and the
 * overrideSettings of the analysis protocol. */
#pragma once

#include <stdbool.h>

/* Our option for a parameter of KataGo; NULL if there is none. */
const char *yo_kata_param_option(const char *name);
/* Whether the parameter belongs to networks of human play, which are not supported. */
bool yo_kata_param_is_human(const char *name);
