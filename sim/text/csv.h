/* CSV files as ecube writes them: a line of column names, then rows of as many cells. A cell in double quotes may hold
 * commas, line ends and doubled quotes. Cells may be paths, and so any bytes but 0. Empty lines are skipped. */
#pragma once

#include <glib.h>

/* Limits of a file that is read: bytes, columns, rows, cells. In memory it takes its bytes, and 8 bytes a cell. */
#define CSV_FILE_MAX ((gsize)256 << 20)
#define CSV_COLUMNS_MAX 1000u
#define CSV_ROWS_MAX 1000000u
#define CSV_CELLS_MAX (64u << 20)

typedef struct {
    char **names;           /* names of the columns [n_columns], NULL-terminated */
    guint n_columns, n_rows;
    char *text;             /* the file's text; its cells are parts of it, each ended by a 0 */
    GStringChunk *added;    /* the texts of cells that csv_add_row() and csv_add_column() appended */
    GPtrArray *cells;       /* const char *, row by row; read with csv_cell() */
    GArray *lines;          /* guint [n_rows]: line of the file, from 1, on which each row begins */
} Csv;

/* Reads the file `path`. Errors as in input_load_text() and csv_take(). Caller frees with csv_free(). */
Csv *csv_load(const char *path, GError **error);

/* Reads CSV from `text`, which it takes over, also on errors. `where` begins error messages; those about rows name the
 * line. Refuses a row with too many or too few cells, an unclosed quote, text after a quoted cell, two columns of one
 * name, and too many columns, rows or cells. Error: ECUBE_ERROR_INPUT. Caller frees with csv_free(). */
Csv *csv_take(const char *where, char *text, GError **error);

void csv_free(Csv *csv);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Csv, csv_free)

/* Returns the first place in the CSV text `text`, outside quotes, that has one of the characters `ends`; else the end
 * of the text. Borrowed. */
const char *csv_find(const char *text, const char *ends);

/* Returns the index of the first column of that name, or -1. */
int csv_column(const Csv *csv, const char *name);

/* Returns the cell of row < n_rows and column < n_columns. Borrowed. */
const char *csv_cell(const Csv *csv, guint row, guint column);

/* Returns the cell of row < n_rows in the column of that name, or "" if there is no such column. Borrowed. */
const char *csv_named(const Csv *csv, guint row, const char *name);

/* Appends a row with copies of cells[n_columns]. Its line in csv->lines is that of the row before, else 1. */
void csv_add_row(Csv *csv, const char *const *cells);

/* Appends a column with copies of the cells `texts` [n_rows]; NULL becomes an empty cell. */
void csv_add_column(Csv *csv, const char *name, const char *const *texts);
