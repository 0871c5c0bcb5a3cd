/* Machine files: those of platforms/, and bad ones. */
#include "tests/support/tests.h"

#include <glib/gstdio.h>

/* --- the machines of platforms/ --- */

TEST(all_load)
{
    g_auto(GStrv) names = machine_names(TEST_PLATFORMS, NULL);
    ck_assert_uint_ge(g_strv_length(names), 4);
    for (guint i = 0; names[i]; i++) {
        g_autoptr(Machine) machine = test_machine(names[i], NULL);
        ck_assert_str_eq(machine->spec, names[i]);
        ck_assert_ptr_nonnull(machine->title);
        ck_assert(i == 0 || strcmp(names[i - 1], names[i]) < 0);
    }
    static const char *const wanted[] = {"bokhari1993", "ipsc1", "ipsc1:first", "ipsc1:second", "ipsc2", "ipsc860",
                                         "ipsc860:unforced", "johnsson1987", "johnsson1987:equal",
                                         "johnsson1987:nport", "ncube2"};
    for (guint i = 0; i < G_N_ELEMENTS(wanted); i++)
        ck_assert(g_strv_contains((const char *const *)names, wanted[i]));
}

static const char *unit_of(const char *key)
{
    const char *unit = machine_key(key)->unit;
    return g_str_has_prefix(unit, "µs") || strcmp(unit, "byte") == 0 ? unit : "-";
}

/* "unit; source ..." stands directly above the key. */
static void assert_documented(GKeyFile *file, const char *path, const char *section, const char *key)
{
    g_autofree char *comment = g_key_file_get_comment(file, section, key, NULL);
    ck_assert_msg(comment != NULL, "%s: [%s] %s has no comment", path, section, key);
    g_autofree char *begin = g_strconcat(unit_of(key), "; ", NULL);
    ck_assert_msg(g_str_has_prefix(g_strstrip(comment), begin), "%s: [%s] %s: '%s' does not begin with '%s'", path,
                  section, key, comment, begin);
    ck_assert_msg(strstr(comment, "paper") != NULL || strstr(comment, "unverified") != NULL,
                  "%s: [%s] %s: '%s' names no source", path, section, key, comment);
}

TEST(all_documented)
{
    GDir *folder = g_dir_open(TEST_PLATFORMS, 0, NULL);
    guint n_keys = 0;
    for (const char *name = g_dir_read_name(folder); name; name = g_dir_read_name(folder)) {
        if (!g_str_has_suffix(name, ".ini"))
            continue;
        g_autofree char *path = g_build_filename(TEST_PLATFORMS, name, NULL);
        g_autoptr(GKeyFile) file = input_load_keyfile(path, NULL);
        ck_assert_msg(file != NULL, "%s", path);
        g_auto(GStrv) sections = g_key_file_get_groups(file, NULL);
        for (guint s = 0; sections[s]; s++) {
            g_auto(GStrv) keys = g_key_file_get_keys(file, sections[s], NULL, NULL);
            for (guint k = 0; keys[k]; k++) {
                if (strcmp(keys[k], "title") == 0)
                    continue;
                assert_documented(file, path, sections[s], keys[k]);
                n_keys++;
            }
        }
    }
    g_dir_close(folder);
    ck_assert_uint_gt(n_keys, 0);
}

/* "MACHINE KEY KEY ...;" for every section of a machine file with values that were not checked, in the file's order. */
static void append_unverified(GString *text, const char *name)
{
    g_autofree char *path = g_strdup_printf("%s/%s.ini", TEST_PLATFORMS, name);
    g_autoptr(GKeyFile) file = input_load_keyfile(path, NULL);
    g_auto(GStrv) sections = g_key_file_get_groups(file, NULL);
    for (guint s = 0; sections[s]; s++) {
        gboolean any = FALSE;
        g_auto(GStrv) keys = g_key_file_get_keys(file, sections[s], NULL, NULL);
        for (guint k = 0; keys[k]; k++) {
            g_autofree char *comment = g_key_file_get_comment(file, sections[s], keys[k], NULL);
            if (strcmp(keys[k], "title") == 0 || !strstr(comment, "unverified"))
                continue;
            if (!any)
                g_string_append_printf(text, "%s [%s]:", name, sections[s]);
            g_string_append_printf(text, " %s", keys[k]);
            any = TRUE;
        }
        g_string_append(text, any ? "\n" : "");
    }
}

/* The table of platforms/README.md says the same: whoever finds a source changes both. */
TEST(unverified)
{
    g_auto(GStrv) names = machine_names(TEST_PLATFORMS, NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; names[i]; i++)
        if (!strchr(names[i], ':'))
            append_unverified(text, names[i]);
    ck_assert_str_eq(text->str,
                     "ipsc1 [machine]: tau rho\n"
                     "ipsc2 [machine]: lambda_short tau_short delta_hop_short lambda delta_hop rho sync "
                     "sync_per_dimension\n"
                     "ipsc860 [profile unforced]: short_limit lambda_short tau_short delta_hop_short lambda tau "
                     "delta_hop lambda_zero\n"
                     "ncube2 [machine]: lambda delta_hop rho\n"
                     "ncube2 [profile dongarra]: lambda tau rho\n"
                     "optical [machine]: lambda tau reconfigure\n"
                     "paragon [machine]: lambda tau delta_hop rho topology\n"
                     "paragon [profile sunmos]: lambda tau\n"
                     "touchstone [machine]: lambda tau delta_hop rho topology\n");
}

/* So `ecube list machines` says it. */
TEST(unverified_titles)
{
    static const char *const names[] = {"ipsc2", "ipsc860:unforced", "ncube2", "ncube2:dongarra", "optical",
                                        "paragon", "paragon:sunmos", "touchstone"};
    g_auto(GStrv) all = machine_names(TEST_PLATFORMS, NULL);
    guint n = 0;
    for (guint i = 0; all[i]; i++) {
        g_autoptr(Machine) machine = test_machine(all[i], NULL);
        if (!strstr(machine->title, "unverified"))
            continue;
        ck_assert_uint_lt(n, G_N_ELEMENTS(names));
        ck_assert_str_eq(machine->spec, names[n]);
        n++;
    }
    ck_assert_uint_eq(n, G_N_ELEMENTS(names));
}

TEST(ipsc860)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    ck_assert_int_eq(machine->terms.lambda_ps, 95000000);
    ck_assert_int_eq(machine->lambda_zero_ps, 82500000);
    ck_assert_int_eq(machine->terms.tau_fs_per_byte, 394000 * MACHINE_FS_PER_PS);
    ck_assert_int_eq(machine->delta_ps, 0);
    ck_assert_int_eq(machine->terms.delta_hop_ps, 10300000);
    ck_assert_int_eq(machine->rho_fs_per_byte, 540000 * MACHINE_FS_PER_PS);
    ck_assert_int_eq(machine->sync_ps, 0);
    ck_assert_int_eq(machine->sync_per_dimension_ps, 150000000);
    ck_assert_int_eq(machine_barrier_ps(machine, 6), 900000000);
    ck_assert_int_eq(machine->short_limit, -1);
    ck_assert_int_eq(machine->packet, 0);
    ck_assert_int_eq(machine->ports, PORTS_ONE);
    ck_assert_int_eq(machine->duplex, DUPLEX_SYNCHRONIZED);
    ck_assert_int_eq(machine->switching, SWITCHING_CIRCUIT);
    ck_assert(machine->pairwise_sync);
    ck_assert(machine->phase_barrier);
    ck_assert_ptr_eq(machine_terms(machine, 0), &machine->terms);
}

/* A profile replaces what it names and keeps the rest. */
TEST(profile)
{
    g_autoptr(Machine) machine = test_machine("ipsc860:unforced", NULL);
    ck_assert_int_eq(machine->terms.lambda_ps, 147000000);
    ck_assert_int_eq(machine->terms.tau_fs_per_byte, 390000 * MACHINE_FS_PER_PS);
    ck_assert_int_eq(machine->terms.delta_hop_ps, 30500000);
    ck_assert_int_eq(machine->short_terms.lambda_ps, 65000000);
    ck_assert_int_eq(machine->short_terms.tau_fs_per_byte, 425000 * MACHINE_FS_PER_PS);
    ck_assert_int_eq(machine->short_terms.delta_hop_ps, 10000000);
    ck_assert(!machine->phase_barrier);
    ck_assert(machine->pairwise_sync);
    ck_assert_int_eq(machine->rho_fs_per_byte, 540000 * MACHINE_FS_PER_PS);
    ck_assert_ptr_eq(machine_terms(machine, 100), &machine->short_terms);
    ck_assert_ptr_eq(machine_terms(machine, 101), &machine->terms);
}

/* Johnsson & Ho 1987, sec. 2: 8, 5 and 1.5 ms, 6 ms for internal packets of the first, 1k byte, 20 %. */
TEST(ipsc1)
{
    static const char *const names[] = {"ipsc1", "ipsc1:first", "ipsc1:second"};
    static const gint64 lambda_us[] = {1500, 8000, 5000};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(Machine) machine = test_machine(names[i], NULL);
        ck_assert_int_eq(machine->terms.lambda_ps, lambda_us[i] * 1000000);
        ck_assert_int_eq(machine->lambda_zero_ps, lambda_us[i] * 1000000);
        ck_assert_int_eq(machine->packet, 1024);
        ck_assert_int_eq(machine->packet_lambda_ps, i == 1 ? 6000000000 : MACHINE_UNSET);
        ck_assert_int_eq(machine->ports_overlap, 20);
        ck_assert(machine->ports == PORTS_ONE && machine->duplex == DUPLEX_HALF);
        ck_assert_int_eq(machine->switching, SWITCHING_STORE_AND_FORWARD);
    }
}

/* Figures 11 to 14: tau/t_c is 1000, or 1; t_c is for 4 bytes. */
TEST(johnsson1987)
{
    g_autoptr(Machine) thousand = test_machine("johnsson1987", NULL), equal = test_machine("johnsson1987:equal", NULL);
    g_autoptr(Machine) nport = test_machine("johnsson1987:nport", NULL);
    ck_assert_int_eq(thousand->terms.lambda_ps, 4 * thousand->terms.tau_fs_per_byte);
    ck_assert_int_eq(equal->terms.lambda_ps, (gint64)machine_bytes_ps(equal->terms.tau_fs_per_byte, 4));
    ck_assert(thousand->duplex == DUPLEX_FULL && thousand->ports == PORTS_ONE && nport->ports == PORTS_ALL);
    ck_assert(thousand->delta_ps == 0 && thousand->terms.delta_hop_ps == 0 && thousand->rho_fs_per_byte == 0);
    ck_assert(thousand->packet == 0 && thousand->short_limit == -1);
}

TEST(overrides)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860:unforced", "tau=0.2", "pairwise_sync=no", "duplex=full",
                                              "ports=all", "packet=1024", "short_limit=none");
    ck_assert_int_eq(machine->terms.tau_fs_per_byte, 200000 * MACHINE_FS_PER_PS);
    ck_assert(!machine->pairwise_sync);
    ck_assert_int_eq(machine->ports, PORTS_ALL);
    ck_assert_int_eq(machine->packet, 1024);
    ck_assert_ptr_eq(machine_terms(machine, 1), &machine->terms);
}

/* A short message's constants are the long one's where they are not given; a zero-byte message is a short one. */
TEST(defaults)
{
    g_autoptr(Machine) plain = test_machine("bokhari1993", NULL);
    ck_assert_int_eq(plain->lambda_zero_ps, 100000000);
    ck_assert_int_eq(plain->terms.delta_hop_ps, 0);
    ck_assert(!plain->pairwise_sync && !plain->phase_barrier);
    g_autoptr(Machine) limit = TEST_MACHINE("bokhari1993", "short_limit=10", "delta_hop=4");
    ck_assert_int_eq(limit->short_terms.lambda_ps, 100000000);
    ck_assert_int_eq(limit->short_terms.tau_fs_per_byte, 2000000 * MACHINE_FS_PER_PS);
    ck_assert_int_eq(limit->short_terms.delta_hop_ps, 4000000);
    ck_assert_int_eq(limit->lambda_zero_ps, 100000000);
    g_autoptr(Machine) shorter = TEST_MACHINE("bokhari1993", "short_limit=10", "lambda_short=30");
    ck_assert_int_eq(shorter->lambda_zero_ps, 30000000);
    const char *const unused[] = {"lambda_short=30", NULL};     /* without short_limit no message is short */
    g_autoptr(Machine) without = test_machine("bokhari1993", unused);
    ck_assert_int_eq(without->lambda_zero_ps, 100000000);
}

/* The three pieces: the limits themselves belong to the pieces below them. */
TEST(three_pieces)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "short_limit=10", "lambda_short=30", "long_limit=1000",
                                              "lambda_long=300", "tau_long=0.5", "delta_hop=4", "delta_hop_long=12");
    ck_assert_ptr_eq(machine_terms(machine, 0), &machine->short_terms);
    ck_assert_ptr_eq(machine_terms(machine, 10), &machine->short_terms);
    ck_assert_ptr_eq(machine_terms(machine, 10.5), &machine->terms);
    ck_assert_ptr_eq(machine_terms(machine, 999), &machine->terms);
    ck_assert_ptr_eq(machine_terms(machine, 1000), &machine->terms);
    ck_assert_ptr_eq(machine_terms(machine, 1001), &machine->long_terms);
    ck_assert_ptr_eq(machine_terms(machine, INFINITY), &machine->long_terms);
    ck_assert_int_eq(machine->long_terms.lambda_ps, 300000000);
    ck_assert_int_eq(machine->long_terms.tau_fs_per_byte, 500000 * MACHINE_FS_PER_PS);
    ck_assert_int_eq(machine->long_terms.delta_hop_ps, 12000000);
    MachinePiece pieces[MACHINE_PIECES_MAX];
    ck_assert_uint_eq(machine_pieces(machine, pieces), 3);
    ck_assert(pieces[0].limit == 10 && pieces[1].limit == 1000 && pieces[2].limit == G_MAXINT64);
    MachineTerms least = machine_least_terms(machine);
    ck_assert(least.lambda_ps == 30000000 && least.tau_fs_per_byte == 500000000 && least.delta_hop_ps == 4000000);

    /* A limit alone changes nothing, and constants of long messages without it nothing either. */
    g_autoptr(Machine) alone = TEST_MACHINE("ipsc860", "long_limit=100"), plain = test_machine("ipsc860", NULL);
    ck_assert_mem_eq(&alone->long_terms, &plain->terms, sizeof plain->terms);
    ck_assert_uint_eq(machine_pieces(alone, pieces), 2);
    g_autoptr(Machine) unused = TEST_MACHINE("ipsc860", "lambda_long=7", "long_limit=none");
    ck_assert_uint_eq(machine_pieces(unused, pieces), 1);
    ck_assert_ptr_eq(machine_terms(unused, 1e9), &unused->terms);
    g_autofree char *before = machine_canonical(plain), *same = machine_canonical(unused);
    g_autofree char *other = machine_canonical(alone);
    ck_assert_str_eq(before, same);
    ck_assert_ptr_nonnull(strstr(other, "long_limit=100;lambda_long=95000000;tau_long=394000;delta_hop_long="));
    g_autoptr(Machine) empty = TEST_MACHINE("bokhari1993", "short_limit=8", "long_limit=8", "tau_long=1");
    ck_assert_ptr_eq(machine_terms(empty, 9), &empty->long_terms);
}

/* Prices per byte below a picosecond: 1.5 ps times 3 bytes is 4.5 ps, rounded up to 5. */
TEST(fine_prices)
{
    g_autoptr(Machine) fine = TEST_MACHINE("bokhari1993", "tau=1.5e-6", "rho=0.0000002");
    ck_assert_int_eq(fine->terms.tau_fs_per_byte, 1500);
    ck_assert_int_eq(fine->rho_fs_per_byte, 200);
    static const struct {
        gint64 fs, bytes, ps;
    } cases[] = {{1500, 0, 0}, {1500, 1, 2}, {1500, 2, 3}, {1500, 3, 5}, {200, 1, 1}, {200, 5, 1}, {200, 6, 2},
                 {200, 1000000, 200000}, {1, INPUT_TIME_MAX_PS, INPUT_TIME_MAX_PS / 1000 + 1},
                 {394000 * MACHINE_FS_PER_PS, 7, 7 * 394000}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_int_eq((gint64)machine_bytes_ps(cases[i].fs, cases[i].bytes), cases[i].ps);
    ck_assert_double_eq(machine_byte_ps(1500), 1.5);
    g_autofree char *text = machine_canonical(fine);
    ck_assert(strstr(text, ";tau=1.500;") && strstr(text, ";rho=0.200;"));
    g_autofree char *value = machine_value_text(machine_key("tau"), 1500);
    ck_assert_str_eq(value, "0.0000015");
    g_autoptr(Machine) whole = test_machine("ipsc860", NULL);
    g_autofree char *former = machine_canonical(whole);
    ck_assert(strstr(former, ";tau=394000;") && strstr(former, ";rho=540000;"));
    g_autoptr(Machine) slowest = TEST_MACHINE("bokhari1993", "tau=9000000000");
    ck_assert_int_eq(slowest->terms.tau_fs_per_byte, (gint64)9000000000000000000);
}

/* Values are shown by the kind of their key. */
TEST(value_texts)
{
    static const struct {
        const char *key;
        gint64 value;
        const char *text;
    } cases[] = {{"pairwise_sync", TRUE, "true"}, {"pairwise_sync", FALSE, "false"}, {"ports", PORTS_ALL, "all"},
                 {"packet", 1024, "1024"}, {"lambda", 1500000, "1.5"}, {"tau", 1500, "0.0000015"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = machine_value_text(machine_key(cases[i].key), cases[i].value);
        ck_assert_str_eq(text, cases[i].text);
    }
}

/* A mesh has flows of up to 256 processors. A cube and a crossbar, and circuits on a mesh, have any number. */
TEST(sizes_of_flows)
{
    static const struct {
        const char *topology, *switching;
        guint n;
        gboolean is_allowed;
    } cases[] = {{"topology=mesh", "switching=fluid", 256, TRUE}, {"topology=mesh", "switching=fluid", 512, FALSE},
                 {"topology=cube", "switching=fluid", 512, TRUE}, {"topology=mesh", "switching=circuit", 512, TRUE},
                 {"topology=crossbar", "switching=fluid", 512, TRUE}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", cases[i].topology, cases[i].switching);
        ck_assert_int_eq(machine_check_size(machine, cases[i].n, NULL), cases[i].is_allowed);
    }
}

TEST(keys)
{
    ck_assert(machine_may_override("sync_per_dimension"));
    ck_assert(!machine_may_override("Tau") && !machine_may_override("") && !machine_may_override("title"));
    ck_assert(machine_check_key("--set tau", "tau", "0.2", NULL));
    g_autoptr(GError) error = NULL;
    ck_assert(!machine_check_key("--set tau", "tau", "fast", &error));
    ck_assert(g_str_has_prefix(error->message, "--set tau: 'fast' is not allowed"));
    for (const MachineKey *key = machine_keys; key->name; key++)
        ck_assert(machine_key(key->name) == key && *key->help && *key->unit);
}

/* --- a user's own file --- */

/* Refused with one line that names the file and has all the `parts` (NULL-terminated). */
static void assert_refused(const char *spec, const char *const *parts)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(Machine) machine = machine_load(TEST_PLATFORMS, "--machine", spec, &error);
    ck_assert_ptr_null(machine);
    ck_assert_ptr_nonnull(strstr(error->message, test_file));
    for (guint i = 0; parts[i]; i++)
        test_refused(error, "", parts[i]);
}

#define REFUSED(...) assert_refused(test_file, (const char *const[]){__VA_ARGS__, NULL})

TEST(own_file)
{
    test_file_write("[machine]\nlambda = 5 \ntau=0.5\r\n# a profile\n[profile fast one]\ntau = 0.25\n", -1);
    g_autoptr(Machine) machine = machine_load("no/such/folder", "--machine", test_file, NULL);
    ck_assert_ptr_nonnull(machine);
    ck_assert_int_eq(machine->terms.lambda_ps, 5000000);
    ck_assert_int_eq(machine->terms.tau_fs_per_byte, 500000 * MACHINE_FS_PER_PS);
    g_autofree char *spec = g_strconcat(test_file, ":fast one", NULL);
    g_autoptr(Machine) fast = machine_load(TEST_PLATFORMS, "--machine", spec, NULL);
    ck_assert_ptr_nonnull(fast);
    ck_assert_int_eq(fast->terms.tau_fs_per_byte, 250000 * MACHINE_FS_PER_PS);
    g_autofree char *slow = g_strconcat(test_file, ":slow", NULL);
    assert_refused(slow, (const char *const[]){"no profile 'slow'", "fast one", NULL});
}

/* The exchanges that constants were fitted to: one dimension and one size are a span as well. */
TEST(spans)
{
    test_file_write("[machine]\nlambda = 1\ntau = 1\nmeasured = d 3-3, 8-8 bytes\n", -1);
    g_autoptr(Machine) machine = machine_load(TEST_PLATFORMS, "--machine", test_file, NULL);
    ck_assert_ptr_nonnull(machine);
    MachineSpan span;
    ck_assert(machine_span(machine, &span));
    ck_assert(span.from_dimension == 3 && span.to_dimension == 3 && span.from_bytes == 8 && span.to_bytes == 8);
    static const char *const refused[] = {"d 4-3, 8-9 bytes", "d 3-4, 9-8 bytes", "d 3-4, -1-8 bytes",
                                          "d 3-4, 8-9 bytes.", "d 3-4, 8-9 byte"};
    for (guint i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autofree char *text = g_strdup_printf("[machine]\nlambda = 1\ntau = 1\nmeasured = %s\n", refused[i]);
        test_file_write(text, -1);
        REFUSED(refused[i], "allowed: as 'd 2-6, 8-65536 bytes'");
    }
}

/* Half duplex is about one port, and flows know neither it nor synchronized duplex. */
TEST(duplex)
{
    static const char *const refused[][2] = {
        {"duplex = half\nports = all", "duplex = half requires ports = one; it is all"},
        {"duplex = half\nswitching = fluid",
         "duplex = half requires switching = circuit or store-and-forward; it is fluid"},
        {"duplex = synchronized\nports = all", "duplex = synchronized requires ports = one; it is all"},
        {"duplex = synchronized\nswitching = fluid",
         "duplex = synchronized requires switching = circuit; it is fluid"},
        {"duplex = synchronized\nswitching = store-and-forward",
         "duplex = synchronized requires switching = circuit; it is store-and-forward"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autofree char *text = g_strdup_printf("[machine]\nlambda = 1\ntau = 1\n%s\n", refused[i][0]);
        test_file_write(text, -1);
        REFUSED(refused[i][1]);
    }
    test_file_write("[machine]\nlambda = 1\ntau = 1\nduplex = half\nswitching = store-and-forward\n", -1);
    g_autoptr(Machine) machine = machine_load(TEST_PLATFORMS, "--machine", test_file, NULL);
    ck_assert_ptr_nonnull(machine);
}

/* Texts of no machine, and all that is said of each. */
static const struct {
    const char *text, *says[4];
} bad_files[] = {
    {"[machine]\nlambda = 5\ntua = 2\n", {"[machine]: unknown key 'tua'; did you mean 'tau'? (`ecube list keys`)"}},
    {"[machine]\nlambda = 5\nwarp_speed = 2\n", {"[machine]: unknown key 'warp_speed'; `ecube list keys` lists all"}},
    {"[machine]\nlambda = 5\ntau[de] = 2\n", {"unknown key 'tau[de]'"}},
    {"[machin]\nlambda = 5\ntau = 2\n", {"unknown section 'machin'", "[machine]"}},
    {"[machine]\nlambda = 5\ntau = 2\n[run]\nbytes = 3\n", {"unknown section 'run'"}},
    {"[machine]\nlambda = 5\ntau = 2\nlambda = 6\n", {"line 4: key 'lambda' of [machine] stands on line 2 already"}},
    {"[machine]\nlambda = 5\n[profile a]\ntau = 1\n[profile a]\n", {"line 5: [profile a] stands on line 3 already"}},
    {"[profile x]\nlambda = 5\ntau = 2\n", {"has no section [machine]"}},
    {"[machine]\ntau = 2\n", {"lambda", "is missing"}},
    {"[machine]\nlambda = 2\n", {"tau", "is missing"}},
    {"[machine]\n", {"lambda", "is missing"}},
    {" \n\t\n", {"is empty"}},
    {"# nothing but a comment\n", {"has no section [machine]"}},
    {"[machine]\ntitle = \xff\xfe\nlambda = 1\ntau = 2\n", {"is not a text file"}},
    {"lambda = 1\ntau = 2\n", {"allowed: [SECTION]"}},
    {"[machine\nlambda = 1\n", {"allowed: [SECTION]"}},
    {"[machine]\nlambda\n", {"allowed: [SECTION]"}},
};

TEST_LOOP(bad_file, 0, G_N_ELEMENTS(bad_files))
{
    test_file_write(bad_files[_i].text, -1);
    assert_refused(test_file, bad_files[_i].says);
}

static const char *const bad_values[][2] = {
    {"tau", "-2"},         {"tau", "-0.001"},     {"tau", "nan"},         {"tau", "inf"},
    {"tau", "-inf"},       {"tau", "1e999"},      {"tau", "0x10"},        {"tau", "two"},
    {"tau", "2 # µs/byte"}, {"tau", "2,5"},       {"tau", ""},            {"tau", "1e10"},
    {"sync", "1e300"},     {"packet", "0"},       {"packet", "1.5"},      {"packet", "none"},
    {"short_limit", "-1"}, {"tau", "+2"},       {"tau", "002"},
    {"short_limit", "0x8"}, {"ports", "two"},      {"ports", "One"},
    {"ports", ""},         {"switching", "warp"}, {"duplex", "triple"},   {"pairwise_sync", "maybe"},
    {"phase_barrier", ""}, {"packet", "9007199254740993"},
};

TEST_LOOP(values, 0, G_N_ELEMENTS(bad_values))
{
    const char *key = bad_values[_i][0], *value = bad_values[_i][1];
    g_autofree char *text = g_strdup_printf("[machine]\nlambda = 1\n%s = %s\n", key, value);
    test_file_write(text, -1);
    g_autofree char *where = g_strdup_printf("%s: [machine] %s: '", test_file, key);
    g_autofree char *ascii = g_strescape(value, NULL);
    REFUSED(where, "is not allowed; allowed: ");
    if (strcmp(ascii, value) == 0) {
        g_autofree char *quoted = g_strdup_printf("'%s'", value);
        REFUSED(quoted);
    }
}

TEST(pieces_in_order)
{
    test_file_write("[machine]\nlambda = 1\ntau = 2\nshort_limit = 10\nlong_limit = 9\n", -1);
    REFUSED("long_limit: '9' is below short_limit; allowed: 10 (short_limit) or more, or none");
    test_file_write("[machine]\nlambda = 3\ntau = 2\nlong_limit = 9\nlambda_long = 1\ngap = 2\n", -1);
    REFUSED("gap: '2.000000' is longer than a start-up; allowed: 0 to 1.000000");
}

TEST(not_a_text_file)
{
    test_file_write("", 0);
    REFUSED("is empty");
    test_file_write("[machine]\nlambda = 1\0\ntau = 2\n", 30);
    REFUSED("is not a text file");
}

TEST(too_large)
{
    g_autofree char *comment = g_strnfill(INPUT_FILE_MAX, '#');
    g_autofree char *text = g_strconcat("[machine]\nlambda = 1\ntau = 2\n", comment, NULL);
    test_file_write(text, -1);
    REFUSED("is too large", "1 MiB");
    test_file_write(text, INPUT_FILE_MAX);
    g_autoptr(Machine) machine = machine_load(TEST_PLATFORMS, "--machine", test_file, NULL);
    ck_assert_ptr_nonnull(machine);
    gsize length;
    g_autofree char *wide = g_convert(text, -1, "UTF-16", "UTF-8", NULL, &length, NULL);
    test_file_write(wide, (gssize)length);
    REFUSED("is too large", "1 MiB");
}

TEST(not_a_file)
{
    REFUSED("cannot be read", "No such file");
    ck_assert_int_eq(g_mkdir(test_file, 0755), 0);
    REFUSED("cannot be read", "Is a directory");
    g_rmdir(test_file);
}

TEST(unknown_machine)
{
    static const char *const cases[][2] = {
        {"ipsc806", "did you mean 'ipsc860'?"},
        {"ncube", "did you mean 'ncube2'?"},
        {"", "allowed: bokhari1993"},
        {"cray", "allowed: bokhari1993"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        ck_assert_ptr_null(machine_load(TEST_PLATFORMS, "--machine", cases[i][0], &error));
        ck_assert(g_str_has_prefix(error->message, "--machine: '"));
        ck_assert_msg(strstr(error->message, cases[i][1]) != NULL, "%s", error->message);
    }
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(machine_names("no/such/folder", &error));
    ck_assert(g_str_has_prefix(error->message, "no/such/folder: "));
}

void suite_machine(TCase *tc)
{
    test_add(tc, all_load, all_documented, unverified, unverified_titles, ipsc860, profile, ipsc1, johnsson1987,
                 overrides, defaults, three_pieces, fine_prices, value_texts, sizes_of_flows, keys, unknown_machine);
    tcase_add_checked_fixture(tc, test_folder_make, test_folder_remove);
    test_add(tc, own_file, spans, duplex, pieces_in_order, bad_file, values, not_a_text_file, too_large, not_a_file);
}
