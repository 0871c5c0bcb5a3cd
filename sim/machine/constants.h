/* The constants of machines: the keys with the flag MACHINE_COST. The pricer counts them, and a fit looks for them.
 *
 * Required constants come first, constants that fall back to 0 last. Where a fit can't tell two constants apart, the
 * first of them gets the sum. */
#pragma once

#include "machine.h"

/* Returns the number of constants, at most MACHINE_KEYS_MAX. */
guint constants_count(void);
/* Returns the key of constant i < constants_count(). */
const MachineKey *constant_key(guint i);

/* Returns the index of the constant of that name, or -1. */
int constant_find(const char *name);

/* Returns the index of the constant that constant i replaces in short or long messages; -1 if i replaces none. */
int constant_replaced(guint i);

/* Whether constant i applies to the machine (machine_key_applies()). */
gboolean constant_is_used(const Machine *machine, guint i);

/* Whether the machine has no value for constant i: the constant does not apply. Always FALSE for constants of short or
 * long messages: they fall back to the constant that they replace. */
gboolean constant_is_missing(const Machine *machine, guint i);

/* Returns the field of constant i, whether it applies or not. Borrowed. */
gint64 *constant_field(Machine *machine, guint i);

/* Returns the value of constant i, in ps or fs per byte; 0 if it is missing. */
gint64 constant_get(const Machine *machine, guint i);
/* Sets constant i of `machine` to `value`, in ps or fs per byte. Does nothing if constant_is_missing(). */
void constant_set(Machine *machine, guint i, gint64 value);

/* Returns how many units of constant_get() are a picosecond, or a picosecond per byte: 1 or MACHINE_FS_PER_PS. */
gint64 constant_per_ps(guint i);
/* Returns the value of constant i, in ps or ps per byte; 0 if it is missing. The value must not be MACHINE_UNSET. */
double constant_ps(const Machine *machine, guint i);

/* Whether every machine file must give constant i. */
gboolean constant_is_required(guint i);

/* Whether constant i is a price per byte. */
gboolean constant_is_per_byte(guint i);

/* Returns the unit of constant i for people: "µs" or "µs/byte". Static. */
static inline const char *constant_unit(guint i)
{
    return constant_key(i)->unit;
}
