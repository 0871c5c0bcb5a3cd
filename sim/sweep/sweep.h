/* A sweep: all runs of a scenario in which any key may have several values, several runs at a time.
 *
 * The points of a sweep are numbered from 0, in the order of the scenarios and, within each, of its runs (resolve.h):
 * the order of the keys (keys.h). Everything a sweep writes comes in this order, whenever and wherever the points were
 * run. A point takes 16 bytes here, since its run is made when it is due; rows of finished points stay in the caller's
 * entries. */
#pragma once

#include "journal.h"
#include "sim/run/scenario.h"

#include <glib.h>

/* The scenarios of a sweep. Every key may have a list of values (key_separators()), numbers also ranges (range.h). A
 * key is an axis unless KeyOption.is_list is set, and each scenario has one value of each axis. The keys with is_list
 * (bytes, algorithm, partition and so on) keep their lists, of which the resolver makes the runs of a scenario. The
 * axes vary in the order of keys.h, keys of the machine after the machine itself. Scenarios are counted, not kept:
 * scenario number i is made anew at each request. */
typedef struct Axes Axes;

/* Reads the lists of `scenario`, which is copied. Errors, ECUBE_ERROR_INPUT: a bad list; more scenarios than
 * SCENARIO_RUNS_MAX. Caller frees. */
Axes *axes_new(const Scenario *scenario, GError **error);
void axes_free(Axes *axes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Axes, axes_free)

guint axes_count(const Axes *axes);

/* Returns scenario number i. Borrowed, valid until the next call. */
const Scenario *axes_scenario(Axes *axes, guint i);

typedef struct Sweep Sweep;

/* Expands `scenario` and makes each of its runs once, to check it. `platforms` is the folder of machine files. Errors,
 * ECUBE_ERROR_INPUT: bad input, too many points, or every run is refused. */
Sweep *sweep_new(const Scenario *scenario, const char *platforms, GError **error);
void sweep_free(Sweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sweep, sweep_free)

guint sweep_n_points(const Sweep *sweep);

/* Return the run of a point, and the run's overrides of the machine (scenario_overrides()). They are made at each
 * request. Borrowed, valid until a request for another point. */
const Run *sweep_run(Sweep *sweep, guint point);
const char *sweep_overrides(Sweep *sweep, guint point);

/* Returns the paths of the machine files that the sweep has read. Caller frees the array. */
GPtrArray *sweep_machine_files(const Sweep *sweep);

/* Returns a hash of all points with all constants of their machines: sweeps with equal hashes have equal results.
 * Borrowed. */
const char *sweep_fingerprint(const Sweep *sweep);

/* Returns the effort of each point (estimate_effort()), [sweep_n_points()]; at least 1. Borrowed. */
const guint64 *sweep_efforts(const Sweep *sweep);

/* Returns the numbers 0 ... n - 1, the heaviest first; among equal weights the lowest first. Caller frees. */
guint *sweep_order(const guint64 *weights, guint n);

/* Deals n things to n_heaps > 0 heaps. Returns the heap of each thing ([n], 0 ... n_heaps - 1). In the order of
 * sweep_order() each thing goes to the heap that is lightest so far, the first among equals (Graham 1969, LPT). The
 * sum of the weights must fit into 64 bits. A heap of several things weighs at most the mean of all heaps plus the
 * heaviest thing that is not alone in its heap. Caller frees. */
guint *sweep_deal(const guint64 *weights, guint n, guint n_heaps);

typedef struct {
    guint n_points;         /* number of points of the shard */
    guint n_before;         /* number of points that the journal had at the beginning */
    guint n_over;           /* number of points that have finished or failed, n_before included */
    guint n_failed;
    guint64 effort, effort_before, effort_over;     /* efforts of n_points, n_before and n_over points */
    double elapsed_s;
} SweepProgress;

typedef struct {
    guint jobs;             /* runs at a time, at least 1 */
    const GArray *points;   /* points of the shard, shard_points() */
    void (*progress)(const SweepProgress *progress);    /* called several times a second and after the last run; NULL:
                                                         * no progress */
} SweepPlan;

/* Runs the plan's points that have no row in entries[sweep_n_points()], each in a process of its own, the longest
 * first. Notes finished points in `journal`, which may be NULL. Promises memory to running points, so that they fit
 * side by side. A point fails if it crashes or is refused for memory or clock; the others go on. Errors: the journal
 * cannot be written; ECUBE_ERROR_SYSTEM: the system refuses a resource that every point needs. After an error no
 * process runs. */
gboolean sweep_execute(Sweep *sweep, const SweepPlan *plan, Journal *journal, JournalEntry *entries, GError **error);
