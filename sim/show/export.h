/* Schedules as text for people, from which a program can replay them as well.
 *
 * First lines: the pattern, the algorithm and what else was asked for; the data and how it is divided; which slot holds
 * what at the beginning and at the end. Then the steps of every strand, in each of them the processors:
 *
 *     step 2 of strand 1, together with strands 0, 2, begins a phase, pairwise exchange
 *       5 sends slots 0-1, 4 to 7, into slots 2-3, 0; awaits 4, 7; renumbers slots 0 as 1, 1 as 0
 *
 * What is said behind the step's number is so for all of its processors (of a pairwise exchange, for those that have
 * messages); what is said in brackets behind a processor's number, for that one. Words and order are those of step.h:
 * "together with strands 0, 2" is the join of strands 0, 1 and 2, "sends" moves blocks, "copies" leaves them where they
 * are as well, "sends ... added to" adds them up. Slots that leave and slots where they land stand in the same order.
 * Pieces are numbered through, part by part; parts without bytes have none.
 *
 * Pieces of matrices have sizes of their own: those that processors have at first are listed, and what is made says how
 * large it is. So the size of every message can be told from the text:
 *
 *     5 cuts slot 1, into slots 3-4 of 8, 5 of 4 elements; multiplies slots 6-7 by slot 0, into slot 9 of 16 elements;
 *       takes 240 operations
 *
 * "multiplies ..., added to" adds to sums that are there, and begins them where there are none; "adds slots 4-5 to slot
 * 2" and "empties slot 4" are what they say. Operations of arithmetic are those of local work. Messages that are "added
 * to" a slot take one more for each element, unless the slot is empty. */
#pragma once

#include "sim/schedule/algorithm.h"
#include "sim/text/file.h"

/* Writes the text of a problem's schedule. `element` in bytes: what the data is divided between. */
void export_text(Output *out, const Problem *problem, gint64 element);

/* The first two lines, each behind `margin`, for what else shows a schedule of the problem. */
void export_put_title(GString *out, const char *margin, const Problem *problem, gint64 element,
                      const Schedule *schedule);
