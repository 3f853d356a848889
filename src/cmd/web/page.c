#include "cmd/web/page.h"

#include <string.h>

const struct yo_page_file *yo_page_find(const char *uri) {
    if (*uri != '/') return NULL;
    const char *path = uri[1] ? uri + 1 : "index.html";
    for (const struct yo_page_file *f = yo_page_files; f->path; f++)
        if (strcmp(f->path, path) == 0) return f;
    return NULL;
}

const char *yo_page_mime(const struct yo_page_file *file) {
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".txt", "text/plain; charset=utf-8"},
        {".json", "application/json"},
        {".png", "image/png"},
        {".ttf", "font/ttf"},
        {".webmanifest", "application/manifest+json"},
    };
    const char *dot = strrchr(file->path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i][0], dot) == 0) return types[i][1];
    return "application/octet-stream";
}
