/* A USI engine to talk to, and what it said. One at a time. */
#pragma once

#include "base/buf.h"
#include "protocol/usi/usi.h"

/* Fixtures: a new engine with a small table; all that was said is forgotten. */
int usi_set_up(void **unused);
int usi_set_up_tuned(void **unused); /* with the options of `yomi usi --tune` */
int usi_tear_down(void **unused);
struct yo_usi *usi_engine(void);

/* Everything since the last usi_forget, each line with its end. Only while nothing thinks. */
const char *usi_said(void);
void usi_forget(void);
/* The same at any time, appended to out. */
void usi_copy(struct yo_buf *out);
/* How often a text was said. */
int usi_count(const char *what);

/* Not quit. */
void usi_say(const char *line);
/* Forgets, says, and waits for the answer if there will be one. */
void usi_go(const char *line);
void usi_assert_said(const char *what);
/* The move of the last bestmove. */
const char *usi_best(void);
/* Nodes of the last report. */
int usi_nodes(void);
/* Waits until a text was said, which must be soon. */
void usi_await(const char *what);
