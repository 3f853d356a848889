#include "cmd/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool yo_program_is_in(const char *folders, const char *name, char *file, size_t size) {
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        int used = snprintf(file, size, "%.*s/%s", (int)length, folders, name);
        if (used > 0 && (size_t)used < size && access(file, X_OK) == 0) return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

bool yo_program_find(const char *name, char *file, size_t size) {
    return yo_program_is_in(getenv("PATH"), name, file, size) ||
           yo_program_is_in("/usr/local/sbin:/usr/sbin", name, file, size);
}
