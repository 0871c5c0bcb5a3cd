/* The keys of [run] in one table. The table makes the options of commands and their help, the keys of scenario files
 * and of --set, the axes of sweeps and their order, the inputs of records, the identity of runs, the labels of plots,
 * `ecube list keys` and completion. A new key is a row. */
#pragma once

#include "sim/patterns/key.h"

/* Return the number of rows, and row i (NULL behind the last) in the order in which the keys vary in a sweep, the
 * slowest first. Borrowed, static. */
guint keys_count(void);
const Key *keys_nth(guint i);

/* Returns the key of that name or former name, or NULL. Borrowed, static. */
const Key *keys_find(const char *name);

/* Returns the keys with a value in runs, in the order of the record, NULL-terminated. Keys that stand behind the
 * results come last. Borrowed, static. */
const Key *const *keys_of_runs(void);

/* Whether the key is also a key of [machine]. Its value then belongs to scenario_overrides(). */
gboolean key_is_of_machine(const Key *key);

/* Whether the pattern takes the key, and so does an algorithm with the flags `takes` (algorithm_takes()). */
gboolean key_is_taken(const Key *key, const Pattern *pattern, guint takes);
#define TAKES_ANYTHING G_MAXUINT

/* Returns the patterns or algorithms that take the key: "the pattern permutation", "the algorithms a, b", "all patterns
 * but matmul"; "" if all take it. With `of_routing` algorithms are called routings. Caller frees. */
char *key_takers(const Key *key, gboolean of_routing);

/* Return the meaning of the key with its default; and its allowed values, with the separators where it takes several.
 * Caller frees. */
char *key_help(const Key *key);
char *key_allowed(const Key *key);

/* Returns the key that gives the amount of data: bytes, or the pattern's size_key. Borrowed, static. */
const Key *key_of_size(const Run *run);

/* Returns the run's value in the key's column of the record; NULL: KeyRecord.when does not hold for the run. `key` must
 * be one of keys_of_runs(). Caller frees. */
char *key_shown(const Key *key, const Run *run);

/* Returns `value` as it stands in texts for people. With KeyText.counted a list of more than 48 characters is
 * replaced by its length: "k = 23". Caller frees. */
char *key_for_people(const Key *key, const char *value);

/* Returns the order of a sweep's points in words: "machine, [machine], pattern, ...", where [machine] stands for the
 * keys of machines in the order of their list. Caller frees. */
char *keys_order(void);

/* Returns a description of the run: "multiphase 3,3, d = 6, 32 bytes". Caller frees. */
char *run_describe(const Run *run);

/* Appends the description of the run with all further keys that distinguish it from other runs on the same machine. */
void run_put_identity(const Run *run, GString *out);

/* Appends the run's values of the keys with this `naming`: " of 16x16x16 on 4x4" or ", routing sbt, layout cyclic". */
void run_put_named(const Run *run, KeyNaming naming, GString *out);
