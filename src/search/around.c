#include "search/around.h"

static struct yo_search inner_of(void *ctx) { return ((struct yo_search_around *)ctx)->inner; }

static void clear(void *ctx) {
    struct yo_search inner = inner_of(ctx);
    inner.ops->clear(inner.ctx);
}

static uint64_t entry_kind(void *ctx) {
    struct yo_search inner = inner_of(ctx);
    return inner.ops->entry_kind(inner.ctx);
}

static size_t take_entries(void *ctx, struct yo_search_entry *entries, size_t most) {
    struct yo_search inner = inner_of(ctx);
    return inner.ops->take_entries(inner.ctx, entries, most);
}

static void give_entries(void *ctx, const struct yo_search_entry *entries, size_t count) {
    struct yo_search inner = inner_of(ctx);
    inner.ops->give_entries(inner.ctx, entries, count);
}

struct yo_search yo_search_around_new(struct yo_search_around *around, struct yo_search inner,
                                      const struct yo_search_ops *outer) {
    around->inner = inner;
    around->ops = *inner.ops;
    around->ops.run = outer->run;
    around->ops.destroy = outer->destroy;
    around->ops.clear = clear;
    if (inner.ops->entry_kind) {
        around->ops.entry_kind = entry_kind;
        around->ops.take_entries = take_entries;
        around->ops.give_entries = give_entries;
    }
    return (struct yo_search){&around->ops, around};
}
