#include "schedule.h"

Schedule *schedule_new(gsize size, const ScheduleClass *class, guint dimension)
{
    Schedule *schedule = g_malloc0(size);
    *schedule = (Schedule){.class = class, .n_strands = 1, .n_phases = 1, .root = NO_ROOT};
    schedule_set_group(schedule, group_of_cube(dimension));
    return schedule;
}

void schedule_set_group(Schedule *schedule, const Group *group)
{
    schedule->group = group;
    schedule->dimension = group->dimension;
}

void schedule_free(Schedule *schedule)
{
    if (!schedule)
        return;
    if (schedule->class->free)
        schedule->class->free(schedule);
    content_free(schedule->content);
    g_free(schedule);
}

void schedule_set_content(Schedule *schedule, Content *content)
{
    content_free(schedule->content);
    schedule->content = content;
}

guint schedule_next_step(const Schedule *schedule, guint node, guint strand, guint k)
{
    guint n = schedule_n_steps(schedule, strand);
    if (!schedule->class->seek || k >= n)
        return k;
    guint found = schedule->class->seek(schedule, node, strand, k, FALSE);
    return MIN(found, n);
}
