/* What a scenario asks for: the values of its keys, judged one by one.
 *
 * The functions are the `read` of the rows of keys.c, in whose order they are called: each may look at what those
 * before it have found. Errors, ECUBE_ERROR_INPUT, begin with the value's origin. */
#pragma once

#include "key.h"

typedef enum {
    SCENARIO_TIMED,     /* machine and bytes are needed; what the clock cannot count is left to run_check() */
    SCENARIO_FORMULA,   /* the same, but no algorithm */
    SCENARIO_DATA       /* data only: neither is needed; runs have no machine and 0 bytes */
} ScenarioUse;

struct Wish {
    ScenarioUse use;
    const Key *key;             /* that is being read */
    const Machine *machine;     /* borrowed; NULL in SCENARIO_DATA */
    gint64 packet;              /* 0: unlimited */
    gboolean optimal;           /* each run has a packet of its own, of at most that many bytes */
    gboolean n_port;
    const Pattern *pattern;
    gint64 dimension, element, source, idle;
    const Value *named, *cycles;    /* what the permutation is, while it is not known how many dimensions are idle */
    Permutation permutation;
    char permutation_name[RUN_PERMUTATION_MAX];     /* "": the pattern has none */
    Multiplication matmul;      /* of patterns that multiply; else all 0 */
    gboolean best_grid;         /* each algorithm has its own grid */
    GArray *bytes;              /* gint64 */
    GPtrArray *algorithms;      /* const Algorithm * */
    GPtrArray *inapplicable;    /* const char *, of each algorithm: the Run.refused of its runs */
    const char *refused;        /* of all runs */
    GArray *partitions;         /* Partition */
    GArray *accumulates;        /* gint64 */
    guint n_variants;           /* runs of one size */
};

void wish_init(Wish *wish, ScenarioUse use);
void wish_clear(Wish *wish);

/* The problem of an algorithm, without data and without what it alone takes. */
Problem wish_problem(const Wish *wish, const Algorithm *algorithm);

/* What an algorithm takes, given how matrices are broadcast. */
guint wish_takes(const Wish *wish, const Algorithm *algorithm);

/* The rule of --packet: "optimal", "unlimited" or a number of bytes. `value` is not optimal if it says so. */
gboolean wish_is_optimal(const Value *packet);
gboolean wish_check_packet(const Value *packet, GError **error);

/* An error if a value that a command needs is not there, or empty. */
gboolean wish_require(const Key *key, const Value *value, GError **error);

typedef gboolean WishRead(const Value *value, Wish *wish, GError **error);
WishRead wish_read_packet, wish_read_ports, wish_read_pattern, wish_read_dimension, wish_read_element, wish_read_source,
    wish_read_permutation, wish_read_cycles, wish_read_idle, wish_read_shape, wish_read_grid, wish_read_routing,
    wish_read_layout, wish_read_repeat, wish_read_overlap, wish_read_bytes, wish_read_algorithm, wish_read_partition,
    wish_read_accumulate;
