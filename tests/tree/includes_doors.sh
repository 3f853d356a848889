#!/usr/bin/env bash
# What there is one of: the heap (base/alloc.h), the thread pool (base/pool.h), splitmix64
# (base/random.h), JSON (base/json.h). Names those who go round them.
. tests/lib.sh
# allowed WHAT PATTERN FILES...: the pattern stands in these files of src/ and in no other.
allowed() {
    local what=$1 pattern=$2 file
    shift 2
    while read -r file; do
        [[ " $* " == *" ${file#src/} "* ]] || fail "$file: $what: $(grep -nE "$pattern" "$file" | head -1)"
    done < <(grep -rlE --include='*.[ch]' "$pattern" src)
    for file; do
        grep -qE "$pattern" "src/$file" || fail "src/$file is allowed $what, and does not need it"
    done
}
# free() is for what the C library itself allocated: getline's lines, realpath's paths.
allowed "the heap" '(^|[^_a-z>.])(malloc|calloc|realloc|strdup|strndup|aligned_alloc|asprintf)\(' base/alloc.c
# Threads of their own: readers, the one that a session thinks in, connections, a stop from outside, a
# master that talks to its workers, one that sends by a broker, which may hang, a worker that searches, a
# search that a simulation holds up.
allowed "a thread of its own" pthread_create base/pool.c cluster/master.c cluster/nats.c cluster/sim_shogi.c cluster/worker.c \
    cmd/bench/search.c cmd/web/link.c cmd/web/server.c engine/thinking.c protocol/gtp/serve.c protocol/hw/serve.c \
    protocol/web/lane.c
allowed "splitmix64" '[bB][fF]58476[dD]1[cC][eE]4[eE]5[bB]9' base/random.h learn/selfplay_seen.c
allowed "jansson" '<jansson\.h>' base/json.h
exit $failed
