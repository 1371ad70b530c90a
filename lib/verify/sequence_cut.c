/* How a SplitToSequence splits, and the part that a tensor is. */
#include <string.h>

#include "model/number.h"
#include "verify/sequence_readers.h"

/* Nodes between a tensor and the split. */
#define CHAIN_MAX 16

enum opshift_status sequence_number(struct side *side, struct graph *graph, name_id name, int64_t *number, bool *known,
                                    struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    enum opshift_status status = fold_constant(side->fold, graph, name, &tensor, NULL, error);
    const struct number_type *type = status == OPSHIFT_OK && tensor != NULL ? number_type(tensor->type) : NULL;
    *known = type != NULL && type->kind == NUMBER_SIGNED && tensor->count == 1;
    *number = *known ? type->load(tensor->data).i : 0;
    return status;
}

/* NULL: no such attribute. */
static enum opshift_status attribute_find(struct side *side, const struct node *node, const char *name,
                                          struct arena *arena, Onnx__AttributeProto **attribute,
                                          struct opshift_error *error)
{
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    *attribute = NULL;
    enum opshift_status status = node_attributes(side->model, node, arena, &ranges, &count, error);
    for (size_t i = 0; status == OPSHIFT_OK && *attribute == NULL && i < count; i++)
        if (strcmp(names_text(side->model->names, ranges[i].name), name) == 0)
            status = attribute_decode(side->model, &ranges[i], arena, attribute, error);
    return status;
}

enum opshift_status sequence_attribute(struct side *side, const struct node *node, const char *name, int64_t fallback,
                                       struct arena *arena, int64_t *value, bool *known, struct opshift_error *error)
{
    Onnx__AttributeProto *attribute = NULL;
    enum opshift_status status = attribute_find(side, node, name, arena, &attribute, error);
    *known = attribute == NULL || (attribute->has_i && attribute->ref_attr_name.len == 0);
    *value = attribute == NULL ? fallback : attribute->i;
    return status;
}

/* ---- parts ---- */

/* The only axis that a Squeeze removes. */
static enum opshift_status squeeze_axis(struct side *side, struct graph *graph, const struct node *node,
                                        struct arena *arena, int64_t *axis, bool *known, struct opshift_error *error)
{
    Onnx__AttributeProto *axes = NULL;
    if (node->input_count == 2)
        return sequence_number(side, graph, node_inputs(node)[1], axis, known, error);
    enum opshift_status status = attribute_find(side, node, "axes", arena, &axes, error);
    *known = axes != NULL && axes->n_ints == 1 && axes->ref_attr_name.len == 0;
    *axis = *known ? axes->ints[0] : 0;
    return status;
}

static enum opshift_status part_at(struct side *side, struct graph *graph, const struct node *node,
                                   struct sequence_part *part, struct opshift_error *error)
{
    bool known = false;
    enum opshift_status status = OPSHIFT_OK;
    struct definition found = scope_find(side->scopes, graph, node_inputs(node)[0]);
    if (found.kind != DEFINED_NODE || !sequence_is_operator(side, &found.graph->nodes[found.index], "SplitToSequence"))
        return OPSHIFT_OK;
    status = sequence_number(side, graph, node_inputs(node)[1], &part->position, &known, error);
    if (known) {
        part->graph = found.graph;
        part->node = &found.graph->nodes[found.index];
    }
    return status;
}

enum opshift_status part_find(struct side *side, struct graph *graph, name_id name, struct arena *arena,
                              struct sequence_part *part, struct opshift_error *error)
{
    *part = (struct sequence_part){0};
    for (int i = 0; i < CHAIN_MAX; i++) {
        struct definition found = scope_find(side->scopes, graph, name);
        enum opshift_status status = OPSHIFT_OK;
        bool known = true;
        if (found.kind != DEFINED_NODE)
            return OPSHIFT_OK;
        const struct node *node = &found.graph->nodes[found.index];
        graph = found.graph;
        if (sequence_is_operator(side, node, "Split")) {
            *part = (struct sequence_part){graph, node, found.output, part->squeezed, part->axis};
            return OPSHIFT_OK;
        }
        if (sequence_is_operator(side, node, "SequenceAt") && node->input_count == 2)
            return part_at(side, graph, node, part, error);
        if (sequence_is_operator(side, node, "Squeeze") && !part->squeezed && node->input_count > 0) {
            part->squeezed = true;
            status = squeeze_axis(side, graph, node, arena, &part->axis, &known, error);
        } else if (!sequence_is_operator(side, node, "Identity") || node->input_count != 1) {
            return OPSHIFT_OK;
        }
        if (status || !known)
            return status;
        name = node_inputs(node)[0];
    }
    return OPSHIFT_OK;
}

/* ---- the cut ---- */

/* Parts of `chunk`, the last one with the remainder: a list if the dim is known. */
static enum opshift_status list_chunks(struct cut *cut, int64_t chunk, struct arena *arena, struct opshift_error *error)
{
    int64_t dim = cut->split.dim;
    cut->kind = CUT_OPEN;
    cut->split.length_count = 0;
    if (chunk < 1 || dim < 0 || dim / chunk >= SPLIT_PARTS_MAX)
        return OPSHIFT_OK;
    int64_t count = split_chunk(dim, chunk);
    int64_t *lengths = arena_alloc(arena, (size_t)count + 1, sizeof(*lengths));
    if (lengths == NULL)
        return opshift_no_memory(error);
    for (int64_t i = 0; i < count; i++)
        lengths[i] = i + 1 < count ? chunk : dim - i * chunk;
    split_cut_list(&cut->split, SPLIT_INPUT, lengths, count);
    cut->kind = CUT_LIST;
    cut->from_dim = true;
    return OPSHIFT_OK;
}

/* Lengths known only at run time: their number is their own dim. */
static enum opshift_status count_values(struct side *side, struct graph *graph, struct cut *cut,
                                        struct opshift_error *error)
{
    struct value_type type = {.rank = -1};
    enum opshift_status status = types_find(side->types, graph, cut->value, &type, error);
    if (status == OPSHIFT_OK && type.rank == 1 && type.dims[0] > 0 && type.dims[0] < SPLIT_PARTS_MAX)
        cut->split.length_count = type.dims[0];
    else
        cut->kind = CUT_OPEN;
    return status;
}

enum opshift_status cut_read_sequence(struct side *side, struct graph *graph, struct attribute_list *attributes,
                                      const struct binding *binding, const struct value_type *type, struct cut *cut,
                                      struct opshift_error *error)
{
    const struct node *node = attributes->node;
    bool given = node->input_count > 1 && node_inputs(node)[1] != NAME_NONE;
    enum opshift_status status = cut_read(side, graph, attributes, binding, type, cut, error);
    bool drops_known = given || cut->drops_parameter.size == 0;
    cut->drops = cut->drops && !given;
    if (status == OPSHIFT_OK && (!given || (cut->kind == CUT_LIST && cut->split.input_rank == 0)))
        status = list_chunks(cut, given ? cut->split.lengths[0] : 1, attributes->arena, error);
    else if (status == OPSHIFT_OK && cut->kind == CUT_VALUE)
        status = count_values(side, graph, cut, error);
    if (cut->split.length_count >= SPLIT_PARTS_MAX || (cut->kind != CUT_LIST && cut->kind != CUT_VALUE) || !drops_known)
        cut->kind = CUT_OPEN;
    cut->split.output_count = cut->kind == CUT_OPEN ? 0 : (uint32_t)cut->split.length_count;
    cut->outputs = arena_alloc(attributes->arena, cut->split.output_count + UINT64_C(1), sizeof(*cut->outputs));
    return status == OPSHIFT_OK && cut->outputs == NULL ? opshift_no_memory(error) : status;
}
