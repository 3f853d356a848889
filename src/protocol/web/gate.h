/* Who may talk to the server: the secret in the address, and the headers of a request. Texts only;
 * nothing here knows sockets. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Room for a secret with its NUL. */
#define YO_WEB_KEY_SIZE 33

/* A new secret from the system's random numbers; false if there are none. */
bool yo_web_key_make(char key[YO_WEB_KEY_SIZE]);
/* Is `key` the value of `key=` in this query string (NULL: none)? Takes the same time whether or
 * not the first characters are right. */
bool yo_web_key_matches(const char *query, const char *key);

/* Is this numeric address (127.0.0.1, ::1) this machine's own? */
bool yo_web_is_loopback(const char *address);

/* Are the headers those of our own page? host and origin may be NULL: a program that is no browser
 * sends no Origin. loopback: the server can be reached by this machine only, so Host must name it;
 * a page of another site whose name is made to lead here is refused by that. */
bool yo_web_origin_allowed(const char *host, const char *origin, bool loopback);
