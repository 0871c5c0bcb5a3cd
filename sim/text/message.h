/* Messages on standard error. */
#pragma once

#include <glib.h>

/* Prints "ecube: " and the text as one line. Unprintable bytes become escapes (input_printable()). */
void message_print(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Returns the number of columns of standard error if it is a terminal on which a line can be overwritten; else 0. */
guint message_columns(void);

/* Returns the number of columns of standard output if it is a terminal; else 0. */
guint message_output_columns(void);

/* Returns `text` with its sentences broken between words, so that lines have at most `columns` characters (0: any
 * number). Lines with two spaces in a row are of tables and stay whole. Caller frees. */
char *message_wrap(const char *text, guint columns);

/* Shows progress in one line, from a second after the first call on, if message_columns() is not 0. On a narrow
 * terminal the line loses its beginning. `format` NULL ends the progress and clears the line. */
void message_progress(const char *format, ...) G_GNUC_PRINTF(1, 2);
