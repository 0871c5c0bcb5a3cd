/* The keys of [run]: the one table from which come the options of commands and their help, the keys of scenario files
 * and of --set, the axes of sweeps and their order, the inputs of records, the identity of runs, the labels of plots,
 * `ecube list keys` and completion. A new key is a row. */
#pragma once

#include "sim/patterns/key.h"

/* The rows, in the order in which they vary in a sweep, the slowest first. Borrowed, static. */
guint keys_count(void);
const Key *keys_nth(guint i);

/* The key of that name, or NULL. */
const Key *keys_find(const char *name);

/* The rows that runs have a value of, in the order of the record, those behind the results last, NULL-terminated.
 * Borrowed, static. */
const Key *const *keys_of_runs(void);

/* Whether the key is one of the machine's as well: what it is set to is among the overrides of a machine. */
gboolean key_is_of_machine(const Key *key);

/* Whether a pattern, and an algorithm that takes `takes` (algorithm_takes()), take the key. */
gboolean key_is_taken(const Key *key, const Pattern *pattern, guint takes);
#define TAKES_ANYTHING G_MAXUINT

/* "the pattern permutation", "the algorithms a, b", "all patterns but matmul": what takes the key; "" if all
 * do. `of_routing`: algorithms are called routings. Caller frees. */
char *key_takers(const Key *key, gboolean of_routing);

/* What the key means, and its default; and what is allowed, and how several values are separated. Caller frees. */
char *key_help(const Key *key);
char *key_allowed(const Key *key);

/* What says how much data the run is about: bytes, or shape. */
const Key *key_of_size(const Run *run);

/* What the record of a run has in the column of the key, of keys_of_runs(); NULL: it does not apply. Caller frees. */
char *key_shown(const Key *key, const Run *run);

/* A value as people see it: a long list as "k = 23", how many there are in it. Caller frees. */
char *key_for_people(const Key *key, const char *value);

/* The order of a sweep's points in words: "machine, [machine], pattern, ...", where [machine] are its
 * keys as they are listed. Caller frees. */
char *keys_order(void);

/* "multiphase 3,3, d = 6, 32 bytes". Caller frees. */
char *run_describe(const Run *run);

/* Appends the same with everything else that tells the run from others on the same machine. */
void run_put_identity(const Run *run, GString *out);

/* Appends what the pattern's own keys say of the run: " of 16x16x16 on 4x4", or ", routing sbt, layout cyclic". */
void run_put_named(const Run *run, KeyNaming naming, GString *out);

/* The problem of an algorithm, without data and without what it alone takes; and what it takes, given how matrices are
 * broadcast. */
Problem wish_problem(const Wish *wish, const Algorithm *algorithm);
guint wish_takes(const Wish *wish, const Algorithm *algorithm);

/* The rule of --packet: "optimal", "unlimited" or a number of bytes. */
gboolean wish_is_optimal(const Value *packet);
gboolean wish_check_packet(const Value *packet, GError **error);
