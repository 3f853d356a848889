/* Answers over HTTP: a text, /health, a file of the page. Each returns the status. */
#pragma once

#include "cmd/web/page.h"

struct mg_connection;

int yo_answer_text(struct mg_connection *connection, int status, const char *text);
int yo_answer_health(struct mg_connection *connection);
int yo_answer_file(struct mg_connection *connection, const struct yo_page_file *file);
