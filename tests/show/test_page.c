/* Pages: their tables, what they say in words, what cannot break out of them, and how large they are. */
#include "sim/show/blocks.h"
#include "sim/show/page.h"
#include "sim/show/summary.h"
#include "sim/patterns/matmul/region.h"
#include "tests/engine/shots.h"

/* --- tables --- */

/* The numbers of a column, as page_add_table() says that they are written. Caller frees. */
static gint64 *read_column(const char *json, const char *name, guint n)
{
    g_autofree char *begin = g_strdup_printf("\"%s\": \"", name);
    const char *at = strstr(json, begin);
    ck_assert_ptr_nonnull(at);
    g_autofree char *text = g_strndup(at + strlen(begin), strcspn(at + strlen(begin), "\""));
    gsize length, b = 0;
    g_autofree guchar *bytes = g_base64_decode(text, &length);
    gint64 *numbers = g_new(gint64, n), above = 0;
    for (guint i = 0; i < n; i++) {
        gint64 sign = bytes[b] & 1 ? -1 : 1;
        guint64 magnitude = bytes[b] >> 1 & 0x3f;
        for (guint shift = 6; bytes[b++] & 0x80; shift += 7)
            magnitude |= (guint64)(bytes[b] & 0x7f) << shift;
        numbers[i] = above += sign * (gint64)magnitude;
    }
    ck_assert_uint_eq(b, length);
    return numbers;
}

static char *table_of(const gint64 *cells, guint n)
{
    static const char *const columns[] = {"a", "b", NULL};
    GString *json = g_string_new(NULL);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_array_append_vals(all, cells, n);
    page_add_table(json, "t", columns, all);
    return g_string_free(json, FALSE);
}

/* Column a: 5 (0x0a), the same (0x00), one less (0x03), 96 more: 32 in the first byte, 1 in the second. */
TEST(by_hand)
{
    const gint64 cells[] = {5, 0, 5, 0, 4, 0, 100, 0};
    g_autofree char *json = table_of(cells, 8);
    ck_assert_str_eq(json, "\"t\": {\"n\": 4,\n\"a\": \"CgADwAE=\",\n\"b\": \"AAAAAA==\"}");
}

TEST(round_trip)
{
    const gint64 most = (gint64)1 << 53, cells[] = {0, 1, 63, -1, 64, most, -64, -most, 8191, most, 8192, -8192};
    g_autofree char *json = table_of(cells, 12), *empty = table_of(NULL, 0);
    g_autofree gint64 *a = read_column(json, "a", 6), *b = read_column(json, "b", 6);
    for (guint i = 0; i < 6; i++)
        ck_assert(a[i] == cells[2 * i] && b[i] == cells[2 * i + 1]);
    ck_assert_str_eq(empty, "\"t\": {\"n\": 0,\n\"a\": \"\",\n\"b\": \"\"}");
}

/* --- runs --- */

static Record executed(const Machine *machine, Problem problem, Trace **trace)
{
    Record record = {.run = {.machine = machine, .problem = problem, .element = 1}};
    ck_assert(run_execute(&record.run, &record.result, trace, NULL));
    return record;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PageRun, page_run_free)

static char *json_of(const Record *record, const char *failure, const Trace *trace, gboolean whole)
{
    g_autoptr(PageRun) run = page_run_new(record, failure, trace, whole);
    return g_steal_pointer(&run->json);
}

/* Of runs without traces; or of one with its trace. */
static char *page_of_runs(const Record *records, guint n, const Trace *trace)
{
    g_autoptr(GPtrArray) runs = g_ptr_array_new_with_free_func(page_run_free);
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(runs, page_run_new(&records[i], NULL, trace, TRUE));
    const PageHead head = {"ecube report <x>", "0.1.0", "2026-11-23", "", "", records, n, NULL, NULL};
    return page_text(&head, runs);
}

static char *page_of(const Record *record, const Trace *trace)
{
    return page_of_runs(record, 1, trace);
}

/* hold_and_wait_shots: A, 3 to 7, holds what B, 1 to 7, waits for, which holds what C, 0 to 3, waits for. Five channels
 * and three receive ports are held; C has channel 0->1 from 18 to 1163. There are three start-ups, two waits and three
 * transmissions. */
TEST(columns)
{
    g_autoptr(Machine) machine = simple(NULL);
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, hold_and_wait_shots, 3);
    Record record = {.run = {.machine = machine, .problem = test_exchange("naive", 3, NULL, 1), .element = 1},
                     .result = {.finished = TRUE, .data_ok = TRUE, .simulated_ps = 1163 * US}};
    g_autoptr(PageRun) run = page_run_new(&record, NULL, trace, TRUE);
    const char *json = run->json, *holds = strstr(run->json, "\"holds\": {\"n\": 8,");
    ck_assert_ptr_nonnull(holds);
    g_autofree gint64 *from = read_column(holds, "from", 8), *start = read_column(holds, "start", 8);
    g_autofree gint64 *length = read_column(holds, "length", 8), *message = read_column(holds, "message", 8);
    guint n_found = 0, n_waits = 0;
    for (guint i = 0; i < 8; i++)
        if (message[i] == 2 && from[i] == 0) {
            ck_assert(start[i] == 18 * US && length[i] == (1163 - 18) * US);
            n_found++;
        }
    ck_assert_uint_eq(n_found, 1);
    g_autofree gint64 *blocker = read_column(json, "blocker", 8);
    for (guint i = 0; i < 8; i++)       /* A blocks B, and then B blocks C */
        ck_assert(blocker[i] == -1 || blocker[i] == n_waits++);
    ck_assert_uint_eq(n_waits, 2);
    ck_assert_ptr_nonnull(strstr(json, "\"path\": [{"));
    ck_assert_ptr_nonnull(strstr(run->card, "<td class=\"left\">waited 1093.000 for channel 1\u21923</td>"));
    ck_assert_ptr_nonnull(strstr(run->card, "<summary>Critical path: a chain of 3 steps, 1163.000\u00a0µs = "));
    ck_assert_str_eq(run->cause.where, "goes back to the receive port of 7");
}

/* Whether nothing ends before what is listed above it with the same key: what the page searches in. */
static gboolean is_in_order(const char *json, const char *name, const char *key, const char *other_key)
{
    g_autofree char *begin = g_strdup_printf("\"%s\": {\"n\": ", name);
    const char *table = strstr(json, begin);
    ck_assert_ptr_nonnull(table);
    guint n = (guint)atoi(table + strlen(begin));
    g_autofree gint64 *keys = read_column(table, key, n), *others = read_column(table, other_key, n);
    g_autofree gint64 *start = read_column(table, "start", n), *length = read_column(table, "length", n);
    for (guint i = 0; i < n; i++)
        for (guint above = 0; above < i; above++)
            if (keys[i] == keys[above] && others[i] == others[above] && start[i] < start[above] + length[above])
                return FALSE;
    return n > 0;
}

/* Handshakes transmit in no time: their transmission comes before the start-up that begins in the same instant. */
TEST(in_order)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    g_autoptr(Trace) trace = NULL;
    Record record = executed(machine, test_exchange("direct", 3, NULL, 32), &trace);
    g_autofree char *json = json_of(&record, NULL, trace, TRUE);
    ck_assert(is_in_order(json, "activities", "processor", "row"));
}

/* Two wait for the receive port of 0: 5, for no time, and then 2, from the same instant on. */
TEST(holds_in_order)
{
    static const TestShot shots[] = {{0, 1, 0, 100}, {0, 5, 0, 0}, {5, 2, 0, 8}};
    g_autoptr(Machine) machine = simple(NULL);
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, shots, G_N_ELEMENTS(shots));
    Record record = {.run = {.machine = machine, .problem = test_exchange("naive", 3, NULL, 1), .element = 1}};
    g_autofree char *json = json_of(&record, NULL, trace, TRUE);
    ck_assert(is_in_order(json, "holds", "from", "to"));
}

/* Direct's 64 processors, with handshakes, come in less than 2 MB, and say what the record says. */
TEST(size)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    g_autoptr(Trace) trace = NULL;
    Record record = executed(machine, test_exchange("direct", 6, NULL, 32), &trace);
    g_autofree char *page = page_of(&record, trace);
    ck_assert_uint_lt(strlen(page), 2000000);
    ck_assert_ptr_nonnull(strstr(page, "\"messageCount\": 8064,"));
    ck_assert_ptr_nonnull(strstr(page, "\"messages\": {\"n\": 8064,"));
    ck_assert_ptr_nonnull(strstr(page, "\"simulated\": 16832004000,"));
    g_autofree char *without = json_of(&record, NULL, trace, FALSE);
    ck_assert_ptr_nonnull(strstr(without, "\"simulated\": 16832004000,"));
    ck_assert(!strstr(without, "\"holds\""));
}

/* Schedules with a mistake: the data is wrong, or nobody can go on. The page says so, and has what happened. */
TEST(failed)
{
    g_autoptr(Machine) machine = simple(NULL);
    guint n_wrong = 0, n_stuck = 0;
    for (guint i = 0; i < N_BROKEN; i++) {
        Problem problem = test_exchange("direct", 2, NULL, 8);
        const Algorithm *direct = problem.algorithm;
        problem.algorithm = broken_problem(i).algorithm;
        g_autoptr(Trace) trace = NULL;
        Record record = executed(machine, problem, &trace);
        if (record.result.data_ok)      /* only `verify` minds */
            continue;
        *(record.result.finished ? &n_wrong : &n_stuck) += 1;
        record.run.problem.algorithm = direct;        /* one that formulas know */
        g_autofree char *page = page_of(&record, trace);
        ck_assert_ptr_nonnull(strstr(page, record.result.finished ? "\"fault\": \"The data is wrong: "
                                                                  : "\"fault\": \"The run cannot finish: "));
        ck_assert_ptr_nonnull(strstr(page, record.result.fault));
        ck_assert_ptr_nonnull(strstr(page, "1 of 1 runs failed."));
        ck_assert(record.result.finished == (strstr(page, "\"simulated\": ") != NULL));
        ck_assert_ptr_nonnull(strstr(page, "\"activities\": {"));
    }
    ck_assert(n_wrong > 0 && n_stuck > 0);
}

TEST(no_result)
{
    g_autoptr(Machine) machine = simple(NULL);
    Record record = {.run = {.machine = machine, .problem = test_exchange("direct", 2, NULL, 8), .element = 1},
                     .failed = TRUE};
    g_autofree char *json = json_of(&record, "the process was \"killed\"", NULL, FALSE);
    ck_assert_ptr_nonnull(strstr(json, "\"fault\": \"The run came to no result: the process was \\\"killed\\\".\""));
    ck_assert(!strstr(json, "\"contentionFree\"") && !strstr(json, "\"messages\""));
}

/* --- blocks of matrices --- */

static char *product_json(const TestProduct *product, const char *options)
{
    g_autoptr(Machine) machine = simple(options);
    Problem problem = test_product(product);
    Machine own = test_machine_for(machine, problem.algorithm);
    g_autoptr(Trace) trace = NULL;
    Record record = executed(&own, problem, &trace);
    ck_assert(record.result.data_ok);
    return json_of(&record, NULL, trace, TRUE);
}

/* Column `name` of a table of n rows of the blocks. Caller frees. */
static gint64 *blocks_column(const char *json, const char *table, const char *name, guint n)
{
    g_autofree char *begin = g_strdup_printf("\"%s\": {\"n\": %u,", table, n);
    const char *blocks = strstr(json, "\"blocks\": {"), *at = blocks ? strstr(blocks, begin) : NULL;
    ck_assert_ptr_nonnull(at);
    return read_column(at, name, n);
}

/* Cannon on 2 x 2 processors; a block has one element. A message takes 10 + 1 + 4 us, a product 2. At first row 1 of C
 * and column 1 of D are aligned: 1 and 2 send to 3, 2 waits until 15 for its port, so 3 goes on at 19, and 1 has D11
 * from 3 at 34. 0 and 2 have their first products at 2 and 21, and send C on. But 1 awaits C00 only when it has its own
 * product, at 36. At 51 C has come to all, at 66 D, and at 68 the second products are done. Three blocks leave at 0
 * where they were, and are not held there; 9 others are, and 12 more after a message. */
TEST(cannon_by_hand)
{
    static const char *const last[] = {"C01 D10 A00 ", "C00 D01 A01 ", "C10 D00 A10 ", "C11 D11 A11 "};
    const TestProduct product = {.algorithm = "cannon", .routing = "sbt", .shape = {2, 2, 2}, .grid = {1, 1, 0}};
    g_autofree char *json = product_json(&product, "flop=1 pairwise_sync=false phase_barrier=false");
    ck_assert_ptr_nonnull(strstr(json, "\"simulated\": 68000000,"));
#define COLUMN(table, name, n) g_autofree gint64 *name = blocks_column(json, #table, #name, n)
    COLUMN(pieces, matrix, 12);
    COLUMN(pieces, top, 12);
    COLUMN(pieces, left, 12);
    COLUMN(holdings, processor, 21);
    COLUMN(holdings, start, 21);
    COLUMN(holdings, length, 21);
    COLUMN(holdings, piece, 21);
    GString *held[4] = {g_string_new(NULL), g_string_new(NULL), g_string_new(NULL), g_string_new(NULL)};
    guint n_found = 0;
    for (guint i = 0; i < 21; i++) {
        gint64 p = piece[i];
        if (start[i] + length[i] == 68 * US + 1)
            g_string_append_printf(held[processor[i]], "%c%d%d ", "CDA"[matrix[p]], (int)top[p], (int)left[p]);
        if (processor[i] == 1 && matrix[p] == MATRIX_C)     /* C01, then C00 */
            n_found += start[i] == (left[p] ? 0 : 36 * US) && length[i] == (left[p] ? 36 * US : 32 * US + 1);
    }
    ck_assert_uint_eq(n_found, 2);
    for (guint node = 0; node < 4; node++) {
        ck_assert_str_eq(held[node]->str, last[node]);
        g_string_free(held[node], TRUE);
    }
    g_autofree gint64 *message = blocks_column(json, "cargo", "message", 12);
    g_autofree gint64 *begin = blocks_column(json, "cargo", "start", 12);
    g_autofree gint64 *under_way = blocks_column(json, "cargo", "length", 12);
    ck_assert(message[3] == 3 && begin[3] == 2 * US && under_way[3] == 34 * US);    /* C00 from 0 to 1 */
    g_autofree gint64 *worked = blocks_column(json, "work", "start", 8), *done = blocks_column(json, "work", "done", 8);
    ck_assert(worked[0] == 2 * US && done[0] == 2 && worked[1] == 68 * US && done[1] == 4);
}

/* A date that is not the schedule's: what lies where is not known. */
TEST(blocks_of_another_run)
{
    g_autoptr(Machine) machine = simple("flop=1");
    const TestProduct product = {.algorithm = "a1", .routing = "sbt", .shape = {4, 4, 4}, .grid = {1, 1, 0}};
    g_autoptr(Trace) trace = NULL;
    Record record = executed(machine, test_product(&product), &trace);
    g_autoptr(Blocks) right = blocks_find(&record, trace);
    ck_assert_ptr_nonnull(right);
    g_array_index(trace->messages, TraceMessage, 5).issued_ps++;
    g_autoptr(Blocks) wrong = blocks_find(&record, trace);
    ck_assert_ptr_null(wrong);
}

/* The schedule, walked with the dates of the trace, has the dates of the trace; otherwise nothing would be shown. */
TEST(blocks_of_all)
{
    static const char *const names[] = {"a1", "a2", "a3", "a3b", "a4", "a5", "cannon", "dekel", "outer",
                                        "3d", "3d-shuffled"};
    static const char *const options[] = {"flop=1", "duplex=half start_skew=50", "packet=8 flop=2",
                                          "switching=store-and-forward packet=8"};
    guint each = (guint)test_upto(5, 1);     /* prime to the numbers of options and ports */
    for (guint i = 0; i < G_N_ELEMENTS(names) * G_N_ELEMENTS(options) * 2; i += each) {
        gboolean n_port = i % 2;
        TestProduct product = {.algorithm = names[i / 8], .routing = n_port ? "nrsbt" : "sbt", .n_port = n_port,
                               .shape = {4, 8, 4}, .grid = {1, i / 8 >= 8 ? 1 : 2, i / 8 > 8},
                               .overlap = i / 2 % 4 == 2};
        g_autofree char *json = product_json(&product, options[i / 2 % 4]);
        ck_assert_ptr_nonnull(strstr(json, "\"blocks\": {"));
        product.repeat = 2;
        g_autofree char *none = product_json(&product, options[i / 2 % 4]);
        ck_assert(!strstr(none, "\"blocks\""));
    }
}

/* --- the page --- */

/* What stands between `begin` and `end`. Caller frees. */
static char *between(const char *text, const char *begin, const char *end)
{
    const char *at = strstr(text, begin);
    ck_assert_ptr_nonnull(at);
    at += strlen(begin);
    return g_strndup(at, (gsize)(strstr(at, end) - at));
}

/* No title, however odd, is anything but text; and only the script that was written may run. */
TEST(sealed)
{
    g_autoptr(Machine) machine = simple(NULL);
    g_free(machine->title);
    machine->title = g_strdup("</script><img onerror=alert(1)> <!--{script}--> \"&'");
    g_autoptr(Trace) trace = NULL;
    Record record = executed(machine, test_exchange("direct", 2, NULL, 8), &trace);
    g_autofree char *page = page_of(&record, trace);
    ck_assert_uint_eq(test_count(page, "</script>"), 2);
    ck_assert_uint_eq(test_count(page, "<script"), 2);
    ck_assert_uint_eq(test_count(page, "<img"), 0);
    ck_assert_uint_eq(test_count(page, "<!--"), 0);
    ck_assert_ptr_nonnull(strstr(page, "(&lt;/script&gt;&lt;img onerror=alert(1)&gt; &lt;!--{script}--&gt; "));
    ck_assert_ptr_nonnull(strstr(page, "ecube report &lt;x&gt;"));
    g_autofree char *script = between(page, "<script type=\"module\">", "</script>");
    g_autofree char *hash = between(page, "script-src 'sha256-", "'");
    gsize length;
    g_autofree guchar *digest = g_base64_decode(hash, &length);
    g_autofree char *is = g_compute_checksum_for_string(G_CHECKSUM_SHA256, script, -1);
    for (gsize i = 0; i < 2 * length; i++)
        ck_assert_int_eq(g_ascii_xdigit_value(is[i]), i % 2 ? digest[i / 2] & 15 : digest[i / 2] >> 4);
    ck_assert_uint_eq(length, 32);
    ck_assert_ptr_nonnull(strstr(page, "default-src 'none'"));
}

/* --- words --- */

#define MANY 1000000    /* messages: a run that is not taken apart */

static Record took(const char *algorithm, const char *partition_text, gint64 bytes, gint64 us, guint64 blocked)
{
    Phases partition;
    ck_assert(partition_parse("", partition_text, 3, &partition, NULL));
    return (Record){.run = {.problem = test_exchange(algorithm, 3, &partition, bytes), .element = 1},
                    .result = {.contention_free_ps = 100 * US, .simulated_ps = us * US, .finished = TRUE,
                               .data_ok = TRUE, .network = {.messages = MANY, .blocked = blocked}}};
}

/* The same, a ten-thousandth longer. */
static Record nearly(Record record)
{
    record.result.simulated_ps += record.result.simulated_ps / 10000;
    return record;
}

#define CHECK_WORDS(expected, ...)                                                                                     \
    do {                                                                                                               \
        Record records[] = {__VA_ARGS__};                                                                              \
        const Cause causes[G_N_ELEMENTS(records)] = {{NULL}};                                                          \
        g_autofree char *verdict = summary_verdict(records, G_N_ELEMENTS(records));                                    \
        g_autofree char *reason = summary_reason(records, G_N_ELEMENTS(records), causes);                              \
        g_autofree char *told = g_strjoin(" | ", verdict, reason, NULL);                                               \
        ck_assert_str_eq(told, expected);                                                                              \
    } while (0)

/* The size that counts is that with the largest ratio, not the longest time. */
TEST(words)
{
    CHECK_WORDS("direct takes 2.00 times as long as multiphase 1,2: 220.0 µs against 110.0 µs. | The difference: "
                "direct loses 110.0 µs more to contention. Without contention both would take 100.0 µs.",
                took("multiphase", "1,2", 32, 110, 0), took("naive", "3", 32, 150, 0), took("direct", "3", 32, 220, 0));
    CHECK_WORDS("naive takes 4.00 times as long as direct: 400.0 µs against 100.0 µs at 32 bytes. | The difference: "
                "naive loses 300.0 µs to contention. Without contention both would take 100.0 µs.",
                took("direct", "3", 32, 100, 0), took("naive", "3", 32, 400, 3), took("direct", "3", 64, 5000, 0),
                took("naive", "3", 64, 4000, 4), took("naive", "3", 96, 100, 0),
                took("naive", "3", 128, 0, 0));
    CHECK_WORDS("naive takes 150.0 µs, 1.50 times what it would if no message met another. | It loses "
                "50.0 µs to contention.",
                took("naive", "3", 32, 150, 9));
    CHECK_WORDS("direct takes 100.0 µs, as if no message ever met another. | ", took("direct", "3", 32, 100, 0));
    CHECK_WORDS("Both runs take 100.0 µs. | ", took("direct", "3", 32, 100, 0), took("naive", "3", 32, 100, 0));
}

/* Nearly as fast is not as fast. */
TEST(words_of_near_times)
{
    CHECK_WORDS("naive takes 1.001001 times as long as direct: 1.00 ms against 999.0 µs. | The difference: naive loses "
                "1.00 µs more to contention. Without contention both would take 100.0 µs.",
                took("naive", "3", 1, 1000, 0), took("direct", "3", 1, 999, 0));
    CHECK_WORDS("naive takes 100.0 µs, 1.000100 times what it would if no message met another. | It "
                "loses 0.01 µs to contention.",
                nearly(took("naive", "3", 8, 100, 0)));
}

/* Runs that failed are counted, but not compared. */
TEST(words_of_failures)
{
    Record wrong = took("naive", "3", 32, 1, 0), none = took("direct", "3", 32, 1, 0);
    wrong.result.data_ok = FALSE;
    none.failed = TRUE;
    CHECK_WORDS("1 of 1 runs failed. | ", wrong);
    CHECK_WORDS("2 of 3 runs failed. Of the others: direct takes 100.0 µs, as if no message ever met another. | ",
                wrong, took("direct", "3", 32, 100, 0), none);
}

#define CHECK_WAITING(expected, ...)                                                                                   \
    do {                                                                                                               \
        Record records[] = {__VA_ARGS__};                                                                              \
        const Cause causes[] = {{.kinds = (char *)"channels 100.0 %"}, {.kinds = (char *)"receive ports 75.0 %"}};     \
        g_autofree char *told = summary_waiting(records, G_N_ELEMENTS(records), causes);                               \
        ck_assert_str_eq(told, expected);                                                                              \
    } while (0)

/* Of the run that waits most, and what is at the root of its waits. */
TEST(words_of_waiting)
{
    Record few = took("direct", "3", 8, 120, 2), many = took("naive", "3", 8, 150, 9), larger = many;
    few.result.network.blocked_ps = 20 * US;
    many.result.network.blocked_ps = larger.result.network.blocked_ps = 60 * US;
    larger.run.problem.data.bytes = 16;
    CHECK_WAITING("2 of 1000000 messages wait, 20.0 µs summed over messages. Root causes: channels 100.0 %.", few);
    CHECK_WAITING("Most waiting is in naive: 9 of 1000000 messages wait, 60.0 µs summed over messages. Root causes: "
                  "receive ports 75.0 %.", few, many);
    CHECK_WAITING("Most waiting is in naive at 16 bytes: 9 of 1000000 messages wait, 60.0 µs summed over messages. "
                  "Root causes: receive ports 75.0 %.", few, larger);
    CHECK_WAITING("Nothing waits.", took("direct", "3", 8, 100, 0));
    few.failed = TRUE;
    CHECK_WAITING("", few);
}

#define CHECK_HEADING(expected, ...)                                                                                   \
    do {                                                                                                               \
        Record records[] = {__VA_ARGS__};                                                                              \
        g_autoptr(Machine) machine = simple(NULL);                                                                     \
        for (guint i = 0; i < G_N_ELEMENTS(records); i++)                                                              \
            records[i].run.machine = machine;                                                                          \
        g_autofree char *heading = summary_heading(records, G_N_ELEMENTS(records));                                    \
        ck_assert_ptr_nonnull(strstr(heading, "Complete exchange on "));                                               \
        ck_assert_str_eq(strstr(heading, "d = 3"), expected);                                                          \
    } while (0)

/* A heading says what differs between runs: names, each once, and sizes. */
TEST(headings)
{
    CHECK_HEADING("d = 3: 8 processors, 32 bytes: naive", took("naive", "3", 32, 1, 0));
    CHECK_HEADING("d = 3: 8 processors, 1 byte: naive; direct", took("naive", "3", 1, 1, 0),
                  took("direct", "3", 1, 1, 0));
    CHECK_HEADING("d = 3: 8 processors, 0 to 64 bytes: multiphase 1,2; direct", took("multiphase", "1,2", 8, 1, 0),
                  took("multiphase", "1,2", 64, 1, 0), took("direct", "3", 0, 1, 0));
    CHECK_HEADING("d = 3: 8 processors, 8 bytes: 5 runs", took("multiphase", "1,2", 8, 1, 0),
                  took("multiphase", "2,1", 8, 1, 0), took("multiphase", "1,1,1", 8, 1, 0),
                  took("naive", "3", 8, 1, 0), took("direct", "3", 8, 1, 0));
}

/* The first of each word of the glossary explains itself, and no explanation is explained. */
TEST(explained_words)
{
    g_autoptr(Machine) machine = simple(NULL);
    g_autoptr(Trace) trace = test_trace_shots(machine, 3, hold_and_wait_shots, 3);
    Record record = {.run = {.machine = machine, .problem = test_exchange("naive", 3, NULL, 1), .element = 1},
                     .result = {.finished = TRUE, .data_ok = TRUE, .simulated_ps = 1163 * US,
                                .contention_free_ps = 163 * US, .network = {.messages = 3, .blocked = 2}}};
    g_autofree char *page = page_of(&record, trace), *answer = between(page, "<p id=\"words\">", "</p>");
    ck_assert_uint_eq(test_count(answer, "<abbr title=\""), 3);
    ck_assert_uint_eq(test_count(answer, "</abbr>"), 3);
    ck_assert(g_str_has_prefix(answer, "It loses 1.00\u00a0ms to <abbr title=\"simulated less contention-free: by how "
                                      "much waiting makes the run longer.\">contention</abbr>: "));
    ck_assert(g_str_has_suffix(answer, "\">receive port</abbr> of 7."));
}

/* --- the bars --- */

/* The widths, in percent, of what stands behind `begin`: all pieces of a bar. */
static double sum_of_widths(const char *text, const char *begin)
{
    g_autofree char *bar = between(text, begin, "</svg></svg>");
    double sum = 0;
    for (const char *at = strstr(bar, "<svg x="); at; at = strstr(at + 1, "<svg x="))
        sum += atof(strstr(at, "width=\"") + 7);
    return sum;
}

/* Runs of one size are to one scale, the longest as long as it; a bar is as long as its run takes. */
TEST(bars)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", (const char *[]){"duplex=full", NULL});
    Record records[] = {executed(machine, test_exchange("naive", 3, NULL, 100), NULL),
                        executed(machine, test_exchange("direct", 3, NULL, 100), NULL),
                        executed(machine, test_exchange("naive", 3, NULL, 400), NULL)};
    g_autofree char *page = page_of_runs(records, 3, NULL);
    double naive = sum_of_widths(page, "<span>naive</span>"), direct = sum_of_widths(page, "<span>direct</span>");
    double ratio = (double)records[0].result.simulated_ps / (double)records[1].result.simulated_ps;
    ck_assert_double_eq_tol(MAX(naive, direct), 100, 0.001);
    ck_assert_double_eq_tol(naive / direct, ratio, 0.0001);
    g_autofree char *times = g_strdup_printf("<span>%.2f times</span>", MAX(ratio, 1 / ratio));
    ck_assert_uint_eq(test_count(page, times), 1);
    ck_assert_uint_eq(test_count(page, "class=\"bar\""), 2);        /* the other size has no second run */
    ck_assert_uint_eq(test_count(page, "data-tip=\"contention: "), 1);
    ck_assert_uint_eq(test_count(page, "data-tip=\"handshakes: "), 1);
}

/* What the page says without its script: the sentence, also for previews, the tables, how it was made. */
TEST(without_script)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    Record record = executed(machine, test_exchange("direct", 2, NULL, 8), NULL);
    g_autofree char *page = page_of(&record, NULL), *body = between(page, "<body>", "<script");
    g_autofree char *verdict = summary_verdict(&record, 1), *answer = page_escaped(verdict);
    const char *const said[] = {
        answer, "d = 2: 4 processors", "<td class=\"left\">direct, 8\u00a0bytes</td>", "<noscript>",
        "<dt>critical path</dt>", "<td class=\"left\">rho</td><td>0.54</td>", "ecube 0.1.0", "2026-11-23",
    };
    for (guint i = 0; i < G_N_ELEMENTS(said); i++)
        ck_assert_msg(strstr(body, said[i]) != NULL, "%s", said[i]);
    g_autofree char *description = between(page, "<meta name=\"description\" content=\"", "\"");
    ck_assert_str_eq(description, answer);
    ck_assert(!strstr(body, "style=") && !strstr(body, "onclick"));
}

TESTS(page, by_hand, round_trip, columns, in_order, holds_in_order, size, failed, no_result, cannon_by_hand,
      blocks_of_another_run, blocks_of_all, sealed, words, words_of_near_times, words_of_failures, words_of_waiting,
      headings, explained_words, bars, without_script)
