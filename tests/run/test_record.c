/* Reports of hand-made records, and files written whole or not at all. */
#include "sim/run/record.h"
#include "sim/text/csv.h"
#include "tests/support/tests.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

/* --- text --- */

/* The columns of records, as documented: the one place that has all of them. */
#define HEADER                                                                                                         \
    "machine,dimension,processors,pattern,algorithm,partition,accumulate,source,permutation,idle,bytes,element,"       \
    "ports,packet,published_us,contention_free_us,simulated_us,messages,blocked_messages,blocked_us,longest_wait_us,"  \
    "channels_held_us,channels_dead_us,"                                                                               \
    "data_ok,wall_s,overrides,density,seed,sizes,shape,grid,routing,layout,encoding,repeat,overlap,"                   \
    "noncontiguous,offsets,operations,arithmetic_us,peak_elements,proof,peak_bytes,buffer_bytes\n"

static Record record_of(const Machine *machine, const char *algorithm, const char *partition_text)
{
    Phases partition;
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

TEST(header)
{
    g_autofree char *text = record_text(FORMAT_CSV, NULL, 0, "");
    ck_assert_str_eq(text, HEADER);
}

/* Checks the cells of a row of CSV: `expected` is "column=cell|column=cell|...". */
static void check_cells(const Csv *csv, guint row, const char *expected)
{
    g_auto(GStrv) pairs = g_strsplit(expected, "|", -1);
    for (guint i = 0; pairs[i]; i++) {
        g_auto(GStrv) pair = g_strsplit(pairs[i], "=", 2);
        ck_assert_msg(csv_column(csv, pair[0]) >= 0, "no column %s", pair[0]);
        ck_assert_msg(strcmp(csv_named(csv, row, pair[0]), pair[1]) == 0, "row %u, %s: %s", row, pairs[i],
                      csv_named(csv, row, pair[0]));
    }
}

TEST(csv)
{
    Record records[] = {record_of(&plain, "multiphase", "1,2"), contended(&plain), stuck(&odd)};
    char *text = record_text(FORMAT_CSV, records, 3, "tau=0.2 ports=all");
    ck_assert_ptr_nonnull(strstr(text, "\n\"my \"\"own\"\", new\\machine.ini\",3,8,complete-exchange,direct,3,"));
    g_autoptr(Csv) found = csv_take("records", text, NULL);
    ck_assert_uint_eq(found->n_rows, 3);
    check_cells(found, 0, "machine=ipsc860|dimension=3|processors=8|pattern=complete-exchange|algorithm=multiphase|"
                "partition=1,2|accumulate=|source=|permutation=|idle=|bytes=32|element=1|ports=one|packet=|"
                "published_us=1.500000|contention_free_us=2.000001|simulated_us=0.000009|messages=56|"
                "blocked_messages=0|blocked_us=0.000000|longest_wait_us=0.000000|data_ok=true|wall_s=0.250000|"
                "overrides=tau=0.2 ports=all|density=|seed=|sizes=|shape=|grid=|routing=|layout=|encoding=|repeat=|"
                "overlap=|"
                "noncontiguous=|offsets=|operations=|arithmetic_us=|peak_elements=|proof=blocks|peak_bytes=0|"
                "buffer_bytes=0");
    check_cells(found, 1, "algorithm=naive|partition=|published_us=|contention_free_us=2.000001|"
                "simulated_us=5931.200000|messages=56|blocked_messages=23|blocked_us=10761.600000|"
                "longest_wait_us=2374.300000|data_ok=true");
    check_cells(found, 2, "machine=my \"own\", new\\machine.ini|algorithm=direct|published_us=2.625000|"
                "contention_free_us=2.000001|simulated_us=|data_ok=false");
}

/* Checks that the row of JSON has each of the members: `expected` is "name: value|name: value|...". */
static void check_members(const char *row, const char *expected)
{
    g_auto(GStrv) members = g_strsplit(expected, "|", -1);
    for (guint i = 0; members[i]; i++)
        ck_assert_msg(strstr(row, members[i]), "%s is not in %s", members[i], row);
}

TEST(json)
{
    Record records[] = {contended(&plain), stuck(&odd)};
    g_autofree char *text = record_text(FORMAT_JSON, records, 2, "");
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autofree char *names = g_strndup(HEADER, strlen(HEADER) - 1);
    ck_assert_uint_eq(g_strv_length(lines), 5);
    ck_assert_str_eq(lines[0], "[");
    ck_assert_str_eq(lines[3], "]");
    g_auto(GStrv) columns = g_strsplit(names, ",", -1);
    for (guint i = 0; columns[i]; i++) {
        g_autofree char *member = g_strdup_printf("%s\"%s\": ", i ? ", " : "  {", columns[i]);
        ck_assert_msg(strstr(lines[1], member), "%s", member);
    }
    check_members(lines[1],
                  "\"machine\": \"ipsc860\",|\"dimension\": 3,|\"algorithm\": \"naive\",|\"partition\": \"\",|"
                  "\"source\": null,|\"bytes\": 32,|\"ports\": \"one\",|\"published_us\": null,|"
                  "\"contention_free_us\": 2.000001,|\"simulated_us\": 5931.200000,|\"messages\": 56,|"
                  "\"blocked_us\": 10761.600000,|\"data_ok\": true,|\"wall_s\": 0.250000,|\"overrides\": \"\",|"
                  "\"shape\": null,|\"peak_elements\": null,|\"proof\": \"blocks\", \"peak_bytes\": 0, "
                  "\"buffer_bytes\": 0},");
    check_members(lines[2], "\"machine\": \"my \\\"own\\\", new\\\\machine.ini\",|\"partition\": \"3\",|"
                  "\"published_us\": 2.625000,|\"simulated_us\": null,|\"data_ok\": false,|"
                  "\"peak_elements\": null,|\"proof\": null, \"peak_bytes\": null, \"buffer_bytes\": null}");
}

TEST(control_characters)
{
    Record record = record_of(&plain, "direct", "3");
    g_autofree char *json_text = record_text(FORMAT_JSON, &record, 1, "title=a\nb\x01");
    check_members(json_text, "\"overrides\": \"title=a\\u000ab\\u0001\",");
    g_autofree char *csv_text = record_text(FORMAT_CSV, &record, 1, "title=a\nb");
    ck_assert_ptr_nonnull(strstr(csv_text, ",\"title=a\nb\","));
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
    test_refused(asked, *target ? target : "''", says);
    if (*target) {
        ck_assert(!output_write(target, "x\n", &tried));
        test_refused(tried, target, "cannot be written");
    }
}

TEST(unwritable)
{
    g_autofree char *missing = g_build_filename(test_folder, "missing", "out.csv", NULL);
    g_autofree char *below = g_build_filename(test_file, "out.csv", NULL);
    g_autofree char *link = g_build_filename(test_folder, "link", NULL);
    ck_assert_int_eq(symlink("missing/out.csv", link), 0);
    assert_unwritable(missing, "No such file or directory");
    assert_unwritable(link, "No such file or directory");
    g_unlink(link);
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
    test_add(tc, header, csv, json, control_characters, table, largest_time, names_of_formats);
    tcase_add_checked_fixture(tc, test_folder_make, test_folder_remove);
    test_add(tc, writing, full_disk, link_stays, devices, unwritable);
}
