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

gboolean published_time(const Schedule *schedule, const Machine *machine, gint64 bytes, gint64 *time_ps,
                        const char **reason)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(models) && strcmp(models[i].algorithm, schedule->algorithm->name) != 0)
        i++;
    const char *why = i == G_N_ELEMENTS(models) ? NULL : models[i].none;
    if (i < G_N_ELEMENTS(models) && !why)
        why = exchange_unpublished_reason(machine, largest_message(schedule, bytes));
    if (reason)
        *reason = why;
    if (i == G_N_ELEMENTS(models) || why)
        return FALSE;
    double time = models[i].time_ps(schedule, machine, bytes);
    if (time >= (double)INPUT_TIME_MAX_PS) {
        if (reason)
            *reason = "the formula gives a time longer than the clock can count";
        return FALSE;
    }
    *time_ps = llround(time);
    return TRUE;
}
