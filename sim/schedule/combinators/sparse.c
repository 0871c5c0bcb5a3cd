#include "combined.h"
#include "sim/cube/cube.h"

/* A stretch that is not empty, of message number `send` of a step. */
typedef struct {
    guint send, peer;
    Transfer transfer;
    Stretch stretch;
} Kept;

/* Step k of all processors; those of x are from number kept_from[x] on, and what it awaits from awaits_from[x] on. */
typedef struct {
    GArray *kept, *awaits;              /* Kept; guint */
    guint *kept_from, *awaits_from;     /* [n_nodes + 1] */
} Sift;

typedef struct {
    Combined combined;
    Sift *sifts;                        /* [n_steps] */
} Sparse;

static const Sift *sift_of(const Schedule *self, guint k)
{
    return &((const Sparse *)self)->sifts[k];
}

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    const Sift *sift = sift_of(self, k);
    Step whole;
    step_init(&whole);
    schedule_strand_step(part_of(self), node, strand, k, &whole);
    out->phase = whole.phase;
    for (guint i = sift->kept_from[node]; i < sift->kept_from[node + 1]; i++) {
        const Kept *kept = &g_array_index(sift->kept, Kept, i);
        out->transfer = kept->transfer;
        if (i == sift->kept_from[node] || kept->send != kept[-1].send)
            step_send(out, kept->peer);
        step_carry(out, kept->stretch.slot, kept->stretch.count, kept->stretch.landing);
    }
    for (guint i = sift->awaits_from[node]; i < sift->awaits_from[node + 1]; i++)
        step_await(out, g_array_index(sift->awaits, guint, i));
    out->exchange = whole.exchange && step_is_exchange(out);
    step_clear(&whole);
}

/* --- what is there, step by step --- */

/* Adds the stretches of a message whose slots hold something; FALSE: there are none. */
static gboolean sift_send(const Step *step, guint number, const guint8 *holds, GArray *kept)
{
    const Send *send = step_nth_send(step, number);
    guint before = kept->len;
    for (guint s = 0; s < send->n_stretches; s++) {
        const Stretch *stretch = step_stretch(step, send, s);
        for (guint i = 0; i < stretch->count; i++) {
            Kept one = {number, send->peer, send->transfer, {stretch->slot + i, 1, stretch->landing + i}};
            if (holds[one.stretch.slot])
                g_array_append_val(kept, one);
        }
    }
    return kept->len > before;
}

/* The messages of all processors, and who awaits them. */
static void sift_step(const Schedule *part, guint k, const guint8 *holds, Sift *sift)
{
    guint n = cube_n_nodes(part->dimension);
    Step whole;
    step_init(&whole);
    g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    for (guint node = 0; node < n; node++)
        g_ptr_array_add(sources, g_array_new(FALSE, FALSE, sizeof(guint)));
    for (guint node = 0; node < n; node++) {
        sift->kept_from[node] = sift->kept->len;
        schedule_strand_step(part, node, 0, k, &whole);
        for (guint i = 0; i < whole.sends->len; i++)
            if (sift_send(&whole, i, holds + (gsize)node * part->n_slots, sift->kept))
                g_array_append_val((GArray *)g_ptr_array_index(sources, step_nth_send(&whole, i)->peer), node);
    }
    sift->kept_from[n] = sift->kept->len;
    for (guint node = 0; node < n; node++) {
        GArray *of_node = g_ptr_array_index(sources, node);
        sift->awaits_from[node] = sift->awaits->len;
        if (of_node->len)
            g_array_append_vals(sift->awaits, of_node->data, of_node->len);
    }
    sift->awaits_from[n] = sift->awaits->len;
    step_clear(&whole);
}

/* What the messages of a step change. All leave before any arrives. */
static void move_on(const Sift *sift, guint n_nodes, guint n_slots, guint8 *holds)
{
    for (guint node = 0; node < n_nodes; node++)
        for (guint i = sift->kept_from[node]; i < sift->kept_from[node + 1]; i++) {
            const Kept *kept = &g_array_index(sift->kept, Kept, i);
            holds[(gsize)node * n_slots + kept->stretch.slot] = kept->transfer == TRANSFER_COPY;
        }
    for (guint i = 0; i < sift->kept->len; i++) {
        const Kept *kept = &g_array_index(sift->kept, Kept, i);
        holds[(gsize)kept->peer * n_slots + kept->stretch.landing] = TRUE;
    }
}

static void clear(Schedule *self)
{
    for (guint k = 0; k < self->n_steps; k++) {
        const Sift *sift = sift_of(self, k);
        g_array_unref(sift->kept);
        g_array_unref(sift->awaits);
        g_free(sift->kept_from);
        g_free(sift->awaits_from);
    }
    g_free(((Sparse *)self)->sifts);
    combined_clear(self);
}

static guint64 stored_bytes(const Sift *sift, guint n_nodes)
{
    return sift->kept->len * sizeof(Kept) + (sift->awaits->len + 2ul * n_nodes) * sizeof(guint);
}

Schedule *schedule_sparse(Schedule *schedule, ScheduleHolds *holds_first, gconstpointer user)
{
    static const ScheduleClass class = {.step = step, .free = clear};
    g_assert(schedule->n_strands == 1);
    Sparse *s = (Sparse *)combined_new(sizeof *s, &class, 1, &schedule, 0);
    guint n = cube_n_nodes(schedule->dimension), n_slots = schedule->n_slots;
    g_autofree guint8 *holds = g_new(guint8, (gsize)n * n_slots);     /* whether a slot does */
    for (guint node = 0; node < n; node++)
        for (guint slot = 0; slot < n_slots; slot++)
            holds[(gsize)node * n_slots + slot] = holds_first(user, node, slot);
    s->sifts = g_new(Sift, schedule->n_steps);
    for (guint k = 0; k < schedule->n_steps; k++) {
        s->sifts[k] = (Sift){g_array_new(FALSE, FALSE, sizeof(Kept)), g_array_new(FALSE, FALSE, sizeof(guint)),
                             g_new(guint, n + 1), g_new(guint, n + 1)};
        sift_step(schedule, k, holds, &s->sifts[k]);
        move_on(&s->sifts[k], n, n_slots, holds);
        s->combined.head.stored += stored_bytes(&s->sifts[k], n);
    }
    return &s->combined.head;
}
