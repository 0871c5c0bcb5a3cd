#include "experiments.h"
#include "tests/run/options.h"

static void add_run(Measured *measured, const Run *run)
{
    g_autoptr(Schedule) schedule = schedule_make(&run->problem);
    g_auto(Price) priced = price(schedule, run->machine, REPLAY_SIZES);
    gint64 time_ps = priced.time_ps;
    if (time_ps == 0)
        return;
    Observation *o = g_new0(Observation, 1);
    o->run = *run;
    o->machine = *run->machine;
    o->machine.spec = (char *)g_intern_string(run->machine->spec);      /* texts of the run's machine do not stay */
    o->machine.path = o->machine.title = o->machine.measured = o->machine.verdict = NULL;
    o->run.machine = &o->machine;
    o->time_ps = (double)time_ps;
    o->path = "test";
    o->line = measured->observations->len + 2;
    o->overrides = g_strdup("");
    g_ptr_array_add(measured->observations, o);
}

void experiment_add(Measured *measured, const char *machine, const Experiment *experiment)
{
    for (guint d = experiment->from; d <= experiment->to; d++) {
        g_autoptr(Scenario) scenario = scenario_new();
        g_autoptr(GError) error = NULL;
        g_autofree char *all = g_strdup_printf("machine=%s dimension=%u %s", machine, d, experiment->keys);
        set_words(scenario, all);
        g_autoptr(GArray) runs = scenario_resolve(scenario, TEST_PLATFORMS, SCENARIO_TIMED, &error);
        ck_assert_msg(runs != NULL, "%s", error ? error->message : "");
        for (guint i = 0; i < runs->len; i++)
            add_run(measured, &g_array_index(runs, Run, i));
    }
}

#define SIZES "bytes=0,1,4,20,50,100,101,150,400,1000,3000"

void experiments_add_all(Measured *measured, const char *machine)
{
    static const Experiment all[] = {
        {"algorithm=multiphase partition=all " SIZES, 1, 5},
        {"pattern=broadcast algorithm=sbt " SIZES, 1, 5},
        {"pattern=permutation permutation=identity algorithm=a0 bytes=0", 1, 1},
        {"pattern=matmul algorithm=a1 shape=8x8x8", 0, 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        experiment_add(measured, machine, &all[i]);
}

static double normal(GRand *random)
{
    return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * G_PI * g_rand_double(random));
}

void experiment_disturb(const Measured *measured, guint32 seed, double share, guint every, double wild)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    for (guint i = 0; i < measured->observations->len; i++) {
        Observation *o = g_ptr_array_index(measured->observations, i);
        o->time_ps *= fmax(0.1, 1 + share * normal(random));
        if (every > 0 && g_rand_int_range(random, 0, (gint32)every) == 0)
            o->time_ps *= wild;
    }
}
