/* Rows of named columns, as a table for people, CSV, JSON or HTML. */
#pragma once

#include <glib.h>

/* FORMAT_HTML is the table for people as a part of a page. */
typedef enum { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMAT_HTML } Format;

/* What people can ask for: NULL-terminated, in the order of Format, without HTML. Borrowed, static. */
extern const char *const table_format_names[];

typedef struct {
    const char *name;       /* in JSON and CSV */
    const char *heading;    /* in the table; NULL: not shown there */
    gboolean text;          /* quoted in JSON, to the left in the table */
    gboolean optional;      /* left out of the table where it has nothing but dashes */
} Column;

typedef struct Table Table;

/* An empty table. `columns`[n_columns] must outlive it. */
Table *table_new(const Column *columns, guint n_columns);
void table_free(Table *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Table, table_free)

/* Adds the next cell, row by row. NULL stands for what does not apply: null in JSON, nothing in CSV, a dash for people.
 * `shown` is what the table for people has instead, or NULL for the same. A format may be NULL as well. */
void table_add(Table *table, const char *cell);
void table_add_shown(Table *table, const char *cell, const char *shown);
void table_addf(Table *table, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Adds `n` cells of what does not apply. */
void table_add_nothing(Table *table, guint n);

/* Adds a time of `ps` picoseconds: table_time(), and table_time_shown() for people. */
void table_add_time(Table *table, gint64 ps);

/* Adds a time, a count, or a share (0.05: "5.0 %" for people), or nothing if it does not apply. */
void table_add_time_if(Table *table, gboolean applies, gint64 ps);
void table_add_count_if(Table *table, gboolean applies, gint64 count);
void table_add_share_if(Table *table, gboolean applies, double share);

/* Adds a share as percent, for columns named so (0.05: "5.000000", "5.0" for people). */
void table_add_percent_if(Table *table, gboolean applies, double share);

/* Whether it has no rows. */
gboolean table_is_empty(const Table *table);

/* The whole text; JSON is an array with one object per row. Caller frees. */
char *table_text(const Table *table, Format format);

/* "1234.567890": a time in µs with all six decimals. Caller frees. */
char *table_time(gint64 ps);

/* "0.394": the same without zeros at its end. Caller frees. */
char *table_time_short(gint64 ps);

/* "1234.568": a time in µs for people, with three decimals, rounded to the nearest, halves away from zero. Zero is "0".
 * What would look like zero but is none is "<0.001" (below zero: ">-0.001"). A difference or a sum is rounded itself,
 * not its terms. Caller frees. */
char *table_time_shown(gint64 ps);
