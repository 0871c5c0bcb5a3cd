/* Messages on standard error. */
#pragma once

#include <glib.h>

/* Prints "ecube: " and the text as one line. Unprintable bytes become escapes (input_printable()). */
void message_print(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Returns the number of columns of standard error if it is a terminal on which a line can be overwritten; else 0. */
guint message_columns(void);

/* Returns the number of columns of standard output if it is a terminal; else 0. */
guint message_output_columns(void);

/* Returns `text` with line breaks between words of its sentences, so that at most `columns` characters are on a line;
 * 0: any number. Rows of tables, with two spaces in a row, stay whole. Caller frees. */
char *message_wrap(const char *text, guint columns);

/* Shows progress in one line on standard error if message_columns() is not 0, from a second after the first call on.
 * If the terminal is narrow, the line lacks its beginning. `format` NULL ends the progress and clears the line. */
void message_progress(const char *format, ...) G_GNUC_PRINTF(1, 2);
