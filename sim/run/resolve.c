#include "resolve.h"
#include "sim/text/input.h"
#include "sim/patterns/published.h"
#include "sim/patterns/make.h"

#include <string.h>

struct Judge {
    const char *platforms;
    GPtrArray *files;           /* Machine *, without overrides */
    Machine machine;            /* machine with the scenario's overrides; borrows from its file */
    GPtrArray *copies;          /* Machine *, of the runs with packets of their own, of one scenario */
    Wish wish;
};

static void wish_init(Wish *wish, ScenarioUse use)
{
    *wish = (Wish){.use = use};
    wish->bytes = g_array_new(FALSE, FALSE, sizeof(gint64));
    wish->algorithms = g_ptr_array_new();
    wish->inapplicable = g_ptr_array_new();
    wish->partitions = g_array_new(FALSE, FALSE, sizeof(Partition));
    wish->offsets = g_ptr_array_new();
    wish->accumulates = g_array_new(FALSE, FALSE, sizeof(gint64));
}

static void wish_clear(Wish *wish)
{
    g_array_unref(wish->bytes);
    g_ptr_array_unref(wish->algorithms);
    g_ptr_array_unref(wish->inapplicable);
    g_array_unref(wish->partitions);
    g_ptr_array_unref(wish->offsets);
    g_array_unref(wish->accumulates);
}

Judge *judge_new(const char *platforms, ScenarioUse use)
{
    Judge *judge = g_new0(Judge, 1);
    judge->platforms = platforms;
    judge->files = g_ptr_array_new_with_free_func((GDestroyNotify)machine_free);
    judge->copies = g_ptr_array_new_with_free_func(g_free);
    wish_init(&judge->wish, use);
    return judge;
}

void judge_free(Judge *judge)
{
    g_ptr_array_unref(judge->files);
    g_ptr_array_unref(judge->copies);
    wish_clear(&judge->wish);
    g_free(judge);
}

GPtrArray *judge_files(const Judge *judge)
{
    GPtrArray *paths = g_ptr_array_new();
    for (guint i = 0; i < judge->files->len; i++)
        g_ptr_array_add(paths, ((const Machine *)g_ptr_array_index(judge->files, i))->path);
    return paths;
}

/* --- the machine --- */

/* Returns the machine name; a relative path in a scenario file is resolved against the folder of this file. Caller
 * frees. */
static char *anchored(const Value *name)
{
    if (!name->folder || !machine_is_path(name->text) || g_path_is_absolute(name->text))
        return g_strdup(name->text);
    return g_build_filename(name->folder, name->text, NULL);
}

static const Machine *read_file(Judge *judge, const Value *name, GError **error)
{
    g_autofree char *spec = anchored(name);
    for (guint i = 0; i < judge->files->len; i++) {
        const Machine *file = g_ptr_array_index(judge->files, i);
        if (strcmp(file->spec, spec) == 0)
            return file;
    }
    Machine *file = machine_read(judge->platforms, name->origin, spec, error);
    if (file)
        g_ptr_array_add(judge->files, file);
    return file;
}

/* Refuses a missing or empty value of a key that the command needs. */
static gboolean require(const Key *key, const Value *value, GError **error)
{
    if (value && *value->text)
        return TRUE;
    return input_refuse(error, "%s: is missing; give --%s, or %s = ... in a scenario",
                        value ? value->origin : key->name, key->name, key->name);
}

/* Fills in the texts of the scenario's overrides by index of machine_keys[]; NULL: no override. An optimal packet is
 * none: each run has its own. */
static gboolean find_overrides(const Scenario *scenario, const char **texts, GError **error)
{
    for (guint i = 0; machine_keys[i].name; i++) {
        const char *key = machine_keys[i].name;
        const Value *value = scenario_value(scenario, key);
        gboolean packet = strcmp(key, "packet") == 0;
        if (value && !(packet ? wish_check_packet(value, error)
                              : machine_check_key(value->origin, key, value->text, error)))
            return FALSE;
        texts[i] = value && !(packet && wish_is_optimal(value)) ? value->text : NULL;
    }
    return TRUE;
}

const Machine *judge_machine(Judge *judge, const Scenario *scenario, GError **error)
{
    const Value *name = scenario_value(scenario, "machine");
    const char *texts[MACHINE_KEYS_MAX];
    if (!require(keys_find("machine"), name, error) || !find_overrides(scenario, texts, error))
        return NULL;
    const Machine *file = read_file(judge, name, error);
    return file && machine_override(file, texts, &judge->machine, error) ? &judge->machine : NULL;
}

/* Finds the machine. Without times none is needed, except the network of a named machine with a number of processors:
 * the schedules then are the same as those of a run. */
static gboolean find_machine(Judge *judge, const Scenario *scenario, GError **error)
{
    gboolean timed = judge->wish.use != SCENARIO_DATA;
    gboolean needed = timed || (scenario_value(scenario, "machine") && scenario_value(scenario, "processors"));
    const Machine *machine = needed ? judge_machine(judge, scenario, error) : NULL;
    judge->wish.machine = timed ? machine : NULL;
    judge->wish.on_cube = machine && machine_is_cube(machine);
    return machine || !needed;
}

/* --- the other keys --- */

/* Refuses a list or range for a key that takes one value; sweeps have expanded it before. */
static gboolean wish_check_single(const Key *key, const Value *value, ScenarioUse use, GError **error)
{
    gboolean allowed = key->is_list && use != SCENARIO_FORMULA;
    gboolean several = key->kind == KEY_NUMBER && strchr(value->text, ':');
    for (const char *c = value->text; *c; c++)
        several |= !g_ascii_isspace(*c) && strchr(key_separators(key), *c);
    return !several || allowed ||
           input_refuse(error, "%s: '%s' is not allowed; allowed: one value here, and several in `ecube sweep`",
                        value->origin, value->text);
}

static gboolean is_taken_by_any(const Wish *wish, const Key *key)
{
    gboolean taken = FALSE;
    for (guint i = 0; i < wish->algorithms->len; i++)
        taken |= key_is_taken(key, wish->problem.pattern, wish_takes(wish, g_ptr_array_index(wish->algorithms, i)));
    return taken;
}

/* Whether the pattern or the algorithms take the key. An axis is read before the algorithms are known; the pattern
 * alone decides. */
static gboolean is_taken(const Wish *wish, const Key *key)
{
    return key->of_algorithm && key->is_list ? is_taken_by_any(wish, key)
                                             : key_is_taken(key, wish->problem.pattern, TAKES_ANYTHING);
}

/* Refuses a value that nothing takes. If the routing does not take it, TRUE: only the runs of this routing are refused,
 * since others may follow. */
static gboolean refuse_key(const Key *key, const Value *value, Wish *wish, GError **error)
{
    const Algorithm *routing = problem_routing(&wish->problem);
    gboolean of_routing = FALSE;
    for (guint i = 0; key->of_algorithm & TAKES_ACCUMULATE && i < wish->algorithms->len; i++)
        of_routing |= wish_takes(wish, g_ptr_array_index(wish->algorithms, i)) & TAKES_ROUTING ? TRUE : FALSE;
    g_autofree char *takers = key_takers(key, of_routing);
    g_autofree char *who = !key_is_taken(key, wish->problem.pattern, TAKES_ANYTHING)
                               ? g_strdup_printf("%s does not take it", wish->problem.pattern->name)
                           : of_routing ? g_strdup_printf("the routing %s does not take it", routing->name)
                                        : g_strdup("none of the algorithms takes it");
    g_autoptr(GError) refusal = NULL;
    input_refuse(&refusal, "%s: '%s' is given, but %s; allowed: with %s", value->origin, value->text, who,
                 *takers ? takers : "no algorithm");
    if (of_routing)
        wish->refused = g_intern_string(refusal->message);
    else
        g_propagate_error(error, g_steal_pointer(&refusal));
    return of_routing;
}

/* Refuses axes that no algorithm takes. */
static gboolean check_axes(Wish *wish, const Scenario *scenario, GError **error)
{
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        const Value *value = scenario_value(scenario, key->name);
        if (value && !key->is_list && !is_taken_by_any(wish, key))
            return refuse_key(key, value, wish, error);
    }
    return TRUE;
}

static gboolean judge_key(Wish *wish, const Scenario *scenario, const Key *key, GError **error)
{
    const Value *value = scenario_value(scenario, key->name);
    gboolean algorithms = key->kind == KEY_ALGORITHM || key->of_algorithm;
    if (wish->use == SCENARIO_FORMULA && (algorithms || (!value && !key->fallback)))
        return TRUE;
    if (!is_taken(wish, key))
        return !value || refuse_key(key, value, wish, error);
    wish->key = key;
    gboolean needed = !key->fallback && !(key->of_times && wish->use == SCENARIO_DATA && !value);
    return (!value || wish_check_single(key, value, wish->use, error)) &&
           (!needed || require(key, value, error)) && key->read(value, wish, error) &&
           (key->kind != KEY_ALGORITHM || check_axes(wish, scenario, error));
}

/* Returns the number of runs of an algorithm for each size. */
static guint n_variants(const Wish *wish, const Algorithm *algorithm)
{
    guint takes = wish_takes(wish, algorithm);
    return takes & TAKES_PARTITION    ? wish->partitions->len
           : takes & TAKES_OFFSETS    ? wish->offsets->len
           : takes & TAKES_ACCUMULATE ? wish->accumulates->len
                                      : 1;
}

static gboolean count_runs(Wish *wish, GError **error)
{
    guint64 variants = 0;
    for (guint a = 0; a < wish->algorithms->len; a++)
        variants += n_variants(wish, g_ptr_array_index(wish->algorithms, a));
    guint64 n_runs = variants * MAX(1, wish->bytes->len);
    wish->n_variants = (guint)variants;
    return n_runs <= SCENARIO_RUNS_MAX ||
           input_refuse(error, RUNS_ARE_MADE_OF " make %" G_GUINT64_FORMAT " runs; allowed: at most %d",
                        n_runs, SCENARIO_RUNS_MAX);
}

const Wish *judge_scenario(Judge *judge, const Scenario *scenario, GError **error)
{
    judge->wish.refused = NULL;
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        if (!(key->kind == KEY_MACHINE ? find_machine(judge, scenario, error)
                                       : judge_key(&judge->wish, scenario, key, error)))
            return NULL;
    }
    return count_runs(&judge->wish, error) ? &judge->wish : NULL;
}

/* --- runs --- */

#define PACKETS_SHOWN_PER_DIMENSION 2   /* where nobody asks for a size, enough packets to fill any pipeline */

guint wish_n_runs(const Wish *wish)
{
    return wish->n_variants * MAX(1, wish->bytes->len);
}

/* Chooses the bytes and the packet of a run. An optimal packet becomes the machine's. Without given sizes the bytes
 * make a few pieces. */
static void choose_size(const Wish *wish, Run *run, Machine *machine, gint64 *bytes, gint64 *packet)
{
    const Problem *problem = &run->problem;
    guint parts = problem_n_parts(problem);
    *bytes = problem->data.bytes;
    *packet = wish->packet;
    if (wish->bytes->len == 0 && (problem->algorithm->takes & TAKES_PACKETS || parts > 1)) {
        *bytes = parts * (PACKETS_SHOWN_PER_DIMENSION * problem->dimension + 1) * wish->element;
        *packet = wish->element;
    } else if (wish->bytes->len == 0 && problem->pattern->bytes_shown) {
        *bytes = problem->pattern->bytes_shown;
    } else if (wish->optimal && wish->machine) {
        *packet = machine->packet = published_packet(run);
    }
}

static gboolean wish_divide(const Wish *wish, Run *run, Machine *machine, GError **error)
{
    gint64 bytes, packet, cut, most = INPUT_TIME_MAX_PS >> run->problem.dimension;
    choose_size(wish, run, machine, &bytes, &packet);
    if (wish->bytes->len == 0 && bytes > most) {    /* it follows from the element's */
        g_autofree char *text = g_strdup_printf("element: '%" G_GINT64_FORMAT "' is more than the clock can count; "
                                                "allowed: at most %" G_GINT64_FORMAT, wish->element,
                                                most / (bytes / wish->element));
        run->refused = g_intern_string(text);
        return TRUE;
    }
    if (problem_divide(&run->problem, bytes, wish->element, packet, &cut))
        return TRUE;
    return input_refuse(error, "packet: '%" G_GINT64_FORMAT "' makes too many packets of %" G_GINT64_FORMAT
                        " bytes; allowed: at most %" G_GINT64_FORMAT, cut, bytes, DIVISION_PIECES_MAX);
}

gboolean wish_run(const Wish *wish, guint i, Run *run, Machine *machine, GError **error)
{
    guint variant = i % wish->n_variants, a = 0;
    const Algorithm *algorithm = g_ptr_array_index(wish->algorithms, a);
    for (; variant >= n_variants(wish, algorithm); algorithm = g_ptr_array_index(wish->algorithms, ++a))
        variant -= n_variants(wish, algorithm);
    *run = (Run){.problem = wish_problem(wish, algorithm), .element = wish->element};
    Problem *problem = &run->problem;
    if (algorithm->takes & TAKES_PARTITION)
        problem->partition = g_array_index(wish->partitions, Partition, variant);
    if (algorithm->takes & TAKES_OFFSETS)
        problem->offsets = g_ptr_array_index(wish->offsets, variant);
    if (wish_takes(wish, algorithm) & TAKES_ACCUMULATE)
        problem->accumulate = (guint)g_array_index(wish->accumulates, gint64, variant);
    problem->data.bytes = wish->bytes->len ? g_array_index(wish->bytes, gint64, i / wish->n_variants) : 0;
    if (wish->machine) {
        *machine = *wish->machine;
        run->machine = machine;
    }
    run->refused = wish->refused ? wish->refused : g_ptr_array_index(wish->inapplicable, a);
    return run->refused || wish_divide(wish, run, machine, error);
}

/* --- the runs of one scenario --- */

/* Adds the runs. They share a machine unless they have packets of their own. */
static gboolean add_runs(const Wish *wish, GPtrArray *copies, GArray *runs, GError **error)
{
    for (guint i = 0; i < wish_n_runs(wish); i++) {
        Run run;
        Machine machine;
        if (!wish_run(wish, i, &run, &machine, error))
            return FALSE;
        run.machine = wish->machine;
        if (wish->machine && wish->optimal) {
            run.machine = g_memdup2(&machine, sizeof machine);
            g_ptr_array_add(copies, (gpointer)run.machine);
        }
        g_array_append_val(runs, run);
    }
    return TRUE;
}

GArray *scenario_resolve(Scenario *scenario, const char *platforms, ScenarioUse use, GError **error)
{
    Judge *judge = judge_new(platforms, use);
    scenario_keep(scenario, judge, (GDestroyNotify)judge_free);
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(Run));
    const Wish *wish = judge_scenario(judge, scenario, error);
    return wish && add_runs(wish, judge->copies, runs, error) ? g_steal_pointer(&runs) : NULL;
}

gboolean runs_check_single(const char *where, const GArray *runs, GError **error)
{
    return runs->len == 1 || input_refuse(error, "%s: takes a single run; " RUNS_ARE_MADE_OF " make %u", where,
                                          runs->len);
}
