#include "forecast.h"

static const Work *nth_work(const GArray *works, guint i)
{
    return &g_array_index(works, Work, i);
}

/* --- sums --- */

static gboolean begins_sums(const Work *work)
{
    return work->kind == WORK_MULTIPLY && work->first;
}

/* Where local work puts what it makes; NULL: it makes nothing. */
static const Region *made_by(const Work *work)
{
    return work->kind == WORK_RECUT ? &work->regions[1] : begins_sums(work) ? &work->regions[2] : NULL;
}

#define NOTHING G_MAXUINT

/* The number of the work that made what work number i cuts; NOTHING: it is as at first. */
static guint find_maker(const GArray *works, guint i)
{
    guint slot = nth_work(works, i)->regions[0].slot;
    while (i-- > 0) {
        const Region *made = made_by(nth_work(works, i));
        if (made && made->slot == slot)
            return i;
    }
    return NOTHING;
}

/* Whether there are the sums that a work begins or cuts: where there are no terms there are none, until they have been
 * added up. Other work has what it needs. */
static gboolean has_terms(const GArray *works, guint i, guint node)
{
    guint maker = nth_work(works, i)->kind == WORK_RECUT ? find_maker(works, i) : i;
    const Work *work = maker != NOTHING ? nth_work(works, maker) : NULL;
    if (!work || !begins_sums(work))
        return TRUE;
    Piece of_c, of_d;
    work_factors(work, node, &of_c, &of_d);
    return tile_n_products(&of_c, &of_d) > 0;
}

/* --- memory --- */

/* Bytes of a tile, beside its elements: its head, two places in the heap, and in a list. */
#define BYTES_TILE (sizeof(Tile) + 40)

gsize forecast_bytes_of(guint64 elements, guint64 n_slots)
{
    return elements * sizeof(guint64) + MIN(elements, n_slots) * BYTES_TILE;
}

/* What local work makes on all processors together. */
static gsize bytes_of_work(const GArray *works, guint i, guint dimension)
{
    const Region *made = made_by(nth_work(works, i));
    guint64 elements = 0, n_slots = 0;
    for (guint node = 0; made && node < 1u << dimension; node++) {
        Patch patch = region_cover(made, node);
        guint64 n = has_terms(works, i, node) ? patch_count(&patch) : 0;
        elements += n;
        n_slots += n ? region_n_slots(made) : 0;
    }
    return forecast_bytes_of(elements, n_slots);
}

gsize forecast_storage(const GArray *works, guint dimension)
{
    gsize bytes = 0;
    for (guint i = 0; i < works->len; i++)
        bytes += bytes_of_work(works, i, dimension);
    return bytes;
}

/* --- in words --- */

/* Slots in a row whose pieces have the same size count as one, with `sizes`. " slots 3-5 of 8, 7 of 4 elements" */
static void put_slots(GString *out, const GArray *filled, gboolean sizes)
{
    guint n, size = 0;
    g_string_append(out, filled->len > 1 ? " slots" : " slot");
    for (guint i = 0; i < filled->len; i += n) {
        const Filled *first = &g_array_index(filled, Filled, i);
        size = first->piece.count;
        for (n = 1; i + n < filled->len && first[n].slot == first->slot + n &&
                    (!sizes || first[n].piece.count == size);)
            n++;
        g_string_append_printf(out, n > 1 ? "%s %u-%u" : "%s %u", i ? "," : "", first->slot, first->slot + n - 1);
        if (sizes)
            g_string_append_printf(out, " of %u", size);
    }
    if (sizes)
        g_string_append_printf(out, " element%s", size == 1 ? "" : "s");
}

static void put_region(GString *out, const char *before, const Region *region, guint node, gboolean sizes)
{
    g_autoptr(GArray) filled = work_filled_slots(node, region);
    g_string_append(out, before);
    put_slots(out, filled, sizes);
}

static void put_product(GString *out, const Product *product)
{
    if (tile_n_products(&product->c, &product->d) > 0)
        g_string_append_printf(out, "%smultiplies slot %u by slot %u, added to slot %u", out->len ? "; " : "",
                               product->c_slot, product->d_slot, product->a_slot);
    if (product->c_is_done && product->c.count > 0)
        g_string_append_printf(out, "%sempties slot %u", out->len ? "; " : "", product->c_slot);
    if (product->d_is_done && product->d.count > 0)
        g_string_append_printf(out, "%sempties slot %u", out->len ? "; " : "", product->d_slot);
}

static void put_products(GString *out, const Work *work, guint node, guint k)
{
    Product product;
    for (guint i = 0; work->nth(work->user, node, k, i, &product); i++)
        put_product(out, &product);
}

static void put_work(GString *out, const Work *work, guint node)
{
    static const char *const begin[] = {[WORK_RECUT] = "cuts", [WORK_MULTIPLY] = "multiplies", [WORK_ADD] = "adds"};
    const Region *last = &work->regions[work->kind == WORK_MULTIPLY ? 2 : 1];
    gboolean makes = made_by(work) != NULL;
    put_region(out, begin[work->kind], &work->regions[0], node, FALSE);
    if (work->kind == WORK_MULTIPLY)
        put_region(out, " by", &work->regions[1], node, FALSE);
    put_region(out, work->kind == WORK_ADD ? " to" : makes ? ", into" : ", added to", last, node, makes);
}

void forecast_tell(const GArray *works, guint i, guint node, guint k, GString *out)
{
    const Work *work = nth_work(works, i);
    Patch patch = region_cover(&work->regions[work->kind == WORK_MULTIPLY ? 2 : 0], node);
    if (work->kind == WORK_PRODUCTS)
        put_products(out, work, node, k);
    else if (patch_count(&patch) > 0 && has_terms(works, i, node))
        put_work(out, work, node);
}
