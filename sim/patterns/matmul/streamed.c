#include "streamed.h"
#include "sim/schedule/combinators.h"

typedef struct {
    Combined combined;
    Stream stream;
    Operation products;
    GArray *arrived;            /* guint: what arrived at a processor in a step, as it was asked for last */
    guint node, k;
} Streamed;

#define NEVER G_MAXUINT

static void step(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    if (k > 0)
        part_of(self)->class->step(part_of(self), node, strand, k - 1, out);
    out->operation = ((const Streamed *)self)->products;
    out->operation.count = k;
}

/* --- what arrives --- */

static void add_landings(const Streamed *s, const Step *step, guint node)
{
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = step_nth_send(step, i);
        for (guint n = 0; send->peer == node && n < send->n_stretches; n++) {
            const Stretch *stretch = step_stretch(step, send, n);
            for (guint slot = stretch->landing; slot < stretch->landing + stretch->count; slot++)
                g_array_append_val(s->arrived, slot);
        }
    }
}

static gboolean is_before(const Step *step, guint i)
{
    for (guint earlier = 0; earlier < i; earlier++)
        if (step_nth_await(step, earlier) == step_nth_await(step, i))
            return TRUE;
    return FALSE;
}

static void add_arrivals(const Streamed *s, guint node, guint k)
{
    const Schedule *part = part_of(&s->combined.head);
    Step mine, theirs;
    step_init(&mine);
    step_init(&theirs);
    schedule_strand_step(part, node, 0, k, &mine);
    for (guint i = 0; i < mine.awaits->len; i++) {
        if (is_before(&mine, i))
            continue;
        schedule_strand_step(part, step_nth_await(&mine, i), 0, k, &theirs);
        add_landings(s, &theirs, node);
    }
    step_clear(&mine);
    step_clear(&theirs);
}

static const GArray *find_arrived(Streamed *s, guint node, guint k)
{
    if (node == s->node && k == s->k)
        return s->arrived;
    g_array_set_size(s->arrived, 0);
    if (k > 0)
        add_arrivals(s, node, k - 1);
    for (guint part = 0; k == 0 && part < s->stream.blocks.n_parts; part++) {
        guint slot = s->stream.blocks.slot + part;
        g_array_append_val(s->arrived, slot);
    }
    s->node = node;
    s->k = k;
    return s->arrived;
}

static gboolean nth_product(gconstpointer user, guint node, guint k, guint i, Product *out)
{
    Streamed *streamed = (Streamed *)user;
    const GArray *arrived = find_arrived(streamed, node, k);
    const Stream *s = &streamed->stream;
    if (i >= arrived->len)
        return FALSE;
    guint slot = g_array_index(arrived, guint, i);
    Piece piece = region_piece(&s->blocks, node, slot - s->blocks.slot);
    Piece still = piece_whole(region_cover(&s->still, node));
    *out = (Product){s->of_c ? slot : s->still.slot, s->of_c ? s->still.slot : slot, s->sums.slot,
                     s->of_c ? piece : still, s->of_c ? still : piece, region_cover(&s->sums, node), FALSE, FALSE};
    return TRUE;
}

/* --- a schedule --- */

static void clear(Schedule *self)
{
    g_array_unref(((Streamed *)self)->arrived);
    combined_clear(self);
}

Schedule *streamed_new(Schedule *broadcast, const Stream *stream, Content *content)
{
    static const ScheduleClass class = {.step = step, .free = clear};
    g_assert(broadcast->n_strands == 1);
    Streamed *s = (Streamed *)combined_new(sizeof *s, &class, 1, &broadcast, 0);
    s->stream = *stream;
    s->arrived = g_array_new(FALSE, FALSE, sizeof(guint));
    s->node = s->k = NEVER;
    s->combined.head.n_steps = broadcast->n_steps + 1;
    s->products = !stream->first ? matrix_products(content, nth_product, s)
                                 : matrix_products_begin(content, nth_product, s, stream->m, &stream->still,
                                                         stream->of_c, &stream->sums);
    return &s->combined.head;
}
