#include "combined.h"

static void add_part(Schedule *head, Schedule *part)
{
    head->n_strands = MAX(head->n_strands, part->n_strands);
    head->n_steps = MAX(head->n_steps, part->n_steps);
    head->n_slots = MAX(head->n_slots, part->n_slots);
    head->flags |= part->flags & (SCHEDULE_CONTENDS | SCHEDULE_CONTENDS_BACKWARDS);
    head->stored += part->stored;
    if (!head->content)
        head->content = g_steal_pointer(&part->content);
}

Combined *combined_new(gsize size, const ScheduleClass *class, guint n_parts, Schedule **parts, guint argument)
{
    Combined *combined = (Combined *)schedule_new(size, class, parts[0]->dimension);
    combined->n_parts = n_parts;
    combined->parts = g_memdup2(parts, n_parts * sizeof *parts);
    combined->argument = argument;
    combined->head.root = parts[0]->root;
    combined->head.n_phases = parts[0]->n_phases;
    for (guint i = 0; i < n_parts; i++)
        add_part(&combined->head, parts[i]);
    return combined;
}

void combined_clear(Schedule *schedule)
{
    Combined *combined = (Combined *)schedule;
    for (guint i = 0; i < combined->n_parts; i++)
        schedule_free(combined->parts[i]);
    g_free(combined->parts);
}

guint combined_n_steps(const Schedule *schedule, guint strand)
{
    return schedule_n_steps(part_of(schedule), strand);
}
