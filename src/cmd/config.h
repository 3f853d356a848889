/* The user's settings: $XDG_CONFIG_HOME/yomi/config, or ~/.config/yomi/config. Lines "option =
 * value", which count like options on the command line; below "[gtp]" they are for that command
 * alone, above the first such line for every command that has the option. docs/config.md. */
#pragma once

#include "base/buf.h"
#include "cmd/command.h"

/* The file's path; false if there is none to be had: YOMI_CONFIG is empty, or no home is known. */
bool yo_config_path(struct yo_buf *path);

/* Sets the options of a command from the file. No file is no error; a line that is no setting, or
 * an option that no command has, is one, wherever it stands. */
enum yo_err yo_config_read(const struct yo_command *command, struct yo_options *options,
                           struct yo_diag *diag);
/* The same from a text. name: for messages. */
enum yo_err yo_config_read_text(const char *text, const char *name,
                                const struct yo_command *command, struct yo_options *options,
                                struct yo_diag *diag);

/* The text with a section's option set: its line replaced, or one added. */
void yo_config_set(const char *text, const char *section, const char *key, const char *value,
                   struct yo_buf *out);
