/* Measured times as several programs write them. */
#include "sim/fit/levels.h"
#include "sim/fit/measured_files.h"
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
    g_auto(Price) priced = test_price(&o->run.problem, &(Machine){.terms = {1000, 7000, 30}, .lambda_zero_ps = 500,
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
    check_skipped(m, "MPI_Alltoall of an unknown number of ranks", 2);
}

/* Returns the text of an OSU latency test with these lines below its header. Caller frees. */
static char *osu_of(const char *lines)
{
    return g_strconcat("# OSU MPI Latency Test v5\n# Size          Latency (us)\n", lines, NULL);
}

/* A line that is no row is left out, with the number of the first; so is a time of 0. */
TEST(foreign_lines)
{
    g_autofree char *text = osu_of("8   fast\n8\n-8   1.0\n[node1:1] 3 more processes\n\n8 0.00\n16 2.5\n");
    g_autoptr(Measured) m = read_text(text, STATISTIC_MINIMUM, NULL);
    ck_assert_uint_eq(m->observations->len, 1);
    check_message(m, 0, 16, 2.5);
    check_skipped(m, "lines that are no rows (first: ", 4);
    check_skipped(m, ", line 3)", 4);
    check_skipped(m, "rows whose time is 0", 1);
    ck_assert_str_eq(measured_statistic(m), "average");
}

/* A row that was cut has fewer columns than the header. */
TEST(cut_row)
{
    g_autoptr(Measured) m = read_text("# Benchmarking PingPong\n#bytes #repetitions t[usec] Mbytes/sec\n"
                                      "1 1000 1.5 0.6\n2 1000 1.\n", STATISTIC_MINIMUM, NULL);
    ck_assert_uint_eq(m->observations->len, 1);
    check_skipped(m, "lines that are no rows", 1);
}

/* What launchers, mails, clocks and mpirun put before lines. */
TEST_LOOP(prefixes, 0, 6)
{
    static const char *const before[] = {"[1,0]<stdout>:", "[0] ", "0: ", "> > ", "2024-05-06 07:08:09.25 ",
                                         "07:08:09 "};
    const char *p = before[_i];
    g_autofree char *text = g_strdup_printf("%s# OSU MPI Latency Test v5\n%s# Size   Latency (us)\n%s8   1.5\n", p, p,
                                            p);
    g_autoptr(Measured) m = read_text(text, STATISTIC_MINIMUM, NULL);
    ck_assert_uint_eq(m->observations->len, 1);
    check_message(m, 0, 8, 1.5);
}

/* UTF-16, either end first. */
TEST_LOOP(utf16, 0, 2)
{
    g_autofree char *text = osu_of("8   1.5\r\n");
    g_autoptr(GString) wide = g_string_new_len(_i ? "\xfe\xff" : "\xff\xfe", 2);
    for (const char *c = text; *c; c++) {
        const char big[] = {0, *c}, little[] = {*c, 0};
        g_string_append_len(wide, _i ? big : little, 2);
    }
    test_file_write(wide->str, (gssize)wide->len);
    g_autoptr(Measured) m = measured_new(TEST_PLATFORMS, NULL, STATISTIC_MINIMUM);
    ck_assert(measured_read(m, test_file, NULL));
    ck_assert_uint_eq(m->observations->len, 1);
    check_message(m, 0, 8, 1.5);
}

/* Saved by a spreadsheet: semicolons or tabs, decimal commas, partitions with commas. */
TEST_LOOP(spreadsheet, 0, 2)
{
    g_autofree char *text = g_strdup("machine;dimension;algorithm;partition;bytes;minimum_us\r\n"
                                     "ipsc860;3;multiphase;1,2;64;20,5\r\nipsc860;3;multiphase;\"1,2\";8;1200\r\n");
    g_autoptr(Measured) m = read_text(_i ? g_strdelimit(text, ";", '\t') : text, STATISTIC_MINIMUM, NULL);
    ck_assert_uint_eq(m->observations->len, 2);
    for (guint i = 0; i < 2; i++) {
        g_autofree char *parts = partition_format(&nth(m, i)->run.problem.partition);
        ck_assert_str_eq(parts, "1,2");
        ck_assert_double_eq(nth(m, i)->time_ps, i ? 1200e6 : 20.5e6);
    }
}

#define NCCL_HEAD \
    "# nThread 1 nGpus 2\n#  Rank  0 x\n#  Rank  1 x\n" \
    "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong\n"

/* An all-to-all of a benchmark is the library's own, on as many ranks as the text or the caller says. nccl's sizes are
 * those of all blocks of a rank. */
TEST_LOOP(libraries, 0, 3)
{
    static const char *const texts[] = {
        "# OSU MPI All-to-All Personalized Exchange Latency Test v5.9\n# Size  Avg Latency(us)\n64   10.5\n",
        "# Benchmarking Alltoall\n# #processes = 8\n#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
        "0 1000 0.03 0.04 0.03\n64 1000 9.5 11.5 10.5\n",
        NCCL_HEAD "   128   32  float  none  -1  10.5  0.01  0.01  0  9.5  0.01  0.01  N/A\n"};
    g_autoptr(Measured) m = measured_new(TEST_PLATFORMS, "ncube2", STATISTIC_MINIMUM);
    m->with_libraries = TRUE;
    m->n_ranks = _i == 0 ? 8 : 0;
    test_file_write(texts[_i], -1);
    ck_assert(measured_read(m, test_file, NULL));
    ck_assert_uint_eq(m->observations->len, 1);
    const Observation *o = nth(m, 0);
    ck_assert(observation_is_library(o) && o->left_out);
    ck_assert_uint_eq(problem_n_nodes(&o->run.problem), _i == 2 ? 2 : 8);
    ck_assert_int_eq(o->run.problem.data.bytes, 64);
    ck_assert_double_eq(o->time_ps, 10.5e6);
}

/* Rows of nccl-tests: their title names alltoall_perf, or only alltoall_perf has such rows. */
static const struct {
    const char *title, *row;
    gboolean is_alltoall;
} nccl_cases[] = {
    {"", "none -1 10.5 0.01 0.01 0 9.5 0.01 0.01 N/A", TRUE},
    {"", "none -1 10.5 0.01 0.01 0e+00 9.5 0.01 0.01 N/A", TRUE},
    {"", "none -1 10.5 0.01 0.01 0 9.5 0.01 0.01 0", FALSE},        /* all_gather_perf */
    {"", "none -1 10.5 0.01 0.01 N/A 9.5 0.01 0.01 N/A", FALSE},    /* either, unchecked */
    {"", "none 0 10.5 0.01 0.01 0 9.5 0.01 0.01 0", FALSE},         /* broadcast_perf */
    {"", "sum -1 10.5 0.01 0.01 0 9.5 0.01 0.01 0", FALSE},         /* all_reduce_perf */
    {"", "sum -1 10.5 0.01 0.01 0 9.5 0.01 0.01 N/A", FALSE},       /* sendrecv_perf */
    {"# Collective test starting: alltoall_perf\n", "none -1 10.5 0.01 0.01 N/A 9.5 0.01 0.01 N/A", TRUE},
    {"# Collective test starting: alltoallv_perf\n", "none -1 10.5 0.01 0.01 0 9.5 0.01 0.01 N/A", FALSE},
};

TEST_LOOP(nccl, 0, G_N_ELEMENTS(nccl_cases))
{
    g_autofree char *text = g_strconcat(nccl_cases[_i].title, NCCL_HEAD "128 32 float ", nccl_cases[_i].row, "\n",
                                        NULL);
    g_autoptr(Measured) m = measured_new(TEST_PLATFORMS, "ncube2", STATISTIC_MINIMUM);
    m->with_libraries = TRUE;
    test_file_write(text, -1);
    ck_assert(measured_read(m, test_file, NULL));
    ck_assert_uint_eq(m->observations->len, nccl_cases[_i].is_alltoall);
    ck_assert_uint_eq(m->skipped->len, !nccl_cases[_i].is_alltoall);
}

/* Collectives of a library are times of their pattern on a cube; other numbers of ranks, and functions of which nothing
 * is known, are left out. */
static const struct {
    const char *title, *pattern;
    guint n_ranks;
} collective_cases[] = {
    {"OSU MPI Broadcast Latency Test v7.5", "broadcast", 8}, {"OSU MPI-CUDA Allgatherv Latency Test v5.9",
    "all-broadcast", 8}, {"OSU MPI Scatter Latency Test v5", "scatter", 8},
    {"OSU MPI Broadcast Latency Test v7.5", NULL, 6}, {"OSU MPI Broadcast Latency Test v7.5", NULL, 1},
    {"OSU MPI Gather Latency Test v7.5", NULL, 8},
    {"OSU MPI Non-blocking Broadcast Latency Test v7.5", NULL, 8}, {"OSU MPI Allreduce Latency Test v7.5", NULL, 8},
    {"Benchmarking Bcast", "broadcast", 8}, {"Benchmarking Allgather", "all-broadcast", 8},
    {"Benchmarking Scatterv", "scatter", 8}, {"Benchmarking Ibcast", NULL, 8},
};

TEST_LOOP(collectives, 0, G_N_ELEMENTS(collective_cases))
{
    gboolean imb = g_str_has_prefix(collective_cases[_i].title, "Benchmarking");
    const char *heading = imb ? "#bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]"
                              : "# Size  Iterations  Min Latency(us)  Max Latency(us)  Avg Latency(us)";
    g_autofree char *text = g_strdup_printf("# %s\n%s\n0 10 1 1 1\n64 10 9.5 11.5 10.5\n", collective_cases[_i].title,
                                            heading);
    g_autoptr(Measured) m = measured_new(TEST_PLATFORMS, "ncube2", STATISTIC_MEDIAN);
    m->with_libraries = TRUE;
    m->n_ranks = collective_cases[_i].n_ranks;
    test_file_write(text, -1);
    ck_assert(measured_read(m, test_file, NULL));
    ck_assert_uint_eq(m->observations->len, collective_cases[_i].pattern ? 1 : 0);
    ck_assert_uint_eq(m->skipped->len, collective_cases[_i].pattern ? 1 : 2);
    if (!collective_cases[_i].pattern)
        return;
    const Observation *o = nth(m, 0);
    ck_assert(observation_is_library(o) && o->left_out);
    ck_assert_str_eq(o->run.problem.pattern->name, collective_cases[_i].pattern);
    ck_assert_uint_eq(o->run.problem.dimension, 3);
    ck_assert_int_eq(o->run.problem.data.bytes, 64);
    ck_assert_double_eq(o->time_ps, 10.5e6);
}

/* The same text twice counts once. */
TEST(same_twice)
{
    g_autofree char *text = osu_of("8   1.5\n");
    g_autoptr(Measured) m = read_text(text, STATISTIC_MINIMUM, NULL);
    ck_assert(measured_read(m, test_file, NULL));
    ck_assert_uint_eq(m->observations->len, 1);
    check_skipped(m, "files with the text of another", 1);
}

/* The two processors of a ping-pong share a node or do not, by place; rows of runs have no place within a node. */
TEST(places)
{
    static const gint64 hosts[] = {[MEASURED_ANYWHERE] = 0, [MEASURED_BETWEEN] = 0, [MEASURED_WITHIN] = MEASURED_NODE};
    g_autofree char *text = osu_of("8   1.5\n");
    for (MeasuredPlace place = MEASURED_ANYWHERE; place <= MEASURED_WITHIN; place++) {
        g_autoptr(Measured) m = measured_new(TEST_PLATFORMS, NULL, STATISTIC_MEDIAN);
        m->place = place;
        test_file_write(text, -1);
        ck_assert(measured_read(m, test_file, NULL));
        ck_assert_int_eq(nth(m, 0)->machine.host, hosts[place]);
        test_file_write("machine,dimension,algorithm,bytes,median_us\nncube2,3,direct,8,20\n", -1);
        ck_assert_int_eq(measured_read(m, test_file, NULL), place != MEASURED_WITHIN);
    }
}

/* Six sizes are measured thrice; `n_apart` of them once as long as `factor` times the others. */
static const struct {
    guint n_apart;
    double factor;
    guint expected;
} level_cases[] = {{6, 4, 6}, {6, 1.8, 6}, {6, 1.4, 0}, {3, 2, 3}, {2, 2, 0}, {0, 1, 0}, {6, 0.25, 6}};

TEST_LOOP(levels, 0, G_N_ELEMENTS(level_cases))
{
    GString *rows = g_string_new(NULL);
    for (guint i = 0; i < 18; i++) {
        gboolean apart = i < 6 && i < level_cases[_i].n_apart;
        g_string_append_printf(rows, "%u %f\n", 1u << i % 6, (1 + 0.01 * i) * (apart ? level_cases[_i].factor : 1));
    }
    g_autofree char *body = g_string_free(rows, FALSE), *text = osu_of(body);
    g_autoptr(Measured) m = read_text(text, STATISTIC_MEDIAN, NULL);
    ck_assert_uint_eq(m->observations->len, 18);
    ck_assert_uint_eq(levels_count(m->observations), level_cases[_i].expected);
}

/* bytes, Mbit/s of 10^6 or of 2^20 bits, seconds, which are averages. */
TEST(netpipe)
{
    g_autoptr(Measured) m = read_text("       1 0.400000   0.00002000\n    1000 160.0   5e-05\n"
                                      "    1024 156.25   0.00005000\n", STATISTIC_MINIMUM, NULL);
    check_message(m, 0, 1, 20);
    check_message(m, 1, 1000, 50);
    check_message(m, 2, 1024, 50);
    ck_assert_str_eq(measured_statistic(m), "average");
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
    check_skipped(m, "rows of MPI_Alltoall without whole blocks", 1);
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

TESTS_IN_FOLDER(measured, osu_old, osu_columns, osu_collective, foreign_lines, cut_row, prefixes, utf16, spreadsheet,
                libraries, nccl, collectives, same_twice, places, levels, netpipe, imb, csv,
                csv_of_simulations, bad_files)
