/* Schedules as text for people, from which a program can replay them as well.
 *
 * The first lines are the pattern, the algorithm and its parameters; the data and its division; the contents of the
 * slots at the beginning and at the end. Then come the steps of every strand, and in each step the processors:
 *
 *     step 2 of strand 1, together with strands 0, 2, begins a phase, pairwise exchange
 *       5 sends slots 0-1, 4 to 7, into slots 2-3, 0; awaits 4, 7; renumbers slots 0 as 1, 1 as 0
 *
 * Words behind the step's number hold for all of its processors (of a pairwise exchange, for those that have messages).
 * Words in brackets behind a processor's number hold for that processor. Words and order are those of step.h: "together
 * with strands 0, 2" is the join of strands 0, 1 and 2, "sends" moves blocks, "copies" also leaves them where they are,
 * "sends ... added to" adds them up. Slots that leave and slots where they land stand in the same order. Pieces are
 * numbered through, part by part; parts without bytes have none.
 *
 * Pieces of matrices have sizes of their own. The text lists the pieces that processors have at first, and gives the
 * size of every piece that is made. So the size of every message follows from the text:
 *
 *     5 cuts slot 1, into slots 3-4 of 8, 5 of 4 elements; multiplies slots 6-7 by slot 0, into slot 9 of 16 elements;
 *       takes 240 operations
 *
 * "multiplies ..., added to" adds to existing sums, and begins them where there are none; "adds slots 4-5 to slot 2"
 * and "empties slot 4" are meant literally. "takes" counts the arithmetic of local work. A message that is "added to" a
 * slot takes one more operation for each element, unless the slot is empty. */
#pragma once

#include "sim/schedule/algorithm.h"
#include "sim/text/file.h"

/* Writes the text of a problem's schedule. Parts of its data consist of whole elements of `element` bytes. */
void export_text(Output *out, const Problem *problem, gint64 element);

/* Appends the first two lines of export_text(), each behind `margin`. Texts of the schedule in other formats begin with
 * them, too. */
void export_put_title(GString *out, const char *margin, const Problem *problem, gint64 element,
                      const Schedule *schedule);
