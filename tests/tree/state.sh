#!/usr/bin/env bash
# Variables of the process: sessions of one process share nothing but read-only data and devices, so
# each variable that code can change after the start is in this list, with the reason why it may be
# one. Read from the compiled files, where neither a word nor a macro can hide one.
. tests/lib.sh

# FILE VARIABLE...
allowed=$(
    cat <<'END'
base/alloc.c fail_after
base/cpu.c cpu cpu_once
base/json.c once out_of_memory
base/time.c asleep last lock
cmd/analyze/analyze.c stopped
cmd/hw_server.c stop
cmd/match/match.c stopped
cmd/selfplay/selfplay.c interrupted yo_selfplay_stop
cmd/term.c deadline old_action wake yo_term_interrupted
cmd/worker.c quit
eval/net/cuda/cudnn.c found missing once replaced
eval/net/symmetry.c once places
eval/playout/cuda/cuda.c cores freed lock streams once
eval/playout/cuda/driver.c found found_diag found_err once
eval/playout/cuda/gpu.c all lock lost
eval/playout/rich_weights.c once table
game/go/board.c once yo_go_zobrist
game/go/geometry.c once tables
game/go/patterns.c built_in once
game/shogi/attacks.c once yo_shogi_tables
search/go/model.c built_in once
search/go/shape.c cells cells_end once
END
)
# Why:
#   base/alloc.c            a test makes the n-th allocation fail
#   base/json.c             jansson's allocator is set once; its failure is kept for each thread
#   base/time.c             whether the process was stopped, which is the same for all in it
#   base/cpu.c, game/, search/go/, symmetry.c, rich_weights.c
#                           tables that are computed once and then only read
#   cmd/                    flags that a signal sets, and the state of the one terminal
#   eval/playout/cuda/      the machine's GPUs (gpu.h says why they are the process's)
#   eval/net/cuda/cudnn.c   the machine's library, loaded once and then only read; a test replaces it

# A section's name tells constants (.rodata, .data.rel.ro) from variables.
find "$BUILD" -path '*/src/*.c.o' -print0 | xargs -0 nm -A --format=sysv >"$tmp/symbols" || fail "nm"
awk -F'|' '$NF ~ /^(\.bss|\.data|\.tbss|\.tdata|\*COM\*)/ && $NF !~ /^\.data\.rel\.ro/ {
    split($1, name, ":")
    file = name[1]; sub(/.*\/src\//, "", file); sub(/\.o$/, "", file)
    gsub(/ /, "", name[2]); sub(/\.[0-9]+$/, "", name[2]); sub(/^.*\./, "", name[2])
    if (name[2] != "") print file, name[2]
}' "$tmp/symbols" | sort -u |
    while read -r file name; do
        if [ -e "src/$file" ]; then echo "$file $name"; fi # not what an older build left
    done >"$tmp/found"
[ "$(wc -l <"$tmp/found")" -gt 20 ] || fail "the compiled files were not read: $(head -3 "$tmp/symbols")"
awk '{ for (i = 2; i <= NF; i++) print $1, $i }' <<<"$allowed" | sort -u >"$tmp/allowed"
while read -r file name; do
    fail "src/$file: the variable $name is the process's; let an engine own it, or say in tests/tree/state.sh why not"
done < <(comm -23 "$tmp/found" "$tmp/allowed")
# A variable that is gone leaves the list.
while read -r file name; do
    fail "tests/tree/state.sh: there is no $name in src/$file"
done < <(comm -13 "$tmp/found" "$tmp/allowed")
exit $failed
