/* ecube compare: compares the hull's promise with simulation, or its choice with measured times. */
#include "compare.h"
#include "sim/fit/regret.h"
#include "models/hull_bound.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/registry.h"
#include "sim/replay/price.h"
#include "sim/text/input.h"
#include "sim/run/data.h"
#include "sim/run/estimate.h"
#include "sim/run/record.h"
#include "sim/text/message.h"

#include <math.h>
#include <string.h>

static HullChoice family;       /* HULL_MIXED: partitions; HULL_OFFSETS, HULL_RINGS: lists of offsets */
static char **measured;         /* files of measured times, NULL-terminated; NULL: there are none */

/* --- running the candidates --- */

/* The choice of the hull for one size. */
typedef struct {
    Phases partition;
    const char *offsets;        /* list of offsets, interned; NULL: the choice is `partition` */
    double promise_ps;          /* time of the choice on its line of the hull */
    double bound_ps;            /* lower bound on the time of exchanges; 0: there is none */
} SizeChoice;

/* Whether tables have a lower bound: they do if candidates are lists of offsets, and on congested meshes. */
static gboolean has_bound(const Run *run)
{
    return family != HULL_MIXED || congested_applies(run->machine, problem_group(&run->problem));
}

/* Returns the run's machine over SimGrid's flows, which are simulated with full duplex only. */
static Machine machine_of_flows(const Run *run)
{
    Machine flows = *run->machine;
    flows.switching = SWITCHING_FLUID;
    flows.duplex = DUPLEX_FULL;
    return flows;
}

/* Whether the run can be simulated over SimGrid's flows. */
static gboolean has_flows(const Run *run)
{
    const Machine flows = machine_of_flows(run);
    return machine_check_keys(&flows, NULL) && machine_check_size(&flows, problem_n_nodes(&run->problem), NULL);
}

static SizeChoice choose(const Run *run)
{
    double bytes = (double)run->problem.data.bytes;
    g_autoptr(Hull) bound = has_bound(run) ? hull_bound(run->machine, problem_group(&run->problem)) : NULL;
    double bound_ps = bound ? exchange_line_at(hull_lookup(bound, bytes)->line, bytes) : 0;
    if (family == HULL_MIXED) {
        RegretChoice choice = regret_choice(run->machine, run);
        return (SizeChoice){choice.partition, NULL, choice.promise_ps, bound_ps};
    }
    g_autoptr(Hull) hull = hull_at(run->machine, problem_group(&run->problem), family, bytes);
    const HullFace *face = hull_lookup(hull, bytes);
    g_autoptr(Offsets) offsets = hull_offsets(face, problem_group(&run->problem));
    g_autofree char *text = offsets_format(offsets);
    return (SizeChoice){{0}, g_intern_string(text), exchange_line_at(face->line, bytes), bound_ps};
}

static gboolean is_choice(const Run *run, const SizeChoice *choice)
{
    return choice->offsets ? g_strcmp0(run->problem.offsets, choice->offsets) == 0
                           : regret_is_choice(run, &choice->partition);
}

/* Returns `other` with the algorithm, partition and offsets of the choice. */
static Run run_of_choice(const Run *other, const SizeChoice *choice)
{
    Run run = *other;
    const Pattern *pattern = run.problem.pattern;
    run.problem.algorithm = family == HULL_MIXED
                                ? regret_algorithm(&run)
                                : algorithm_find("", pattern, run.machine->ports == PORTS_ALL,
                                                 pattern->hull[HULL_OF_OFFSETS], NULL);
    run.problem.partition = choice->partition;
    run.problem.offsets = choice->offsets;
    return run;
}

#define NONE G_MAXUINT

typedef struct {
    Run run;
    RunResult result;           /* result by the machine's own switching */
    RunResult fluid;            /* result over SimGrid's flows: full duplex, without store-and-forward; equal to
                                 * `result` if has_flows() is FALSE */
    gboolean is_hull;           /* whether it is the hull's choice; exactly one candidate of each size is */
    gboolean gathers_free;      /* whether the run gains by gathering at no cost (gathers_free()) */
    gint64 promise_ps;          /* time of the size's hull choice, on its line of the hull */
    double bound_ps;            /* lower bound (ps) on the time of any exchange of this size; 0: unknown */
    guint best, best_free;      /* index of this size's fastest candidate without gathers_free, and with it; NONE: no
                                 * such candidate has a time. Of equally fast candidates the hull's choice, else the
                                 * first */
    gboolean failed;            /* whether it came to no result; result.fault says why. FALSE for the hull's choice,
                                 * whose failure ends the command */
} Candidate;

static gboolean candidate_execute(const Run *run, RunResult *result, GError **error)
{
    return run_check(run, error) && run_execute(run, result, NULL, error);
}

/* Whether gathering costs nothing here, and the run would take longer if it cost as much as a shuffle. FALSE for
 * lists of offsets and for radices, because all exchanges in their hulls gather. */
static gboolean gathers_free(const Run *run, gint64 contention_free_ps)
{
    Machine machine = *run->machine;
    Problem problem = run->problem;
    if (family != HULL_MIXED || !problem_group(&problem)->binary || problem.gathering.how != GATHER_FREE)
        return FALSE;
    machine.gather_fs_per_byte = machine.rho_fs_per_byte;
    problem.gathering.gather_ps_per_byte = machine_byte_ps(machine.rho_fs_per_byte);
    problem.gathering.how = GATHER_COPY;
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    return price_time(schedule, &machine) > contention_free_ps;
}

static gboolean add_candidate(GArray *candidates, const Run *run, const SizeChoice *choice, GError **error)
{
    Candidate candidate = {.run = *run, .promise_ps = llround(choice->promise_ps), .bound_ps = choice->bound_ps};
    candidate.is_hull = is_choice(run, choice);
    const Machine flows = machine_of_flows(run);
    Run fluid = *run;
    fluid.machine = &flows;
    g_autoptr(GError) failure = NULL;
    candidate.failed = !candidate_execute(run, &candidate.result, &failure);
    candidate.fluid = candidate.result;
    if (!candidate.failed && has_flows(run))
        candidate.failed = !candidate_execute(&fluid, &candidate.fluid, &failure);
    if (candidate.failed && candidate.is_hull) {
        g_propagate_error(error, g_steal_pointer(&failure));
        return FALSE;
    }
    if (candidate.failed)
        g_strlcpy(candidate.result.fault, failure->message, RUN_FAULT_MAX);
    else
        candidate.gathers_free = gathers_free(run, candidate.result.contention_free_ps);
    g_array_append_val(candidates, candidate);
    return TRUE;
}

/* Returns candidate i, or NULL if i is NONE. */
static Candidate *candidate_at(const GArray *candidates, guint i)
{
    return i == NONE ? NULL : &g_array_index(candidates, Candidate, i);
}

/* Whether the simulated time counts: the run came to a result and lost no data. */
static gboolean has_time(const Candidate *c)
{
    return !c->failed && c->result.data_ok;
}

/* Whether `c` is faster than `than`, or as fast and the hull's choice. `than` may be NULL. */
static gboolean is_better(const Candidate *c, const Candidate *than)
{
    gint64 ps = c->result.simulated_ps, least = than ? than->result.simulated_ps : G_MAXINT64;
    return ps < least || (ps == least && c->is_hull);
}

/* Returns the best candidate with gathers_free == `free` from number `first` on, or NONE if none has a time. */
static guint best_from(const GArray *candidates, guint first, gboolean free)
{
    guint best = NONE;
    for (guint i = first; i < candidates->len; i++) {
        const Candidate *c = candidate_at(candidates, i);
        if (has_time(c) && c->gathers_free == free && is_better(c, candidate_at(candidates, best)))
            best = i;
    }
    return best;
}

static void mark_best(GArray *candidates, guint first)
{
    guint best = best_from(candidates, first, FALSE), best_free = best_from(candidates, first, TRUE);
    for (guint i = first; i < candidates->len; i++) {
        candidate_at(candidates, i)->best = best;
        candidate_at(candidates, i)->best_free = best_free;
    }
}

/* Completes a size, whose candidates begin at `first`: adds the hull's choice if missing, marks the fastest. */
static gboolean complete_size(GArray *candidates, guint first, const SizeChoice *choice, GError **error)
{
    gboolean found = FALSE;
    for (guint i = first; i < candidates->len; i++) {
        candidate_at(candidates, i)->is_hull &= !found;
        found |= candidate_at(candidates, i)->is_hull;
    }
    if (!found) {
        Run run = run_of_choice(&candidate_at(candidates, first)->run, choice);
        if (!add_candidate(candidates, &run, choice, error))
            return FALSE;
    }
    mark_best(candidates, first);
    return TRUE;
}

/* Runs every candidate, size after size, and the hull's choice of each size. Returns a GArray of Candidate; NULL with
 * an error if a choice of the hull comes to no result. */
static GArray *run_candidates(const GArray *runs, GError **error)
{
    g_autoptr(GArray) candidates = g_array_new(FALSE, TRUE, sizeof(Candidate));
    guint first = 0;
    SizeChoice choice;
    for (guint i = 0; i < runs->len; i++) {
        const Run *run = &g_array_index(runs, Run, i);
        if (first == candidates->len)
            choice = choose(run);
        if (!add_candidate(candidates, run, &choice, error))
            return NULL;
        gboolean last = i + 1 == runs->len || run[1].problem.data.bytes != run->problem.data.bytes;
        if (last && !complete_size(candidates, first, &choice, error))
            return NULL;
        if (last)
            first = candidates->len;
    }
    return g_steal_pointer(&candidates);
}

/* Adds the regret of a candidate: by which fraction its time exceeds that of `best`. Adds 0 if both times are 0, and an
 * empty cell if one of them is missing. */
static void compare_add_regret(Table *table, const Candidate *candidate, const Candidate *best)
{
    gboolean applies = best && has_time(candidate);
    double time = (double)candidate->result.simulated_ps, least = applies ? (double)best->result.simulated_ps : 0;
    table_add_share_if(table, applies, least > 0 ? time / least - 1 : time > 0 ? INFINITY : 0);
}

/* --- tables --- */

/* --- every candidate --- */

static const Column candidate_columns[] = {
    {.name = "machine", .text = TRUE},
    {.name = "dimension"},
    {.name = "bytes", .heading = "bytes"},
    {.name = "algorithm", .heading = "algorithm", .text = TRUE},
    {.name = "partition", .heading = "partition", .text = TRUE},
    {.name = "hull", .heading = "hull"}, {.name = "best", .heading = "best"},
    {.name = "published_us", .heading = "published"}, {.name = "contention_free_us", .heading = "contention-free"},
    {.name = "simulated_us", .heading = "simulated"}, {.name = "contention_us", .heading = "contention"},
    {.name = "fluid_us", .heading = "fluid"},
    {.name = "messages"}, {.name = "blocked_messages", .heading = "blocked"}, {.name = "blocked_us"},
    {.name = "over_best", .heading = "over best"}, {.name = "data_ok"}, {.name = "overrides", .text = TRUE},
    {.name = "offsets", .text = TRUE}, {.name = "gathers_free", .heading = "gathers free", .optional = TRUE},
    {.name = "bound_us", .heading = "bound"}, {.name = "gap_percent", .heading = "over bound %"},
};

#define N_OF_BOUNDS 2           /* number of the last columns, which are left out without a bound */

static void add_mark(Table *table, gboolean marked)
{
    table_add_shown(table, marked ? "true" : "false", marked ? "*" : "");
}

/* Returns "3,3", "multiphase-linear 3,3", "1,2,4,8,15", "k = 23" or "naive". Caller frees. */
static char *candidate_name(const Candidate *c)
{
    const Problem *problem = &c->run.problem;
    g_autofree char *partition = partition_format(&problem->partition);
    if (problem->offsets)
        return key_for_people(keys_find("offsets"), problem->offsets);
    if (!*partition)
        return g_strdup(problem->algorithm->name);
    return regret_is_choice(&c->run, &problem->partition)
               ? g_steal_pointer(&partition) : g_strdup_printf("%s %s", problem->algorithm->name, partition);
}

#define N_RESULTS 9     /* number of cells from published_us to over_best */

static void add_results(Table *table, const Candidate *c, const Candidate *best)
{
    const RunResult *result = &c->result;
    record_add_published(table, &c->run);
    table_add_time(table, result->contention_free_ps);
    table_add_time_if(table, has_time(c), result->simulated_ps);
    table_add_time_if(table, has_time(c), result->simulated_ps - result->contention_free_ps);
    table_add_time_if(table, has_flows(&c->run), c->fluid.simulated_ps);
    table_addf(table, "%" G_GUINT64_FORMAT, result->network.messages);
    table_addf(table, "%" G_GUINT64_FORMAT, result->network.blocked);
    table_add_time(table, result->network.blocked_ps);
    compare_add_regret(table, c, best);
}

static void compare_add_bound(Table *table, const Candidate *c)
{
    gboolean bounded = c->bound_ps > 0;
    table_add_time_if(table, bounded, llround(c->bound_ps));
    table_add_percent_if(table, bounded && has_time(c), (double)c->result.simulated_ps / c->bound_ps - 1);
}

static void compare_add_row(Table *table, const Candidate *c, const Candidate *best, const char *overrides)
{
    g_autofree char *partition = partition_format(&c->run.problem.partition), *name = candidate_name(c);
    table_add(table, c->run.machine->spec);
    compare_add_place(table, problem_group(&c->run.problem), problem_group(&c->run.problem)->binary);
    table_addf(table, "%" G_GINT64_FORMAT, c->run.problem.data.bytes);
    table_add(table, c->run.problem.algorithm->name);
    table_add_shown(table, partition, c->run.problem.offsets ? name : NULL);
    add_mark(table, c->is_hull);
    add_mark(table, c == best);
    if (c->failed)
        table_add_nothing(table, N_RESULTS);
    else
        add_results(table, c, best);
    table_add(table, c->failed ? "failed" : c->result.data_ok && c->fluid.data_ok ? "true" : "false");
    table_add(table, overrides);
    table_add(table, c->run.problem.offsets);
    table_add_shown(table, c->gathers_free ? "true" : "false", c->gathers_free ? "*" : "-");
    if (has_bound(&c->run))
        compare_add_bound(table, c);
}

static char *candidates_text(const GArray *candidates, const char *overrides, Format format)
{
    const Run *run = &candidate_at(candidates, 0)->run;
    g_autoptr(Table) table =
        compare_table(candidate_columns, G_N_ELEMENTS(candidate_columns) - (has_bound(run) ? 0 : N_OF_BOUNDS),
                      problem_group(&run->problem)->binary);
    for (guint i = 0; i < candidates->len; i++) {
        const Candidate *c = candidate_at(candidates, i);
        compare_add_row(table, c, candidate_at(candidates, c->best), overrides);
    }
    return table_text(table, format);
}

/* --- one line per size --- */

static const Column summary_columns[] = {
    {.name = "bytes", .heading = "bytes"},
    {.name = "hull", .heading = "the hull says", .text = TRUE},
    {.name = "promise", .heading = "promise"}, {.name = "simulated", .heading = "simulated"},
    {.name = "best", .heading = "best simulated", .text = TRUE},
    {.name = "best_simulated", .heading = "its time"}, {.name = "regret", .heading = "regret"},
    {.name = "free", .heading = "if gathering is free", .text = TRUE, .optional = TRUE},
    {.name = "free_simulated", .heading = "its time", .optional = TRUE},
};

/* Adds the candidate's name and time, or empty cells if it is NULL or has no time. */
static void add_simulated(Table *table, const Candidate *c)
{
    g_autofree char *name = c && has_time(c) ? candidate_name(c) : NULL;
    table_add(table, name);
    table_add_time_if(table, name != NULL, name ? c->result.simulated_ps : 0);
}

static char *compare_summary_text(const GArray *candidates)
{
    g_autoptr(Table) table = table_new(summary_columns, G_N_ELEMENTS(summary_columns));
    for (guint i = 0; i < candidates->len; i++) {
        const Candidate *hull = candidate_at(candidates, i), *best = candidate_at(candidates, hull->best);
        if (!hull->is_hull)
            continue;
        g_autofree char *hull_name = candidate_name(hull);
        table_addf(table, "%" G_GINT64_FORMAT, hull->run.problem.data.bytes);
        table_add(table, hull_name);
        table_add_time(table, hull->promise_ps);
        table_add_time_if(table, has_time(hull), hull->result.simulated_ps);
        add_simulated(table, best);
        compare_add_regret(table, hull, best);
        add_simulated(table, candidate_at(candidates, hull->best_free));
    }
    return table_text(table, FORMAT_TABLE);
}

/* Returns the meaning of the mark `gathers free` if a candidate has it, else "". Caller frees. */
static char *gathers_free_note(const GArray *candidates)
{
    for (guint i = 0; i < candidates->len; i++)
        if (candidate_at(candidates, i)->gathers_free) {
            g_autofree char *rho = table_rate_short(candidate_at(candidates, i)->run.machine->rho_fs_per_byte);
            return g_strdup_printf("A candidate that gathers free sends memory that is not contiguous, which takes no "
                                   "time as gather_cost = 0, while a shuffle takes rho.\nIt is not called the best. "
                                   "With --set gather_cost=%s a byte costs the same in both.\n\n", rho);
        }
    return g_strdup("");
}

static char *people_text(const GArray *candidates, const char *overrides)
{
    const Run *run = &candidate_at(candidates, 0)->run;
    const Group *group = problem_group(&run->problem);
    g_autofree char *summary = compare_summary_text(candidates);
    g_autofree char *all = candidates_text(candidates, overrides, FORMAT_TABLE);
    g_autofree char *machine = input_printable(run->machine->spec);
    g_autofree char *place = compare_place_words(group), *note = gathers_free_note(candidates);
    g_autofree char *with = *overrides ? g_strdup_printf("With %s.\n", overrides) : g_strdup("");
    return g_strdup_printf("The hull of %s against simulation on %s, %s. Times in µs.\n%s\n%s\n%sEvery candidate:\n\n"
                           "%s", query_family_words(family != HULL_MIXED, group), machine, place, with, summary, note,
                           all);
}

/* --- the candidates --- */

/* Returns the scenario's pattern. NULL with an error if it is unknown or has no hull. */
static const Pattern *compare_find_pattern(const Scenario *scenario, GError **error)
{
    const char *name = scenario_get(scenario, "pattern");
    const Pattern *pattern = name ? pattern_find("pattern", name, error) : pattern_default();
    if (!pattern || pattern->hull)
        return pattern;
    return input_refuse(error, "pattern: '%s' has no hull to compare with; allowed: %s", name,
                        pattern_default()->name), NULL;
}

static gboolean check_whole(const Run *run, GError **error)
{
    g_autofree char *what = run_describe(run);
    return problem_has_hull(&run->problem) ||
           input_refuse(error, "%s: the hull is of the whole %s, and this is a part of it (use ecube run)", what,
                        run->problem.pattern->name);
}

static gboolean takes(const Pattern *pattern, const char *algorithms, guint what)
{
    g_auto(GStrv) names = input_split(algorithms, ",; \t");
    gboolean any = FALSE;
    for (guint i = 0; names[i]; i++) {
        const Algorithm *algorithm = algorithm_find("", pattern, FALSE, names[i], NULL);
        any |= algorithm && algorithm->takes & what;
    }
    return any;
}

/* Sets `key` to "all" if the scenario lacks it and has an algorithm with the flag `what` (TAKES_...). */
static gboolean default_all(Scenario *scenario, const Pattern *pattern, const char *key, guint what, GError **error)
{
    return scenario_get(scenario, key) || !takes(pattern, scenario_get(scenario, "algorithm"), what) ||
           scenario_set(scenario, key, "all", key, error);
}

/* Adds the defaults to the scenario: all algorithms, all partitions and --offsets all. */
static gboolean default_candidates(Scenario *scenario, GError **error)
{
    const Pattern *pattern = compare_find_pattern(scenario, error);
    if (!pattern)
        return FALSE;
    g_autofree char *all = command_algorithms(scenario, pattern);
    if (!scenario_get(scenario, "algorithm") && !scenario_set(scenario, "algorithm", all, "algorithm", error))
        return FALSE;
    return default_all(scenario, pattern, "partition", TAKES_PARTITION, error) &&
           default_all(scenario, pattern, "offsets", TAKES_OFFSETS, error);
}

static gboolean compare_report_failures(const GArray *candidates)
{
    gboolean ok = TRUE;
    for (guint i = 0; i < candidates->len; i++) {
        const Candidate *c = candidate_at(candidates, i);
        if (c->failed) {
            g_autofree char *what = run_describe(&c->run);
            message_print("%s: %s", what, c->result.fault);
        }
        ok &= !c->failed && (run_report_failure(&c->run, &c->result) & run_report_failure(&c->run, &c->fluid));
    }
    return ok;
}

/* --- the command --- */

static gboolean compare_scenario(const CommandLine *line, GError **error)
{
    if (!query_family(&family, error))
        return FALSE;
    if (measured)
        return family == HULL_MIXED
                   ? compare_measured(line, measured, error)
                   : input_refuse(error, "--family: '%s' is not allowed here; allowed: without --measured",
                                  query_options.family);
    if (line->format == FORMAT_RULES)
        return input_refuse(error, "--format: 'ecube' is not allowed here; allowed: with --measured");
    if (!default_candidates(line->scenario, error))
        return FALSE;
    g_autoptr(GArray) runs = command_runs(line, SCENARIO_TIMED, error);
    for (guint i = 0; runs && i < runs->len; i++) {
        const Run *run = &g_array_index(runs, Run, i);
        if (!query_check_times(run->machine, problem_group(&run->problem), error) || !check_whole(run, error))
            return FALSE;
    }
    if (!runs)
        return FALSE;
    const Run *first = &g_array_index(runs, Run, 0);
    family = query_default_choice(first->machine, problem_group(&first->problem), family);
    g_autoptr(GArray) candidates = run_candidates(runs, error);
    if (!candidates)
        return FALSE;
    query_warn_doubt(candidate_at(candidates, 0)->run.machine);
    g_autofree char *overrides = scenario_overrides(line->scenario);
    g_autofree char *text = line->format == FORMAT_TABLE ? people_text(candidates, overrides)
                                                         : candidates_text(candidates, overrides, line->format);
    return output_write(line->output, text, error) && compare_report_failures(candidates);
}

static const char *const formats[] = {"table", "csv", "json", "ecube", NULL};
static const GOptionEntry options[] = {
    {"measured", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &measured,
     "Measured times (`ecube fit --help`) that the hull is compared with, instead of simulated ones; may be repeated",
     "FILE"},
    QUERY_FAMILY,
    {"format", 'f', 0, G_OPTION_ARG_STRING, &command_line.format_name,
     "What the result is written as; ecube: with --measured, the rules that libecube-mpi reads",
     "table|csv|json|ecube"},
    COMMAND_OUTPUT, {0}};

const Command command_compare = {
    .name = "compare", .summary = "the hull's promise against simulation", .usage = "[SCENARIO]",
    .help = "For every size: what the hull of optimality says, what it costs in simulation,\n"
            "which candidate is best there, the regret of trusting the hull, and the contention of every\n"
            "candidate, beside the same schedules over SimGrid's flows. Candidates are the scenario's\n"
            "algorithms; by default all that the machine can run, with all partitions and the lists of\n"
            "--offsets all, which takes a second at d = 6, 15 at d = 8 and minutes from d = 9 on. A candidate\n"
            "that gathers what it sends is marked where that takes no time (gather_cost = 0), while a shuffle takes\n"
            "rho: it is not called the best. The hull is that of `ecube hull`. It knows no packets, no\n"
            "store-and-forward (nor do the flows) and no skewed start; trusting it where they are set is part\n"
            "of the regret. With --family offsets it is that of all lists of offsets known.\n\n"
            "With --measured the complete exchanges of these files are the candidates; -d or -n names one cube\n"
            "or number of processors of them. With --format ecube, what was measured best becomes rules,\n"
            "by which libecube-mpi.so replaces a program's MPI_Alltoall.\n\n"
            "Example: ecube compare -m ipsc860 -d 5 -b 32,100,400\n"
            "         ecube compare --measured measured.csv -m ./mine.ini\n"
            "         ecube compare --measured measured.csv --format ecube -o rules.ini",
    .options = options, .formats = formats, .run = compare_scenario};
