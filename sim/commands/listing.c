/* ecube best, ecube tables and ecube regions: print and draw the times of a pattern's algorithms by formulas. */
#include "listing.h"
#include "command.h"
#include "sim/show/bars.h"
#include "query.h"
#include "sim/machine/constants.h"
#include "sim/patterns/theory.h"
#include "sim/patterns/registry.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/published.h"
#include "sim/replay/price.h"
#include "sim/run/data.h"
#include "sim/run/estimate.h"
#include "sim/text/input.h"

#include <string.h>

/* --- maps: slices of them --- */

#define SLICES 6

/* The slices' values of P, in sixteenths of the map's side. */
static const guint sixteenths[SLICES] = {1, 2, 4, 8, 14, 16};

/* The part of a map with one value of P. Its cells are numbered row by row: Q across, R up. */
typedef struct {
    const Map *map;
    guint p, n;                 /* value of P; number of cells */
} MapSlice;

static MapSlice slice_of(const Map *map, guint p)
{
    return (MapSlice){map, p, map->side * map->side};
}

static guint best_of(MapSlice slice, guint cell)
{
    const Map *map = slice.map;
    return map->best[((slice.p - 1) * map->side + cell % map->side) * map->side + cell / map->side];
}

/* Sets `slices` to the values of P of which slices are drawn, each once, and returns how many there are. */
static guint choose_slices(const Map *map, guint slices[SLICES])
{
    guint n = 0;
    for (guint i = 0; i < SLICES; i++) {
        guint p = MAX(1, (map->side * sixteenths[i] + 8) / 16);
        if (n == 0 || p > slices[n - 1])
            slices[n++] = p;
    }
    return n;
}

/* Appends a rectangle of cells with one best algorithm, and marks these cells as done. From the cell `first` on it is
 * as wide as possible, then as high as possible. */
static void put_rectangle(GString *out, MapSlice slice, guint first, gboolean *done)
{
    guint best = best_of(slice, first);
    guint side = slice.map->side, q = first % side, r = first / side, width = 1, height = 1;
    while (q + width < side && best_of(slice, first + width) == best && !done[first + width])
        width++;
    for (gboolean same = TRUE; same && r + height < side; height += same)
        for (guint cell = first + height * side, i = 0; same && i < width; i++)
            same = best_of(slice, cell + i) == best && !done[cell + i];
    for (guint i = 0; i < width * height; i++)
        done[first + i / width * side + i % width] = TRUE;
    g_string_append_printf(out, "%c %.1f %.1f %.1f %.1f\n", slice.map->names[best][1], q + 0.5, r + 0.5,
                           q + width + 0.5, r + height + 0.5);
}

static void put_cells(GString *out, MapSlice slice)
{
    g_autofree gboolean *done = g_new0(gboolean, slice.n);
    for (guint cell = 0; cell < slice.n; cell++)
        if (!done[cell])
            put_rectangle(out, slice, cell, done);
    g_string_append(out, "\n\n");
}

/* --- regions --- */

/* Returns the cells (guint) of the connected region around the cell `first`, and marks them as done. Caller unrefs. */
static GArray *region_of(MapSlice slice, guint first, gboolean *done)
{
    const guint side = slice.map->side;
    GArray *cells = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(cells, first);
    done[first] = TRUE;
    for (guint i = 0; i < cells->len; i++) {
        guint cell = g_array_index(cells, guint, i), x = cell % side, y = cell / side;
        const guint next[] = {x > 0 ? cell - 1 : cell, x + 1 < side ? cell + 1 : cell, y > 0 ? cell - side : cell,
                              y + 1 < side ? cell + side : cell};
        for (guint k = 0; k < G_N_ELEMENTS(next); k++)
            if (!done[next[k]] && best_of(slice, next[k]) == best_of(slice, first)) {
                done[next[k]] = TRUE;
                g_array_append_val(cells, next[k]);
            }
    }
    return cells;
}

/* Returns the distance from a cell to the nearest cell that another algorithm has or that lies beyond the slice's edge.
 * The distance is the difference in rows or in columns, whichever is larger. */
static guint depth_of(MapSlice slice, guint cell)
{
    gint side = (gint)slice.map->side, x = (gint)cell % side, y = (gint)cell / side, depth = 0;
    for (;; depth++)
        for (gint dy = -depth; dy <= depth; dy++)
            for (gint dx = -depth; dx <= depth; dx++)
                if (x + dx < 0 || y + dy < 0 || x + dx >= side || y + dy >= side ||
                    best_of(slice, (guint)((y + dy) * side + x + dx)) != best_of(slice, cell))
                    return (guint)depth;
}

/* Appends the algorithm's name for each region of the slice, at the middle one of the region's deepest cells
 * (depth_of()). `number` is the slice's number in the figure. */
static void map_put_names(GString *out, MapSlice slice, guint number)
{
    const guint side = slice.map->side;
    g_autofree gboolean *done = g_new0(gboolean, slice.n);
    for (guint first = 0; first < slice.n; first++) {
        if (done[first])
            continue;
        guint most = 0;
        g_autoptr(GArray) cells = region_of(slice, first, done), thick = g_array_new(FALSE, FALSE, sizeof(guint));
        for (guint i = 0; i < cells->len; i++) {
            guint cell = g_array_index(cells, guint, i);
            guint depth = depth_of(slice, cell);
            if (depth > most)
                g_array_set_size(thick, 0);
            most = MAX(most, depth);
            if (depth == most)
                g_array_append_val(thick, cell);
        }
        guint cell = g_array_index(thick, guint, thick->len / 2);
        g_autofree char *name = g_ascii_strup(slice.map->names[best_of(slice, first)], -1);
        g_string_append_printf(out, "%u %u %u %s\n", number, cell % side + 1, cell / side + 1, name);
    }
}

/* Returns the script that draws the map. Caller frees. */
static char *map_script(const Map *map, const char *title, PlotFormat format)
{
    guint slices[SLICES], n = choose_slices(map, slices);
    g_autoptr(GString) cells = g_string_new(NULL), names = g_string_new(NULL), values = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        put_cells(cells, slice_of(map, slices[i]));
        map_put_names(names, slice_of(map, slices[i]), i + 1);
        g_string_append_printf(values, "%u ", slices[i]);
    }
    GString *out = gnuplot_script(format, 1000, 85 + 315 * ((n + 2) / 3));
    g_autofree char *unit = *map->unit_name ? g_strdup_printf(" (%s)", map->unit_name + 1) : g_strdup("");
    gnuplot_set(out, "title =", title);
    gnuplot_set(out, "slices =", values->str);
    gnuplot_set(out, "unit =", unit);
    gnuplot_set(out, "p_unit =", map->unit_name);
    g_string_append_printf(out, "side = %u\n", map->side);
    gnuplot_data(out, "cells", cells->str);
    gnuplot_data(out, "names", names->str);
    gnuplot_append(out, "regions");
    return g_string_free(out, FALSE);
}

/* --- options, and the patterns that they require --- */

static char *pattern_given;

static const Listing *listing_of(const CommandLine *line, const Pattern *pattern)
{
    return pattern_theory(pattern)->listings[line->command->listing];
}

static gboolean listing_refuse(const char *option, const char *text, const char *with, const char *name, GError **error)
{
    return input_refuse(error, "%s: '%s' is not allowed here; allowed: with %s%s", option, text, with, name);
}

/* Whether the command takes `key` for the pattern. Patterns without a listing take the keys of the hull. */
static gboolean goes_with(const CommandLine *line, const Pattern *pattern, const char *key)
{
    static const char *const of_hull[] = {"machine", "dimension", "processors", "group", "bytes", NULL};
    return listing_of(line, pattern) ? key_is_taken(keys_find(key), pattern, TAKES_ANYTHING)
                                     : g_strv_contains(of_hull, key);
}

static gboolean listing_check_key(const CommandLine *line, const Pattern *pattern, const char *key, GError **error)
{
    const Value *value = scenario_value(line->scenario, key);
    if (!value || g_str_has_prefix(value->origin, "--set ") || goes_with(line, pattern, key))
        return TRUE;
    if (pattern_theory(pattern)->size_key)
        return listing_refuse(value->origin, value->text, "other patterns than ", pattern->name, error);
    guint i = 0;
    while (!listing_of(line, pattern_nth(i)) || !goes_with(line, pattern_nth(i), key))
        i++;
    return listing_refuse(value->origin, value->text, "--pattern ", pattern_nth(i)->name, error);
}

/* Refuses options and keys that only other patterns take, and a missing --bytes. */
static gboolean listing_check_options(const CommandLine *line, const Pattern *pattern, GError **error)
{
    const Listing *own = listing_of(line, pattern);
    for (guint i = 0; i < pattern_count(); i++) {
        const Listing *listing = listing_of(line, pattern_nth(i));
        for (const GOptionEntry *o = listing && listing != own ? listing->options : NULL; o && o->long_name; o++) {
            g_autofree char *option = g_strconcat("--", o->long_name, NULL);
            const char *text = *(char **)o->arg_data;
            if (text)
                return listing_refuse(option, text, "--pattern ", pattern_nth(i)->name, error);
        }
    }
    if (!pattern_theory(pattern)->size_key && !scenario_get(line->scenario, "bytes"))
        return input_refuse(error, "--bytes is missing");
    for (guint i = 0; i < keys_count(); i++)
        if (!listing_check_key(line, pattern, keys_nth(i)->name, error))
            return FALSE;
    return TRUE;
}

/* Returns the pattern that --pattern names; without --pattern, pattern_default(). --pattern may name the default only
 * if the command has no listing of its own for it. NULL with an error. */
static const Pattern *listing_find_pattern(const CommandLine *line, GError **error)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (guint i = 0; i < pattern_count(); i++)
        if ((listing_of(line, pattern_nth(i)) != NULL) != (pattern_nth(i) == pattern_default()))
            g_strv_builder_add(builder, pattern_nth(i)->name);
    g_auto(GStrv) names = g_strv_builder_end(builder);
    if (!pattern_given)
        return pattern_default();
    gboolean ok = input_parse_choice("--pattern", pattern_given, (const char *const *)names, &(guint){0}, error);
    return ok ? pattern_find("--pattern", pattern_given, error) : NULL;
}

static const char *const needed[] = {"machine", NULL};

/* --- listings --- */

static char *listing_script(const Sheet *sheet, PlotFormat format)
{
    return sheet->map.side ? map_script(&sheet->map, sheet->title, format)
                           : bars_script(sheet->title, sheet->bars, sheet->bound_words, format);
}

/* Appends which costs of the machine are in no formula. `all_ports`: the listing has formulas for all ports, too. */
static void append_left_out(GString *text, const Machine *machine, gboolean all_ports)
{
    if (machine->packet && machine->packet_lambda_ps != MACHINE_UNSET)
        g_string_append(text, "Formulas have one start-up for all packets: lambda_packet is not in these times, but in "
                              "those of ecube run.\n");
    if (machine->ports_overlap < 100 && (all_ports || machine_takes_turns(machine)))
        g_string_append(text, "Formulas have ports that work side by side: ports_overlap is not in these times, but in "
                              "those of ecube run.\n");
}

/* --- prices --- */

#define SIMULATED_DIMENSION_MAX 10      /* largest dimension of a cube that price_run() simulates, in seconds */

/* Whether messages of the schedule may wait on the machine, so that its contention-free time may be too short. */
static gboolean may_wait(const Schedule *schedule, const Machine *machine)
{
    gboolean in_pairs = machine->duplex == DUPLEX_FULL ||
                        (machine->duplex == DUPLEX_SYNCHRONIZED && machine->pairwise_sync);
    return schedule_contends(schedule) || machine_shares_channels(machine) || !in_pairs || machine->start_skew_ps > 0 ||
           machine->switching == SWITCHING_STORE_AND_FORWARD;
}

/* Returns the name of a run among those of the pattern: "sbt", "multiphase 2,2", "hybrid 3". Interned. */
static const char *run_label(const Run *run)
{
    const Problem *problem = &run->problem;
    g_autofree char *phases = partition_format(&problem->partition);
    GString *label = g_string_new(problem->algorithm->name);
    if (problem->algorithm->takes & TAKES_PARTITION)
        g_string_append_printf(label, " %s", phases);
    if (problem->algorithm->takes & TAKES_ACCUMULATE)
        g_string_append_printf(label, " %u", problem->accumulate);
    const char *interned = g_intern_string(label->str);
    g_string_free(label, TRUE);
    return interned;
}

/* Prices a run by its contention-free time. Simulates it instead if messages may wait and the cube is not too large. */
static Priced price_run(const Run *run)
{
    const Machine *machine = run->machine;
    Priced priced = {run_label(run), machine->packet, -1, -1, FALSE};
    if (!published_time(run, &priced.published_ps, NULL))
        priced.published_ps = -1;
    if (!run_check(run, NULL))
        return priced;
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    priced.ps = price_time(schedule, machine);
    priced.may_wait = may_wait(schedule, machine);
    RunResult result;
    if (priced.may_wait && schedule->dimension <= SIMULATED_DIMENSION_MAX && run_execute(run, &result, NULL, NULL)) {
        priced.ps = result.data_ok ? result.simulated_ps : -1;
        priced.may_wait = FALSE;
    }
    return priced;
}

/* Returns the count of the constant, plus the counts of those that replace it in short or long messages. */
static gint64 sum_of_pieces(const gint64 *counts, int constant)
{
    gint64 sum = counts[constant];
    for (guint i = 0; i < constants_count(); i++)
        sum += constant_replaced(i) == constant ? counts[i] : 0;
    return sum;
}

/* Fills in a run's time, start-ups, bytes and operations, for Sheet.price. FALSE: the run is refused, or takes
 * INPUT_TIME_MAX_PS or longer. */
static gboolean price_counted(const Run *run, RunPrice *counted)
{
    gint64 counts[MACHINE_KEYS_MAX];
    if (run->refused || !run_check(run, NULL))
        return FALSE;
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    *counted = (RunPrice){.ps = price_counts(schedule, run->machine, counts)};
    counted->startups = sum_of_pieces(counts, constant_find("lambda"));
    counted->bytes = sum_of_pieces(counts, constant_find("tau"));
    counted->operations = counts[constant_find("flop")];
    return counted->ps < INPUT_TIME_MAX_PS;
}

/* Sets `key` to `values`, unless the scenario has the key, or no algorithm of the pattern takes it. */
static gboolean set_all_values(const CommandLine *line, const Pattern *pattern, guint takes, const char *key,
                               const char *values, GError **error)
{
    gboolean taken = FALSE;
    const Pattern *own = pattern->algorithms ? pattern : pattern->reverse;
    for (guint i = 0; own->algorithms[i]; i++)
        taken |= (own->algorithms[i]->takes & takes) != 0;
    return !taken || scenario_get(line->scenario, key) || scenario_set(line->scenario, key, values, key, error);
}

/* Whether the algorithm, on several ports, has a form whose messages take turns at 2 to 8 of them. */
static gboolean takes_turns(const Algorithm *algorithm, const Pattern *pattern)
{
    return algorithm_find("", pattern, TRUE, algorithm->name, NULL)->n_port == N_PORT_IN_TURNS;
}

/* Appends the prices of all algorithms of the pattern that can run the scenario. Sets the scenario's keys as
 * listing_prices() does. With `one_port` prices only algorithms whose messages take turns at 2 to 8 ports, in their
 * forms for one port, which may be faster: "sbt on one port". */
static gboolean price_forms(const CommandLine *line, const Pattern *pattern, gboolean one_port, GArray *priced,
                            GError **error)
{
    g_autoptr(Resolver) resolver = resolver_new(data_platforms(), SCENARIO_TIMED);
    g_autofree char *names = command_algorithms(line->scenario, pattern);
    g_autofree char *steps = g_strdup_printf("0:%s:1", scenario_get(line->scenario, "dimension") ?: "0");
    if (scenario_get(line->scenario, "algorithm"))
        scenario_replace(line->scenario, "algorithm", names);
    else if (!scenario_set(line->scenario, "algorithm", names, "algorithm", error))
        return FALSE;
    if (!set_all_values(line, pattern, TAKES_PARTITION, "partition", "equal", error) ||
        !set_all_values(line, pattern, TAKES_ACCUMULATE, "accumulate", steps, error))
        return FALSE;
    const Request *request = resolver_scenario(resolver, line->scenario, error);
    for (guint i = 0; request && i < request_n_runs(request); i++) {
        Run run;
        Machine machine;
        if (!request_run(request, i, &run, &machine, NULL) || run.refused)
            continue;
        if (one_port && !takes_turns(run.problem.algorithm, pattern))
            continue;
        Priced one = price_run(&run);
        g_autofree char *alone = g_strconcat(one.algorithm, " on one port", NULL);
        one.algorithm = one_port ? g_intern_string(alone) : one.algorithm;
        g_array_append_val(priced, one);
    }
    return request != NULL;
}

GArray *listing_prices(const CommandLine *line, const Pattern *pattern, GError **error)
{
    g_autoptr(Resolver) resolver = resolver_new(data_platforms(), SCENARIO_TIMED);
    g_autoptr(GArray) priced = g_array_new(FALSE, FALSE, sizeof(Priced));
    const Machine *machine = resolver_machine(resolver, line->scenario, error);
    gboolean ok = machine && price_forms(line, pattern, FALSE, priced, error);
    if (ok && machine_rails(machine->ports) > 1) {
        CommandLine alone = *line;
        alone.scenario = scenario_copy(line->scenario);
        if (scenario_get(alone.scenario, "ports"))
            scenario_replace(alone.scenario, "ports", "one");
        else
            ok = scenario_set(alone.scenario, "ports", "one", "ports", error);
        ok = ok && price_forms(&alone, pattern, TRUE, priced, error);
        scenario_free(alone.scenario);
    }
    return ok ? g_steal_pointer(&priced) : NULL;
}

#define SEARCHED_BYTES_MAX ((gint64)1 << 20)     /* largest block size of search_up_to() */
#define SEARCHED_DIMENSION_MAX 7                 /* largest cube of search_up_to(), which prices all algorithms up to
                                                  * 40 times */

/* Sets the scenario's bytes to `bytes` and returns the best algorithm for them. NULL: none has a price. Interned. */
static const char *listing_best_at(const CommandLine *line, const Pattern *pattern, gint64 bytes)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, bytes);
    scenario_replace(line->scenario, "bytes", text);
    g_autoptr(GArray) priced = listing_prices(line, pattern, NULL);
    int best = priced ? ranking_best(priced) : -1;
    return best < 0 ? NULL : g_array_index(priced, Priced, best).algorithm;
}

/* Sets the sheet's `up_to`, the size up to which the best algorithm at `bytes` stays the best, and `then`, the best
 * algorithm beyond. Doubles the size until another algorithm is the best, then halves the interval. Sizes are multiples
 * of `element`. Restores the scenario's bytes. */
static void search_up_to(const CommandLine *line, const Pattern *pattern, gint64 bytes, gint64 element, Sheet *sheet)
{
    g_autofree char *asked = g_strdup(scenario_get(line->scenario, "bytes"));
    const char *best = bytes ? listing_best_at(line, pattern, bytes) : NULL, *then = best;
    gint64 from = bytes / element, to = from;
    while (then == best && best && to < SEARCHED_BYTES_MAX / element) {
        from = to;
        to = MIN(2 * to, SEARCHED_BYTES_MAX / element);
        then = listing_best_at(line, pattern, to * element);
    }
    while (then && then != best && to - from > 1) {
        gint64 middle = from + (to - from) / 2;
        const char *there = listing_best_at(line, pattern, middle * element);
        if (there == best)
            from = middle;
        else {
            to = middle;
            then = there;
        }
    }
    if (best && then) {
        sheet->up_to = (then == best ? to : from) * element;
        sheet->then = then == best ? NULL : then;
    }
    scenario_replace(line->scenario, "bytes", asked);
}

/* Refuses processors, and networks with shared channels, that are no cube. Refuses dimensions that the listing does not
 * take. `processors` is the text of --processors, or NULL. */
static gboolean check_cube(const Request *request, const Listing *listing, const char *processors, GError **error)
{
    const Group *group = problem_group(&request->problem);
    guint least = listing->least_dimension, most = listing->searches ? LISTING_PRICES_CUBE_MAX : MACHINE_DIMENSION_MAX;
    g_autofree char *dimension = g_strdup_printf("%u", group->dimension);
    if (!group->binary)
        return input_refuse(error, "--processors: '%s' is not allowed here; allowed: a cube, by its dimension "
                            "(--dimension D)", group->name);
    if (request->machine && !query_check_network(request->machine, group->n, "this question", error))
        return FALSE;
    if (processors && (group->dimension < least || group->dimension > most))
        return input_refuse(error, "--processors: '%s' is not allowed here; allowed: powers of two from %u to %u",
                            processors, 1u << least, 1u << most);
    return input_parse_count("--dimension", dimension, least, most, &(gint64){0}, error);
}

/* Fills in the sheet by the pattern's own listing, for the request in the scenario. */
static gboolean list_request(const CommandLine *line, Resolver *resolver, const Pattern *pattern, Sheet *sheet,
                             GError **error)
{
    const Listing *listing = listing_of(line, pattern);
    const char *shuffle = query_options.direct_shuffle, *model = query_options.model;
    const char *family = query_options.family;
    guint number = 0;
    if ((family && !listing_refuse("--family", family, "--pattern ", pattern_default()->name, error)) ||
        (shuffle && !listing_refuse("--direct-shuffle", shuffle, "--pattern ", pattern_default()->name, error)) ||
        (model && !input_parse_choice("--model", model, listing->models, &number, error)) ||
        (listing->best_packets && !scenario_get(line->scenario, "packet") &&
         !scenario_set(line->scenario, "packet", "optimal", "packet", error)) ||
        !scenario_set(line->scenario, "pattern", pattern->name, "--pattern", error))
        return FALSE;
    const Request *request = resolver_scenario(resolver, line->scenario, error);
    if (!request || !check_cube(request, listing, scenario_get(line->scenario, "processors"), error) ||
        (listing->best_packets && !query_check_costs(request->machine, error)))
        return FALSE;
    model = listing->models ? listing->models[number] : "published";
    sheet->counted = strcmp(model, "counted") == 0;
    sheet->contention_free = strcmp(model, "contention-free") == 0;
    sheet->price = price_counted;
    if (sheet->contention_free && listing->prices && !(sheet->priced = listing_prices(line, pattern, error)))
        return FALSE;
    /* short_limit and long_limit make times jump: search_up_to() could miss sizes where another algorithm is best */
    gboolean straight = !machine_has_limits(request->machine);
    if (listing->searches && straight && request->problem.dimension <= SEARCHED_DIMENSION_MAX)
        search_up_to(line, pattern, g_array_index(request->bytes, gint64, 0), request->element, sheet);
    command_note_read("machine", request->machine->path);
    if (!listing->list(request, sheet, error))
        return FALSE;
    query_warn_doubt(request->machine);
    if (sheet->format == FORMAT_TABLE)
        append_left_out(sheet->text, request->machine, line->command->listing == LISTING_TABLES);
    return TRUE;
}

static gboolean listing_write(const CommandLine *line, const Pattern *pattern, GError **error)
{
    g_autoptr(Resolver) resolver = resolver_new(data_platforms(), SCENARIO_FORMULA);
    g_auto(Sheet) sheet;
    sheet_init(&sheet, line->format);
    return (listing_of(line, pattern) ? list_request(line, resolver, pattern, &sheet, error)
                                      : query_list(line, resolver, pattern, &sheet, error)) &&
           command_check_outputs(line, error) &&
           command_draw(line, line->figure ? listing_script(&sheet, line->figure_format) : NULL, error) &&
           output_write(NULL, sheet.text->str, error);
}

static gboolean print_listing(const CommandLine *line, GError **error)
{
    const Pattern *pattern = listing_find_pattern(line, error);
    return pattern && listing_check_options(line, pattern, error) && listing_write(line, pattern, error);
}

/* --- best --- */

static const char *const best_keys[] = {"machine", "packet", "ports", "dimension", "processors", "group",
                                        "element", "bytes", NULL};
static const GOptionEntry best_options[] = {
    QUERY_MODEL("; of permutations also counted (the right counts), of matrices published is the default",
                     QUERY_MODELS "|counted"), QUERY_FAMILY, COMMAND_FORMAT,
    {"pattern", 0, 0, G_OPTION_ARG_STRING, &pattern_given,
     "Pattern to compare algorithms of; default: complete-exchange",
     "complete-exchange|broadcast|reduction|all-broadcast|reduce-scatter|allreduce|scatter|gather|permutation|matmul"},
    COMMAND_FIGURE("the candidates' times"),
    COMMAND_LISTED, {0},
};

const Command command_best = {
    .name = "best", .summary = "which partition to use; which algorithm, for other patterns",
    .usage = "--machine M --dimension D --bytes M",
    .help = "Names the partition to use for the complete exchange of one block size, its time and\n"
            "what Standard and Direct would cost, and for which sizes it is best; with --model published\n"
            "also what Nicol & Bokhari's bounds (1994, sec. 3) say, which are about that model.\n"
            "With --pattern permutation, the algorithm to use for a permutation of address bits: all that\n"
            "there are, by what ecube run takes, simulated where messages may wait, up to d = 10; beside\n"
            "it Table 2 of Ho & Johnsson 1988, which --model published ranks by, and the lower bound; each\n"
            "with the packet that is best for it, unless --packet says another. With --pattern matmul,\n"
            "the algorithms that multiply matrices of a shape, each on its best grid, best first, by\n"
            "Tables 6 to 11 of Johnsson & Ho 1987, which have neither handshakes nor barriers; with\n"
            "--model contention-free all algorithms, by the times of ecube run, up to d = 7.\n"
            "With --pattern broadcast, reduction, all-broadcast, reduce-scatter, allreduce, scatter or\n"
            "gather, up to d = 8, all algorithms, each with its best packet, by what ecube run takes;\n"
            "and, up to d = 7, for which larger sizes the best one stays the best.\n\n"
            "Examples: ecube best -m ipsc860 -d 6 -b 32\n"
            "          ecube best -m ipsc860 -d 6 -b 32 --figure best.svg\n"
            "          ecube best -m ipsc860 -s topology=crossbar -n 12 -b 32\n"
            "          ecube best -m ncube2 -d 6 -b 1000 --pattern permutation --permutation bit-reversal\n"
            "          ecube best -m johnsson1987 -d 4 --pattern matmul --shape 64x64x64\n"
            "          ecube best -m johnsson1987 -d 4 --pattern broadcast -b 1000",
    .keys = best_keys, .needed = needed, .options = best_options, .listing = LISTING_BEST, .run = print_listing};

/* --- tables --- */

static const char *const tables_keys[] = {"machine", "packet", "dimension", "processors", "element", "bytes", NULL};
static const GOptionEntry tables_options[] = {
    {"pattern", 0, 0, G_OPTION_ARG_STRING, &pattern_given, "Tables 5-12: matrix multiplication", "matmul"},
    COMMAND_LISTED, COMMAND_FORMAT, {0},
};

const Command command_tables = {
    .name = "tables", .summary = "the tables of Johnsson & Ho 1987", .usage = "--machine M --dimension D --bytes M",
    .help = "Prints Tables 1-4 of Johnsson & Ho 1987, broadcasting and personalized communication\n"
            "on spanning graphs, as printed, for the machine's lambda and tau alone: distances,\n"
            "handshakes and barriers are not in them. Beside the published time stand the time\n"
            "by the right count, a lower bound for algorithms between neighbours, and how good\n"
            "the entry is. A dash for B: a message is one packet, whatever its size.\n\n"
            "With --pattern matmul, Tables 5-12, matrix multiplication: on columns and on rows of\n"
            "processors, and on the grid that is best for each algorithm, unless --grid says another.\n"
            "If the machine does not limit packets they are the best ones (T_min of Table 11).\n\n"
            "Examples: ecube tables -m ncube2 -d 5 -b 1000 --packet optimal\n"
            "          ecube tables -m johnsson1987 -d 4 --pattern matmul --shape 64x64x64",
    .keys = tables_keys, .needed = needed, .options = tables_options, .listing = LISTING_TABLES,
    .run = print_listing};

/* --- regions --- */

/* Prints the regions of the first pattern that has a listing of regions. */
static gboolean print_regions(const CommandLine *line, GError **error)
{
    guint i = 0;
    while (!pattern_theory(pattern_nth(i))->listings[LISTING_REGIONS])
        i++;
    return listing_write(line, pattern_nth(i), error);
}

static const char *const regions_keys[] = {"machine", "packet", "ports", "dimension", "processors", "element", NULL};
static const GOptionEntry regions_options[] = {
    COMMAND_LISTED, COMMAND_FORMAT, COMMAND_FIGURE("the map, P in slices"), {0},
};

const Command command_regions = {
    .name = "regions", .summary = "which algorithm multiplies matrices best, by shape",
    .usage = "--machine M --dimension D",
    .help = "Counts for how many of 16^3 shapes each algorithm multiplies matrices in the least time; as CSV or\n"
            "JSON names, for all P x Q x R of 16^3 shapes, the algorithm that multiplies these matrices in the\n"
            "least time, and the second: the maps of Johnsson & Ho 1987, figures 11-14, 20-23, 25 and 26.\n"
            "p, q, r are P, Q, R in units. Packets are the best ones if the machine does not limit them,\n"
            "which with n ports is T_min of Table 11. Of algorithms that take as long the first is best.\n\n"
            "Example: ecube regions -m johnsson1987:equal -d 4 --grid column\n"
            "         ecube regions -m johnsson1987 -d 7 --figure map.svg",
    .keys = regions_keys, .needed = needed, .options = regions_options, .listing = LISTING_REGIONS,
    .run = print_regions};
