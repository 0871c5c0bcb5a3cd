/* Exchanges in rings whose data differs in size: everything crosses the dimensions it must, once each, and nothing that
 * is empty is sent. */
#include "sim/patterns/matmul/moving.h"
#include "sim/schedule/combinators.h"
#include "tests/support/tests.h"

#define D 4
#define N (1u << D)
#define NOTHING G_MAXUINT

/* What is under way: number i of a list of Cargo. */
typedef struct {
    guint origin, slot;     /* a slot has one number all the way */
    guint crossed;          /* dimensions, as bits */
} Cargo;

typedef struct {
    const Region *region;
    const Schedule *schedule;
    GArray *cargo;          /* Cargo */
    guint *at;              /* [N][n_slots]: number of a cargo, or NOTHING */
} Yard;

static guint *place(const Yard *yard, guint node, guint slot)
{
    return &yard->at[node * yard->schedule->n_slots + slot];
}

static Yard yard_new(const Region *region, const Schedule *schedule)
{
    Yard yard = {region, schedule, g_array_new(FALSE, FALSE, sizeof(Cargo)), g_new(guint, N * schedule->n_slots)};
    for (guint i = 0; i < N * schedule->n_slots; i++)
        yard.at[i] = NOTHING;
    for (guint node = 0; node < N; node++)
        for (guint i = 0; i < region_n_slots(region); i++)
            if (region_piece(region, node, i).count > 0) {
                Cargo cargo = {node, region->slot + i, 0};
                *place(&yard, node, region->slot + i) = yard.cargo->len;
                g_array_append_val(yard.cargo, cargo);
            }
    return yard;
}

static void yard_clear(Yard *yard)
{
    g_array_unref(yard->cargo);
    g_free(yard->at);
}

/* --- one step of all processors --- */

static void send(const Yard *yard, guint node, const Step *step, const Send *of, GArray *arrivals)
{
    guint dim = cube_first_dimension(node, of->peer);
    ck_assert_uint_eq(of->peer, node ^ 1u << dim);
    ck_assert(yard->region->dims >> dim & 1);
    ck_assert_int_eq(of->transfer, TRANSFER_MOVE);
    ck_assert_uint_gt(of->n_stretches, 0);
    for (guint s = 0; s < of->n_stretches; s++) {
        const Stretch *stretch = step_stretch(step, of, s);
        ck_assert_uint_eq(stretch->slot, stretch->landing);
        for (guint i = 0; i < stretch->count; i++) {
            guint *from = place(yard, node, stretch->slot + i), arrival[] = {of->peer, *from};
            ck_assert_uint_ne(*from, NOTHING);
            Cargo *cargo = &g_array_index(yard->cargo, Cargo, *from);
            ck_assert(!(cargo->crossed >> dim & 1));
            cargo->crossed |= 1u << dim;
            g_array_append_vals(arrivals, arrival, 2);
            *from = NOTHING;
        }
    }
}

/* Returns the most messages of a processor; no two are across one dimension. */
static guint do_step(const Yard *yard, guint k)
{
    g_autoptr(GArray) arrivals = g_array_new(FALSE, FALSE, sizeof(guint));
    guint awaited[N] = {0}, sent[N] = {0}, most = 0;
    g_auto(Step) step = step_new();
    for (guint node = 0; node < N; node++) {
        guint32 used = 0;
        schedule_step(yard->schedule, node, k, &step);
        for (guint i = 0; i < step.sends->len; i++) {
            const Send *of = step_nth_send(&step, i);
            guint dim = cube_first_dimension(node, of->peer);
            ck_assert(!(used >> dim & 1));
            used |= 1u << dim;
            sent[of->peer] |= 1u << dim;
            send(yard, node, &step, of, arrivals);
        }
        for (guint i = 0; i < step.awaits->len; i++)
            awaited[node] |= node ^ step_nth_await(&step, i);
        most = MAX(most, step.sends->len);
    }
    for (guint i = 0; i < arrivals->len; i += 2) {
        guint node = g_array_index(arrivals, guint, i), number = g_array_index(arrivals, guint, i + 1);
        guint *to = place(yard, node, g_array_index(yard->cargo, Cargo, number).slot);
        ck_assert_uint_eq(*to, NOTHING);
        *to = number;
    }
    for (guint node = 0; node < N; node++)
        ck_assert_uint_eq(awaited[node], sent[node]);
    return most;
}

/* Everything is where it belongs, and has crossed what it had to. */
static void check_end(const Yard *yard)
{
    for (guint i = 0; i < yard->cargo->len; i++) {
        const Cargo *cargo = &g_array_index(yard->cargo, Cargo, i);
        guint number = (cargo->slot - yard->region->slot) / yard->region->n_parts;
        const GArray *numbers = yard->region->numbers;
        guint dims = cube_spread_bits(numbers ? g_array_index(numbers, guint, number) : number, yard->region->dims);
        ck_assert_uint_eq(cargo->crossed, dims);
        ck_assert_uint_eq(*place(yard, cargo->origin ^ dims, cargo->slot), i);
    }
}

static gboolean is_filled(gconstpointer region, guint node, guint i)
{
    return region_piece(region, node, i).count > 0;
}

/* Returns the most messages that a processor sends in a step. */
static guint check_exchange(const Region *region, ExchangeKind kind, const guint *order)
{
    g_autoptr(Schedule) schedule = schedule_sparse(exchange_new(D, region, kind, order), is_filled, region);
    Yard yard = yard_new(region, schedule);
    guint most = 0;
    for (guint k = 0; k < schedule->n_steps; k++) {
        guint of_step = do_step(&yard, k);
        most = MAX(most, of_step);
    }
    check_end(&yard);
    yard_clear(&yard);
    return most;
}

/* --- transpositions, and what is in rows of four --- */

#define ROW 0x5

static const struct {
    guint dims;                             /* of the ring */
    guint from_rows, from_cols, to_rows, to_cols;
} moves[] = {{0xf, 0xc, 0x3, 0x3, 0xc}, {0xf, 0xe, 0x1, 0x1, 0xe}, {0xf, 0, 0xf, 0xf, 0}, {ROW, ROW, 0xa, 0, 0xf}};

static Region nth_region(guint i, guint height, guint width, MatmulLayout layout, guint n_parts)
{
    return (Region){.dims = moves[i].dims, .n_parts = n_parts,
                    .from = {{height, {moves[i].from_rows, 0}}, {width, {moves[i].from_cols, 0}}, layout},
                    .to = {{height, {moves[i].to_rows, 0}}, {width, {moves[i].to_cols, 0}}, layout}};
}

/* One message at a time if there is one part, however the dimensions are ordered. */
static void check_orders(const Region *region)
{
    const guint orders[][D] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}}, short_order[] = {1, 0};
    for (guint i = 0; i < G_N_ELEMENTS(orders); i++) {
        guint most = check_exchange(region, EXCHANGE_IN_ORDER, region->dims == ROW ? short_order : orders[i]);
        ck_assert_uint_le(most, region->n_parts);
    }
}

static void check_kinds(Region region)
{
    g_autoptr(GArray) numbers = region_numbers_of_all(&region, N);
    for (guint few = 0; few < 2; few++) {
        region.numbers = few ? numbers : NULL;
        check_orders(&region);
        if (region.n_parts <= (guint)__builtin_popcount(region.dims))
            check_exchange(&region, EXCHANGE_ROTATED, NULL);
        if (region.n_parts == 1)
            check_exchange(&region, EXCHANGE_BALANCED, NULL);
    }
}

TEST_LOOP(exchanges, 1, 3 + 1)
{
    for (guint i = 0; i < G_N_ELEMENTS(moves); i++)
        for (guint size = 1; size <= 17; size += 4)
            for (guint layout = MATMUL_CONSECUTIVE; layout <= MATMUL_CYCLIC; layout++)
                check_kinds(nth_region(i, size, 18 - size, (MatmulLayout)layout, (guint)_i));
}

/* --- sums --- */

typedef guint64 Sums[N][N];

/* Adds the message of a processor to what its peer has. What has been sent is gone. */
static void add_message(const Step *step, guint node, Sums before, Sums sums, gboolean (*gone)[N])
{
    ck_assert_uint_eq(step->sends->len, 1);
    const Send *of = step_nth_send(step, 0);
    ck_assert_int_eq(of->transfer, TRANSFER_COMBINE);
    for (guint s = 0; s < of->n_stretches; s++) {
        const Stretch *stretch = step_stretch(step, of, s);
        for (guint i = 0; i < stretch->count; i++) {
            ck_assert(!gone[node][stretch->slot + i]);
            gone[node][stretch->slot + i] = TRUE;
            sums[of->peer][stretch->landing + i] += before[node][stretch->slot + i];
        }
    }
}

/* Everybody's slot r has a number for processor xor r. With one message at a time all arrive, all numbers added. */
TEST_LOOP(reductions, 0, 2)
{
    static const guint orders[][D] = {{0, 1, 2, 3}, {3, 1, 0, 2}};
    Region region = nth_region(0, N, N, MATMUL_CONSECUTIVE, 1);
    g_autoptr(Schedule) schedule = exchange_new(D, &region, EXCHANGE_SUMS, orders[_i]);
    gboolean gone[N][N] = {{FALSE}};
    guint64 expected[N] = {0};
    Sums sums, before;
    for (guint i = 0; i < N * N; i++) {
        sums[i / N][i % N] = i * i + 1;
        expected[i / N ^ i % N] += i * i + 1;
    }
    g_auto(Step) step = step_new();
    for (guint k = 0; k < schedule->n_steps; k++) {
        memcpy(before, sums, sizeof before);
        for (guint node = 0; node < N; node++) {
            schedule_step(schedule, node, k, &step);
            add_message(&step, node, before, sums, gone);
        }
    }
    for (guint node = 0; node < N; node++)
        ck_assert_uint_eq(sums[node][0], expected[node]);
}

TESTS(rings, exchanges, reductions)
