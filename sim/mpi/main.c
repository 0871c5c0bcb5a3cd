/* ecube-mpi: schedules on the ranks of an MPI. The one place of the program that prints errors, at the first rank, and
 * chooses exit codes: 0 fine, 1 a check failed or the system refused, 2 bad usage or input. */
#include "measure.h"
#include "sim/text/input.h"
#include "sim/run/keys.h"
#include "sim/run/record.h"
#include "sim/text/message.h"

#include <locale.h>
#include <stdio.h>

/* Whether all data was in place. */
static gboolean tell_faults(const Results *results)
{
    gboolean ok = TRUE;
    for (guint i = 0; i < results->n; i++) {
        g_autofree char *what = run_describe(&results->records[i].run);
        if (results->faults[i])
            message_tell("%s: the data is wrong: %s", what, results->faults[i]);
        ok &= results->faults[i] == NULL;
    }
    return ok;
}

/* At the first rank. */
static gboolean report(const Order *order, const Results *results, GError **error)
{
    g_autofree char *text = record_text(order->format, results->records, results->n, order->overrides);
    return output_write(order->output, text, error) && tell_faults(results);
}

static void tell_shared_cores(const World *world)
{
    g_autofree char *shared = world->bare ? NULL : world_shared_cores(world);
    if (shared && world->rank == 0)
        message_tell("%s: these are times of the cores, not of a network, and advice is as good as that", shared);
}

static gboolean do_order(const Order *order, const World *world, GError **error)
{
    tell_shared_cores(world);
    g_autoptr(Results) results = measure(order, world, error);
    return results && (world->rank > 0 || report(order, results, error));
}

static gboolean run(World *world, int argc, char **argv, GError **error)
{
    Order order;
    g_autofree char *text = NULL;
    gboolean ok = order_read(&order, world, argc, argv, &text, error);
    world->bare = order.bare && world_has_simulated_clock();
    g_autofree char *facts = order_facts(&order);
    ok = world_agree(world, ok, error) && world_compare(world, facts, error);
    world->bare = order.bare;
    if (ok && text)
        ok = world->rank > 0 || output_write(NULL, text, error);
    else if (ok)
        ok = do_order(&order, world, error);
    order_clear(&order);
    return ok;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    setlocale(LC_CTYPE, "C.UTF-8");
    g_set_prgname("ecube-mpi");
    g_autoptr(GError) error = NULL;
    World world = world_of(MPI_COMM_WORLD);
    gboolean ok = run(&world, argc, argv, &error);
    int code = ok ? 0 : error && error->code == ECUBE_ERROR_INPUT ? 2 : 1;
    if (error && world.rank == 0)
        message_tell("%s", error->message);
    MPI_Finalize();
    return code;
}
