/* libecube: its lists are walked, its times are those of the simulator's schedules, its files are read. */
#include "sim/cube/offset_list.h"
#include "sim/lib/ecube.h"
#include "tests/support/tests.h"

static ecube_list *list_of(guint n, const char *text)
{
    ecube_list *list;
    ck_assert_msg(ecube_list_parse(n, text, &list) == ECUBE_OK, "%s", ecube_error());
    return list;
}

static ecube *loaded_of(const char *text)
{
    ecube *loaded;
    test_file_write(text, (gssize)strlen(text));
    ck_assert_msg(ecube_load(test_file, &loaded) == ECUBE_OK, "%s", ecube_error());
    return loaded;
}

/* All processes go through the list: block g of x is that for x + g at first, and that of x - g at last. */
static void check_walk(guint n, const ecube_list *list)
{
    g_autofree guint *held = g_new(guint, n * n), *next = g_new(guint, n * n);
    for (guint x = 0; x < n; x++)
        for (guint g = 0; g < n; g++)
            held[x * n + g] = x * n + ecube_list_to(list, x, g);
    for (guint i = 0; i < ecube_list_steps(list); i++) {
        memcpy(next, held, n * n * sizeof *held);
        for (guint x = 0; x < n; x++) {
            ecube_step step, theirs;
            ck_assert_int_eq(ecube_list_step(list, x, i, &step), ECUBE_OK);
            ecube_list_step(list, step.to, i, &theirs);
            ck_assert(theirs.from == x && theirs.n_blocks == step.n_blocks && step.n_blocks > 0);
            for (guint j = 0; j < step.n_blocks; j++)
                next[step.to * n + step.blocks[j]] = held[x * n + step.blocks[j]];
        }
        memcpy(held, next, n * n * sizeof *held);
    }
    for (guint x = 0; x < n; x++)
        for (guint g = 0; g < n; g++)
            ck_assert_uint_eq(held[x * n + g], ecube_list_from(list, x, g) * n + x);
}

static const struct {
    guint n;
    const char *text;
    guint steps, traffic;
} lists[] = {
    {16, "xor 1,2,4,8,15", 5, 25},  {16, "partition 2,2", 6, 24}, {16, "partition 1,1,2", 5, 28},
    {16, "direct", 15, 15},         {12, "modulo 5,8,10,11", 4, 19}, {12, "radices 2,2,3", 4, 20},
    {12, "direct", 11, 11},         {12, "radices 12", 11, 11},   {12, "4x3 1,2,3,6,9", 5, 17},
    {2, "direct", 1, 1},            {2, "modulo 1", 1, 1},        {7, "radices 2,2,2", 3, 9},
    {8, "2x4 1,2,3,4", 4, 10},      {8, "2x2x2 1,2,4", 3, 12},    {5, "modulo 1,1,1,1", 4, 10},
};

TEST_LOOP(walks, 0, G_N_ELEMENTS(lists))
{
    ecube_list *list = list_of(lists[_i].n, lists[_i].text);
    guint traffic = 0;
    ck_assert_str_eq(ecube_list_text(list), lists[_i].text);
    ck_assert_uint_eq(ecube_list_steps(list), lists[_i].steps);
    for (guint i = 0; i < ecube_list_steps(list); i++) {
        ecube_step step;
        ecube_list_step(list, 0, i, &step);
        traffic += step.n_blocks;
    }
    ck_assert_uint_eq(traffic, lists[_i].traffic);
    check_walk(lists[_i].n, list);
    ck_assert(isnan(ecube_list_time(list)) && isnan(ecube_list_bound(list)));
    ck_assert_int_eq(ecube_list_step(list, lists[_i].n, 0, &(ecube_step){0}), ECUBE_BAD_INPUT);
    ck_assert_int_eq(ecube_list_step(list, 0, lists[_i].steps, &(ecube_step){0}), ECUBE_BAD_INPUT);
    ecube_list_free(list);
}

/* A step that no cover needs is left out. */
TEST(needless_steps)
{
    ecube_list *list = list_of(4, "xor 1,1,2,2");
    ck_assert_uint_eq(ecube_list_steps(list), 2);
    check_walk(4, list);
    ecube_list_free(list);
}

static const struct {
    guint n;
    const char *text;
} bad_lists[] = {
    {12, "xor 1,2,4,8"}, {12, "partition 2,2"}, {16, "partition 2,3"}, {16, "partition 2,1"},   {12, "radices 2,2"},
    {12, "radices 2,6,2"}, {12, "4x4 1,2"},     {12, "modulo 2,4,8"},  {12, "modulo 1,2,4,12"}, {12, "radices 2,2,3,2"},
    {1, "modulo 1"},   {12, "modulo 0,1"},  {12, "modulo -1"},     {12, "modulo"},          {12, "direct 1"},
    {12, "3,3"},           {12, ""},            {12, "4x3x 1,3"},      {12, "x12 1"},           {1, "direct"},
    {12, "radices 1,12"},  {12, "xor"},         {270000, "direct"},     {16, "xor 1,2,4"},       {12, "modulo 1+2,4"},
    {12, "modulo 99999999999999999999"},        {12, "12x1 1"},        {12, "4294967308 1"},
    {12, "2x4 1,2,3,4"},   {4, "2x4 1,2,3,4"},
};

TEST_LOOP(refuses_lists, 0, G_N_ELEMENTS(bad_lists))
{
    ecube_list *list;
    ck_assert_int_eq(ecube_list_parse(bad_lists[_i].n, bad_lists[_i].text, &list), ECUBE_BAD_INPUT);
    ck_assert(!list && strstr(ecube_error(), "; allowed: "));
}

/* --- machines --- */

/* The time of the list as the simulator's schedule takes it. */
static double simulators_us(const Machine *machine, const Group *group, const ecube_list *list, gint64 bytes)
{
    Problem problem = problem_new(algorithm_find("", pattern_default(), FALSE, "offsets", NULL), group->dimension);
    g_autoptr(GString) offsets = g_string_new(NULL);
    for (guint i = 0; i < ecube_list_steps(list); i++) {
        ecube_step step;
        ecube_list_step(list, 0, i, &step);
        g_string_append_printf(offsets, "%s%u", i ? "," : "", step.to);
    }
    problem.group = group;
    problem.data = division_whole(bytes);
    problem.offsets = offsets->str;
    problem.gathering = (Gathering){.how = machine->gather_fs_per_byte ? GATHER_COPY : GATHER_FREE};
    return (double)test_price(&problem, machine).time_ps / 1e6;
}

#define MACHINE "[machine]\ntitle = a, b\nlambda = 100\ntau = 2\ndelta = 10\n"

static const struct {
    const char *more;
    guint n;
} machines[] = {
    {"topology = crossbar\nrho = 1\n", 12},
    {"topology = crossbar\n delta_hop=7.5\n", 7},
    {"delta_hop = 7.5\n", 16},
    {"delta_hop = 7.5\nshort_limit = 100\nlambda_short = 40\ntau_short=3\ncopy = 0.5\n", 32},
    {"short_limit = 100\nlambda_short = 40\nlong_limit = 2000\nlambda_long = 400\ntau_long = 0.5\n"
     "topology = crossbar\n", 12},
    {"delta_hop = 7.5\nshort_limit = 100\ndelta_hop_short = 2\npairwise_sync = true\nduplex = synchronized\n"
     "phase_barrier = true\nsync = 11\nsync_per_dimension = 3\nlambda_zero = 17\n", 16},
};

/* Whatever the size, the time of the list that is said to be the best is that of the simulator's schedule. It is not
 * below the bound, nor above those of Direct and of the best list for another size. */
TEST_LOOP(takes_as_long_as_schedules, 0, G_N_ELEMENTS(machines))
{
    g_autofree char *text = g_strdup_printf(MACHINE "%s", machines[_i].more);
    g_autoptr(Machine) machine = machine_parse("FILE", text, NULL);
    ecube *loaded = loaded_of(text);
    guint n = machines[_i].n;
    const Group *group = n & (n - 1) ? group_cyclic(n) : group_of_cube(g_bit_storage(n) - 1);
    ecube_list *list, *direct = list_of(n, "direct"), *other = list_of(n, "direct");
    for (gint64 bytes = 1; bytes <= 1000; bytes = 3 * bytes + 1) {
        ck_assert_int_eq(ecube_best(loaded, n, (gsize)bytes, &list), ECUBE_OK);
        check_walk(n, list);
        double us = simulators_us(machine, group, list, bytes);
        ck_assert_double_eq_tol(ecube_list_time(list), us, 1e-6);
        ck_assert_double_ge(us, ecube_list_bound(list) - 1e-6);
        ck_assert_double_le(us, simulators_us(machine, group, direct, bytes) + 1e-6);
        ck_assert_double_le(us, simulators_us(machine, group, other, bytes) + 1e-6);
        ecube_list_free(other);
        other = list;
    }
    ecube_list_free(other);
    ecube_list_free(direct);
    ecube_free(loaded);
}

/* models/PROCESSORS.md, models/OFFSETS.md: 4 x 110 + 19 x 28 µs; what `ecube best --family offsets` says. */
TEST(best_lists)
{
    ecube_list *list;
    ecube *crossbar = loaded_of(MACHINE "topology = crossbar\n"), *cube = loaded_of(MACHINE);
    ck_assert_int_eq(ecube_best(crossbar, 12, 14, &list), ECUBE_OK);
    ck_assert(ecube_list_time(list) == 972 && ecube_list_bound(list) == 972);
    ecube_list_free(list);
    ck_assert_int_eq(ecube_best(crossbar, 12, 100000, &list), ECUBE_OK);
    ck_assert_str_eq(ecube_list_text(list), "direct");
    ecube_list_free(list);
    ck_assert_int_eq(ecube_best(cube, 64, 40, &list), ECUBE_OK);
    ck_assert(ecube_list_time(list) == 10470 && ecube_list_bound(list) == 10410);
    ecube_list_free(list);
    ck_assert_int_eq(ecube_best(cube, 64, 100000, &list), ECUBE_OK);
    ck_assert_str_eq(ecube_list_text(list), "partition 6");
    ecube_list_free(list);
    ck_assert_int_eq(ecube_best(cube, 12, 40, &list), ECUBE_BAD_INPUT);
    ck_assert(!list && strstr(ecube_error(), "power of two"));
    ck_assert_int_eq(ecube_best(cube, 1, 40, &list), ECUBE_BAD_INPUT);
    ck_assert_str_eq(ecube_error(), "1 processes: is not allowed; allowed: 2 to 262144");
    ck_assert_int_eq(ecube_best(cube, 16, 0, &list), ECUBE_OK);
    ck_assert(ecube_list_time(list) == 440);
    ecube_list_free(list);
    ecube_free(crossbar);
    ecube_free(cube);
}

/* Every number of processes, known or not, has a best list, which delivers. */
TEST(any_number)
{
    ecube_list *list;
    ecube *loaded = loaded_of(MACHINE "topology = crossbar\n");
    for (guint n = 2; n <= 140; n += n < 40 ? 1 : 9) {
        ck_assert_int_eq(ecube_best(loaded, n, 8, &list), ECUBE_OK);
        check_walk(n, list);
        ecube_list_free(list);
    }
    ecube_free(loaded);
}

/* --- rules --- */

TEST(rules)
{
    static const char text[] = "# some rules\r\n[alltoall 12]\n\n100=modulo 5,8,10,11 \n 8 = radices 2,2,3\n"
                               "500 = library\n[alltoall 4]\n1 = xor 1,2";
    static const struct {
        guint n;
        gsize bytes;
        const char *list;
        gsize from, to;
    } asked[] = {{12, 7, "library", 0, 7},  {12, 8, "radices 2,2,3", 8, 99}, {12, 99, "radices 2,2,3", 8, 99},
                 {12, 100, "modulo 5,8,10,11", 100, 499}, {12, 500, "library", 500, SIZE_MAX}, {12, 0, "library", 0, 7},
                 {4, 1, "xor 1,2", 1, SIZE_MAX}, {4, SIZE_MAX, "xor 1,2", 1, SIZE_MAX},
                 {5, 8, "library", 0, SIZE_MAX}};
    ecube *loaded = loaded_of(text);
    for (guint i = 0; i < G_N_ELEMENTS(asked); i++) {
        ecube_list *list;
        size_t from, to;
        gboolean library = g_str_equal(asked[i].list, "library");
        ck_assert_int_eq(ecube_best(loaded, asked[i].n, asked[i].bytes, &list), library ? ECUBE_LIBRARY : ECUBE_OK);
        ecube_list_span(list, &from, &to);
        ck_assert_str_eq(ecube_list_text(list), asked[i].list);
        ck_assert(from == asked[i].from && to == asked[i].to);
        if (library)
            ck_assert_int_eq(ecube_list_step(list, 0, 0, &(ecube_step){0}), ECUBE_BAD_INPUT);
        else
            check_walk(asked[i].n, list);
        ecube_list_free(list);
    }
    ecube_free(loaded);
}

/* Rules for blocks of different sizes stand beside the others, and have no sizes. */
TEST(unequal_rules)
{
    static const struct {
        guint n;
        int code;
        const char *list;
    } asked[] = {{12, ECUBE_OK, "radices 2,2,3"}, {4, ECUBE_LIBRARY, "library"}, {8, ECUBE_LIBRARY, "library"}};
    ecube *loaded = loaded_of("[alltoallv 12]\nlist = radices 2,2,3\n[alltoall 8]\n1 = direct\n"
                              "[alltoallv 4]\nlist = library\n");
    ecube_list *list;
    for (guint i = 0; i < G_N_ELEMENTS(asked); i++) {
        ck_assert_int_eq(ecube_best_unequal(loaded, asked[i].n, &list), asked[i].code);
        ck_assert_str_eq(ecube_list_text(list), asked[i].list);
        ecube_list_free(list);
    }
    ck_assert_int_eq(ecube_best(loaded, 12, 8, &list), ECUBE_LIBRARY);
    ecube_list_free(list);
    ck_assert_int_eq(ecube_best_unequal(loaded, 262144, &list), ECUBE_LIBRARY);
    ecube_list_free(list);
    ck_assert_int_eq(ecube_best_unequal(loaded, 262145, &list), ECUBE_BAD_INPUT);
    ck_assert_int_eq(ecube_best_unequal(loaded, 1, &list), ECUBE_BAD_INPUT);
    ck_assert(!list && g_str_equal(ecube_error(), "1 processes: is not allowed; allowed: 2 to 262144"));
    ecube_free(loaded);
}

static const struct {
    const char *text, *says;
} bad_files[] = {
    {"# nothing\n", ": has neither rules"}, {"", ": is empty"},
    {"8 = direct\n", ": line 1: '8 = direct' is not allowed"},
    {"[alltoall]\n", ": section 'alltoall' is not allowed; allowed: [alltoall P]"},
    {"[alltoall 1]\n", ": [alltoall 1]: '1' is not allowed; allowed: a whole number from 2 to 262144"},
    {"[alltoall 12x]\n", ": [alltoall 12x]: '12x' is not allowed"},
    {"[alltoal 12]\n", ": section 'alltoal 12' is not allowed"},
    {"[alltoall 270000]\n", ": [alltoall 270000]: '270000' is not allowed"},
    {"[alltoall 12]\n8 = dirct\n", ": [alltoall 12] 8: 'dirct' is not allowed; allowed: library, direct"},
    {"[alltoall 12]\n8 = xor 1,2,4,8\n", ": [alltoall 12] 8: 'xor 1,2,4,8' is not allowed"},
    {"[alltoallv 12]\n8 = direct\n", ": [alltoallv 12] 8: '8' is not allowed; allowed: list"},
    {"[alltoallv 12]\nlist = xor 1,2,4,8\n", ": [alltoallv 12] list: 'xor 1,2,4,8' is not allowed"},
    {"[alltoallv 0]\n", ": [alltoallv 0]: '0' is not allowed"},
    {"[alltoallv 1k]\nlist = direct\n[alltoallv 1024]\nlist = direct\n", ": [alltoallv 1024]: two rules"},
    {"[alltoall 12]\n8\n", ": line 2: '8' is not allowed; allowed: [SECTION], below it KEY = VALUE"},
    {"[alltoall 12]\n8 = \n", ": [alltoall 12] 8: '' is not allowed"},
    {"[alltoall 12]\n8x = direct\n", ": [alltoall 12] 8x: '8x' is not allowed"},
    {"[alltoall 12]\n-8 = direct\n", ": [alltoall 12] -8: '-8' is not allowed"},
    {"[alltoall 12]\n99999999999999999999 = direct\n", ": [alltoall 12] 99999999999999999999: "},
    {"[alltoall 12]\n8 = modulo 1,2+4,8\n", ": [alltoall 12] 8: '1,2+4,8' is not allowed; allowed: one offset"},
    {"[alltoall 12]\n8 = direct\n8 = library\n", ": line 3: key '8' of [alltoall 12] stands on line 2 already"},
    {"[alltoall 12]\n1k = direct\n8 = direct\n1024 = library\n", ": [alltoall 12]: two rules begin at 1024 bytes"},
    {"[alltoall 1k]\n8 = direct\n[alltoall 1024]\n8 = direct\n", ": [alltoall 1024]: two rules begin at 8 bytes"},
    {"[machine]\nlambda = 1\nlambda = 1\n", ": line 3: key 'lambda' of [machine] stands on line 2 already"},
    {"[machine]\nlambda = 1\n", ": [machine] tau: is missing"},
    {"[machine]\ntau = 1\n", ": [machine] lambda: is missing"},
    {"[machine]\nlambda = 1e\n", ": [machine] lambda: '1e' is not allowed; allowed: a number of µs"},
    {"[machine]\nlambda = -1\n", ": [machine] lambda: '-1' is not allowed"},
    {"[machine]\nlambda = 1\ntau = 1\nports = all\n", ": [machine] ports: allowed: one"},
    {"[machine]\nlambda = 1\ntau = 1\nports = 2\n", ": [machine] ports: allowed: one"},
    {"[machine]\nlambda = 1\ntau = 1\npacket = 10\n", ": [machine] packet: allowed: unlimited"},
    {"[machine]\nlambda = 1\ntau = 1\ngap = 1\n", ": [machine] gap: allowed: none"},
    {"[machine]\nlambda = 1\ntau = 1\nswitching = store-and-forward\n", ": [machine] switching: allowed: "},
    {"[machine]\nlamda = 1\n", ": [machine]: unknown key 'lamda'; did you mean 'lambda'? "},
};

TEST_LOOP(refuses_files, 0, G_N_ELEMENTS(bad_files))
{
    ecube *loaded;
    test_file_write(bad_files[_i].text, (gssize)strlen(bad_files[_i].text));
    ck_assert_int_eq(ecube_load(test_file, &loaded), ECUBE_BAD_INPUT);
    ck_assert(!loaded && g_str_has_prefix(ecube_error(), test_file));
    ck_assert_msg(g_str_has_prefix(ecube_error() + strlen(test_file), bad_files[_i].says), "%s", ecube_error());
}

/* A file that ends anywhere: it is read, or refused with one line that names it. */
TEST(cut_off)
{
    static const char text[] = "[alltoall 16]\n1 = xor 1,2,4,8,15\n64 = partition 2,2\n[alltoall 12]\n"
                               "1 = 4x3 1,2,3,6,9\n";
    for (gsize n = 0; n < sizeof text; n++) {
        ecube *loaded;
        test_file_write(text, (gssize)n);
        if (ecube_load(test_file, &loaded) == ECUBE_OK)
            ecube_free(loaded);
        else
            ck_assert(!loaded && g_str_has_prefix(ecube_error(), test_file) && !strchr(ecube_error(), '\n'));
    }
}

/* A text is read like the file that has it, and errors name the path that is given. */
TEST(texts)
{
    ecube *loaded;
    ecube_list *list;
    ck_assert_int_eq(ecube_read("there.ini", "[alltoall 4]\n1 = xor 1,2,3\n", &loaded), ECUBE_OK);
    ck_assert_int_eq(ecube_best(loaded, 4, 8, &list), ECUBE_OK);
    ck_assert_str_eq(ecube_list_text(list), "xor 1,2,3");
    ecube_list_free(list);
    ecube_free(loaded);
    ck_assert_int_eq(ecube_read("there.ini", "[alltoall 4]\n1 = xor 1,2,4\n", &loaded), ECUBE_BAD_INPUT);
    ck_assert(!loaded && g_str_has_prefix(ecube_error(), "there.ini: [alltoall 4] 1: '4' is not allowed"));
    ck_assert_int_eq(ecube_read("there.ini", "", &loaded), ECUBE_BAD_INPUT);
}

TEST(files)
{
    ecube *loaded;
    ck_assert_int_eq(ecube_load("no/such.ini", &loaded), ECUBE_BAD_INPUT);
    ck_assert_str_eq(ecube_error(), "no/such.ini: cannot be read: No such file or directory");
    ck_assert_int_eq(ecube_load("tests", &loaded), ECUBE_BAD_INPUT);
    test_file_write("[alltoall 4]\n1 = \0direct\n", 25);
    ck_assert_int_eq(ecube_load(test_file, &loaded), ECUBE_BAD_INPUT);
    ck_assert(strstr(ecube_error(), ": is not a text file"));
    static const char *const machines_there[] = {"bokhari1993", "ipsc860", "ipsc2"};
    for (guint i = 0; i < G_N_ELEMENTS(machines_there); i++) {
        g_autofree char *path = g_strdup_printf(TEST_PLATFORMS "/%s.ini", machines_there[i]);
        ck_assert_msg(ecube_load(path, &loaded) == ECUBE_OK, "%s", ecube_error());
        ecube_free(loaded);
    }
}

TESTS_IN_FOLDER(library, walks, needless_steps, refuses_lists, takes_as_long_as_schedules, best_lists, any_number,
                rules, unequal_rules, refuses_files, cut_off, texts, files)
