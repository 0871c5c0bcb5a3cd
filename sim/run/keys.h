/* The keys of [run]: the one table from which come the options of commands and their help, the keys of scenario files
 * and of --set, the axes of sweeps and their order, the inputs of records, the identity of runs, the labels of plots,
 * `ecube list keys` and completion. A new key is a row. */
#pragma once

#include "key.h"

/* The rows, in the order in which they vary in a sweep, the slowest first. Borrowed, static. */
guint keys_count(void);
const Key *keys_nth(guint i);

/* The key of that name, or NULL. */
const Key *keys_find(const char *name);

/* The rows that runs have a value of, in the order of the record, NULL-terminated. Borrowed, static. */
const Key *const *keys_of_runs(void);

/* Whether the key is one of the machine's as well: what it is set to is among the overrides of a machine. */
gboolean key_is_of_machine(const Key *key);

/* Whether pattern and algorithm take the key. An algorithm of NULL: whether the pattern does. */
gboolean key_is_taken(const Key *key, const Pattern *pattern, const Algorithm *algorithm);

/* "the pattern permutation", "the algorithms a, b": who takes the key; "" if everybody does. Caller frees. */
char *key_takers(const Key *key);

/* What the key means, and its default; and what is allowed, and how several values are separated. Caller frees. */
char *key_help(const Key *key);
char *key_allowed(const Key *key);

/* What the record of a run has in the column of the key, of keys_of_runs(); NULL: it does not apply. Caller frees. */
char *key_shown(const Key *key, const Run *run);

/* The order of a sweep's points in words: "machine, [machine], pattern, ...", where [machine] are its
 * keys as they are listed. Caller frees. */
char *keys_order(void);

/* "multiphase 3,3, d = 6, 32 bytes". Caller frees. */
char *run_describe(const Run *run);

/* Appends the same with everything else that tells the run from others on the same machine. */
void run_put_identity(const Run *run, GString *out);
