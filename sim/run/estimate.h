/* How much memory a run will need, told before it runs, from what the schedule says of a sample of its steps.
 *
 * What is estimated is the memory resident in the process of the run at its peak, libraries included. It is the sum of
 *   - the program with its libraries, which a run of nothing has as well;
 *   - SimGrid's hosts, links and actors, for each processor;
 *   - the memories, 8 bytes a slot, and each processor's present step;
 *   - what is under way: the messages of the largest step of everybody and half as many that are ahead, each with room
 *     for the largest, since places are used again: its blocks, and where they land;
 *   - what piles up, where messages are not awaited step by step: parcels at their receivers, and with
 *     store-and-forward packets in front of busy ports.
 * With a trace, that comes twice: in the process and on its way to the one that started it. There it comes once, with
 * the text made of it.
 * Meant to be at least what is needed, and at most twice that and 30 MB more; scripts/estimates.sh measures it. Never
 * more than ESTIMATE_MAX, so that some can be added up. */
#pragma once

#include "sim/patterns/run.h"

#define ESTIMATE_MAX ((gsize)1 << 60)

/* Bytes of the process of a run; with a machine of NULL, of one that looks at the data alone. */
gsize estimate_run(const Run *run);

/* The same where the steps are only looked at. */
gsize estimate_schedule(const Run *run);

/* The same of a run with a trace, and of the process that gets it and makes a text `text` times as large of it. */
gsize estimate_traced(const Run *run, double text);
