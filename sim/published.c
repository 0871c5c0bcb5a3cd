#include "published.h"
#include "../models/exchange.h"
#include "../models/input.h"

#include <math.h>
#include <string.h>

static double standard(const Schedule *s, const Machine *machine, gint64 bytes)
{
    return exchange_standard_ps(machine, s->dimension, bytes);
}

static double direct(const Schedule *s, const Machine *machine, gint64 bytes)
{
    return exchange_direct_ps(machine, s->dimension, bytes);
}

static double multiphase(const Schedule *s, const Machine *machine, gint64 bytes)
{
    return exchange_multiphase_ps(machine, s->dimension, &s->partition, bytes);
}

static const struct {
    const char *algorithm;
    double (*time_ps)(const Schedule *schedule, const Machine *machine, gint64 bytes);
    const char *none;       /* why there is no formula */
} models[] = {
    {"standard", standard, NULL},
    {"direct", direct, NULL},
    {"multiphase", multiphase, NULL},
    {"naive", NULL, "no paper predicts an exchange whose messages contend for receivers"},
    {"reversed", NULL, "no paper predicts an exchange whose messages contend for channels"},
};

/* Bytes of the largest message of an exchange in phases. */
static gint64 largest_message(const Schedule *schedule, gint64 bytes)
{
    gint64 largest = bytes;
    for (guint i = 0; i < schedule->partition.n_parts; i++)
        largest = MAX(largest, bytes << (schedule->dimension - schedule->partition.part[i]));
    return largest;
}

/* Of the algorithms above, which are those of Bokhari and of Nicol & Bokhari. */
static gboolean exchange_time(const Run *run, guint model, double *time, const char **why)
{
    *why = models[model].none;
    if (!*why)
        *why = exchange_unpublished_reason(run->machine, largest_message(&run->schedule, run->data.bytes));
    if (*why)
        return FALSE;
    *time = models[model].time_ps(&run->schedule, run->machine, run->data.bytes);
    return TRUE;
}

gboolean published_time(const Run *run, gint64 *time_ps, const char **reason)
{
    const char *why = "not yet";
    double time = 0;
    guint i = 0;
    while (i < G_N_ELEMENTS(models) && strcmp(models[i].algorithm, run->schedule.algorithm->name) != 0)
        i++;
    gboolean found = i < G_N_ELEMENTS(models) && exchange_time(run, i, &time, &why);
    if (found && time >= (double)INPUT_TIME_MAX_PS)
        why = "the formula gives a time longer than the clock can count";
    else if (found)
        why = NULL;
    if (reason)
        *reason = why;
    if (!why)
        *time_ps = llround(time);
    return !why;
}

gint64 published_packet(const Algorithm *algorithm, const Machine *machine, guint dimension, gint64 bytes,
                        gint64 element)
{
    (void)algorithm;
    (void)dimension;
    (void)bytes;
    (void)element;
    return machine->packet;
}
