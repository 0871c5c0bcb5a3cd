/* Published times of runs, and the formulas that several patterns share. */
#pragma once

#include "models/hull.h"
#include "run.h"

/* Sets `*time_ps` to the published time of the run, rounded to the picosecond. FALSE if no published model applies.
 * Sets `*reason`, if `reason` is not NULL, to the reason for that, or to NULL (static text). */
gboolean published_time(const Run *run, gint64 *time_ps, const char **reason);

/* Returns B_opt in bytes: PatternTheory.best_packet. The run's data need not have been divided yet. */
gint64 published_packet(const Run *run);

/* Returns PatternTheory.published_ps of exchanges in phases (Bokhari 1993), alone (`use` is NULL) or in a program. */
gint64 published_in_phases(const Run *run, const ExchangeUse *use, const char **why);

/* Whether Tables 1 to 4 of Johnsson & Ho 1987 have the run's algorithm. */
gboolean published_is_on_graph(const Run *run);

/* Returns the time by these tables, which must have the run's algorithm: PatternTheory.published_ps. */
gint64 published_on_graph(const Run *run, const char **why);

/* Returns the packet that is best by these tables: PatternTheory.best_packet. */
gint64 published_graph_packet(const Run *run);
