/* Published times of runs, as their patterns have them; and the formulas that several patterns have in common. */
#pragma once

#include "models/hull.h"
#include "run.h"

/* The published time of the run, rounded to the picosecond. FALSE if no published model applies; `*reason`, if not
 * NULL, then says why (static text). */
gboolean published_time(const Run *run, gint64 *time_ps, const char **reason);

/* B_opt: Pattern.best_packet. The run's data need not have been divided yet. */
gint64 published_packet(const Run *run);

/* Exchanges in phases (Bokhari 1993), alone or in a program (NULL: alone): Pattern.published_ps. */
gint64 published_in_phases(const Run *run, const ExchangeUse *use, const char **why);

/* Tables 1 to 4 of Johnsson & Ho 1987: whether they have the run's algorithm; Pattern.published_ps, which needs that;
 * and Pattern.best_packet. */
gboolean published_is_on_graph(const Run *run);
gint64 published_on_graph(const Run *run, const char **why);
gint64 published_graph_packet(const Run *run);
