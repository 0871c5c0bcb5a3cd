/* Predictions by the hull of optimality for one size, and functions that commands with whole hulls share. */
#include "query.h"
#include "models/hull_bound.h"
#include "models/hull_regret.h"
#include "sim/run/keys_common.h"
#include "sim/machine/constants.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/theory.h"
#include "sim/run/data.h"
#include "sim/run/range.h"
#include "sim/text/input.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

struct QueryOptions query_options;

guint query_n_processes(const Query *p)
{
    return p->group ? p->group->n : 1u << p->dimension;
}

gboolean query_is_cube(const Query *p)
{
    return !p->group || p->group->binary;
}

const char *query_family_words(gboolean by_offsets, const Group *group)
{
    return by_offsets ? "lists of offsets" : !group || group->binary ? "partitions" : "radices";
}

char *query_words(const Query *p)
{
    return query_is_cube(p) ? g_strdup_printf("d = %u", p->dimension)
                                 : g_strconcat(p->group->name, " processors", NULL);
}

/* Refuses options of machines that are not in the hull's model, in which times are straight lines over the size. */
static gboolean check_model(const Machine *machine, const Value *packet, GError **error)
{
    if (request_is_optimal(packet))
        return input_refuse(error, "%s: 'optimal' is not in the hull's model; allowed: unlimited (use ecube compare)",
                            packet->origin);
    if (machine->switching == SWITCHING_STORE_AND_FORWARD)
        return input_refuse(error, "switching: 'store-and-forward' is not in the hull's model; allowed: circuit, "
                            "fluid");
    if (machine->packet)
        return input_refuse(error, "packet: '%" G_GINT64_FORMAT "' is not in the hull's model; allowed: unlimited (use "
                            "ecube compare)", machine->packet);
    if (machine_rails(machine->ports) > 1)
        return input_refuse(error, "ports: '%s' is not in the hull's model; allowed: one, all (use ecube compare)",
                            machine_ports_name(machine->ports));
    return !machine->start_skew_ps ||
           input_refuse(error, "start_skew: '%.6f' is not in the hull's model; allowed: 0 (use ecube compare)",
                        (double)machine->start_skew_ps / 1e6);
}

/* Refuses a gap with the published model, which has no formula for it, and with all ports. */
static gboolean check_overlap(const Query *p, GError **error)
{
    if (!p->machine->overlaps)
        return TRUE;
    if (p->distance == EXCHANGE_AVERAGE_DISTANCE)
        return input_refuse(error, "--model: '%s' knows no gap; allowed: contention-free", query_options.model);
    return p->machine->ports == PORTS_ONE ||
           input_refuse(error, "ports: 'all' with a gap is not in the hull's model; allowed: one");
}

gboolean query_check_network(const Machine *machine, guint n_nodes, const char *what, GError **error)
{
    if (!machine_shares_channels(machine))
        return TRUE;
    if (n_nodes > 0 && !machine_check_size(machine, n_nodes, error))
        return FALSE;
    guint n = n_nodes > 0 ? n_nodes : machine->sides ? machine->sides->n : 0;
    const Topology network = n > 0 ? machine_topology(machine, n) : (Topology){0};
    return (n > 0 && topology_is_cube(&network)) ||
           input_refuse(error, "machine %s: topology: '%s' is not in %s's model; allowed: cube, crossbar (or use "
                        "ecube run)", machine->spec, topology_classes[machine->topology]->name, what);
}

/* Refuses what the model of networks with shared channels does not cover. */
static gboolean check_congested(const Machine *machine, const Group *group, GError **error)
{
    const char *family = query_options.family, *model = query_options.model;
    const char *network = topology_classes[machine->topology]->name;
    if (group->n > CONGESTED_MAX)
        return input_refuse(error, "machine %s: topology: '%s' is in the hull's model up to %u processors, not %u "
                            "(use ecube run)", machine->spec, network, CONGESTED_MAX, group->n);
    if (machine->overlaps)
        return input_refuse(error, "machine %s: gap is not in the hull's model of a %s; allowed: none", machine->spec,
                            network);
    if (model && strcmp(model, "congested") != 0)
        return input_refuse(error, "--model: '%s' is not allowed on a %s, where messages share channels; allowed: "
                            "congested", model, network);
    return !family || strcmp(family, "partitions") == 0 ||
           input_refuse(error, "--family: '%s' is not in the hull's model of a %s; allowed: partitions", family,
                        network);
}

gboolean query_check_times(const Machine *machine, const Group *group, GError **error)
{
    if (machine_shares_channels(machine) &&
        (!machine_check_size(machine, group->n, error) ||
         (congested_applies(machine, group) && !check_congested(machine, group, error))))
        return FALSE;
    /* on a cube all steps are exchanges of pairs */
    return machine->phase_barrier != BARRIER_EXCHANGE || group->binary ||
           input_refuse(error, "phase_barrier: 'exchange' is not in the hull's model of processors that are no cube; "
                        "allowed: false, true, clock");
}

/* Refuses nodes of several processors with the published model, with a gap, or if a step has messages both within and
 * between nodes. */
static gboolean check_nodes(const Query *p, GError **error)
{
    gint64 node = p->machine->host;
    gboolean is_block = hull_knows_nodes(p->machine, p->group);
    const char *goes_with = p->distance == EXCHANGE_AVERAGE_DISTANCE ? "--model contention-free"
                            : p->machine->overlaps                   ? "gap = none"
                            : !is_block && query_is_cube(p)     ? "a power of two processors"
                            : !is_block                              ? "the product of the last factors"
                                                                     : NULL;
    return node <= 1 || !goes_with ||
           input_refuse(error, "node: '%" G_GINT64_FORMAT "' is not in the hull's model; allowed: with %s (or use "
                        "ecube compare)", node, goes_with);
}

gboolean query_check_costs(const Machine *machine, GError **error)
{
    gboolean has_costs = FALSE;
    for (guint i = 0; i < constants_count(); i++)
        has_costs |= constant_get(machine, i) > 0;
    return has_costs ||
           input_refuse(error, "machine: '%s' has no costs to choose by: measure with ecube-mpi, give the times to "
                        "`ecube fit measured.csv -o mine.ini`, and choose with --machine ./mine.ini", machine->spec);
}

void query_warn_beyond(const Query *p, double from_bytes, double to_bytes)
{
    MachineSpan span;
    if (!machine_span(p->machine, &span))
        return;
    gboolean is_measured = p->dimension >= span.from_dimension && p->dimension <= span.to_dimension;
    if (is_measured && from_bytes >= (double)span.from_bytes && to_bytes <= (double)span.to_bytes)
        return;
    g_autofree char *size = g_strdup_printf(to_bytes > from_bytes ? "%.9g to %.9g bytes" : "%.9g bytes", from_bytes,
                                            to_bytes);
    g_autofree char *place = query_words(p);
    message_print("%s is fitted to times of %s: %s is beyond them", p->machine->spec, p->machine->measured,
                  is_measured ? size : place);
}

void query_warn_doubt(const Machine *machine)
{
    const char *doubt = machine_doubt(machine);
    if (doubt)
        message_print("%s: [machine] verdict: %s", machine->spec, doubt);
}

guint query_dimension_max(const Query *p)
{
    return query_by_offsets(p) ? OFFSETS_KNOWN_MAX : PARTITION_DIMENSION_MAX;
}

gboolean query_family(HullChoice *choice, GError **error)
{
    static const char *const families[] = {"partitions", "offsets", "rings", NULL};
    static const HullChoice choices[] = {HULL_MIXED, HULL_OFFSETS, HULL_RINGS};
    const char *family = query_options.family;
    guint number = 0;
    if (family && !input_parse_choice("--family", family, families, &number, error))
        return FALSE;
    *choice = choices[number];
    return TRUE;
}

HullChoice query_default_choice(const Machine *machine, const Group *group, HullChoice choice)
{
    if (query_options.family || !machine->reconfigure_ps || !group || group->binary)
        return choice;
    return circuits_are_known(group) ? HULL_OFFSETS : HULL_RINGS;
}

static gboolean query_read_family(Query *p, GError **error)
{
    const struct QueryOptions *o = &query_options;
    if (!query_family(&p->choice, error))
        return FALSE;
    if (query_by_offsets(p) && p->distance == EXCHANGE_AVERAGE_DISTANCE)
        return input_refuse(error, "--model: '%s' knows no lists of offsets; allowed: contention-free", o->model);
    return !query_by_offsets(p) || !o->direct_shuffle ||
           input_refuse(error, "--direct-shuffle: '%s' is not allowed here; allowed: with --family partitions",
                        o->direct_shuffle);
}

gboolean query_resolve(const CommandLine *line, Resolver *resolver, Query *p, GError **error)
{
    static const char *const models[] = {"contention-free", "published", "congested", NULL};
    const struct QueryOptions *o = &query_options;
    guint model = 0;
    if (o->model && !input_parse_choice("--model", o->model, models, &model, error))
        return FALSE;
    *p = (Query){.direct_shuffle = model == 1,
                 .distance = model == 1 ? EXCHANGE_AVERAGE_DISTANCE : EXCHANGE_TRUE_DISTANCE};
    if (o->direct_shuffle && !input_parse_bool("--direct-shuffle", o->direct_shuffle, &p->direct_shuffle, error))
        return FALSE;
    if (!query_read_family(p, error))
        return FALSE;
    p->machine = resolver_machine(resolver, line->scenario, error);
    command_note_read("machine", p->machine ? p->machine->path : NULL);
    return p->machine && query_check_costs(p->machine, error) &&
           check_model(p->machine, scenario_value(line->scenario, "packet"), error) && check_overlap(p, error);
}

/* Refuses what the model of hulls does not cover. Groups that are no cubes require another topology than the cube, and
 * have no published times. */
static gboolean check_group(const Query *p, HullChoice choice, GError **error)
{
    const struct QueryOptions *o = &query_options;
    const Machine *machine = p->machine;
    const char *name = query_is_cube(p) ? "" : p->group->name;
    if (!check_nodes(p, error) || (p->group && !query_check_times(machine, p->group, error)))
        return FALSE;
    if (!p->group && machine_shares_channels(machine))
        return query_check_network(machine, 1u << MACHINE_DIMENSION_MAX, "the hull", error);
    if (query_is_cube(p))
        return choice != HULL_RINGS ||
               input_refuse(error, "--family: 'rings' requires processors that are added, not a cube, where s + s = 0; "
                            "allowed here: partitions, offsets");
    if (p->distance == EXCHANGE_AVERAGE_DISTANCE || o->direct_shuffle)
        return input_refuse(error, "%s: '%s' is about cubes; allowed for %s processors: contention-free, without "
                            "shuffles", o->model ? "--model" : "--direct-shuffle",
                            o->model ? o->model : o->direct_shuffle, name);
    if (!machine_check_size(machine, p->group->n, error))
        return FALSE;
    if (machine_is_cube(machine))
        return input_refuse(error, "machine %s: topology: '%s' is not in the hull's model for --processors %s; "
                            "allowed: crossbar (--set topology=crossbar)", machine->spec,
                            topology_classes[machine->topology]->name, name);
    if (machine_shares_channels(machine) && (choice == HULL_ONE_RADIX || choice == HULL_EXTREMES))
        return input_refuse(error, "--processors: '%s' with one radix is not in the hull's model of a %s; allowed: a "
                            "crossbar, or --dimension", name, topology_classes[machine->topology]->name);
    if (choice == HULL_OFFSETS)
        return offsets_check_known("--processors", p->group, error);
    g_autoptr(GArray) all = choice == HULL_MIXED || choice == HULL_RINGS ? offsets_all_radices(p->group) : NULL;
    if ((choice == HULL_MIXED || choice == HULL_RINGS) && !all)
        return input_refuse(error, "--processors: '%s' makes too many lists of radices; allowed: up to 396, and any "
                            "number for `ecube hull --radix one`", name);
    return all || p->group->n_factors == 1 ||
           input_refuse(error, "--processors: '%s' is not allowed here: libraries know no products; allowed: %u", name,
                        p->group->n);
}

Hull *query_hull(const Query *p, HullChoice choice)
{
    if (!query_is_cube(p))
        return hull_of_group(p->machine, p->group, choice);
    return hull_of_machine(p->machine, p->dimension, p->distance, p->direct_shuffle, choice);
}

HullCosts query_costs(const Query *p, double bytes)
{
    return hull_costs(p->machine, p->dimension, p->distance, p->direct_shuffle, bytes);
}

/* Returns the straight line on which the times of a partition (or radices) lie for block sizes around `bytes`. */
static ExchangeLine query_line_at(const Query *p, const Phases *partition, double bytes)
{
    if (!query_is_cube(p))
        return hull_line_at(p->machine, p->group, partition, bytes);
    HullCosts costs = query_costs(p, bytes);
    return hull_partition_line(&costs, partition);
}

static Phases best_at(const Query *p, double bytes)
{
    HullCosts costs = query_costs(p, bytes);
    if (query_is_cube(p))
        return hull_best_at(&costs, bytes);
    g_autoptr(Hull) hull = hull_at(p->machine, p->group, HULL_MIXED, bytes);
    return hull_lookup(hull, bytes)->partition;
}

static double query_time_at(const Query *p, const Phases *partition, double bytes)
{
    return exchange_line_at(query_line_at(p, partition, bytes), bytes);
}

char *query_partition_shown(const Phases *partition)
{
    const gsize shown_max = 16;
    char *text = partition_format(partition);
    if (strlen(text) <= shown_max)
        return text;
    g_free(text);
    return partition_format_runs(partition);
}

char *query_time_shown(double ps)
{
    const double countable_ps = 1e18;       /* from there on 15 digits show at most two decimals of a µs */
    return ps < countable_ps ? table_time_shown(llround(ps)) : g_strdup_printf("%.15g", ps / 1e6);
}

char *query_model(const Query *p)
{
    gboolean published = p->distance == EXCHANGE_AVERAGE_DISTANCE;
    gboolean congested = p->congested || g_strcmp0(query_options.model, "congested") == 0;
    GString *out = g_string_new(published ? "published model" : congested ? "congested" : "contention-free");
    if (published || p->direct_shuffle)
        g_string_append_printf(out, ", {%u} %s its shuffle", p->dimension,
                               p->direct_shuffle ? "paying for" : "without");
    if (p->machine->overlaps && query_is_cube(p) && !query_by_offsets(p))
        g_string_append_printf(out, ",\nall messages of a phase at once (%s)",
                               pattern_default()->hull[HULL_OVERLAPPED]);
    if (p->machine->duplex == DUPLEX_HALF)
        g_string_append(out, ",\nas if processors could send and receive at the same time");
    return g_string_free(out, FALSE);
}

#define EXACT_MAX 9e9       /* larger numbers have no six exact decimals */

/* Returns `value` with six decimals; from EXACT_MAX on with 15 digits. Caller frees. */
static char *query_number_text(double value)
{
    return g_strdup_printf(fabs(value) < EXACT_MAX ? "%.6f" : "%.15g", value);
}

void query_add_dimension(Table *table, const Query *p)
{
    table_add_count_if(table, query_is_cube(p), p->dimension);
}

guint query_n_columns(const Query *p, gsize n)
{
    return (guint)n - !p->by_processors;
}

void query_add_processors(Table *table, const Query *p)
{
    if (p->by_processors && query_is_cube(p))
        table_addf(table, "%u", p->group->n);
    else if (p->by_processors)
        table_add(table, p->group->name);
}

void query_add_ps(Table *table, double ps)
{
    g_autofree char *exact = query_number_text(ps / 1e6), *shown = query_time_shown(ps);
    table_add_shown(table, exact, shown);
}

/* --- lists of offsets --- */

#define GATHERING_NOTE "Messages gather what they carry, for gather_cost a byte.\n"

const char *query_list_note(const Machine *machine)
{
    g_autoptr(Hull) bound = hull_bound(machine, group_of_cube(0));
    if (bound && machine->reconfigure_ps)
        return "\nBound: no exchange in rounds takes less whose circuits all change together. " GATHERING_NOTE;
    return bound ? "\nBound: no exchange in rounds takes less. " GATHERING_NOTE
                 : "\nThe bound is for one message at a time, and there may be more. " GATHERING_NOTE;
}

#define LIST_MAX 4096           /* limit of offsets in a list; a longer one is of no use on a screen or in a file */

/* Returns the list of a face, or NULL if it is too long. `*shown` becomes its form for people. Caller frees both. */
static char *list_text(const HullFace *face, const Group *group, char **shown)
{
    guint n = hull_n_steps(face);
    g_autoptr(Offsets) offsets = n <= LIST_MAX ? hull_offsets(face, group) : NULL;
    char *text = offsets ? offsets_format(offsets) : NULL;
    *shown = text ? key_for_people(keys_find("offsets"), text) : g_strdup_printf("k = %u", n);
    return text;
}

void query_add_list(Table *table, const HullFace *face, const Group *group)
{
    g_autofree char *shown = NULL, *text = list_text(face, group, &shown);
    table_addf(table, "%u", hull_n_steps(face));
    table_add_shown(table, text, shown);
}

/* Adds a lower bound on a time, and `ratio`, (time - bound) / bound, as a percentage. */
static void query_add_gap(Table *table, double bound_ps, double ratio)
{
    g_autofree char *bound = g_strdup_printf("%.6f", bound_ps / 1e6), *bound_shown = query_time_shown(bound_ps);
    table_add_shown(table, bound, bound_shown);
    table_add_percent_if(table, TRUE, ratio);
}

void query_add_largest_gap(Table *table, const HullFace *face, const Hull *bound)
{
    HullRegret gap = bound ? hull_face_regret(face, bound, 1) : (HullRegret){.bytes = INFINITY};
    if (!isfinite(gap.bytes)) {
        table_add_nothing(table, 3);
        return;
    }
    query_add_gap(table, exchange_line_at(hull_lookup(bound, gap.bytes)->line, gap.bytes), gap.ratio);
    table_addf(table, "%.9g", gap.bytes);
}

/* Returns the time in ps that a partition's barriers take beyond the single barrier of a list of offsets. 0 for
 * radices, which have one barrier, too, and if phase_barrier = exchange. */
static double more_barriers_ps(const Query *p, const Phases *partition, double bytes)
{
    Machine without = *p->machine;
    Query freely = *p;
    if (!query_is_cube(p) || without.phase_barrier == BARRIER_EXCHANGE || partition->n_parts < 2)
        return 0;
    without.phase_barrier = BARRIER_NONE;
    freely.machine = &without;
    double all = query_time_at(p, partition, bytes) - query_time_at(&freely, partition, bytes);
    return all * (partition->n_parts - 1) / partition->n_parts;
}

/* Appends "offsets 1,2,4,8 take 110.000 µs (-5.9 %)": the time of the best list plus `more_ps`, and its difference
 * from `least`, the time of a partition. Gathering costs `copy_fs` a byte. */
static void put_list_time(GString *out, const Query *p, gint64 copy_fs, double more_ps, double bytes, double least)
{
    Machine machine = *p->machine;
    machine.gather_fs_per_byte = copy_fs;
    HullChoice lists = query_is_cube(p) || circuits_are_known(p->group) ? HULL_OFFSETS : HULL_RINGS;
    g_autoptr(Hull) hull = hull_at(&machine, p->group, lists, bytes);
    const HullFace *face = hull_lookup(hull, bytes);
    double ps = exchange_line_at(face->line, bytes) + more_ps, more = least > 0 ? 100 * (ps / least - 1) : 0;
    g_autofree char *name = NULL, *list = list_text(face, p->group, &name), *time = query_time_shown(ps);
    g_string_append_printf(out, "offsets %s take %s µs (%+.1f %%)", name, time, fabs(more) < 0.05 ? 0.0 : more);
}

/* Appends up to three times of the best list of offsets, each compared with `best`, the best partition. First: with the
 * partition's barriers, and on a cube with gather_cost = rho if it is 0. Second, if the partition's barriers take more
 * time: with the list's single barrier. Third, on a cube if gather_cost = 0 < rho: with free gathering, too. */
static void put_lists(GString *out, const Query *p, const Phases *best, double bytes)
{
    gint64 copy = p->machine->gather_fs_per_byte, rho = p->machine->rho_fs_per_byte;
    gboolean is_free = copy == 0 && rho > 0 && query_is_cube(p);
    double least = query_time_at(p, best, bytes), more = more_barriers_ps(p, best, bytes);
    g_autofree char *barriers = more > 0 ? g_strdup_printf("%u barriers", best->n_parts) : g_strdup("");
    g_string_append_printf(out, "Beyond %s, ", query_family_words(FALSE, p->group));
    if (is_free || more > 0)
        g_string_append_printf(out, "like with like (%s%s%s): ", is_free ? "gather_cost = rho" : "",
                               is_free && more > 0 ? ", " : "", barriers);
    put_list_time(out, p, is_free ? rho : copy, more, bytes, least);
    if (more > 0) {
        g_string_append(out, ";\nwith the one barrier that they have: ");
        put_list_time(out, p, is_free ? rho : copy, 0, bytes, least);
    }
    if (is_free) {
        g_string_append(out, ";\nand if gathering is free, as gather_cost = 0 says: ");
        put_list_time(out, p, copy, 0, bytes, least);
    }
    g_string_append(out, ".\n");
}

/* Appends the lower bound at `bytes`, and by how many percent `ps`, the best partition's time, exceeds it. */
static void put_bound(GString *out, const Query *p, double bytes, double ps)
{
    g_autoptr(Hull) bound = hull_bound(p->machine, p->group);
    double least = exchange_line_at(hull_lookup(bound, bytes)->line, bytes);
    g_autofree char *text = query_time_shown(least);
    g_string_append_printf(out, "No exchange in which a processor sends one message at a time takes less than %s µs",
                           text);
    if (least > 0)
        g_string_append_printf(out, " (it takes %+.1f %%)", 100 * (ps / least - 1));
    g_string_append(out, ".\n");
}

static const Column best_list_columns[] = {
    {.name = "machine", .text = TRUE}, {.name = "dimension"}, {.name = "bytes"}, {.name = "k", .heading = "k"},
    {.name = "offsets", .heading = "best offsets", .text = TRUE}, {.name = "time_us", .heading = "time"},
    {.name = "partition", .heading = "best partition", .text = TRUE}, {.name = "partition_us", .heading = "its time"},
    {.name = "bound_us", .heading = "bound"}, {.name = "gap_percent", .heading = "gap %"},
    {.name = "processors"},
};

static void put_best_list(const Query *p, double bytes, Sheet *sheet)
{
    g_autoptr(Table) table = table_new(best_list_columns, query_n_columns(p, G_N_ELEMENTS(best_list_columns)));
    g_autoptr(Hull) bound = hull_bound(p->machine, p->group);
    g_autoptr(Hull) lists = hull_at(p->machine, p->group, p->choice, bytes);
    const HullFace *face = hull_lookup(lists, bytes);
    Phases best = best_at(p, bytes);
    g_autofree char *partition = partition_format(&best), *shown = query_partition_shown(&best);
    double ps = exchange_line_at(face->line, bytes);
    double least = bound ? exchange_line_at(hull_lookup(bound, bytes)->line, bytes) : 0;
    table_add(table, p->machine->spec);
    query_add_dimension(table, p);
    table_addf(table, "%.0f", bytes);
    query_add_list(table, face, p->group);
    query_add_ps(table, ps);
    table_add_shown(table, partition, shown);
    query_add_ps(table, query_time_at(p, &best, bytes));
    if (bound)
        query_add_gap(table, least, least > 0 ? ps / least - 1 : 0);
    else
        table_add_nothing(table, 2);
    query_add_processors(table, p);
    for (guint i = 0; i < lists->n_faces; i++) {
        g_autofree char *name = g_strdup_printf("k = %u", hull_n_steps(&lists->faces[i]));
        sheet_add_bar(sheet, name, exchange_line_at(lists->faces[i].line, bytes) / 1e6, least / 1e6);
    }
    sheet_sort_bars(sheet);
    sheet->bound_words = "no exchange in rounds takes less";
    g_autofree char *rows = table_text(table, sheet->format);
    g_string_append_printf(sheet->text, "%s%s", rows,
                           sheet->format == FORMAT_TABLE ? query_list_note(p->machine) : "");
}

/* --- the best partition for one size --- */

static const Column best_columns[] = {
    {.name = "machine", .text = TRUE}, {.name = "dimension"}, {.name = "bytes"},
    {.name = "partition", .heading = "best partition", .text = TRUE},
    {.name = "time_us", .heading = "time"},
    {.name = "standard_us", .heading = "standard"}, {.name = "direct_us", .heading = "direct"},
    {.name = "nicol_verdict", .text = TRUE}, {.name = "ratio"},
    {.name = "lower_bound"}, {.name = "upper_bound"}, {.name = "s_star"},
    {.name = "d_max_min"}, {.name = "d_max_max"}, {.name = "phases_min"}, {.name = "phases_max"},
    {.name = "processors"},
};

static const char *const verdicts[] = {
    [NICOL_STANDARD] = "standard", [NICOL_DIRECT] = "direct", [NICOL_MULTIPHASE] = "multiphase"};

static void query_add_number(Table *table, double value)
{
    g_autofree char *text = query_number_text(value);
    table_add(table, isfinite(value) ? text : NULL);
}

/* Whether Nicol & Bokhari's bounds hold: by the published model, if all messages have one lambda and one tau. */
static gboolean query_has_nicol(const Query *p)
{
    return p->distance == EXCHANGE_AVERAGE_DISTANCE && !machine_has_limits(p->machine);
}

/* Adds the bounds of Nicol & Bokhari, or empty cells if query_has_nicol() is FALSE. */
static void add_nicol(Table *table, const Query *p, const NicolBounds *nicol)
{
    const double numbers[] = {nicol->ratio, nicol->lower, nicol->upper, nicol->s_star};
    const guint counts[] = {nicol->d_max_min, nicol->d_max_max, nicol->phases_min, nicol->phases_max};
    gboolean says = query_has_nicol(p);
    table_add(table, says ? verdicts[nicol->verdict] : NULL);
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        query_add_number(table, says ? numbers[i] : NAN);
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++)
        table_add_count_if(table, says, counts[i]);
}

/* Adds a row: the best partition with its time, and the times of Standard (all parts 1, or all radices 2) and Direct.
 * Standard and Direct send one message after another, so their times are those without a gap. */
static void query_add_best(Table *table, const Query *p, gint64 bytes, const NicolBounds *nicol)
{
    double m = (double)bytes;
    Machine one_by_one = *p->machine;
    one_by_one.overlaps = FALSE;
    Query waiting = *p;
    waiting.machine = &one_by_one;
    Phases best = best_at(p, m);
    Phases standard = partition_standard(p->dimension), direct = partition_direct(p->dimension);
    if (!query_is_cube(p)) {
        standard = radices_uniform(p->group->n, 2);
        direct = radices_uniform(p->group->n, p->group->n);
    }
    g_autofree char *partition = partition_format(&best), *shown = query_partition_shown(&best);
    table_add(table, p->machine->spec);
    query_add_dimension(table, p);
    table_addf(table, "%" G_GINT64_FORMAT, bytes);
    table_add_shown(table, partition, shown);
    query_add_ps(table, query_time_at(p, &best, m));
    query_add_ps(table, query_time_at(&waiting, &standard, m));
    query_add_ps(table, query_time_at(&waiting, &direct, m));
    add_nicol(table, p, nicol);
    query_add_processors(table, p);
}

/* Appends "(3,3) is best from 4.98 to 127.32 bytes; next below (2,2,2), next above (6).": the face of the hull at
 * `bytes`, and the faces on its two sides. */
static void query_put_range(GString *out, const Query *p, double bytes)
{
    g_autoptr(Hull) hull = query_hull(p, HULL_MIXED);
    const HullFace *low = hull_lookup(hull, bytes), *high = low, *last = &hull->faces[hull->n_faces - 1];
    while (low > hull->faces && partition_equal(&low[-1].partition, &high->partition))
        low--;
    while (high < last && partition_equal(&high[1].partition, &low->partition))
        high++;
    g_autofree char *best = query_partition_shown(&low->partition);
    g_autofree char *below = low > hull->faces ? query_partition_shown(&low[-1].partition) : NULL;
    g_autofree char *above = high < last ? query_partition_shown(&high[1].partition) : NULL;
    if (!below && !above)
        g_string_append_printf(out, "(%s) is best at every size.\n", best);
    else if (!below)
        g_string_append_printf(out, "(%s) is best up to %.6g bytes; next above (%s).\n", best, high->to_bytes, above);
    else if (!above)
        g_string_append_printf(out, "(%s) is best from %.6g bytes on; next below (%s).\n", best, low->from_bytes,
                               below);
    else
        g_string_append_printf(out, "(%s) is best from %.6g to %.6g bytes; next below (%s), next above (%s).\n", best,
                               low->from_bytes, high->to_bytes, below, above);
}

/* Appends the bounds of Nicol & Bokhari in words. */
static void put_nicol(GString *out, const Query *p, const NicolBounds *n)
{
    double limit = n->verdict == NICOL_DIRECT ? n->lower : n->upper;
    if (p->dimension < 2)
        g_string_append(out, "Nicol & Bokhari: below d = 2 there is nothing to divide.\n");
    else if (!isfinite(n->ratio))
        g_string_append(out, "Nicol & Bokhari: their ratio (lambda + delta)/(m tau) needs m tau > 0.\n");
    else if (n->verdict != NICOL_MULTIPHASE)
        g_string_append_printf(out, "Nicol & Bokhari, Lemma 1: %s, because (lambda + delta)/(m tau) = %.4g is %s "
                               "%.4g.\n", n->verdict == NICOL_DIRECT ? "Direct" : "Standard", n->ratio,
                               n->verdict == NICOL_DIRECT ? "below" : "above", limit);
    else
        g_string_append_printf(
            out, "Nicol & Bokhari: (lambda + delta)/(m tau) = %.4g lies between %.4g and %.4g, so s* = %.4f exists;\n"
            "the largest part is from %u to %u, the number of phases from %u to %u (d = %u).\n",
            n->ratio, n->lower, n->upper, n->s_star, n->d_max_min, n->d_max_max, n->phases_min, n->phases_max,
            p->dimension);
}

#define DRAWN_MAX 101       /* limit of drawn candidates: the number of partitions of d = 13 */

/* Returns all partitions (or radices), or the partitions of the hull's faces if all exceed DRAWN_MAX. Caller
 * unrefs. */
static GArray *candidates_of(const Query *p, double bytes)
{
    gboolean more = query_is_cube(p);
    g_autoptr(GArray) all = more ? g_array_new(FALSE, FALSE, sizeof(Phases)) : offsets_all_radices(p->group);
    Phases each = partition_standard(p->dimension);
    for (; more && all->len <= DRAWN_MAX; more = partition_next(&each))
        g_array_append_val(all, each);
    if (all->len <= DRAWN_MAX)
        return g_steal_pointer(&all);
    g_autoptr(Hull) hull = query_hull(p, HULL_MIXED);
    g_array_set_size(all, 0);
    for (guint i = 0; i < hull->n_faces; i++)
        g_array_append_val(all, hull->faces[i].partition);
    return g_steal_pointer(&all);
}

/* Adds a bar for each candidate, sorted by time. */
static void put_bars(const Query *p, double bytes, Sheet *sheet)
{
    g_autoptr(GArray) candidates = candidates_of(p, bytes);
    for (guint i = 0; i < candidates->len; i++) {
        const Phases *candidate = &g_array_index(candidates, Phases, i);
        g_autofree char *name = query_partition_shown(candidate);
        sheet_add_bar(sheet, name, query_time_at(p, candidate, bytes) / 1e6, 0);
    }
    sheet_sort_bars(sheet);
    g_strdelimit(sheet->title, "\n", ' ');
}

static const char looks_further[] = "Other algorithms were not looked at: ecube compare, with the same machine, "
                                    "processors and bytes, simulates all.\n";

static void put_best(const Query *p, const Pattern *pattern, gint64 bytes, Sheet *sheet)
{
    NicolBounds nicol = hull_nicol(p->machine, p->dimension, (double)bytes);
    g_autofree char *machine = input_printable(p->machine->spec), *place = query_words(p);
    g_autofree char *model = query_model(p);
    g_autofree char *what = g_strdup_printf("%s of %" G_GINT64_FORMAT "-byte blocks on %s, %s%s",
                                            pattern_theory(pattern)->title, bytes, machine, place,
                                            query_by_offsets(p) ? ", by offsets" : "");
    g_autoptr(Table) table = table_new(best_columns, query_n_columns(p, G_N_ELEMENTS(best_columns)));
    Phases best = best_at(p, (double)bytes);
    gboolean people = sheet->format == FORMAT_TABLE;
    if (people)
        g_string_append_printf(sheet->text, "%s. Times in µs, %s.\n\n", what, model);
    sheet->title = g_strdup_printf("%s, %s", what, model);
    if (query_by_offsets(p)) {
        put_best_list(p, (double)bytes, sheet);
        g_string_append(sheet->text, people ? looks_further : "");
        return;
    }
    query_add_best(table, p, bytes, &nicol);
    g_autofree char *rows = table_text(table, sheet->format);
    g_string_append_printf(sheet->text, "%s%s", rows, people ? "\n" : "");
    if (people && p->dimension > 0)
        query_put_range(sheet->text, p, (double)bytes);
    if (people && p->machine->overlaps && query_is_cube(p))
        g_string_append(sheet->text, "Standard and Direct wait for each message to leave.\n");
    if (people && query_has_nicol(p))
        put_nicol(sheet->text, p, &nicol);
    else if (people && p->distance == EXCHANGE_AVERAGE_DISTANCE)
        g_string_append(sheet->text, "Nicol & Bokhari's bounds are about messages that all have one lambda and one "
                                     "tau.\n");
    else if (people && p->congested)
        put_bound(sheet->text, p, (double)bytes, query_time_at(p, &best, (double)bytes));
    else if (people && p->dimension > 0 && p->group && offsets_are_known(p->group))
        put_lists(sheet->text, p, &best, (double)bytes);
    if (people && p->dimension > 0 && p->group)
        g_string_append(sheet->text, looks_further);
}

/* --- dimensions, and numbers of processors --- */

/* Sets dimension and group of `p` by one value of --dimension, from `min` to `max`. The group is NULL for a cube
 * above GROUP_FACTORS_MAX dimensions. */
static gboolean query_read_dimension(const char *text, const char *word, guint min, guint max, Query *p,
                                     GError **error)
{
    gint64 d;
    if (!input_parse_count("--dimension", text, min, max, &d, error))
        return FALSE;
    const Group *cube = group_of_cube((guint)MIN(d, GROUP_FACTORS_MAX));
    p->dimension = (guint)d;
    p->group = d <= GROUP_FACTORS_MAX ? cube : NULL;
    return group_decide(cube, "--group", word, TRUE, error) != NULL;
}

/* Sets the group of processors of `p` by one value of --processors. */
static gboolean query_read_processors(const char *text, const char *word, guint min_dimension, Query *p,
                                      GError **error)
{
    p->group = group_asked(NULL, text, word, machine_is_cube(p->machine), 0, error);
    p->dimension = p->group ? p->group->dimension : 0;
    return p->group && (p->dimension >= min_dimension ||
                        input_refuse(error, "--processors: '%s' is not allowed here; allowed: from 2 on", text));
}

GArray *query_places(const CommandLine *line, const Query *p, HullChoice choice, guint min, guint max,
                            GError **error)
{
    const char *dimension = scenario_get(line->scenario, "dimension");
    const char *processors = scenario_get(line->scenario, "processors"), *word = scenario_get(line->scenario, "group");
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(Query));
    if (!group_check_given(dimension, "--processors", processors, error))
        return NULL;
    g_autoptr(GPtrArray) texts = values_parse(processors ? "--processors" : "--dimension",
                                              processors ? processors : dimension, ",", RANGE_WHOLE, error);
    for (guint i = 0; texts && i < texts->len; i++) {
        Query place = *p;
        if (!(processors ? query_read_processors(texts->pdata[i], word, min, &place, error)
                         : query_read_dimension(texts->pdata[i], word, min, max, &place, error)))
            return NULL;
        gboolean chosen = choice != HULL_MIXED || line->format > FORMAT_JSON;
        place.choice = chosen ? choice : query_default_choice(p->machine, place.group, choice);
        if (!check_group(&place, place.choice, error))
            return NULL;
        if (i > 0 && place.choice != g_array_index(places, Query, 0).choice)
            return input_refuse(error, "--processors: '%s' is not allowed here: by default '%s' and '%s' have lists of "
                                "different families; allowed: with --family", processors, (char *)texts->pdata[0],
                                (char *)texts->pdata[i]), NULL;
        g_array_append_val(places, place);
    }
    gboolean any = FALSE, congested = FALSE;
    for (guint i = 0; i < places->len; i++) {
        const Query *place = &g_array_index(places, Query, i);
        any |= !query_is_cube(place);
        congested |= place->group && congested_applies(place->machine, place->group);
    }
    for (guint i = 0; i < places->len; i++) {
        g_array_index(places, Query, i).by_processors = any;
        g_array_index(places, Query, i).congested = congested;
    }
    return texts ? g_steal_pointer(&places) : NULL;
}

static gboolean query_check_single(const CommandLine *line, const GArray *places, GError **error)
{
    const Value *dimension = scenario_value(line->scenario, "dimension");
    const Value *value = dimension ? dimension : scenario_value(line->scenario, "processors");
    return places->len == 1 || input_refuse(error, "%s: '%s' is not allowed; allowed: one value here, and several in "
                                            "`ecube hull`", value->origin, value->text);
}

gboolean query_list(const CommandLine *line, Resolver *resolver, const Pattern *pattern, Sheet *sheet, GError **error)
{
    Query p;
    gint64 bytes;
    if (!query_resolve(line, resolver, &p, error))
        return FALSE;
    g_autoptr(GArray) places = query_places(line, &p, p.choice, 0, query_dimension_max(&p), error);
    if (!places || !query_check_single(line, places, error) ||
        !input_parse_count("--bytes", scenario_get(line->scenario, "bytes"), 0, INPUT_TIME_MAX_PS, &bytes, error))
        return FALSE;
    p = g_array_index(places, Query, 0);
    query_warn_doubt(p.machine);
    query_warn_beyond(&p, (double)bytes, (double)bytes);
    put_best(&p, pattern, bytes, sheet);
    if (!query_by_offsets(&p))
        put_bars(&p, (double)bytes, sheet);
    return TRUE;
}
