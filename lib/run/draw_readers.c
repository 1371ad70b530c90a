/* Finds the consumers of a drawn input, directly or through nodes that pass its elements on. */
#include <string.h>

#include "run/draw.h"

/* Limits on the values followed from one input, and on the nodes queried. */
#define FOLLOWED_MAX 64u
#define ASKED_MAX    512u
/* Steps for examining a consumer, and for a query to it. */
#define STEPS_READER 50u
#define STEPS_ASKED  500u

bool asking_may(struct drawing *drawing, uint64_t count)
{
    return budget_steps(&drawing->budget, count, 1, NULL) == OPSHIFT_OK;
}

enum opshift_status readers_new(struct opshift_model *model, struct arena *arena, struct readers *readers,
                                struct opshift_error *error)
{
    uint32_t count = names_count(model->names);
    uint64_t all = 0;
    readers->starts = arena_alloc(arena, count + UINT64_C(2), sizeof(*readers->starts));
    if (readers->starts == NULL)
        return opshift_no_memory(error);
    for (uint32_t g = 0; g < model->graph_count; g++)
        for (uint32_t n = 0; n < model->graphs[g]->node_count; n++) {
            const struct node *node = &model->graphs[g]->nodes[n];
            for (uint32_t i = 0; i < node->input_count; i++)
                readers->starts[node_inputs(node)[i] + 2]++;
            all += node->input_count;
        }
    for (uint32_t i = 2; i <= count + 1; i++)
        readers->starts[i] += readers->starts[i - 1];
    readers->items = all >= UINT32_MAX ? NULL : arena_alloc(arena, all + 1, sizeof(*readers->items));
    if (readers->items == NULL)
        return opshift_no_memory(error);
    for (uint32_t g = 0; g < model->graph_count; g++)
        for (uint32_t n = 0; n < model->graphs[g]->node_count; n++) {
            const struct node *node = &model->graphs[g]->nodes[n];
            for (uint32_t i = 0; i < node->input_count; i++)
                readers->items[readers->starts[node_inputs(node)[i] + 1]++] =
                    (struct value_use){model->graphs[g], n, i};
        }
    return OPSHIFT_OK;
}

/* ---- what a node does with an input's elements ---- */

enum passing { PASSES_NOTHING, PASSES_ELEMENTS, PASSES_ORDER, PASSES_SHAPE };

/* Elements: some of them, or reordered; order: all of them in order, under another shape. */
static enum passing passing_of(const char *op_type, uint32_t position)
{
    static const struct {
        const char *op_type;
        uint32_t position;
        enum passing passing;
    } rows[] = {
        {"Identity", 0, PASSES_SHAPE},  {"Cast", 0, PASSES_SHAPE},      {"CastLike", 0, PASSES_SHAPE},
        {"Optional", 0, PASSES_SHAPE},  {"Squeeze", 0, PASSES_ORDER},   {"Unsqueeze", 0, PASSES_ORDER},
        {"Reshape", 0, PASSES_ORDER},   {"Flatten", 0, PASSES_ORDER},   {"Transpose", 0, PASSES_ELEMENTS},
        {"Slice", 0, PASSES_ELEMENTS},  {"Gather", 0, PASSES_ELEMENTS}, {"Split", 0, PASSES_ELEMENTS},
        {"Expand", 0, PASSES_ELEMENTS}, {"Tile", 0, PASSES_ELEMENTS},   {"OptionalGetElement", 0, PASSES_SHAPE},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].position == position && strcmp(rows[i].op_type, op_type) == 0)
            return rows[i].passing;
    return PASSES_NOTHING;
}

/* Elementwise operators, which keep the shape. */
static bool keeps_shape(const char *op_type)
{
    static const char *const names[] = {
        "Abs",     "Neg",  "Relu",      "LeakyRelu", "Sigmoid", "Tanh",  "Erf",  "Exp",         "Log",       "Sqrt",
        "Clip",    "Elu",  "Selu",      "Softmax",   "Gelu",    "Floor", "Ceil", "Round",       "Sign",      "Softplus",
        "Dropout", "Celu", "HardSwish", "Mish",      "Not",     "Sin",   "Cos",  "HardSigmoid", "Reciprocal"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], op_type) == 0)
            return true;
    return false;
}

/* ---- the walk ---- */

struct followed_name {
    struct graph *graph;
    name_id name;
    bool in_order;
    int64_t offset;
};

struct reader_walk {
    struct followed_name items[FOLLOWED_MAX];
    uint32_t count, asked;
};

static void follow(struct reader_walk *walk, struct graph *graph, name_id name, bool in_order, int64_t offset)
{
    for (uint32_t i = 0; i < walk->count; i++)
        if (walk->items[i].graph == graph && walk->items[i].name == name)
            return;
    if (name != NAME_NONE && walk->count < FOLLOWED_MAX)
        walk->items[walk->count++] = (struct followed_name){graph, name, in_order, offset};
}

/* Offset of an input in a concatenation of lists; -1: a preceding length is unknown. */
static int64_t concat_offset(const struct asking *asking)
{
    int64_t offset = 0;
    for (uint32_t i = 0; i < asking->position; i++) {
        struct value_type type;
        int64_t count = asking_shape(asking, i, &type) ? asking_count(&type) : -1;
        if (count < 0 || type.rank != 1 || offset > INT64_MAX - count)
            return -1;
        offset += count;
    }
    return offset;
}

/* Follows the value into the node's output. */
static void pass_on(struct reader_walk *walk, const struct asking *asking, bool same_shape)
{
    const struct node *node = asking->node;
    bool ours = asking->op_type[0] != '\0';
    enum passing passing = ours ? passing_of(asking->op_type, asking->position) : PASSES_NOTHING;
    if (same_shape && ours && asking->position == 0 && keeps_shape(asking->op_type))
        passing = PASSES_SHAPE;
    if (ours && !same_shape && strcmp(asking->op_type, "Concat") == 0) {
        int64_t offset = concat_offset(asking);
        follow(walk, asking->graph, node->output_count > 0 ? node_outputs(node)[0] : NAME_NONE,
               asking->in_order && offset >= 0, asking->offset + (offset < 0 ? 0 : offset));
    }
    if (passing == PASSES_NOTHING || (same_shape && passing != PASSES_SHAPE))
        return;
    for (uint32_t i = 0; i < node->output_count; i++)
        follow(walk, asking->graph, node_outputs(node)[i], asking->in_order && passing != PASSES_ELEMENTS,
               asking->offset);
}

void readers_ask(struct drawing *drawing, const struct drawn *input, bool same_shape, asking_answer *answer, void *data)
{
    struct opshift_model *model = drawing->model;
    struct reader_walk walk = {.count = 0};
    follow(&walk, model->main, input->info->name, true, 0);
    for (uint32_t at = 0; at < walk.count; at++) {
        const struct followed_name item = walk.items[at];
        uint32_t end = drawing->readers.starts[item.name + 1];
        for (uint32_t i = drawing->readers.starts[item.name]; i < end && walk.asked < ASKED_MAX; i++) {
            const struct value_use *reading = &drawing->readers.items[i];
            if (!asking_may(drawing, STEPS_READER))
                return;
            struct node *node = &reading->graph->nodes[reading->node];
            if (reading->graph->function != item.graph->function ||
                scope_find(drawing->around.scopes, reading->graph, item.name).graph !=
                    scope_find(drawing->around.scopes, item.graph, item.name).graph)
                continue;
            walk.asked++;
            const struct function *callee = scope_callee(drawing->around.scopes, node);
            const struct asking asking = {
                drawing,
                input,
                reading->graph,
                node,
                callee == NULL && node_domain(node) == NAME_NONE ? names_text(model->names, node->op_type) : "",
                reading->position,
                item.in_order,
                item.offset};
            if (callee != NULL && reading->position < callee->body->input_count)
                follow(&walk, callee->body, callee->body->inputs[reading->position].name, item.in_order, item.offset);
            pass_on(&walk, &asking, same_shape);
            if (asking.op_type[0] != '\0')
                answer(&asking, data);
        }
    }
}

/* ---- queries about a node ---- */

/* False on a failure that ends the drawing; an unknown value does not. */
static bool goes_on(struct drawing *drawing, enum opshift_status status, const struct opshift_error *found)
{
    bool ends = status == OPSHIFT_MEMORY || status == OPSHIFT_IO;
    if (ends && drawing->status == OPSHIFT_OK) {
        drawing->status = status;
        if (drawing->error != NULL)
            *drawing->error = *found;
    }
    return status == OPSHIFT_OK && drawing->status == OPSHIFT_OK;
}

static bool shape_of(const struct asking *asking, name_id name, struct value_type *type)
{
    struct drawing *drawing = asking->drawing;
    struct opshift_error found = {0};
    *type = (struct value_type){.rank = -1};
    if (!asking_may(drawing, STEPS_ASKED))
        return false;
    struct definition definition = scope_find(drawing->around.scopes, asking->graph, name);
    if (definition.kind == DEFINED_INPUT && definition.graph == drawing->model->main) {
        struct drawn *input = &drawing->inputs[definition.index];
        bool known = input->kind == VALUE_TENSOR && (input->wanted || input->rank > 0);
        if (known)
            *type = (struct value_type){.type = input->type,
                                        .rank = (int32_t)input->rank,
                                        .dims = input->dims,
                                        .params = input->params,
                                        .is_tensor = true};
        return known;
    }
    enum opshift_status status =
        name == NAME_NONE ? OPSHIFT_NO : types_find(drawing->around.types, asking->graph, name, type, &found);
    if (!goes_on(drawing, status, &found) || type->rank < 0 ||
        !asking_may(drawing, (uint64_t)type->rank * STEPS_READER))
        return false;
    type->dims = arena_copy(drawing->arena, type->dims, (size_t)type->rank * sizeof(*type->dims));
    for (int32_t i = 0; type->dims != NULL && i < type->rank; i++) {
        const struct dim_size *bound = sizes_find(&drawing->bindings, type->params[i]);
        if (type->dims[i] < 0 && type->params[i] != NAME_NONE && bound != NULL)
            type->dims[i] = bound->size;
    }
    return goes_on(drawing, type->dims == NULL ? opshift_no_memory(&found) : OPSHIFT_OK, &found);
}

bool asking_shape(const struct asking *asking, uint32_t position, struct value_type *type)
{
    return position < asking->node->input_count && shape_of(asking, node_inputs(asking->node)[position], type);
}

int64_t asking_dim(const struct asking *asking, uint32_t position, int64_t axis)
{
    struct value_type type;
    if (!asking_shape(asking, position, &type))
        return -1;
    axis += axis < 0 ? type.rank : 0;
    return axis >= 0 && axis < type.rank ? type.dims[axis] : -1;
}

bool asking_output(const struct asking *asking, uint32_t output, struct value_type *type)
{
    return output < asking->node->output_count && shape_of(asking, node_outputs(asking->node)[output], type);
}

int64_t asking_count(const struct value_type *type)
{
    int64_t count = 1;
    for (int32_t i = 0; i < type->rank; i++)
        if (type->dims[i] < 0 || __builtin_mul_overflow(count, type->dims[i], &count))
            return -1;
    return count;
}

int64_t asking_int(const struct asking *asking, const char *attribute, int64_t fallback)
{
    struct drawing *drawing = asking->drawing;
    struct opshift_error found = {0};
    struct attribute_range *attributes = NULL;
    Onnx__AttributeProto *message = NULL;
    size_t count = 0;
    if (!asking_may(drawing, STEPS_ASKED + range_size(asking->node->range)))
        return fallback;
    arena_clear(drawing->scratch);
    enum opshift_status status =
        node_attributes(drawing->model, asking->node, drawing->scratch, &attributes, &count, &found);
    if (!goes_on(drawing, status, &found))
        return fallback;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names_text(drawing->model->names, attributes[i].name), attribute) == 0 &&
            attributes[i].type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT) {
            status = attribute_decode(drawing->model, &attributes[i], drawing->scratch, &message, &found);
            return goes_on(drawing, status, &found) && message->has_i ? message->i : fallback;
        }
    return fallback;
}

const int64_t *asking_constant(const struct asking *asking, uint32_t position, size_t *count)
{
    const struct tensor *tensor = NULL;
    const char *why = NULL;
    struct opshift_error found = {0};
    *count = 0;
    if (position >= asking->node->input_count || node_inputs(asking->node)[position] == NAME_NONE)
        return NULL;
    enum opshift_status status = fold_constant(asking->drawing->around.fold, asking->graph,
                                               node_inputs(asking->node)[position], &tensor, &why, &found);
    if (!goes_on(asking->drawing, status, &found) || tensor == NULL || tensor->type != OPSHIFT_TYPE_INT64 ||
        !asking_may(asking->drawing, STEPS_ASKED + tensor->count))
        return NULL;
    *count = (size_t)tensor->count;
    return tensor->data;
}
