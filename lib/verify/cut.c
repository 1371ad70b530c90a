/* How a Split node splits, and whether two nodes split in the same way. */
#include "verify/cut.h"

#include <string.h>

#include "model/number.h"
#include "kernel/split_cut.h"

static struct bytes reference_of(const Onnx__AttributeProto *attribute)
{
    return (struct bytes){attribute->ref_attr_name.data, attribute->ref_attr_name.len};
}

static void read_attribute(struct cut *cut, struct bytes name, const Onnx__AttributeProto *attribute)
{
    struct bytes reference = reference_of(attribute);
    if (bytes_are(name, "axis")) {
        cut->axis = attribute->i;
        cut->axis_parameter = reference;
    } else if (bytes_are(name, "split")) {
        cut->kind = reference.size > 0 ? CUT_PARAMETER : CUT_LIST;
        cut->parameter = reference;
        cut->lengths = attribute->ints;
        cut->length_count = attribute->n_ints;
    } else if (bytes_are(name, "num_outputs")) {
        cut->kind = reference.size > 0 ? CUT_UNKNOWN : CUT_CHUNKS;
        cut->parameter = reference;
        cut->parts = attribute->i;
    } else if (bytes_are(name, "keepdims")) {
        cut->drops = attribute->i == 0;
        cut->drops_parameter = reference;
    }
}

/* Resolves a reference to the value of the function's attribute; NULL: the call omits it. */
static Onnx__AttributeProto *resolved(const struct binding *binding, Onnx__AttributeProto *attribute)
{
    if (attribute->ref_attr_name.len == 0 || binding == NULL)
        return attribute;
    Onnx__AttributeProto *value = binding_value(binding, &attribute->ref_attr_name);
    return value == NULL && binding->partial ? attribute : value;
}

/* Calls read_attribute for each attribute of the node. */
static enum opshift_status read_attributes(struct attribute_list *attributes, const struct binding *binding,
                                           struct cut *cut, struct opshift_error *error)
{
    enum opshift_status status = attribute_list_read(attributes, error);
    for (size_t i = 0; i < attributes->count && status == OPSHIFT_OK; i++) {
        const struct attribute_range *range = &attributes->ranges[i];
        Onnx__AttributeProto number = ONNX__ATTRIBUTE_PROTO__INIT, *attribute = &number;
        number.i = range->i;
        if (range->type != ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT || range->reference != NAME_NONE)
            status = attribute_list_decode(attributes, i, &attribute, error);
        if (status == OPSHIFT_OK)
            attribute = resolved(binding, attribute);
        if (status == OPSHIFT_OK && attribute != NULL)
            read_attribute(cut, names_bytes(attributes->model->names, range->name), attribute);
    }
    return status;
}

/* Lengths behind Constant<value_ints = @parameter>. */
static enum opshift_status read_parameter(struct side *side, struct graph *graph, name_id name,
                                          const struct binding *binding, struct arena *arena, struct cut *cut,
                                          struct opshift_error *error)
{
    struct definition definition = scope_find(side->scopes, graph, name);
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    if (definition.kind != DEFINED_NODE)
        return OPSHIFT_OK;
    const struct node *node = &definition.graph->nodes[definition.index];
    if (!bytes_are(names_bytes(side->model->names, node->op_type), "Constant") || node_domain(node) != NAME_NONE)
        return OPSHIFT_OK;
    enum opshift_status status = node_attributes(side->model, node, arena, &ranges, &count, error);
    if (status != OPSHIFT_OK || count != 1 || !bytes_are(names_bytes(side->model->names, ranges[0].name), "value_ints"))
        return status;
    Onnx__AttributeProto *attribute = NULL;
    status = attribute_decode(side->model, &ranges[0], arena, &attribute, error);
    if (status != OPSHIFT_OK || attribute->ref_attr_name.len == 0)
        return status;
    cut->kind = CUT_PARAMETER;
    cut->parameter = reference_of(attribute);
    attribute = resolved(binding, attribute);
    if (attribute != NULL && attribute->ref_attr_name.len == 0) {
        cut->kind = CUT_LIST;
        cut->lengths = attribute->ints;
        cut->length_count = attribute->n_ints;
    }
    return OPSHIFT_OK;
}

static enum opshift_status take_list(struct cut *cut, const struct tensor *tensor, struct arena *arena,
                                     struct opshift_error *error)
{
    const struct number_type *type = number_type(tensor->type);
    int64_t *lengths = arena_alloc(arena, tensor->count + 1, sizeof(*lengths));
    if (lengths == NULL)
        return opshift_no_memory(error);
    for (uint64_t i = 0; type != NULL && i < tensor->count; i++) {
        union number value = type->load((const char *)tensor->data + i * type->size);
        if (type->kind != NUMBER_REAL)
            lengths[i] = value.i;
        else
            lengths[i] = value.d >= 0 && value.d < 9e18 ? (int64_t)value.d : -1;
    }
    cut->kind = CUT_LIST;
    cut->lengths = lengths;
    cut->length_count = type == NULL ? 0 : tensor->count;
    cut->scalar = tensor->rank == 0;
    return OPSHIFT_OK;
}

static enum opshift_status read_input(struct side *side, struct graph *graph, name_id name,
                                      const struct binding *binding, struct arena *arena, struct cut *cut,
                                      struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    cut->kind = CUT_VALUE;
    cut->value = name;
    enum opshift_status status = fold_constant_briefly(side->fold, graph, name, &tensor, NULL, error);
    if (status == OPSHIFT_OK && tensor != NULL)
        return take_list(cut, tensor, arena, error);
    return status == OPSHIFT_OK ? read_parameter(side, graph, name, binding, arena, cut, error) : status;
}

enum opshift_status cut_read(struct side *side, struct graph *graph, struct attribute_list *attributes,
                             const struct binding *binding, struct cut *cut, struct opshift_error *error)
{
    const struct node *node = attributes->node;
    *cut = (struct cut){.kind = CUT_EQUAL,
                        .parts = node->output_count,
                        .output_count = node->output_count,
                        .outputs = node_outputs(node)};
    if (node->input_count > 0)
        cut->data = node_inputs(node)[0];
    enum opshift_status status = read_attributes(attributes, binding, cut, error);
    if (status == OPSHIFT_OK && node->input_count > 1 && node_inputs(node)[1] != NAME_NONE)
        status = read_input(side, graph, node_inputs(node)[1], binding, attributes->arena, cut, error);
    return status;
}

int64_t cut_sum(const struct cut *cut)
{
    int64_t sum = 0;
    for (size_t i = 0; i < cut->length_count; i++) {
        if (cut->lengths[i] < 0 || cut->lengths[i] > INT64_MAX - sum)
            return -1;
        sum += cut->lengths[i];
    }
    return sum;
}

/* ---- proofs ---- */

bool cut_same_axis(const struct cut *before, const struct cut *after, const struct value_type *type)
{
    if (before->axis_parameter.size > 0 || after->axis_parameter.size > 0)
        return bytes_same(before->axis_parameter, after->axis_parameter);
    if (before->axis == after->axis)
        return true;
    int64_t rank = type->rank;
    return rank > 0 && before->axis >= -rank && before->axis < rank &&
           (before->axis < 0 ? before->axis + rank : before->axis) ==
               (after->axis < 0 ? after->axis + rank : after->axis);
}

int64_t cut_dim(const struct cut *cut, const struct value_type *type)
{
    if (type->rank <= 0 || cut->axis_parameter.size > 0 || cut->axis < -type->rank || cut->axis >= type->rank)
        return -1;
    return type->dims[cut->axis < 0 ? cut->axis + type->rank : cut->axis];
}

static bool same_lists(const struct cut *before, const struct cut *after)
{
    return before->length_count == after->length_count &&
           (before->length_count == 0 ||
            memcmp(before->lengths, after->lengths, before->length_count * sizeof(*before->lengths)) == 0);
}

/* Are the lengths of the list those of equal parts or chunks of the dim? */
static bool list_is_cut(const struct cut *list, const struct cut *cut, int64_t dim)
{
    if (dim < 0 || cut->parts < 1 || list->length_count < 1 || (size_t)cut->parts != list->length_count)
        return false;
    int64_t chunk = split_chunk(dim, cut->parts), last = split_last(dim, cut->parts);
    if (last < 0 || (cut->kind == CUT_EQUAL && dim % cut->parts != 0))
        return false;
    for (size_t i = 0; i < list->length_count; i++)
        if (list->lengths[i] != (i + 1 == list->length_count ? last : chunk))
            return false;
    return true;
}

static const char *proof_of_same_kind(const struct side *side, const struct cut *before, const struct cut *after)
{
    switch (before->kind) {
    case CUT_LIST:
        return same_lists(before, after) ? "the same list of lengths" : NULL;
    case CUT_VALUE:
        return side->other[before->value] == after->value ? "the same value gives the lengths" : NULL;
    case CUT_EQUAL:
    case CUT_CHUNKS:
        return before->parts == after->parts ? "the same number of parts" : NULL;
    case CUT_OPEN:
        return NULL;
    default:
        return bytes_same(before->parameter, after->parameter) ? "the same parameter of the function gives the lengths"
                                                               : NULL;
    }
}

bool cut_same_outputs(const struct side *before_side, const struct cut *before, const struct cut *after)
{
    bool same = after->output_count >= before->output_count;
    for (uint32_t i = 0; same && i < before->output_count; i++)
        same = before->outputs[i] == NAME_NONE || before_side->other[before->outputs[i]] == after->outputs[i];
    return same;
}

/* Chunks may be more than the outputs before, as num_outputs may. */
const char *cut_proof(const struct side *before_side, const struct cut *before, const struct cut *after,
                      const struct value_type *type)
{
    int64_t dim = cut_dim(before, type);
    if (before_side->other[before->data] != after->data || !cut_same_axis(before, after, type) ||
        (before->kind != CUT_CHUNKS && before->output_count != after->output_count) ||
        !cut_same_outputs(before_side, before, after))
        return NULL;
    if (before->kind == after->kind)
        return proof_of_same_kind(before_side, before, after);
    if (before->kind == CUT_EQUAL && after->kind == CUT_CHUNKS && before->parts == after->parts)
        return "equal parts are chunks wherever the number of parts divides";
    if (before->kind == CUT_CHUNKS && after->kind == CUT_EQUAL && before->parts == after->parts && dim >= 0 &&
        dim % before->parts == 0)
        return "the number of parts divides the dim";
    if (after->kind == CUT_LIST && (before->kind == CUT_EQUAL || before->kind == CUT_CHUNKS) &&
        list_is_cut(after, before, dim))
        return "the list holds the parts of the known dim";
    if (before->kind == CUT_LIST && (after->kind == CUT_EQUAL || after->kind == CUT_CHUNKS) &&
        list_is_cut(before, after, cut_sum(before)))
        return "the parts of the one dim that the list fits";
    return NULL;
}

/* ---- dims ---- */

static void add_dim(int64_t dim, int64_t *dims, size_t *count, size_t room)
{
    for (size_t i = 0; i < *count; i++)
        if (dims[i] == dim)
            return;
    if (dim >= 0 && *count < room)
        dims[(*count)++] = dim;
}

size_t cut_dims(const struct cut *cut, int64_t *dims, size_t room)
{
    size_t count = 0;
    if (cut->kind == CUT_LIST) {
        add_dim(cut_sum(cut), dims, &count, room);
        return count;
    }
    int64_t parts = cut->kind == CUT_EQUAL || cut->kind == CUT_CHUNKS ? cut->parts : (int64_t)cut->output_count;
    if (parts < 1 || parts > 1 << 20)
        parts = cut->output_count > 0 ? (int64_t)cut->output_count : 1;
    add_dim(2 * parts, dims, &count, room);
    add_dim(2 * parts + 1, dims, &count, room);
    for (int64_t dim = 0; dim <= 3 * parts + 3 && dim < 20; dim++)
        add_dim(dim, dims, &count, room);
    for (int64_t off = -1; off <= 1; off++) {
        add_dim(parts + off, dims, &count, room);
        add_dim(7 * parts + off, dims, &count, room);
    }
    add_dim(parts * 101, dims, &count, room);
    return count;
}
