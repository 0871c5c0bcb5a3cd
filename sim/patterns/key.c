#include "key.h"
#include "sim/text/input.h"

gboolean value_count(const Value *value, gint64 min, gint64 max, gint64 fallback, gint64 *number, GError **error)
{
    *number = fallback;
    return !value || input_parse_count(value->origin, value->text, min, max, number, error);
}
