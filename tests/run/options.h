/* Scenarios as the tests write them. */
#pragma once

#include "sim/run/scenario.h"
#include "tests/support/tests.h"

/* Sets "KEY=VALUE" texts, NULL-terminated, as the options of the command line would; or all but one key. */
void set_options(Scenario *scenario, const char *const *options);
void set_options_but(Scenario *scenario, const char *const *options, const char *but);
#define OPTIONS(scenario, ...) set_options(scenario, (const char *const[]){__VA_ARGS__, NULL})
