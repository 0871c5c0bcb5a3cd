/* Published times of runs, and the formulas that several patterns share. */
#pragma once

#include "models/hull.h"
#include "run.h"

/* Sets `*time_ps` to the published time of the run, rounded to the picosecond. FALSE if no published model applies.
 * `*reason` then says why, and is NULL otherwise (static text; `reason` may be NULL). */
gboolean published_time(const Run *run, gint64 *time_ps, const char **reason);

/* Returns the packet in bytes with the least published time (PatternTheory.best_packet). The run's data need not have
 * been divided yet. */
gint64 published_packet(const Run *run);

/* Returns the published time in ps of the program `use`, whose complete exchanges go in phases (Bokhari 1993). `use`
 * NULL: the time of one such exchange. Sets `*why` as PatternTheory.published_ps does. */
gint64 published_in_phases(const Run *run, const ExchangeUse *use, const char **why);

/* Whether Johnsson & Ho 1987 have the run's algorithm: in Tables 1 to 4, or in sec. 5.1 (hybrid). */
gboolean published_is_on_graph(const Run *run);

/* Returns the run's published time in ps by Johnsson & Ho 1987, Tables 1 to 4 and sec. 5.1. Requires
 * published_is_on_graph(). Sets `*why` as PatternTheory.published_ps does. */
gint64 published_on_graph(const Run *run, const char **why);

/* Returns the packet in bytes with the least time by Tables 1 to 4, or the machine's if they give none. */
gint64 published_graph_packet(const Run *run);
