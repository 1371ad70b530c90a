/* SPL: is a Split node valid at its opset? Form first, then types, then the axis, then the lengths. */
#include "check/check.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "model/split.h"
#include "schema/schema.h"

#define FINDING(...) opshift_fail(error, OPSHIFT_NO, __VA_ARGS__)

static enum opshift_status check_attributes(const struct draft *draft, const struct schema *schema,
                                            struct opshift_error *error)
{
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        const Onnx__AttributeProto *message = draft->attributes[i].message;
        const char *name = arena_copy(draft->arena, message->name.data, message->name.len);
        if (name == NULL)
            return opshift_no_memory(error);
        const struct schema_attribute *known = schema_attribute_find(schema, name);
        if (known == NULL)
            return FINDING("E-ATTR: Split has no attribute '%s' at opset %" PRId64 " (Split-%u)", name, draft->opset,
                           schema->since);
        if (draft_attribute_find(draft, name) != &draft->attributes[i])
            return FINDING("E-ATTR-DUP: attribute '%s' is given twice", name);
        if (message->type != known->type)
            return FINDING("E-ATTR-TYPE: attribute '%s' has attribute type %d; Split-%u wants %s", name,
                           (int)message->type, schema->since,
                           known->type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT ? "INT" : "INTS");
    }
    return OPSHIFT_OK;
}

static enum opshift_status check_outputs(const struct draft *draft, struct opshift_error *error)
{
    if (draft->output_count == 0)
        return FINDING("E-NO-OUTPUTS: Split has no outputs");
    /* Outputs are few, or all different; the names' ids make a set by sorting only where it would pay. */
    name_id *sorted = arena_copy(draft->arena, draft->outputs, draft->output_count * sizeof(*sorted));
    if (sorted == NULL)
        return opshift_no_memory(error);
    names_sort(sorted, draft->output_count);
    for (uint32_t i = 1; i < draft->output_count; i++)
        if (sorted[i] != NAME_NONE && sorted[i] == sorted[i - 1])
            return FINDING("E-SSA: output '%s' is given twice", names_text(draft->model->names, sorted[i]));
    return OPSHIFT_OK;
}

static enum opshift_status check_form(const struct draft *draft, const struct schema *schema,
                                      struct opshift_error *error)
{
    if (draft->input_count < schema->input_min || draft->input_count > schema->input_max ||
        !draft_input_present(draft, 0))
        return FINDING("E-ARITY: Split has %u inputs at opset %" PRId64 "; Split-%u takes %u to %u", draft->input_count,
                       draft->opset, schema->since, schema->input_min, schema->input_max);
    enum opshift_status status = check_attributes(draft, schema, error);
    return status ? status : check_outputs(draft, error);
}

static enum opshift_status check_axis(const struct draft *draft, const struct schema *schema,
                                      const struct split_cut *cut, struct opshift_error *error)
{
    const struct schema_parameter *data = schema_input(schema, 0);
    uint64_t allowed = schema->variables[data->variable].types.tensor;
    if (cut->type && !(allowed >> cut->type & 1))
        return FINDING("E-DTYPE-SRC: %s is no type of Split-%u", type_name(cut->type), schema->since);
    if (cut->rank == 0)
        return FINDING("E-SCALAR: the input is a scalar, which has no axis to cut");
    if (cut->rank > 0 && cut->axis_known && (cut->axis < -cut->rank || cut->axis >= cut->rank))
        return FINDING("E-AXIS-RANGE: axis %" PRId64 " is outside [-%d, %d], the axes of a tensor of rank %d",
                       cut->axis, cut->rank, cut->rank - 1, cut->rank);
    return OPSHIFT_OK;
}

static enum opshift_status check_list(const struct draft *draft, const int64_t *lengths, size_t count,
                                      const struct split_cut *cut, struct opshift_error *error)
{
    if (count == 0)
        return FINDING("E-EMPTY-SPLIT: the list of lengths is empty, and there are %u outputs", draft->output_count);
    if (count != draft->output_count)
        return FINDING("E-COUNT: there are %zu lengths and %u outputs", count, draft->output_count);
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (lengths[i] < 0)
            return FINDING("E-NEG-LENGTH: length %zu is %" PRId64, i, lengths[i]);
        if (__builtin_add_overflow(sum, lengths[i], &sum))
            return FINDING("E-OVERFLOW: the lengths sum to more than 2^63 - 1");
    }
    if (cut->dim >= 0 && sum != cut->dim)
        return FINDING("E-SUM: the lengths sum to %" PRId64 ", and the dim is %" PRId64, sum, cut->dim);
    return OPSHIFT_OK;
}

/* The length input of Split-13 and up. */
static enum opshift_status check_input(const struct draft *draft, const struct split_cut *cut,
                                       struct opshift_error *error)
{
    const struct tensor *tensor;
    const char *why;
    struct value_type type;
    name_id name = draft->inputs[1].name;
    enum opshift_status status = draft->facts->type(draft->facts->data, draft, name, &type, error);
    if (status)
        return status;
    status = draft->facts->constant(draft->facts->data, draft, name, &tensor, &why, error);
    if (status)
        return status;
    enum opshift_type element = tensor ? tensor->type : type.type;
    int64_t rank = tensor ? (int64_t)tensor->rank : type.rank;
    if (element && element != OPSHIFT_TYPE_INT64)
        return FINDING("E-SPLIT-DTYPE: the lengths are %s and must be int64", type_name(element));
    if (rank >= 0 && rank != 1)
        return FINDING("E-SPLIT-RANK: the lengths have rank %" PRId64 " and must be a list (rank 1)", rank);
    return tensor ? check_list(draft, tensor->data, tensor->count, cut, error) : OPSHIFT_OK;
}

/* Split-1's second input has the data's own type. */
static enum opshift_status check_input_of_1(const struct draft *draft, const struct split_cut *cut,
                                            struct opshift_error *error)
{
    const struct tensor *tensor;
    const char *why;
    struct value_type type;
    name_id name = draft->inputs[1].name;
    if (draft_attribute_find(draft, "split"))
        return FINDING("E-BOTH: lengths are given as attribute 'split' and as input '%s'",
                       names_text(draft->model->names, name));
    enum opshift_status status = draft->facts->type(draft->facts->data, draft, name, &type, error);
    if (status)
        return status;
    if (type.type && cut->type && type.type != cut->type)
        return FINDING("E-DTYPE-SRC: the lengths are %s; Split-1 wants the data's type, %s", type_name(type.type),
                       type_name(cut->type));
    status = draft->facts->constant(draft->facts->data, draft, name, &tensor, &why, error);
    if (status || tensor == NULL)
        return status;
    int64_t *lengths = arena_alloc(draft->arena, tensor->count, sizeof(*lengths));
    if (lengths == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; i < tensor->count; i++) {
        double number = tensor_number(tensor, i);
        if (!(fabs(number) <= 9007199254740992.0) || number != floor(number))
            return FINDING("E-LENGTH-NOT-INTEGER: length %" PRIu64 " is %g", i, number);
        lengths[i] = (int64_t)number;
    }
    return check_list(draft, lengths, tensor->count, cut, error);
}

static enum opshift_status check_count(const struct draft *draft, int64_t parts, const struct split_cut *cut,
                                       struct opshift_error *error)
{
    if (parts < 1)
        return FINDING("E-NUM<1: num_outputs is %" PRId64 " and must be at least 1", parts);
    if (parts < (int64_t)draft->output_count)
        return FINDING("E-NUM<OUTPUTS: num_outputs is %" PRId64 ", and there are %u outputs", parts,
                       draft->output_count);
    if (parts > INT32_MAX)
        return FINDING("E-NUM: num_outputs is %" PRId64 ", more than the 2147483647 outputs that a node may have",
                       parts);
    if (cut->dim >= 0 && split_last(cut->dim, parts) < 0)
        return FINDING("E-NEG-LAST: %" PRId64 " chunks of ceil(%" PRId64 " / %" PRId64 ") = %" PRId64 " leave %" PRId64
                       " for the last one; write the lengths out",
                       parts, cut->dim, parts, split_chunk(cut->dim, parts), split_last(cut->dim, parts));
    return OPSHIFT_OK;
}

static enum opshift_status check_equal(const struct draft *draft, const struct split_cut *cut,
                                       struct opshift_error *error)
{
    if (cut->dim >= 0 && cut->dim % draft->output_count)
        return FINDING("E-UNEVEN: the dim %" PRId64 " does not divide into %u equal parts", cut->dim,
                       draft->output_count);
    return OPSHIFT_OK;
}

static enum opshift_status check_lengths(const struct draft *draft, unsigned since, const struct split_cut *cut,
                                         struct opshift_error *error)
{
    bool listed = draft_input_present(draft, 1), counted, known;
    int64_t parts;
    enum opshift_status status = split_int(draft, "num_outputs", &counted, &known, &parts, error);
    if (status == OPSHIFT_NO)
        return opshift_within(error, status, "E-NEITHER");
    if (status)
        return status;
    if (since >= 18 && counted && listed)
        return FINDING("E-BOTH: both num_outputs and the lengths are given");
    if (since >= 18 && !counted && !listed)
        return FINDING("E-NEITHER: Split-18 needs num_outputs or the lengths");
    if (counted)
        return known ? check_count(draft, parts, cut, error) : OPSHIFT_OK;
    if (listed)
        return since == 1 ? check_input_of_1(draft, cut, error) : check_input(draft, cut, error);
    const struct draft_attribute *attribute = draft_attribute_find(draft, "split");
    if (attribute == NULL)
        return check_equal(draft, cut, error);
    if (attribute->message->has_ref_attr_name)
        return OPSHIFT_OK;
    return check_list(draft, attribute->message->ints, attribute->message->n_ints, cut, error);
}

enum opshift_status check_split(const struct draft *draft, struct opshift_error *error)
{
    const struct schema *schema = schema_find("", "Split", draft->opset);
    if (schema == NULL)
        return FINDING("E-OPSET: there is no Split at opset %" PRId64, draft->opset);
    enum opshift_status status = check_form(draft, schema, error);
    if (status)
        return status;
    struct split_cut cut;
    status = split_cut(draft, &cut, error);
    if (status)
        return status;
    status = check_axis(draft, schema, &cut, error);
    return status ? status : check_lengths(draft, schema->since, &cut, error);
}
