/* Writes the first region that differs as two models, with inputs on which they do. */
#include "equal/reduce.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "infer/declare.h"
#include "run/values.h"
#include "wire/wire.h"

/* The least IR version whose initializers are no inputs. */
#define REDUCED_IR_VERSION 4

struct reducing {
    struct equal_work *work;
    const struct cut_out *cut;
    const struct reduced_run *run;
    struct arena *arena;
    struct names *taken;    /* names of values of the model that is being made */
    char **leaves;          /* names of the inputs, by leaf: the same in both models */
    const char *result;     /* and of the output */
    struct node_use **uses; /* of the side, each once */
    const char ***made;     /* names of their outputs */
    uint32_t use_count;
    const char **constants; /* names, by constant */
    Onnx__GraphProto *graph;
    const char *cannot; /* why it is not written */
};

/* ---- names ---- */

/* A name that the model does not have: this one, or with a number behind it. NULL: no memory. */
static const char *name_new(struct reducing *reducing, const char *wanted)
{
    const char *name = arena_print(reducing->arena, "%s", wanted);
    name_id found;
    for (unsigned i = 1; name != NULL && names_find(reducing->taken, name, strlen(name), &found); i++)
        name = arena_print(reducing->arena, "%s_%u", wanted, i);
    return name != NULL && names_add(reducing->taken, name, strlen(name)) != NAME_NO_MEMORY ? name : NULL;
}

static const char *term_name(const struct equal_work *work, term_id id)
{
    const struct equal_term *term = &work->terms[id];
    const struct opshift_model *first = work->sides[0].model;
    if (term->kind == TERM_INPUT)
        return names_text(first->names, first->main->inputs[term->input].name);
    if (term->kind == TERM_MADE)
        return names_text(term->use->side->model->names, node_outputs(term->use->node)[term->output]);
    return term->initializer != NULL ? names_text(term->side->model->names, term->initializer->name) : "constant";
}

/* Inputs are entries of an archive: their names have no characters that are special in paths. */
static bool leaves_name(struct reducing *reducing)
{
    const struct cut_out *cut = reducing->cut;
    reducing->leaves = arena_alloc(reducing->arena, cut->leaf_count + UINT64_C(1), sizeof(*reducing->leaves));
    bool done = reducing->leaves != NULL;
    for (uint32_t i = 0; i < cut->leaf_count && done; i++) {
        char *plain = arena_print(reducing->arena, "%s", term_name(reducing->work, cut->leaves[i]));
        for (char *at = plain; at != NULL && *at != '\0'; at++)
            if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *at) == NULL)
                *at = '_';
        reducing->leaves[i] = plain == NULL ? NULL : (char *)(uintptr_t)name_new(reducing, plain);
        done = reducing->leaves[i] != NULL;
    }
    return done;
}

/* The name of a term in the model; NULL: the model does not have it. */
static const char *value_name(const struct reducing *reducing, term_id id)
{
    const struct cut_out *cut = reducing->cut;
    const struct equal_term *term = &reducing->work->terms[id];
    for (uint32_t i = 0; i < cut->leaf_count; i++)
        if (cut->leaves[i] == id)
            return reducing->leaves[i];
    for (uint32_t i = 0; i < cut->constant_count; i++)
        if (cut->constants[i] == id)
            return reducing->constants[i];
    for (uint32_t i = 0; i < reducing->use_count; i++)
        if (reducing->uses[i] == term->use)
            return reducing->made[i][term->output];
    return NULL;
}

/* ---- the graph ---- */

/* A node that is computed once has all its outputs. */
static bool uses_take(struct reducing *reducing, int side)
{
    const struct cut_out *cut = reducing->cut;
    const struct equal_term *last = &reducing->work->terms[side == 0 ? cut->before : cut->after];
    uint32_t room = cut->use_count[side] + 1;
    reducing->uses = arena_alloc(reducing->arena, room, sizeof(*reducing->uses));
    reducing->made = arena_alloc(reducing->arena, room, sizeof(*reducing->made));
    bool done = reducing->uses != NULL && reducing->made != NULL;
    reducing->use_count = 0;
    for (uint32_t i = 0; i < cut->use_count[side] && done; i++) {
        struct node_use *use = cut->uses[side][i];
        uint32_t at = 0;
        while (at < reducing->use_count && reducing->uses[at] != use)
            at++;
        if (at < reducing->use_count)
            continue;
        const char **names = arena_alloc(reducing->arena, use->node->output_count + UINT64_C(1), sizeof(*names));
        done = names != NULL;
        for (uint32_t k = 0; k < use->node->output_count && done; k++) {
            name_id name = node_outputs(use->node)[k];
            bool is_last = last->use == use && last->output == k && last->kind == TERM_MADE;
            names[k] = name == NAME_NONE ? ""
                       : is_last         ? reducing->result
                                         : name_new(reducing, names_text(use->side->model->names, name));
            done = names[k] != NULL;
        }
        reducing->uses[reducing->use_count] = use;
        reducing->made[reducing->use_count++] = names;
    }
    return done;
}

static enum opshift_status constants_take(struct reducing *reducing, int side, struct opshift_error *error)
{
    const struct cut_out *cut = reducing->cut;
    Onnx__GraphProto *graph = reducing->graph;
    enum opshift_status status = OPSHIFT_OK;
    reducing->constants = arena_alloc(reducing->arena, cut->constant_count + UINT64_C(1), sizeof(char *));
    graph->initializer = arena_alloc(reducing->arena, cut->constant_count + UINT64_C(1), sizeof(*graph->initializer));
    if (reducing->constants == NULL || graph->initializer == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < cut->constant_count && status == OPSHIFT_OK; i++) {
        const struct tensor *tensor = NULL;
        if (!(cut->constant_sides[i] >> side & 1))
            continue;
        const char *name = name_new(reducing, term_name(reducing->work, cut->constants[i]));
        reducing->constants[i] = name;
        status = content_load(&reducing->work->terms[cut->constants[i]], reducing->arena, &tensor, error);
        if (status == OPSHIFT_OK && name != NULL)
            graph->initializer[graph->n_initializer] =
                tensor_encode(reducing->arena, tensor, (struct bytes){(const uint8_t *)name, strlen(name)});
        if (status == OPSHIFT_OK && (name == NULL || graph->initializer[graph->n_initializer++] == NULL))
            status = opshift_no_memory(error);
    }
    return status;
}

static Onnx__NodeProto *node_new(struct reducing *reducing, size_t inputs, size_t outputs)
{
    Onnx__NodeProto *node = arena_alloc(reducing->arena, 1, sizeof(*node));
    if (node == NULL)
        return NULL;
    onnx__node_proto__init(node);
    node->input = arena_alloc(reducing->arena, inputs + 1, sizeof(*node->input));
    node->output = arena_alloc(reducing->arena, outputs + 1, sizeof(*node->output));
    node->n_input = inputs;
    node->n_output = outputs;
    node->has_op_type = 1;
    reducing->graph->node[reducing->graph->n_node++] = node;
    return node->input == NULL || node->output == NULL ? NULL : node;
}

static ProtobufCBinaryData name_binary(const struct node_use *use, name_id name)
{
    struct bytes bytes = names_bytes(use->side->model->names, name);
    return (ProtobufCBinaryData){bytes.size, (uint8_t *)(uintptr_t)bytes.data};
}

static enum opshift_status node_take(struct reducing *reducing, uint32_t at, struct opshift_error *error)
{
    const struct node_use *use = reducing->uses[at];
    const struct node *from = use->node;
    Onnx__NodeProto *node = node_new(reducing, from->input_count, from->output_count);
    if (node == NULL)
        return opshift_no_memory(error);
    node->op_type = name_binary(use, from->op_type);
    node->has_domain = node_domain(from) != NAME_NONE;
    node->domain = name_binary(use, node_domain(from));
    node->has_name = 1;
    node->name = name_binary(use, node_name(use->side->model, from));
    for (uint32_t i = 0; i < from->input_count; i++) {
        const char *name = use->inputs[i] == TERM_NONE ? "" : value_name(reducing, use->inputs[i]);
        if (name == NULL)
            reducing->cannot = "a node of it reads what is not in it";
        node->input[i] = binary_of(name == NULL ? "" : name);
    }
    for (uint32_t i = 0; i < from->output_count; i++)
        node->output[i] = binary_of(reducing->made[at][i]);
    if (node_subgraph_count(from) > 0 && (use->opening != NULL || use->side->model->function_count > 0))
        reducing->cannot = "a node of it has a body that may depend on functions";
    return use_attributes(reducing->work, use, reducing->arena, &node->attribute, &node->n_attribute, error);
}

/* The result is an input or a constant, or the same value under two names. */
static enum opshift_status result_pass(struct reducing *reducing, term_id id, struct opshift_error *error)
{
    const char *name = value_name(reducing, id);
    if (name == reducing->result)
        return OPSHIFT_OK;
    Onnx__NodeProto *node = node_new(reducing, 1, 1);
    if (node == NULL)
        return opshift_no_memory(error);
    node->op_type = binary_of("Identity");
    node->input[0] = binary_of(name == NULL ? "" : name);
    node->output[0] = binary_of(reducing->result);
    return OPSHIFT_OK;
}

static Onnx__ValueInfoProto *value_declare(struct reducing *reducing, const char *name, enum opshift_type element,
                                           const struct tensor *tensor)
{
    struct value_type type = {.type = element, .rank = -1, .is_tensor = true};
    if (tensor != NULL) {
        type.rank = (int32_t)tensor->rank;
        type.dims = (int64_t *)(uintptr_t)tensor->dims;
    }
    return value_info_new(reducing->arena, NULL, binary_of(name), &type);
}

static enum opshift_status graph_make(struct reducing *reducing, int side, struct opshift_error *error)
{
    const struct cut_out *cut = reducing->cut;
    const struct reduced_run *run = reducing->run;
    Onnx__GraphProto *graph = reducing->graph;
    graph->has_name = 1;
    graph->name = binary_of(side == 0 ? "before" : "after");
    graph->input = arena_alloc(reducing->arena, cut->leaf_count + UINT64_C(1), sizeof(*graph->input));
    graph->output = arena_alloc(reducing->arena, 1, sizeof(*graph->output));
    if (graph->input == NULL || graph->output == NULL || !uses_take(reducing, side))
        return opshift_no_memory(error);
    graph->node = arena_alloc(reducing->arena, reducing->use_count + UINT64_C(1), sizeof(*graph->node));
    enum opshift_status status = graph->node == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = constants_take(reducing, side, error);
    for (uint32_t i = 0; i < cut->leaf_count && status == OPSHIFT_OK; i++) {
        const struct tensor *leaf = run->leaves[i];
        graph->input[graph->n_input] = value_declare(reducing, reducing->leaves[i], leaf->type, leaf);
        if (graph->input[graph->n_input++] == NULL)
            status = opshift_no_memory(error);
    }
    for (uint32_t i = 0; i < reducing->use_count && status == OPSHIFT_OK; i++)
        status = node_take(reducing, i, error);
    if (status == OPSHIFT_OK)
        status = result_pass(reducing, side == 0 ? cut->before : cut->after, error);
    graph->output[graph->n_output++] = value_declare(reducing, reducing->result, run->types[side], NULL);
    return status == OPSHIFT_OK && graph->output[0] == NULL ? opshift_no_memory(error) : status;
}

/* ---- opsets ---- */

/* Do all operators of ai.onnx mean at this opset what they mean at theirs? */
static bool opset_fits(const struct reducing *reducing, int64_t opset)
{
    bool fits = true;
    for (uint32_t i = 0; i < reducing->use_count && fits; i++) {
        const struct node_use *use = reducing->uses[i];
        const char *name = names_text(use->side->model->names, use->node->op_type);
        int64_t own = graph_opset(use->side->model, use->graph, NAME_NONE);
        const struct schema *here = schema_find("", name, opset);
        if (node_domain(use->node) == NAME_NONE && own != opset)
            fits = here != NULL && here == schema_find("", name, own) && node_subgraph_count(use->node) == 0;
    }
    return fits;
}

/* Adds an import of a domain. */
static bool import_add(struct reducing *reducing, Onnx__ModelProto *model, ProtobufCBinaryData domain, int64_t version)
{
    for (size_t i = 0; i < model->n_opset_import; i++)
        if (bytes_same(bytes_of(model->opset_import[i]->domain), bytes_of(domain))) {
            if (model->opset_import[i]->version != version && domain.len > 0)
                reducing->cannot = "its nodes have several opsets of one domain";
            return true;
        }
    Onnx__OperatorSetIdProto *import = arena_alloc(reducing->arena, 1, sizeof(*import));
    if (import == NULL)
        return false;
    onnx__operator_set_id_proto__init(import);
    import->has_domain = import->has_version = 1;
    import->domain = domain;
    import->version = version;
    model->opset_import[model->n_opset_import++] = import;
    return true;
}

static bool imports_make(struct reducing *reducing, int side, Onnx__ModelProto *model)
{
    int64_t opset = opshift_model_opset(reducing->work->sides[side].model);
    model->opset_import = arena_alloc(reducing->arena, reducing->use_count + UINT64_C(1), sizeof(*model->opset_import));
    bool done = model->opset_import != NULL;
    for (uint32_t i = 0; i < reducing->use_count && !opset_fits(reducing, opset); i++)
        opset = graph_opset(reducing->uses[i]->side->model, reducing->uses[i]->graph, NAME_NONE);
    if (!opset_fits(reducing, opset))
        reducing->cannot = "its nodes have several opsets of one domain";
    done = done && import_add(reducing, model, binary_of(""), opset);
    for (uint32_t i = 0; i < reducing->use_count && done; i++) {
        const struct node_use *use = reducing->uses[i];
        name_id domain = node_domain(use->node);
        if (domain != NAME_NONE)
            done = import_add(reducing, model, name_binary(use, domain),
                              graph_opset(use->side->model, use->graph, domain));
    }
    return done;
}

/* ---- files ---- */

static enum opshift_status model_write(struct reducing *reducing, int side, const char *path,
                                       struct opshift_error *error)
{
    Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
    Onnx__GraphProto *graph = arena_alloc(reducing->arena, 1, sizeof(*graph));
    struct opshift_model *written = NULL;
    struct opshift_open_options options = {.name = path};
    int64_t version = (int64_t)opshift_model_ir_version(reducing->work->sides[side].model);
    reducing->taken = names_new();
    if (graph == NULL || reducing->taken == NULL) {
        names_free(reducing->taken);
        return opshift_no_memory(error);
    }
    onnx__graph_proto__init(graph);
    reducing->graph = model.graph = graph;
    reducing->result = name_new(reducing, term_name(reducing->work, reducing->cut->before));
    enum opshift_status status =
        reducing->result != NULL && leaves_name(reducing) ? OPSHIFT_OK : opshift_no_memory(error);
    if (status == OPSHIFT_OK)
        status = graph_make(reducing, side, error);
    if (status == OPSHIFT_OK && !imports_make(reducing, side, &model))
        status = opshift_no_memory(error);
    names_free(reducing->taken);
    if (status != OPSHIFT_OK || reducing->cannot != NULL)
        return status;
    model.has_ir_version = 1;
    model.ir_version = version < REDUCED_IR_VERSION ? REDUCED_IR_VERSION : version;
    struct bytes packed = wire_pack(reducing->arena, &model.base);
    if (packed.data == NULL)
        return opshift_no_memory(error);
    status = opshift_model_open_memory(packed.data, packed.size, &options, &written, error);
    if (status == OPSHIFT_OK)
        status = opshift_model_save(written, path, NULL, error);
    opshift_model_free(written);
    return status;
}

static enum opshift_status inputs_write(const struct reducing *reducing, const char *path, struct opshift_error *error)
{
    struct opshift_values *values = NULL;
    enum opshift_status status = opshift_values_new(&values, error);
    for (uint32_t i = 0; i < reducing->cut->leaf_count && status == OPSHIFT_OK; i++) {
        struct opshift_value *value = NULL;
        struct value leaf = value_of(reducing->run->leaves[i]);
        status = value_copy(&leaf, &value, error);
        if (status == OPSHIFT_OK)
            status = opshift_values_add(values, reducing->leaves[i], value, error);
    }
    if (status == OPSHIFT_OK)
        status = opshift_values_write(values, path, error);
    opshift_values_free(values);
    return status;
}

static enum opshift_status reduced_write(struct reducing *reducing, const char *directory, struct opshift_error *error)
{
    static const char *const names[] = {"before.onnx", "after.onnx", "inputs.npz"};
    enum opshift_status status = OPSHIFT_OK;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return opshift_fail(error, OPSHIFT_IO, "%s: cannot be made: %s", directory, strerror(errno));
    for (int i = 0; i < 3 && status == OPSHIFT_OK && reducing->cannot == NULL; i++) {
        const char *path = arena_print(reducing->arena, "%s/%s", directory, names[i]);
        if (path == NULL)
            return opshift_no_memory(error);
        status = i < 2 ? model_write(reducing, i, path, error) : inputs_write(reducing, path, error);
    }
    return status;
}

/* ---- which region ---- */

/* The values that it makes of the first model come first. */
static struct equal_region *first_region(const struct equal_work *work)
{
    struct equal_region *first = NULL;
    for (struct equal_region *region = work->answer->regions; region != NULL; region = region->next)
        if (region->verdict == EQUAL_DIFFERS && region->cut != NULL &&
            (first == NULL || region->cut->before < first->cut->before))
            first = region;
    return first;
}

enum opshift_status reduce_write(struct equal_work *work, struct opshift_error *error)
{
    struct equal_answer *answer = work->answer;
    struct equal_region *region = first_region(work);
    struct reduced_run run = {0};
    struct reducing reducing = {.work = work, .run = &run, .arena = arena_new(0)};
    struct opshift_error why = {0};
    enum opshift_status status = reducing.arena == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    answer->not_reduced = work->refused == NULL ? "no region that was run differs" : work->refused;
    if (status == OPSHIFT_OK && region != NULL)
        status = region_again(work, region, reducing.arena, &run, error);
    reducing.cut = region == NULL ? NULL : region->cut;
    if (status == OPSHIFT_OK && region != NULL && run.leaves != NULL) {
        status = reduced_write(&reducing, work->options->reduce, &why);
        if (status == OPSHIFT_IO) {
            answer->not_written = why;
            status = OPSHIFT_OK;
        } else if (status == OPSHIFT_UNSUPPORTED || status == OPSHIFT_MALFORMED) {
            reducing.cannot = arena_print(work->arena, "%s", why.text);
            status = OPSHIFT_OK;
        }
        answer->reduced = reducing.cannot == NULL ? region : NULL;
        answer->not_reduced = reducing.cannot;
        status = error_give(error, status, &why);
    } else if (region != NULL) {
        answer->not_reduced = "the difference was not met again";
    }
    arena_free(reducing.arena);
    return status;
}
