#include "schedule.h"
#include "extended.h"
#include "models/input.h"
#include "sim/cube/cube.h"
#include "sim/schedule/algorithms/schedules.h"

#include <string.h>

static const Algorithm *const registry[] = {
    /* complete exchange */
    &algorithm_standard,
    &algorithm_direct,
    &algorithm_multiphase,
    &algorithm_naive,
    &algorithm_reversed,
    &algorithm_sbt_exchange,
    &algorithm_sbt_exchange_n,
    &algorithm_nrsbt_exchange,
    &algorithm_nrsbt_exchange_n,
    &algorithm_sbnt_exchange,
    &algorithm_sbnt_exchange_n,
    /* broadcast */
    &algorithm_gc_broadcast,
    &algorithm_gc_broadcast_n,
    &algorithm_sbt_broadcast,
    &algorithm_sbt_broadcast_n,
    &algorithm_nesbt_broadcast,
    &algorithm_nesbt_broadcast_n,
    &algorithm_nrsbt_broadcast,
    &algorithm_nrsbt_broadcast_n,
    &algorithm_sbnt_broadcast,
    &algorithm_sbnt_broadcast_n,
    /* all-broadcast */
    &algorithm_cra_all_broadcast,
    &algorithm_gcea_all_broadcast,
    &algorithm_gcea_all_broadcast_n,
    &algorithm_sbt_all_broadcast,
    &algorithm_sbt_all_broadcast_n,
    &algorithm_hybrid_all_broadcast,
    &algorithm_nrsbt_all_broadcast,
    &algorithm_nrsbt_all_broadcast_n,
    &algorithm_sbnt_all_broadcast,
    &algorithm_sbnt_all_broadcast_n,
    /* scatter */
    &algorithm_sbt_scatter,
    &algorithm_sbt_scatter_n,
    &algorithm_nrsbt_scatter,
    &algorithm_nrsbt_scatter_n,
    &algorithm_sbnt_scatter,
    &algorithm_sbnt_scatter_n,
    /* permutation */
    &algorithm_a0_permutation,
    &algorithm_a1_permutation,
    &algorithm_a1a_permutation,
    &algorithm_a1a_permutation_n,
    &algorithm_a2_permutation,
    &algorithm_a2_permutation_n,
    &algorithm_a3_permutation,
    &algorithm_a3_permutation_n,
    &algorithm_a4_permutation,
    &algorithm_a4_permutation_n,
    &algorithm_a5_permutation,
    &algorithm_a6_permutation,
    &algorithm_spt_permutation,
    &algorithm_dpt_permutation,
    &algorithm_router_permutation,
};

guint algorithm_count(void)
{
    return G_N_ELEMENTS(registry);
}

const Algorithm *algorithm_nth(guint i)
{
    return registry[i];
}

/* --- finding --- */

static PatternKind forward_kind(const Pattern *pattern)
{
    return pattern->reverse ? pattern->reverse->kind : pattern->kind;
}

static const Algorithm *find(PatternKind kind, gboolean n_port, const char *name)
{
    for (guint i = 0; i < algorithm_count(); i++)
        if (registry[i]->pattern == kind && registry[i]->n_port == n_port && strcmp(registry[i]->name, name) == 0)
            return registry[i];
    return NULL;
}

const char **algorithm_names(const Pattern *pattern)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < algorithm_count(); i++)
        if (registry[i]->pattern == forward_kind(pattern) && !g_ptr_array_find_with_equal_func(names, registry[i]->name,
                                                                                               g_str_equal, NULL))
            g_ptr_array_add(names, (gpointer)registry[i]->name);
    g_ptr_array_add(names, NULL);
    return (const char **)g_ptr_array_free(names, FALSE);
}

/* "; it is an algorithm of --pattern broadcast, reduction" for a name that other patterns know. Caller frees. */
static char *elsewhere(const char *name)
{
    g_autoptr(GString) patterns = g_string_new(NULL);
    for (guint i = 0; i < pattern_count(); i++) {
        PatternKind kind = forward_kind(pattern_nth(i));
        if (find(kind, FALSE, name) || find(kind, TRUE, name))
            g_string_append_printf(patterns, "%s%s", patterns->len ? ", " : "; it is an algorithm of --pattern ",
                                   pattern_nth(i)->name);
    }
    return g_string_free(g_steal_pointer(&patterns), FALSE);
}

const Algorithm *algorithm_find(const char *where, const Pattern *pattern, gboolean n_port, const char *name,
                                GError **error)
{
    const Algorithm *algorithm = n_port ? find(forward_kind(pattern), TRUE, name) : NULL;
    if (!algorithm)
        algorithm = find(forward_kind(pattern), FALSE, name);
    if (algorithm)
        return algorithm;
    if (find(forward_kind(pattern), TRUE, name)) {
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT,
                    "%s: '%s' uses all ports of a processor at a time; allowed with --ports all", where, name);
        return NULL;
    }
    g_autofree const char **names = algorithm_names(pattern);
    g_autofree char *others = elsewhere(name), *list = g_strjoinv(", ", (char **)names);
    if (*others)
        g_set_error(error, ECUBE_ERROR, ECUBE_ERROR_INPUT, "%s: '%.60s' is not allowed; allowed: %s%s", where, name,
                    list, others);
    else
        input_parse_choice(where, name, names, &(guint){0}, error);
    return NULL;
}

guint algorithm_n_parts(const Algorithm *algorithm, guint dimension, const Permutation *permutation)
{
    if (algorithm->n_parts && permutation)
        return algorithm->n_parts(dimension, permutation);
    return algorithm->splits ? MAX(1, dimension) : 1;
}

/* --- a schedule --- */

static guint n_owners(const Schedule *schedule)
{
    PatternKind pattern = schedule->algorithm->pattern;
    return pattern == PATTERN_BROADCAST || pattern == PATTERN_PERMUTATION ? 1 : cube_n_nodes(schedule->dimension);
}

Schedule schedule_make(const Algorithm *algorithm, guint dimension, const ScheduleOptions *options)
{
    static const ScheduleOptions none = {0};
    const ScheduleOptions *o = options ? options : &none;
    if (o->idle)
        return extended_make(algorithm, dimension, o);
    Schedule schedule = {.algorithm = algorithm, .pattern = pattern_of(algorithm->pattern), .dimension = dimension};
    for (guint i = 0; o->reversed && i < pattern_count(); i++)
        if (pattern_nth(i)->reverse == pattern_of(algorithm->pattern))
            schedule.pattern = pattern_nth(i);
    if (algorithm->takes_partition)
        schedule.partition = *o->partition;
    if (algorithm->takes_accumulate)
        schedule.accumulate = MIN(o->accumulate, dimension);
    if (schedule.pattern->rooted)
        schedule.source = o->source;
    schedule.pieces = o->pieces.n_parts ? o->pieces : PIECES_WHOLE;
    schedule.permutation = o->permutation ? *o->permutation : permutation_identity(dimension);
    gboolean by_parts = algorithm->pattern == PATTERN_PERMUTATION && schedule.pieces.long_packets == 1;
    schedule.n_pieces = by_parts ? schedule.pieces.n_parts : pieces_count(&schedule.pieces);
    schedule.n_owners = n_owners(&schedule);
    schedule.n_strands = 1;
    algorithm->init(&schedule);
    schedule.n_slots = schedule_slot(&schedule, schedule.n_owners);
    return schedule;
}

guint schedule_n_steps(const Schedule *schedule, guint strand)
{
    if (schedule->idle)
        return extended_n_steps(schedule, strand);
    return schedule->algorithm->strand_steps && schedule->permutation.n_cycles
               ? schedule->algorithm->strand_steps(schedule, strand)
               : schedule->n_steps;
}

guint schedule_renumber(const Schedule *schedule, guint node, guint strand, guint k, guint slot)
{
    return schedule->idle ? extended_renumber(schedule, node, strand, k, slot)
                          : schedule->algorithm->renumber(schedule, node, strand, k, slot);
}

/* A step that shared its stretches gets an empty array of its own, to be filled. */
static void own_stretches(Step *step)
{
    if (!step->shared)
        return;
    g_array_unref(step->stretches);
    step->stretches = g_array_new(FALSE, FALSE, sizeof(Stretch));
    step->shared = FALSE;
}

static void step_empty(Step *step)
{
    own_stretches(step);
    step->phase = FALSE;
    step->exchange = FALSE;
    step->rotate = 0;
    step->renumber = FALSE;
    step->strand = 0;
    step->join = 0;
    step->sends->len = step->stretches->len = step->awaits->len = 0;    /* as g_array_set_size() does, but quicker */
}

static void forward_step(const Schedule *schedule, guint node, guint strand, guint k, Step *out)
{
    step_empty(out);
    out->strand = strand;
    if (schedule->idle)
        extended_step(schedule, node, k, out);
    else
        schedule->algorithm->step(schedule, node, k, out);
}

/* --- backwards --- */

/* Turns round the message that `forward`, a step of `peer`, sends to `node`. */
static void send_back(const Step *forward, guint peer, guint node, Step *out)
{
    for (guint i = 0; i < forward->sends->len; i++) {
        const Send *send = step_nth_send(forward, i);
        if (send->peer != node)
            continue;
        step_send(out, peer);
        for (guint s = 0; s < send->n_stretches; s++) {
            const Stretch *stretch = step_stretch(forward, send, s);
            step_carry(out, stretch->landing, stretch->count, stretch->slot);
        }
        return;
    }
    g_assert_not_reached();
}

/* Step k from the end, every message turned round. All messages awaited in a step of the algorithm are sent in the
 * step of the same number, no two of them by the same processor. */
static void backward_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    guint forward_k = schedule->n_steps - 1 - k;
    Step mine, theirs;
    step_init(&mine);
    step_init(&theirs);
    forward_step(schedule, node, 0, forward_k, &mine);
    step_empty(out);
    for (guint i = 0; i < mine.awaits->len; i++) {
        guint peer = step_nth_await(&mine, i);
        forward_step(schedule, peer, 0, forward_k, &theirs);
        send_back(&theirs, peer, node, out);
    }
    for (guint i = 0; i < mine.sends->len; i++)
        step_await(out, step_nth_send(&mine, i)->peer);
    g_assert(mine.rotate == 0);
    out->exchange = mine.exchange;
    out->phase = k == 0;
    step_clear(&mine);
    step_clear(&theirs);
}

static void make_step(const Schedule *schedule, guint node, guint strand, guint k, Step *out)
{
    if (schedule->pattern->kind == schedule->algorithm->pattern)
        forward_step(schedule, node, strand, k, out);
    else
        backward_step(schedule, node, k, out);
}

guint schedule_next_step(const Schedule *schedule, guint node, guint strand, guint k)
{
    guint n = schedule_n_steps(schedule, strand);
    if (!schedule->algorithm->seek || k >= n)
        return k;
    gboolean backwards = schedule->pattern->kind != schedule->algorithm->pattern;
    guint found = schedule->algorithm->seek(schedule, node, backwards ? n - 1 - k : k, backwards);
    return found == G_MAXUINT ? n : backwards ? n - 1 - found : found;
}

/* --- by translation --- */

/* The steps of processor 0 of one schedule, for algorithms that translate: everybody else's are copies. */
static struct {
    Schedule schedule;
    GPtrArray *steps;       /* [n_steps]: Step *, or NULL while it has not been asked for */
} origin;

static void step_free(gpointer step)
{
    if (step)
        step_clear(step);
    g_free(step);
}

static gboolean is_origin_of(const Schedule *schedule)
{
    const Schedule *known = &origin.schedule;
    return origin.steps && known->algorithm == schedule->algorithm && known->pattern == schedule->pattern &&
           known->dimension == schedule->dimension && known->accumulate == schedule->accumulate &&
           memcmp(&known->pieces, &schedule->pieces, sizeof known->pieces) == 0;
}

static const Step *step_of_origin(const Schedule *schedule, guint k)
{
    if (!is_origin_of(schedule)) {
        g_clear_pointer(&origin.steps, g_ptr_array_unref);
        origin.schedule = *schedule;
        origin.steps = g_ptr_array_new_with_free_func(step_free);
        g_ptr_array_set_size(origin.steps, (gint)schedule->n_steps);
    }
    Step *step = g_ptr_array_index(origin.steps, k);
    if (!step) {
        step = g_new(Step, 1);
        step_init(step);
        make_step(schedule, 0, 0, k, step);
        g_ptr_array_index(origin.steps, k) = step;
    }
    return step;
}

static void append_all(GArray *to, const GArray *from)
{
    g_array_append_vals(to, from->data, from->len);
}

/* The slots are the same for everybody, so `out` gets no stretches of its own. */
static void translate(const Step *step, guint node, Step *out)
{
    g_array_unref(out->stretches);
    *out = (Step){.sends = out->sends, .awaits = out->awaits, .phase = step->phase, .exchange = step->exchange,
                  .stretches = g_array_ref(step->stretches), .shared = TRUE};
    out->sends->len = out->awaits->len = 0;
    append_all(out->sends, step->sends);
    append_all(out->awaits, step->awaits);
    for (guint i = 0; i < out->sends->len; i++)
        g_array_index(out->sends, Send, i).peer ^= node;
    for (guint i = 0; i < out->awaits->len; i++)
        g_array_index(out->awaits, guint, i) ^= node;
}

void schedule_strand_step(const Schedule *schedule, guint node, guint strand, guint k, Step *out)
{
    if (schedule->algorithm->translates)
        translate(step_of_origin(schedule, k), node, out);
    else
        make_step(schedule, node, strand, k, out);
}

void schedule_step(const Schedule *schedule, guint node, guint k, Step *out)
{
    schedule_strand_step(schedule, node, 0, k, out);
}

/* --- steps --- */

void step_init(Step *step)
{
    *step = (Step){.sends = g_array_sized_new(FALSE, FALSE, sizeof(Send), 1),
                   .stretches = g_array_sized_new(FALSE, FALSE, sizeof(Stretch), 1),
                   .awaits = g_array_sized_new(FALSE, FALSE, sizeof(guint), 1)};
}

void step_clear(Step *step)
{
    g_array_unref(step->sends);
    g_array_unref(step->stretches);
    g_array_unref(step->awaits);
}

void step_send(Step *step, guint peer)
{
    Send send = {peer, step->stretches->len, 0};
    g_array_append_val(step->sends, send);
}

void step_carry(Step *step, guint slot, guint count, guint landing)
{
    Send *send = &g_array_index(step->sends, Send, step->sends->len - 1);
    if (send->n_stretches > 0) {
        Stretch *last = &g_array_index(step->stretches, Stretch, step->stretches->len - 1);
        if (last->slot + last->count == slot && last->landing + last->count == landing) {
            last->count += count;
            return;
        }
    }
    Stretch stretch = {slot, count, landing};
    g_array_append_val(step->stretches, stretch);
    send->n_stretches++;
}

void step_send_slots(Step *step, guint peer, guint slot, guint count, guint landing)
{
    step_send(step, peer);
    step_carry(step, slot, count, landing);
}

void step_await(Step *step, guint source)
{
    g_array_append_val(step->awaits, source);
}
