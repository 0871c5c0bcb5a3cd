/* Small schedules written down message by message, whose slots hold numbers: what combinators are tried on. */
#pragma once

#include "tests.h"

typedef struct {
    guint strand, k, source, destination;   /* two of one number: the end of a list */
    guint slot, count, landing;
    Transfer transfer;
} Message;

typedef struct {
    guint dimension, n_slots;
    guint n_steps[SCHEDULE_STRANDS_MAX];    /* of each strand; 0 ends them */
    const Message *messages;
    gboolean joins;         /* all strands wait for each other before step 1 */
    gboolean renumbers;     /* after each step the slots are numbered from the end */
} Script;

/* Without content. `script` must stay. Every strand begins with a phase. Freed by schedule_free(). */
Schedule *scripted_new(const Script *script);

/* The local work that numbers know: the first two of three slots into the third, an addition for each element; and as
 * many operations as are counted, of which nothing comes. */
enum { WORK_SUM = 1, WORK_NOTHING };

/* Gives the schedule numbers of so many bytes each as its content: what the slots of `node` hold at first and at last,
 * or BLOCK_NONE. */
typedef Block NumberAt(guint node, guint slot);
void numbers_hold(Schedule *schedule, gint64 bytes, NumberAt *first, NumberAt *last);

/* Of so many bytes each are the numbers' elements: without this they have none, and to add them is no arithmetic. */
void numbers_have_elements(Schedule *schedule, gint64 element_bytes);

/* lambda = 100 µs, tau = 2 µs/byte, rho = 1 µs/byte, n ports and nothing else, but for `override`, which may be NULL.
 * Caller frees. */
Machine *scripted_machine(const char *override);

/* Asserts that the data is right without a clock and with each, and that both clocks say so many µs. */
void assert_runs(const Schedule *schedule, const Machine *machine, gint64 us);

/* What a schedule does, as text: of a step the messages in the order of their texts, "0>3:1+2@5": 0 sends 3 the two
 * slots from 1 on, into those from 5 on; "&" if it keeps them, "+" if they are added. Between steps stands " | ". What
 * is sent must be awaited. Caller frees. */
char *moves_of_step(const Schedule *schedule, guint strand, guint k);
char *moves_of(const Schedule *schedule, guint strand);
void assert_moves(const Schedule *schedule, guint strand, const char *expected);
