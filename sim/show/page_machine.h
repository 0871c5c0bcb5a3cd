/* The machine of a page: its constants, with units and where they are from. */
#pragma once

#include "sim/machine/machine.h"

/* Appends the member "machine". Where a constant is from stands in the comment above it in the machine's file; what
 * `overrides` (scenario_overrides()) has is from nowhere else. A file that can no longer be read tells nothing. */
void page_add_machine(GString *json, const Machine *machine, const char *overrides);
