/* The file of rules that a tuning writes, with what each launch found in comments. Another launch reads it, confirms
 * its rules afresh, and writes it again. A rule stays as long as every launch confirms it: where a launch places its
 * processes and their memory may make a list faster for as long as they live. */
#pragma once

#include "tuning.h"

#define TUNED_LAUNCHES 3        /* launches that a rule should have been confirmed by */

/* A block size. */
typedef struct {
    gint64 bytes;
    char *list;         /* list that every launch has confirmed; "library": none is left */
    GString *findings;  /* comment lines: what each launch found */
    GArray *saved;      /* double: per cent of the library's time that the list saved in each launch */
} TunedSize;

typedef struct {
    guint n_ranks, n_launches;
    GString *launches;  /* comment lines: where and when each launch was */
    GArray *sizes;      /* TunedSize, in ascending order */
} Tuned;

/* Returns a file for `n_ranks` ranks without launches and sizes. Caller frees with tuned_free(). */
Tuned *tuned_new(guint n_ranks);
void tuned_free(Tuned *tuned);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Tuned, tuned_free)

/* Reads `text`, which tuned_text() has written. Refuses text that was not, or of whose rules some were not confirmed by
 * every launch. `where` names the file in the error. Caller frees. */
Tuned *tuned_parse(const char *where, const char *text, GError **error);

/* Counts a launch; `about` says where and when it was, in one line. */
void tuned_add_launch(Tuned *tuned, const char *about);

/* Appends a size to a file of one launch. */
void tuned_add_size(Tuned *tuned, gint64 bytes);

/* Adds what the last launch found for size number `size`. `lists` [winner - 1] are the names of the candidates. The
 * first launch makes a rule; a later one that does not confirm it ends it. */
void tuned_add_choice(Tuned *tuned, guint size, const TuningChoice *choice, const char *const *lists);

/* Whether the size has a list as its rule. */
gboolean tuned_is_rule(const TunedSize *size);

/* Returns the number of sizes that have a list as their rule. */
guint tuned_count_rules(const Tuned *tuned);

/* Returns how far the launches prove the rules, in one sentence without its stop. Caller frees. */
char *tuned_advice(const Tuned *tuned);

/* Returns the file. A list is a rule from a size on that was measured, up to the next one if that has the same list.
 * Caller frees. */
char *tuned_text(const Tuned *tuned);
