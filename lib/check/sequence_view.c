/* Reads the lengths of a SplitToSequence, and finds the node that produces a sequence. */
#include "check/sequence_view.h"

#include "kernel/facts.h"

#include <string.h>

/* Maximum number of nodes between a sequence and its producer. */
#define CHAIN_MAX 64

int64_t sequence_length_at(const struct tensor *lengths, uint64_t index)
{
    return lengths->type == OPSHIFT_TYPE_INT32 ? ((const int32_t *)lengths->data)[index]
                                               : ((const int64_t *)lengths->data)[index];
}

/* ---- a cut ---- */

static enum opshift_status read_lengths(const struct draft *draft, struct sequence_cut *cut,
                                        struct opshift_error *error)
{
    struct value_type type;
    const struct tensor *tensor;
    const char *why;
    name_id name = draft->inputs[1].name;
    cut->given = true;
    enum opshift_status status = draft_type(draft, name, &type, error);
    if (status)
        return status;
    status = draft_constant(draft, name, &tensor, &why, error);
    if (status)
        return status;
    cut->lengths_rank = tensor ? (int64_t)tensor->rank : type.rank;
    if (tensor && (tensor->type == OPSHIFT_TYPE_INT32 || tensor->type == OPSHIFT_TYPE_INT64))
        cut->constant = tensor;
    if (cut->lengths_rank == 1)
        cut->length_count = tensor ? (int64_t)tensor->count : type.dims[0];
    return OPSHIFT_OK;
}

enum opshift_status sequence_cut_read(const struct draft *draft, struct sequence_cut *cut, struct opshift_error *error)
{
    struct draft_int keep;
    *cut = (struct sequence_cut){.draft = draft, .lengths_rank = -1, .length_count = -1, .count = -1};
    enum opshift_status status = draft_int_read(draft, "keepdims", &keep, error);
    if (status)
        return status;
    cut->drops = keep.known && keep.value == 0;
    status = split_read_axis(draft, &cut->cut, error);
    if (status == OPSHIFT_OK && draft_input_present(draft, 1))
        status = read_lengths(draft, cut, error);
    if (!cut->given)
        cut->count = cut->cut.dim;
    else if (cut->lengths_rank == 1)
        cut->count = cut->length_count;
    else if (cut->constant && cut->lengths_rank == 0 && sequence_length_at(cut->constant, 0) > 0 && cut->cut.dim >= 0)
        cut->count = split_chunk(cut->cut.dim, sequence_length_at(cut->constant, 0));
    return status;
}

#define CONSTRUCTED_MAX 256u /* inputs of a SequenceConstruct whose ranks are compared */

/* ---- a sequence ---- */

static enum opshift_status read_split(struct checking *checking, struct sequence_view *view, struct arena *arena,
                                      struct opshift_error *error)
{
    struct draft *draft;
    struct sequence_cut cut;
    enum opshift_status status = checking_draft(checking, view->graph, view->maker, arena, &draft, error);
    if (status == OPSHIFT_OK && draft)
        status = sequence_cut_read(draft, &cut, error);
    if (status == OPSHIFT_OK && draft) {
        view->count = cut.count;
        view->type = cut.cut.type;
        view->rank = cut.cut.rank > 0 && !cut.given && cut.drops ? cut.cut.rank - 1 : cut.cut.rank;
    }
    return status;
}

/* SequenceConstruct: tensors of one type, possibly of different ranks; of many, which each reader of the sequence would
 * look at again, the rank stays unknown. */
static enum opshift_status read_construct(struct checking *checking, struct sequence_view *view,
                                          struct opshift_error *error)
{
    uint32_t count = view->maker->input_count, looked_at = count < CONSTRUCTED_MAX ? count : 1;
    view->count = count;
    for (uint32_t i = 0; i < looked_at; i++) {
        struct value_type type;
        enum opshift_status status =
            types_find(checking->types, view->graph, node_inputs(view->maker)[i], &type, error);
        if (status)
            return status;
        if (i == 0) {
            view->type = type.type;
            view->rank = looked_at == count ? type.rank : -1;
        } else if (type.rank != view->rank) {
            view->rank = -1;
        }
    }
    return OPSHIFT_OK;
}

static enum opshift_status read_empty(struct checking *checking, struct sequence_view *view, struct arena *arena,
                                      struct opshift_error *error)
{
    struct attribute_range *attributes;
    size_t count;
    enum opshift_status status = node_attributes(checking->model, view->maker, arena, &attributes, &count, error);
    view->count = 0;
    view->type = OPSHIFT_TYPE_FLOAT;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        Onnx__AttributeProto *message;
        if (strcmp(names_text(checking->model->names, attributes[i].name), "dtype") != 0)
            continue;
        view->type = OPSHIFT_TYPE_UNDEFINED;
        status = attribute_decode(checking->model, &attributes[i], arena, &message, error);
        if (status == OPSHIFT_OK && !message->has_ref_attr_name)
            view->type = (enum opshift_type)message->i;
    }
    return status == OPSHIFT_MEMORY || status == OPSHIFT_IO ? status : OPSHIFT_OK;
}

static enum opshift_status read_maker(struct checking *checking, struct sequence_view *view, struct arena *arena,
                                      struct opshift_error *error)
{
    if (node_is(checking->model, view->maker, "SplitToSequence"))
        return read_split(checking, view, arena, error);
    if (node_is(checking->model, view->maker, "SequenceConstruct"))
        return read_construct(checking, view, error);
    if (node_is(checking->model, view->maker, "SequenceEmpty"))
        return read_empty(checking, view, arena, error);
    return OPSHIFT_OK;
}

enum opshift_status sequence_view_read(struct checking *checking, struct graph *graph, name_id name,
                                       struct arena *arena, struct sequence_view *view, struct opshift_error *error)
{
    int64_t more = 0;
    bool inserted = false;
    *view = (struct sequence_view){.count = -1, .rank = -1};
    for (int i = 0; i < CHAIN_MAX; i++) {
        struct definition found = scope_find(checking->scopes, graph, name);
        if (found.kind != DEFINED_NODE)
            return OPSHIFT_OK;
        struct node *node = &found.graph->nodes[found.index];
        bool insert = node_is(checking->model, node, "SequenceInsert"),
             erase = node_is(checking->model, node, "SequenceErase");
        if (node->input_count == 0 || (!insert && !erase && !node_is(checking->model, node, "Identity"))) {
            view->graph = found.graph;
            view->maker = node;
            break;
        }
        more += insert - erase;
        inserted = inserted || insert;
        graph = found.graph;
        name = node_inputs(node)[0];
    }
    enum opshift_status status = view->maker ? read_maker(checking, view, arena, error) : OPSHIFT_OK;
    if (view->count >= 0)
        view->count += more;
    if (inserted)
        view->rank = -1;
    return status;
}

enum opshift_status sequence_index(struct checking *checking, struct graph *graph, name_id name, int64_t *position,
                                   bool *known, struct opshift_error *error)
{
    const struct tensor *tensor;
    const char *why;
    enum opshift_status status = fact_constant(checking->around, graph, name, &tensor, &why, error);
    *known = status == OPSHIFT_OK && tensor && tensor->count == 1 &&
             (tensor->type == OPSHIFT_TYPE_INT32 || tensor->type == OPSHIFT_TYPE_INT64);
    if (*known)
        *position = sequence_length_at(tensor, 0);
    return status;
}
