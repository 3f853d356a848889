#include "cmd/libraries.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/png.h"
#include "cluster/transport.h"
#include "cmd/edit.h"
#include "cmd/web/page.h"
#include "cmd/web/server.h"
#include "eval/net/stream.h"
#include "eval/playout/cuda/driver.h"
#include "eval/playout/hw/model.h"

#define REBUILD " and build again"

bool yo_library_at(size_t i, struct yo_library *library) {
    char cuda_text[sizeof library->own];
    int cuda = yo_cuda_built_with();
    snprintf(cuda_text, sizeof cuda_text, "%d.%d", cuda / 1000, cuda % 1000 / 10);
    const struct {
        const char *name, *version, *purpose, *cure;
    } all[] = {
        {"jansson", jansson_version_str(), "JSON", ""},
        {"zlib", yo_net_stream_zlib(), "packed network files", "apt install zlib1g-dev" REBUILD},
        {"libpng", yo_png_available() ? yo_png_version() : NULL, "PNG pictures",
         "apt install libpng-dev" REBUILD},
        {"libnats", yo_transport_nats_version(), "clusters over NATS",
         "apt install libnats-dev" REBUILD},
        {"libedit", yo_edit_library(), "line editing in `yomi play`",
         "apt install libedit-dev" REBUILD},
        {"civetweb", yo_server_library(), "the server of `yomi web`",
         "apt install libcivetweb-dev" REBUILD},
        {"page", yo_page_files[0].path ? "" : NULL, "the page of `yomi web`",
         "apt install npm" REBUILD},
        {"CUDA kernels", cuda ? cuda_text : NULL, "playouts on NVIDIA GPUs",
         "install NVIDIA's CUDA toolkit" REBUILD},
        {"hardware unit", yo_hw_models ? "" : NULL, "playouts by the simulated circuit",
         "apt install verilator" REBUILD},
    };
    if (i >= sizeof all / sizeof all[0]) return false;
    *library = (struct yo_library){.name = all[i].name,
                                   .version = all[i].version,
                                   .purpose = all[i].purpose,
                                   .cure = all[i].cure};
    if (library->version == cuda_text)
        library->version = memcpy(library->own, cuda_text, sizeof cuda_text);
    return true;
}

void yo_libraries_add(struct yo_buf *out) {
    struct yo_library l;
    for (size_t i = 0; yo_library_at(i, &l); i++)
        if (l.version)
            yo_buf_printf(out, "%s%s%s: %s\n", l.name, *l.version ? " " : "", l.version, l.purpose);
        else
            yo_buf_printf(out, "%s: not built in (%s)\n", l.name, l.purpose);
}
