#include "schedule.h"
#include "../models/input.h"
#include "cube.h"
#include "schedules/schedules.h"

static const Algorithm *const registry[] = {
    &algorithm_standard,
    &algorithm_direct,
    &algorithm_multiphase,
    &algorithm_naive,
    &algorithm_reversed,
};

guint algorithm_count(void)
{
    return G_N_ELEMENTS(registry);
}

const Algorithm *algorithm_nth(guint i)
{
    return registry[i];
}

const char *const *algorithm_names(void)
{
    static const char *names[G_N_ELEMENTS(registry) + 1];
    for (guint i = 0; i < algorithm_count(); i++)
        names[i] = registry[i]->name;
    return names;
}

const Algorithm *algorithm_find(const char *where, const char *name, GError **error)
{
    guint i;
    return input_parse_choice(where, name, algorithm_names(), &i, error) ? registry[i] : NULL;
}

Schedule schedule_make(const Algorithm *algorithm, guint dimension, const Partition *partition)
{
    Schedule schedule = {.algorithm = algorithm, .dimension = dimension, .n_slots = cube_n_nodes(dimension)};
    if (algorithm->takes_partition)
        schedule.partition = *partition;
    algorithm->init(&schedule);
    return schedule;
}

void schedule_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    out->phase = FALSE;
    out->exchange = FALSE;
    out->rotate = 0;
    g_array_set_size(out->sends, 0);
    g_array_set_size(out->awaits, 0);
    schedule->algorithm->step(schedule, node, k, out);
}

void step_init(Step *step)
{
    *step = (Step){.sends = g_array_sized_new(FALSE, FALSE, sizeof(Send), 1),
                   .awaits = g_array_sized_new(FALSE, FALSE, sizeof(guint), 1)};
}

void step_clear(Step *step)
{
    g_array_unref(step->sends);
    g_array_unref(step->awaits);
}

void step_send(Step *step, guint peer, guint slot, guint count, guint landing)
{
    Send send = {peer, slot, count, landing};
    g_array_append_val(step->sends, send);
}

void step_await(Step *step, guint source)
{
    g_array_append_val(step->awaits, source);
}
