/* Any bytes as messages of a cluster, a line each: what is taken can be written and reads as the
 * same, a job's game is set up or refused, and a master with a running search takes everything. The
 * same bytes as the lines of a USI or GTP engine. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/crew.h"
#include "cluster/gtp_info.h"
#include "cluster/lines.h"
#include "cluster/usi_info.h"
#include "game/shogi/game.h"

static void send_nowhere(void *user, const char *to, const char *bytes, size_t len) {
    (void)user, (void)to, (void)bytes, (void)len;
}

static void read_message(const char *bytes, size_t len) {
    struct yo_message m, again;
    struct yo_buf first = {0}, second = {0};
    struct yo_root root;
    if (yo_message_read(bytes, len, &m, NULL)) return;
    if (yo_message_write(&m, &first)) abort();
    if (yo_message_read(first.data, first.len, &again, NULL)) abort();
    if (yo_message_write(&again, &second) || strcmp(first.data, second.data) != 0) abort();
    if (m.kind == YO_MESSAGE_JOB && yo_root_read(&m.root, &root, NULL) == YO_OK) {
        yo_root_play(&root, m.path, NULL);
        yo_root_free(&root);
    }
    yo_message_free(&m);
    yo_message_free(&again);
    yo_buf_free(&first);
    yo_buf_free(&second);
}

static void read_engine(const char *line) {
    struct yo_usi_info info = {0};
    struct yo_message_line lines[8];
    int64_t visits;
    yo_usi_info_take(&info, line);
    yo_usi_info_take(&info, line);
    yo_usi_info_free(&info);
    yo_lines_free(lines, yo_gtp_info_read(line, lines, 8, &visits));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct yo_crew_config config = {.master = "m",
                                    .game = YO_SESSION_SHOGI,
                                    .plan = {.strategy = YO_PLAN_SPLIT},
                                    .send = send_nowhere};
    struct yo_search_limits limits = {0};
    struct yo_search_result result;
    struct yo_crew *crew;
    struct yo_shogi_game *game;
    struct yo_buf text = {0};
    int64_t now = 1000;
    yo_buf_add(&text, (const char *)data, size);
    if (yo_shogi_game_new(NULL, &game, NULL) || yo_crew_new(&config, &crew, NULL)) abort();
    if (yo_crew_begin(crew, game, &limits, 0, now, NULL)) abort();
    for (char *line = text.data; line && *line; now += 100) {
        size_t len = strcspn(line, "\n");
        char *next = line + len + (line[len] == '\n');
        line[len] = '\0';
        read_message(line, len);
        read_engine(line);
        yo_crew_take(crew, line, len, now);
        yo_crew_tick(crew, now);
        line = next;
    }
    yo_crew_result(crew, &result);
    if (result.move_count == 0) abort();
    yo_crew_delete(crew);
    yo_shogi_game_delete(game);
    yo_buf_free(&text);
    return 0;
}
