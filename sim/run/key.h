/* A key of [run]: what its row of the table (keys.h) says, and a value that somebody has given it. */
#pragma once

#include "run.h"

typedef struct {
    char *text;
    char *origin;           /* begins messages: "--bytes", "my.ini: [run] bytes" */
    char *folder;           /* of the scenario file it is from; NULL: from the command line */
} Value;

typedef enum { KEY_WORD, KEY_NUMBER, KEY_BOOLEAN, KEY_MACHINE, KEY_PATTERN, KEY_ALGORITHM, KEY_PERMUTATION } KeyKind;

/* When a run's value is told. */
typedef enum {
    KEY_UNLESS_DEFAULT,     /* if it counts */
    KEY_IF_TAKEN,           /* if the run's pattern and algorithm take the key */
    KEY_ALWAYS
} KeyWhen;

/* What stands around a value where it is told. */
typedef struct {
    const char *before, *after;
} KeyWords;

typedef struct Key Key;
typedef struct Wish Wish;

/* What is left out (0, NULL) has a meaning: a new key needs its name, its texts, and the functions that read and tell
 * it. */
struct Key {
    const char *name;
    KeyKind kind;
    char letter;                /* of the option, or 0 */
    const char *argument;       /* of the option; words in small letters between '|' are offered by completion */
    const char *help, *allowed;
    const char *fallback;       /* what holds if it is not given; "": see `read`; NULL: it must be given */
    const char *none;           /* what a run's value is that does not count; NULL: the fallback */
    gboolean of_times;          /* needed for times only */
    const char *separators;     /* between several values; NULL: key_separators() */
    gboolean is_list;           /* takes several values in every command; else only in a sweep, as an axis */
    enum { KEY_OF_ALL, KEY_OF_ROOTED, KEY_OF_PERMUTING, KEY_OF_MULTIPLYING, KEY_OF_SIZED } of_pattern;
                                /* the patterns that take it; sized: those that do not multiply */
    guint of_algorithm;         /* what the algorithms that take it take, TAKES_...; 0: all take it */

    /* Judges the value, NULL if it is not given, of wish->key, which is taken. The rows before have been read. */
    gboolean (*read)(const Value *value, Wish *wish, GError **error);

    /* Appends the value of a run; NULL: runs do not have it. */
    void (*put)(const Run *run, GString *out);

    guint column;               /* its place in the record; 0: behind the results, where files of old have nothing */
    const char *heading;        /* of that column in tables for people; NULL: not shown there */
    KeyWhen shown;              /* what it does not apply to has nothing in that column */
    guint place;                /* in run_put_identity(); 0: behind those that have one */
    KeyWords told;              /* there; nothing: ", NAME VALUE" */
    KeyWhen when_told;
    KeyWords label;             /* in the label of a curve; nothing: "NAME VALUE" */
    const char *axis_title;     /* of a plot over it; NULL: NAME */
};

static inline const char *key_separators(const Key *key)
{
    return key->separators ? key->separators : ",; \t";
}
