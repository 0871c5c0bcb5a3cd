/* Measured times as several programs write them. */
#include "sim/fit/measured.h"
#include "tests/support/tests.h"

/* What is in a text, as a file of the test's folder. NULL with an error. */
static Measured *read_text(const char *text, Statistic statistic, GError **error)
{
    test_file_write(text, -1);
    g_autoptr(Measured) measured = measured_new(TEST_PLATFORMS, NULL, statistic);
    return measured_read(measured, test_file, error) ? g_steal_pointer(&measured) : NULL;
}

static const Observation *nth(const Measured *measured, guint i)
{
    ck_assert_uint_lt(i, measured->observations->len);
    return g_ptr_array_index(measured->observations, i);
}

/* One message over one channel. */
static void check_message(const Measured *measured, guint i, gint64 bytes, double time_us)
{
    const Observation *o = nth(measured, i);
    ck_assert_str_eq(o->run.problem.pattern->name, "broadcast");
    ck_assert_uint_eq(o->run.problem.dimension, 1);
    ck_assert_int_eq(o->run.problem.data.bytes, bytes);
    ck_assert_double_eq_tol(o->time_ps, time_us * 1e6, 1e-3);
    g_auto(Price) priced = test_price(&o->run.problem, &(Machine){.terms = {1000, 7, 30}, .lambda_zero_ps = 500,
                                                          .delta_ps = 200, .short_limit = -1});
    ck_assert_int_eq(priced.time_ps, (bytes ? 1000 : 500) + 200 + 30 + 7 * bytes);
}

static void check_skipped(const Measured *measured, const char *what, guint n)
{
    g_auto(GStrv) lines = measured_left_out(measured);
    g_autofree char *before = g_strdup_printf("%u of ", n);
    for (guint i = 0; lines[i]; i++)
        if (g_str_has_prefix(lines[i], before) && strstr(lines[i], what))
            return;
    ck_abort_msg("%u of '%s' are not among what was left out", n, what);
}

TEST(osu_old)
{
    g_autoptr(Measured) m = read_text("# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n"
                                      "0                       1.32\n\n1                       1.45\n"
                                      "1048576               171.03\n", STATISTIC_MINIMUM, NULL);
    ck_assert_uint_eq(m->observations->len, 3);
    check_message(m, 0, 0, 1.32);
    check_message(m, 1, 1, 1.45);
    check_message(m, 2, 1048576, 171.03);
    ck_assert_uint_eq(nth(m, 1)->line, 5);
}

#define OSU_NEW \
    "\r\n# OSU MPI Latency Test v7.3\r\n# Datatype: MPI_CHAR.\r\n" \
    "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\r\n" \
    "8                       1.50              1.25              9.75        1000\r\n"

/* The least is asked for, and there; the median is not, so that the mean has to do. */
TEST(osu_columns)
{
    g_autoptr(Measured) least = read_text(OSU_NEW, STATISTIC_MINIMUM, NULL);
    g_autoptr(Measured) median = read_text(OSU_NEW, STATISTIC_MEDIAN, NULL);
    check_message(least, 0, 8, 1.25);
    check_message(median, 0, 8, 1.5);
}

/* What the library did there nobody says. */
TEST(osu_collective)
{
    g_autoptr(Measured) m = read_text("# OSU MPI All-to-All Personalized Exchange Latency Test v5.9\n"
                                      "# Size       Avg Latency(us)\n1   10.1\n2   10.2\n"
                                      "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n4     1.5\n",
                                      STATISTIC_MINIMUM, NULL);
    ck_assert_uint_eq(m->observations->len, 1);
    check_message(m, 0, 4, 1.5);
    check_skipped(m, "OSU MPI All-to-All Personalized Exchange Latency", 2);
}

/* bytes, Mbit/s of 10^6 or of 2^20 bits, seconds. */
TEST(netpipe)
{
    g_autoptr(Measured) m = read_text("       1 0.400000   0.00002000\n    1000 160.0   5e-05\n"
                                      "    1024 156.25   0.00005000\n", STATISTIC_MINIMUM, NULL);
    check_message(m, 0, 1, 20);
    check_message(m, 1, 1000, 50);
    check_message(m, 2, 1024, 50);
}

TEST(imb)
{
    g_autoptr(Measured) m = read_text(
        "#------------------------------\n# Benchmarking PingPong \n# #processes = 2 \n#-----\n"
        "       #bytes #repetitions      t[usec]   Mbytes/sec\n            0         1000         0.56         0.00\n"
        "         4096         1000         2.25      1820.00\n\n# Benchmarking Alltoall\n# #processes = 4\n"
        "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n      0   1000   0.03   0.04   0.03\n",
        STATISTIC_MINIMUM, NULL);
    ck_assert_uint_eq(m->observations->len, 2);
    check_message(m, 0, 0, 0.56);
    check_message(m, 1, 4096, 2.25);
    check_skipped(m, "IMB: Alltoall", 1);
}

#define HEAD \
    "machine,dimension,processors,pattern,algorithm,partition,accumulate,source,permutation,idle,bytes,element,ports," \
    "packet,published_us,contention_free_us,simulated_us,messages,blocked_messages,blocked_us,longest_wait_us," \
    "data_ok,wall_s,overrides,shape,grid,routing,layout,repeat,overlap,operations,arithmetic_us,peak_elements," \
    "repetitions,minimum_us,median_us,spread_us,library,host\n"
#define TAIL(overrides) ",,,,,,,true,," overrides ",,,,,,,,,,100,20.5,30.25,2,Open MPI 4.1.4,node7\n"

/* As ecube-mpi writes it. */
TEST(csv)
{
    g_autoptr(Measured) m = read_text(
        HEAD "ipsc860,3,8,complete-exchange,multiphase,\"1,2\",,,,,64,1,one,,"
        TAIL("phase_barrier=false") "ipsc860,3,8,complete-exchange,standard,\"1,1,1\",,,,,64,1,one,,"
        TAIL("phase_barrier=false") "ipsc860,3,8,broadcast,sbt,,,5,,,64,1,one,,"
        TAIL("phase_barrier=false") "ipsc860,3,8,complete-exchange,mpi-alltoall,,,,,,64,1,one,," TAIL(""),
        STATISTIC_MEDIAN, NULL);
    ck_assert_uint_eq(m->observations->len, 3);
    const Observation *first = nth(m, 0);
    g_autofree char *parts = partition_format(&first->run.problem.partition);
    ck_assert_str_eq(parts, "1,2");
    ck_assert_double_eq(first->time_ps, 30.25e6);
    ck_assert(first->machine.pairwise_sync && !first->machine.phase_barrier);
    ck_assert_uint_eq(nth(m, 2)->run.problem.source, 5);
    check_skipped(m, "algorithm mpi-alltoall", 1);
    ck_assert_str_eq(g_ptr_array_index(m->libraries, 0), "Open MPI 4.1.4");
    ck_assert_str_eq(g_ptr_array_index(m->hosts, 0), "node7");
}

/* As `ecube run` writes it; one has waited, and one went wrong. */
TEST(csv_of_simulations)
{
    g_autoptr(Measured) m = read_text(
        "machine,dimension,algorithm,bytes,ports,contention_free_us,simulated_us,data_ok,overrides\n"
        "bokhari1993,2,direct,64,one,714.000000,714.000000,true,\n"
        "bokhari1993,2,naive,64,one,714.000000,800.000000,true,\n"
        "bokhari1993,2,direct,128,one,714.000000,800.000000,false,\n", STATISTIC_MINIMUM, NULL);
    ck_assert_uint_eq(m->observations->len, 2);
    ck_assert_double_eq(nth(m, 0)->time_ps, 714e6);
    ck_assert_ptr_null(nth(m, 0)->left_out);
    ck_assert_ptr_nonnull(nth(m, 1)->left_out);
}

static const struct {
    const char *text, *wrong;
} bad[] = {
    {"hello\n", "line 1: 'hello' begins no file that is known"},
    {"# OSU MPI Latency Test v5\n# Size          Latency (us)\n8   fast\n", "line 3: time: 'fast' is not allowed"},
    {"# OSU MPI Latency Test v5\n# Size          Latency (us)\n8\n", "line 3: 1 numbers; allowed: at least 2"},
    {"# OSU MPI Latency Test v5\n# Size          Latency (us)\n-8   1.0\n", "line 3: bytes: '-8' is not allowed"},
    {"# OSU MPI Latency Test v5\n# Size          Latency (us)\n8   0.00\n", "line 3: time: '0.00' is not allowed"},
    {"1 0.4 2e-5\n2 0.8\n", "line 2: 2 numbers; allowed: 3"},
    {"1 0.4 2e-5\n2 500 2e-5\n", "line 2: '500' Mbit/s does not fit 2 bytes in 2e-5 s"},
    {"machine,bytes\nipsc860,3\n", "there is no column 'dimension'"},
    {"machine,dimension,algorithm,bytes\nipsc860,3,direct,4\n", "there is no column 'minimum_us', nor 'simulated_us'"},
    {"machine,dimension,algorithm,bytes,minimum_us\nipsc860,3,direct,4,-1\n", "line 2: minimum_us: '-1'"},
    {"machine,dimension,algorithm,bytes,minimum_us\nipsc860,3,direct,4,fast\n", "line 2: minimum_us: 'fast'"},
    {"machine,dimension,algorithm,bytes,minimum_us\nipsc860,33,direct,4,1\n", "line 2: dimension: '33'"},
    {"machine,dimension,algorithm,bytes,minimum_us\nipsc861,3,direct,4,1\n", "line 2: machine: 'ipsc861'"},
    {"machine,dimension,algorithm,bytes,minimum_us\nipsc860,3,multiphase,4,1\n", "line 2: partition: is missing"},
    {"machine,dimension,algorithm,bytes,minimum_us,overrides\nipsc860,3,direct,4,1,tua=3\n",
     "line 2: overrides: 'tua'"},
    {"machine,dimension,algorithm,bytes,minimum_us\nipsc860,3,direct,4\n", "line 2: 4 cells; allowed: 5"},
    {"machine,dimension,algorithm,bytes,minimum_us\nipsc860,3,direct,4,fast\n", "line 2: minimum_us: 'fast'"},
    {"machine,dimension,algorithm,bytes,minimum_us\nipsc860,3,direct,4,0x10\n", "line 2: minimum_us: '0x10'"},
    {"machine,dimension,algorithm,bytes,minimum_us\nipsc860,3,direct,4,1e-300\n",
     "line 2: minimum_us: '1e-300' is not allowed; allowed: a time from 1e-06 to 9e+09 µs"},
    {"1000 160.0 5e-05\n1000 160.0 5e-13\n",
     "line 2: time: '5e-13' is not allowed; allowed: a time from 1e-12 to 9000 s"},
};

TEST_LOOP(bad_files, 0, G_N_ELEMENTS(bad))
{
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(read_text(bad[_i].text, STATISTIC_MINIMUM, &error));
    ck_assert_msg(strstr(error->message, bad[_i].wrong) != NULL, "%s", error->message);
    ck_assert_ptr_null(strchr(error->message, '\n'));
    ck_assert(g_str_has_prefix(error->message, test_folder));
}

TESTS_IN_FOLDER(measured, osu_old, osu_columns, osu_collective, netpipe, imb, csv, csv_of_simulations, bad_files)
