#include "sizes.h"
#include "palette.h"
#include "summary.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/theory.h"
#include "sim/replay/price.h"
#include "sim/text/json.h"

#include <string.h>

#define KNOTS_MAX 80
#define MESSAGES_MAX 20000      /* limit of messages of a run with knots, which is priced at up to hundreds of other
                                 * sizes */
#define CURVES_MAX 16

/* Fills in the parts of the contention-free time of the record's run at knot->bytes. */
static void knot_price(const Record *record, SizeKnot *knot)
{
    Record at = *record;
    at.run.problem.data = division_whole(knot->bytes);
    g_autoptr(Schedule) schedule = schedule_make(&at.run.problem);
    Price whole = price_sizes(schedule, at.run.machine);
    at.result.simulated_ps = at.result.contention_free_ps = whole.time_ps;
    at.result.network.messages = whole.messages;
    price_clear(&whole);
    TimeBreakdown parts = breakdown_of(&at, TRUE);
    memcpy(knot->ps, parts.ps, sizeof knot->ps);
}

/* Whether all parts of `knot` are on the straight lines from `low` to `high`, but for rounding to ps. */
static gboolean is_between(const SizeKnot *low, const SizeKnot *high, const SizeKnot *knot)
{
    for (guint part = 0; part < N_BREAKDOWN; part++) {
        double slope = (double)(high->ps[part] - low->ps[part]) / (double)(high->bytes - low->bytes);
        double line = (double)low->ps[part] + slope * (double)(knot->bytes - low->bytes);
        if (ABS(line - (double)knot->ps[part]) > 1.5)
            return FALSE;
    }
    return TRUE;
}

/* Appends a knot. Removes the last knot before it if that is on the line between its neighbours; the first two knots
 * always stay. */
static void knots_add(GArray *knots, const SizeKnot *knot)
{
    const SizeKnot *last = &g_array_index(knots, SizeKnot, knots->len - 1);
    if (knots->len > 2 && is_between(last - 1, knot, last))
        g_array_set_size(knots, knots->len - 1);
    g_array_append_vals(knots, knot, 1);
}

/* Appends the knots after `low` up to `high`. Halves the interval as long as the parts are not linear in it. Returns
 * FALSE if there are too many knots. */
static gboolean divide(const Record *record, const SizeKnot *low, const SizeKnot *high, GArray *knots)
{
    gint64 width = high->bytes - low->bytes;
    SizeKnot middle = {.bytes = low->bytes + width / 2}, quarter = {.bytes = low->bytes + width / 4};
    if (knots->len > KNOTS_MAX)
        return FALSE;
    if (width > 1) {
        knot_price(record, &middle);
        knot_price(record, &quarter);
    }
    if (width <= 1 || (is_between(low, high, &middle) && is_between(low, high, &quarter))) {
        knots_add(knots, high);
        return TRUE;
    }
    return divide(record, low, &middle, knots) && divide(record, &middle, high, knots);
}

GArray *sizes_knots(const Record *record, gint64 most)
{
    const Problem *problem = &record->run.problem;
    if (!summary_has_result(record) || pattern_theory(problem->pattern)->size_key || !problem_has_hull(problem) ||
        record->run.machine->packet || record->result.network.messages > MESSAGES_MAX)
        return NULL;
    SizeKnot low = {.bytes = 0}, first = {.bytes = 1}, high = {.bytes = most};
    g_autoptr(GArray) knots = g_array_new(FALSE, FALSE, sizeof(SizeKnot));
    knot_price(record, &low);
    knot_price(record, &first);
    knot_price(record, &high);
    g_array_append_val(knots, low);
    g_array_append_val(knots, first);       /* messages without bytes may have a start-up of their own, so the knots 0
                                             * and 1 stay */
    return most > 1 && divide(record, &first, &high, knots) ? g_steal_pointer(&knots) : NULL;
}

gint64 sizes_most(const Record *records, guint n)
{
    gint64 least = G_MAXINT64, most = 1;
    for (guint i = 0; i < n; i++) {
        least = MIN(least, records[i].run.problem.data.bytes);
        most = MAX(most, records[i].run.problem.data.bytes);
    }
    return least == most ? 2 * MIN(most, INPUT_TIME_MAX_PS / 4) : most;
}

static guint first_of_name(const Record *records, guint i)
{
    g_autofree char *name = summary_name(&records[i]);
    for (guint before = 0; before < i; before++) {
        g_autofree char *other = summary_name(&records[before]);
        if (strcmp(name, other) == 0)
            return before;
    }
    return i;
}

guint *sizes_colours(const Record *records, guint n)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free), algorithms = g_ptr_array_new();
    guint *colours = g_new(guint, n);
    for (guint i = 0; i < n; i++) {
        g_ptr_array_add(names, summary_name(&records[i]));
        g_ptr_array_add(algorithms, (gpointer)records[i].run.problem.algorithm->name);
    }
    palette_choose(records[0].run.problem.pattern->name, (const char *const *)names->pdata,
                   (const char *const *)algorithms->pdata, n, colours);
    return colours;
}

static void add_knots(GString *json, const GArray *knots)
{
    json_begin(json, "knots", '[');
    for (guint k = 0; k < knots->len; k++) {
        const SizeKnot *knot = &g_array_index(knots, SizeKnot, k);
        json_begin(json, NULL, '[');
        json_add_number(json, NULL, knot->bytes);
        for (guint part = 0; part < BREAKDOWN_ALL_ELSE; part++)
            json_add_number(json, NULL, knot->ps[part]);
        json_end(json, ']');
    }
    json_end(json, ']');
}

static void add_points(GString *json, const Record *records, guint n, guint first)
{
    json_begin(json, "points", '[');
    for (guint i = first; i < n; i++) {
        if (!summary_has_result(&records[i]) || first_of_name(records, i) != first)
            continue;
        json_begin(json, NULL, '[');
        json_add_number(json, NULL, records[i].run.problem.data.bytes);
        json_add_number(json, NULL, records[i].result.simulated_ps);
        json_add_number(json, NULL, i);
        json_end(json, ']');
    }
    json_end(json, ']');
}

void sizes_add_json(GString *json, const Record *records, guint n)
{
    gint64 most = sizes_most(records, n);
    g_autofree guint *colours = sizes_colours(records, n);
    guint n_curves = 0;
    for (guint i = 0; i < n && n_curves < CURVES_MAX; i++) {
        g_autoptr(GArray) knots = first_of_name(records, i) == i ? sizes_knots(&records[i], most) : NULL;
        if (!knots)
            continue;
        if (n_curves++ == 0) {
            json_begin(json, "sizes", '{');
            json_add_number(json, "most", most);
            json_begin(json, "parts", '[');
            for (guint part = 0; part < BREAKDOWN_ALL_ELSE; part++)
                json_add_text(json, NULL, breakdown_names[part]);
            json_end(json, ']');
            json_begin(json, "curves", '[');
        }
        g_autofree char *name = summary_name(&records[i]);
        json_begin(json, NULL, '{');
        json_add_text(json, "name", name);
        json_add_number(json, "colour", colours[i]);
        add_knots(json, knots);
        add_points(json, records, n, i);
        json_end(json, '}');
    }
    if (n_curves > 0) {
        json_end(json, ']');
        json_end(json, '}');
    }
}
