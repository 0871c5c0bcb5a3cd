#include "difference.h"
#include "sim/cube/cube.h"
#include "sim/replay/cost.h"
#include "sim/replay/price.h"
#include "sim/patterns/make.h"

#include <string.h>

#define NAMED_SHARE 10          /* parts are named from a tenth of the largest on: the slower run always has one */
#define MESSAGES_MAX 524288     /* of runs that are priced again, part by part: tenths of a second each */

/* Up to LATE_STARTS in the order in which they are taken out. */
typedef enum {
    HANDSHAKES, BARRIERS, TRANSMISSION, CIRCUITS, SHUFFLES, ARITHMETIC, LATE_STARTS, STARTUPS, ALL_ELSE, CONTENTION,
    N_PARTS
} Part;

static const char *const names[] = {"handshakes", "barriers", "transmission", "circuits", "shuffles", "arithmetic",
                                    "late starts", "start-ups", "all but contention"};

typedef struct {
    gint64 ps[N_PARTS];
    gint64 count[N_PARTS];      /* how many a processor has; 0: not known */
} Makeup;

/* --- what a run is made of --- */

/* The machine on which a part costs nothing. */
static Machine without(Machine machine, Part part)
{
    if (part == HANDSHAKES)
        machine.pairwise_sync = FALSE;
    if (part == BARRIERS)
        machine.phase_barrier = FALSE;
    if (part == TRANSMISSION)
        machine.terms.tau_ps_per_byte = machine.short_terms.tau_ps_per_byte = 0;
    if (part == CIRCUITS)
        machine.delta_ps = machine.terms.delta_hop_ps = machine.short_terms.delta_hop_ps = 0;
    if (part == SHUFFLES)
        machine.rho_ps_per_byte = 0;
    if (part == ARITHMETIC)
        machine.flop_ps = 0;
    if (part == LATE_STARTS)
        machine.start_skew_ps = 0;
    return machine;
}

/* Of a run that takes `time_ps` when nothing else costs anything; 0 if that is not all lambda. */
static gint64 count_startups(const Schedule *schedule, Machine machine, gint64 time_ps)
{
    gint64 lambda_ps = machine.terms.lambda_ps++;
    Price more = price(schedule, &machine, REPLAY_SIZES);
    gint64 count = more.time_ps - time_ps;
    price_clear(&more);
    return time_times(lambda_ps, count) == time_ps ? count : 0;
}

static void take_apart(Makeup *makeup, const Record *record)
{
    gint64 left_ps = record->result.contention_free_ps, messages = (gint64)record->result.network.messages;
    Machine machine = *record->run.machine;
    g_autoptr(Schedule) schedule = schedule_make(&record->run.problem);
    for (Part part = 0; part <= LATE_STARTS; part++) {
        Machine less = without(machine, part);
        if (memcmp(&less, &machine, sizeof less) == 0)
            continue;
        Price rest = price(schedule, &less, REPLAY_SIZES);
        gint64 fewer = messages - (gint64)rest.messages, n = cube_n_nodes(schedule->dimension);
        makeup->ps[part] = left_ps - rest.time_ps;
        makeup->count[part] = fewer % n ? 0 : fewer / n;        /* handshakes alone are messages */
        left_ps = rest.time_ps;
        messages = (gint64)rest.messages;
        machine = less;
        price_clear(&rest);
    }
    makeup->ps[STARTUPS] = left_ps;
    makeup->count[STARTUPS] = count_startups(schedule, machine, left_ps);
}

static Makeup makeup_of(const Record *record, gboolean apart)
{
    const RunResult *result = &record->result;
    Makeup makeup = {.ps[CONTENTION] = result->simulated_ps - result->contention_free_ps};
    if (apart)
        take_apart(&makeup, record);
    else
        makeup.ps[ALL_ELSE] = result->contention_free_ps;
    return makeup;
}

/* --- in words --- */

static gint64 more_of(const Makeup *one, const Makeup *other, Part part)
{
    return one->ps[part] - other->ps[part];
}

/* "63 handshakes (7175.100 µs)", "1225.000 µs more for start-ups (63 against 14)", "900.000 µs for barriers". */
static void put_part(GString *out, const Makeup *one, const Makeup *other, Part part)
{
    g_autofree char *time = table_time_shown(more_of(one, other, part));
    gint64 count = one->count[part], against = other->count[part];
    if (other->ps[part] == 0 && count > 0)
        g_string_append_printf(out, "%" G_GINT64_FORMAT " %.*s (%s µs)", count,
                               (int)strlen(names[part]) - (count == 1), names[part], time);
    else
        g_string_append_printf(out, "%s µs %sfor %s", time, other->ps[part] ? "more " : "", names[part]);
    if (count > 0 && against > 0)
        g_string_append_printf(out, " (%" G_GINT64_FORMAT " against %" G_GINT64_FORMAT ")", count, against);
}

/* The parts of which one run has at least `least_ps` more than the other, the largest first, but contention last. */
static guint list_parts(const Makeup *one, const Makeup *other, gint64 least_ps, Part *list)
{
    guint n = 0;
    for (Part part = 0; part < N_PARTS; part++) {
        gint64 more_ps = more_of(one, other, part);
        guint at = n;
        if (more_ps < least_ps)
            continue;
        for (; part != CONTENTION && at > 0 && more_of(one, other, list[at - 1]) < more_ps; at--)
            list[at] = list[at - 1];
        list[at] = part;
        n++;
    }
    return n;
}

static void put_contention(GString *out, const Makeup *one, const Makeup *other)
{
    g_autofree char *time = table_time_shown(more_of(one, other, CONTENTION));
    g_string_append_printf(out, " loses %s µs %sto contention", time, other->ps[CONTENTION] ? "more " : "");
}

/* How many parts were named. */
static guint put_side(GString *out, const char *name, const Makeup *one, const Makeup *other, gint64 least_ps)
{
    Part list[N_PARTS];
    guint n = list_parts(one, other, least_ps, list);
    for (guint i = 0; i < n; i++) {
        if (list[i] == CONTENTION) {
            g_string_append(out, i ? ", and" : name);
            put_contention(out, one, other);
        } else {
            g_string_append_printf(out, "%s%s", i ? ", " : name, i ? "" : " pays ");
            put_part(out, one, other, list[i]);
        }
    }
    return n;
}

void difference_put(GString *out, const Record *slow, const char *slow_name, const Record *fast,
                    const char *fast_name)
{
    guint64 messages = MAX(slow->result.network.messages, fast->result.network.messages);
    Makeup a = makeup_of(slow, messages <= MESSAGES_MAX), b = makeup_of(fast, messages <= MESSAGES_MAX);
    gint64 most_ps = 1;
    guint differ = 0;
    for (Part part = 0; part < N_PARTS; part++) {
        most_ps = MAX(most_ps, ABS(more_of(&a, &b, part)));
        differ += more_of(&a, &b, part) != 0;
    }
    gint64 least_ps = (most_ps - 1) / NAMED_SHARE + 1;
    g_autoptr(GString) one = g_string_new(NULL), other = g_string_new(NULL);
    guint n = put_side(one, slow_name, &a, &b, least_ps), m = put_side(other, fast_name, &b, &a, least_ps);
    g_string_append_printf(out, "The difference%s: %s%s%s.", n + m < differ ? ", mainly" : "", one->str,
                           m ? "; " : "", other->str);
}
