/* The half of a pattern that people and models see; and listings: the times of its algorithms on one machine by
 * formulas, as rankings, maps and tables of papers. */
#pragma once

#include "key.h"
#include "sim/text/table.h"

typedef struct Listing Listing;

/* The best algorithm for each shape of the matrices. */
typedef struct {
    guint side, unit;               /* P, Q and R are 1 to `side` units of `unit` elements each; 0: there is no map */
    char *unit_name;                /* the unit behind P, Q and R: " N", " x 8"; "" for single elements */
    const char *const *names;       /* names of the algorithms */
    guint *best;                    /* [side][side][side]: by P, Q, R; an index into `names` */
} Map;

/* The contention-free time of a run, and how many start-ups, bytes and operations its longest chain has; of chains that
 * are equally long the most. */
typedef struct {
    gint64 ps, startups, bytes, operations;
} RunPrice;

/* Prices a run. FALSE if it cannot be run, or takes longer than the clock can count. */
typedef gboolean RunPricer(const Run *run, RunPrice *price);

/* The question to a listing, and its text and figure. */
typedef struct {
    Format format;
    gboolean counted;       /* TRUE: --model counted: formulas with right counts instead of the published ones */
    gboolean contention_free;       /* TRUE: --model contention-free: times of schedules without contention */
    RunPricer *price;       /* function with which the listing prices a run */
    GArray *priced;         /* Priced, one for each algorithm that applies; NULL: formulas give the times */
    gint64 up_to;           /* largest size in bytes to which the best algorithm stays best; 0: unknown */
    const char *then;       /* best algorithm of larger sizes; NULL: none was found */
    GString *text;          /* the listing as text */
    char *title;            /* title of the figure; NULL: no title */
    GArray *bars;           /* Bar, one for each candidate; the figure shows the first few */
    const char *bound_words;        /* words in the figure for Bar.bound_us: "no exchange takes less" */
    Map map;                /* the figure if map.side > 0; else the figure is the bars */
} Sheet;

typedef struct {
    char *name;
    double us;
    double bound_us;        /* lower bound on times of this kind; 0: unknown */
    const char *colour;     /* colour in the figure, "#0072B2", static; NULL: that of all bars but the first */
} Bar;

/* The time of an algorithm's run. */
typedef struct {
    const char *algorithm;  /* name, and its phases or accumulation steps if it has several runs. Interned */
    gint64 packet;          /* packet of the run in bytes; 0: unlimited */
    gint64 ps;              /* contention-free time in ps; -1: the run cannot be made, or loses data */
    gint64 published_ps;    /* published time in ps; -1: none */
    gboolean may_wait;      /* whether messages may wait for each other; `ps` does not include that */
} Priced;

/* Returns the index of the fastest run whose messages never wait, or -1. `priced` are Priced. */
int ranking_best(const GArray *priced);

/* Listing of LISTING_BEST for patterns whose algorithms are ranked by the times of their runs. */
extern const Listing ranking_of_runs;

struct Listing {
    const GOptionEntry *options;    /* options beside the command's own, each a text (char *); NULL: none */
    gboolean takes_keys;            /* TRUE: the keys of the pattern (PatternTheory.keys) are options, too */
    guint least_dimension;          /* smallest allowed dimension of the cube */
    const char *const *models;      /* values of --model, the first by default, NULL-terminated; NULL: none */
    gboolean prices;                /* TRUE: with --model contention-free the listing needs Sheet.priced, the times of
                                     * runs */
    gboolean best_packets;          /* TRUE: without the key packet each algorithm has its best packet, and the machine
                                     * must have costs */

    gboolean searches;              /* TRUE: the listing needs Sheet.up_to */

    /* Fills in the sheet. The request is of SCENARIO_FORMULA. */
    gboolean (*list)(const Request *request, Sheet *sheet, GError **error);
};

void sheet_init(Sheet *sheet, Format format);
void sheet_clear(Sheet *sheet);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sheet, sheet_clear)

void sheet_add_bar(Sheet *sheet, const char *name, double us, double bound_us);

/* Sorts the bars by time; equal bars keep their order. */
void sheet_sort_bars(Sheet *sheet);

/* Tables of a paper. Consecutive rows with the same number are a table. */
typedef struct {
    const Column *columns;
    guint n_columns, n_rows;
    guint (*number)(guint row);             /* the number of the row's table */
    const char *(*title)(guint number);
    void (*add)(Table *table, guint row, gpointer data);
    void (*add_others)(Table *table, gpointer data);    /* adds rows behind the others, for programs; NULL: none */
} PaperTables;

/* Appends the tables that are not empty, each below its title; for programs, all rows in one table. */
void sheet_put_tables(Sheet *sheet, const PaperTables *tables, gpointer data);

/* Adds the cell exact_ps / published_ps; an empty cell if published_ps is 0 or `applies` is FALSE. */
void listing_add_ratio(Table *table, gboolean applies, gint64 exact_ps, gint64 published_ps);

/* The kinds of listings of a pattern's algorithms. */
typedef enum { LISTING_NONE, LISTING_BEST, LISTING_TABLES, LISTING_REGIONS, N_LISTINGS } ListingKind;

/* A member left out (0, NULL) has a meaning, as in Pattern. */
typedef struct {
    const char *title;          /* name in headings */
    const char *summary;
    const char *mpi;            /* name of the MPI function for the pattern; NULL: MPI has none */

    /* --- data --- */
    const Key *keys;            /* keys of the pattern, also those that its folder shares, ended by a row without a
                                 * name; NULL: no keys */
    const char *size_key;       /* the key of `keys` that gives the amount of data; NULL: bytes does */
    const char *size_label;     /* label of an axis of `bytes`; NULL: "M (bytes)" */
    gint64 element;             /* bytes of an element by default; 0: 1 */
    gint64 element_max;         /* largest number of bytes of an element; 0: as many as the clock can count */
    gint64 bytes_shown;         /* value of `bytes` by default; 0: none, or as many as make some pieces */
    const char *unit;           /* unit of the result; NULL: blocks, or pieces of them */

    /* Checks whether a size is allowed; errors begin with the value's origin. NULL: multiples of the element are. */
    gboolean (*check_size)(const Value *value, const Request *request, gint64 bytes, GError **error);

    /* Fills in members of the problem that depend on its algorithm. NULL: there are none. */
    void (*complete)(const Request *request, Problem *problem);

    /* Returns the word of libecube's rules for a problem of a pattern with a hull, as "partition 3,3". NULL: rules
     * have no word for it, as for rounds of several messages. Caller frees. */
    char *(*rule)(const Problem *problem);

    /* Appends the words by which exports describe the problem, all but its source. NULL: nothing. */
    void (*put_problem)(const Problem *problem, GString *out);

    /* --- times --- */

    /* Returns the published time in ps, at least 0. Sets `*why`, static text, if there is none. NULL: the pattern
     * has no formulas, and its algorithms give the reasons. */
    gint64 (*published_ps)(const Run *run, const char **why);

    /* Returns B_opt: the packet with the least published time, in whole elements and no larger than the machine's.
     * The machine's packet is the fallback if there is none (0: unlimited). NULL: the machine's. */
    gint64 (*best_packet)(const Run *run);

    /* Checks that the run's time stays below INPUT_TIME_MAX_PS, which the clock can count. NULL: the bytes of all
     * processors are checked. */
    gboolean (*check_clock)(const Run *run, GError **error);

    /* Returns the least number of slots of all processors together that is known before the schedule is made, which
     * takes long if it has many. NULL: 0. */
    guint64 (*least_slots)(const Problem *problem);

    /* Returns the number of products of two elements, at most 10^12. NULL: none. */
    double (*products)(const Problem *problem);

    const Listing *listings[N_LISTINGS];    /* listings from formulas, of its algorithms; NULL: none */
} PatternTheory;

static inline const PatternTheory *pattern_theory(const Pattern *pattern)
{
    return pattern->theory;
}
