/* The version of the library that is linked, and of these headers. */
#pragma once

#define YO_VERSION_MAJOR 0
#define YO_VERSION_MINOR 1
#define YO_VERSION_PATCH 0
#define YO_VERSION       "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

const char *yo_version(void);

#ifdef __cplusplus
}
#endif
