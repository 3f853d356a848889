#include "cmd/web/answer.h"

#ifdef YOMI_WEB

#include <civetweb.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/json.h"
#include "eval/playout/backend.h"
#include "yomi/version.h"

#define FILES_POLICY                                                                               \
    "default-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; "          \
    "img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

static int answer(struct mg_connection *c, int status, const char *type, const char *headers,
                  const char *bytes, size_t len) {
    const struct mg_request_info *info = mg_get_request_info(c);
    mg_printf(c,
              "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
              "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
              "Content-Security-Policy: " FILES_POLICY "\r\nConnection: close\r\n%s\r\n",
              status, mg_get_response_code_text(c, status), type, len, headers);
    if (strcmp(info->request_method, "HEAD") != 0 && len > 0) mg_write(c, bytes, len);
    return status;
}

int yo_answer_text(struct mg_connection *c, int status, const char *text) {
    return answer(c, status, "text/plain; charset=utf-8", "Cache-Control: no-store\r\n", text,
                  strlen(text));
}

int yo_answer_health(struct mg_connection *c) {
    bool failed = false;
    json_t *m = yo_json_object(), *backends = yo_json_array();
    const struct yo_playout_backend *backend;
    for (size_t i = 0; (backend = yo_playout_backend_at(i)); i++)
        if (yo_playout_available(backend))
            yo_json_append(backends, json_string(backend->name), &failed);
    yo_json_set(m, "version", json_string(yo_version()), &failed);
    yo_json_set(m, "backends", backends, &failed);
    yo_json_set(m, "page", json_boolean(yo_page_files[0].path != NULL), &failed);
    yo_json_set(m, "status", json_string("ok"), &failed);
    struct yo_buf text = {0};
    yo_json_write(&text, m);
    failed = failed || text.failed;
    int status = failed ? yo_answer_text(c, 500, "out of memory\n")
                        : answer(c, 200, "application/json", "Cache-Control: no-store\r\n",
                                 text.data, text.len);
    yo_buf_free(&text);
    json_decref(m);
    return status;
}

/* For clients that do not take gzip. */
static int answer_inflated(struct mg_connection *c, const struct yo_page_file *file,
                           const char *headers) {
    size_t packed = (size_t)(file->end - file->bytes);
    const unsigned char *t = file->end - 4; /* a gzip file ends with the size of its contents */
    size_t size = t[0] | (size_t)t[1] << 8 | (size_t)t[2] << 16 | (size_t)t[3] << 24;
    char *bytes = yo_alloc(size + 1, 1);
    z_stream z = {.next_in = (Bytef *)file->bytes,
                  .avail_in = (uInt)packed,
                  .next_out = (Bytef *)bytes,
                  .avail_out = (uInt)size};
    bool good = bytes && inflateInit2(&z, 16 + MAX_WBITS) == Z_OK;
    if (good) {
        good = inflate(&z, Z_FINISH) == Z_STREAM_END;
        inflateEnd(&z);
    }
    int status = good ? answer(c, 200, yo_page_mime(file), headers, bytes, size)
                      : yo_answer_text(c, 500, "out of memory\n");
    yo_free(bytes);
    return status;
}

int yo_answer_file(struct mg_connection *c, const struct yo_page_file *file) {
    char headers[160], tag[40];
    size_t len = (size_t)(file->end - file->bytes);
    const char *accepts = mg_get_header(c, "Accept-Encoding");
    const char *known = mg_get_header(c, "If-None-Match");
    snprintf(tag, sizeof tag, "\"%08lx-%zx\"", crc32(0, file->bytes, (uInt)len), len);
    snprintf(headers, sizeof headers,
             "ETag: %s\r\nCache-Control: no-cache\r\nVary: Accept-Encoding\r\n", tag);
    if (known && strcmp(known, tag) == 0)
        return answer(c, 304, yo_page_mime(file), headers, NULL, 0);
    if (!accepts || !strstr(accepts, "gzip")) return answer_inflated(c, file, headers);
    size_t used = strlen(headers);
    snprintf(headers + used, sizeof headers - used, "Content-Encoding: gzip\r\n");
    return answer(c, 200, yo_page_mime(file), headers, (const char *)file->bytes, len);
}

#endif
