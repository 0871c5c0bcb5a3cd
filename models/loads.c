#include "loads.h"

#include <math.h>

double loads_messages_ps(const Machine *machine, const MachineTerms *terms, double n, double hops, gboolean in_pairs)
{
    gboolean within = hops == 0;
    double delta = (double)machine_delta(machine, within), time = n * ((double)terms->lambda_ps + delta);
    if (machine->pairwise_sync && in_pairs)
        time += n * ((double)machine_lambda_zero(machine, within) + delta) +
                hops * (double)machine_terms(machine, 0)->delta_hop_ps;
    return time + hops * (double)terms->delta_hop_ps + n * (double)machine->reconfigure_ps;
}

/* Steps of a list that carry equally many blocks. */
typedef struct {
    guint64 blocks;         /* number of blocks that a processor sends in a step, if the list has all address bits */
    gboolean is_apart;      /* whether these blocks are not contiguous in the processor's memory */
    gboolean in_pairs;      /* whether each processor receives from the processor to which it sends */
    gint64 block;           /* size of the smallest block of processors (group.h) within which the messages stay */
    double n, hops;         /* number of these steps; channels that their messages cross in all */
    double busy;            /* messages over the busiest channel of each step, all steps added up */
    double kept;            /* number of steps that find their circuit set up by the step before */
} Load;

static void add_load(GArray *loads, Load load)
{
    for (guint i = 0; i < loads->len; i++) {
        Load *other = &g_array_index(loads, Load, i);
        if (other->blocks != load.blocks || other->is_apart != load.is_apart || other->in_pairs != load.in_pairs ||
            other->block != load.block)
            continue;
        other->n += load.n;
        other->hops += load.hops;
        other->busy += load.busy;
        other->kept += load.kept;
        return;
    }
    if (load.n > 0 && load.blocks > 0)
        g_array_append_val(loads, load);
}

static GArray *loads_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(Load));
}

GArray *loads_of(const Group *group, const Offsets *offsets, const CongestedStep *steps)
{
    GArray *loads = loads_new();
    Covers covers;
    covers_init(&covers, offsets, group);
    for (guint i = 0; i < offsets->len; i++) {
        guint32 s = offsets_nth(offsets, i);
        guint blocks = covers.first[i + 1] - covers.first[i];
        guint hops = steps ? steps[s].hops : group->binary ? (guint)__builtin_popcount(s) : 1;
        if (blocks)
            add_load(loads, (Load){blocks, covers_are_apart(&covers, i), group_add(group, s, s) == 0,
                                   group_block(group, (gint64)s + 1), 1, hops, steps ? steps[s].load : 1,
                                   i > 0 && offsets_nth(offsets, i - 1) == s});
    }
    covers_clear(&covers);
    return loads;
}

static void members_add_list(GArray *members, const Group *group, guint part, guint n_steps)
{
    Member member = {.parts = {1, {part}}, .n_steps = n_steps, .loads = loads_new()};
    if (n_steps == group->n - 1 && group->binary) {
        for (int bits = 0; bits < (int)part; bits++) {  /* offsets whose highest one bit is `bits` */
            Load load = {1, FALSE, TRUE, (gint64)2 << bits, ldexp(1, bits), ldexp(bits + 2, bits - 1),
                         ldexp(1, bits), 0};
            add_load(member.loads, load);
        }
    } else {
        g_autoptr(Offsets) offsets = offsets_best(group, n_steps);
        g_array_unref(member.loads);
        member.loads = loads_of(group, offsets, NULL);
    }
    g_array_append_val(members, member);
}

static void clear_member(gpointer member)
{
    g_array_unref(((Member *)member)->loads);
}

static GArray *members_new(void)
{
    GArray *members = g_array_new(FALSE, FALSE, sizeof(Member));
    g_array_set_clear_func(members, clear_member);
    return members;
}

const GArray *members_of_part(guint part)
{
    static GArray *members[OFFSETS_KNOWN_MAX + 1];
    const Group *cube = group_of_cube(part);
    guint n = 0;
    if (members[part])
        return members[part];
    members[part] = members_new();
    const OffsetsKnown *known = part <= OFFSETS_SEARCHED_MAX ? offsets_known(cube, &n) : NULL;
    for (guint i = 0; i + 1 < n; i++)
        if (offsets_is_member(part, i))
            members_add_list(members[part], cube, part, known[i].n_steps);
    members_add_list(members[part], cube, part, cube->n - 1);
    return members[part];
}

/* Returns the bytes of one message, for blocks of one byte, if the list leaves `others` address bits to other
 * lists. */
static double load_bytes(const Load *load, guint others)
{
    return ldexp((double)load->blocks, (int)others);
}

ExchangeLine loads_line(const GArray *loads, const Machine *machine, guint others, guint stop, double bytes)
{
    ExchangeLine line = {0, 0};
    for (guint i = 0; i < loads->len; i++) {
        const Load *load = &g_array_index(loads, Load, i);
        gboolean within = machine->host > 1 && load->block << stop <= machine->host;
        double message = load_bytes(load, others);
        double hops = within ? 0 : machine_is_crossbar(machine) ? load->n : load->hops;
        gboolean copies = stop < others || load->is_apart;
        MachineTerms terms = *machine_terms(machine, message * bytes);
        if (within)
            terms = machine_within(machine, &terms);
        double sent = load->busy * machine_byte_ps(terms.tau_fs_per_byte);
        double copied = copies ? load->n * 2 * machine_byte_ps(machine->gather_fs_per_byte) : 0;
        double messages_ps = loads_messages_ps(machine, &terms, load->n, hops, load->in_pairs) -
                             load->kept * (double)machine->reconfigure_ps;
        line = exchange_line_sum(line, (ExchangeLine){messages_ps, message * (sent + copied)});
    }
    return line;
}

void members_add_bends(GArray *sizes, const Machine *machine, guint others, const GArray *members)
{
    MachinePiece pieces[MACHINE_PIECES_MAX];
    guint n_limits = machine_pieces(machine, pieces) - 1;
    for (guint m = 0; m < members->len; m++) {
        const GArray *loads = g_array_index(members, Member, m).loads;
        for (guint i = 0; i < loads->len * n_limits; i++) {
            double message = load_bytes(&g_array_index(loads, Load, i / n_limits), others);
            double limit = (double)pieces[i % n_limits].limit / message;
            g_array_append_val(sizes, limit);
        }
    }
}

GArray *members_of_lists(const Group *group)
{
    GArray *members = members_new();
    guint n;
    const OffsetsKnown *known = offsets_known(group, &n);
    for (guint i = 0; i < n; i++)
        members_add_list(members, group, group->n, known[i].n_steps);
    return members;
}

static void members_add_text(GArray *members, const Group *group, Phases parts, const Offsets *offsets,
                             const char *text)
{
    Member member = {parts, offsets->len, offsets_n_circuits(offsets), text, loads_of(group, offsets, NULL)};
    g_array_append_val(members, member);
}

GArray *members_of_circuits(const Group *group)
{
    GArray *members = members_new();
    const GArray *known = circuits_known(group);
    for (guint i = 0; i < known->len; i++) {
        const char *text = g_array_index(known, CircuitsKnown, i).offsets;
        g_autoptr(Offsets) offsets = offsets_parse("", text, group, NULL);
        members_add_text(members, group, (Phases){1, {group->n}}, offsets, text);
    }
    return members;
}

GArray *members_of_rings(const Group *group)
{
    GArray *members = members_new();
    g_autoptr(GArray) all = offsets_all_radices(group);
    for (guint i = 0; all && i < all->len; i++) {
        const Phases *radices = &g_array_index(all, Phases, i);
        g_autoptr(Offsets) offsets = offsets_of_rings(radices, group);
        g_autofree char *text = offsets_format(offsets);
        if (offsets_check("", "", offsets, group, NULL))
            members_add_text(members, group, *radices, offsets, g_intern_string(text));
    }
    return members;
}

/* Adds the messages of a phase of Bruck's exchange on n processors. Message j has the blocks whose digit at `stride` is
 * j, in runs of `stride` blocks. */
static void add_digit(GArray *loads, guint64 n, guint64 stride, guint64 radix)
{
    guint64 runs = n / (stride * radix), rest = n % (stride * radix), more = rest / stride, cut = rest % stride;
    double n_more = more > 1 ? (double)more - 1 : 0, n_cut = more > 0, n_less = (double)radix - 1 - n_more - n_cut;
    add_load(loads, (Load){(runs + 1) * stride, runs > 0, FALSE, n, n_more, n_more, n_more, 0});
    add_load(loads, (Load){runs * stride + cut, runs + (cut > 0) > 1, FALSE, n, n_cut, n_cut, n_cut, 0});
    add_load(loads, (Load){runs * stride, runs > 1, FALSE, n, n_less, n_less, n_less, 0});
}

GArray *members_of_one_radix(const Group *group, guint step)
{
    GArray *members = members_new();
    for (guint radix = 2; radix <= group->n; radix += step) {
        if (radix == group->n - 1)
            continue;       /* radices N - 1 and 2 have the messages of Direct */
        Member member = {.parts = radices_uniform(group->n, radix), .loads = loads_new()};
        const Radices radices = radices_of(&member.parts, group);
        for (guint i = 0; i < radices.n; i++)
            add_digit(member.loads, group->n, radices.stride[i], radices.radix[i]);
        g_array_append_val(members, member);
    }
    return members;
}

GArray *members_of_radices(const Group *group)
{
    GArray *members = members_new();
    g_autoptr(GArray) all = offsets_all_radices(group);
    if (!all)
        return members_of_one_radix(group, 1);
    for (guint i = 0; i < all->len; i++) {
        Member member = {.parts = g_array_index(all, Phases, i)};
        g_autoptr(Offsets) offsets = offsets_of_radices(&member.parts, group, 1);
        if (offsets->len == group->n - 1 && member.parts.n_parts > 1)
            continue;       /* these radices have the messages of Direct: for example 11,2 if N = 12 */
        member.loads = loads_of(group, offsets, NULL);
        g_array_append_val(members, member);
    }
    return members;
}
