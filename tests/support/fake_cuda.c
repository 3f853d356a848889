#include "support/fake_cuda.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "eval/playout/backend.h"
#include "eval/playout/cuda/cuda.h"
#include "eval/playout/scalar.h"

struct fake_cuda fake_cuda;
static atomic_long calls;
static atomic_int launches, most_items;

long fake_cuda_calls(void) { return atomic_load(&calls); }
int fake_cuda_launches(void) { return atomic_load(&launches); }
int fake_cuda_most_items(void) { return atomic_load(&most_items); }

/* Blocks are kept in a list: a GPU that hangs must keep its memory, and the test must not. */
struct block {
    struct block *next;
    long double data[]; /* aligned for anything */
};
static struct block *blocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int fails(void) {
    long call = atomic_fetch_add(&calls, 1) + 1, first = fake_cuda.fail_at;
    bool now = first && call >= first && call - first < fake_cuda.fail_count;
    return now ? fake_cuda.fail_code : YO_CUDA_SUCCESS;
}

static void *give_block(size_t bytes) {
    struct block *block = malloc(sizeof *block + bytes);
    if (!block) abort();
    memset(block->data, 0xa5, bytes); /* nobody may count on zeros */
    pthread_mutex_lock(&lock);
    block->next = blocks;
    blocks = block;
    pthread_mutex_unlock(&lock);
    return block->data;
}

static void free_block(void *data) {
    pthread_mutex_lock(&lock);
    struct block **link = &blocks;
    while (*link && (*link)->data != data)
        link = &(*link)->next;
    struct block *block = *link;
    if (!block) abort();
    *link = block->next;
    pthread_mutex_unlock(&lock);
    free(block);
}

/* ---- the driver's functions ---- */

static int init(unsigned flags) {
    (void)flags;
    return fake_cuda.gpus < 0 ? YO_CUDA_NO_DEVICE : fails();
}
static int version(int *out) {
    *out = fake_cuda.version;
    return fails();
}
static int device_count(int *count) {
    *count = fake_cuda.gpus;
    return fails();
}
static int device_get(int *device, int ordinal) {
    *device = ordinal + 100;
    return fails();
}
static int device_name(char *name, int length, int device) {
    snprintf(name, (size_t)length, "Fake %d", device);
    return fails();
}
static int device_memory(size_t *bytes, int device) {
    (void)device;
    *bytes = (size_t)1 << 30;
    return fails();
}
/* So much that most blocks have all their warps, and those of some small boards have not. */
#define SHARED_BYTES (99 * 1024)
static unsigned fake_cuda_warps(enum yo_playout_policy policy, int size, bool many) {
    unsigned warps = 8;
    while (YO_CUDA_SHARED_BYTES(policy, size, many, (int)warps) > SHARED_BYTES)
        warps /= 2;
    return warps;
}

static int device_attribute(int *value, int attribute, int device) {
    (void)device;
    *value = attribute == YO_CUDA_MAJOR              ? fake_cuda.major
             : attribute == YO_CUDA_COMPUTE_MODE     ? fake_cuda.mode
             : attribute == YO_CUDA_SHARED_BYTES_MAX ? SHARED_BYTES
             : attribute == YO_CUDA_PROCESSORS       ? fake_cuda.processors
                                                     : 0;
    return fails();
}
static int context_retain(yo_cuda_handle *context, int device) {
    *context = (void *)(intptr_t)device;
    return fails();
}
static int context_release(int device) {
    (void)device;
    return fails();
}
static int context_set(yo_cuda_handle context) {
    (void)context;
    return fails();
}
static int module_load(yo_cuda_handle *module, const void *image) {
    *module = (void *)(uintptr_t)image;
    return fails();
}
static int module_unload(yo_cuda_handle module) {
    (void)module;
    return fails();
}
static int module_function(yo_cuda_handle *function, yo_cuda_handle module, const char *name) {
    bool many = strcmp(name, YO_CUDA_KERNEL_MANY) == 0;
    if (!many && strcmp(name, YO_CUDA_KERNEL_ONE) != 0) abort();
    *function = (uint8_t *)module + many;
    return fails();
}
static int function_set(yo_cuda_handle function, int attribute, int value) {
    (void)function, (void)attribute, (void)value;
    return fails();
}
static int occupancy(int *count, yo_cuda_handle function, int threads, size_t shared) {
    (void)function, (void)threads, (void)shared;
    *count = 1;
    return fails();
}
static int memory_alloc(yo_cuda_address *address, size_t bytes) {
    int code = fails();
    if (!code) *address = (yo_cuda_address)(uintptr_t)give_block(bytes);
    return code;
}
static int memory_free(yo_cuda_address address) {
    free_block((void *)(uintptr_t)address);
    return fails();
}
static int host_alloc(void **memory, size_t bytes, unsigned flags) {
    (void)flags;
    int code = fails();
    if (!code) *memory = give_block(bytes);
    return code;
}
static int host_free(void *memory) {
    free_block(memory);
    return fails();
}
static int copy_in(yo_cuda_address to, const void *from, size_t bytes, yo_cuda_handle stream) {
    (void)stream;
    memcpy((void *)(uintptr_t)to, from, bytes);
    return fails();
}
static int copy_out(void *to, yo_cuda_address from, size_t bytes, yo_cuda_handle stream) {
    (void)stream;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return fails();
}
static int clear(yo_cuda_address to, unsigned value, size_t words, yo_cuda_handle stream) {
    (void)stream;
    uint32_t *word = (uint32_t *)(uintptr_t)to;
    for (size_t i = 0; i < words; i++)
        word[i] = value;
    return fails();
}
static int stream_create(yo_cuda_handle *stream, unsigned flags) {
    (void)flags;
    *stream = stream;
    return fails();
}
static int stream_destroy(yo_cuda_handle stream) {
    (void)stream;
    return fails();
}
static int stream_query(yo_cuda_handle stream) {
    (void)stream;
    return fake_cuda.hangs ? YO_CUDA_NOT_READY : fails();
}
static int error_name(int code, const char **name) {
    *name = code == YO_CUDA_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
    return YO_CUDA_SUCCESS;
}

/* An image is two bytes, one for each kernel; which ones says for what policy and board. */
#define SIZES (YO_GO_SIZE_MAX + 1)
static const uint8_t images[YO_PLAYOUT_POLICIES * SIZES * 2];
static const void *image(enum yo_playout_policy policy, int size) {
    return &images[2 * ((int)policy * SIZES + size)];
}

static int launch(yo_cuda_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                  yo_cuda_handle stream, void **arguments, void **extra) {
    (void)grid_y, (void)grid_z, (void)block_y, (void)block_z, (void)stream, (void)extra;
    const struct yo_cuda_job *job = arguments[0];
    int which = (int)((const uint8_t *)function - images), size = which / 2 % SIZES;
    enum yo_playout_policy policy = (enum yo_playout_policy)(which / 2 / SIZES);
    bool many = which % 2;
    if (grid_x < 1 || grid_x > (unsigned)fake_cuda.processors || *job->taken != 0 ||
        block_x > 32 * fake_cuda_warps(policy, size, many) || many != (job->item_of != NULL) ||
        shared_bytes != (unsigned)YO_CUDA_SHARED_BYTES(policy, size, many, (int)block_x / 32))
        abort();
    int code = fails();
    if (code) return code;
    atomic_fetch_add(&launches, 1);
    int items = job->item_of ? (int)job->item_of[job->games - 1] + 1 : 1;
    int most = atomic_load(&most_items);
    while (items > most && !atomic_compare_exchange_weak(&most_items, &most, items))
        ;
    fake_cuda.play(policy, size, job);
    if (fake_cuda.nonsense) (job->scores ? job->scores : job->sums)[YO_CUDA_HISTOGRAM] ^= 0x8000;
    return YO_CUDA_SUCCESS;
}

static const struct yo_cuda_driver table = {
#define X(member, symbol, parameters) .member = member,
    YO_CUDA_FUNCTIONS(X)
#undef X
        .image = image,
    .built_with = 13000,
    .timeout_ms = 50,
};

/* ---- a launch, by the reference ---- */

static void play_game(enum yo_playout_policy policy, int size, const struct yo_cuda_job *job,
                      uint32_t game) {
    size_t points = (size_t)(size * size), item = job->item_of ? job->item_of[game] : 0;
    const struct yo_cuda_item *from = job->item_of ? &job->items[item] : &job->item;
    struct yo_playout_position position = {.size = (uint8_t)size,
                                           .to_move = (uint8_t)from->to_move,
                                           .ko = (yo_go_point)from->ko,
                                           .last = (yo_go_point)from->last};
    for (size_t p = 0; p < points; p++) /* without marks */
        position.stones[p] = job->stones[item * points + p] & 3;
    struct yo_playout playout;
    yo_go_point moves[3 * YO_GO_POINTS_MAX];
    uint8_t owner[YO_GO_POINTS_MAX];
    yo_playout_start(&playout, &position, from->seed, from->base + game);
    yo_playout_finish(&playout, policy, yo_go_patterns(), moves);
    yo_playout_owner(&playout.board, owner);
    int32_t *own = NULL;
    if (!job->item_of) own = (int32_t *)job->sums + YO_CUDA_OWNERSHIP(size);
    if (job->ownership) own = job->ownership + item * points;
    uint32_t score = (uint32_t)points;
    for (size_t p = 0; p < points; p++) {
        int value = (owner[p] == YO_GO_BLACK) - (owner[p] == YO_GO_WHITE);
        score += (uint32_t)value;
        if (own) own[p] += value;
    }
    if (job->item_of) {
        job->scores[game] = score | playout.moves << 16;
    } else {
        uint64_t sum;
        memcpy(&sum, job->sums, sizeof sum);
        sum += playout.moves;
        memcpy(job->sums, &sum, sizeof sum);
        job->sums[YO_CUDA_HISTOGRAM + score]++;
    }
}

static void play_by_reference(enum yo_playout_policy policy, int size,
                              const struct yo_cuda_job *job) {
    for (uint32_t game = 0; game < job->games; game++)
        play_game(policy, size, job, game);
}

/* ---- starting ---- */

void fake_cuda_again(void) {
    long fail_at = fake_cuda.fail_at;
    fake_cuda.fail_at = 0; /* closing is not what is tested */
    yo_cuda_restart(fake_cuda.gpus ? &table : NULL);
    while (blocks)
        free_block(blocks->data);
    fake_cuda.fail_at = fail_at;
    atomic_store(&calls, 0);
    atomic_store(&launches, 0);
    atomic_store(&most_items, 0);
}

void fake_cuda_start(int gpus) {
    fake_cuda.gpus = gpus;
    fake_cuda.version = 13000;
    fake_cuda.major = 9;
    fake_cuda.mode = 0;
    fake_cuda.processors = 2;
    fake_cuda.fail_at = 0;
    fake_cuda.fail_count = 1000000000;
    fake_cuda.fail_code = 700;
    fake_cuda.hangs = fake_cuda.nonsense = false;
    fake_cuda.play = play_by_reference;
    fake_cuda_again();
}
