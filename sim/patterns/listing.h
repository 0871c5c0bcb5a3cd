/* What formulas say of a pattern's algorithms on one machine: which are the fastest, and the tables of papers. */
#pragma once

#include "key.h"
#include "sim/text/table.h"

/* Which algorithm is best, over the shapes of matrices. */
typedef struct {
    guint side, unit;               /* three sides, P, Q and R, are 1 to `side` units of so many elements; 0: no map */
    char *unit_name;                /* " N", or "" */
    const char *const *names;       /* of the algorithms */
    guint *best;                    /* [side][side][side]: by P, Q, R; a number in `names` */
} Map;

/* The contention-free time of a run, and how many start-ups, bytes and operations its longest chain has; of chains that
 * are equally long the most. */
typedef struct {
    gint64 ps, startups, bytes, operations;
} RunPrice;

/* Prices a run. FALSE if it cannot be run, or takes longer than the clock can count. */
typedef gboolean RunPricer(const Run *run, RunPrice *price);

/* What a listing is asked, and what is printed and drawn of it. */
typedef struct {
    Format format;
    gboolean counted;       /* times are from the right counts, not as published */
    gboolean contention_free;       /* times are from `price` */
    RunPricer *price;
    GArray *priced;         /* Priced: of all algorithms that apply; NULL: the formulas are asked */
    GString *text;
    char *title;            /* of the figure, or NULL */
    GArray *bars;           /* Bar: the times of candidates; in a figure the first ones */
    const char *bound_words;        /* in the figure, of the bars' bounds: "no exchange takes less" */
    Map map;                /* or the figure is this */
} Sheet;

typedef struct {
    char *name;
    double us;
    double bound_us;        /* what no time of its kind falls short of, or 0 */
} Bar;

/* What an algorithm takes when it is run. */
typedef struct {
    const char *algorithm;
    gint64 packet;          /* that it uses; 0: unlimited */
    gint64 ps;              /* -1: it cannot be run, or loses data */
    gboolean may_wait;      /* the time is without waiting, and messages may wait */
} Priced;

struct Listing {
    const GOptionEntry *options;    /* beside the command's own, texts (char *); NULL: none */
    gboolean takes_keys;            /* the pattern's own keys are options as well */
    guint least_dimension;
    const char *const *models;      /* of --model, the first by default, NULL-terminated; NULL: the command has none */
    gboolean prices;                /* its model contention-free is what runs take: Sheet.priced */
    gboolean best_packets;          /* each algorithm has its best one where none is asked for: a machine without costs
                                     * has none */

    /* Fills the sheet. The wish is of SCENARIO_FORMULA. */
    gboolean (*list)(const Wish *wish, Sheet *sheet, GError **error);
};

void sheet_init(Sheet *sheet, Format format);
void sheet_clear(Sheet *sheet);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sheet, sheet_clear)

void sheet_add_bar(Sheet *sheet, const char *name, double us, double bound_us);

/* Puts the shortest first, and of equal ones those that were added first. */
void sheet_sort_bars(Sheet *sheet);

/* Tables of a paper: rows that follow each other are of one table if they have one number. */
typedef struct {
    const Column *columns;
    guint n_columns, n_rows;
    guint (*number)(guint row);
    const char *(*title)(guint number);
    void (*add)(Table *table, guint row, gpointer data);
    void (*add_others)(Table *table, gpointer data);    /* behind the rows, for programs alone; or NULL */
} PaperTables;

/* Prints those that are not empty, each below its title; for programs, all in one. */
void sheet_put_tables(Sheet *sheet, const PaperTables *tables, gpointer data);

/* Adds what the exact time is of the published one; nothing where that is 0 or they do not apply. */
void listing_add_ratio(Table *table, gboolean applies, gint64 exact_ps, gint64 published_ps);
