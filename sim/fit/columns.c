#include "columns.h"
#include "sim/replay/price.h"
#include "sim/schedule/make.h"
#include "traffic.h"

#include <string.h>

typedef gint64 Derivatives[MACHINE_KEYS_MAX];

struct Columns {
    const Run *run;
    Schedule *schedule;
    Traffic traffic;
    const char *refused;
    Derivatives taken;
    Derivatives *limited;   /* [lengths] those of short messages, with the length as short_limit */
};

Columns *columns_new(const Run *run)
{
    Columns *c = g_new0(Columns, 1);
    c->run = run;
    c->schedule = schedule_make(&run->problem);
    c->traffic = traffic_of(run, c->schedule);
    c->refused = traffic_contends(&c->traffic, run->machine);
    return c;
}

void columns_free(Columns *columns)
{
    schedule_free(columns->schedule);
    traffic_clear(&columns->traffic);
    g_free(columns->limited);
    g_free(columns);
}

const char *columns_refused(const Columns *columns)
{
    return columns->refused;
}

const GArray *columns_lengths(const Columns *columns)
{
    return columns->traffic.lengths;
}

static gint64 price_of(const Columns *c, const Machine *machine)
{
    Price result = price(c->schedule, machine, REPLAY_SIZES);
    price_clear(&result);
    return result.time_ps;
}

/* The run's machine with other constants. */
static Machine machine_at(const Columns *c, const Machine *estimate)
{
    Machine machine = *c->run->machine;
    for (guint i = 0; i < constants_count(); i++)
        constant_set(&machine, i, constant_get(estimate, i));
    machine.short_limit = estimate->short_limit;
    return machine;
}

gint64 columns_price(const Columns *columns, const Machine *estimate)
{
    Machine machine = machine_at(columns, estimate);
    return price_of(columns, &machine);
}

static gint64 derivative(const Columns *c, const Machine *machine, gint64 time_ps, guint constant)
{
    Machine raised = *machine;
    constant_set(&raised, constant, constant_get(machine, constant) + 1);
    return price_of(c, &raised) - time_ps;
}

void columns_take(Columns *columns, const Machine *estimate)
{
    Machine machine = machine_at(columns, estimate);
    gint64 time_ps = price_of(columns, &machine);
    for (guint i = 0; i < constants_count(); i++) {
        gboolean unused = constant_long_form(i) >= 0 && machine.short_limit < 0;
        columns->taken[i] = unused ? 0 : derivative(columns, &machine, time_ps, i);
    }
}

void columns_take_limits(Columns *columns, const Machine *estimate)
{
    const GArray *lengths = columns->traffic.lengths;
    Machine machine = machine_at(columns, estimate);
    gint64 time_ps = price_of(columns, &machine);
    machine.short_terms = machine.terms;
    g_free(columns->limited);
    columns->limited = g_new0(Derivatives, lengths->len);
    for (guint k = 0; k < lengths->len; k++) {
        machine.short_limit = g_array_index(lengths, gint64, k);
        for (guint i = 0; i < constants_count(); i++)
            if (constant_long_form(i) >= 0)
                columns->limited[k][i] = derivative(columns, &machine, time_ps, i);
    }
}

void columns_get(const Columns *columns, double *x)
{
    for (guint i = 0; i < constants_count(); i++)
        x[i] = (double)columns->taken[i];
}

void columns_get_limited(const Columns *columns, gint64 short_limit, double *x)
{
    const GArray *lengths = columns->traffic.lengths;
    guint n_short = 0;
    while (n_short < lengths->len && g_array_index(lengths, gint64, n_short) <= short_limit)
        n_short++;
    columns_get(columns, x);
    for (guint i = 0; i < constants_count() && n_short > 0; i++)
        if (constant_long_form(i) >= 0) {
            x[i] = (double)columns->limited[n_short - 1][i];
            x[constant_long_form(i)] -= x[i];
        }
}

gboolean columns_hold(const Columns *columns, const Machine *estimate)
{
    gint64 sum = 0;
    for (guint i = 0; i < constants_count(); i++)
        sum += columns->taken[i] * constant_get(estimate, i);
    return sum == columns_price(columns, estimate);
}
