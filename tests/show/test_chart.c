/* What the charts of a page are drawn from: journeys of blocks, bins of time, knots of parts. */
#include "sim/show/chart.h"
#include "sim/show/journeys.h"
#include "sim/show/sizes.h"
#include "sim/replay/price.h"
#include "tests/engine/shots.h"

static Record chart_record(const Machine *machine, Problem problem, Trace **trace)
{
    Record record = {.run = {.machine = machine, .problem = problem, .element = 1}};
    ck_assert(run_execute(&record.run, &record.result, trace, NULL));
    return record;
}

/* Checks the number of rows of a run's journeys; of -1 there are none. Returns them. Caller unrefs. */
static GArray *check_journeys(const Machine *machine, Problem problem, int n_rows, Trace **trace)
{
    Record record = chart_record(machine, problem, trace);
    GArray *rows = journeys_find(&record, *trace);
    ck_assert_int_eq(rows ? (int)rows->len / 3 : -1, n_rows);
    return rows;
}

/* A broadcast, or backwards a sum, of 8 bytes on a 2-cube. */
static Problem tree_problem(gboolean backwards)
{
    Problem problem = problem_new(algorithm_find("", &pattern_broadcast, FALSE, "sbt", NULL), 2);
    problem.data = division_whole(8);
    problem.pattern = backwards ? &pattern_reduction : &pattern_broadcast;
    return problem;
}

/* On a 2-cube standard sends the block between opposite corners twice, and the other two blocks once. A broadcast
 * reaches the opposite corner in two messages. What is added up has no journey. */
TEST(journeys)
{
    g_autoptr(Machine) machine = simple("pairwise_sync=true");
    g_autoptr(Trace) direct = NULL, standard = NULL, broadcast = NULL, sum = NULL;
    g_autoptr(GArray) straight = check_journeys(machine, test_exchange("direct", 2, NULL, 8), 12, &direct);
    g_autoptr(GArray) twice = check_journeys(machine, test_exchange("standard", 2, NULL, 8), 16, &standard);
    g_autoptr(GArray) tree = check_journeys(machine, tree_problem(FALSE), 4, &broadcast);
    ck_assert_ptr_null(check_journeys(machine, tree_problem(TRUE), -1, &sum));
    for (guint i = 0; i < twice->len; i += 3) {
        const gint64 *row = &g_array_index(twice, gint64, i);
        const TraceMessage *m = trace_message(standard, (guint)row[2]);
        gboolean begins = i == 0 || row[-3] != row[0] || row[-2] != row[1];
        gboolean ends = i + 3 == twice->len || row[3] != row[0] || row[4] != row[1];
        ck_assert(!m->handshake);
        ck_assert(!begins || m->source == row[0]);
        ck_assert(!ends || m->destination == row[1]);
        ck_assert(begins || m->source == trace_message(standard, (guint)row[-1])->destination);
    }
    g_autoptr(GArray) dates = journeys_arrivals(straight, direct), messages = journeys_arrivals(NULL, direct);
    g_autoptr(GArray) last = journeys_arrivals(twice, standard);
    ck_assert(dates->len == 12 && messages->len == 12 && last->len == 12);
    for (guint i = 0; i < 12; i++)
        ck_assert_int_eq(g_array_index(dates, gint64, i), g_array_index(messages, gint64, i));
}

/* hold_and_wait_shots: three start-ups of 10, waits of 995 and 1093, transmissions of 1000, 100 and 50. */
TEST(bins_by_hand)
{
    g_autoptr(Machine) machine = simple(NULL);
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, hold_and_wait_shots, 3);
    const ChartBins bins = chart_bins(trace, 1163 * US);
    gint64 sums[3] = {0};
    for (guint k = 0; k < CHART_BINS; k++)
        for (guint layer = 0; layer < 3; layer++)
            sums[layer] += bins.ps[k][layer];
    ck_assert(sums[0] == 30 * US && sums[1] == 1150 * US && sums[2] == (995 + 1093) * US);
    gint64 width = 1163 * US / CHART_BINS + 1;
    ck_assert(bins.ps[0][0] == width && bins.ps[100][2] == 2 * width && bins.ps[100][1] == width);
    g_autofree char *chart = chart_activity(trace, 1163 * US, "a <run>");
    ck_assert_ptr_nonnull(strstr(chart, "a &lt;run&gt;: packets that start up, transmit and wait; at most 3 at once"));
}

/* Half of two lines: one is there when half of the time of the other has passed. */
TEST(race)
{
    g_autoptr(GArray) slow = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_autoptr(GArray) fast = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (gint64 i = 1; i <= 4; i++) {
        gint64 late = 200 * US * i, soon = 100 * US * i;
        g_array_append_val(slow, late);
        g_array_append_val(fast, soon);
    }
    const ChartLine lines[] = {{"slow & <odd>", 0, slow}, {"fast", 13, fast}, {"no trace", 2, NULL}};
    g_autofree char *chart = chart_race(lines, 3), *none = chart_race(&lines[2], 1);
    ck_assert_str_eq(none, "");
    ck_assert_ptr_nonnull(strstr(chart, "slow &amp; &lt;odd&gt;</text>"));
    ck_assert_ptr_nonnull(strstr(chart, "data-end=\"800000000\""));
    ck_assert_ptr_nonnull(strstr(chart, "class=\"line1 dashed\""));
    ck_assert_ptr_nonnull(strstr(chart, " 1000.0,0.0 \"/>"));     /* slow ends at the right, fast in the middle */
    ck_assert_ptr_nonnull(strstr(chart, " 500.0,0.0 \"/>"));
    ck_assert(!strstr(chart, "no trace"));
}

/* One message on a 1-cube: 10 for the start-up, 1 for the channel, 1 a byte; up to 100 bytes 4 and
 * nothing for a byte, above 500 bytes 70 and 2 a byte. */
TEST(knots_by_hand)
{
    g_autoptr(Machine) machine = simple("pairwise_sync=false phase_barrier=false short_limit=100 lambda_short=4 "
                                        "tau_short=0 long_limit=500 lambda_long=70 tau_long=2");
    Record record = chart_record(machine, test_exchange("direct", 1, NULL, 8), NULL);
    g_autoptr(GArray) knots = sizes_knots(&record, 1000);
    guint found = 0;
    for (guint i = 0; i + 1 < knots->len; i++) {
        const SizeKnot *low = &g_array_index(knots, SizeKnot, i), *high = low + 1;
        gint64 startup = high->bytes <= 100 ? 4 : high->bytes <= 500 ? 10 : 70;
        gint64 byte = high->bytes <= 100 ? 0 : high->bytes <= 500 ? 1 : 2;
        ck_assert_int_eq(high->ps[BREAKDOWN_STARTUPS], startup * US);
        ck_assert_int_eq(high->ps[BREAKDOWN_TRANSMISSION], high->bytes * byte * US);
        found += high->bytes == low->bytes + 1 && (low->bytes == 100 || low->bytes == 500);
    }
    ck_assert_uint_eq(found, 2);
    ck_assert_int_eq(g_array_index(knots, SizeKnot, 1).bytes, 1);       /* stays, though on the line up to 100 bytes */
    ck_assert_int_eq(g_array_index(knots, SizeKnot, knots->len - 1).bytes, 1000);
}

/* Between knots the parts add up to the price of every size. */
TEST(knots_add_up)
{
    static const char *const names[] = {"direct", "standard", "naive", "rotated"};
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    for (guint k = 0; k < G_N_ELEMENTS(names); k++) {
        Record record = chart_record(machine, test_exchange(names[k], 3, NULL, 100), NULL);
        g_autoptr(GArray) knots = sizes_knots(&record, 5000);
        for (guint i = 0; i + 1 < knots->len; i++) {
            const SizeKnot *low = &g_array_index(knots, SizeKnot, i), *high = low + 1;
            gint64 bytes = low->bytes + (high->bytes - low->bytes) * 2 / 3;
            Problem problem = test_exchange(names[k], 3, NULL, bytes);
            g_autoptr(Schedule) schedule = schedule_make(&problem);
            double sum = 0, share = (double)(bytes - low->bytes) / (double)(high->bytes - low->bytes);
            for (guint part = 0; part < N_BREAKDOWN; part++)
                sum += (double)low->ps[part] + share * (double)(high->ps[part] - low->ps[part]);
            ck_assert_double_eq_tol(sum, (double)price_time(schedule, machine), 2);
        }
    }
}


/* Appends a curve with two points, which the caller unrefs. */
static ChartCurve line_between(const char *name, guint colour, double x1, double y1, double x2, double y2)
{
    const ChartPoint points[] = {{x1, y1}, {x2, y2}};
    ChartCurve curve = {name, colour, g_array_new(FALSE, FALSE, sizeof(ChartPoint))};
    g_array_append_vals(curve.points, points, 2);
    return curve;
}

/* The axes are 68 % wide behind 11 %, and 212 px high below 8: half of x = 200 is at 45 %, half of y = 4000 at 114 px.
 * On logarithmic axes 10 is halfway between 1 and 100. What is above the most is drawn there. */
TEST(curves_by_hand)
{
    ChartCurve curves[] = {line_between("a <b>", 0, 100, 2000, 200, 4000), line_between("c", 13, 1, 1, 100, 90)};
    ChartLook look = {.y_unit = "ms", .y_divisor = 1000, .y_most = 4000};
    g_autofree char *linear = chart_curves(curves, 1, "what", &look);
    ck_assert_ptr_nonnull(strstr(linear, "<line class=\"line0\" x1=\"45.0%\" y1=\"114.0\" x2=\"79.0%\" y2=\"8.0\"/>"));
    ck_assert_ptr_nonnull(strstr(linear, "a &lt;b&gt;</text>"));
    ck_assert_ptr_nonnull(strstr(linear, ">1 ms</text>"));
    ck_assert_ptr_null(strstr(linear, ">5 ms</text>"));
    look.y_most = 12000;        /* more than five distances of 1 and of 2 ms */
    g_autofree char *high = chart_curves(curves, 1, "what", &look);
    ck_assert(strstr(high, ">5 ms</text>") && strstr(high, ">10 ms</text>") && !strstr(high, ">2 ms</text>"));
    look.y_most = 8000;
    g_autofree char *middle = chart_curves(curves, 1, "what", &look);
    ck_assert(strstr(middle, ">2 ms</text>") && strstr(middle, ">8 ms</text>") && !strstr(middle, ">5 ms</text>"));
    look = (ChartLook){.y_unit = "%", .y_divisor = 1, .y_most = 10, .log_x = TRUE, .log_y = TRUE};
    g_autofree char *log = chart_curves(&curves[1], 1, "what", &look);
    ck_assert_ptr_nonnull(strstr(log, "<line class=\"line1 dashed\" x1=\"11.0%\" y1=\"220.0\" x2=\"79.0%\" "
                                 "y2=\"8.0\""));
    ck_assert_ptr_nonnull(strstr(log, "x=\"45.0%\" y=\"235.0\">10</text>"));
    g_autofree char *none = chart_curves(curves, 0, "what", &look);
    ck_assert_str_eq(none, "");
    for (guint i = 0; i < G_N_ELEMENTS(curves); i++)
        g_array_unref(curves[i].points);
}

TESTS(chart, journeys, bins_by_hand, race, knots_by_hand, knots_add_up, curves_by_hand)
