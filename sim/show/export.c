#include "export.h"
#include "sim/cube/cube.h"
#include "sim/run/keys.h"
#include "sim/patterns/problem.h"
#include "sim/patterns/theory.h"

#define PIECE_BYTES 65536    /* number of bytes of text that are collected before they are written */

/* --- acts --- */

static void put_count(GString *out, const char *before, gint64 n, const char *noun)
{
    g_string_append_printf(out, "%s%" G_GINT64_FORMAT " %s%s", before, n, noun, n == 1 ? "" : "s");
}

static void export_put_problem(GString *out, const Problem *problem)
{
    g_autofree char *partition = partition_format(&problem->partition);
    const Run run = {.problem = *problem};
    g_string_append_printf(out, "%s %s%s%s", problem->pattern->name, problem->algorithm->name, *partition ? " " : "",
                           partition);
    run_put_named(&run, KEY_SUBJECT, out);
    run_put_named(&run, KEY_HOW, out);
    if (algorithm_takes(problem->algorithm, problem_routing(problem)) & TAKES_ACCUMULATE)
        g_string_append_printf(out, ", accumulate %u", problem->accumulate);
    if (problem_rails(problem) > 1)
        g_string_append_printf(out, ", %u ports", problem->rails);
    else if (problem->algorithm->n_port)
        g_string_append(out, ", all ports");
    if (problem->pattern->rooted)
        g_string_append_printf(out, ", source %u", problem->source);
    if (pattern_theory(problem->pattern)->put_problem)
        pattern_theory(problem->pattern)->put_problem(problem, out);
    if (problem_group(problem)->binary)
        g_string_append_printf(out, ", d = %u: ", problem->dimension);
    else if (problem_group(problem)->n_factors > 1)
        g_string_append_printf(out, ", %s: ", problem_group(problem)->name);
    else
        g_string_append(out, ": ");
}

static void put_parts(GString *out, const Division *data)
{
    const Pieces *pieces = &data->pieces;
    g_string_append_printf(out, "; %u parts", pieces->n_parts);
    if (pieces->n_long == pieces->n_parts) {
        put_count(out, " of ", data->long_bytes, "byte");
        return;
    }
    g_string_append_printf(out, ": %u", pieces->n_long);
    put_count(out, " of ", data->long_bytes, "byte");
    g_string_append_printf(out, ", %u of %" G_GINT64_FORMAT, pieces->n_parts - pieces->n_long, data->short_bytes);
}

static void export_put_data(GString *out, const Problem *problem, gint64 element)
{
    const Division *data = &problem->data;
    if (pattern_theory(problem->pattern)->size_key) {
        put_count(out, "elements of ", element, "byte");
        g_string_append_c(out, '\n');
        return;
    }
    put_count(out, "M = ", data->bytes, "byte");
    if (element > 1)
        g_string_append_printf(out, " in elements of %" G_GINT64_FORMAT, element);
    if (data->pieces.n_parts > 1 && (data->bytes > 0 || division_has_empty_pieces(data)))
        put_parts(out, data);
    if (division_has_empty_pieces(data))
        g_string_append(out, ", sent as well");
    if (data->pieces.long_packets > 1) {
        put_count(out, "; packets of at most ", data->packet, "byte");
        put_count(out, ": ", pieces_count(&data->pieces), "piece");
    }
    g_string_append_c(out, '\n');
}

void export_put_title(GString *out, const char *margin, const Problem *problem, gint64 element,
                      const Schedule *schedule)
{
    g_string_append(out, margin);
    export_put_problem(out, problem);
    put_count(out, "", schedule_n_nodes(schedule), "processor");
    if (schedule->n_strands > 1)
        put_count(out, ", ", schedule->n_strands, "strand");
    put_count(out, schedule->n_strands > 1 ? " of up to " : ", ", schedule->n_steps, "step");
    put_count(out, ", ", schedule->n_slots, "slot");
    g_string_append_printf(out, " each\n%s", margin);
    export_put_data(out, problem, element);
}

/* --- words for a step as a whole, or for one of its processors --- */

typedef struct {
    guint32 strands;        /* set of bits: other strands together with which the step begins */
    gboolean phase, exchange;
} Flags;

static Flags export_flags(const Step *step)
{
    return (Flags){step->join & ~(1u << step->strand), step->phase, step->exchange};
}

/* Returns the flags that all processors have in step k of the strand. Processors without messages need not have
 * `exchange`. */
static Flags find_common(const Schedule *schedule, guint strand, guint k, Step *step)
{
    Flags common = {0, TRUE, FALSE};
    gboolean other = FALSE;     /* whether a processor has messages but no `exchange` */
    for (guint node = 0; node < schedule_n_nodes(schedule); node++) {
        schedule_strand_step(schedule, node, strand, k, step);
        Flags flags = export_flags(step);
        common.strands = node == 0 || flags.strands == common.strands ? flags.strands : 0;
        common.phase &= flags.phase;
        common.exchange |= flags.exchange;
        other |= !flags.exchange && step->sends->len + step->awaits->len > 0;
    }
    common.exchange &= !other;
    return common;
}

static void put_flags(GString *out, Flags flags, const char *comma)
{
    if (flags.strands) {
        gboolean one = (flags.strands & (flags.strands - 1)) == 0;
        g_string_append_printf(out, "%stogether with strand%s", comma, one ? "" : "s");
        for (guint32 left = flags.strands; left; left &= left - 1)
            g_string_append_printf(out, "%s %d", left == flags.strands ? "" : ",", __builtin_ctz(left));
        comma = ", ";
    }
    if (flags.phase)
        g_string_append_printf(out, "%sbegins a phase", comma);
    if (flags.exchange)
        g_string_append_printf(out, "%spairwise exchange", flags.phase ? ", " : comma);
}

/* --- what a processor does --- */

/* The text of a schedule, and how far it has come. */
typedef struct {
    Output *output;
    GString *out;           /* text that is not written yet */
    const Schedule *schedule;
    guint node, k;
    guint n_acts;           /* number of acts appended so far for processor `node` in step k */
} Text;

static void begin_act(Text *t, const char *act)
{
    g_string_append(t->out, t->n_acts++ ? "; " : " ");
    g_string_append(t->out, act);
}

static void export_put_range(GString *out, guint first, guint count)
{
    g_string_append_printf(out, count == 1 ? " %u" : " %u-%u", first, first + count - 1);
}

static void export_put_slots(GString *out, const Step *step, const Send *send, gboolean landing)
{
    gboolean one = send->n_stretches == 1 && step_stretch(step, send, 0)->count == 1;
    g_string_append(out, one ? "slot" : send->n_stretches ? "slots" : "no slots");
    for (guint i = 0; i < send->n_stretches; i++) {
        const Stretch *stretch = step_stretch(step, send, i);
        g_string_append(out, i ? "," : "");
        export_put_range(out, landing ? stretch->landing : stretch->slot, stretch->count);
    }
}

static void put_sends(Text *t, const Step *step)
{
    for (guint i = 0; i < step->sends->len; i++) {
        const Send *send = step_nth_send(step, i);
        begin_act(t, step_transfer_keeps(send->transfer) ? "copies " : "sends ");
        export_put_slots(t->out, step, send, FALSE);
        g_string_append_printf(t->out, " to %u, %s ", send->peer,
                               step_transfer_adds(send->transfer) ? "added to" : "into");
        export_put_slots(t->out, step, send, TRUE);
    }
}

static void put_awaits(Text *t, const Step *step)
{
    for (guint i = 0; i < step->awaits->len; i++) {
        if (i == 0)
            begin_act(t, "awaits");
        g_string_append_printf(t->out, "%s %u", i ? "," : "", step_nth_await(step, i));
    }
}

static guint new_number(const Text *t, const Step *step, guint slot)
{
    return schedule_renumber(t->schedule, t->node, step->strand, t->k, slot);
}

static void put_renumbering(Text *t, const Step *step)
{
    gboolean any = FALSE;
    for (guint slot = 0, count; slot < t->schedule->n_slots; slot += count) {
        guint new = new_number(t, step, slot);
        for (count = 1; slot + count < t->schedule->n_slots && new_number(t, step, slot + count) == new + count;)
            count++;
        if (new == slot)
            continue;
        if (!any)
            begin_act(t, "renumbers slots");
        g_string_append(t->out, any ? "," : "");
        export_put_range(t->out, slot, count);
        g_string_append(t->out, " as");
        export_put_range(t->out, new, count);
        any = TRUE;
    }
}

static void export_put_operation(Text *t, const Operation *operation)
{
    Content *content = t->schedule->content;
    gint64 operations = content->class->operations ? content->class->operations(content, t->node, operation) : 0;
    if (content->class->work_text) {
        g_autofree char *acts = content->class->work_text(content, t->node, operation);
        if (*acts)
            begin_act(t, acts);
    } else {
        begin_act(t, operation->count == 1 ? "works on slot" : "works on slots");
        export_put_range(t->out, operation->slot, operation->count);
        g_string_append_printf(t->out, ", operation %u", operation->what);
        put_count(t->out, ", moving ", operation->bytes, "byte");
    }
    if (operations) {
        begin_act(t, "takes");
        put_count(t->out, " ", operations, "operation");
    }
}

static void export_put_work(Text *t, const Step *step)
{
    const Operation *operation = &step->operation;
    if (step->rotate) {
        begin_act(t, "shuffles by ");
        g_string_append_printf(t->out, "%u", step->rotate);
    }
    if (step->renumber)
        put_renumbering(t, step);
    if (operation->what)
        export_put_operation(t, operation);
}

static void put_processor(Text *t, const Step *step, Flags common)
{
    Flags flags = export_flags(step);
    gboolean differs = common.strands != flags.strands;
    Flags own = {differs ? flags.strands : 0, flags.phase && !common.phase, flags.exchange && !common.exchange};
    t->n_acts = 0;
    g_string_append_printf(t->out, "  %u", t->node);
    if (own.strands || own.phase || own.exchange) {
        put_flags(t->out, own, " (");
        g_string_append_c(t->out, ')');
    }
    put_sends(t, step);
    put_awaits(t, step);
    export_put_work(t, step);
    if (t->n_acts == 0)
        begin_act(t, "does nothing");
    g_string_append_c(t->out, '\n');
}

/* Writes and empties t->out if it has more than `least` bytes. Returns FALSE if the output has failed. */
static gboolean export_flush(Text *t, gsize least)
{
    if (t->out->len <= least)
        return TRUE;
    gboolean ok = output_add(t->output, t->out->str, t->out->len);
    g_string_truncate(t->out, 0);
    return ok;
}

/* Appends step t->k of the strand. Returns FALSE if the output has failed. */
static gboolean put_step(Text *t, guint strand, Step *step)
{
    Flags common = find_common(t->schedule, strand, t->k, step);
    g_string_append_printf(t->out, "\nstep %u", t->k);
    if (t->schedule->n_strands > 1)
        g_string_append_printf(t->out, " of strand %u", strand);
    put_flags(t->out, common, ", ");
    g_string_append_c(t->out, '\n');
    gboolean ok = TRUE;
    for (t->node = 0; ok && t->node < schedule_n_nodes(t->schedule); t->node++) {
        schedule_strand_step(t->schedule, t->node, strand, t->k, step);
        put_processor(t, step, common);
        ok = export_flush(t, PIECE_BYTES);
    }
    return ok;
}

/* --- the whole text --- */

static gboolean shuffles(const Schedule *schedule, Step *step)
{
    for (guint strand = 0; strand < schedule->n_strands; strand++)
        for (guint k = 0; k < schedule_n_steps(schedule, strand); k++)
            for (guint node = 0; !step->rotate && node < schedule_n_nodes(schedule); node++)
                schedule_strand_step(schedule, node, strand, k, step);
    return step->rotate != 0;
}

static void put_shuffle(GString *out, guint d)
{
    g_string_append_printf(out, "to shuffle by s: what is in slot i < %u goes to the slot that i becomes when its %u "
                           "bits are rotated left by s\n", 1u << d, d);
}

void export_text(Output *out, const Problem *problem, gint64 element)
{
    g_autoptr(Schedule) schedule = schedule_make(problem);
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *legend = schedule->content->class->legend(schedule->content);
    Text t = {.output = out, .out = text, .schedule = schedule};
    g_auto(Step) step = step_new();
    export_put_title(text, "", problem, element, schedule);
    g_string_append_printf(text, "%s\n", legend);
    if (shuffles(schedule, &step))
        put_shuffle(text, schedule->dimension);
    gboolean ok = TRUE;
    for (guint strand = 0; strand < schedule->n_strands; strand++)
        for (t.k = 0; ok && t.k < schedule_n_steps(schedule, strand); t.k++)
            ok = put_step(&t, strand, &step);
    export_flush(&t, 0);
}
