/* PatternTheory: the half of a pattern that is for users and formulas. Listing: text and figure with the times of a
 * pattern's algorithms on one machine, as rankings, maps and tables of papers. */
#pragma once

#include "key.h"
#include "sim/text/table.h"

typedef struct Listing Listing;

/* Map of the best algorithm of matrix multiplication for each shape of the matrices. */
typedef struct {
    guint side, unit;               /* side: largest P, Q and R, in units; unit: elements of a unit. side = 0: there
                                     * is no map */
    char *unit_name;                /* words for the unit, behind a number of units: " N", " x 8"; "" for a unit of
                                     * one element */
    const char *const *names;       /* names of the algorithms */
    guint *best;                    /* [side][side][side]: by P, Q, R; an index into `names` */
} Map;

/* Contention-free time of a run in ps, and the start-ups, bytes and operations that its longest chain of steps and
 * messages takes. If several chains are the longest, each number is the largest among these. */
typedef struct {
    gint64 ps, startups, bytes, operations;
} RunPrice;

/* Fills in the price of a run. FALSE if the run cannot be made, or takes longer than the clock can count. */
typedef gboolean RunPricer(const Run *run, RunPrice *price);

/* Sheet that a listing fills in: options of the request, and the text and figure that answer it. */
typedef struct {
    Format format;
    gboolean counted;       /* TRUE: --model counted: times by the right counts, not by the published formulas */
    gboolean contention_free;       /* TRUE: --model contention-free: times of schedules without contention */
    RunPricer *price;       /* function with which the listing prices a run */
    GArray *priced;         /* Priced, one for each run of an algorithm that applies; NULL: formulas give the times */
    gint64 up_to;           /* size in bytes up to which the algorithm that is best for the request is known to stay
                             * best; 0: unknown */
    const char *then;       /* algorithm that is best just above `up_to`; NULL: the search found no other */
    GString *text;          /* the listing as text */
    char *title;            /* title of the figure; NULL: no title */
    GArray *bars;           /* Bar, one for each candidate; the figure shows the first 40 */
    const char *bound_words;        /* words in the figure for Bar.bound_us: "no exchange takes less" */
    Map map;                /* the figure if map.side > 0; else the figure is the bars */
} Sheet;

typedef struct {
    char *name;
    double us;
    double bound_us;        /* lower bound on `us`, in µs; 0: unknown */
    const char *colour;     /* colour in the figure, "#0072B2", static; NULL: one colour for the first bar, another
                             * for all others */
} Bar;

/* The time of an algorithm's run. */
typedef struct {
    const char *algorithm;  /* name and parameters of the run: "multiphase 2,2", "hybrid 3", "sbt on one port".
                             * Interned */
    gint64 packet;          /* packet of the run in bytes; 0: unlimited */
    gint64 ps;              /* contention-free time in ps, or simulated time if messages may wait on a small cube; -1:
                             * the run cannot be made, or loses data */
    gint64 published_ps;    /* published time in ps; -1: none */
    gboolean may_wait;      /* whether messages may wait for each other, in which case the run may take longer than
                             * `ps` */
} Priced;

/* Returns the index of the fastest run among `priced` (Priced) whose messages never wait; -1: there is none. */
int ranking_best(const GArray *priced);

/* Listing of the kind LISTING_BEST that ranks a pattern's algorithms by the times of their runs. */
extern const Listing ranking_of_runs;

struct Listing {
    const GOptionEntry *options;    /* the listing's own options, all with texts (char *) as values; NULL: none */
    gboolean takes_keys;            /* TRUE: the keys of the pattern (PatternTheory.keys) are options, too */
    guint least_dimension;          /* smallest allowed dimension of the cube */
    const char *const *models;      /* values of --model, the first by default, NULL-terminated; NULL: none */
    gboolean prices;                /* TRUE: the listing needs Sheet.priced with --model contention-free */
    gboolean best_packets;          /* TRUE: the machine must have costs, and the default of the key packet is
                                     * "optimal" */

    gboolean searches;              /* TRUE: the listing needs Sheet.up_to */

    /* Fills in the sheet for a request of SCENARIO_FORMULA. FALSE with an error. */
    gboolean (*list)(const Request *request, Sheet *sheet, GError **error);
};

void sheet_init(Sheet *sheet, Format format);
void sheet_clear(Sheet *sheet);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sheet, sheet_clear)

void sheet_add_bar(Sheet *sheet, const char *name, double us, double bound_us);

/* Sorts the bars by time; equal bars keep their order. */
void sheet_sort_bars(Sheet *sheet);

/* Tables of a paper. Consecutive rows for which `number` returns the same are one table. */
typedef struct {
    const Column *columns;
    guint n_columns, n_rows;
    guint (*number)(guint row);             /* returns the number of the row's table */
    const char *(*title)(guint number);
    void (*add)(Table *table, guint row, gpointer data);
    void (*add_others)(Table *table, gpointer data);    /* adds rows at the end, in formats for programs only; NULL:
                                                         * there are none to add */
} PaperTables;

/* Appends the non-empty tables, each below its title. In formats for programs it appends one table of all rows. */
void sheet_put_tables(Sheet *sheet, const PaperTables *tables, gpointer data);

/* Adds a cell with the ratio exact_ps / published_ps; it is 1 if both are 0. The cell is empty if `applies` is FALSE or
 * only published_ps is 0. */
void listing_add_ratio(Table *table, gboolean applies, gint64 exact_ps, gint64 published_ps);

/* The kinds of listings of a pattern's algorithms. */
typedef enum { LISTING_NONE, LISTING_BEST, LISTING_TABLES, LISTING_REGIONS, N_LISTINGS } ListingKind;

/* The half of a pattern with texts, keys and formulas. Each member's comment has the meaning of 0 or NULL, if a pattern
 * may leave it out. */
typedef struct {
    const char *title;          /* name in headings */
    const char *summary;
    const char *mpi;            /* name of the MPI function for the pattern; NULL: MPI has none */

    /* --- data --- */
    const Key *keys;            /* keys of the pattern, with those that it shares in its folder; a row without a name
                                 * ends them. NULL: no keys */
    const char *size_key;       /* name of the pattern's key that gives the amount of data; NULL: the key bytes
                                 * does */
    const char *size_label;     /* label of a plot's axis that shows sizes in bytes; NULL: "M (bytes)" */
    gint64 element;             /* bytes of an element by default; 0: 1 */
    gint64 element_max;         /* largest number of bytes of an element; 0: 2^53 (INPUT_TIME_MAX_PS) */
    gint64 bytes_shown;         /* bytes of data if the user gives no size (SCENARIO_DATA) and the algorithm makes
                                 * neither parts nor packets; 0: no bytes */
    const char *unit;           /* words for a unit of the result: "element of A"; NULL: it is a block, or a piece of
                                 * one */

    /* Checks whether a size in bytes is allowed; if not, sets an error that begins with the value's origin. NULL: every
     * multiple of the element is allowed, as callers check that themselves. */
    gboolean (*check_size)(const Value *value, const Request *request, gint64 bytes, GError **error);

    /* Fills in members of the problem that depend on its algorithm. NULL: there are none. */
    void (*complete)(const Request *request, Problem *problem);

    /* Returns the problem's algorithm in the words of libecube's rules, as "partition 3,3". Returns NULL if rules
     * have no words for it, as for rounds of several messages. Only patterns with a hull need this. Caller frees. */
    char *(*rule)(const Problem *problem);

    /* Appends what exports add to the problem's pattern, algorithm, keys and source, as ", cycles 0,1". NULL: they add
     * nothing. */
    void (*put_problem)(const Problem *problem, GString *out);

    /* --- times --- */

    /* Returns the published time in ps, at least 0. Sets `*why`, static text, if there is none. NULL: the pattern
     * has no formulas, and its algorithms give the reasons. */
    gint64 (*published_ps)(const Run *run, const char **why);

    /* Returns B_opt in bytes: the packet with the least published time, no larger than the machine's, in whole elements
     * if one fits. If there is none, returns the machine's packet (0: unlimited). NULL: always the machine's. */
    gint64 (*best_packet)(const Run *run);

    /* Refuses a run whose time may reach INPUT_TIME_MAX_PS, which the clock cannot count. NULL: the bytes of all
     * processors together and the start-ups of packets are checked instead. */
    gboolean (*check_clock)(const Run *run, GError **error);

    /* Returns a lower bound on the slots of all processors together. It is found without the schedule, because one
     * with many slots takes long to make. NULL: 0. */
    guint64 (*least_slots)(const Problem *problem);

    /* Returns the number of products of two elements that the run forms. NULL: it forms none. */
    double (*products)(const Problem *problem);

    const Listing *listings[N_LISTINGS];    /* [ListingKind]: listings of the pattern's algorithms; NULL: none of this
                                             * kind */
} PatternTheory;

static inline const PatternTheory *pattern_theory(const Pattern *pattern)
{
    return pattern->theory;
}
