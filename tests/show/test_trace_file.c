/* Traces as files, for several programs. */
#include "sim/show/trace_file.h"
#include "tests/engine/shots.h"

/* One event per interval and two names per track; and the picture of the file is that of the hand-worked case. */
TEST(chrome)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "lambda=10", "delta=0", "delta_hop=1", "tau=1");
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, hold_and_wait_shots, G_N_ELEMENTS(hold_and_wait_shots));
    const Topology cube = machine_topology(machine, 8);
    g_autofree char *text = trace_file_text(trace, &cube, TRACE_CHROME);
    ck_assert_uint_eq(test_count(text, "\"ph\": \"X\""), trace->intervals->len);
    ck_assert_uint_eq(test_count(text, "\"thread_name\""), 8 + 3);
    ck_assert_ptr_nonnull(
        strstr(text, "{\"ph\": \"X\", \"pid\": 1, \"tid\": 17, \"ts\": 16.000000, \"dur\": 995.000000, "
                     "\"cat\": \"wait\", \"name\": \"wait for 3->7\", \"args\": {\"message\": 1, \"source\": 1, "
                     "\"destination\": 7, \"bytes\": 100, \"handshake\": false, \"step\": 0, \"blocker\": 0}}"));
    ck_assert_ptr_nonnull(
        strstr(text, "\"pid\": 2, \"tid\": 179, \"ts\": 1011.000000, \"dur\": 101.000000, "
                     "\"cat\": \"channel\", \"name\": \"1 to 7\""));
}

/* Two send ports of one processor at once need two rows; one after another, one. The second packet begins while the
 * header of the first is under way: on a crossbar no interval shows this. */
TEST_LOOP(rows, 0, 2)
{
    static const char *const machines[][3] = {{"ports=all"}, {"ports=2", "topology=crossbar"}};
    const TestShot shots[] = {{0, 0, 1, 100}, {105, 0, 2, 100}, {500, 0, 2, 100}};
    g_autoptr(Machine) machine = test_machine("bokhari1993", machines[_i]);
    g_autoptr(Trace) trace = test_trace_shots(machine, 2, shots, G_N_ELEMENTS(shots));
    g_autofree guint8 *rows_of = trace_rows(trace);
    const Topology cube = machine_topology(machine, 4);
    for (guint i = 0; i < trace->intervals->len; i++)
        ck_assert_uint_eq(rows_of[i], trace_nth(trace, i)->message == 1);
    g_autofree char *text = trace_file_text(trace, &cube, TRACE_CHROME);
    ck_assert_uint_eq(test_count(text, "processor 0 (2)"), 1);
}

/* Start-ups that overlap have rows of their own, and so have the packets once they leave, one after another: three rows
 * are enough. Of 20 start-ups at a time, 15 find a row beside the packet that leaves. */
TEST(rows_of_overlap)
{
    TestShot shots[20];
    g_autoptr(Machine) two = simple("gap=60 lambda=100 tau=1"), many = simple("gap=0 lambda=100 tau=1");
    for (guint i = 0; i < G_N_ELEMENTS(shots); i++)
        shots[i] = (TestShot){0, 0, 1, 50};
    g_autoptr(Trace) trace = test_trace_shots(two, 1, shots, 20), at_once = test_trace_shots(many, 1, shots, 20);
    g_autofree guint8 *rows_of = trace_rows(trace), *of_all = trace_rows(at_once);
    gint64 free_from[TRACE_ROWS] = {0};
    for (guint i = 0; i < trace->intervals->len; i++) {
        const TraceInterval *interval = trace_nth(trace, i);
        ck_assert_uint_le(rows_of[i], 2);
        if (interval->kind == TRACE_CHANNEL)    /* lies beneath the transmission */
            continue;
        ck_assert_int_le(free_from[rows_of[i]], interval->start_ps);
        free_from[rows_of[i]] = interval->end_ps;
    }
    guint without = 0;
    for (guint i = 0; i < at_once->intervals->len; i++)
        without += of_all[i] == TRACE_NO_ROW;
    ck_assert_uint_eq(without, 20 - TRACE_ROWS);
}

/* What waits for a send port of a processor that forwards has no row; what waits for its ends has. */
TEST(rows_of_waits)
{
    const TestShot hop_shots[] = {{0, 0, 3, 200}, {150, 1, 3, 100}}, half_shots[] = {{0, 0, 1, 100}, {5, 3, 1, 100}};
    g_autoptr(Machine) hop = simple("switching=store-and-forward packet=100"), half = simple("duplex=half");
    g_autoptr(Trace) hop_trace = test_trace_shots(hop, 2, hop_shots, 2);
    g_autoptr(Trace) half_trace = test_trace_shots(half, 2, half_shots, 2);
    g_autofree guint8 *hop_rows = trace_rows(hop_trace), *half_rows = trace_rows(half_trace);
    for (guint i = 0; i < hop_trace->intervals->len; i++)
        ck_assert_uint_eq(hop_rows[i], trace_nth(hop_trace, i)->kind == TRACE_WAIT ? TRACE_NO_ROW : 0);
    for (guint i = 0; i < half_trace->intervals->len; i++)
        ck_assert_uint_eq(half_rows[i], 0);
    const Topology cube = machine_topology(hop, 4);
    g_autofree char *json = trace_file_text(hop_trace, &cube, TRACE_CHROME);
    g_autofree char *paje = trace_file_text(hop_trace, &cube, TRACE_PAJE);
    ck_assert_uint_eq(test_count(json, "\"cat\": \"wait\""), 0);
    ck_assert_uint_eq(test_count(json, "\"ph\": \"X\""), hop_trace->intervals->len - 2);
    ck_assert_uint_eq(test_count(paje, " wait "), 2);                /* its declaration */
    ck_assert_uint_eq(test_count(paje, "L cube message P16 "), 5);   /* to 1: two ends; from 1: three starts */
    g_autofree char *half_json = trace_file_text(half_trace, &cube, TRACE_CHROME);
    ck_assert_uint_eq(test_count(half_json, "\"name\": \"wait for the port of 1\""), 1);
    g_autofree char *csv = trace_file_text(hop_trace, &cube, TRACE_CSV);
    g_autofree char *half_csv = trace_file_text(half_trace, &cube, TRACE_CSV);
    ck_assert_ptr_nonnull(strstr(csv, "\nwait,1,1,,220.000000,330.000000,0,0,3,100,false,0,1\n"));
    ck_assert_ptr_nonnull(strstr(csv, "\ntransmit,1,1,3,340.000000,440.000000,0,0,3,100,false,0,\n"));
    ck_assert_ptr_nonnull(strstr(half_csv, "\nwait,3,,1,5.000000,111.000000,1,3,1,100,false,0,0\n"));
}

/* Every push has its pop, dates never go back, and nothing but the declared events is used. */
TEST(paje)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    Phases partition = {2, {1, 2}};
    Problem problem = test_exchange("multiphase", 3, &partition, 40);
    g_autoptr(Schedule) schedule = schedule_make(&problem);
    g_autoptr(Trace) trace = trace_new();
    g_auto(EngineResult) result = test_run(schedule, machine, trace);
    trace_sort(trace);
    const Topology cube = machine_topology(machine, 8);
    g_autofree char *text = trace_file_text(trace, &cube, TRACE_PAJE);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint n[10] = {0};
    double date = 0;
    for (guint i = 0; lines[i] && *lines[i]; i++) {
        if (*lines[i] == '%')
            continue;
        guint event = (guint)g_ascii_digit_value(*lines[i]);
        ck_assert_uint_lt(event, 10);
        ck_assert_int_eq(lines[i][1], ' ');
        n[event]++;
        if (event >= 4) {
            double next = g_ascii_strtod(lines[i] + 2, NULL);
            ck_assert(next >= date);
            date = next;
        }
    }
    ck_assert_uint_eq(n[4], 1 + 8 + 24);
    ck_assert_uint_eq(n[4], n[5]);
    ck_assert_uint_eq(n[6], n[7]);
    ck_assert_uint_eq(n[8], n[9]);
    ck_assert_uint_eq(n[8], 8 * 4);         /* handshakes take no transmission time */
    ck_assert(date * 1e12 == (double)result.time_ps);
}

TEST(formats)
{
    TraceFormat format;
    g_autoptr(GError) error = NULL;
    ck_assert(trace_file_format("--trace", "a.json.csv", &format, NULL));
    ck_assert_int_eq(format, TRACE_CSV);
    ck_assert(trace_file_format("--trace", "a.json", &format, NULL));
    ck_assert_int_eq(format, TRACE_CHROME);
    ck_assert(trace_file_format("--trace", "a.paje", &format, NULL) && format == TRACE_PAJE);
    ck_assert(trace_file_format("--trace", "a.trace", &format, NULL) && format == TRACE_PAJE);
    ck_assert(!trace_file_format("--trace", "csv", &format, &error));
    ck_assert(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_INPUT));
    ck_assert(g_str_has_prefix(error->message, "--trace: 'csv' is not allowed; allowed: FILE.csv, FILE.json"));
}

TESTS(trace_file, chrome, rows, rows_of_overlap, rows_of_waits, paje, formats)
