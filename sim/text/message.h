/* What is said on standard error. */
#pragma once

#include <glib.h>

/* Prints "ecube: " and the text as one line, whatever bytes a user has put into it (input_printable()). */
void message_tell(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Returns how many columns standard error has, if it is a terminal on which a line can be written again; else 0. */
guint message_columns(void);

/* Shows in one line how far something has come, if message_columns() says that it can, once it has taken a second. On a
 * narrow terminal the line loses its beginning. NULL: it is over, and the line goes away. */
void message_progress(const char *format, ...) G_GNUC_PRINTF(1, 2);
