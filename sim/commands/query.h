/* Predictions by the hull of optimality: for `ecube hull`, and for `ecube best` of patterns with a hull. */
#pragma once

#include "command.h"
#include "models/hull.h"
#include "sim/patterns/theory.h"

extern struct QueryOptions {
    char *model, *direct_shuffle, *family;
} query_options;

#define QUERY_MODELS "contention-free|published|congested"
#define QUERY_MODEL(more, models) \
    {"model", 0, 0, G_OPTION_ARG_STRING, &query_options.model, \
     "contention-free (the default): what `ecube run` executes, every message over its own distance; " \
     "published: the formula as printed, every message over d/2 channels; congested (on meshes always): a step of " \
     "all processors takes as long as its busiest channel" more, \
     models}, \
    {"direct-shuffle", 0, 0, G_OPTION_ARG_STRING, &query_options.direct_shuffle, \
     "Whether {d} pays for its redundant shuffle; default: yes for published, no for contention-free", "yes|no"}

#define QUERY_FAMILY \
    {"family", 0, 0, G_OPTION_ARG_STRING, &query_options.family, \
     "What there is to choose from: partitions (the default), all lists of offsets known (`ecube offsets`; the " \
     "default where circuits are kept), or rings", "partitions|offsets|rings"}

/* Parses --family: HULL_MIXED, HULL_OFFSETS or HULL_RINGS. */
gboolean query_family(HullChoice *choice, GError **error);

/* Returns `choice` if --family is given, if the machine keeps no circuits, or for a cube. Otherwise returns
 * HULL_OFFSETS if lists that repeat offsets are known for `group`, else HULL_RINGS. */
HullChoice query_default_choice(const Machine *machine, const Group *group, HullChoice choice);

/* Refuses phase_barrier = exchange where `group` is no cube. Where messages share channels, also refuses more than
 * CONGESTED_MAX processors, a gap, and any --family but partitions or --model but congested. */
gboolean query_check_times(const Machine *machine, const Group *group, GError **error);

/* Refuses a network with shared channels, unless it is a cube of n_nodes processors (0: of as many as machine->sides
 * have). `what` names, for the message, the model that does not cover the network. */
gboolean query_check_network(const Machine *machine, guint n_nodes, const char *what, GError **error);

/* Refuses a machine without a constant above 0: all its times are 0. */
gboolean query_check_costs(const Machine *machine, GError **error);

/* Subject of a query: the machine, the processors, the model of times, and the partitions or lists to choose from. */
typedef struct {
    const Machine *machine;         /* owned by the resolver */
    guint dimension;
    const Group *group;             /* NULL: a cube of a dimension above GROUP_FACTORS_MAX */
    ExchangeDistance distance;      /* distance that messages pay for: average with --model published, else true */
    gboolean direct_shuffle;        /* whether Direct, {d}, pays for its shuffle, which it does not need */
    HullChoice choice;              /* kind of partitions or lists that the hull chooses from */
    gboolean congested;             /* whether any Query of query_places() has a network with shared channels. Then the
                                     * model is `congested`, and tables have a lower bound */
    gboolean by_processors;         /* whether tables have a column `processors`: if any Query of query_places() is no
                                     * cube */
} Query;

/* Fills in `p` by the options and the scenario's machine. The processors are not set yet: `p` has a cube of dimension
 * 0, until query_places() sets them. */
gboolean query_resolve(const CommandLine *line, Resolver *resolver, Query *p, GError **error);

/* Returns a copy of `p` for each value of --dimension or --processors (GArray of Query). Dimensions must be from `min`
 * to `max`. Refuses groups that the model or `choice` does not cover. NULL with an error. Caller unrefs. */
GArray *query_places(const CommandLine *line, const Query *p, HullChoice choice, guint min, guint max,
                     GError **error);
guint query_dimension_max(const Query *p);

/* Whether the hull chooses from lists of offsets, not from partitions. */
static inline gboolean query_by_offsets(const Query *p)
{
    return p->choice >= HULL_OFFSETS;
}

gboolean query_is_cube(const Query *p);
guint query_n_processes(const Query *p);      /* number of processors, 1 to 2^31 */

Hull *query_hull(const Query *p, HullChoice choice);
/* Returns the costs of exchanges of about `bytes` bytes on a cube, by the model that is asked for. */
HullCosts query_costs(const Query *p, double bytes);

/* Warns on stderr if p->dimension, or a size from from_bytes to to_bytes, lies outside the times that the machine is
 * fitted to. */
void query_warn_beyond(const Query *p, double from_bytes, double to_bytes);

/* Warns on stderr if the machine's verdict is that its constants may not be used. */
void query_warn_doubt(const Machine *machine);

/* --- in words; the caller frees --- */

/* Returns what a hull chooses from: "partitions", "radices" or "lists of offsets". Static. */
const char *query_family_words(gboolean by_offsets, const Group *group);

/* Returns the number of processors in words: "d = 6", "12 processors". */
char *query_words(const Query *p);

/* Returns the model in words: "published model, {6} paying for its shuffle". Adds that messages are issued at once, if
 * start-ups overlap, and that times ignore half duplex. */
char *query_model(const Query *p);

/* Returns "3,3", or a partition too long for a table as runs of equal parts (partition_format_runs()). */
char *query_partition_shown(const Phases *partition);

/* Returns a time in µs for people, as table_time_shown(); from 10^18 ps on, its first 15 digits. */
char *query_time_shown(double ps);

/* Returns the note below a table of lists of offsets. Static. */
const char *query_list_note(const Machine *machine);

/* --- cells --- */

/* Returns the number of columns of a table: n, or n - 1 without the last one, `processors`. */
guint query_n_columns(const Query *p, gsize n);

void query_add_processors(Table *table, const Query *p);
void query_add_dimension(Table *table, const Query *p);

void query_add_ps(Table *table, double ps);

/* Adds the length of the list of a face, and the list. */
void query_add_list(Table *table, const HullFace *face, const Group *group);

/* Finds the block size, from 1 byte on, at which the face exceeds the lower bound by the most percent. Adds the bound
 * there, this percentage, and the size; adds empty cells if `bound` is NULL or there is no such size. */
void query_add_largest_gap(Table *table, const HullFace *face, const Hull *bound);

/* Fills in the sheet with the best partition, or list of offsets, for one size. */
gboolean query_list(const CommandLine *line, Resolver *resolver, const Pattern *pattern, Sheet *sheet, GError **error);
