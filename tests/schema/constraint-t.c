/* The table of constraints: sorted, and of operators, attributes and inputs that exist. */
#include <string.h>

#include "schema/constraint.h"
#include "tests/tap/tap.h"

static bool schema_has(const struct schema *schema, const struct constraint *row, const char *name)
{
    if (!constraint_holds(row, schema))
        return false;
    if (row->kind < CONSTRAINT_RANK)
        return schema_attribute_find(schema, name) != NULL;
    for (uint16_t i = 0; i < schema->input_count; i++)
        if (strcmp(schema->inputs[i].name, name) == 0)
            return true;
    return false;
}

/* Some version of the operator has the attribute or input. */
static bool exists(const struct constraint *row, const char *name)
{
    uint32_t count;
    const struct schema *all = schema_all(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(all[i].op_type, row->op_type) == 0 && schema_has(&all[i], row, name))
            return true;
    return false;
}

int main(void)
{
    size_t count;
    const struct constraint *rows = constraint_all(&count);
    const char *unsorted = NULL, *unknown = NULL;
    for (size_t i = 0; i < count; i++) {
        bool pair =
            rows[i].kind == CONSTRAINT_AS_LONG || rows[i].kind == CONSTRAINT_NEEDS || rows[i].kind == CONSTRAINT_SAME;
        if (i > 0 && strcmp(rows[i - 1].op_type, rows[i].op_type) > 0)
            unsorted = rows[i].op_type;
        if (rows[i].subject && !exists(&rows[i], rows[i].subject))
            unknown = rows[i].subject;
        if (pair && !exists(&rows[i], rows[i].words))
            unknown = rows[i].words;
    }
    is_string(NULL, unsorted, "rows are sorted by operator");
    is_string(NULL, unknown, "each names what some version of its operator has");
    size_t found;
    is_string("Trilu", constraints_find("Trilu", &found)->op_type, "an operator's rows are found");
    is_int(2, (int64_t)found, "all of them");
    ok(constraints_find("Abs", &found) == NULL, "an operator without rows has none");
    return done();
}
