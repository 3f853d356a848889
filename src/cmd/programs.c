#include "cmd/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#define USUAL_FOLDERS "/usr/bin:/bin" /* where programs are sought without PATH */
#define MORE_FOLDERS  "/usr/local/sbin:/usr/sbin:/usr/local/games:/usr/games"

void yo_programs_extend_path(void) {
    const char *path = getenv("PATH");
    if (!path || !*path) path = USUAL_FOLDERS;
    size_t size = strlen(path) + sizeof ":" MORE_FOLDERS;
    char *longer = yo_alloc(size, 1);
    if (!longer) return; /* then programs there are not found, which is said where they are used */
    snprintf(longer, size, "%s:" MORE_FOLDERS, path);
    setenv("PATH", longer, 1);
    yo_free(longer);
}

bool yo_program_find(const char *name, char *file, size_t size) {
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        int used = snprintf(file, size, "%.*s/%s", (int)length, folders, name);
        if (used > 0 && (size_t)used < size && access(file, X_OK) == 0) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}
