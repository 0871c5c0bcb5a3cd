#include "combinators.h"
#include "sim/cube/cube.h"

#include <string.h>

static void combined_add_part(Schedule *head, Schedule *part)
{
    head->n_strands = MAX(head->n_strands, part->n_strands);
    head->n_steps = MAX(head->n_steps, part->n_steps);
    head->n_slots = MAX(head->n_slots, part->n_slots);
    head->flags |= part->flags & (SCHEDULE_CONTENDS | SCHEDULE_CONTENDS_BACKWARDS);
    head->stored += part->stored;
    if (!head->content)
        head->content = g_steal_pointer(&part->content);
}

Schedule *combined_new(gsize size, const ScheduleClass *class, guint n_parts, Schedule **parts, guint argument)
{
    Combined *combined = (Combined *)schedule_new(size, class, parts[0]->dimension);
    schedule_set_group(&combined->head, parts[0]->group);
    combined->n_parts = n_parts;
    combined->parts = g_memdup2(parts, n_parts * sizeof *parts);
    combined->argument = argument;
    combined->head.root = parts[0]->root;
    combined->head.n_phases = parts[0]->n_phases;
    for (guint i = 0; i < n_parts; i++)
        combined_add_part(&combined->head, parts[i]);
    return &combined->head;
}

void combined_clear(Schedule *schedule)
{
    Combined *combined = (Combined *)schedule;
    for (guint i = 0; i < combined->n_parts; i++)
        schedule_free(combined->parts[i]);
    g_free(combined->parts);
}

static guint n_steps_of_part(const Schedule *schedule, guint strand)
{
    return schedule_n_steps(part_of(schedule), strand);
}

/* --- backwards --- */

/* Adds to `out` a message from `node` to `peer`: the message that `step` of `peer` sends to `node`, turned round. */
static void send_back(const Step *step, guint peer, guint node, Step *out)
{
    static const Transfer turned[] = {[TRANSFER_MOVE] = TRANSFER_MOVE, [TRANSFER_COPY] = TRANSFER_COMBINE,
                                      [TRANSFER_COMBINE] = TRANSFER_COPY, [TRANSFER_ADD] = TRANSFER_ADD};
    guint i = 0;
    while (i < step->sends->len && step_nth_send(step, i)->peer != node)
        i++;
    g_assert(i < step->sends->len);
    const Send *send = step_nth_send(step, i);
    out->transfer = turned[send->transfer];
    step_send(out, peer);
    for (guint s = 0; s < send->n_stretches; s++) {
        const Stretch *stretch = step_stretch(step, send, s);
        step_carry(out, stretch->landing, stretch->count, stretch->slot);
    }
}

static void backwards_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint forward_k = self->n_steps - 1 - k;
    g_auto(Step) mine = step_new();
    g_auto(Step) theirs = step_new();
    schedule_strand_step(part_of(self), node, strand, forward_k, &mine);
    for (guint i = 0; i < mine.awaits->len; i++) {
        guint peer = step_nth_await(&mine, i);
        schedule_strand_step(part_of(self), peer, strand, forward_k, &theirs);
        send_back(&theirs, peer, node, out);
    }
    for (guint i = 0; i < mine.sends->len; i++)
        step_await(out, step_nth_send(&mine, i)->peer);
    g_assert(mine.rotate == 0 && !mine.renumber && !mine.operation.what);
    out->exchange = mine.exchange;
    out->phase = k == 0;
}

static guint backwards_seek(const Schedule *self, guint node, guint strand, guint k, gboolean back)
{
    guint last = self->n_steps - 1;
    guint found = part_of(self)->class->seek(part_of(self), node, strand, last - k, !back);
    return found == G_MAXUINT ? found : last - found;
}

Schedule *schedule_backwards(Schedule *schedule)
{
    static const ScheduleClass class = {.step = backwards_step, .free = combined_clear};
    static const ScheduleClass seeking = {.step = backwards_step, .seek = backwards_seek, .free = combined_clear};
    g_assert(schedule->n_strands == 1);
    Schedule *back = combined_new(sizeof(Combined), schedule->class->seek ? &seeking : &class, 1, &schedule, 0);
    back->flags = schedule->flags & (SCHEDULE_TRANSLATES | SCHEDULE_AT_ONCE);
    back->flags |= schedule->flags & SCHEDULE_CONTENDS_BACKWARDS ? SCHEDULE_CONTENDS : 0;
    back->flags |= schedule->flags & SCHEDULE_CONTENDS ? SCHEDULE_CONTENDS_BACKWARDS : 0;
    return back;
}

/* --- translated --- */

typedef struct {
    Combined combined;
    Step *steps;            /* [n_steps]: steps of processor 0; a step has no arrays until it is asked for */
} Translated;

static void translated_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    Step *of_origin = &((const Translated *)self)->steps[k];
    if (!of_origin->sends) {
        *of_origin = step_new();
        schedule_strand_step(part_of(self), 0, strand, k, of_origin);
    }
    step_translate(of_origin, self->group, node, out);
}

static void translated_clear(Schedule *self)
{
    Step *steps = ((Translated *)self)->steps;
    for (guint k = 0; k < self->n_steps; k++)
        if (steps[k].sends)
            step_clear(&steps[k]);
    g_free(steps);
    combined_clear(self);
}

Schedule *schedule_translated(Schedule *schedule)
{
    static const ScheduleClass class = {.step = translated_step, .free = translated_clear};
    g_assert(schedule->n_strands == 1 && schedule->flags & SCHEDULE_TRANSLATES);
    Schedule *translated = combined_new(sizeof(Translated), &class, 1, &schedule, 0);
    translated->flags |= schedule->flags & (SCHEDULE_TRANSLATES | SCHEDULE_AT_ONCE);
    ((Translated *)translated)->steps = g_new0(Step, schedule->n_steps);
    return translated;
}

/* --- within subcubes --- */

static const Schedule *subcube_of(const Schedule *self, guint node)
{
    const Combined *w = combined_of(self);
    guint others = ((1u << self->dimension) - 1) & ~w->argument;
    return w->parts[w->n_parts > 1 ? cube_gather_bits(node, others) : 0];
}

static void within_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Schedule *subcube = subcube_of(self, node);
    guint dims = combined_of(self)->argument, fixed = node & ~dims;
    subcube->class->step(subcube, cube_gather_bits(node, dims), strand, k, out);
    for (guint i = 0; i < out->sends->len; i++) {
        guint *peer = &g_array_index(out->sends, Send, i).peer;
        *peer = cube_spread_bits(*peer, dims) | fixed;
    }
    for (guint i = 0; i < out->awaits->len; i++) {
        guint *source = &g_array_index(out->awaits, guint, i);
        *source = cube_spread_bits(*source, dims) | fixed;
    }
}

static guint within_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    guint in_subcube = cube_gather_bits(node, combined_of(self)->argument);
    return schedule_renumber(subcube_of(self, node), in_subcube, strand, k, slot);
}

Schedule *schedule_within(guint dimension, guint dims, guint n_parts, Schedule **parts)
{
    static const ScheduleClass class = {.step = within_step, .n_steps = n_steps_of_part, .renumber = within_renumber,
                                        .free = combined_clear};
    guint subcubes = 1u << (dimension - parts[0]->dimension);
    g_assert(n_parts == 1 || n_parts == subcubes);
    g_assert((guint)__builtin_popcount(dims) == parts[0]->dimension && dims >> dimension == 0);
    Schedule *within = combined_new(sizeof(Combined), &class, n_parts, parts, dims);
    schedule_set_group(within, group_of_cube(dimension));
    within->root = NO_ROOT;
    return within;
}

/* --- at a place in the memory --- */

static void at_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint slot = combined_of(self)->argument;
    part_of(self)->class->step(part_of(self), node, strand, k, out);
    g_assert(out->rotate == 0);
    step_own_stretches(out);
    for (guint i = 0; i < out->stretches->len; i++) {
        Stretch *stretch = &g_array_index(out->stretches, Stretch, i);
        stretch->slot += slot;
        stretch->landing += slot;
    }
    out->operation.slot += slot;
}

static guint at_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    guint first = combined_of(self)->argument;
    gboolean inside = slot >= first && slot - first < part_of(self)->n_slots;
    return inside ? first + schedule_renumber(part_of(self), node, strand, k, slot - first) : slot;
}

Schedule *schedule_at(Schedule *schedule, guint slot, guint n_slots)
{
    static const ScheduleClass class = {.step = at_step, .n_steps = n_steps_of_part, .renumber = at_renumber,
                                        .free = combined_clear};
    g_assert(slot + schedule->n_slots <= n_slots);
    Schedule *at = combined_new(sizeof(Combined), &class, 1, &schedule, slot);
    at->n_slots = n_slots;
    return at;
}

/* --- one after another --- */

typedef struct {
    Combined combined;
    guint *begins;          /* [n_strands][n_parts + 1]: first step of the strand in each part; at n_parts its number of
                             * steps */
} Then;

static guint *begins_of(const Schedule *self, guint strand)
{
    return ((const Then *)self)->begins + strand * (combined_of(self)->n_parts + 1);
}

/* Returns the part that contains step *k of a strand, and sets *k to the number of this step within the part. */
static guint find_part(const Schedule *self, guint strand, guint *k)
{
    const guint *begins = begins_of(self, strand);
    guint low = 0, high = combined_of(self)->n_parts;
    while (high - low > 1) {
        guint middle = low + (high - low) / 2;
        if (begins[middle] <= *k)
            low = middle;
        else
            high = middle;
    }
    *k -= begins[low];
    return low;
}

static guint own_steps(const Schedule *part, guint strand)
{
    return strand < part->n_strands ? schedule_n_steps(part, strand) : 0;
}

/* Returns the number of steps of a strand in part i. With several strands this is at least 1 in all parts but the
 * first: a step in which the strand waits for the others. */
static guint steps_in_part(const Schedule *self, guint i, guint strand)
{
    guint n = own_steps(combined_of(self)->parts[i], strand);
    return i > 0 && self->n_strands > 1 ? MAX(n, 1) : n;
}

static void then_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    guint i = find_part(self, strand, &k);
    const Schedule *part = combined_of(self)->parts[i];
    if (k < own_steps(part, strand))
        part->class->step(part, node, strand, k, out);
    if (i == 0)
        return;
    out->phase &= combined_of(self)->argument != 0;
    if (k == 0 && self->n_strands > 1)
        out->join = (1u << self->n_strands) - 1;
}

static guint then_n_steps(const Schedule *self, guint strand)
{
    return begins_of(self, strand)[combined_of(self)->n_parts];
}

static guint then_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    const Schedule *part = combined_of(self)->parts[find_part(self, strand, &k)];
    return slot < part->n_slots ? schedule_renumber(part, node, strand, k, slot) : slot;
}

static void then_clear(Schedule *self)
{
    g_free(((Then *)self)->begins);
    combined_clear(self);
}

Schedule *schedule_then(guint n_parts, Schedule **parts, gboolean barriers)
{
    static const ScheduleClass class = {.step = then_step, .n_steps = then_n_steps, .renumber = then_renumber,
                                        .free = then_clear};
    Schedule *then = combined_new(sizeof(Then), &class, n_parts, parts, (guint)barriers);
    ((Then *)then)->begins = g_new0(guint, then->n_strands * (n_parts + 1));
    for (guint i = 1; i < n_parts && barriers; i++)
        then->n_phases += parts[i]->n_phases;
    for (guint strand = 0; strand < then->n_strands; strand++) {
        guint *begins = begins_of(then, strand);
        for (guint i = 0; i < n_parts; i++)
            begins[i + 1] = begins[i] + steps_in_part(then, i, strand);
        then->n_steps = MAX(then->n_steps, begins[n_parts]);
    }
    return then;
}

/* --- side by side --- */

typedef struct {
    const Schedule *part;
    guint strand;           /* index of the strand in the part */
    guint32 strands;        /* the strands of the combined schedule that belong to the part, as bits */
} BesidePlace;

typedef struct {
    Combined combined;
    BesidePlace places[SCHEDULE_STRANDS_MAX];   /* [n_strands] */
} Beside;

static const BesidePlace *beside_place(const Schedule *self, guint strand)
{
    return &((const Beside *)self)->places[strand];
}

static void beside_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const BesidePlace *place = beside_place(self, strand);
    place->part->class->step(place->part, node, place->strand, k, out);
    out->join = cube_spread_bits(out->join, place->strands);
}

static guint beside_n_steps(const Schedule *self, guint strand)
{
    return schedule_n_steps(beside_place(self, strand)->part, beside_place(self, strand)->strand);
}

static guint beside_renumber(const Schedule *self, guint node, guint strand, guint k, guint slot)
{
    const BesidePlace *place = beside_place(self, strand);
    return slot < place->part->n_slots ? schedule_renumber(place->part, node, place->strand, k, slot) : slot;
}

Schedule *schedule_beside(guint n_parts, Schedule **parts, const guint32 *strands)
{
    static const ScheduleClass class = {.step = beside_step, .n_steps = beside_n_steps, .renumber = beside_renumber,
                                        .free = combined_clear};
    Schedule *beside = combined_new(sizeof(Beside), &class, n_parts, parts, 0);
    guint n = 0;
    for (guint i = 0; i < n_parts; i++) {
        guint32 next = ((1u << parts[i]->n_strands) - 1) << n, own = strands ? strands[i] : next, left = own;
        for (guint s = 0; s < parts[i]->n_strands; s++, left &= left - 1)
            ((Beside *)beside)->places[__builtin_ctz(left)] = (BesidePlace){parts[i], s, own};
        n += parts[i]->n_strands;
    }
    beside->n_strands = n;
    return beside;
}

/* --- without what is empty --- */

/* One step of all processors together. Processor x has the entries sends_from[x] ... sends_from[x + 1] - 1 of
 * all.sends, and the entries awaits_from[x] ... awaits_from[x + 1] - 1 of all.awaits. */
typedef struct {
    Step all;
    guint *sends_from;      /* [n_nodes + 1]: index of the processor's first entry in all.sends */
    guint *awaits_from;     /* [n_nodes + 2]: index of its first entry in all.awaits; sift_awaits() needs one more */
} Sift;

typedef struct {
    Combined combined;
    Sift *sifts;            /* [n_steps]: messages of all processors in each step, without empty slots */
} Sparse;

static void sparse_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Sift *sift = &((const Sparse *)self)->sifts[k];
    out->phase = sift->all.phase;
    out->stretches = g_array_ref(sift->all.stretches);
    for (guint i = sift->sends_from[node]; i < sift->sends_from[node + 1]; i++)
        g_array_append_vals(out->sends, step_nth_send(&sift->all, i), 1);
    for (guint i = sift->awaits_from[node]; i < sift->awaits_from[node + 1]; i++)
        step_await(out, step_nth_await(&sift->all, i));
    out->exchange = sift->all.exchange && step_is_exchange(out);
}

/* Appends the messages of a processor's `step` to `all`, without slots that hold no block. holds[n_slots]: whether each
 * slot of the processor holds one; becomes FALSE for slots whose blocks leave. */
static void sift_sends(const Step *step, guint8 *holds, Step *all)
{
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = step_nth_send(step, i);
        all->transfer = send->transfer;
        step_send(all, send->peer);
        for (guint s = 0; s < send->n_stretches; s++) {
            Stretch stretch = *step_stretch(step, send, s);
            for (; stretch.count-- > 0; stretch.slot++, stretch.landing++)
                if (holds[stretch.slot]) {
                    step_carry(all, stretch.slot, 1, stretch.landing);
                    holds[stretch.slot] = step_transfer_keeps(send->transfer);
                }
        }
    }
}

static void sift_arrivals(const Step *all, guint n_slots, guint8 *holds)
{
    for (guint i = 0; i < all->sends->len; i++) {
        const Send *send = step_nth_send(all, i);
        for (guint s = 0; s < send->n_stretches; s++)
            memset(holds + (gsize)send->peer * n_slots + step_stretch(all, send, s)->landing, TRUE,
                   step_stretch(all, send, s)->count);
    }
}

/* Fills in the awaits of all processors: the sources of all messages, in the order of the messages' destinations. */
static void sift_awaits(Sift *sift, guint n)
{
    guint *from = sift->awaits_from;
    const Step *all = &sift->all;
    for (guint i = 0; i < all->sends->len; i++)
        from[step_nth_send(all, i)->peer + 2]++;
    for (guint node = 0; node < n; node++)
        from[node + 2] += from[node + 1];
    g_array_set_size(all->awaits, all->sends->len);
    for (guint node = 0; node < n; node++)
        for (guint i = sift->sends_from[node]; i < sift->sends_from[node + 1]; i++)
            g_array_index(all->awaits, guint, from[step_nth_send(all, i)->peer + 1]++) = node;
}

static Sift sift_step(const Schedule *part, guint k, guint8 *holds)
{
    guint n = schedule_n_nodes(part);
    Sift sift = {.sends_from = g_new(guint, n + 1), .awaits_from = g_new0(guint, n + 2), .all = step_new()};
    g_auto(Step) whole = step_new();
    for (guint node = 0; node < n; node++) {
        sift.sends_from[node] = sift.all.sends->len;
        schedule_strand_step(part, node, 0, k, &whole);
        sift_sends(&whole, holds + (gsize)node * part->n_slots, &sift.all);
        sift.all.phase |= whole.phase;
        sift.all.exchange |= whole.exchange;
    }
    sift.sends_from[n] = sift.all.sends->len;
    sift_arrivals(&sift.all, part->n_slots, holds);
    sift_awaits(&sift, n);
    return sift;
}

static void sparse_clear(Schedule *self)
{
    Sift *sifts = ((Sparse *)self)->sifts;
    for (guint k = 0; k < self->n_steps; k++) {
        step_clear(&sifts[k].all);
        g_free(sifts[k].sends_from);
        g_free(sifts[k].awaits_from);
    }
    g_free(sifts);
    combined_clear(self);
}

Schedule *schedule_sparse(Schedule *schedule, ScheduleHolds *holds_first, gconstpointer user)
{
    static const ScheduleClass class = {.step = sparse_step, .free = sparse_clear};
    g_assert(schedule->n_strands == 1);
    Schedule *sparse = combined_new(sizeof(Sparse), &class, 1, &schedule, 0);
    guint n = schedule_n_nodes(schedule), n_slots = schedule->n_slots;
    g_autofree guint8 *holds = g_new(guint8, (gsize)n * n_slots);     /* [n][n_slots]: whether a slot holds a block */
    for (guint node = 0; node < n; node++)
        for (guint slot = 0; slot < n_slots; slot++)
            holds[(gsize)node * n_slots + slot] = holds_first(user, node, slot) != FALSE;
    Sift *sifts = ((Sparse *)sparse)->sifts = g_new(Sift, schedule->n_steps);
    for (guint k = 0; k < schedule->n_steps; k++) {
        sifts[k] = sift_step(schedule, k, holds);
        sparse->stored += sifts[k].all.stretches->len * sizeof(Stretch) +
                          sifts[k].all.sends->len * (sizeof(Send) + sizeof(guint)) + 2ul * n * sizeof(guint);
    }
    return sparse;
}

/* --- overlapped --- */

/* The two strands, and the mask of both. Strand MOVES has the steps of the part without their work, then an empty step.
 * Strand WORKS has an empty step, then a step for each work of the part. A work begins together with the step of MOVES
 * after its own, and ends before the next work begins. */
enum { WORKS, MOVES, BOTH = 3 };

typedef struct {
    Combined combined;
    guint *works;           /* [n_works]: the steps of the part that work, ascending */
    guint n_works;
    gboolean *follows;      /* [n_steps of the part + 1]: whether step k - 1 of the part works */
} Overlapped;

static void work_step(const Overlapped *o, guint node, guint i, Step *out)
{
    if (i == 0)
        return;
    g_auto(Step) whole = step_new();
    schedule_strand_step(part_of(&o->combined.head), node, 0, o->works[i - 1], &whole);
    out->operation = whole.operation;
    out->join = BOTH;
}

static void overlapped_step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Overlapped *o = (const Overlapped *)self;
    if (strand == WORKS) {
        work_step(o, node, k, out);
        return;
    }
    if (k < part_of(self)->n_steps)
        part_of(self)->class->step(part_of(self), node, 0, k, out);
    out->operation = (Operation){0};
    out->join = o->follows[k] ? BOTH : 0;
}

static guint overlapped_n_steps(const Schedule *self, guint strand)
{
    return (strand == WORKS ? ((const Overlapped *)self)->n_works : part_of(self)->n_steps) + 1;
}

static void overlapped_clear(Schedule *self)
{
    g_free(((Overlapped *)self)->works);
    g_free(((Overlapped *)self)->follows);
    combined_clear(self);
}

Schedule *schedule_overlapped(Schedule *schedule)
{
    static const ScheduleClass class = {.step = overlapped_step, .n_steps = overlapped_n_steps,
                                        .free = overlapped_clear};
    g_assert(schedule->n_strands == 1);
    Schedule *overlapped = combined_new(sizeof(Overlapped), &class, 1, &schedule, 0);
    Overlapped *o = (Overlapped *)overlapped;
    g_auto(Step) whole = step_new();
    o->works = g_new(guint, schedule->n_steps + 1);
    o->follows = g_new0(gboolean, schedule->n_steps + 1);
    for (guint k = 0; k < schedule->n_steps; k++) {
        schedule_strand_step(schedule, 0, 0, k, &whole);
        o->follows[k + 1] = whole.operation.what != 0;
        if (whole.operation.what)
            o->works[o->n_works++] = k;
    }
    overlapped->n_strands = 2;
    overlapped->n_steps = schedule->n_steps + 1;
    return overlapped;
}

/* --- work --- */

typedef struct {
    Schedule head;
    Operation operation;
} Work;

static void only_work(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    out->operation = ((const Work *)self)->operation;
}

Schedule *schedule_work(guint dimension, guint n_slots, const Operation *operation)
{
    static const ScheduleClass class = {.step = only_work};
    Work *work = (Work *)schedule_new(sizeof(Work), &class, dimension);
    work->head.n_steps = 1;
    work->head.n_slots = n_slots;
    work->operation = *operation;
    return &work->head;
}
