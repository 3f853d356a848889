#include "cmd/web/address.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/diag.h"
#include "protocol/web/gate.h"

static bool is_six_alone(const char *name) {
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_family = AF_INET6}, *found = NULL;
    int why = getaddrinfo(name, NULL, &wanted, &found);
    if (found) freeaddrinfo(found);
    return why == 0;
}

enum yo_err yo_address_resolve(const char *name, bool six_too, char *host, size_t size,
                               bool *loopback, struct yo_diag *diag) {
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM,
                              .ai_family = six_too ? AF_UNSPEC : AF_INET},
                    *found = NULL;
    char text[48];
    int why = getaddrinfo(name, NULL, &wanted, &found);
    if (why && !six_too && is_six_alone(name)) {
        yo_diag_set(diag, YO_ERR_UNSUPPORTED,
                    "--host %.60s is an address of IPv6, which civetweb is built without here",
                    name);
        yo_diag_hint(diag, "give one of IPv4: 127.0.0.1, or 0.0.0.0 for all");
        return YO_ERR_UNSUPPORTED;
    }
    if (!why)
        why = getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, NULL, 0,
                          NI_NUMERICHOST);
    if (!why) {
        bool six = found->ai_family == AF_INET6;
        *loopback = yo_web_is_loopback(text);
        snprintf(host, size, six ? "[%s]" : "%s", text);
    }
    if (found) freeaddrinfo(found);
    if (!why) return YO_OK;
    return yo_diag_set(diag, YO_ERR_ARGUMENT, "--host %.60s: %s", name, gai_strerror(why));
}

enum yo_err yo_address_try(const char *host, int port, struct yo_diag *diag) {
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST},
                    *found = NULL;
    char bare[64], service[8];
    int yes = 1, error = 0;
    snprintf(bare, sizeof bare, "%s", host[0] == '[' ? host + 1 : host);
    bare[strcspn(bare, "]")] = 0;
    snprintf(service, sizeof service, "%d", port);
    if (getaddrinfo(bare, service, &wanted, &found)) return YO_OK; /* civetweb may know better */
    int fd = socket(found->ai_family, SOCK_STREAM, 0);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
        bind(fd, found->ai_addr, found->ai_addrlen) || listen(fd, 1))
        error = errno;
    if (fd >= 0) close(fd);
    freeaddrinfo(found);
    if (!error) return YO_OK;
    yo_diag_set(diag, YO_ERR_IO, "cannot listen on %s:%d: %s", host, port, strerror(error));
    if (error == EADDRINUSE)
        yo_diag_hint(diag, "another program uses this port; --port 0 takes any free one");
    else if (error == EACCES)
        yo_diag_hint(diag, "ports below 1024 are the system's; --port 0 takes any free one");
    else if (error == EADDRNOTAVAIL)
        yo_diag_hint(diag, "this machine has no such address; 0.0.0.0 stands for all that it has");
    return YO_ERR_IO;
}

void yo_address_shown(const char *host, char *out, size_t size) {
    struct ifaddrs *list = NULL;
    snprintf(out, size, "%s", host);
    if (strcmp(host, "0.0.0.0") != 0 && strcmp(host, "[::]") != 0) return;
    if (getifaddrs(&list)) return;
    for (struct ifaddrs *i = list; i; i = i->ifa_next) {
        char text[48];
        bool up = (i->ifa_flags & IFF_UP) && !(i->ifa_flags & IFF_LOOPBACK);
        if (!up || !i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
        if (getnameinfo(i->ifa_addr, sizeof(struct sockaddr_in), text, sizeof text, NULL, 0,
                        NI_NUMERICHOST) == 0) {
            snprintf(out, size, "%s", text);
            break;
        }
    }
    freeifaddrs(list);
}
