/* What the combinators have in common: they are made of parts. */
#pragma once

#include "combinators.h"

typedef struct {
    Schedule head;
    guint n_parts;
    Schedule **parts;
    guint argument;         /* of the combinator */
} Combined;

/* As long, as large and with as many strands as the parts at most; it contends if one of them does, and has the
 * barriers of the first. `size` is that of a Combined or of what begins with one; `class` frees with
 * combined_clear(). */
Combined *combined_new(gsize size, const ScheduleClass *class, guint n_parts, Schedule **parts, guint argument);
void combined_clear(Schedule *schedule);

static inline const Combined *combined_of(const Schedule *schedule)
{
    return (const Combined *)schedule;
}

/* The only part, or the first one. */
static inline const Schedule *part_of(const Schedule *schedule)
{
    return combined_of(schedule)->parts[0];
}

/* The steps that a strand of the first part has. */
guint combined_n_steps(const Schedule *schedule, guint strand);
