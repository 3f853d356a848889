#include "cluster/nats_options.h"

#ifdef YOMI_NATS

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"

enum {
    PING_MS = 2000,      /* a broker that does not answer two of these is gone */
    WRITE_MS = 2000,     /* one that does not read for so long, too */
    WAIT_BYTES = 1 << 20 /* that may wait for a broker that is gone; the rest is lost */
};

/* ---- Credentials ---- */

enum { USER, PASSWORD, CREDS, CA, CERT, KEY, KEYS }; /* from CREDS on: names of files */
static const char *const keys[KEYS] = {"user", "password", "creds", "ca", "cert", "key"};

struct auth {
    struct yo_buf text;
    const char *values[KEYS]; /* into the text; NULL: not given */
};

static enum yo_err read_auth_line(struct auth *auth, char *line, struct yo_diag *diag) {
    char *value = strchr(line, '=');
    if (*line == '#' || *line == '\0') return YO_OK;
    for (size_t i = 0; value && i < KEYS; i++)
        if (strlen(keys[i]) == (size_t)(value - line) &&
            strncmp(keys[i], line, (size_t)(value - line)) == 0) {
            auth->values[i] = value + 1;
            if (i < CREDS || access(value + 1, R_OK) == 0) return YO_OK;
            return yo_diag_set(diag, YO_ERR_IO, "cannot read %.100s: %s", value + 1,
                               strerror(errno));
        }
    yo_diag_set(diag, YO_ERR_PARSE, "a line is none of user=, password=, creds=, ca=, cert=, key=");
    return YO_ERR_PARSE;
}

static enum yo_err read_auth(const char *path, struct auth *auth, struct yo_diag *diag) {
    if (!path) return YO_OK;
    enum yo_err err = yo_file_read_text(path, &auth->text, diag);
    int number = 1;
    for (char *line = auth->text.data; !err && line && *line; number++) {
        char *end = line + strcspn(line, "\n"), *next = end + (*end == '\n');
        *end = '\0';
        line[strcspn(line, "\r")] = '\0';
        err = read_auth_line(auth, line, diag);
        if (err) yo_diag_where(diag, path, number, 1);
        line = next;
    }
    return err;
}

static natsStatus set_auth(natsOptions *options, const struct auth *auth) {
    const char *const *v = auth->values;
    natsStatus s = NATS_OK;
    if (v[USER]) s = natsOptions_SetUserInfo(options, v[USER], v[PASSWORD] ? v[PASSWORD] : "");
    if (s == NATS_OK && v[CREDS])
        s = natsOptions_SetUserCredentialsFromFiles(options, v[CREDS], NULL);
    if (s == NATS_OK && (v[CA] || v[CERT])) s = natsOptions_SetSecure(options, true);
    if (s == NATS_OK && v[CA]) s = natsOptions_LoadCATrustedCertificates(options, v[CA]);
    if (s == NATS_OK && v[CERT])
        s = natsOptions_LoadCertificatesChain(options, v[CERT], v[KEY] ? v[KEY] : v[CERT]);
    return s;
}

/* ---- The connection ---- */

/* Other errors of the library go to standard error, if nobody takes them. */
static void pass_over(natsConnection *connection, natsSubscription *subscription, natsStatus error,
                      void *user) {
    (void)connection, (void)subscription, (void)error, (void)user;
}

static natsStatus set_options(natsOptions *options, const struct yo_nats_config *config) {
    natsStatus s = natsOptions_SetURL(options, config->url);
    if (s == NATS_OK) s = natsOptions_SetTimeout(options, YO_NATS_CONNECT_MS);
    if (s == NATS_OK) s = natsOptions_SetMaxReconnect(options, -1);
    if (s == NATS_OK) s = natsOptions_SetReconnectWait(options, YO_NATS_AGAIN_MS);
    if (s == NATS_OK)
        s = natsOptions_SetReconnectJitter(options, YO_NATS_AGAIN_MS, YO_NATS_AGAIN_MS);
    if (s == NATS_OK) s = natsOptions_SetReconnectBufSize(options, WAIT_BYTES);
    if (s == NATS_OK) s = natsOptions_SetPingInterval(options, PING_MS);
    if (s == NATS_OK) s = natsOptions_SetWriteDeadline(options, WRITE_MS);
    if (s == NATS_OK) s = natsOptions_SetErrorHandler(options, pass_over, NULL);
    if (s == NATS_OK) s = natsOptions_SetSendAsap(options, true);
    return s;
}

/* ---- What an operator reads ---- */

enum yo_err yo_nats_failure(const struct yo_nats_config *config, natsStatus s,
                            struct yo_diag *diag) {
    enum yo_err err = s == NATS_NO_SERVER ? YO_ERR_STATE
                      : s == NATS_TIMEOUT ? YO_ERR_CANCELLED
                                          : YO_ERR_IO;
    yo_diag_set(diag, err, "cannot connect to %.80s: %s", config->url, natsStatus_GetText(s));
    if (s == NATS_CONNECTION_AUTH_FAILED)
        yo_diag_hint(diag, "the broker wants credentials: --cluster-auth FILE");
    else if (s == NATS_NOT_PERMITTED)
        yo_diag_hint(diag, "its user in --cluster-auth is not one for a %s of the cluster %s",
                     config->worker ? "worker" : "master", config->cluster);
    else if (s == NATS_SSL_ERROR || s == NATS_SECURE_CONNECTION_WANTED ||
             s == NATS_SECURE_CONNECTION_REQUIRED)
        yo_diag_hint(diag, "TLS: whom to trust is the line ca=FILE of --cluster-auth FILE");
    else if (s == NATS_TIMEOUT)
        yo_diag_hint(diag, "what listens there does not answer; `yomi cluster stop` ends a broker "
                           "that `up` started here");
    else
        yo_diag_hint(diag, "is there a broker? `yomi cluster up` starts one on this machine");
    return err;
}

enum yo_err yo_nats_options(const struct yo_nats_config *config, natsOptions **out,
                            struct yo_diag *diag) {
    struct auth auth = {0};
    natsOptions *options = NULL;
    enum yo_err err = read_auth(config->auth_file, &auth, diag);
    natsStatus s = err ? NATS_OK : natsOptions_Create(&options);
    if (!err && s == NATS_OK) s = set_options(options, config);
    if (!err && s == NATS_OK) s = set_auth(options, &auth);
    yo_buf_free(&auth.text);
    if (s != NATS_OK) err = yo_nats_failure(config, s, diag);
    if (err)
        natsOptions_Destroy(options);
    else
        *out = options;
    return err;
}

#endif
