#include "axes.h"
#include "sim/text/input.h"
#include "range.h"

/* A key that may vary, and its values. */
typedef struct {
    const char *key;
    guint row;              /* of the keys; the machine's keys count as the machine */
    Values *values;
    guint at;               /* the one that the scenario has */
} Axis;

struct Axes {
    Scenario *scenario;
    GArray *axes;           /* Axis, the slowest first */
    guint n;
};

static void axis_clear(gpointer data)
{
    values_free(((Axis *)data)->values);
}

void axes_free(Axes *axes)
{
    scenario_free(axes->scenario);
    g_array_unref(axes->axes);
    g_free(axes);
}

/* Adds the axis of `key`, unless it is not set. */
static gboolean add_axis(Axes *axes, const char *key, guint row, const char *separators, RangeKind kind, GError **error)
{
    const Value *value = scenario_value(axes->scenario, key);
    if (!value || *value->text == '\0')     /* the judge will say what is missing */
        return TRUE;
    Axis axis = {key, row, values_new(value->origin, value->text, separators, kind, error), 0};
    if (!axis.values)
        return FALSE;
    g_array_append_val(axes->axes, axis);
    guint64 n = (guint64)axes->n * values_count(axis.values);
    if (n > SCENARIO_RUNS_MAX)
        return input_refuse(error, "%s: its values make %" G_GUINT64_FORMAT " or more runs; allowed: at most %d",
                            value->origin, n, SCENARIO_RUNS_MAX);
    axes->n = (guint)n;
    g_autofree char *first = values_nth(axis.values, 0);
    scenario_replace(axes->scenario, key, first);
    return TRUE;
}

static gboolean add_axes_of_machine(Axes *axes, guint row, GError **error)
{
    for (const MachineKey *key = machine_keys; key->name; key++) {
        RangeKind kind = key->kind == MACHINE_TIME    ? RANGE_DECIMAL
                         : key->kind == MACHINE_BYTES ? RANGE_WHOLE
                                                      : RANGE_NONE;
        if (!add_axis(axes, key->name, row, ",; \t", kind, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean add_axes(Axes *axes, GError **error)
{
    for (guint i = 0; i < keys_count(); i++) {
        const Key *key = keys_nth(i);
        RangeKind kind = key->kind == KEY_NUMBER ? RANGE_WHOLE : RANGE_NONE;
        gboolean is_axis = !key->is_list && !key_is_of_machine(key);
        if (is_axis && !add_axis(axes, key->name, i, key_separators(key), kind, error))
            return FALSE;
        if (key->kind == KEY_MACHINE && !add_axes_of_machine(axes, i, error))
            return FALSE;
    }
    return TRUE;
}

Axes *axes_new(const Scenario *scenario, GError **error)
{
    g_autoptr(Axes) axes = g_new0(Axes, 1);
    axes->scenario = scenario_copy(scenario);
    axes->axes = g_array_new(FALSE, FALSE, sizeof(Axis));
    g_array_set_clear_func(axes->axes, axis_clear);
    axes->n = 1;
    return add_axes(axes, error) ? g_steal_pointer(&axes) : NULL;
}

guint axes_count(const Axes *axes)
{
    return axes->n;
}

const Scenario *axes_scenario(Axes *axes, guint i, guint *first)
{
    guint changed = keys_count();
    for (guint a = axes->axes->len; a > 0; a--) {
        Axis *axis = &g_array_index(axes->axes, Axis, a - 1);
        guint n = values_count(axis->values), at = i % n;
        i /= n;
        if (at == axis->at)
            continue;
        g_autofree char *text = values_nth(axis->values, at);
        scenario_replace(axes->scenario, axis->key, text);
        axis->at = at;
        changed = axis->row;
    }
    if (first)
        *first = changed;
    return axes->scenario;
}
