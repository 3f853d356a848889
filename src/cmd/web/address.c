#include "cmd/web/address.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/diag.h"
#include "protocol/web/gate.h"

enum yo_err yo_address_resolve(const char *name, char *host, size_t size, bool *loopback,
                               struct yo_diag *diag) {
    struct addrinfo wanted = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    char text[48];
    int why = getaddrinfo(name, NULL, &wanted, &found);
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
