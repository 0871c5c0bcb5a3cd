/* New schedules of old ones: what becomes of small ones that are written down. */
#include "sim/schedule/combinators.h"
#include "tests/support/scripted.h"

/* The strands, as bits, of the join before a step, and whether the step begins a phase: of every processor. */
static void assert_begins(const Schedule *schedule, guint strand, guint k, guint32 join, gboolean phase)
{
    g_auto(Step) found = step_new();
    for (guint node = 0; node < cube_n_nodes(schedule->dimension); node++) {
        schedule_strand_step(schedule, node, strand, k, &found);
        ck_assert_uint_eq(found.join, join);
        ck_assert_int_eq(found.phase, phase);
        ck_assert_uint_eq(found.strand, strand);
    }
}

/* --- backwards --- */

static const Message three[] = {
    {0, 0, 0, 1, 0, 2, 1, TRANSFER_COPY},
    {0, 1, 1, 3, 1, 1, 0, TRANSFER_MOVE},
    {0, 1, 0, 2, 0, 1, 2, TRANSFER_COMBINE},
    {0},
};
static const Script three_script = {.dimension = 2, .n_slots = 3, .n_steps = {2}, .messages = three};

TEST(backwards_by_hand)
{
    g_autoptr(Schedule) schedule = schedule_backwards(scripted_new(&three_script));
    ck_assert_uint_eq(schedule->n_steps, 2);
    ck_assert_uint_eq(schedule->n_slots, 3);
    assert_moves(schedule, 0, "2>0:2+1@0& 3>1:0+1@1 | 1>0:1+2@0+");
    assert_begins(schedule, 0, 0, 0, TRUE);
    assert_begins(schedule, 0, 1, 0, FALSE);
    g_autoptr(Schedule) twice = schedule_backwards(g_steal_pointer(&schedule));
    assert_moves(twice, 0, "0>1:0+2@1& | 0>2:0+1@2+ 1>3:1+1@0");
}

/* Backwards and backwards again, every algorithm of a pattern that has a reverse does what it did. */
static void check_twice(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    guint *n_checked = (guint *)user;
    if (!test_reverse_of(problem->pattern))
        return;
    g_autoptr(Schedule) own = problem->algorithm->make(problem);
    Schedule *once = schedule_backwards(problem->algorithm->make(problem));
    guint flags = once->flags;
    g_autoptr(Schedule) twice = schedule_backwards(once);
    g_autofree char *text = moves_of(twice, 0), *what = test_describe(problem);
    assert_moves(own, 0, text);
    ck_assert_msg(schedule_contends(own) == schedule_contends(twice), "%s", what);
    ck_assert_msg(!(own->flags & SCHEDULE_CONTENDS_BACKWARDS) == !(flags & SCHEDULE_CONTENDS), "%s", what);
    ck_assert_msg(!(own->flags & SCHEDULE_CONTENDS_BACKWARDS) == !(twice->flags & SCHEDULE_CONTENDS_BACKWARDS), "%s",
                  what);
    ++*n_checked;
}

TEST_LOOP(backwards_twice, 1, 5)
{
    guint n_checked = 0;
    test_each_schedule((guint)_i, check_twice, &n_checked);
    ck_assert_uint_gt(n_checked, 0);
}

/* --- translated --- */

static guint n_asked;

/* To and from dimension k; slots 2k and 2k + 1 land the other way round. */
static void step_uniform(const Schedule *self, guint node, guint strand, guint k, Step *out)
{
    n_asked++;
    ck_assert_uint_eq(node, 0);
    step_send(out, node ^ 1u << k);
    step_carry(out, 2 * k, 1, 2 * k + 1);
    step_carry(out, 2 * k + 1, 1, 2 * k);
    step_await(out, node ^ 1u << k);
    out->exchange = TRUE;
}

static Schedule *uniform(guint dimension)
{
    static const ScheduleClass class = {.step = step_uniform};
    Schedule *schedule = schedule_new(sizeof(Schedule), &class, dimension);
    schedule->n_steps = dimension;
    schedule->n_slots = 2 * dimension;
    schedule->flags = SCHEDULE_TRANSLATES;
    return schedule;
}

TEST(translated_by_hand)
{
    g_autoptr(Schedule) schedule = schedule_translated(uniform(2));
    n_asked = 0;
    assert_moves(schedule, 0,
                 "0>1:0+1@1,1+1@0 1>0:0+1@1,1+1@0 2>3:0+1@1,1+1@0 3>2:0+1@1,1+1@0 | "
                 "0>2:2+1@3,3+1@2 1>3:2+1@3,3+1@2 2>0:2+1@3,3+1@2 3>1:2+1@3,3+1@2");
    ck_assert_uint_eq(n_asked, 2);
    g_auto(Step) one = step_new();
    g_auto(Step) other = step_new();
    schedule_step(schedule, 1, 1, &one);
    schedule_step(schedule, 3, 1, &other);
    ck_assert(one.exchange);
    ck_assert_ptr_eq(one.stretches, other.stretches);
    ck_assert_uint_eq(n_asked, 2);
}

/* --- within --- */

/* Processors (row, column) of a grid of 4 x 4: the column is in bits 1 and 3, the row in bits 0 and 2. */
#define ALONG_ROW 0xa
#define ALONG_COLUMN 0x5
#define GRID 4

/* The bits of x, the lower in bit 0 of `dims` and so on. */
static guint in_grid(guint x, guint dims)
{
    return dims == ALONG_ROW ? (x & 1) << 1 | (x & 2) << 2 : (x & 1) | (x & 2) << 1;
}

/* All-broadcast with one port, in all rows or columns at a time, of so many pieces. */
static Schedule *all_broadcast(guint dims, guint n_pieces)
{
    const Pattern *pattern = &pattern_all_broadcast;
    Problem problem = problem_new(algorithm_find("", pattern, FALSE, "sbt", NULL), 2);
    problem.data = division_make(n_pieces, 1, 1, 1);
    Schedule *part = schedule_make(&problem);
    return schedule_within(4, dims, 1, &part);
}

static Block number_of_node(guint node, guint slot)
{
    return slot == 0 ? node : BLOCK_NONE;
}

static Block row_around(guint node, guint slot)
{
    return node ^ in_grid(slot, ALONG_ROW);
}

/* Slot r has what came from r places away in the row. */
TEST(within_rows)
{
    g_autoptr(Machine) machine = scripted_machine("ports=one");
    g_autoptr(Schedule) rows = all_broadcast(ALONG_ROW, 1);
    g_autofree char *first = moves_of_step(rows, 0, 0), *second = moves_of_step(rows, 0, 1);
    ck_assert_ptr_nonnull(strstr(first, "0>2:0+1@1& "));
    ck_assert_ptr_nonnull(strstr(first, "13>15:0+1@1& "));
    ck_assert_ptr_nonnull(strstr(second, "0>8:0+2@2& "));
    ck_assert_ptr_nonnull(strstr(second, "5>13:0+2@2& "));
    ck_assert(!(rows->flags & SCHEDULE_TRANSLATES));
    numbers_hold(rows, 10, number_of_node, row_around);
    assert_runs(rows, machine, 2 * 100 + (10 + 20) * 2);
}

static Block grid_around(guint node, guint slot)
{
    return node ^ in_grid(slot % GRID, ALONG_ROW) ^ in_grid(slot / GRID, ALONG_COLUMN);
}

/* First along the rows, then what is known along the columns: everybody has everything. */
TEST(within_rows_then_columns)
{
    g_autoptr(Machine) machine = scripted_machine("ports=one");
    Schedule *parts[] = {schedule_at(all_broadcast(ALONG_ROW, 1), 0, GRID * GRID), all_broadcast(ALONG_COLUMN, GRID)};
    g_autoptr(Schedule) schedule = schedule_then(2, parts, FALSE);
    ck_assert_uint_eq(schedule->n_slots, GRID * GRID);
    numbers_hold(schedule, 10, number_of_node, grid_around);
    assert_runs(schedule, machine, 4 * 100 + (1 + 2 + 4 + 8) * 10 * 2);
}

static const Message upwards[] = {{0, 0, 0, 1, 0, 1, 1, TRANSFER_MOVE}, {0}};
static const Message back[] = {{0, 0, 1, 0, 1, 1, 0, TRANSFER_MOVE}, {0}};

/* In the pairs over dimension 1 of a 3-cube, numbered by bits 2 and 0: others do others' steps. */
TEST(within_different)
{
    const Script up = {.dimension = 1, .n_slots = 2, .n_steps = {1}, .messages = upwards};
    const Script down = {.dimension = 1, .n_slots = 2, .n_steps = {1}, .messages = back, .renumbers = TRUE};
    Schedule *parts[] = {scripted_new(&up), scripted_new(&down), scripted_new(&down), scripted_new(&up)};
    g_autoptr(Schedule) schedule = schedule_within(3, 2, 4, parts);
    ck_assert_uint_eq(schedule->n_steps, 1);
    assert_moves(schedule, 0, "0>2:0+1@1 3>1:1+1@0 5>7:0+1@1 6>4:1+1@0");
    for (guint node = 0; node < 8; node++) {
        g_auto(Step) found = step_new();
        schedule_step(schedule, node, 0, &found);
        ck_assert_int_eq(found.renumber, (node & 1) != node >> 2);
    }
    ck_assert_uint_eq(schedule_renumber(schedule, 1, 0, 0, 0), 1);
}

/* --- at --- */

/* Twice, because translated schedules share what must be moved, and only once. */
TEST(at_shifts)
{
    g_autoptr(Schedule) schedule = schedule_at(schedule_translated(uniform(1)), 3, 9);
    ck_assert_uint_eq(schedule->n_slots, 9);
    for (guint i = 0; i < 2; i++)
        assert_moves(schedule, 0, "0>1:3+1@4,4+1@3 1>0:3+1@4,4+1@3");
    const Operation operation = {WORK_SUM, 1, 3, 5};
    g_autoptr(Schedule) work = schedule_at(schedule_work(1, 4, &operation), 5, 9);
    g_auto(Step) found = step_new();
    schedule_step(work, 1, 0, &found);
    ck_assert(found.operation.slot == 6 && found.operation.count == 3 && found.operation.bytes == 5);
}

static Block number_of_slot(guint node, guint slot)
{
    return slot;
}

static Block middle_reversed(guint node, guint slot)
{
    return slot >= 2 && slot < 5 ? 6 - slot : slot;
}

/* New numbers stay inside: of 7 slots, those from 2 to 4. */
TEST(at_renumbers)
{
    const Script script = {.dimension = 1, .n_slots = 3, .n_steps = {1}, .messages = (const Message[]){{0}},
                           .renumbers = TRUE};
    g_autoptr(Schedule) schedule = schedule_at(scripted_new(&script), 2, 7);
    for (guint slot = 0; slot < 7; slot++)
        ck_assert_uint_eq(schedule_renumber(schedule, 0, 0, 0, slot), middle_reversed(0, slot));
    numbers_hold(schedule, 10, number_of_slot, middle_reversed);
    g_auto(Verdict) verdict = verify(schedule, PORTS_ONE);
    ck_assert_msg(verdict.ok, "%s", verdict.fault);
}

/* --- then --- */

/* Dimension 0 in strand 0, twice; dimension 1 in strand 1, once. The strands do not join. */
static const Message two_strands[] = {
    {0, 0, 0, 1, 0, 1, 1, TRANSFER_MOVE}, {0, 1, 1, 0, 1, 1, 2, TRANSFER_MOVE}, {1, 0, 0, 2, 3, 1, 3, TRANSFER_MOVE},
    {0}};
static const Script two_script = {.dimension = 2, .n_slots = 4, .n_steps = {2, 1}, .messages = two_strands};
static const Message one_strand[] = {{0, 0, 2, 3, 3, 1, 0, TRANSFER_MOVE}, {0}};
static const Script one_script = {.dimension = 2, .n_slots = 4, .n_steps = {1}, .messages = one_strand};
static const Message one_more[] = {{0, 0, 3, 2, 0, 1, 3, TRANSFER_MOVE}, {0}};
static const Script more_script = {.dimension = 2, .n_slots = 4, .n_steps = {1}, .messages = one_more};

/* One strand, two, and one: strand 1 has nothing in the first, its own step in the second, and waits in the third. */
TEST(then_joins)
{
    const Message before[] = {{0, 0, 2, 3, 0, 1, 1, TRANSFER_COPY}, {0}};
    const Script first = {.dimension = 2, .n_slots = 1, .n_steps = {1}, .messages = before};
    for (gboolean barriers = FALSE; barriers <= TRUE; barriers++) {
        Schedule *parts[] = {scripted_new(&first), scripted_new(&two_script), scripted_new(&one_script)};
        g_autoptr(Schedule) schedule = schedule_then(3, parts, barriers);
        ck_assert_uint_eq(schedule->n_strands, 2);
        ck_assert_uint_eq(schedule->n_slots, 4);
        ck_assert_uint_eq(schedule->n_phases, barriers ? 3 : 1);
        ck_assert_uint_eq(schedule->n_steps, 4);
        assert_moves(schedule, 0, "2>3:0+1@1& | 0>1:0+1@1 | 1>0:1+1@2 | 2>3:3+1@0");
        assert_moves(schedule, 1, "0>2:3+1@3 | ");
        assert_begins(schedule, 0, 0, 0, TRUE);
        assert_begins(schedule, 0, 1, 3, barriers);
        assert_begins(schedule, 0, 2, 0, FALSE);
        assert_begins(schedule, 0, 3, 3, barriers);
        assert_begins(schedule, 1, 0, 3, barriers);
        assert_begins(schedule, 1, 1, 3, FALSE);
    }
}

/* Parts of one strand follow each other without joins; new numbers are those of the part that the step is of. */
TEST(then_of_one_strand)
{
    Script turning = one_script;
    turning.renumbers = TRUE;
    turning.n_slots = 2;
    Schedule *parts[] = {scripted_new(&one_script), scripted_new(&turning)};
    g_autoptr(Schedule) schedule = schedule_then(2, parts, TRUE);
    assert_moves(schedule, 0, "2>3:3+1@0 | 2>3:3+1@0");
    assert_begins(schedule, 0, 1, 0, TRUE);
    ck_assert_uint_eq(schedule_renumber(schedule, 0, 0, 1, 0), 1);
    ck_assert_uint_eq(schedule_renumber(schedule, 0, 0, 1, 3), 3);
}

/* 0's slot 0 goes to 1 and back into slot 2, its slot 3 to 2, to 3's slot 0 and back. */
static Block before_then(guint node, guint slot)
{
    return node == 0 && slot == 0 ? 70 : node == 0 && slot == 3 ? 73 : BLOCK_NONE;
}

static Block after_then(guint node, guint slot)
{
    return node == 0 && slot == 2 ? 70 : node == 2 && slot == 3 ? 73 : BLOCK_NONE;
}

static const char *const switchings[] = {"switching=circuit", "switching=fluid"};

/* Two strands, then one, twice; messages of 10 bytes take 120 µs. Without barriers processor 2 need not wait for the
 * second message of the first part. A barrier takes 7 µs, and holds strand 0 although strand 1 has come to its end. */
TEST_LOOP(then_with_barriers, 0, 6)
{
    static const gint64 times_us[] = {3 * 120, 7 + 3 * 120, 7 + 2 * 120 + 7 + 120 + 7 + 120};
    g_autoptr(Machine) machine = scripted_machine(switchings[_i % 2]);
    Schedule *parts[] = {scripted_new(&two_script), scripted_new(&one_script), scripted_new(&more_script)};
    g_autoptr(Schedule) schedule = schedule_then(3, parts, _i / 2 == 2);
    machine->phase_barrier = _i / 2 > 0;
    machine->sync_ps = 7 * US;
    numbers_hold(schedule, 10, before_then, after_then);
    assert_runs(schedule, machine, times_us[_i / 2]);
}

/* --- beside --- */

static const Message apart[] = {{0, 0, 1, 3, 1, 1, 1, TRANSFER_MOVE}, {0, 1, 3, 1, 1, 1, 1, TRANSFER_MOVE}, {0}};

static void assert_beside(const guint32 *strands, const guint *numbers)
{
    Script joined = two_script;
    const Script other = {.dimension = 2, .n_slots = 2, .n_steps = {2}, .messages = apart, .renumbers = TRUE};
    joined.joins = TRUE;
    Schedule *parts[] = {scripted_new(&joined), scripted_new(&other)};
    g_autoptr(Schedule) schedule = schedule_beside(2, parts, strands);
    ck_assert_uint_eq(schedule->n_strands, 3);
    ck_assert_uint_eq(schedule->n_steps, 2);
    ck_assert_uint_eq(schedule->n_slots, 4);
    ck_assert_uint_eq(schedule_n_steps(schedule, numbers[1]), 1);
    assert_moves(schedule, numbers[0], "0>1:0+1@1 | 1>0:1+1@2");
    assert_moves(schedule, numbers[1], "0>2:3+1@3");
    assert_moves(schedule, numbers[2], "1>3:1+1@1 | 3>1:1+1@1");
    assert_begins(schedule, numbers[0], 0, 0, TRUE);
    assert_begins(schedule, numbers[0], 1, 1u << numbers[0] | 1u << numbers[1], FALSE);
    assert_begins(schedule, numbers[2], 1, 0, FALSE);
    ck_assert_uint_eq(schedule_renumber(schedule, 0, numbers[2], 0, 0), 1);
    ck_assert_uint_eq(schedule_renumber(schedule, 0, numbers[2], 0, 3), 3);
}

/* The strands of the parts one after another, or as they are told; the joins go along. */
TEST(beside_numbers)
{
    assert_beside(NULL, (const guint[]){0, 1, 2});
    assert_beside((const guint32[]){6, 1}, (const guint[]){1, 2, 0});
    assert_beside((const guint32[]){5, 2}, (const guint[]){0, 2, 1});
}

/* --- sparse --- */

static const Message some_empty[] = {
    {0, 0, 0, 1, 0, 3, 1, TRANSFER_COPY}, {0, 0, 2, 3, 0, 1, 0, TRANSFER_MOVE}, {0, 1, 1, 3, 1, 3, 0, TRANSFER_MOVE},
    {0, 1, 0, 2, 0, 2, 1, TRANSFER_MOVE}, {0, 2, 0, 1, 0, 1, 0, TRANSFER_MOVE}, {0}};

static gboolean holds_some(gconstpointer user, guint node, guint slot)
{
    return node == *(const guint *)user && slot != 1;
}

/* 0 has slots 0, 2 and 3. Its slot 1 goes nowhere, slot 0 leaves it in the second step, and 2 never has anything. */
TEST(sparse_by_hand)
{
    const Script script = {.dimension = 2, .n_slots = 4, .n_steps = {3}, .messages = some_empty};
    g_autoptr(Schedule) schedule = schedule_sparse(scripted_new(&script), holds_some, &(guint){0});
    assert_moves(schedule, 0, "0>1:0+1@1,2+1@3& | 0>2:0+1@1 1>3:1+1@0,3+1@2 | ");
    assert_begins(schedule, 0, 0, 0, TRUE);
    g_autoptr(Schedule) of_other = schedule_sparse(scripted_new(&script), holds_some, &(guint){3});
    assert_moves(of_other, 0, " |  | ");
}

TESTS(combinators, backwards_by_hand, backwards_twice, translated_by_hand, within_rows, within_rows_then_columns,
      within_different, at_shifts, at_renumbers, then_joins, then_of_one_strand, then_with_barriers, beside_numbers,
      sparse_by_hand)
