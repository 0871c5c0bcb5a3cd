/* Scenarios as the tests write them. */
#pragma once

#include "sim/sweep/sweep.h"
#include "tests/support/tests.h"

/* Sets "KEY=VALUE" texts, NULL-terminated, as the options of the command line would; or all but one key. */
void set_options(Scenario *scenario, const char *const *options);
void set_options_but(Scenario *scenario, const char *const *options, const char *but);
void set_pairs(Scenario *scenario, const char *const *pairs);      /* as --set would */
void set_words(Scenario *scenario, const char *words);              /* with blanks between them */
#define OPTIONS(scenario, ...) set_options(scenario, (const char *const[]){__VA_ARGS__, NULL})

/* NULL with an error. */
Sweep *make_sweep(const char *const *pairs, GError **error);
