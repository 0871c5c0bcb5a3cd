/* A sweep: all runs of a scenario in which any key may have several values, several at a time.
 *
 * The points of a sweep are numbered from 0, in the order of the scenarios and, within each, of its runs
 * (resolve.h): the order of the keys (keys.h). Everything a sweep writes comes in this order, whenever and wherever the
 * points were run. A point takes a dozen bytes: its run is made when it is to be run. */
#pragma once

#include "journal.h"
#include "scenario.h"

#include <glib.h>

/* The scenarios of a sweep: every key may have a list of values (key_separators()), those that are numbers also ranges
 * (range.h). In each scenario every key has one value, except those that take lists in every command, which are gone
 * through within it. The keys vary in the order of keys.h, those of the machine after the machine itself. The scenarios
 * are counted and numbered, not kept: scenario number i is made of the base when it is asked for. */
typedef struct Axes Axes;

/* Reads the lists of `scenario`, which is copied. Errors, ECUBE_ERROR_INPUT: a bad list; more scenarios than
 * SCENARIO_RUNS_MAX. Caller frees. */
Axes *axes_new(const Scenario *scenario, GError **error);
void axes_free(Axes *axes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Axes, axes_free)

guint axes_count(const Axes *axes);

/* Scenario number i. Borrowed, until the next one is asked for. */
const Scenario *axes_scenario(Axes *axes, guint i);

typedef struct Sweep Sweep;

/* Expands and judges `scenario`. `platforms` is the folder of machine files. Error: ECUBE_ERROR_INPUT. */
Sweep *sweep_new(const Scenario *scenario, const char *platforms, GError **error);
void sweep_free(Sweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Sweep, sweep_free)

guint sweep_n_points(const Sweep *sweep);

/* The run of a point, and what it overrides of its machine (scenario_overrides()). They are made when they are asked
 * for. Borrowed, until another point is asked for. */
const Run *sweep_run(Sweep *sweep, guint point);
const char *sweep_overrides(Sweep *sweep, guint point);

/* The paths of the machine files it has read. Caller frees the array. */
GPtrArray *sweep_machine_files(const Sweep *sweep);

/* A hash of all points with all constants of their machines: equal for sweeps that give equal results. Borrowed. */
const char *sweep_fingerprint(const Sweep *sweep);

/* About how long each point takes (estimate_effort()), [sweep_n_points()]; at least 1. Borrowed. */
const guint64 *sweep_efforts(const Sweep *sweep);

/* The numbers 0 ... n - 1, the heaviest first, of equals the lowest. Caller frees. */
guint *sweep_order(const guint64 *weights, guint n);

/* The heap, 0 ... n_heaps - 1, of each of the n things: in sweep_order(), each goes to the heap that is lightest so
 * far, of equals the first (Graham 1969, LPT). The sum of the weights must fit. No heap weighs more than the mean and
 * the heaviest thing that is not alone in a heap. n_heaps > 0. Caller frees. */
guint *sweep_deal(const guint64 *weights, guint n, guint n_heaps);

typedef struct {
    guint n_points;         /* of the shard */
    guint n_before;         /* of which were in the journal */
    guint n_over;           /* of which are over, those included */
    guint n_failed;
    guint64 effort, effort_before, effort_over;     /* of the same points */
    double elapsed_s;
} SweepProgress;

typedef struct {
    guint jobs;             /* runs at one time, at least 1 */
    const GArray *points;   /* of the shard, shard_points() */
    void (*progress)(const SweepProgress *progress);    /* called several times a second and at the end, or NULL */
} SweepPlan;

/* Runs every point of the plan that has no row yet in entries[sweep_n_points()], each in a process of its own, those
 * that take longest first, and notes in `journal` whatever finishes; may be NULL. Memory is promised to the points that
 * run, so that they fit side by side. A point that crashes, or is refused for memory or clock, has failed, and the
 * others go on. Errors: the journal cannot be written, or ECUBE_ERROR_SYSTEM if the system refuses what every point
 * needs; then all processes are gone. */
gboolean sweep_execute(Sweep *sweep, const SweepPlan *plan, Journal *journal, JournalEntry *entries, GError **error);
