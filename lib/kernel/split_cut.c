/* Reads axis, dim and lengths of a Split node's draft. */
#include "kernel/split_cut.h"

enum opshift_status split_cut(const struct draft *draft, struct split_cut *cut, struct opshift_error *error)
{
    *cut = (struct split_cut){.axis_known = true, .rank = -1, .dim = -1};
    struct draft_int given;
    enum opshift_status status = draft_int_read(draft, "axis", &given, error);
    if (status)
        return status;
    /* A call that omits the attribute omits it in the node: the default holds for that call only. */
    cut->axis_known = given.known || !given.given;
    cut->axis = given.value;
    const struct draft_attribute *axis = draft_attribute_find(draft, "axis");
    cut->axis_reference = axis && axis->message->has_ref_attr_name;
    if (draft->input_count == 0 || draft->inputs[0].kind != VALUE_NAME)
        return OPSHIFT_OK;
    struct value_type type;
    status = draft_type(draft, draft->inputs[0].name, &type, error);
    if (status)
        return status;
    cut->type = type.type;
    cut->rank = type.rank;
    if (!cut->axis_known || cut->axis < -type.rank || cut->axis >= type.rank)
        return OPSHIFT_OK;
    int32_t cut_at = (int32_t)(cut->axis < 0 ? cut->axis + type.rank : cut->axis);
    if (type.dims[cut_at] >= 0)
        draft_relies(draft, draft->inputs[0].name, RELIES_ON_SHAPE);
    cut->dim = type.dims[cut_at];
    return OPSHIFT_OK;
}

int64_t split_chunk(int64_t dim, int64_t parts)
{
    return dim / parts + (dim % parts != 0);
}

int64_t split_last(int64_t dim, int64_t parts)
{
    int64_t chunk = split_chunk(dim, parts);
    /* chunk * (parts - 1) <= dim + parts, both int64: no overflow where parts <= INT32_MAX, which arity ensures. */
    return dim - chunk * (parts - 1);
}
