/* Sweeps: the order of the points, the same rows whoever runs them, shards and their pieces, points that fail. */
#include "sim/run/record.h"
#include "sim/run/resolve.h"
#include "sim/sweep/shard.h"
#include "tests/run/options.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SWEEP(...) make_sweep((const char *const[]){__VA_ARGS__, NULL}, NULL)

/* Two machines, two values of tau, two of d, two sizes, two or more schedules each. */
static Sweep *small_sweep(void)
{
    return SWEEP("machine=bokhari1993,ncube2", "dimension=1:2:1", "algorithm=naive,multiphase", "partition=all",
                 "bytes=4,0", "tau=1,3", "pairwise_sync=false");
}

#define SMALL_POINTS (2 * 2 * 2 * (2 + 3))

/* "machine [overrides] d bytes algorithm partition" */
static char *describe_point(Sweep *sweep, guint i)
{
    const Run *run = sweep_run(sweep, i);
    g_autofree char *partition = partition_format(&run->problem.partition);
    return g_strdup_printf("%s [%s] %u %d %s %s", run->machine->spec, sweep_overrides(sweep, i),
                           run->problem.dimension, (int)run->problem.data.bytes, run->problem.algorithm->name,
                           partition);
}

/* The machine varies slowest, then its keys, the dimension, the size, the algorithm, the partition. */
TEST(order)
{
    static const char *const machines[] = {"bokhari1993", "ncube2"}, *const taus[] = {"1", "3"};
    static const char *const what[] = {"1 4 naive ", "1 4 multiphase 1", "1 0 naive ", "1 0 multiphase 1",
                                       "2 4 naive ", "2 4 multiphase 1,1", "2 4 multiphase 2",
                                       "2 0 naive ", "2 0 multiphase 1,1", "2 0 multiphase 2"};
    g_autoptr(Sweep) sweep = small_sweep();
    ck_assert_uint_eq(sweep_n_points(sweep), SMALL_POINTS);
    for (guint i = 0; i < SMALL_POINTS; i++) {
        g_autofree char *found = describe_point(sweep, i);
        g_autofree char *expected = g_strdup_printf("%s [tau=%s pairwise_sync=false] %s", machines[i / 20],
                                                    taus[i / 10 % 2], what[i % 10]);
        ck_assert_str_eq(found, expected);
    }
}

/* A sweep in which only bytes, algorithm and partition vary has the order of the same scenario in `ecube run`. */
TEST(order_of_run)
{
    static const char *const pairs[] = {"machine=ipsc860", "dimension=3", "algorithm=direct,multiphase,standard",
                                        "partition=2,1;1,2", "bytes=9,0:2:1", NULL};
    g_autoptr(Sweep) sweep = make_sweep(pairs, NULL);
    g_autoptr(Scenario) scenario = scenario_new();
    set_pairs(scenario, pairs);
    g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, NULL);
    ck_assert_uint_eq(sweep_n_points(sweep), runs->len);
    for (guint i = 0; i < runs->len; i++) {
        g_autofree char *found = run_describe(sweep_run(sweep, i));
        g_autofree char *expected = run_describe(&g_array_index(runs, Run, i));
        ck_assert_str_eq(found, expected);
    }
}

/* --- fingerprints --- */

/* Sweeps that differ in one thing each. */
TEST(fingerprint)
{
    static const char *const others[][7] = {
        {"machine=ncube2", "dimension=2", "algorithm=direct", "bytes=4", "tau=1"},
        {"machine=ipsc860", "dimension=2", "algorithm=direct", "bytes=4", "tau=2"},
        {"machine=ipsc860", "dimension=3", "algorithm=direct", "bytes=4", "tau=1"},
        {"machine=ipsc860", "dimension=2", "algorithm=naive", "bytes=4", "tau=1"},
        {"machine=ipsc860", "dimension=2", "algorithm=direct", "bytes=5", "tau=1"},
        {"machine=ipsc860", "dimension=2", "algorithm=direct", "bytes=4", "tau=1", "ports=all", "duplex=full"},
        {"machine=ipsc860", "dimension=2", "algorithm=direct", "bytes=4", "tau=1", "element=2"},
        {"machine=ipsc860", "dimension=2", "algorithm=direct", "bytes=4", "tau=1", "packet=optimal"},
    };
    g_autoptr(Sweep) one = SWEEP("dimension=2", "algorithm=direct", "bytes=4", "tau=1", "machine=ipsc860");
    g_autoptr(Sweep) same = SWEEP("tau=1", "machine=ipsc860", "dimension=2:2:1", "algorithm=direct", "bytes=4");
    ck_assert_str_eq(sweep_fingerprint(one), sweep_fingerprint(same));
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        const char *const *o = others[i];
        g_autoptr(Sweep) other = SWEEP(o[0], o[1], o[2], o[3], o[4], o[5], o[6]);
        ck_assert_str_ne(sweep_fingerprint(one), sweep_fingerprint(other));
    }
    g_autoptr(Sweep) from_0 = SWEEP("machine=ipsc860", "dimension=2", "pattern=broadcast", "algorithm=gc", "bytes=4");
    g_autoptr(Sweep) from_3 = SWEEP("machine=ipsc860", "dimension=2", "pattern=broadcast", "algorithm=gc", "bytes=4",
                                    "source=3");
    ck_assert_str_ne(sweep_fingerprint(from_0), sweep_fingerprint(from_3));
}

/* Journals and pieces live longer than a program: these are of 0.1.0 from the beginning. */
TEST(fingerprints_stay)
{
    static const struct {
        const char *const pairs[10];
        guint n_points;
        const char *fingerprint;
    } cases[] = {
        {{"machine=johnsson1987", "dimension=2,4", "pattern=broadcast,reduction", "algorithm=gc,sbt,nesbt,nrsbt,sbnt",
          "bytes=64,128", "source=0:3:1", "element=1,2", "ports=all", "packet=8,16,unlimited,optimal"},
         1280, "16b85e88ff7d285f9a4a2969decc0566441389b3b8717f15366fdf91198c6582"},
        {{"machine=bokhari1993", "dimension=4", "pattern=permutation", "idle=0", "algorithm=a0,a1,a2,a3",
          "permutation=shuffle;bit-reversal;exchange:0,1", "bytes=64,128", "element=1,4"},
         48, "0214e3497a6e4d290fb1f56947687f324e27f91df729111c91f722d9c6160feb"},
        {{"machine=bokhari1993,ncube2", "dimension=4", "pattern=permutation", "cycles=0,1", "idle=0:2:1",
          "algorithm=a0,a1,a2,a3", "bytes=1:4096:x2", "ports=one,all", "packet=16"},
         624, "e4a0b0457ca722501692cbb7287ad5093bfdfddda31e148c94cea7f2f5ce3172"},
        {{"machine=ipsc1", "dimension=0:3:1", "algorithm=multiphase,direct", "partition=equal;all", "bytes=1"},
         11, "587961dfe170e1714ab68f77429d33dd391e2fb4633ba3e9de3d2983dd8bdb76"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Sweep) sweep = make_sweep(cases[i].pairs, NULL);
        ck_assert_uint_eq(sweep_n_points(sweep), cases[i].n_points);
        ck_assert_str_eq(sweep_fingerprint(sweep), cases[i].fingerprint);
    }
}

/* In whatever order points are asked for, each is what it was when it was planned. */
TEST(points_at_random)
{
    g_autoptr(Sweep) sweep = small_sweep();
    g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < SMALL_POINTS; i++)
        g_ptr_array_add(all, describe_point(sweep, i));
    for (guint i = 0; i < SMALL_POINTS; i++) {
        guint point = i * 23 % SMALL_POINTS;    /* 23 and 40 have no common divisor */
        g_autofree char *found = describe_point(sweep, point);
        ck_assert_str_eq(found, g_ptr_array_index(all, point));
    }
}

static char *fingerprint_of_file(const char *constants)
{
    g_autofree char *text = g_strconcat("[machine]\nlambda = 1\ntau = 1\n", constants, NULL);
    g_autofree char *pair = g_strconcat("machine=", test_file, NULL);
    test_file_write(text, -1);
    g_autoptr(Sweep) sweep = SWEEP("dimension=2", "algorithm=direct", "bytes=4", pair);
    return g_strdup(sweep_fingerprint(sweep));
}

/* Every constant in the machine's file counts, its title and comments do not. */
TEST(fingerprint_of_machine)
{
    static const char *const constants[] = {
        "lambda_zero = 7", "delta = 7", "delta_hop = 7", "rho = 7", "sync = 7", "sync_per_dimension = 7",
        "short_limit = 7", "lambda_short = 7", "tau_short = 7", "delta_hop_short = 7", "packet = 7", "ports = all",
        "pairwise_sync = true", "phase_barrier = true", "long_limit = 7",
    }, *const of_long[] = {"lambda_long = 7", "tau_long = 7", "delta_hop_long = 7"};
    g_autofree char *plain = fingerprint_of_file("");
    g_autofree char *titled = fingerprint_of_file("# a comment\ntitle = mine\ndelta = 0.0\n");
    g_autofree char *computing = fingerprint_of_file("flop = 7\n");      /* there is nothing to compute */
    ck_assert_str_eq(plain, titled);
    ck_assert_str_eq(plain, computing);
    for (guint i = 0; i < G_N_ELEMENTS(constants); i++) {
        g_autofree char *other = fingerprint_of_file(constants[i]);
        ck_assert_msg(strcmp(plain, other) != 0, "%s", constants[i]);
    }
    g_autofree char *limited = fingerprint_of_file("long_limit = 7");
    for (guint i = 0; i < G_N_ELEMENTS(of_long); i++) {     /* without a limit no message is long */
        g_autofree char *unused = fingerprint_of_file(of_long[i]);
        g_autofree char *both = g_strconcat("long_limit = 7\n", of_long[i], NULL);
        g_autofree char *used = fingerprint_of_file(both);
        ck_assert_str_eq(unused, plain);
        ck_assert_msg(strcmp(used, limited) != 0, "%s", of_long[i]);
    }
}

/* --- shards --- */

/* Marks the points of all shards in seen[]. */
static void mark_shards(Sweep *sweep, guint of, guint *seen)
{
    for (guint number = 1; number <= of; number++) {
        g_autoptr(GArray) points = shard_points((Shard){number, of}, sweep);
        for (guint i = 0; i < points->len; i++) {
            guint point = g_array_index(points, guint, i);
            ck_assert(i == 0 || point > g_array_index(points, guint, i - 1));
            seen[point]++;
        }
    }
}

/* Every point is in one shard, also when there are more shards than points. */
TEST(shards_share)
{
    g_autoptr(Sweep) sweep = small_sweep();
    for (guint of = 1; of <= SMALL_POINTS + 2; of++) {
        guint seen[SMALL_POINTS] = {0};
        mark_shards(sweep, of, seen);
        for (guint i = 0; i < SMALL_POINTS; i++)
            ck_assert_uint_eq(seen[i], 1);
    }
}

/* No shard takes more than 1.4 times the mean, unless that is a single point. */
static void assert_balanced(Sweep *sweep, guint of)
{
    guint64 all = 0;
    for (guint i = 0; i < sweep_n_points(sweep); i++)
        all += sweep_efforts(sweep)[i];
    for (guint number = 1; number <= of; number++) {
        g_autoptr(GArray) points = shard_points((Shard){number, of}, sweep);
        guint64 mine = 0;
        for (guint i = 0; i < points->len; i++)
            mine += sweep_efforts(sweep)[g_array_index(points, guint, i)];
        ck_assert_msg(points->len == 1 || mine * of * 10 <= all * 14, "shard %u of %u: %g", number, of,
                      (double)mine * of / (double)all);
    }
}

/* Points whose efforts differ a thousandfold and more. */
TEST(shards_balance)
{
    g_autoptr(Sweep) exchanges = SWEEP("machine=ipsc860", "dimension=3:10:1", "algorithm=direct,standard,naive,sbt",
                                       "bytes=1:4096:x4");
    g_autoptr(Sweep) broadcasts = SWEEP("machine=johnsson1987", "pattern=broadcast,reduction", "dimension=3:10:1",
                                        "algorithm=gc,sbt,nesbt", "bytes=64:65536:x4", "packet=64");
    Sweep *sweeps[] = {exchanges, broadcasts};
    for (guint i = 0; i < G_N_ELEMENTS(sweeps); i++) {
        guint last = sweep_n_points(sweeps[i]) - 1;
        ck_assert_uint_gt(sweep_efforts(sweeps[i])[last], 100 * sweep_efforts(sweeps[i])[0]);
        for (guint of = 1; of <= 16; of++)
            assert_balanced(sweeps[i], of);
    }
}

/* A point that is more than a whole share is alone. */
TEST(shard_of_one)
{
    g_autoptr(Sweep) sweep = SWEEP("machine=ipsc860", "dimension=3,9,4,5", "algorithm=direct", "bytes=1");
    g_autoptr(GArray) first = shard_points((Shard){1, 2}, sweep), second = shard_points((Shard){2, 2}, sweep);
    ck_assert_uint_eq(first->len, 1);
    ck_assert_uint_eq(g_array_index(first, guint, 0), 1);
    ck_assert_uint_eq(second->len, 3);
}

TEST(shard_texts)
{
    static const char *const bad[] = {"", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "a/b", "1/100001", " 1/2"};
    Shard shard;
    ck_assert(shard_parse("--shard", "2/3", &shard, NULL));
    ck_assert_uint_eq(shard.number, 2);
    ck_assert_uint_eq(shard.of, 3);
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_msg(!shard_parse("--shard", bad[i], &shard, &error), "'%s' was accepted", bad[i]);
        ck_assert(g_str_has_prefix(error->message, "--shard: '"));
    }
}

/* --- running --- */

/* The rows of a shard of the sweep, each with its end of line, wall_s blanked. */
static char *run_rows(Sweep *sweep, Shard shard, guint jobs)
{
    g_autoptr(GArray) points = shard_points(shard, sweep);
    JournalEntry *entries = g_new0(JournalEntry, sweep_n_points(sweep));
    SweepPlan plan = {.jobs = jobs, .points = points};
    ck_assert(sweep_execute(sweep, &plan, NULL, entries, NULL));
    g_autoptr(GString) rows = g_string_new(NULL);
    for (guint i = 0; i < points->len; i++)
        g_string_append_printf(rows, "%s\n", entries[g_array_index(points, guint, i)].row);
    journal_entries_free(entries, sweep_n_points(sweep));
    g_autoptr(GRegex) wall = g_regex_new(",(true|false),[0-9.]+,", 0, 0, NULL);
    return g_regex_replace(wall, rows->str, -1, 0, ",\\1,WALL,", 0, NULL);
}

static const Shard whole = {1, 1};

/* However many run at one time, the rows are the same, and those of `ecube run`. */
TEST(rows)
{
    g_autoptr(Sweep) sweep = small_sweep();
    g_autofree char *alone = run_rows(sweep, whole, 1);
    g_autofree char *together = run_rows(sweep, whole, 7);
    ck_assert_str_eq(alone, together);
    g_auto(GStrv) lines = g_strsplit(alone, "\n", -1);
    ck_assert_uint_eq(g_strv_length(lines), SMALL_POINTS + 1);
    ck_assert(g_str_has_prefix(lines[5], "bokhari1993,2,4,complete-exchange,multiphase,\"1,1\",,,,,4,1,one,,268.000000,"
                                         "268.000000,268.000000,8,"));
    for (guint i = 0; i < SMALL_POINTS; i++) {
        Record record = {.run = *sweep_run(sweep, i)};
        ck_assert(run_execute(&record.run, &record.result, NULL, NULL));
        g_autofree char *text = record_text(FORMAT_CSV, &record, 1, sweep_overrides(sweep, i));
        gsize same = (gsize)(strstr(lines[i], "WALL") - lines[i]);
        ck_assert_msg(strncmp(strchr(text, '\n') + 1, lines[i], same) == 0, "%s", lines[i]);
    }
}

/* A point whose times the clock cannot count fails alone, before it starts (bytes) or when it is priced (tau). */
TEST(failing_points)
{
    static const char *const expected[] = {
        "ipsc860,2,4,complete-exchange,direct,2,,,,,1,1,one,,",
        "ipsc860,2,4,complete-exchange,direct,2,,,,,9007199254740992,1,one,,",
        "ipsc860,2,4,complete-exchange,direct,2,,,,,2,1,one,,",
    };
    g_autoptr(Sweep) sweep = SWEEP("machine=ipsc860", "dimension=2", "algorithm=direct", "bytes=1,9007199254740992,2",
                                   "tau=1,9000000000");
    ck_assert_uint_eq(sweep_n_points(sweep), 6);
    JournalEntry outcomes[6] = {0};
    g_autoptr(GArray) points = shard_points(whole, sweep);
    SweepPlan plan = {.jobs = 2, .points = points};
    ck_assert(sweep_execute(sweep, &plan, NULL, outcomes, NULL));
    for (guint i = 0; i < 6; i++) {
        ck_assert_int_eq(outcomes[i].failed, i == 1 || i >= 3);
        ck_assert(g_str_has_prefix(outcomes[i].row, expected[i % 3]));
        ck_assert_int_eq(g_str_has_suffix(outcomes[i].row, i < 3 ? ",,,,,,,,failed,,tau=1,,,,,,,,,,,,,,,,,," :
                                          ",,,,,,,,failed,,tau=9000000000,,,,,,,,,,,,,,,,,,"), outcomes[i].failed);
        ck_assert_int_eq(strstr(outcomes[i].fault, "clock can") != NULL, outcomes[i].failed);
        g_free(outcomes[i].row);
        g_free(outcomes[i].fault);
    }
}

/* From now on no file can be opened, nor anything polled. */
static void forbid_files(const SweepProgress *progress)
{
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0}), 0);
}

/* The same once a point is over: with one job at a time no run is under way then. */
static void forbid_files_later(const SweepProgress *progress)
{
    if (progress->n_over > 0)
        forbid_files(progress);
}

/* A system call that fails ends the sweep: poll() while a point runs, pipe() when none does. */
TEST(system_refuses)
{
    static const struct {
        const char *dimension, *says;
    } cases[] = {{"dimension=1,12", "poll: Invalid argument"}, {"dimension=1,1", "pipe: Too many open files"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        pid_t pid = fork();     /* a limit cannot be raised again */
        if (pid == 0) {
            g_autoptr(Sweep) sweep = SWEEP("machine=ipsc860", cases[i].dimension, "algorithm=direct", "bytes=1");
            JournalEntry outcomes[2] = {0};
            g_autoptr(GArray) points = shard_points(whole, sweep);
            SweepPlan plan = {.jobs = i == 0 ? 2 : 1, .points = points,
                              .progress = i == 0 ? forbid_files : forbid_files_later};
            g_autoptr(GError) error = NULL;
            ck_assert(!sweep_execute(sweep, &plan, NULL, outcomes, &error));
            ck_assert(g_error_matches(error, ECUBE_ERROR, ECUBE_ERROR_SYSTEM));
            ck_assert_str_eq(error->message, cases[i].says);
            ck_assert_ptr_null(outcomes[1].row);
            _exit(0);
        }
        int status;
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_msg(status == 0, "%s", cases[i].says);
    }
}

static SweepProgress last_progress;

static void keep_progress(const SweepProgress *progress)
{
    last_progress = *progress;
}

/* At the end all points are over, with all their efforts. */
static void check_progress(const Sweep *sweep, guint n, guint finished)
{
    const guint64 *efforts = sweep_efforts(sweep);
    guint64 sum = 0;
    for (guint i = 0; i < n; i++)
        sum += efforts[i];
    ck_assert_uint_eq(last_progress.n_points, n);
    ck_assert_uint_eq(last_progress.n_before, 1);
    ck_assert_uint_eq(last_progress.n_over, n);
    ck_assert_uint_eq(last_progress.n_failed, 1);
    ck_assert_uint_eq(last_progress.effort, sum);
    ck_assert_uint_eq(last_progress.effort_before, efforts[finished]);
    ck_assert_uint_eq(last_progress.effort_over, sum);
}

/* Points that are finished are not run: their rows stay what they are. Points that fail are not noted. */
TEST(resumed)
{
    g_autoptr(Sweep) sweep = SWEEP("machine=ipsc860", "dimension=1", "algorithm=direct",
                                   "bytes=1,9007199254740992,2,3");
    JournalEntry entries[4] = {{0}};
    Journal *journal = journal_open(test_file, "head", FALSE, entries, 4, NULL);
    ck_assert(journal_add(journal, 2, &(JournalEntry){.row = (char *)"finished", .fault = (char *)""}, NULL));
    journal_close(journal);
    journal = journal_open(test_file, "head", FALSE, entries, 4, NULL);
    JournalEntry outcomes[4];
    memcpy(outcomes, entries, sizeof entries);
    g_autoptr(GArray) points = shard_points(whole, sweep);
    SweepPlan plan = {.jobs = 2, .points = points, .progress = keep_progress};
    ck_assert(sweep_execute(sweep, &plan, journal, outcomes, NULL));
    check_progress(sweep, 4, 2);
    journal_close(journal);
    ck_assert_str_eq(outcomes[2].row, "finished");
    JournalEntry again[4] = {{0}};
    journal = journal_open(test_file, "head", FALSE, again, 4, NULL);
    journal_close(journal);
    for (guint i = 0; i < 4; i++) {
        if (i == 1)
            ck_assert_ptr_null(again[i].row);
        else
            ck_assert_str_eq(again[i].row, outcomes[i].row);
        g_free(outcomes[i].row);
        g_free(outcomes[i].fault);
        g_free(again[i].row);
        g_free(again[i].fault);
    }
}

/* The rows of shards, run for real, are those of the whole, dealt out. */
TEST(shards_run)
{
    g_autoptr(Sweep) sweep = small_sweep();
    g_autofree char *all = run_rows(sweep, whole, 2);
    g_auto(GStrv) lines = g_strsplit(all, "\n", -1);
    for (guint number = 1; number <= 3; number++) {
        Shard shard = {number, 3};
        g_autoptr(GArray) points = shard_points(shard, sweep);
        g_autoptr(GString) expected = g_string_new(NULL);
        for (guint i = 0; i < points->len; i++)
            g_string_append_printf(expected, "%s\n", lines[g_array_index(points, guint, i)]);
        g_autofree char *found = run_rows(sweep, shard, 2);
        ck_assert_str_eq(found, expected->str);
    }
}

/* In the small range one combination has too many points by itself, and is refused before any is planned. */
TEST(too_many)
{
    g_autoptr(GError) error = NULL;
    const char *algorithms = test_upto(0, 1) ? "algorithm=direct" : "algorithm=direct,naive";
    const char *const pairs[] = {"machine=ipsc860", "dimension=2", algorithms, "bytes=0:599999:1", "tau=1,2", NULL};
    ck_assert_ptr_null(make_sweep(pairs, &error));
    ck_assert(strstr(error->message, "allowed: at most 1000000") != NULL);
}

/* A sweep all of whose points are refused is refused itself, in the words for its first point. */
TEST(all_refused)
{
    g_autoptr(GError) error = NULL;
    const char *const pairs[] = {"machine=johnsson1987", "pattern=matmul", "dimension=2", "shape=4x4x4", "algorithm=a1",
                                 "routing=sbt", "accumulate=1,2", NULL};
    ck_assert_ptr_null(make_sweep(pairs, &error));
    ck_assert(strstr(error->message, "'1,2' is given, but the routing sbt does not take it") != NULL);
}

TESTS_IN_FOLDER(sweep, order, order_of_run, fingerprint, fingerprints_stay, points_at_random, fingerprint_of_machine,
                shards_share, shards_balance, shard_of_one, shard_texts, rows, failing_points, system_refuses, resumed,
                shards_run, too_many, all_refused)
