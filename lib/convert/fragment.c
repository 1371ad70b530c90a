/* Packs a replacement as a small model, and folds its constants. */
#include "convert/fragment.h"

#include <string.h>

#include "infer/declare.h"
#include "wire/wire.h"

/* This IR version has every element type. */
#define FRAGMENT_IR_VERSION 13

/* Maximum bytes of a constant input that becomes an initializer, and of a constant that replaces nodes. */
#define GIVEN_MOST 1024u
/* Maximum elements of one that is not of integers: scales and bounds. Larger ones are weights, which no rule reads and
 * which differ from node to node: as inputs they let nodes that are alike share an expansion. */
#define GIVEN_REALS 8u
#define FOLDED_MOST (UINT64_C(1) << 16)

/* type NULL: none is declared. */
static Onnx__ValueInfoProto *value_pack(const struct opshift_model *model, const char *name, struct value_type *type,
                                        struct arena *arena)
{
    if (type != NULL)
        type->element = NULL; /* only what a value is itself */
    return value_info_new(arena, model, binary_of(name), type != NULL && type_is_declarable(type) ? type : NULL);
}

/* ---- packing ----------------------------------------------------------------------------------------------------- */

/* State of packing a fragment. */
struct packing {
    struct planner *planner;
    struct draft *draft;
    enum fragment_unsure unsure;
    Onnx__GraphProto *graph;
};

static enum opshift_status add_initializer(struct packing *packing, const char *name, const struct tensor *tensor,
                                           struct opshift_error *error)
{
    Onnx__GraphProto *graph = packing->graph;
    graph->initializer[graph->n_initializer] =
        tensor_encode(packing->draft->arena, tensor, (struct bytes){(const uint8_t *)name, strlen(name)});
    return graph->initializer[graph->n_initializer++] ? OPSHIFT_OK : opshift_no_memory(error);
}

static bool is_real(enum opshift_type type)
{
    return type == OPSHIFT_TYPE_FLOAT || type == OPSHIFT_TYPE_DOUBLE || type == OPSHIFT_TYPE_FLOAT16 ||
           type == OPSHIFT_TYPE_BFLOAT16;
}

bool fragment_is_small(const struct value_type *type)
{
    uint64_t count = 1;
    if (type->type == OPSHIFT_TYPE_UNDEFINED || type->type == OPSHIFT_TYPE_STRING || type->rank < 0)
        return false;
    for (int32_t i = 0; i < type->rank; i++) {
        if (type->dims[i] < 0 || type->dims[i] > GIVEN_MOST)
            return false;
        count *= (uint64_t)type->dims[i];
        if (count > GIVEN_MOST)
            return false;
    }
    return type_size(type->type, count) <= GIVEN_MOST && (count <= GIVEN_REALS || !is_real(type->type));
}

/* Removes what is only declared, or records that the draft relies on it. */
static enum opshift_status type_reduce(struct packing *packing, name_id value, struct value_type *type,
                                       struct opshift_error *error)
{
    struct types *types = packing->planner->around.types;
    struct draft *draft = packing->draft;
    struct type_assumption element, shape;
    enum opshift_status status = types_assumption(types, draft->graph, value, TYPE_PART_ELEMENT, &element, error);
    if (status == OPSHIFT_OK)
        status = types_assumption(types, draft->graph, value, TYPE_PART_SHAPE, &shape, error);
    bool known = type->type != OPSHIFT_TYPE_UNDEFINED || type->other;
    if (status)
        return status;
    if (packing->unsure == UNSURE_NONE && element.graph)
        *type = (struct value_type){.rank = -1};
    else if (element.graph && known)
        draft_relies(draft, value, RELIES_ON_ELEMENT);
    if (packing->unsure != UNSURE_ALL && shape.graph)
        type->rank = -1;
    else if (shape.graph && known && type->rank >= 0)
        draft_relies(draft, value, RELIES_ON_SHAPE);
    return OPSHIFT_OK;
}

static enum opshift_status add_named(struct packing *packing, const char *name, name_id value,
                                     struct opshift_error *error)
{
    struct draft *draft = packing->draft;
    Onnx__GraphProto *graph = packing->graph;
    struct value_type type;
    const struct tensor *tensor = NULL;
    const char *why;
    enum opshift_status status = draft_type(draft, value, &type, error);
    if (status == OPSHIFT_OK && fragment_is_small(&type))
        status = draft_constant(draft, value, &tensor, &why, error);
    if (status)
        return status;
    if (tensor)
        return add_initializer(packing, name, tensor, error);
    status = type_reduce(packing, value, &type, error);
    if (status)
        return status;
    graph->input[graph->n_input] = value_pack(draft->model, name, &type, draft->arena);
    return graph->input[graph->n_input++] ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status add_inputs(struct packing *packing, const struct replacement *replacement,
                                      struct opshift_error *error)
{
    struct draft *draft = packing->draft;
    enum opshift_status status = OPSHIFT_OK;
    for (size_t i = 0; status == OPSHIFT_OK && i < replacement->input_count && i < draft->input_count; i++) {
        const struct draft_input *input = &draft->inputs[i];
        const char *name = replacement->inputs[i];
        if (name == NULL || !draft_input_present(draft, (uint32_t)i))
            continue;
        if (input->kind == VALUE_LITERAL)
            status = add_initializer(packing, name, input->literal, error);
        else if (input->kind == VALUE_NAME)
            status = add_named(packing, name, input->name, error);
        else
            status = opshift_fail(error, OPSHIFT_NO,
                                  "the nodes that replace it would read its input '%s', which is computed from a "
                                  "parameter of the function; write the value into the function",
                                  name);
    }
    return status;
}

enum opshift_status fragment_drop_unread(struct draft *draft, struct opshift_error *error)
{
    uint32_t kept = 0;
    bool *unread = arena_alloc(draft->arena, draft->output_count, sizeof(*unread));
    if (unread == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < draft->output_count; i++) {
        enum opshift_status status = OPSHIFT_OK;
        unread[i] = draft->outputs[i] == NAME_NONE || draft->outputs[i] == NAME_FRESH;
        if (!unread[i])
            status = draft_unread(draft, draft->outputs[i], &unread[i], error);
        if (status)
            return status;
        kept += !unread[i];
    }
    for (uint32_t i = 0; i < draft->output_count && kept; i++)
        if (unread[i])
            draft->outputs[i] = NAME_NONE;
    return OPSHIFT_OK;
}

static enum opshift_status add_outputs(struct packing *packing, const struct replacement *replacement,
                                       struct opshift_error *error)
{
    struct draft *draft = packing->draft;
    Onnx__GraphProto *graph = packing->graph;
    enum opshift_status status = fragment_drop_unread(draft, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < replacement->output_count && i < draft->output_count; i++) {
        if (replacement->outputs[i] == NULL || draft->outputs[i] == NAME_NONE || draft->outputs[i] == NAME_FRESH)
            continue;
        graph->output[graph->n_output] = value_pack(draft->model, replacement->outputs[i], NULL, draft->arena);
        if (graph->output[graph->n_output++] == NULL)
            return opshift_no_memory(error);
    }
    return status;
}

static enum opshift_status model_pack(Onnx__GraphProto *graph, Onnx__OperatorSetIdProto **imports, size_t import_count,
                                      struct arena *arena, struct bytes *bytes, struct opshift_error *error)
{
    Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
    model.has_ir_version = 1;
    model.ir_version = FRAGMENT_IR_VERSION;
    model.n_opset_import = import_count;
    model.opset_import = imports;
    model.graph = graph;
    *bytes = wire_pack(arena, &model.base);
    return bytes->data == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

static void import_add(Onnx__OperatorSetIdProto *list, Onnx__OperatorSetIdProto **imports, size_t *count,
                       const char *domain, int64_t version)
{
    Onnx__OperatorSetIdProto *import = imports[*count] = &list[*count];
    ++*count;
    onnx__operator_set_id_proto__init(import);
    import->has_domain = import->has_version = 1;
    import->domain = binary_of(domain);
    import->version = version;
}

enum opshift_status fragment_pack(struct planner *planner, struct draft *draft, enum fragment_unsure unsure,
                                  struct bytes *bytes, struct opshift_error *error)
{
    const struct replacement *replacement = draft->replacement;
    struct arena *arena = draft->arena;
    Onnx__GraphProto graph = ONNX__GRAPH_PROTO__INIT;
    struct packing packing = {planner, draft, unsure, &graph};
    graph.has_name = 1;
    graph.name = binary_of(draft->op_type);
    graph.n_node = replacement->node_count;
    graph.node = replacement->nodes;
    graph.input = arena_alloc(arena, replacement->input_count, sizeof(*graph.input));
    graph.initializer = arena_alloc(arena, replacement->input_count, sizeof(*graph.initializer));
    graph.output = arena_alloc(arena, replacement->output_count, sizeof(*graph.output));
    if (graph.input == NULL || graph.initializer == NULL || graph.output == NULL)
        return opshift_no_memory(error);
    planner->around.relied = &planner->node.relied;
    enum opshift_status status = add_inputs(&packing, replacement, error);
    planner->around.relied = NULL;
    if (status == OPSHIFT_OK)
        status = add_outputs(&packing, replacement, error);
    bool has_other = *replacement->domain != '\0';
    Onnx__OperatorSetIdProto list[3], *imports[3];
    size_t count = 0;
    import_add(list, imports, &count, "", has_other ? planner->plan->target : replacement->opset);
    if (has_other)
        import_add(list, imports, &count, replacement->domain, replacement->opset);
    if (replacement->calls)
        import_add(list, imports, &count, GRAPH_CALL_DOMAIN, 1);
    return status ? status : model_pack(&graph, imports, count, arena, bytes, error);
}

enum opshift_status fragment_open(struct bytes bytes, const char *name, struct opshift_model **model,
                                  struct opshift_error *error)
{
    const struct opshift_open_options options = {.name = name};
    return opshift_model_open_memory(bytes.data, bytes.size, &options, model, error);
}

/* ---- folding ----------------------------------------------------------------------------------------------------- */

/* State of folding a fragment. */
struct folding {
    struct opshift_model *model;
    struct surroundings around;
    struct arena *arena;
    Onnx__GraphProto *graph;
    bool again;                      /* a node was replaced, so that others may now fold */
    uint32_t name_count;             /* at the start: folding a graph inside a node may add names to the model */
    uint8_t *read;                   /* by name: 1: it is read; 2: it is an output of the graph */
    const struct tensor **constants; /* by name; NULL: not a constant */
};

static name_id name_of(const struct folding *folding, ProtobufCBinaryData text)
{
    name_id name = NAME_NONE;
    bool found = names_find(folding->model->names, text.data, text.len, &name);
    return found && name < folding->name_count ? name : NAME_NONE;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

/* May the constant replace the node on every runtime? Results of moving, casting or rounding once are the same
 * everywhere; those of other floating-point arithmetic may differ. */
static bool may_fold(const char *op_type, const struct tensor *tensor)
{
    static const char *const sure[] = {"Constant",   "ConstantOfShape",
                                       "Identity",   "Cast",
                                       "CastLike",   "Reshape",
                                       "Squeeze",    "Unsqueeze",
                                       "Flatten",    "Concat",
                                       "Gather",     "Slice",
                                       "Transpose",  "Expand",
                                       "Tile",       "Split",
                                       "Where",      "Add",
                                       "Sub",        "Mul",
                                       "Div",        "Sqrt",
                                       "Neg",        "Abs",
                                       "Reciprocal", "Min",
                                       "Max",        NULL};
    if (strcmp(op_type, "Constant") == 0)
        return true;
    return type_size(tensor->type, tensor->count) <= FOLDED_MOST &&
           (!is_real(tensor->type) || is_one_of(op_type, sure));
}

/* Fills in the constants that a node gives; *all: all its used outputs are constants. */
static enum opshift_status fold_node(struct folding *folding, const struct node *node, bool *all,
                                     struct opshift_error *error)
{
    struct graph *graph = folding->model->main;
    const char *op_type = names_text(folding->model->names, node->op_type);
    *all = node_domain(node) == NAME_NONE;
    for (uint32_t i = 0; *all && i < node->output_count; i++) {
        name_id name = node_outputs(node)[i];
        const struct tensor *tensor = NULL;
        if (name == NAME_NONE)
            continue;
        *all = (folding->read[name] & 2) == 0;
        enum opshift_status status =
            *all ? fold_constant(folding->around.fold, graph, name, &tensor, NULL, error) : OPSHIFT_OK;
        if (status == OPSHIFT_OK && *all && tensor == NULL)
            status = types_integers(folding->around.types, graph, name, folding->arena, &tensor, error);
        if (status)
            return status;
        *all = *all && tensor && may_fold(op_type, tensor);
        folding->constants[name] = *all ? tensor : NULL;
    }
    return OPSHIFT_OK;
}

/* A CastLike to a known type becomes a Cast, which folds if its input is constant. */
static enum opshift_status cast_like(struct folding *folding, const struct node *node, Onnx__NodeProto *message,
                                     struct opshift_error *error)
{
    struct arena *arena = folding->arena;
    struct value_type type;
    const char *op_type = names_text(folding->model->names, node->op_type);
    if (node_domain(node) != NAME_NONE || strcmp(op_type, "CastLike") != 0 || node->input_count != 2)
        return OPSHIFT_OK;
    enum opshift_status status =
        types_find(folding->around.types, folding->model->main, node_inputs(node)[1], &type, error);
    if (status || type.type == OPSHIFT_TYPE_UNDEFINED)
        return status;
    Onnx__AttributeProto *to = arena_alloc(arena, 1, sizeof(*to));
    Onnx__AttributeProto **list = arena_alloc(arena, message->n_attribute + 1, sizeof(*list));
    if (to == NULL || list == NULL)
        return opshift_no_memory(error);
    onnx__attribute_proto__init(to);
    to->has_name = to->has_type = to->has_i = 1;
    to->name = binary_of("to");
    to->type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT;
    to->i = (int64_t)type.type;
    if (message->n_attribute)
        memcpy(list, message->attribute, message->n_attribute * sizeof(*list));
    list[message->n_attribute++] = to;
    message->attribute = list;
    message->op_type = binary_of("Cast");
    message->n_input = 1;
    folding->again = true;
    return OPSHIFT_OK;
}

/* Marks all names that a subgraph reads, its own values too. */
static void mark_graph(struct folding *folding, const Onnx__GraphProto *graph);
static void mark_node(struct folding *folding, const Onnx__NodeProto *node)
{
    for (size_t i = 0; i < node->n_input; i++)
        folding->read[name_of(folding, node->input[i])] |= 1;
    for (size_t i = 0; i < node->n_attribute; i++) {
        if (node->attribute[i]->g)
            mark_graph(folding, node->attribute[i]->g);
        for (size_t k = 0; k < node->attribute[i]->n_graphs; k++)
            mark_graph(folding, node->attribute[i]->graphs[k]);
    }
}

static void mark_graph(struct folding *folding, const Onnx__GraphProto *graph)
{
    for (size_t i = 0; i < graph->n_node; i++)
        mark_node(folding, graph->node[i]);
    for (size_t i = 0; i < graph->n_output; i++)
        folding->read[name_of(folding, graph->output[i]->name)] |= 1;
}

static bool is_read(const struct folding *folding, const Onnx__NodeProto *node)
{
    for (size_t i = 0; i < node->n_output; i++)
        if (node->output[i].len && folding->read[name_of(folding, node->output[i])])
            return true;
    return false;
}

/* Removes folded and unused nodes, from the last to the first. */
static enum opshift_status fold_nodes(struct folding *folding, struct opshift_error *error)
{
    Onnx__GraphProto *graph = folding->graph;
    size_t kept = graph->n_node;
    for (size_t i = graph->n_node; i-- > 0;) {
        bool folded = false;
        enum opshift_status status = OPSHIFT_OK;
        if (!is_read(folding, graph->node[i]))
            continue;
        status = fold_node(folding, &folding->model->main->nodes[i], &folded, error);
        if (status)
            return status;
        if (folded)
            continue;
        status = cast_like(folding, &folding->model->main->nodes[i], graph->node[i], error);
        if (status)
            return status;
        mark_node(folding, graph->node[i]);
        graph->node[--kept] = graph->node[i];
    }
    graph->n_node -= kept;
    if (kept > 0) /* the list may be NULL */
        graph->node += kept;
    return OPSHIFT_OK;
}

/* Keeps the fragment's own constants, and the new ones that are used. The former are inputs of the replaced node:
 * unread ones stay too, so that no new value gets their names. */
static enum opshift_status fold_constants(struct folding *folding, struct opshift_error *error)
{
    Onnx__GraphProto *graph = folding->graph;
    const struct names *names = folding->model->names;
    size_t count = 0;
    for (name_id name = 0; name < folding->name_count; name++)
        count += folding->constants[name] != NULL;
    Onnx__TensorProto **list = arena_alloc(folding->arena, graph->n_initializer + count, sizeof(*list));
    if (list == NULL)
        return opshift_no_memory(error);
    count = 0;
    for (size_t i = 0; i < graph->n_initializer; i++)
        list[count++] = graph->initializer[i];
    for (name_id name = 0; name < folding->name_count; name++) {
        if (folding->constants[name] == NULL || !folding->read[name])
            continue;
        list[count] = tensor_encode(folding->arena, folding->constants[name], names_bytes(names, name));
        if (list[count++] == NULL)
            return opshift_no_memory(error);
    }
    graph->initializer = list;
    graph->n_initializer = count;
    return OPSHIFT_OK;
}

static enum opshift_status fold_graph(struct folding *folding, struct opshift_error *error)
{
    uint32_t count = folding->name_count = names_count(folding->model->names);
    folding->read = arena_alloc(folding->arena, count, 1);
    folding->constants = arena_alloc(folding->arena, count, sizeof(*folding->constants));
    if (folding->read == NULL || folding->constants == NULL)
        return opshift_no_memory(error);
    for (size_t i = 0; i < folding->graph->n_output; i++)
        folding->read[name_of(folding, folding->graph->output[i]->name)] |= 2;
    enum opshift_status status = fold_nodes(folding, error);
    return status ? status : fold_constants(folding, error);
}

static enum opshift_status fold_once(struct bytes bytes, const char *name, struct arena *arena, struct bytes *folded,
                                     bool *again, struct opshift_error *error)
{
    struct folding folding = {.arena = arena};
    Onnx__ModelProto *message = onnx__model_proto__unpack(arena_allocator(arena), bytes.size, bytes.data);
    if (message == NULL)
        return opshift_no_memory(error);
    folding.graph = message->graph;
    enum opshift_status status = fragment_open(bytes, name, &folding.model, error);
    if (status)
        return status;
    status = surroundings_open(&folding.around, folding.model, false, error);
    if (status == OPSHIFT_OK)
        status = fold_graph(&folding, error);
    if (status == OPSHIFT_OK)
        status = model_pack(folding.graph, message->opset_import, message->n_opset_import, arena, folded, error);
    surroundings_close(&folding.around);
    opshift_model_free(folding.model);
    *again = folding.again;
    return status;
}

enum opshift_status fragment_fold(struct bytes bytes, const char *name, struct arena *arena, struct bytes *folded,
                                  struct opshift_error *error)
{
    bool again = false;
    enum opshift_status status = fold_once(bytes, name, arena, folded, &again, error);
    if (status == OPSHIFT_OK && again)
        status = fold_once(*folded, name, arena, folded, &again, error);
    return status;
}
