/* The GOAL files are read back and executed: every receive finds its send, nobody waits for ever, and what is moved and
 * calculated is what the schedule says. */
#include "sim/show/export_ranks.h"
#include "exported.h"
#include "tests/support/walk.h"

#include <stdio.h>

typedef enum { OP_SEND, OP_RECV, OP_CALC } OpKind;

typedef struct {
    OpKind kind;
    guint rank, peer, tag;
    guint64 amount;             /* bytes or ns */
    GArray *requires;           /* guint: operations */
    gboolean done;
    gboolean matched;           /* of a send: by a receive */
} Op;

static void op_clear(gpointer data)
{
    g_array_unref(((Op *)data)->requires);
}

static Op *nth_op(GArray *ops, guint i)
{
    return &g_array_index(ops, Op, i);
}

/* Reads one line inside a rank's block, whose operations begin at number `first`. */
static void read_line(GArray *ops, guint first, guint rank, const char *line)
{
    Op op = {.rank = rank};
    guint label, required;
    char end;
    if (sscanf(line, "l%u requires l%u%c", &label, &required, &end) == 2) {
        ck_assert_uint_lt(required, label);
        ck_assert_uint_le(label, ops->len - first);
        guint place = first + required - 1;
        g_array_append_val(nth_op(ops, first + label - 1)->requires, place);
        return;
    }
    if (sscanf(line, "l%u: send %" G_GUINT64_FORMAT "b to %u tag %u%c", &label, &op.amount, &op.peer, &op.tag,
               &end) == 4)
        op.kind = OP_SEND;
    else if (sscanf(line, "l%u: recv %" G_GUINT64_FORMAT "b from %u tag %u%c", &label, &op.amount, &op.peer, &op.tag,
                    &end) == 4)
        op.kind = OP_RECV;
    else if (sscanf(line, "l%u: calc %" G_GUINT64_FORMAT "%c", &label, &op.amount, &end) == 2)
        op.kind = OP_CALC;
    else
        ck_abort_msg("not GOAL: %s", line);
    ck_assert(op.kind == OP_CALC || op.amount > 0);
    ck_assert_uint_eq(label, ops->len - first + 1);
    op.requires = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(ops, op);
}

static GArray *read_goal(const char *text, guint n_ranks)
{
    GArray *ops = g_array_new(FALSE, FALSE, sizeof(Op));
    g_array_set_clear_func(ops, op_clear);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    guint rank = G_MAXUINT, first = 0, n_blocks = 0, declared = 0;
    for (guint i = 0; lines[i]; i++) {
        if (*lines[i] == '\0' || g_str_has_prefix(lines[i], "//"))
            continue;
        if (sscanf(lines[i], "num_ranks %u", &declared) == 1)
            continue;
        if (rank == G_MAXUINT) {
            ck_assert_int_eq(sscanf(lines[i], "rank %u {", &rank), 1);
            ck_assert_uint_eq(rank, n_blocks++);
            first = ops->len;
        } else if (strcmp(lines[i], "}") == 0) {
            ck_assert_uint_gt(ops->len, first);
            rank = G_MAXUINT;
        } else {
            read_line(ops, first, rank, lines[i]);
        }
    }
    ck_assert_uint_eq(rank, G_MAXUINT);
    ck_assert_uint_eq(declared, n_ranks);
    ck_assert_uint_eq(n_blocks, n_ranks);
    return ops;
}

/* The send that has left and that this receive is for. */
static Op *find_send(GArray *ops, const Op *receive)
{
    for (guint i = 0; i < ops->len; i++) {
        Op *op = nth_op(ops, i);
        if (op->kind == OP_SEND && op->done && !op->matched && op->rank == receive->peer && op->peer == receive->rank &&
            op->tag == receive->tag)
            return op;
    }
    return NULL;
}

static gboolean try_op(GArray *ops, Op *op)
{
    for (guint i = 0; i < op->requires->len; i++)
        if (!nth_op(ops, g_array_index(op->requires, guint, i))->done)
            return FALSE;
    if (op->kind == OP_RECV) {
        Op *send = find_send(ops, op);
        if (!send)
            return FALSE;
        ck_assert_uint_eq(send->amount, op->amount);
        send->matched = TRUE;
    }
    op->done = TRUE;
    return TRUE;
}

static void execute(GArray *ops)
{
    for (gboolean progress = TRUE; progress;) {
        progress = FALSE;
        for (guint i = 0; i < ops->len; i++)
            if (!nth_op(ops, i)->done)
                progress |= try_op(ops, nth_op(ops, i));
    }
    for (guint i = 0; i < ops->len; i++) {
        ck_assert_msg(nth_op(ops, i)->done, "operation %u of all never starts", i);
        ck_assert(nth_op(ops, i)->kind != OP_SEND || nth_op(ops, i)->matched);
    }
}

/* Bytes of all messages of a step. */
static guint64 bytes_of(const Step *step, const Division *data)
{
    guint64 bytes = 0;
    for (guint i = 0; i < step->stretches->len; i++) {
        const Stretch *stretch = &g_array_index(step->stretches, Stretch, i);
        bytes += (guint64)division_bytes(data, stretch->slot, stretch->count);
    }
    return bytes;
}

static void check_goal(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    Machine ported = test_machine_for(user, problem->algorithm), *machine = &ported;
    guint64 sent = 0;
    guint n = cube_n_nodes(schedule->dimension), n_phases = 0, n_rotations = 0;
    gint64 worked = 0;
    g_autofree char *text = exported_goal(problem, 1, machine, NULL);
    ck_assert_ptr_nonnull(text);
    g_autoptr(GArray) ops = read_goal(text, n);
    execute(ops);
    guint64 moved = 0, calculated = 0, n_sends[3] = {0};
    for (guint i = 0; i < ops->len; i++) {
        const Op *op = nth_op(ops, i);
        calculated += op->kind == OP_CALC ? op->amount : 0;
        moved += op->kind == OP_SEND && op->tag % 3 == 0 ? op->amount : 0;
        n_sends[op->tag % 3] += op->kind == OP_SEND;
    }
    g_auto(Step) step = step_new();
    for (guint k = 0; k < schedule->n_steps; k++)
        for (guint i = 0; i < n * schedule->n_strands; i++)
            if (k < schedule_n_steps(schedule, i % schedule->n_strands)) {
                schedule_strand_step(schedule, i / schedule->n_strands, i % schedule->n_strands, k, &step);
                sent += bytes_of(&step, &problem->data);
                n_phases += i == 0 && step.phase;
                n_rotations += i == 0 && step.rotate > 0;
                worked += step.operation.bytes;
            }
    if (content_sizes_move(schedule->content))
        sent = walk(schedule, machine).all_bytes;
    g_auto(Price) priced = price(schedule, machine, REPLAY_DATA);
    if (problem->pattern != &pattern_matmul)      /* there, sizes move with what is sent: test_replayable.c */
        ck_assert_uint_eq(moved, sent);
    ck_assert_uint_eq(n_sends[0] + n_sends[1], priced.messages);
    ck_assert_uint_eq(n_sends[2], machine->phase_barrier ? (guint64)n_phases * n * schedule->dimension : 0);
    worked += (gint64)n_rotations * n * n * problem->data.bytes;
    ck_assert_uint_eq(calculated, (guint64)(worked * machine->rho_ps_per_byte) / 1000);
}

TEST(registry)
{
    static const char *const none[] = {"pairwise_sync=false", "phase_barrier=false", NULL};
    guint d = (guint)_i;
    for (guint protocol = 0; protocol < 2; protocol++) {
        g_autoptr(Machine) machine = test_machine("ipsc860", protocol ? NULL : none);
        test_each_schedule(d, check_goal, machine);
    }
}

/* A schedule that cannot end, or whose data is wrong, is not exported. */
TEST(broken)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Problem problem = broken_problem((guint)_i);
    g_autoptr(GError) error = NULL, of_ti = NULL;
    g_autofree char *text = exported_goal(&problem, 1, machine, &error);
    g_autofree char *ti = exported_ti(&problem, 1, machine, &of_ti);
    if (broken_runs((guint)_i))
        return;
    ck_assert(!text && !ti);
    ck_assert_ptr_nonnull(strstr(error->message, broken_fault((guint)_i)));
    ck_assert_ptr_nonnull(strstr(of_ti->message, broken_fault((guint)_i)));
}

/* What is exported in little room: parts of it at a time, and a rank's text in pieces. */
static void check_room(const Problem *problem, const Schedule *schedule, gconstpointer user)
{
    static const gsize rooms[] = {1, 2000, 10000};
    Machine machine = test_machine_for(user, problem->algorithm);
    g_autofree char *goal = exported_goal(problem, 1, &machine, NULL), *ti = exported_ti(problem, 1, &machine, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(rooms); i++) {
        g_autoptr(GString) text = g_string_new(NULL);
        Output *out = output_gather(text);
        ck_assert(export_goal(out, problem, 1, &machine, rooms[i], NULL));
        ck_assert_msg(strcmp(text->str, goal) == 0, "%s, room %zu", problem->algorithm->name, rooms[i]);
        g_string_truncate(text, 0);
        ck_assert_int_eq(export_ti(out, problem, 1, &machine, rooms[i], NULL), ti != NULL);
        ck_assert_msg(strcmp(text->str, ti ? ti : "") == 0, "%s, room %zu", problem->algorithm->name, rooms[i]);
        output_close(out, TRUE, NULL);
    }
}

TEST(room)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    test_each_schedule((guint)_i, check_room, machine);
}

/* Nothing is written of a schedule that turns out to be wrong, however little room there is. */
TEST(broken_in_no_room)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    Problem problem = broken_problem((guint)_i);
    g_autoptr(GString) text = g_string_new(NULL);
    Output *out = output_gather(text);
    if (!export_goal(out, &problem, 1, machine, 1, NULL))
        ck_assert_str_eq(text->str, "");
    output_close(out, TRUE, NULL);
}

/* Each message stands twice in the text for people: once as a send, once as an await. */
TEST(text)
{
    Problem problem = test_exchange("reversed", 3, NULL, 0);
    g_autofree char *shown = exported_text(&problem, 1);
    ck_assert_uint_eq(test_count(shown, " sends "), 56);
    ck_assert_uint_eq(test_count(shown, " awaits "), 56);
    ck_assert_uint_eq(test_count(shown, "\nstep "), 8);
}

void suite_export(TCase *tc)
{
    tcase_add_loop_test(tc, registry, 0, test_upto(3, 5, 5));
    tcase_add_loop_test(tc, broken, 0, N_BROKEN);
    tcase_add_loop_test(tc, room, 0, test_upto(3, 4, 5));
    tcase_add_loop_test(tc, broken_in_no_room, 0, N_BROKEN);
    test_add(tc, text);
}
