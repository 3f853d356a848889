/* Convolutions in bytes (yo_net_kernels.bytes), and in 16 bits as two bytes (split). */
#include <string.h>

#include "base/alloc.h"
#include "eval/net/cpu/worker.h"

/* The inputs of convolutions with one number of channels and one kernel. What lies beyond the edges
 * stays zero. */
struct yo_net_byte_board {
    int channels, kernel, pitch;
    bool split;
    uint8_t *bytes;
    int *place; /* [point]: in `bytes` */
    /* See struct yo_net_bytes. */
    int tiles;
    int *tile_row, *tile_first;
    struct yo_net_byte_row *on_board;
    /* The input that is on it: convolutions that read the same tensor find it here. */
    int tensor, first_channel, in_channels, position;
};

static int channels_of(const struct yo_net_op *op, bool split) {
    if (split) return 2 * yo_net_split_half(op->in_channels);
    return op->in == 0 ? 2 * yo_net_plane_half(op->in_channels) : yo_net_padded(op->in_channels);
}

static struct yo_net_byte_board *find_board(const struct yo_net_cpu_worker *w, int i) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    bool split = w->program->layers[i].form == YO_NET_FORM_SPLIT;
    for (int j = 0; j < w->byte_board_count; j++) {
        struct yo_net_byte_board *board = &w->byte_boards[j];
        if (board->channels == channels_of(op, split) && board->kernel == op->kernel_y &&
            board->split == split)
            return board;
    }
    return NULL;
}

static void list_tiles(struct yo_net_byte_board *board, int size) {
    int end = 0, tile = -1; /* the row after the last tile */
    for (int point = 0; point < size * size; point++) {
        int row = point / size * board->pitch + point % size;
        if (row >= end) {
            tile++;
            board->tile_row[tile] = row;
            board->tile_first[tile] = point;
            end = row + YO_NET_BYTES_ROWS;
        }
        board->on_board[point] = (struct yo_net_byte_row){
            .row = (int16_t)(tile * YO_NET_BYTES_ROWS + row - board->tile_row[tile]),
            .point = (int16_t)point};
    }
    board->tiles = tile + 1;
    board->tile_first[tile + 1] = size * size;
}

static enum yo_err board_init(struct yo_net_byte_board *board, const struct yo_net_op *op,
                              bool split, int size) {
    int kernel = op->kernel_y, pitch = size + kernel / 2, points = size * size;
    int rows = (size - 1) * pitch + size;
    *board = (struct yo_net_byte_board){.channels = channels_of(op, split),
                                        .kernel = kernel,
                                        .pitch = pitch,
                                        .split = split,
                                        .tensor = YO_NET_NONE};
    /* Up to the end of the last read: by the last part of the kernel's last row, for a tile that
     * begins at the last row. */
    size_t places = (size_t)rows + YO_NET_BYTES_ROWS + (size_t)(kernel - 1) * pitch + kernel;
    board->bytes = yo_alloc_aligned(places * board->channels + YO_NET_BYTES_K);
    board->place = yo_alloc(points, sizeof *board->place);
    board->tile_row = yo_alloc(rows / YO_NET_BYTES_ROWS + 1, sizeof *board->tile_row);
    board->tile_first = yo_alloc(rows / YO_NET_BYTES_ROWS + 2, sizeof *board->tile_first);
    board->on_board = yo_alloc(points, sizeof *board->on_board);
    if (!board->bytes || !board->place || !board->tile_row || !board->tile_first ||
        !board->on_board)
        return YO_ERR_NOMEM;
    for (int point = 0; point < points; point++)
        board->place[point] =
            ((point / size + kernel / 2) * pitch + point % size + kernel / 2) * board->channels;
    list_tiles(board, size);
    return YO_OK;
}

enum yo_err yo_net_byte_boards_new(struct yo_net_cpu_worker *w) {
    const struct yo_net_graph *graph = w->program->graph;
    w->byte_boards = yo_alloc(graph->op_count + 1, sizeof *w->byte_boards);
    if (!w->byte_boards) return YO_ERR_NOMEM;
    for (int i = 0; i < graph->op_count; i++) {
        bool split = w->program->layers[i].form == YO_NET_FORM_SPLIT;
        if (!split && w->program->layers[i].form != YO_NET_FORM_BYTES) continue;
        if (find_board(w, i)) continue;
        enum yo_err err =
            board_init(&w->byte_boards[w->byte_board_count++], &graph->ops[i], split, w->size);
        if (err != YO_OK) return err;
    }
    return YO_OK;
}

void yo_net_byte_boards_delete(struct yo_net_cpu_worker *w) {
    for (int i = 0; i < w->byte_board_count; i++) {
        yo_free_aligned(w->byte_boards[i].bytes);
        yo_free(w->byte_boards[i].place);
        yo_free(w->byte_boards[i].tile_row);
        yo_free(w->byte_boards[i].tile_first);
        yo_free(w->byte_boards[i].on_board);
    }
    yo_free(w->byte_boards);
}

void yo_net_byte_boards_reset(struct yo_net_cpu_worker *w) {
    for (int i = 0; i < w->byte_board_count; i++)
        w->byte_boards[i].tensor = YO_NET_NONE;
}

static void fill_quantised(struct yo_net_cpu_worker *w, int i, int position,
                           struct yo_net_byte_board *board) {
    const struct yo_net_kernels *kernels = w->program->kernels;
    struct yo_net_quantise q =
        yo_net_cpu_worker_quantise(w, i, position, w->program->layers[i].direct.limit);
    q.out_step = board->channels;
    q.low = board->channels / 2;
    q.points = w->size;
    for (int y = 0; y < w->size; y++, q.in += w->size * q.in_step) {
        q.out = board->bytes + board->place[y * w->size];
        (board->split ? kernels->quantise_split : kernels->quantise_b)(&q);
    }
}

static void fill_plane(const struct yo_net_cpu_worker *w, const struct yo_net_byte_board *board,
                       const uint64_t *words, int plane) {
    for (int first = 0; first < w->points; first += 64)
        for (uint64_t word = words[first / 64]; word; word &= word - 1) {
            int point = first + __builtin_ctzll(word);
            if (point >= w->points) continue;
            uint8_t *to = board->bytes + board->place[point] + plane;
            to[0] = 1;
            to[board->channels / 2] = YO_NET_HIGH;
        }
}

static void fill_planes(const struct yo_net_cpu_worker *w, const struct yo_net_op *op,
                        const uint64_t *planes, struct yo_net_byte_board *board) {
    int words = yo_net_plane_words(w->size);
    for (int y = 0; y < w->size; y++)
        memset(board->bytes + board->place[y * w->size], 0, (size_t)w->size * board->channels);
    for (int plane = 0; plane < op->in_channels; plane++)
        fill_plane(w, board, planes + (size_t)(op->first_channel + plane) * words, plane);
}

static struct yo_net_byte_board *filled_board(struct yo_net_cpu_worker *w, int i, int position,
                                              const uint64_t *planes) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    struct yo_net_byte_board *board = find_board(w, i);
    if (board->tensor == op->in && board->first_channel == op->first_channel &&
        board->in_channels == op->in_channels && board->position == position)
        return board;
    board->tensor = op->in;
    board->first_channel = op->first_channel;
    board->in_channels = op->in_channels;
    board->position = position;
    if (op->in == 0)
        fill_planes(w, op, planes, board);
    else
        fill_quantised(w, i, position, board);
    return board;
}

void yo_net_run_bytes(struct yo_net_cpu_worker *w, int i, int position, const uint64_t *planes) {
    const struct yo_net_op *op = &w->program->graph->ops[i];
    const struct yo_net_packed *packed = &w->program->layers[i].direct;
    const struct yo_net_byte_board *board = filled_board(w, i, position, planes);
    enum yo_net_part part = op->in == 0    ? YO_NET_PART_STEM
                            : board->split ? YO_NET_PART_POINTS
                                           : YO_NET_PART_PRODUCTS;
    if (part == YO_NET_PART_PRODUCTS) yo_net_cpu_worker_lap(w, YO_NET_PART_INPUTS);
    float step =
        op->in == 0 ? 1.0f : yo_net_cpu_worker_largest(w, op->in, position) / packed->limit;
    int outs = yo_net_padded(op->out_channels);
    for (int o = 0; o < outs; o++)
        w->scale[o] = packed->scales[o] * step;
    yo_net_cpu_worker_begin(w, i, position);
    struct yo_net_bytes b = {
        .board = board->bytes,
        .is_signed = packed->limit < UINT8_MAX,
        .kernel = board->kernel,
        .pitch = board->pitch,
        .channels = board->channels,
        .tiles = board->tiles,
        .tile_row = board->tile_row,
        .on_board = board->on_board,
        .tile_first = board->tile_first,
        .weights = packed->weights,
        .outs = outs,
        .scale = w->scale,
        .after = yo_net_cpu_worker_after(w, i, position, 0),
    };
    (board->split ? w->program->kernels->split : w->program->kernels->bytes)(&b);
    yo_net_cpu_worker_lap(w, part);
}
