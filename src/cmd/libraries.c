#include "cmd/libraries.h"

#include <stdio.h>

#include "base/json.h"
#include "base/png.h"
#include "cluster/transport.h"
#include "cmd/web/server.h"
#include "eval/net/stream.h"
#include "eval/playout/cuda/driver.h"
#include "eval/playout/hw/model.h"

/* version is NULL where the part is not built in. */
static void add(struct yo_buf *out, const char *name, const char *version, const char *purpose) {
    if (version)
        yo_buf_printf(out, "%s%s%s: %s\n", name, *version ? " " : "", version, purpose);
    else
        yo_buf_printf(out, "%s: not built in (%s)\n", name, purpose);
}

void yo_libraries_add(struct yo_buf *out) {
    char cuda_text[24];
    int cuda = yo_cuda_built_with();
    snprintf(cuda_text, sizeof cuda_text, "%d.%d", cuda / 1000, cuda % 1000 / 10);
    add(out, "jansson", jansson_version_str(), "JSON");
    add(out, "zlib", yo_net_stream_zlib(), "packed network files");
    add(out, "libpng", yo_png_available() ? yo_png_version() : NULL, "PNG pictures");
    add(out, "libnats", yo_transport_nats_version(), "clusters over NATS");
    add(out, "civetweb", yo_server_library(), "the server of `yomi web`");
    add(out, "CUDA kernels", cuda ? cuda_text : NULL, "playouts on NVIDIA GPUs");
    add(out, "hardware unit", yo_hw_models ? "" : NULL, "playouts by the simulated circuit");
}
