/* What is said on standard error. */
#pragma once

#include <glib.h>

/* Prints "ecube: " and the text as one line, whatever bytes a user has put into it (input_printable()). */
void message_tell(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* How far something has come, on a terminal, once it has taken a second. NULL: it is over, and the line goes away. */
void message_progress(const char *format, ...) G_GNUC_PRINTF(1, 2);
