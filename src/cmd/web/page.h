/* The files of the page: part of the program, compressed by gzip. cmake/page.cmake makes the table
 * from what web/ builds; it is empty where that was not built. */
#pragma once

#include <stddef.h>

struct yo_page_file {
    const char *path; /* "index.html" */
    const unsigned char *bytes;
    const unsigned char *end;
};

/* Ends with a row whose path is NULL. */
extern const struct yo_page_file yo_page_files[];

/* The file for the path of a request ("/" is index.html), or NULL. */
const struct yo_page_file *yo_page_find(const char *uri);
/* By the extension of the file's name. */
const char *yo_page_mime(const struct yo_page_file *file);
