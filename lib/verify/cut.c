/* How a Split node splits, and whether two nodes split in the same way. */
#include "verify/cut.h"

#include <string.h>

static struct bytes reference_of(const Onnx__AttributeProto *attribute)
{
    return (struct bytes){attribute->ref_attr_name.data, attribute->ref_attr_name.len};
}

static void read_attribute(struct cut *cut, struct bytes name, const Onnx__AttributeProto *attribute)
{
    struct bytes reference = reference_of(attribute);
    bool known = reference.size == 0;
    if (bytes_are(name, "axis")) {
        cut->split.axis_known = known;
        cut->split.axis = attribute->i;
        cut->axis_parameter = reference;
    } else if (bytes_are(name, "split")) {
        split_cut_list(&cut->split, SPLIT_ATTRIBUTE, known ? attribute->ints : NULL,
                       known ? (int64_t)attribute->n_ints : -1);
        cut->parameter = reference;
    } else if (bytes_are(name, "num_outputs")) {
        split_cut_count(&cut->split, known, attribute->i);
        cut->parameter = reference;
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
    cut->parameter = reference_of(attribute);
    attribute = resolved(binding, attribute);
    if (attribute != NULL && attribute->ref_attr_name.len == 0)
        split_cut_list(&cut->split, SPLIT_INPUT, attribute->ints, (int64_t)attribute->n_ints);
    return OPSHIFT_OK;
}

static enum opshift_status read_input(struct side *side, struct graph *graph, name_id name,
                                      const struct binding *binding, struct arena *arena, struct cut *cut,
                                      struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    struct tensor *copy;
    cut->value = name;
    split_cut_computed(&cut->split, &(struct value_type){.rank = -1});
    enum opshift_status status = fold_constant_briefly(side->fold, graph, name, &tensor, NULL, error);
    if (status == OPSHIFT_OK && tensor == NULL)
        return read_parameter(side, graph, name, binding, arena, cut, error);
    if (status == OPSHIFT_OK)
        status = tensor_copy(arena, tensor, &copy, error);
    return status == OPSHIFT_OK ? split_cut_constant(&cut->split, copy, arena, error) : status;
}

static enum cut_kind kind_of(const struct cut *cut)
{
    if (split_is_listed(&cut->split))
        return cut->split.lengths != NULL ? CUT_LIST : cut->parameter.size > 0 ? CUT_PARAMETER : CUT_VALUE;
    return cut->split.form == SPLIT_EQUAL ? CUT_EQUAL : cut->split.parts_known ? CUT_CHUNKS : CUT_UNKNOWN;
}

/* The version of Split; 0: it is a SplitToSequence. */
static uint32_t version_of(const struct side *side, const struct graph *graph, const struct node *node)
{
    const struct schema *schema = schema_find("", "Split", graph_opset(side->model, graph, NAME_NONE));
    return schema != NULL && node_is(side->model, node, "Split") ? schema->since : 0;
}

enum opshift_status cut_read(struct side *side, struct graph *graph, struct attribute_list *attributes,
                             const struct binding *binding, const struct value_type *type, struct cut *cut,
                             struct opshift_error *error)
{
    const struct node *node = attributes->node;
    *cut = (struct cut){.split = split_cut_start(version_of(side, graph, node), node->output_count),
                        .outputs = node_outputs(node)};
    if (node->input_count > 0)
        cut->data = node_inputs(node)[0];
    enum opshift_status status = read_attributes(attributes, binding, cut, error);
    if (status == OPSHIFT_OK && node->input_count > 1 && node_inputs(node)[1] != NAME_NONE)
        status = read_input(side, graph, node_inputs(node)[1], binding, attributes->arena, cut, error);
    split_cut_data(&cut->split, type);
    cut->kind = kind_of(cut);
    return status;
}

/* ---- proofs ---- */

bool cut_same_axis(const struct cut *before, const struct cut *after)
{
    if (before->axis_parameter.size > 0 || after->axis_parameter.size > 0)
        return bytes_same(before->axis_parameter, after->axis_parameter);
    return split_same_axis(&before->split, &after->split);
}

static bool same_lists(const struct split_cut *before, const struct split_cut *after)
{
    return before->length_count == after->length_count &&
           (before->length_count == 0 ||
            memcmp(before->lengths, after->lengths, (size_t)before->length_count * sizeof(*before->lengths)) == 0);
}

/* Are the lengths of the list those of equal parts or chunks of the dim that they cover? dim -1: of any. */
static bool list_is_cut(const struct split_cut *list, const struct cut *cut, int64_t dim)
{
    return cut->split.parts == list->length_count &&
           split_are_chunks(list->lengths, list->length_count, cut->kind == CUT_EQUAL) &&
           (dim < 0 || dim == split_sum(list->lengths, list->length_count));
}

static const char *proof_of_same_kind(const struct side *side, const struct cut *before, const struct cut *after)
{
    switch (before->kind) {
    case CUT_LIST:
        return same_lists(&before->split, &after->split) ? "the same list of lengths" : NULL;
    case CUT_VALUE:
        return side->other[before->value] == after->value ? "the same value gives the lengths" : NULL;
    case CUT_EQUAL:
    case CUT_CHUNKS:
        return before->split.parts == after->split.parts ? "the same number of parts" : NULL;
    case CUT_OPEN:
        return NULL;
    default:
        return bytes_same(before->parameter, after->parameter) ? "the same parameter of the function gives the lengths"
                                                               : NULL;
    }
}

bool cut_same_outputs(const struct side *before_side, const struct cut *before, const struct cut *after)
{
    bool same = after->split.output_count >= before->split.output_count;
    for (uint32_t i = 0; same && i < before->split.output_count; i++)
        same = before->outputs[i] == NAME_NONE || before_side->other[before->outputs[i]] == after->outputs[i];
    return same;
}

/* Chunks may be more than the outputs before, as num_outputs may. */
const char *cut_proof(const struct side *before_side, const struct cut *before, const struct cut *after)
{
    int64_t dim = before->split.dim;
    if (before_side->other[before->data] != after->data || !cut_same_axis(before, after) ||
        (before->kind != CUT_CHUNKS && before->split.output_count != after->split.output_count) ||
        !cut_same_outputs(before_side, before, after))
        return NULL;
    if (before->kind == after->kind)
        return proof_of_same_kind(before_side, before, after);
    if (before->kind == CUT_EQUAL && after->kind == CUT_CHUNKS && before->split.parts == after->split.parts)
        return "equal parts are chunks wherever the number of parts divides";
    if (before->kind == CUT_CHUNKS && after->kind == CUT_EQUAL && before->split.parts == after->split.parts &&
        dim >= 0 && dim % before->split.parts == 0)
        return "the number of parts divides the dim";
    if (after->kind == CUT_LIST && (before->kind == CUT_EQUAL || before->kind == CUT_CHUNKS) && dim >= 0 &&
        list_is_cut(&after->split, before, dim))
        return "the list holds the parts of the known dim";
    if (before->kind == CUT_LIST && (after->kind == CUT_EQUAL || after->kind == CUT_CHUNKS) &&
        list_is_cut(&before->split, after, -1))
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
        add_dim(split_sum(cut->split.lengths, cut->split.length_count), dims, &count, room);
        return count;
    }
    int64_t outputs = cut->split.output_count, parts = cut->split.parts;
    if (parts < 1 || parts > SPLIT_PARTS_MAX)
        parts = outputs > 0 ? outputs : 1;
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
