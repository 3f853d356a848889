#include "protocol/web/gate.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool yo_web_key_make(char key[YO_WEB_KEY_SIZE]) {
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[(YO_WEB_KEY_SIZE - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) {
        key[2 * i] = digits[bytes[i] >> 4];
        key[2 * i + 1] = digits[bytes[i] & 15];
    }
    key[YO_WEB_KEY_SIZE - 1] = '\0';
    return true;
}

static bool is_same(const char *given, size_t len, const char *key) {
    unsigned char differs = len != strlen(key);
    for (size_t i = 0; key[i]; i++)
        differs |= (unsigned char)(key[i] ^ (i < len ? given[i] : 0));
    return !differs;
}

bool yo_web_key_matches(const char *query, const char *key) {
    while (query && *query) {
        size_t len = strcspn(query, "&");
        if (len >= 4 && memcmp(query, "key=", 4) == 0) return is_same(query + 4, len - 4, key);
        query += len + (query[len] == '&');
    }
    return false;
}

bool yo_web_is_loopback(const char *address) {
    struct in_addr four;
    /* Parsed, since 127.0.0.1.example is the name of another machine. */
    if (inet_pton(AF_INET, address, &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
    return strcmp(address, "::1") == 0 || strcmp(address, "[::1]") == 0;
}

/* The length of a host without its port: "127.0.0.1:80", "[::1]:80". */
static size_t host_length(const char *host) {
    return host[0] == '[' ? strcspn(host, "]") + (strchr(host, ']') != NULL) : strcspn(host, ":");
}

static bool names_this_machine(const char *host) {
    char name[64];
    size_t len = host_length(host);
    if (len >= sizeof name) return false;
    memcpy(name, host, len);
    name[len] = '\0';
    return strcasecmp(name, "localhost") == 0 || yo_web_is_loopback(name);
}

bool yo_web_origin_allowed(const char *host, const char *origin, bool loopback) {
    static const char *const schemes[] = {"http://", "https://"}; /* the latter behind a proxy */
    if (!host || (loopback && !names_this_machine(host))) return false;
    if (!origin) return true;
    for (int i = 0; i < 2; i++) {
        size_t len = strlen(schemes[i]);
        if (strncmp(origin, schemes[i], len) == 0 && strcasecmp(origin + len, host) == 0)
            return true;
    }
    return false;
}
