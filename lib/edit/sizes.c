/* Finds the nodes that hold a size that is freed, by inference with another size: Reshape, Slice, Expand and Concat. */
#include <inttypes.h>
#include <string.h>

#include "edit/dims.h"
#include "infer/clash.h"
#include "infer/result.h"
#include "model/fields.h"
#include "model/preview.h"
#include "wire/wire.h"

#define ROUNDS_MAX 10000u

/* A model as it is, and with a size that no model has, a multiple of the old one. */
struct edit_sizes {
    struct editing *editing;
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *plain, *probe;
    const struct opshift_given *given;
    struct arena *arena; /* of a round */
    bool is_batch;       /* the first dim is freed: behind it everything may become a product with it */
    bool changed;
    struct opshift_error *error;
};

/* A value, as it is and with the other size. */
struct sized {
    struct value_type plain, probe;
    int32_t grown; /* the one dim that follows the size; -1: none; -2: not one */
    int64_t factor;
};

/* ---- both sizes ---- */

static void sizes_close(struct edit_sizes *sizes)
{
    types_free(sizes->probe);
    types_free(sizes->plain);
    scopes_free(sizes->scopes);
    arena_free(sizes->arena);
    sizes->probe = sizes->plain = NULL;
    sizes->scopes = NULL;
    sizes->arena = NULL;
}

static enum opshift_status probe_open(struct opshift_model *model, struct scopes *scopes,
                                      const struct opshift_given *given, struct types **probe,
                                      struct opshift_error *error)
{
    const char *words;
    enum opshift_status status = types_new(model, scopes, probe, error);
    if (status == OPSHIFT_OK)
        status = types_give(*probe, given, error);
    if (status == OPSHIFT_OK && (*probe)->given)
        status = given_probe(model, (*probe)->given, &words, error);
    return status ? status : types_all(*probe, error);
}

static enum opshift_status sizes_open(struct edit_sizes *sizes)
{
    sizes->model = sizes->editing->model;
    sizes->arena = arena_new(0);
    enum opshift_status status =
        sizes->arena ? scopes_new(sizes->model, &sizes->scopes, sizes->error) : opshift_no_memory(sizes->error);
    if (status == OPSHIFT_OK)
        status = types_new(sizes->model, sizes->scopes, &sizes->plain, sizes->error);
    if (status == OPSHIFT_OK)
        status = types_all(sizes->plain, sizes->error);
    return status ? status : probe_open(sizes->model, sizes->scopes, sizes->given, &sizes->probe, sizes->error);
}

/* False: not completely known. */
static bool sized_find(struct edit_sizes *sizes, name_id name, struct sized *sized)
{
    struct graph *graph = sizes->model->main;
    *sized = (struct sized){.grown = -1, .factor = 1};
    if (types_find(sizes->plain, graph, name, &sized->plain, NULL) ||
        types_find(sizes->probe, graph, name, &sized->probe, NULL) || sized->plain.rank < 0 ||
        sized->plain.rank != sized->probe.rank)
        return false;
    for (int32_t i = 0; i < sized->plain.rank; i++) {
        int64_t old = sized->plain.dims[i], grown = sized->probe.dims[i];
        if (old < 0 || grown < 0)
            return false;
        if (old == grown)
            continue;
        sized->factor = old > 0 && grown % old == 0 ? grown / old : 0;
        sized->grown = sized->grown == -1 && sized->factor > 1 ? i : -2;
    }
    return sized->grown != -2;
}

static enum opshift_status ints_find(struct edit_sizes *sizes, struct types *types, name_id name, const int64_t **ints,
                                     size_t *count)
{
    const struct tensor *tensor;
    enum opshift_status status = types_integers(types, sizes->model->main, name, sizes->arena, &tensor, sizes->error);
    *ints = status == OPSHIFT_OK && tensor && tensor->type == OPSHIFT_TYPE_INT64 ? tensor->data : NULL;
    *count = *ints ? (size_t)tensor->count : 0;
    return status;
}

/* ---- edits ---- */

static name_id fresh(const struct edit_sizes *sizes, const struct node *node, const char *suffix)
{
    struct bytes base = names_bytes(sizes->model->names, node_outputs(node)[0]);
    const char *stem =
        arena_print(sizes->arena, "%.*s_%s", (int)(base.size < SCOPE_STEM_MAX ? base.size : SCOPE_STEM_MAX),
                    (const char *)base.data, suffix);
    return stem ? scope_fresh(sizes->scopes, stem, strlen(stem)) : NAME_NO_MEMORY;
}

/* Another name for an input of a node. */
static enum opshift_status input_set(struct edit_sizes *sizes, struct node *node, uint32_t position, name_id name)
{
    struct opshift_model *model = sizes->model;
    sizes->changed = true;
    return field_set(model, node_message(model, model->main, node), NODE_INPUT, position,
                     names_bytes(model->names, name), sizes->error);
}

/* A new initializer. */
static enum opshift_status weight_add(struct edit_sizes *sizes, const struct node *node, const struct tensor *tensor,
                                      const char *suffix, name_id *name)
{
    struct graph *graph = sizes->model->main;
    struct buffer record = {0};
    *name = fresh(sizes, node, suffix);
    Onnx__TensorProto *message = tensor && *name != NAME_NO_MEMORY
                                     ? tensor_encode(sizes->arena, tensor, names_bytes(sizes->model->names, *name))
                                     : NULL;
    if (message == NULL)
        return opshift_no_memory(sizes->error);
    wire_add_message(&record, GRAPH_INITIALIZER, &message->base);
    enum opshift_status status = record.failed ? opshift_no_memory(sizes->error)
                                               : model_edit(sizes->model, graph->message, initializer_place(graph), 0,
                                                            (struct bytes){record.data, record.size}, sizes->error);
    buffer_free(&record);
    return status;
}

static enum opshift_status ints_set(struct edit_sizes *sizes, struct node *node, uint32_t position, const int64_t *ints,
                                    size_t count, const char *suffix)
{
    name_id name;
    enum opshift_status status = weight_add(sizes, node, tensor_from_int64(sizes->arena, ints, count), suffix, &name);
    return status ? status : input_set(sizes, node, position, name);
}

/* A node before another one, with one output. */
static enum opshift_status node_add(struct edit_sizes *sizes, const struct node *before, const char *op_type,
                                    const name_id *inputs, size_t count, name_id *output)
{
    struct graph *graph = sizes->model->main;
    struct buffer node = {0}, record = {0};
    *output = fresh(sizes, before, op_type);
    if (*output == NAME_NO_MEMORY)
        return opshift_no_memory(sizes->error);
    for (size_t i = 0; i <= count; i++) {
        struct bytes text = names_bytes(sizes->model->names, i < count ? inputs[i] : *output);
        wire_add_bytes(&node, i < count ? NODE_INPUT : NODE_OUTPUT, text.data, text.size);
    }
    wire_add_bytes(&node, NODE_OP_TYPE, op_type, strlen(op_type));
    wire_add_bytes(&record, graph_node_field(graph), node.data, node.size);
    enum opshift_status status = node.failed || record.failed
                                     ? opshift_no_memory(sizes->error)
                                     : model_edit(sizes->model, graph->message, range_record(before->range), 0,
                                                  (struct bytes){record.data, record.size}, sizes->error);
    buffer_free(&node);
    buffer_free(&record);
    return status;
}

/* ---- Reshape ---- */

struct reshape {
    const int64_t *target; /* as the node has it */
    int64_t out[TENSOR_RANK_MAX], grown[TENSOR_RANK_MAX];
    size_t rank;
};

/* How far the model with these edits gets: the first node that clashes. */
static enum opshift_status reach(struct edit_sizes *sizes, uint32_t *first)
{
    struct opshift_model *preview = NULL;
    struct scopes *scopes = NULL;
    struct types *probe = NULL;
    *first = 0;
    enum opshift_status status = model_preview(sizes->model, sizes->arena, &preview, sizes->error);
    if (status == OPSHIFT_OK)
        status = scopes_new(preview, &scopes, sizes->error);
    if (status == OPSHIFT_OK)
        status = probe_open(preview, scopes, sizes->given, &probe, sizes->error);
    while (status == OPSHIFT_OK && *first < preview->main->node_count && !types_clashed(probe, preview->main, *first))
        ++*first;
    types_free(probe);
    scopes_free(scopes);
    opshift_model_free(preview);
    return status;
}

/* The target that lets dim j follow the size: 0 where it is the input's, else -1. */
static enum opshift_status target_set(struct edit_sizes *sizes, struct node *node, const struct reshape *reshape,
                                      size_t j, bool copies)
{
    int64_t target[TENSOR_RANK_MAX];
    for (size_t i = 0; i < reshape->rank; i++)
        target[i] = i == j ? (copies ? 0 : -1) : reshape->target[i] == 0 ? 0 : reshape->out[i];
    return ints_set(sizes, node, 1, target, reshape->rank, "shape");
}

/* May dim j hold the factor: in row-major order, behind as many elements as before? In a dim that is a product with a
 * batch, the factor may be first or last. */
static bool holds(const struct edit_sizes *sizes, const struct reshape *reshape, size_t j, const int64_t before[2])
{
    int64_t product = 1;
    for (size_t i = 0; i < j; i++)
        product *= reshape->out[i];
    int64_t end = product * reshape->out[j];
    return product == before[0] || (sizes->is_batch && (end == before[0] || product == before[1] || end == before[1]));
}

/* The dim of a Reshape with which the model gets furthest: first of those that have the size or the place. */
static enum opshift_status furthest_find(struct edit_sizes *sizes, struct node *node, struct reshape *reshape,
                                         const int64_t before[2], size_t grown, size_t *best)
{
    int64_t old = sizes->probe->given->freed[0].size;
    struct edits_mark mark = model_edits_mark(sizes->model);
    enum opshift_status status = OPSHIFT_OK;
    uint32_t furthest = 0;
    for (unsigned turn = 0; status == OPSHIFT_OK && turn < 2; turn++)
        for (size_t j = 0; status == OPSHIFT_OK && j < reshape->rank; j++) {
            uint32_t first = 0;
            bool alone = reshape->out[j] == old || j == grown;
            if (!holds(sizes, reshape, j, before) || alone != (turn == 0))
                continue;
            status = target_set(sizes, node, reshape, j, false);
            if (status == OPSHIFT_OK)
                status = reach(sizes, &first);
            model_edits_cut(sizes->model, mark);
            if (status == OPSHIFT_OK && first > furthest) {
                furthest = first;
                *best = j;
            }
        }
    return status;
}

static enum opshift_status reshape_rewrite(struct edit_sizes *sizes, struct node *node)
{
    struct sized input;
    struct reshape reshape = {0};
    const int64_t *grown_target;
    size_t grown_rank;
    int64_t before[2] = {1, 1}, known = 1, all = 1, old;
    if (node->input_count < 2 || !sized_find(sizes, node_inputs(node)[0], &input) || input.grown < 0)
        return OPSHIFT_OK;
    enum opshift_status status = ints_find(sizes, sizes->plain, node_inputs(node)[1], &reshape.target, &reshape.rank);
    if (status == OPSHIFT_OK)
        status = ints_find(sizes, sizes->probe, node_inputs(node)[1], &grown_target, &grown_rank);
    if (status || reshape.target == NULL || grown_target == NULL || grown_rank != reshape.rank ||
        reshape.rank > TENSOR_RANK_MAX || memcmp(grown_target, reshape.target, grown_rank * sizeof(*grown_target)) != 0)
        return status; /* not constant, or computed from the size */
    size_t open = reshape.rank, grown = (size_t)input.grown, best = reshape.rank;
    for (int32_t i = 0; i < input.plain.rank; i++) {
        before[0] *= i < input.grown ? input.plain.dims[i] : 1;
        before[1] *= i <= input.grown ? input.plain.dims[i] : 1;
        all *= input.plain.dims[i];
    }
    for (size_t i = 0; i < reshape.rank; i++) {
        bool copied = i < (size_t)input.plain.rank && reshape.target[i] == 0;
        reshape.out[i] = copied ? input.plain.dims[i] : reshape.target[i];
        open = reshape.target[i] == -1 ? i : open;
        known *= reshape.target[i] == -1 ? 1 : reshape.out[i];
        if (copied && i == grown)
            return OPSHIFT_OK; /* the dim is the input's already */
    }
    if (all <= 0 || known <= 0 || all % known != 0)
        return OPSHIFT_OK;
    if (open < reshape.rank)
        reshape.out[open] = all / known;
    old = sizes->probe->given->freed[0].size;
    /* The dim of the same place and size; else the one with which the model gets furthest. */
    if (grown < reshape.rank && reshape.out[grown] == old && input.plain.dims[grown] == old &&
        holds(sizes, &reshape, grown, before))
        best = grown;
    if (best == reshape.rank)
        status = furthest_find(sizes, node, &reshape, before, grown, &best);
    sizes->changed = false;
    if (status || best == reshape.rank || best == open)
        return status;
    return target_set(sizes, node, &reshape, best, best == grown && reshape.out[best] == input.plain.dims[grown]);
}

/* ---- the others ---- */

/* A Slice that takes all of the dim. */
static enum opshift_status slice_rewrite(struct edit_sizes *sizes, struct node *node)
{
    struct sized input;
    const int64_t *lists[4] = {NULL};
    size_t counts[4] = {0};
    enum opshift_status status = OPSHIFT_OK;
    if (node->input_count < 3 || !sized_find(sizes, node_inputs(node)[0], &input) || input.grown < 0)
        return OPSHIFT_OK;
    for (uint32_t i = 1; status == OPSHIFT_OK && i < 5 && i < node->input_count; i++)
        if (node_inputs(node)[i] != NAME_NONE)
            status = ints_find(sizes, sizes->probe, node_inputs(node)[i], &lists[i - 1], &counts[i - 1]);
    if (status || lists[0] == NULL || lists[1] == NULL || counts[0] != counts[1])
        return status;
    int64_t *ends = arena_copy(sizes->arena, lists[1], counts[1] * sizeof(*ends));
    bool changes = false;
    for (size_t i = 0; ends && i < counts[1]; i++) {
        int64_t axis = lists[2] && i < counts[2] ? lists[2][i] : (int64_t)i;
        bool steps = lists[3] && i < counts[3] && lists[3][i] != 1;
        axis += axis < 0 ? input.plain.rank : 0;
        if (axis == input.grown && lists[0][i] == 0 && !steps && ends[i] == input.plain.dims[axis]) {
            ends[i] = INT64_MAX;
            changes = true;
        }
    }
    if (ends == NULL)
        return opshift_no_memory(sizes->error);
    return changes ? ints_set(sizes, node, 2, ends, counts[1], "ends") : OPSHIFT_OK;
}

/* An Expand to the old size of what has another one: 1 takes each. */
static enum opshift_status expand_rewrite(struct edit_sizes *sizes, struct node *node)
{
    struct sized input;
    const int64_t *ints;
    size_t count;
    if (node->input_count < 2 || !sized_find(sizes, node_inputs(node)[0], &input) || input.grown < 0)
        return OPSHIFT_OK;
    enum opshift_status status = ints_find(sizes, sizes->probe, node_inputs(node)[1], &ints, &count);
    int64_t at = (int64_t)count - input.plain.rank + input.grown;
    if (status || ints == NULL || at < 0 || ints[at] <= 1 || ints[at] != input.plain.dims[input.grown])
        return status;
    int64_t *target = arena_copy(sizes->arena, ints, count * sizeof(*target));
    if (target == NULL)
        return opshift_no_memory(sizes->error);
    target[at] = 1;
    return ints_set(sizes, node, 1, target, count, "shape");
}

/* Inputs of a Concat with the old size 1, beside one that follows: they are repeated as often, by an Expand. */
static enum opshift_status concat_rewrite(struct edit_sizes *sizes, struct node *node)
{
    struct sized model_input = {.grown = -1}, input;
    name_id like = NAME_NONE;
    for (uint32_t i = 0; i < node->input_count && like == NAME_NONE; i++)
        if (sized_find(sizes, node_inputs(node)[i], &input) && input.grown >= 0 && input.plain.dims[input.grown] == 1) {
            model_input = input;
            like = node_inputs(node)[i];
        }
    enum opshift_status status = OPSHIFT_OK;
    name_id shape = NAME_NONE, name;
    for (uint32_t i = 0; like != NAME_NONE && status == OPSHIFT_OK && i < node->input_count; i++) {
        if (!sized_find(sizes, node_inputs(node)[i], &input) || input.grown >= 0 ||
            input.plain.rank != model_input.plain.rank || input.plain.dims[model_input.grown] != 1)
            continue;
        if (shape == NAME_NONE) { /* of the size in its dim, and 1 in the others */
            struct tensor *mask;
            int64_t rank = input.plain.rank, ones[TENSOR_RANK_MAX];
            name_id inputs[3];
            status = tensor_new(sizes->arena, OPSHIFT_TYPE_BOOL, 1, &rank, &mask, sizes->error);
            if (status)
                return status;
            for (int64_t k = 0; k < rank; k++)
                ones[k] = 1;
            ((uint8_t *)mask->data)[model_input.grown] = 1;
            status = weight_add(sizes, node, mask, "is_size", &inputs[0]);
            if (status == OPSHIFT_OK)
                status = node_add(sizes, node, "Shape", &like, 1, &inputs[1]);
            if (status == OPSHIFT_OK)
                status =
                    weight_add(sizes, node, tensor_from_int64(sizes->arena, ones, (size_t)rank), "ones", &inputs[2]);
            if (status == OPSHIFT_OK)
                status = node_add(sizes, node, "Where", inputs, 3, &shape);
        }
        if (status == OPSHIFT_OK)
            status = node_add(sizes, node, "Expand", (name_id[]){node_inputs(node)[i], shape}, 2, &name);
        if (status == OPSHIFT_OK)
            status = input_set(sizes, node, i, name);
    }
    return status;
}

/* A Resize to sizes would make one of each batch. */
static enum opshift_status resize_refuse(struct edit_sizes *sizes, const struct node *node)
{
    struct sized input, output;
    if (node->input_count < 4 || node_inputs(node)[3] == NAME_NONE ||
        !sized_find(sizes, node_inputs(node)[0], &input) || !sized_find(sizes, node_outputs(node)[0], &output) ||
        input.grown < 0 || output.grown >= 0)
        return OPSHIFT_OK;
    return opshift_fail(sizes->error, OPSHIFT_USAGE,
                        "%s: its sizes hold the size of dim %" PRId32 "; give it scales, or axes",
                        node_place(sizes->model, sizes->model->main, node), input.grown);
}

/* ---- all of them ---- */

static enum opshift_status node_rewrite(struct edit_sizes *sizes, uint32_t index)
{
    struct graph *graph = sizes->model->main;
    struct node *node = &graph->nodes[index];
    const char *op_type = names_text(sizes->model->names, node->op_type);
    int64_t opset = graph_opset(sizes->model, graph, NAME_NONE);
    if (node_domain(node) != NAME_NONE || node->output_count == 0)
        return OPSHIFT_OK;
    if (strcmp(op_type, "Reshape") == 0 && opset >= 5)
        return reshape_rewrite(sizes, node);
    if (strcmp(op_type, "Slice") == 0 && opset >= 10)
        return slice_rewrite(sizes, node);
    if (strcmp(op_type, "Resize") == 0 && opset >= 11)
        return resize_refuse(sizes, node);
    if (strcmp(op_type, "Expand") == 0)
        return expand_rewrite(sizes, node);
    if (strcmp(op_type, "Concat") == 0 && opset >= 9 && types_clashed(sizes->probe, graph, index))
        return concat_rewrite(sizes, node);
    return OPSHIFT_OK;
}

enum opshift_status sizes_rewrite(struct editing *editing, const char *const *shapes, size_t shape_count,
                                  uint64_t *count, struct opshift_error *error)
{
    const struct opshift_given given = {.shapes = shapes, .shape_count = shape_count};
    struct edit_sizes sizes = {.editing = editing, .given = &given, .error = error};
    sizes.is_batch = shape_count > 0 && strrchr(shapes[0], '=')[1] != '?';
    enum opshift_status status = OPSHIFT_OK;
    bool more = editing->model->ir_version == 0 || editing->model->ir_version >= 4;
    for (unsigned round = 0; status == OPSHIFT_OK && more && round < ROUNDS_MAX; round++) {
        more = sizes.changed = false;
        status = sizes_open(&sizes);
        for (uint32_t i = 0; status == OPSHIFT_OK && !more && i < editing->model->main->node_count; i++) {
            status = node_rewrite(&sizes, i);
            more = sizes.changed;
        }
        sizes_close(&sizes);
        *count += more;
        if (status == OPSHIFT_OK)
            status = edit_settle(editing, error);
    }
    return status;
}
