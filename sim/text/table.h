/* Rows of named columns, as a table for people, CSV, JSON or HTML. */
#pragma once

#include <glib.h>

/* Formats of a table. FORMAT_HTML is the table for people as part of a page. */
typedef enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_HTML } Format;

/* Names of formats for users: NULL-terminated, in the order of Format, without HTML. Borrowed, static. */
extern const char *const table_format_names[];

typedef struct {
    const char *name;       /* name in JSON and CSV */
    const char *heading;    /* heading in the table for people; NULL: not shown there */
    gboolean text;          /* whether cells are quoted in JSON, and left-aligned in the table for people */
    gboolean optional;      /* whether the table for people leaves it out if it has only dashes */
} Column;

typedef struct Table Table;

/* Returns an empty table. `columns`[n_columns] must outlive it. Caller frees with table_free(). */
Table *table_new(const Column *columns, guint n_columns);
void table_free(Table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

/* Appends the next cell; rows are filled in order. NULL means "does not apply": null in JSON, nothing in CSV, a dash
 * for people. */
void table_add(Table *table, const char *cell);
/* Appends `cell`, or NULL as in table_add(). The table for people has `shown` instead, or `cell` if `shown` is NULL. */
void table_add_shown(Table *table, const char *cell, const char *shown);
/* Appends a cell printed by `format`; `format` NULL means "does not apply". */
void table_addf(Table *table, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Appends `n` cells that do not apply. */
void table_add_nothing(Table *table, guint n);

/* Appends a time of `ps` picoseconds: as table_time_shown() for people, as table_time() elsewhere. */
void table_add_time(Table *table, gint64 ps);

/* Appends a time of `ps` picoseconds as table_add_time(), or a cell that does not apply. */
void table_add_time_if(Table *table, gboolean applies, gint64 ps);
void table_add_count_if(Table *table, gboolean applies, gint64 count);
/* Appends a share, as 0.05: "5.0 %" for people, "0.050000" elsewhere; or a cell that does not apply. */
void table_add_share_if(Table *table, gboolean applies, double share);

/* Appends a share as percent, as 0.05: "5.0" for people, "5.000000" elsewhere; or a cell that does not apply. */
void table_add_percent_if(Table *table, gboolean applies, double share);

gboolean table_is_empty(const Table *table);

/* Returns the whole table as text; JSON is an array with one object per row. Caller frees. */
char *table_text(const Table *table, Format format);

/* Returns a time in µs with all six decimals: "1234.567890". Caller frees. */
char *table_time(gint64 ps);

/* Returns a time in µs without zeros at its end: "0.394". Caller frees. */
char *table_time_short(gint64 ps);

/* Returns a price of `fs` femtoseconds per byte in µs per byte: six decimals, or nine if it is no whole number of ps.
 * Caller frees. */
char *table_rate(gint64 fs);
/* Returns a price of `fs` femtoseconds per byte in µs per byte, without zeros at its end: "0.0000015". Caller frees. */
char *table_rate_short(gint64 fs);

/* Returns a time in µs for people: "1234.568", rounded to three decimals, halves away from zero. Zero is "0"; other
 * times that round to zero are "<0.001" or ">-0.001". Round a difference or a sum itself, not its terms. Caller
 * frees. */
char *table_time_shown(gint64 ps);
