/* A key of [run]: what its row of a table says, and a value that somebody has given it. Patterns have tables of their
 * own keys; sim/run/keys.h has them all. */
#pragma once

#include "run.h"
#include "sim/text/input.h"

struct Value {
    char *text;
    char *origin;           /* begins messages: "--bytes", "my.ini: [run] bytes" */
    char *folder;           /* of the scenario file it is from; NULL: from the command line */
};

typedef enum { KEY_WORD, KEY_NUMBER, KEY_BOOLEAN, KEY_MACHINE, KEY_PATTERN, KEY_ALGORITHM } KeyKind;

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

/* Where the value stands in the name of a run. */
typedef enum {
    KEY_APART,
    KEY_OF_SUBJECT,             /* what is computed: " of 16x16x16 on 4x4" */
    KEY_OF_MANNER               /* and how: ", routing sbt" */
} KeyNaming;

/* One of the numbers of a value as 16x8x4, whole or for each processor. */
typedef struct {
    const char *name;
    guint at;
    gboolean per_processor;
} KeyNumber;

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
    gboolean decimal;           /* a number with decimals */
    const char *separators;     /* between several values; NULL: key_separators() */
    gboolean is_list;           /* takes several values in every command; else only in a sweep, as an axis */
    const char *const *choices; /* names that completion offers, NULL-terminated; NULL: none */
    guint of_algorithm;         /* what the algorithms that take it take, TAKES_...; 0: all take it */

    /* Judges the value, NULL if it is not given, of wish->key, which is taken. The rows before have been read. */
    gboolean (*read)(const Value *value, Wish *wish, GError **error);

    /* Appends the value of a run; NULL: runs do not have it. */
    void (*put)(const Run *run, GString *out);

    guint column;               /* its place in the record; 0: behind the results, where files of old have nothing */
    const char *heading;        /* of that column in tables for people; NULL: not shown there */
    gboolean counted;           /* people see of a long list how many there are: key_for_people() */
    gboolean (*counts)(const Run *run);     /* whether a run's value is to be told; NULL: unless it is `none` */
    KeyWhen shown;              /* what it does not apply to has nothing in that column */
    guint place;                /* in run_put_identity(); 0: behind those that have one */
    KeyNaming naming;
    KeyWords told;              /* there; nothing: ", NAME VALUE" */
    KeyWhen when_told;
    KeyWords label;             /* in the label of a curve; nothing: "NAME VALUE" */
    const char *axis_title;     /* of a plot over it; NULL: NAME */
    const KeyNumber *numbers;   /* that plots may have across; the last one has no name */
    const char *(*curve)(const char *value);    /* what tells curves over numbers or sizes apart; NULL: all else */
};

typedef enum {
    SCENARIO_TIMED,     /* machine and bytes are needed; what the clock cannot count is left to run_check() */
    SCENARIO_FORMULA,   /* the same, but no algorithm */
    SCENARIO_DATA       /* data only: neither is needed; runs have no machine and 0 bytes */
} ScenarioUse;

/* What a scenario asks for, while its keys are read one after another: each may look at what those before it found. */
struct Wish {
    ScenarioUse use;
    const Key *key;             /* that is being read */
    const Machine *machine;     /* borrowed; NULL in SCENARIO_DATA */
    gboolean on_cube;           /* the network of the machine, if there is one, is a cube */
    gint64 packet;              /* 0: unlimited */
    gboolean optimal;           /* each run has a packet of its own, of at most that many bytes */
    gboolean n_port;
    guint rails;
    Problem problem;            /* of all runs, without what depends on the algorithm, and without data */
    gint64 element;
    const Value *earlier[2];    /* values that a later key of the pattern judges */
    gboolean left_open;         /* the pattern chooses something for each algorithm: Pattern.complete */
    GArray *bytes;              /* gint64 */
    GPtrArray *algorithms;      /* const Algorithm * */
    GPtrArray *inapplicable;    /* const char *, of each algorithm: the Run.refused of its runs */
    const char *refused;        /* of all runs */
    GArray *partitions;         /* Partition */
    GPtrArray *offsets;         /* const char *, interned */
    GArray *accumulates;        /* gint64 */
    guint n_variants;           /* runs of one size */
};

/* A number from `min` to `max`; `fallback` if none is given. */
static inline gboolean value_count(const Value *value, gint64 min, gint64 max, gint64 fallback, gint64 *number,
                                   GError **error)
{
    *number = fallback;
    return !value || input_parse_count(value->origin, value->text, min, max, number, error);
}

static inline const char *key_separators(const Key *key)
{
    return key->separators ? key->separators : ",; \t";
}
