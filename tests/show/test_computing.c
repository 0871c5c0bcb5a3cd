/* How computing is shown: in traces and their files, on the critical path, in explanations. Numbers are 10 bytes, two
 * elements of 5; an operation takes 3 µs. */
#include "sim/show/explain.h"
#include "sim/show/trace_file.h"
#include "sim/schedule/combinators.h"
#include "tests/support/scripted.h"

static Block two_numbers(guint node, guint slot)
{
    return slot < 2 || (node == 1 && slot == 3) ? node + slot : BLOCK_NONE;
}

/* A number arrives at 120 and is added, which takes 6; then both move 50 bytes and add two numbers. */
static Trace *trace_of_sums(const Machine *machine, gint64 *time_ps)
{
    static const Message messages[] = {{0, 0, 1, 0, 3, 1, 0, TRANSFER_COMBINE}, {0}};
    static const Script script = {.dimension = 1, .n_slots = 4, .n_steps = {1}, .messages = messages};
    Schedule *parts[] = {scripted_new(&script), schedule_work(1, 4, &(Operation){WORK_SUM, 0, 3, 50})};
    g_autoptr(Schedule) schedule = schedule_then(2, parts, FALSE);
    numbers_hold(schedule, 10, two_numbers, two_numbers);
    numbers_have_elements(schedule, 5);
    Trace *trace = trace_new();
    g_auto(EngineResult) result = test_run(schedule, machine, trace);
    trace_sort(trace);
    *time_ps = result.time_ps;
    return trace;
}

typedef struct {
    TraceKind kind;
    guint32 processor, step;
    gint64 start, end;          /* µs */
    gint64 amount;              /* bytes, operations */
} Expected;

/* Rearranging comes before computing. */
TEST(intervals)
{
    static const Expected expected[] = {
        {TRACE_STARTUP, 1, 0, 0, 100, 10},     {TRACE_CHANNEL, 1, 0, 100, 120, 10},
        {TRACE_TRANSMIT, 1, 0, 100, 120, 10},  {TRACE_REARRANGE, 1, 1, 120, 170, 50},
        {TRACE_COMPUTE, 0, 0, 120, 126, 2},    {TRACE_REARRANGE, 0, 1, 126, 176, 50},
        {TRACE_COMPUTE, 1, 1, 170, 176, 2},    {TRACE_COMPUTE, 0, 1, 176, 182, 2},
    };
    gint64 time_ps;
    g_autoptr(Machine) machine = scripted_machine("flop=3");
    g_autoptr(Trace) trace = trace_of_sums(machine, &time_ps);
    ck_assert_uint_eq(trace->intervals->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const TraceInterval *is = trace_nth(trace, i);
        const Expected *e = &expected[i];
        gint64 amount = e->kind == TRACE_COMPUTE ? is->operations : is->bytes;
        ck_assert_msg(is->kind == e->kind && is->processor == e->processor && is->start_ps == e->start * US &&
                          is->end_ps == e->end * US && amount == e->amount &&
                          (is->message != TRACE_NONE || is->step == e->step),
                      "interval %u: %s of processor %u", i, trace_kind_names[is->kind], is->processor);
    }
}

TEST(path)
{
    static const struct {
        TraceKind kind;
        gint64 end;
        LinkReason reason;
    } links[] = {{TRACE_TRANSMIT, 120, LINK_START},
                 {TRACE_COMPUTE, 126, LINK_AWAITED},
                 {TRACE_REARRANGE, 176, LINK_COMPUTED},
                 {TRACE_COMPUTE, 182, LINK_REARRANGED}};
    gint64 time_ps;
    g_autoptr(Machine) machine = scripted_machine("flop=3");
    g_autoptr(Trace) trace = trace_of_sums(machine, &time_ps);
    g_autoptr(GArray) links_are = critical_path(trace, time_ps);
    ck_assert_uint_eq(links_are->len, G_N_ELEMENTS(links));
    for (guint i = 0; i < links_are->len; i++) {
        const PathLink *link = &g_array_index(links_are, PathLink, i);
        ck_assert_int_eq(link->kind, links[i].kind);
        ck_assert_int_eq(link->end_ps, links[i].end * US);
        ck_assert_int_eq(link->reason, links[i].reason);
    }
}

TEST(explained)
{
    gint64 time_ps;
    g_autoptr(Machine) machine = scripted_machine("flop=3");
    g_autoptr(Trace) trace = trace_of_sums(machine, &time_ps);
    g_autofree char *text = explain_text(trace, machine, 2, time_ps, FORMAT_TABLE);
    const char *computed = strstr(text, "\nProcessors computed ");
    ck_assert_ptr_nonnull(computed);
    ck_assert_str_eq(
        computed,
        "\nProcessors computed 3 times, 18.000 µs in all; processor 0 most: 12.000 µs, 6.6 % of the run.\n"
        "\nCritical path: a chain of 4 steps, 182.000 µs = start-ups 100.000 + circuits 0 + transmissions 20.000"
        " + shuffles 50.000 + barriers 0 + arithmetic 12.000\n"
        "  start  step  what                       start-up  circuit  transmission  shuffle, arithmetic or barrier"
        "  begins because\n"
        "      0     0  message 0, 1 to 0           100.000        -        20.000                               -"
        "  the run begins\n"
        "120.000     0  arithmetic of processor 0         -        -             -                           6.000"
        "  the message before was awaited\n"
        "126.000     1  shuffle of processor 0            -        -             -                          50.000"
        "  its arithmetic was over\n"
        "176.000     1  arithmetic of processor 0         -        -             -                           6.000"
        "  its shuffle was over\n");
}

/* Nobody speaks of arithmetic that takes no time. */
TEST(free_of_charge)
{
    gint64 time_ps;
    g_autoptr(Machine) machine = scripted_machine(NULL);
    g_autoptr(Trace) trace = trace_of_sums(machine, &time_ps);
    g_autofree char *text = explain_text(trace, machine, 2, time_ps, FORMAT_TABLE);
    const Topology cube = machine_topology(machine, 2);
    g_autofree char *csv = trace_file_text(trace, &cube, TRACE_CSV);
    ck_assert_int_eq(time_ps, 170 * US);
    ck_assert_ptr_null(strstr(text, "comput"));
    ck_assert_ptr_null(strstr(text, "arithmetic"));
    ck_assert_ptr_null(strstr(csv, "compute"));
}

TEST(files)
{
    gint64 time_ps;
    g_autoptr(Machine) machine = scripted_machine("flop=3");
    g_autoptr(Trace) trace = trace_of_sums(machine, &time_ps);
    const Topology cube = machine_topology(machine, 2);
    g_autofree char *csv = trace_file_text(trace, &cube, TRACE_CSV);
    g_autofree char *json = trace_file_text(trace, &cube, TRACE_CHROME);
    g_autofree char *paje = trace_file_text(trace, &cube, TRACE_PAJE);
    ck_assert_ptr_nonnull(strstr(csv, "\ncompute,0,,,176.000000,182.000000,,,,0,,1,\n"));
    ck_assert_ptr_nonnull(strstr(json, "\"tid\": 1, \"ts\": 176.000000, \"dur\": 6.000000, \"cat\": \"compute\", "
                                       "\"name\": \"compute\", \"args\": {\"step\": 1, \"operations\": 2}}"));
    ck_assert_ptr_nonnull(strstr(paje, "\n3 compute SP compute "));
    ck_assert_ptr_nonnull(strstr(paje, "\n6 0.000176000000 SP P0 compute -\n"));
    ck_assert_ptr_nonnull(strstr(paje, "\n7 0.000182000000 SP P0\n"));
}

static Block four_numbers(guint node, guint slot)
{
    return slot < 4 ? node + slot : BLOCK_NONE;
}

/* Processor 0 adds what arrives on one strand while it sends three numbers on the other. */
TEST(rows)
{
    static const Message messages[] = {
        {0, 0, 1, 0, 0, 1, 0, TRANSFER_COMBINE}, {1, 0, 0, 2, 1, 3, 4, TRANSFER_MOVE}, {0}};
    static const Script script = {.dimension = 2, .n_slots = 8, .n_steps = {1, 1}, .messages = messages};
    g_autoptr(Machine) machine = scripted_machine("flop=3");
    g_autoptr(Schedule) schedule = scripted_new(&script);
    g_autoptr(Trace) trace = trace_new();
    numbers_hold(schedule, 10, four_numbers, four_numbers);
    numbers_have_elements(schedule, 5);
    g_auto(EngineResult) result = test_run(schedule, machine, trace);
    ck_assert_int_eq(result.time_ps, 160 * US);
    trace_sort(trace);
    g_autofree guint8 *rows_of = trace_rows(trace);
    guint n = 0;
    for (guint i = 0; i < trace->intervals->len; i++) {
        gboolean computes = trace_nth(trace, i)->kind == TRACE_COMPUTE;
        ck_assert_uint_eq(rows_of[i], computes);
        n += computes;
    }
    ck_assert_uint_eq(n, 1);
}

TESTS(computing, intervals, path, explained, free_of_charge, files, rows)
