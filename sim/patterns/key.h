/* Keys of the section [run] of scenarios: the row that declares a key, and the value that a user gives it. Each
 * pattern has a table of its own keys; sim/run/keys.h has the keys of all patterns. */
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

/* Condition under which a text or table about a run shows the run's value of a key. */
typedef enum {
    KEY_UNLESS_DEFAULT,     /* shown if the run's pattern and algorithm take the key, and the value counts: by
                             * Key.counts, or if that is NULL, if the value is not Key.none */
    KEY_IF_TAKEN,           /* shown if the run's pattern and algorithm take the key */
    KEY_ALWAYS
} KeyWhen;

/* The words around a value in a text. */
typedef struct {
    const char *before, *after;
} KeyWords;

/* Place of a key's value in the name of a run. */
typedef enum {
    KEY_APART,                  /* the name does not have the value */
    KEY_SUBJECT,             /* the value is in the words for what is computed: " of 16x16x16 on 4x4" */
    KEY_HOW               /* the value is in the words for how it is computed: ", routing sbt" */
} KeyNaming;

/* Axis of plots that shows one number of a key's value, as of 16x8x4. */
typedef struct {
    const char *name;           /* name of the axis */
    guint at;                   /* index of the number in the value */
    gboolean per_processor;     /* TRUE: the axis shows the number divided by the number of processors */
} KeyNumber;

/* The form in which users give values of a key. */
typedef struct {
    char letter;                /* short name of the option; 0: the option has a long name only */
    const char *argument;       /* placeholder of the value in help; completion offers its lower-case words between
                                 * '|' */
    const char *separators;     /* characters that separate several values; NULL: ",; \t" */
    gboolean is_list;           /* TRUE: also a command without a sweep takes several values; FALSE: only sweeps do,
                                 * as an axis */
    const char *const *choices; /* names that completion offers beside those of Key.kind and `argument`,
                                 * NULL-terminated; NULL: there are none */
} KeyOption;

/* The key's column in the record and in tables. */
typedef struct {
    guint column;               /* number of the column in the record; 0: the column stands behind those of the results,
                                 * as columns of newer keys do */
    const char *heading;        /* heading of the column in tables for people; NULL: these have no such column */
    KeyWhen when;               /* condition under which the column has the run's value; else the cell is empty */
} KeyRecord;

/* The key's part in the description of a run. */
typedef struct {
    guint order;                /* rank of the key in run_put_identity(), keys of equal rank in the table's order; 0:
                                 * after all keys that have a rank */
    KeyNaming naming;
    KeyWords phrase;            /* words around the value in run_put_identity(); NULL: ", NAME VALUE", or nothing for a
                                 * machine and its keys */
    KeyWhen when;               /* condition under which run_put_identity() writes the run's value */
    gboolean counted;           /* TRUE: texts for people show a long list by its length alone (key_for_people()) */
} KeyText;

/* The key as an axis of sweeps and plots. */
typedef struct {
    KeyWords label;             /* words in the label of a curve; NULL: "NAME VALUE" */
    const char *title;          /* title of an axis with the key's values; NULL: NAME */
    const KeyNumber *numbers;   /* axes for the numbers of a value; the last row has no name. Along such an x axis the
                                 * values of a curve share the other numbers, "*x8x4", or with a `curve` nothing.
                                 * NULL: a value has no such numbers */
    const char *(*curve)(const char *value);    /* returns the part that the values along one curve share, as
                                                 * "column", if the x axis is the machine's size or another key's
                                                 * number; NULL: they share the whole value */
} KeyAxis;

/* Row of a table of keys. A member that is left out (0, NULL) has the meaning given at it. A new key needs a name,
 * its texts, and the functions that read and write a value. */
struct Key {
    const char *name;
    const char *former;         /* former name, as in older files; NULL: it has none */
    KeyKind kind;
    gboolean decimal;           /* whether the number may have decimals */
    const char *help, *allowed;
    const char *fallback;       /* value of the key if the user gives none, as texts show it; "": `read` finds the
                                 * value; NULL: the user must give one */
    const char *none;           /* value of a run that means "not set"; NULL: the fallback */
    gboolean of_times;          /* whether the key is needed for times only: it may be left out where no times are
                                 * asked for */
    guint of_algorithm;         /* TAKES_... of the algorithms that take the key; 0: all algorithms take it */

    /* Reads `value` of request->key into the request; NULL: the user gives none. FALSE with an error if the value is
     * not allowed. Rows are read in order, and only if the pattern takes the key. A key of algorithms that is a list
     * (option.is_list) is read only if one of the algorithms takes it. */
    gboolean (*read)(const Value *value, Request *request, GError **error);

    /* Appends the run's value to `out`. NULL: runs have no value of the key. */
    void (*put)(const Run *run, GString *out);

    gboolean (*counts)(const Run *run);     /* whether the run's value makes a difference, so that texts show it; NULL:
                                             * it does unless it is `none` */
    KeyOption option;
    KeyRecord record;
    KeyText text;
    KeyAxis axis;
};

typedef enum {
    SCENARIO_TIMED,     /* needs a machine and bytes; run_check() refuses times that the clock cannot count */
    SCENARIO_FORMULA,   /* needs a machine and bytes, but no algorithm */
    SCENARIO_DATA       /* needs neither a machine nor bytes; runs have no machine, and few or 0 bytes if the user
                         * gives none */
} ScenarioUse;

/* The runs that a scenario asks for. Keys are read in the order of their tables, and the `read` of each fills in
 * members. */
struct Request {
    ScenarioUse use;
    const Key *key;             /* the key that is being read */
    const Machine *machine;     /* borrowed; NULL in SCENARIO_DATA */
    gboolean on_cube;           /* whether the network of the machine is a cube, also in SCENARIO_DATA; FALSE: it is
                                 * none, or there is no machine */
    const Machine *mesh;        /* machine whose network is a mesh, also in SCENARIO_DATA; NULL: the network is no
                                 * mesh */
    gint64 packet;              /* largest packet in bytes; 0: unlimited */
    gboolean optimal;           /* TRUE: each run has its own best packet, of at most `packet` bytes */
    Ports ports;
    guint rails;                /* machine_rails(ports) */
    Problem problem;            /* the problem of all runs, without the members for data and algorithm */
    gint64 element;             /* bytes of an element */
    const Value *earlier[2];    /* values of keys of the pattern, kept by their `read` until that of a later key needs
                                 * them */
    const Value *sized;         /* value of another key that gives the size of the runs, so that `bytes` must not be
                                 * given; NULL: `bytes` gives the size */
    gint64 sized_bytes;         /* size in bytes that `sized` gives; 0 if `sized` is NULL */
    gboolean left_open;         /* TRUE: PatternTheory.complete chooses a grid for each algorithm */
    GArray *bytes;              /* gint64: sizes of the runs */
    GPtrArray *algorithms;      /* const Algorithm *: algorithms of the runs */
    GPtrArray *inapplicable;    /* const char *, [algorithm]: reason why the algorithm does not apply (Run.refused) or
                                 * NULL */
    const char *refused;        /* reason why no run can be done, whatever the algorithm (Run.refused); or NULL */
    GArray *partitions;         /* Phases: partitions of the runs */
    GPtrArray *offsets;         /* const char *, interned: lists of offsets of the runs */
    GArray *accumulates;        /* gint64: values of the key accumulate of the runs */
    guint n_variants;           /* number of runs of each size */
};

/* Reads a whole number from `min` to `max`; `*number` is `fallback` if `value` is NULL. FALSE with an error. */
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

/* Returns the network of the request's processors. Without a machine its class is NULL. */
static inline Topology request_topology(const Request *request)
{
    const Machine *machine = request->machine ? request->machine : request->mesh;
    return machine ? machine_topology(machine, problem_n_nodes(&request->problem)) : (Topology){0};
}

/* Returns the path of the file that a value names by `path`. If a scenario file gives the value, `path` is relative
 * to that file's folder. Caller frees. */
static inline char *value_path(const Value *value, const char *path)
{
    return value->folder && !g_path_is_absolute(path) ? g_build_filename(value->folder, path, NULL) : g_strdup(path);
}

static inline const char *key_separators(const Key *key)
{
    return key->option.separators ? key->option.separators : ",; \t";
}
