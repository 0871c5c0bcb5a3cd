/* CSV files as ecube writes them: a line of column names, then rows of as many cells. A cell in double quotes may hold
 * commas, line ends and doubled quotes. Cells may be paths, and so any bytes but 0. */
#pragma once

#include <glib.h>

/* Largest file that is read, in bytes. */
#define CSV_FILE_MAX ((gsize)256 << 20)

typedef struct Csv Csv;

/* Reads the file `path`. Errors, ECUBE_ERROR_INPUT: what input_load_bytes() refuses and what csv_parse() does. Caller
 * frees with csv_free(). */
Csv *csv_load(const char *path, GError **error);

/* The same from `text`; `where` begins error messages, which name the line: a row with too many or too few cells, a
 * quote that is not closed, text beside a quoted cell. */
Csv *csv_parse(const char *where, const char *text, GError **error);
void csv_free(Csv *csv);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Csv, csv_free)

/* The names of the columns, NULL-terminated. Borrowed. */
const char *const *csv_names(const Csv *csv);

/* The number of the first column of that name, or -1. */
int csv_column(const Csv *csv, const char *name);

/* Rows below the names. */
guint csv_n_rows(const Csv *csv);

/* The cell of row < csv_n_rows() and column < the number of names. Borrowed. */
const char *csv_cell(const Csv *csv, guint row, guint column);

/* The line of the file, from 1, on which the row begins. */
guint csv_line(const Csv *csv, guint row);
