/* The file of finished games, and that of unfinished ones beside it. A record is appended by one
 * write, so that a process that is killed leaves whole records, and at most a part of the last
 * one, which readers skip. */
#pragma once

#include "learn/netplay/record.h"

struct yo_netplay_store {
    int fd; /* -1: nothing is kept */
    char *pending_path;
    struct yo_netplay_record *pending; /* games to go on with */
    size_t pending_count;
    uint64_t next; /* number of the first new game: none in the files has it or a larger one */
};

/* Opens the file, cuts off an unfinished end, takes the pending games and removes their file.
 * Refuses a file that is not empty and has no record. path NULL: keeps nothing. */
enum yo_err yo_netplay_store_open(struct yo_netplay_store *store, const char *path,
                                  struct yo_diag *diag);
/* Thread-safe. bytes: whole records. */
enum yo_err yo_netplay_store_append(struct yo_netplay_store *store, const struct yo_buf *bytes,
                                    struct yo_diag *diag);
/* Replaces the file of pending games; without bytes there is none. */
enum yo_err yo_netplay_store_save(struct yo_netplay_store *store, const struct yo_buf *bytes,
                                  struct yo_diag *diag);
void yo_netplay_store_close(struct yo_netplay_store *store);
