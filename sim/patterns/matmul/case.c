#include "case.h"
#include "sim/patterns/make.h"
#include "sim/patterns/registry.h"
#include "sim/text/input.h"

#include <string.h>

const Algorithm *matmul_routing_find(const char *where, const char *name, gboolean n_port, GError **error)
{
    guint known;    /* to the tables of multiplication, which have no partitions */
    if (!input_parse_choice(where, name, matmul_routing_names, &known, error))
        return NULL;
    gboolean all_ports = n_port && known != MATMUL_CRA;     /* blocks are passed round one ring, that of one port */
    return algorithm_find(where, &pattern_all_broadcast, all_ports, name, error);
}

/* Returns the place of a name in a list that has it. */
static guint place_of(const char *const *names, const char *name)
{
    guint i = 0;
    while (strcmp(names[i], name) != 0)
        i++;
    return i;
}

MatmulCase matmul_problem_case(const Problem *problem, gint64 packet, gboolean optimal)
{
    const Multiplication *m = &problem->matmul;
    return (MatmulCase){.shape = m->shape, .grid = m->grid, .layout = m->layout,
                        .algorithm = place_of(matmul_algorithm_names, problem->algorithm->name),
                        .routing = place_of(matmul_routing_names, m->routing->name),
                        .ports = problem->algorithm->n_port ? PORTS_ALL : PORTS_ONE,
                        .element = m->element, .packet = packet, .optimal = optimal};
}

void matmul_choose_packets(Problem *problem, const Machine *machine)
{
    const MatmulCase c = matmul_problem_case(problem, machine->packet, TRUE);
    const MatmulRecipe *recipe = matmul_recipe_at_first(c.algorithm);
    const MatmulTerms terms = matmul_terms(machine, G_MAXINT64);
    problem->matmul.best_packets = TRUE;
    for (guint i = 0; recipe && i < recipe->n_phases; i++) {
        const MatmulPhase *phase = &recipe->phases[i];
        gint64 packet = MAX(1, matmul_packet(&c, phase, &terms) / c.element);
        if (matmul_is_pipelined(&c, phase))
            *(phase->matrix == 'A' ? &problem->matmul.packet_of_a : &problem->matmul.packet) = packet;
    }
}

Run matmul_case_run(const MatmulCase *c, Machine *machine)
{
    gboolean n_port = c->ports == PORTS_ALL;
    const char *name = matmul_algorithm_names[c->algorithm];
    const Algorithm *algorithm = algorithm_find("", &pattern_matmul, n_port, name, NULL);
    machine->ports = c->ports;
    machine->packet = c->packet;
    Run run = {.machine = machine, .element = c->element,
               .problem = problem_new(algorithm, c->grid.n1 + c->grid.n2 + c->grid.n3)};
    run.problem.matmul = (Multiplication){
        .shape = c->shape, .grid = c->grid, .layout = c->layout, .element = c->element, .repeat = 1,
        .packet = c->packet ? MAX(1, c->packet / c->element) : 0,
        .routing = matmul_routing_find("", matmul_routing_names[c->routing], n_port, NULL)};
    if (c->optimal)
        matmul_choose_packets(&run.problem, machine);
    run.refused = problem_refused(&run.problem);
    return run;
}
