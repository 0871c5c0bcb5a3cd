#include "summary.h"
#include "sim/cube/cube.h"
#include "sim/run/keys.h"
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
        machine.rho_ps_per_byte = machine.copy_ps_per_byte = 0;
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
        gint64 fewer = messages - (gint64)rest.messages, n = schedule_n_nodes(schedule);
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

/* How many parts were named. */
static guint put_side(GString *out, const char *name, const Makeup *one, const Makeup *other, gint64 least_ps)
{
    Part list[N_PARTS];
    guint n = list_parts(one, other, least_ps, list);
    for (guint i = 0; i < n; i++) {
        if (list[i] == CONTENTION) {
            g_autofree char *time = table_time_shown(more_of(one, other, CONTENTION));
            g_string_append_printf(out, "%s loses %s µs %sto contention", i ? ", and" : name, time,
                                   other->ps[CONTENTION] ? "more " : "");
        } else {
            g_string_append_printf(out, "%s%s", i ? ", " : name, i ? "" : " pays ");
            put_part(out, one, other, list[i]);
        }
    }
    return n;
}

/* "The difference: direct pays 63 handshakes (7175.100 µs)." of two runs with results. */
static void put_difference(GString *out, const Record *slow, const char *slow_name, const Record *fast,
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

/* --- of several runs --- */

#define SIZES_MAX 4     /* that there is a sentence for */

static gboolean has_result(const Record *record)
{
    return !record->failed && record->result.finished && record->result.data_ok;
}

static char *size_of(const Record *record)
{
    const Key *key = key_of_size(&record->run);
    g_autofree char *size = key_shown(key, &record->run);
    const char *unit = strcmp(size, "1") == 0 ? " byte" : " bytes";
    return strcmp(key->name, "bytes") == 0 ? g_strconcat(size, unit, NULL) : g_steal_pointer(&size);
}

static gboolean is_same_size(const Record *a, const Record *b)
{
    g_autofree char *one = size_of(a), *other = size_of(b);
    return strcmp(one, other) == 0;
}

/* "multiphase 3,3": the run without dimension and size. */
static char *name_of(const Record *record)
{
    g_autofree char *name = run_describe(&record->run), *size = size_of(record);
    g_autofree char *of_size = g_strconcat(" of ", size, NULL);
    const char *end = strstr(name, problem_group(&record->run.problem)->binary ? ", d = " : " on ");
    GString *out = g_string_new_len(name, end ? end - name : (gssize)strlen(name));
    g_string_replace(out, of_size, "", 0);
    return g_string_free(out, FALSE);
}

/* Appends "50 % of the time of the slowest, direct", and why. Less than all is never 100 %, nor something 0 %. */
static void put_share(GString *out, const Record *fastest, const Record *slowest)
{
    double share = 100.0 * (double)fastest->result.simulated_ps / (double)slowest->result.simulated_ps;
    gboolean is_near = share < 0.5 || share >= 99.5;
    g_autofree char *worst = name_of(slowest), *best = name_of(fastest);
    g_string_append_printf(out, "%.*f %% of the time of the slowest, %s. ", is_near ? 3 : 0, share, worst);
    put_difference(out, slowest, worst, fastest, best);
}

/* Of one size: the fastest run, and how many others are as fast, against the slowest, unless all are as fast. */
static void put_size(GString *out, const Record *records, guint n, guint first)
{
    const Record *fastest = &records[first], *slowest = fastest;
    guint others = 0;
    for (guint i = first + 1; i < n; i++) {
        if (!has_result(&records[i]) || !is_same_size(&records[first], &records[i]))
            continue;
        gint64 ps = records[i].result.simulated_ps, least_ps = fastest->result.simulated_ps;
        others = ps < least_ps ? 0 : others + (ps == least_ps);
        fastest = ps < least_ps ? &records[i] : fastest;
        slowest = ps > slowest->result.simulated_ps ? &records[i] : slowest;
    }
    if (fastest->result.simulated_ps == slowest->result.simulated_ps)
        return;
    g_autofree char *size = size_of(fastest), *best = name_of(fastest);
    g_string_append_printf(out, "At %s %s ", size, best);
    if (others > 0)
        g_string_append_printf(out, "and %u other%s are the fastest: they take ", others, others == 1 ? "" : "s");
    else
        g_string_append(out, "is the fastest: it takes ");
    put_share(out, fastest, slowest);
}

static gboolean is_first_of_size(const Record *records, guint i)
{
    for (guint before = 0; before < i; before++)
        if (has_result(&records[before]) && is_same_size(&records[before], &records[i]))
            return FALSE;
    return has_result(&records[i]);
}

static void put_waiting(GString *out, const Record *records, guint n, guint n_results)
{
    guint64 messages = 0, blocked = 0;
    for (guint i = 0; i < n; i++) {
        messages += has_result(&records[i]) ? records[i].result.network.messages : 0;
        blocked += has_result(&records[i]) ? records[i].result.network.blocked : 0;
    }
    if (messages == 0)
        g_string_append(out, "There was no message.");
    else if (blocked == 0)
        g_string_append(out, "Nothing blocked.");
    else
        g_string_append_printf(out, "%s%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " messages had to wait.",
                               n_results > 1 ? "In all runs together " : "", blocked, messages);
}

static void put_single(GString *out, const Record *record)
{
    const RunResult *result = &record->result;
    double times = result->contention_free_ps ? (double)result->simulated_ps / (double)result->contention_free_ps : 1;
    g_autofree char *name = name_of(record), *time = table_time_shown(result->simulated_ps);
    g_string_append_printf(out, "%s takes %s µs, ", name, time);
    if (result->simulated_ps == result->contention_free_ps)
        g_string_append(out, "as long as it would if no message ever met another. ");
    else
        g_string_append_printf(out, "%.*f times what it would if no message ever met another. ",
                               ABS(times - 1) < 0.005 ? 6 : 2, times);
}

/* Of the first sizes, each with `end` behind it. How many sizes there are. */
static guint put_sizes(GString *out, const Record *records, guint n, char end)
{
    guint n_sizes = 0;
    for (guint i = 0; i < n; i++) {
        gsize before = out->len;
        if (is_first_of_size(records, i) && n_sizes++ < SIZES_MAX)
            put_size(out, records, n, i);
        if (out->len > before)
            g_string_append_c(out, end);
    }
    return n_sizes;
}

char *summary_below(const Record *records, guint n_records)
{
    GString *out = g_string_new("\n");
    put_sizes(out, records, n_records, '\n');
    g_string_truncate(out, out->len > 1 ? out->len : 0);
    return g_string_free(out, FALSE);
}

char *summary_text(const Record *records, guint n_records)
{
    GString *out = g_string_new(NULL);
    guint n_results = 0, n_sizes = put_sizes(out, records, n_records, ' ');
    for (guint i = 0; i < n_records; i++)
        n_results += has_result(&records[i]);
    if (n_sizes > SIZES_MAX && out->len > 0)
        g_string_append_printf(out, "%u more sizes are in the table below. ", n_sizes - SIZES_MAX);
    if (n_results == 1 && n_records == 1)
        put_single(out, &records[0]);
    if (n_results > 0)
        put_waiting(out, records, n_records, n_results);
    if (n_results < n_records) {
        g_autofree char *failed = g_strdup_printf("%u of %u runs failed.%s", n_records - n_results, n_records,
                                                  n_results > 0 ? " What follows is of the others. " : "");
        g_string_prepend(out, failed);
    }
    return g_string_free(out, FALSE);
}
