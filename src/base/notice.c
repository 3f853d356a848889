#include "base/notice.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*told)(void *user, const char *text);
static void *told_user;

void yo_notice_listen(void (*listener)(void *user, const char *text), void *user) {
    pthread_mutex_lock(&lock);
    told = listener;
    told_user = user;
    pthread_mutex_unlock(&lock);
}

void yo_notice(const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    pthread_mutex_lock(&lock);
    if (told) told(told_user, text);
    pthread_mutex_unlock(&lock);
}
