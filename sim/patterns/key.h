/* Keys of [run]: their rows of tables, and the values that users give. Patterns have tables of their own keys;
 * sim/run/keys.h has all keys. */
#pragma once

#include "run.h"
#include "sim/text/input.h"

typedef struct Key Key;
typedef struct Value Value;
typedef struct Request Request;

struct Value {
    char *text;
    char *origin;           /* place of the value, which begins messages: "--bytes", "my.ini: [run] bytes" */
    char *folder;           /* folder of the scenario file that gives the value; NULL: the command line gives it */
};

typedef enum { KEY_WORD, KEY_NUMBER, KEY_BOOLEAN, KEY_MACHINE, KEY_PATTERN, KEY_ALGORITHM } KeyKind;

/* When a text about a run has the run's value. */
typedef enum {
    KEY_UNLESS_DEFAULT,     /* if the run's pattern and algorithm take the key, and its value is not `none` (or
                             * Key.counts says so) */
    KEY_IF_TAKEN,           /* if the run's pattern and algorithm take the key */
    KEY_ALWAYS
} KeyWhen;

/* The words around a value in a text. */
typedef struct {
    const char *before, *after;
} KeyWords;

/* The part of a run's name that has the value. */
typedef enum {
    KEY_APART,                  /* no part of the name */
    KEY_SUBJECT,             /* the computed thing: " of 16x16x16 on 4x4" */
    KEY_HOW               /* the way in which it is computed: ", routing sbt" */
} KeyNaming;

/* One of the numbers of a value such as 16x8x4, as an axis of plots. */
typedef struct {
    const char *name;           /* name of the axis */
    guint at;                   /* index of the number in the value */
    gboolean per_processor;     /* the axis has the number divided by the number of processors */
} KeyNumber;

/* The form in which users give values of a key. */
typedef struct {
    char letter;                /* short name of the option; 0: the option has a long name only */
    const char *argument;       /* argument of the option; completion offers words in small letters between '|' */
    const char *separators;     /* characters between several values; NULL: those of key_separators() */
    gboolean is_list;           /* takes several values in every command; FALSE: in sweeps only, as an axis */
    const char *const *choices; /* names that completion offers, NULL-terminated; NULL: completion offers no names */
} KeyOption;

/* The key's column in the record and in tables. */
typedef struct {
    guint column;               /* number of the column in the record; 0: behind the results, as of newer keys */
    const char *heading;        /* heading of the column in tables for people; NULL: these have no such column */
    KeyWhen when;               /* when the column has the run's value; else the cell is empty */
} KeyRecord;

/* The key's part in the description of a run. */
typedef struct {
    guint order;                /* order in run_put_identity(); 0: behind all keys with a place */
    KeyNaming naming;
    KeyWords phrase;            /* words in run_put_identity(); NULL: ", NAME VALUE" */
    KeyWhen when;               /* when run_put_identity() has the run's value */
    gboolean counted;           /* texts for people have the length of a long list instead: key_for_people() */
} KeyText;

/* The key as an axis of sweeps and plots. */
typedef struct {
    KeyWords label;             /* words in the label of a curve; NULL: "NAME VALUE" */
    const char *title;          /* title of an axis with the key's values; NULL: NAME */
    const KeyNumber *numbers;   /* axes that plots may have; the last row has no name */
    const char *(*curve)(const char *value);    /* returns what values along one curve share, if x is a number in the
                                                 * value or the size of the machine: "column"; NULL: the value with "*"
                                                 * in place of the number */
} KeyAxis;

/* A row of a table of keys. Members that are left out (0, NULL) have a meaning: a new key needs its name, its texts,
 * and the functions that read and write its value. */
struct Key {
    const char *name;
    const char *former;         /* former name, as in older files; NULL: it has none */
    KeyKind kind;
    gboolean decimal;           /* a number with decimals */
    const char *help, *allowed;
    const char *fallback;       /* value if none is given; "": `read` finds it; NULL: a value must be given */
    const char *none;           /* value of a run that means "not set"; NULL: the fallback */
    gboolean of_times;          /* needed for times only */
    guint of_algorithm;         /* TAKES_... of the algorithms that take the key; 0: all algorithms take it */

    /* Reads the value of request->key (NULL: none is given) into the request, or refuses it. Some run of the scenario
     * takes the key, and the rows before it have been read. */
    gboolean (*read)(const Value *value, Request *request, GError **error);

    /* Appends the value of a run; NULL: runs do not have a value. */
    void (*put)(const Run *run, GString *out);

    gboolean (*counts)(const Run *run);     /* whether the run's value counts; NULL: it does unless it is `none` */
    KeyOption option;
    KeyRecord record;
    KeyText text;
    KeyAxis axis;
};

typedef enum {
    SCENARIO_TIMED,     /* needs a machine and bytes; run_check() refuses times that the clock cannot count */
    SCENARIO_FORMULA,   /* needs a machine and bytes, but no algorithm */
    SCENARIO_DATA       /* needs neither a machine nor bytes; runs have no machine and 0 bytes */
} ScenarioUse;

/* The runs that a scenario asks for, as far as its keys have been read: the keys are read in order. */
struct Request {
    ScenarioUse use;
    const Key *key;             /* the key that is being read */
    const Machine *machine;     /* borrowed; NULL in SCENARIO_DATA */
    gboolean on_cube;           /* whether the network of the machine is a cube; FALSE without a machine */
    const Machine *mesh;        /* the machine if its network is a mesh, also where no times are asked; or NULL */
    gint64 packet;              /* largest packet in bytes; 0: unlimited */
    gboolean optimal;           /* TRUE: each run has its own best packet, of at most `packet` bytes */
    Ports ports;
    guint rails;                /* machine_rails(ports) */
    Problem problem;            /* the problem of all runs, without the members for data and algorithm */
    gint64 element;             /* bytes of an element */
    const Value *earlier[2];    /* values that one key of the pattern keeps for a later key */
    const Value *sized;         /* value of a key of the pattern that gives the size of the runs, and `bytes` must not
                                 * be given; NULL: `bytes` gives it */
    gint64 sized_bytes;         /* that size; else 0 */
    gboolean left_open;         /* TRUE: the grid is chosen for each algorithm, by PatternTheory.complete */
    GArray *bytes;              /* gint64: sizes of the runs */
    GPtrArray *algorithms;      /* const Algorithm *: algorithms of the runs */
    GPtrArray *inapplicable;    /* const char *, [algorithm]: reason why it does not apply (Run.refused) or NULL */
    const char *refused;        /* reason why no run can be done, whatever the algorithm (Run.refused); or NULL */
    GArray *partitions;         /* Phases: partitions of the runs */
    GPtrArray *offsets;         /* const char *, interned: lists of offsets of the runs */
    GArray *accumulates;        /* gint64: values of the key accumulate of the runs */
    guint n_variants;           /* number of runs of each size */
};

/* Reads a number from `min` to `max`; `*number` is `fallback` if `value` is NULL. */
static inline gboolean value_count(const Value *value, gint64 min, gint64 max, gint64 fallback, gint64 *number,
                                   GError **error)
{
    *number = fallback;
    return !value || input_parse_count(value->origin, value->text, min, max, number, error);
}

static inline gboolean request_check_size(const Request *request, guint n_nodes, GError **error)
{
    const Machine *machine = request->machine ? request->machine : request->mesh;
    return !machine || machine_check_size(machine, n_nodes, error);
}

/* Returns the network of the request's processors; without a machine one that has no class. */
static inline Topology request_topology(const Request *request)
{
    const Machine *machine = request->machine ? request->machine : request->mesh;
    return machine ? machine_topology(machine, problem_n_nodes(&request->problem)) : (Topology){0};
}

/* Returns `path`, which the value gives; in a scenario file it is relative to the file's folder. Caller frees. */
static inline char *value_path(const Value *value, const char *path)
{
    return value->folder && !g_path_is_absolute(path) ? g_build_filename(value->folder, path, NULL) : g_strdup(path);
}

static inline const char *key_separators(const Key *key)
{
    return key->option.separators ? key->option.separators : ",; \t";
}
