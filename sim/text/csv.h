/* CSV files as ecube writes them: a line of column names, then rows of as many cells. A cell in double quotes may hold
 * commas, line ends and doubled quotes. Cells may be paths, and so any bytes but 0. Empty lines do not count. */
#pragma once

#include <glib.h>

/* Largest file that is read, in bytes, and what may be in one. Memory: the file, and 8 bytes for a cell. */
#define CSV_FILE_MAX ((gsize)256 << 20)
#define CSV_COLUMNS_MAX 1000u
#define CSV_ROWS_MAX 1000000u
#define CSV_CELLS_MAX (64u << 20)

typedef struct {
    char **names;           /* [n_columns], NULL-terminated */
    guint n_columns, n_rows;
    char *text;             /* of the file: its cells, each with a 0 behind it */
    GStringChunk *added;    /* the texts of cells that were added */
    GPtrArray *cells;       /* const char *, row by row; see csv_cell() */
    GArray *lines;          /* guint [n_rows], from 1: where in the file each row begins */
} Csv;

/* Reads the file `path`. Errors, ECUBE_ERROR_INPUT: what input_load_text() refuses and what csv_take() does. Caller
 * frees with csv_free(). */
Csv *csv_load(const char *path, GError **error);

/* The same from `text`, which it takes over; `where` begins error messages, which name the line: a row with too many or
 * too few cells, a quote that is not closed, text beside a quoted cell, two columns of one name, more than there may
 * be. */
Csv *csv_take(const char *where, char *text, GError **error);

void csv_free(Csv *csv);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Csv, csv_free)

/* The first of `ends` in a text of CSV that is not within quotes, or the end of the text. Borrowed. */
const char *csv_find(const char *text, const char *ends);

/* The number of the first column of that name, or -1. */
int csv_column(const Csv *csv, const char *name);

/* The cell of row < n_rows and column < n_columns. Borrowed. */
const char *csv_cell(const Csv *csv, guint row, guint column);

/* The cell of row < n_rows in the column of that name; "" if there is none. Borrowed. */
const char *csv_named(const Csv *csv, guint row, const char *name);

/* Adds a row of texts that are not the CSV's own: `cells` [n_columns]. Its line is the last row's. */
void csv_add_row(Csv *csv, const char *const *cells);

/* Adds a column behind the others: `texts` [n_rows] are its cells, NULL empty ones. */
void csv_add_column(Csv *csv, const char *name, const char *const *texts);
