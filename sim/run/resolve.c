#include "resolve.h"
#include "keys_common.h"
#include "sim/text/input.h"
#include "sim/patterns/published.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/theory.h"

#include <string.h>

struct Resolver {
    const char *platforms;
    GPtrArray *files;           /* Machine *, without overrides */
    Machine machine;            /* machine of the last scenario, with its overrides; borrows from a file's machine */
    GPtrArray *copies;          /* Machine *: machines of scenario_resolve()'s runs, where each has its own packet */
    Request request;
};

static void request_init(Request *request, ScenarioUse use)
{
    *request = (Request){.use = use};
    request->bytes = g_array_new(FALSE, FALSE, sizeof(gint64));
    request->algorithms = g_ptr_array_new();
    request->inapplicable = g_ptr_array_new();
    request->partitions = g_array_new(FALSE, FALSE, sizeof(Phases));
    request->offsets = g_ptr_array_new();
    request->accumulates = g_array_new(FALSE, FALSE, sizeof(gint64));
}

static void request_clear(Request *request)
{
    g_array_unref(request->bytes);
    g_ptr_array_unref(request->algorithms);
    g_ptr_array_unref(request->inapplicable);
    g_array_unref(request->partitions);
    g_ptr_array_unref(request->offsets);
    g_array_unref(request->accumulates);
}

Resolver *resolver_new(const char *platforms, ScenarioUse use)
{
    Resolver *resolver = g_new0(Resolver, 1);
    resolver->platforms = platforms;
    resolver->files = g_ptr_array_new_with_free_func((GDestroyNotify)machine_free);
    resolver->copies = g_ptr_array_new_with_free_func(g_free);
    request_init(&resolver->request, use);
    return resolver;
}

void resolver_free(Resolver *resolver)
{
    g_ptr_array_unref(resolver->files);
    g_ptr_array_unref(resolver->copies);
    request_clear(&resolver->request);
    g_free(resolver);
}

GPtrArray *resolver_files(const Resolver *resolver)
{
    GPtrArray *paths = g_ptr_array_new();
    for (guint i = 0; i < resolver->files->len; i++)
        g_ptr_array_add(paths, ((const Machine *)g_ptr_array_index(resolver->files, i))->path);
    return paths;
}

/* --- the machine --- */

static const Machine *read_file(Resolver *resolver, const Value *name, GError **error)
{
    g_autofree char *spec = machine_is_path(name->text) ? value_path(name, name->text) : g_strdup(name->text);
    for (guint i = 0; i < resolver->files->len; i++) {
        const Machine *file = g_ptr_array_index(resolver->files, i);
        if (strcmp(file->spec, spec) == 0)
            return file;
    }
    Machine *file = machine_read(resolver->platforms, name->origin, spec, error);
    if (file)
        g_ptr_array_add(resolver->files, file);
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

/* Fills in texts[i]: the scenario's override of machine_keys[i], or NULL if there is none. packet = optimal is no
 * override, because each run then has a packet of its own. */
static gboolean find_overrides(const Scenario *scenario, const char **texts, GError **error)
{
    for (guint i = 0; machine_keys[i].name; i++) {
        const char *key = machine_keys[i].name;
        const Value *value = scenario_value(scenario, key);
        gboolean packet = strcmp(key, "packet") == 0;
        if (value && !(packet ? request_check_packet(value, error)
                              : machine_check_key(value->origin, key, value->text, error)))
            return FALSE;
        texts[i] = value && !(packet && request_is_optimal(value)) ? value->text : NULL;
    }
    return TRUE;
}

/* Gives a mesh without sides the factors of `processors` as sides: 4 and 6 for "4x6". Changes nothing if `processors`
 * has a single factor, or is a cube ("2x2x2"). */
static void find_sides(Machine *machine, const char *processors)
{
    const Group *group = processors && machine_is_mesh(machine) ? group_parse("", processors, NULL) : NULL;
    if (group && !machine->sides && group->n_factors > 1 && !group->binary)
        machine->sides = group;
}

const Machine *resolver_machine(Resolver *resolver, const Scenario *scenario, GError **error)
{
    const Value *name = scenario_value(scenario, "machine");
    const char *texts[MACHINE_KEYS_MAX];
    if (!require(keys_find("machine"), name, error) || !find_overrides(scenario, texts, error))
        return NULL;
    const Machine *file = read_file(resolver, name, error);
    if (!file || !machine_override(file, texts, &resolver->machine, error))
        return NULL;
    find_sides(&resolver->machine, scenario_get(scenario, "processors"));
    return &resolver->machine;
}

/* Sets the machine, on_cube and mesh of the request. SCENARIO_DATA has no times: `machine` stays NULL. There, on_cube
 * and mesh are those of the machine in the scenario if a number of processors or a network is given too. Then the
 * machine's network decides how processors are numbered, as in a timed run. */
static gboolean find_machine(Resolver *resolver, const Scenario *scenario, GError **error)
{
    gboolean timed = resolver->request.use != SCENARIO_DATA;
    gboolean shaped = scenario_value(scenario, "processors") || scenario_value(scenario, "topology") ||
                      scenario_value(scenario, "sides") || scenario_value(scenario, "order");
    gboolean needed = timed || (scenario_value(scenario, "machine") && shaped);
    const Machine *machine = needed ? resolver_machine(resolver, scenario, error) : NULL;
    resolver->request.machine = timed ? machine : NULL;
    resolver->request.on_cube = machine && machine_is_cube(machine);
    resolver->request.mesh = machine && machine_is_mesh(machine) ? machine : NULL;
    return machine || !needed;
}

/* --- the other keys --- */

/* Refuses a list or range for a key that takes one value here; in sweeps the list has been expanded before. */
static gboolean request_check_single(const Key *key, const Value *value, ScenarioUse use, GError **error)
{
    gboolean allowed = key->option.is_list && use != SCENARIO_FORMULA;
    gboolean several = key->kind == KEY_NUMBER && strchr(value->text, ':');
    for (const char *c = value->text; *c; c++)
        several |= !g_ascii_isspace(*c) && strchr(key_separators(key), *c);
    return !several || allowed ||
           input_refuse(error, "%s: '%s' is not allowed; allowed: one value here, and several in `ecube sweep`",
                        value->origin, value->text);
}

static gboolean is_taken_by_any(const Request *request, const Key *key)
{
    gboolean taken = FALSE;
    for (guint i = 0; i < request->algorithms->len; i++)
        taken |= key_is_taken(key, request->problem.pattern,
                              request_takes(request, g_ptr_array_index(request->algorithms, i)));
    return taken;
}

/* Whether the key is taken: a key of algorithms that allows lists, by any algorithm of the request; any other key by
 * the pattern, since such keys are read before the algorithms are known. */
static gboolean is_taken(const Request *request, const Key *key)
{
    return key->of_algorithm && key->option.is_list ? is_taken_by_any(request, key)
                                             : key_is_taken(key, request->problem.pattern, TAKES_ANYTHING);
}

/* Refuses a value of a key that the pattern or the algorithms do not take; returns FALSE with an error. But if it is
 * the routing that does not take the key, sets request->refused and returns TRUE: only the runs of this routing are
 * refused, since other routings may follow. */
static gboolean refuse_key(const Key *key, const Value *value, Request *request, GError **error)
{
    const Algorithm *routing = problem_routing(&request->problem);
    gboolean of_routing = FALSE;
    for (guint i = 0; key->of_algorithm & TAKES_ACCUMULATE && i < request->algorithms->len; i++)
        of_routing |= request_takes(request, g_ptr_array_index(request->algorithms, i)) & TAKES_ROUTING ? TRUE : FALSE;
    g_autofree char *takers = key_takers(key, of_routing);
    g_autofree char *who = !key_is_taken(key, request->problem.pattern, TAKES_ANYTHING)
                               ? g_strdup_printf("%s does not take it", request->problem.pattern->name)
                           : of_routing ? g_strdup_printf("the routing %s does not take it", routing->name)
                                        : g_strdup("none of the algorithms takes it");
    g_autoptr(GError) refusal = NULL;
    input_refuse(&refusal, "%s: '%s' is given, but %s; allowed: with %s", value->origin, value->text, who,
                 *takers ? takers : "no algorithm");
    if (of_routing)
        request->refused = g_intern_string(refusal->message);
    else
        g_propagate_error(error, g_steal_pointer(&refusal));
    return of_routing;
}

/* Refuses a given key without option.is_list if no algorithm of the request takes it. */
static gboolean check_axes(Request *request, const Scenario *scenario, GError **error)
{
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        const Value *value = scenario_value(scenario, key->name);
        if (value && !key->option.is_list && !is_taken_by_any(request, key))
            return refuse_key(key, value, request, error);
    }
    return TRUE;
}

static gboolean request_read_key(Request *request, const Scenario *scenario, const Key *key, GError **error)
{
    const Value *value = scenario_value(scenario, key->name);
    gboolean algorithms = key->kind == KEY_ALGORITHM || key->of_algorithm;
    if (request->use == SCENARIO_FORMULA && (algorithms || (!value && !key->fallback)))
        return TRUE;
    if (!is_taken(request, key))
        return !value || refuse_key(key, value, request, error);
    request->key = key;
    gboolean spared = request->use == SCENARIO_DATA || (request->sized && key->kind == KEY_NUMBER);
    gboolean needed = !key->fallback && !(key->of_times && !value && spared);
    return (!value || request_check_single(key, value, request->use, error)) &&
           (!needed || require(key, value, error)) && key->read(value, request, error) &&
           (key->kind != KEY_ALGORITHM || check_axes(request, scenario, error));
}

/* Returns the number of runs of an algorithm for each size. */
static guint n_variants(const Request *request, const Algorithm *algorithm)
{
    guint takes = request_takes(request, algorithm);
    return takes & TAKES_PARTITION    ? request->partitions->len
           : takes & TAKES_OFFSETS    ? request->offsets->len
           : takes & TAKES_ACCUMULATE ? request->accumulates->len
                                      : 1;
}

static gboolean count_runs(Request *request, GError **error)
{
    guint64 variants = 0;
    for (guint a = 0; a < request->algorithms->len; a++)
        variants += n_variants(request, g_ptr_array_index(request->algorithms, a));
    guint64 n_runs = variants * MAX(1, request->bytes->len);
    request->n_variants = (guint)variants;
    return n_runs <= SCENARIO_RUNS_MAX ||
           input_refuse(error, RUNS_ARE_MADE_OF " make %" G_GUINT64_FORMAT " runs; allowed: at most %d",
                        n_runs, SCENARIO_RUNS_MAX);
}

const Request *resolver_scenario(Resolver *resolver, const Scenario *scenario, GError **error)
{
    resolver->request.refused = NULL;
    resolver->request.sized = NULL;
    resolver->request.sized_bytes = 0;
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        if (!(key->kind == KEY_MACHINE ? find_machine(resolver, scenario, error)
                                       : request_read_key(&resolver->request, scenario, key, error)))
            return NULL;
    }
    return count_runs(&resolver->request, error) ? &resolver->request : NULL;
}

/* --- runs --- */

#define PACKETS_SHOWN_PER_DIMENSION 2   /* packets of a run without a given size: enough to fill any pipeline */

guint request_n_runs(const Request *request)
{
    return request->n_variants * MAX(1, request->bytes->len);
}

/* Returns the number of elements that make a few pieces, if no size is given and the run has pieces; else 0. */
static gint64 elements_shown(const Request *request, const Problem *problem)
{
    gint64 parts = problem_n_parts(problem);
    gboolean has_pieces = problem->algorithm->takes & TAKES_PACKETS || parts > 1;
    return request->bytes->len == 0 && has_pieces ? parts * (PACKETS_SHOWN_PER_DIMENSION * problem->dimension + 1) : 0;
}

/* Chooses the bytes and the packet of a run; n_elements are its elements_shown(). An optimal packet also becomes the
 * packet of `machine`. */
static void choose_size(const Request *request, gint64 n_elements, Run *run, Machine *machine, gint64 *bytes,
                        gint64 *packet)
{
    const Problem *problem = &run->problem;
    *bytes = problem->data.bytes;
    *packet = request->packet;
    if (n_elements > 0) {
        *bytes = n_elements * request->element;
        *packet = request->element;
    } else if (request->bytes->len == 0 && pattern_theory(problem->pattern)->bytes_shown) {
        *bytes = pattern_theory(problem->pattern)->bytes_shown;
    } else if (request->optimal && request->machine) {
        *packet = machine->packet = published_packet(run);
    }
}

static gboolean request_divide(const Request *request, Run *run, Machine *machine, GError **error)
{
    gint64 bytes, packet, cut, most = INPUT_TIME_MAX_PS >> run->problem.dimension;
    gint64 n_elements = elements_shown(request, &run->problem);
    if (n_elements > 0 && request->element > most / n_elements) {
        g_autofree char *text = g_strdup_printf("element: '%" G_GINT64_FORMAT "' is more than the clock can count; "
                                                "allowed: at most %" G_GINT64_FORMAT, request->element,
                                                most / n_elements);
        run->refused = g_intern_string(text);
        return TRUE;
    }
    choose_size(request, n_elements, run, machine, &bytes, &packet);
    if (problem_divide(&run->problem, bytes, request->element, packet, &cut))
        return TRUE;
    return input_refuse(error, "packet: '%" G_GINT64_FORMAT "' makes too many packets of %" G_GINT64_FORMAT
                        " bytes; allowed: at most %" G_GINT64_FORMAT, cut, bytes, DIVISION_PIECES_MAX);
}

gboolean request_run(const Request *request, guint i, Run *run, Machine *machine, GError **error)
{
    guint variant = i % request->n_variants, a = 0;
    const Algorithm *algorithm = g_ptr_array_index(request->algorithms, a);
    for (; variant >= n_variants(request, algorithm); algorithm = g_ptr_array_index(request->algorithms, ++a))
        variant -= n_variants(request, algorithm);
    *run = (Run){.problem = request_problem(request, algorithm), .element = request->element};
    Problem *problem = &run->problem;
    if (algorithm->takes & TAKES_PARTITION)
        problem->partition = g_array_index(request->partitions, Phases, variant);
    if (algorithm->takes & TAKES_OFFSETS)
        problem->offsets = g_ptr_array_index(request->offsets, variant);
    if (request_takes(request, algorithm) & TAKES_ACCUMULATE)
        problem->accumulate = (guint)g_array_index(request->accumulates, gint64, variant);
    problem->data.bytes = request->bytes->len ? g_array_index(request->bytes, gint64, i / request->n_variants)
                                               : request->sized_bytes;
    if (request->machine) {
        *machine = *request->machine;
        run->machine = machine;
    }
    run->refused = request->refused ? request->refused : g_ptr_array_index(request->inapplicable, a);
    return run->refused || request_divide(request, run, machine, error);
}

/* --- the runs of one scenario --- */

/* Adds the runs of the request to `runs`. They share a machine unless packets are optimal; then each has its own. */
static gboolean add_runs(const Request *request, GPtrArray *copies, GArray *runs, GError **error)
{
    for (guint i = 0; i < request_n_runs(request); i++) {
        Run run;
        Machine machine;
        if (!request_run(request, i, &run, &machine, error))
            return FALSE;
        run.machine = request->machine;
        if (request->machine && request->optimal) {
            run.machine = g_memdup2(&machine, sizeof machine);
            g_ptr_array_add(copies, (gpointer)run.machine);
        }
        g_array_append_val(runs, run);
    }
    return TRUE;
}

GArray *scenario_resolve(Scenario *scenario, const char *platforms, ScenarioUse use, GError **error)
{
    Resolver *resolver = resolver_new(platforms, use);
    scenario_keep(scenario, resolver, (GDestroyNotify)resolver_free);
    g_autoptr(GArray) runs = g_array_new(FALSE, FALSE, sizeof(Run));
    const Request *request = resolver_scenario(resolver, scenario, error);
    return request && add_runs(request, resolver->copies, runs, error) ? g_steal_pointer(&runs) : NULL;
}

gboolean runs_check_single(const char *where, const GArray *runs, GError **error)
{
    return runs->len == 1 || input_refuse(error, "%s: takes a single run; " RUNS_ARE_MADE_OF " make %u", where,
                                          runs->len);
}
