/* Reports of hand-made records, and files written whole or not at all. */
#include "sim/run/record.h"
#include "tests/support/tests.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

/* --- text --- */

#define HEADER                                                                                                         \
    "machine,dimension,processors,pattern,algorithm,partition,accumulate,source,permutation,idle,bytes,element,"       \
    "ports,packet,published_us,contention_free_us,simulated_us,messages,blocked_messages,blocked_us,longest_wait_us,"  \
    "data_ok,wall_s,overrides,density,seed,shape,grid,routing,layout,repeat,overlap,gather,offsets,operations,"       \
    "arithmetic_us,peak_elements\n"
#define NO_MATRICES ",,,,,,,,,,,,,"
#define NO_MATRICES_JSON                                                                                               \
    ", \"density\": null, \"seed\": null, \"shape\": null, \"grid\": null, \"routing\": null, "                     \
    "\"layout\": null, \"repeat\": null, \"overlap\": null, \"gather\": null, \"offsets\": null, "                    \
    "\"operations\": null, \"arithmetic_us\": null, \"peak_elements\": null}"

static Record record_of(const Machine *machine, const char *algorithm, const char *partition_text)
{
    Partition partition;
    ck_assert(partition_parse("", partition_text, 3, &partition, NULL));
    return (Record){
        .run = {machine, test_exchange(algorithm, 3, &partition, 32), 1, NULL},
        .result = {.contention_free_ps = 2000001, .simulated_ps = 9,
                   .finished = TRUE, .data_ok = TRUE, .wall_s = 0.25, .network = {.messages = 56}},
    };
}

static Record contended(const Machine *machine)
{
    Record record = record_of(machine, "naive", "3");
    record.result.simulated_ps = 5931200000;
    record.result.network = (NetworkStats){.messages = 56, .blocked = 23, .blocked_ps = 10761600000,
                                           .longest_ps = 2374300000};
    return record;
}

/* Its simulation never ended. */
static Record stuck(const Machine *machine)
{
    Record record = record_of(machine, "direct", "3");
    record.result.finished = record.result.data_ok = FALSE;
    return record;
}

/* Published times are those of their start-ups: four of multiphase 1,2, seven of direct. */
#define TERMS .terms.lambda_ps = 375000, .short_terms.lambda_ps = 375000
static const Machine plain = {TERMS, .spec = (char *)"ipsc860"};
static const Machine odd = {TERMS, .spec = (char *)"my \"own\", new\\machine.ini", .title = (char *)"line"};

TEST(csv)
{
    Record records[] = {record_of(&plain, "multiphase", "1,2"), contended(&plain), stuck(&odd)};
    g_autofree char *text = record_text(FORMAT_CSV, records, 3, "tau=0.2 ports=all");
    ck_assert_str_eq(text,
                     HEADER
                     "ipsc860,3,8,complete-exchange,multiphase,\"1,2\",,,,,32,1,one,,1.500000,2.000001,0.000009,56,0,"
                     "0.000000,"
                     "0.000000,true,0.250000,tau=0.2 ports=all" NO_MATRICES "\n"
                     "ipsc860,3,8,complete-exchange,naive,,,,,,32,1,one,,,2.000001,5931.200000,56,23,10761.600000,"
                     "2374.300000,true,0.250000,tau=0.2 ports=all" NO_MATRICES "\n"
                     "\"my \"\"own\"\", new\\machine.ini\",3,8,complete-exchange,direct,3,,,,,32,1,one,,2.625000,"
                     "2.000001,,56,0,"
                     "0.000000,0.000000,false,0.250000,tau=0.2 ports=all" NO_MATRICES "\n");
}

TEST(json)
{
    Record records[] = {contended(&plain), stuck(&odd)};
    g_autofree char *text = record_text(FORMAT_JSON, records, 2, "");
    ck_assert_str_eq(text,
                     "[\n"
                     "  {\"machine\": \"ipsc860\", \"dimension\": 3, \"processors\": 8, "
                     "\"pattern\": \"complete-exchange\", \"algorithm\": \"naive\", \"partition\": \"\", "
                     "\"accumulate\": null, \"source\": null, \"permutation\": null, \"idle\": null, \"bytes\": 32, "
                     "\"element\": 1, "
                     "\"ports\": \"one\", \"packet\": null, \"published_us\": null, \"contention_free_us\": 2.000001, "
                     "\"simulated_us\": 5931.200000, \"messages\": 56, \"blocked_messages\": 23, "
                     "\"blocked_us\": 10761.600000, \"longest_wait_us\": 2374.300000, \"data_ok\": true, "
                     "\"wall_s\": 0.250000, \"overrides\": \"\"" NO_MATRICES_JSON ",\n"
                     "  {\"machine\": \"my \\\"own\\\", new\\\\machine.ini\", \"dimension\": 3, \"processors\": 8, "
                     "\"pattern\": \"complete-exchange\", \"algorithm\": \"direct\", \"partition\": \"3\", "
                     "\"accumulate\": null, \"source\": null, \"permutation\": null, \"idle\": null, \"bytes\": 32, "
                     "\"element\": 1, "
                     "\"ports\": \"one\", \"packet\": null, \"published_us\": 2.625000, "
                     "\"contention_free_us\": 2.000001, "
                     "\"simulated_us\": null, \"messages\": 56, \"blocked_messages\": 0, "
                     "\"blocked_us\": 0.000000, \"longest_wait_us\": 0.000000, \"data_ok\": false, "
                     "\"wall_s\": 0.250000, \"overrides\": \"\"" NO_MATRICES_JSON "\n"
                     "]\n");
}

TEST(control_characters)
{
    Record record = record_of(&plain, "direct", "3");
    g_autofree char *json_text = record_text(FORMAT_JSON, &record, 1, "title=a\nb\x01");
    ck_assert_ptr_nonnull(strstr(json_text, "\"overrides\": \"title=a\\u000ab\\u0001\"" NO_MATRICES_JSON "\n"));
    g_autofree char *csv_text = record_text(FORMAT_CSV, &record, 1, "title=a\nb");
    ck_assert(g_str_has_suffix(csv_text, ",\"title=a\nb\"" NO_MATRICES "\n"));
}

TEST(table)
{
    Record records[] = {record_of(&odd, "multiphase", "1,2"), contended(&odd), stuck(&odd)};
    g_autofree char *text = record_text(FORMAT_TABLE, records, 3, "tau=0.2");
    ck_assert_str_eq(
        text,
        "Complete exchange on my \"own\", new\\machine.ini (line), d = 3: 8 processors. Times in µs.\n"
        "With tau=0.2.\n"
        "\n"
        "algorithm   partition  bytes  published  contention-free  simulated  messages  blocked    waiting  "
        "longest wait   data\n"
        "multiphase  1,2           32      1.500            2.000     <0.001        56        0          0  "
        "           0     ok\n"
        "naive       -             32          -            2.000   5931.200        56       23  10761.600  "
        "    2374.300     ok\n"
        "direct      3             32      2.625            2.000          -        56        0          0  "
        "           0  WRONG\n");
}

/* Six decimals up to the last time that can be counted. */
TEST(largest_time)
{
    Record record = record_of(&plain, "direct", "3");
    record.result.simulated_ps = INPUT_TIME_MAX_PS - 1;
    g_autofree char *text = record_text(FORMAT_CSV, &record, 1, "");
    ck_assert_ptr_nonnull(strstr(text, ",9007199254.740991,"));
}

TEST(names_of_formats)
{
    ck_assert_str_eq(table_format_names[FORMAT_TABLE], "table");
    ck_assert_str_eq(table_format_names[FORMAT_CSV], "csv");
    ck_assert_str_eq(table_format_names[FORMAT_JSON], "json");
    ck_assert_ptr_null(table_format_names[FORMAT_JSON + 1]);
}

/* --- files --- */

static void assert_file(const char *expected)
{
    g_autofree char *found = NULL;
    ck_assert(g_file_get_contents(test_file, &found, NULL, NULL));
    ck_assert_str_eq(found, expected);
}

static void assert_entries(guint expected)
{
    GDir *entries = g_dir_open(test_folder, 0, NULL);
    guint n = 0;
    while (g_dir_read_name(entries))
        n++;
    g_dir_close(entries);
    ck_assert_uint_eq(n, expected);
}

TEST(writing)
{
    ck_assert(output_check_path(test_file, NULL));
    assert_entries(0);                  /* asking leaves nothing behind */
    ck_assert(output_write(test_file, "one\n", NULL));
    assert_file("one\n");
    ck_assert(output_check_path(test_file, NULL));
    ck_assert(output_write(test_file, "2\n", NULL));
    assert_file("2\n");
    assert_entries(1);
}

/* The file may not grow beyond 16 bytes, as if the disk were full: the old one stays, and nothing beside it. */
TEST(full_disk)
{
    g_autofree char *text = g_strnfill(100000, 'x');
    ck_assert(output_write(test_file, "old\n", NULL));
    struct rlimit before, tight;
    getrlimit(RLIMIT_FSIZE, &before);
    tight = (struct rlimit){16, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tight);
    g_autoptr(GError) error = NULL;
    gboolean ok = output_write(test_file, text, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    ck_assert(!ok);
    test_refused(error, test_file, "cannot be written");
    assert_file("old\n");
    assert_entries(1);
}

TEST(link_stays)
{
    g_autofree char *link = g_build_filename(test_folder, "link", NULL);
    ck_assert(output_write(test_file, "old\n", NULL));
    ck_assert_int_eq(symlink("file", link), 0);
    ck_assert(output_write(link, "new\n", NULL));
    ck_assert(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    assert_file("new\n");
    g_unlink(link);
}

TEST(devices)
{
    ck_assert(output_check_path("/dev/null", NULL));
    ck_assert(output_write("/dev/null", "x\n", NULL));
    g_autoptr(GError) error = NULL;
    ck_assert(!output_write("/dev/full", "x\n", &error));
    test_refused(error, "/dev/full", "No space left on device");
}

/* Both the question and the attempt are refused. */
static void assert_unwritable(const char *target, const char *says)
{
    g_autoptr(GError) asked = NULL, tried = NULL;
    ck_assert(!output_check_path(target, &asked));
    test_refused(asked, *target ? target : "--output ''", says);
    if (*target) {
        ck_assert(!output_write(target, "x\n", &tried));
        test_refused(tried, target, "cannot be written");
    }
}

TEST(unwritable)
{
    g_autofree char *missing = g_build_filename(test_folder, "missing", "out.csv", NULL);
    g_autofree char *below = g_build_filename(test_file, "out.csv", NULL);
    assert_unwritable(missing, "No such file or directory");
    assert_unwritable(test_folder, "Is a directory");
    assert_unwritable("", "No such file or directory");
    ck_assert(output_write(test_file, "a file\n", NULL));
    assert_unwritable(below, "Not a directory");
    if (geteuid() != 0) {       /* nothing is forbidden to root */
        g_chmod(test_folder, 0555);
        assert_unwritable(test_file, "Permission denied");
        g_chmod(test_folder, 0755);
    }
    assert_file("a file\n");
    assert_entries(1);
}

void suite_record(TCase *tc)
{
    test_add(tc, csv, json, control_characters, table, largest_time, names_of_formats);
    tcase_add_checked_fixture(tc, test_folder_make, test_folder_remove);
    test_add(tc, writing, full_disk, link_stays, devices, unwritable);
}
