/* The file of rules that a tuning writes. A rule names the list, or the library, that is fastest from a block size on.
 * Comments say what each launch found. A further launch reads the file, measures its rules again, and writes it anew. A
 * rule stays only while every launch confirms it. A list may be faster just because of where one launch placed its
 * processes and their memory. */
#pragma once

#include "tuning.h"

#define TUNED_LAUNCHES 3        /* number of launches that should confirm a rule before users trust it */

/* A block size, and what the launches found for it. */
typedef struct {
    gint64 bytes;
    char *list;         /* list that every launch has confirmed; "library" if there is none */
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

/* Reads `text`, which tuned_text() has written. Refuses any other text, and a text with a rule that some launch has not
 * confirmed. `where` names the file in the error. Caller frees. */
Tuned *tuned_parse(const char *where, const char *text, GError **error);

/* Adds a launch to the file; `about` is one line on where and when it was. */
void tuned_add_launch(Tuned *tuned, const char *about);

/* Adds a size without findings in its place among the sizes, unless it is there; its list is "library". */
void tuned_add_size(Tuned *tuned, gint64 bytes);

/* Adds what the last launch found for size number `size`. lists[winner - 1] is the winner's list. The first launch
 * makes a rule; a later launch that does not confirm the rule ends it. */
void tuned_add_choice(Tuned *tuned, guint size, const TuningChoice *choice, const char *const *lists);

/* Whether the size has a list as its rule. */
gboolean tuned_is_rule(const TunedSize *size);

/* Returns the number of sizes that have a list as their rule. */
guint tuned_count_rules(const Tuned *tuned);

/* Returns how far the launches prove the rules, in one sentence without its stop. Caller frees. */
char *tuned_advice(const Tuned *tuned);

/* Returns the text of the file. A rule begins at a measured size. It holds up to the next measured size if both sizes
 * have the same list, else only at its own size. Caller frees. */
char *tuned_text(const Tuned *tuned);
