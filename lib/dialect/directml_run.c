/* Runs lowered Splits by the definition of DirectML's operator: each output has the words of its part of the axis. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/option_struct.h"
#include "dialect/directml.h"
#include "infer/declare.h"
#include "run/inputs.h"
#include "wire/wire.h"

/* Bytes of a document. */
#define DOCUMENT_SIZE_MAX ((size_t)256 << 20)
/* Default limit of the bytes of all outputs. */
#define RUN_BYTES_MAX (UINT64_C(192) << 20)
#define LOWERED_OPSET 18
#define LOWERED_IR    8

struct opshift_lowered {
    char *path;
    struct arena *arena;
    struct directml_document document;
    struct opshift_model *model; /* declares the inputs and outputs; has no nodes */
};

/* ---- what the document reads and writes ---- */

/* A tensor that operators read or write. */
struct lowered_value {
    const struct directml_operator *reader, *writer; /* the first ones; NULL: none */
};

/* All tensors of a document; those that only operators read are its inputs. */
struct lowered_values {
    struct names *names;
    struct lowered_value *items; /* by name */
    Onnx__GraphProto *graph;     /* lists them */
    struct arena *arena;
};

static struct lowered_value *lowered_value_find(struct lowered_values *values, const char *name)
{
    name_id id = names_add(values->names, name, strlen(name));
    return id == NAME_NO_MEMORY ? NULL : &values->items[id];
}

/* op: declares the type of an input; NULL: of an output, none. */
static Onnx__ValueInfoProto *pack_value(const char *name, const struct directml_operator *op, struct arena *arena)
{
    struct value_type type = {.is_tensor = true};
    if (op == NULL)
        return value_info_new(arena, NULL, binary_of(name), NULL);
    type.type = op->type;
    type.rank = (int32_t)op->rank;
    type.dims = (int64_t *)(uintptr_t)op->dims;
    return value_info_new(arena, NULL, binary_of(name), &type);
}

static bool same_tensor(const struct directml_operator *a, const struct directml_operator *b)
{
    return a->type == b->type && a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof(*a->dims)) == 0;
}

static enum opshift_status add_input(struct lowered_values *values, const struct directml_operator *op,
                                     struct opshift_error *error)
{
    struct lowered_value *value = lowered_value_find(values, op->input);
    if (value == NULL)
        return opshift_no_memory(error);
    if (value->reader && !same_tensor(value->reader, op))
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "input '%.80s' has another type or shape than where it is read before", op->input);
    if (value->reader == NULL && value->writer == NULL) {
        Onnx__ValueInfoProto *packed = pack_value(op->input, op, values->arena);
        if (packed == NULL)
            return opshift_no_memory(error);
        values->graph->input[values->graph->n_input++] = packed;
    }
    value->reader = value->reader ? value->reader : op;
    return OPSHIFT_OK;
}

static enum opshift_status add_output(struct lowered_values *values, const struct directml_operator *op,
                                      const char *name, struct opshift_error *error)
{
    if (*name == '\0')
        return OPSHIFT_OK;
    struct lowered_value *value = lowered_value_find(values, name);
    Onnx__ValueInfoProto *packed = pack_value(name, NULL, values->arena);
    if (value == NULL || packed == NULL)
        return opshift_no_memory(error);
    if (value->reader || value->writer)
        return opshift_fail(error, OPSHIFT_MALFORMED, "output '%.80s' is %s before", name,
                            value->writer ? "written" : "read");
    value->writer = op;
    values->graph->output[values->graph->n_output++] = packed;
    return OPSHIFT_OK;
}

static enum opshift_status add_values(struct lowered_values *values, const struct directml_operator *op,
                                      struct opshift_error *error)
{
    enum opshift_status status = add_input(values, op, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < op->desc.count; i++)
        status = add_output(values, op, op->outputs[i], error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < op->empty_count; i++)
        status = add_output(values, op, op->empties[i].name, error);
    return status;
}

/* Lists them in the graph. */
static enum opshift_status list_values(struct opshift_lowered *lowered, Onnx__GraphProto *graph,
                                       struct opshift_error *error)
{
    const struct directml_document *document = &lowered->document;
    struct lowered_values values = {names_new(), NULL, graph, lowered->arena};
    enum opshift_status status = OPSHIFT_OK;
    size_t room = 1;
    for (size_t i = 0; i < document->count; i++)
        room += (size_t)1 + document->operators[i].desc.count + document->operators[i].empty_count;
    graph->input = arena_alloc(lowered->arena, room, sizeof(*graph->input));
    graph->output = arena_alloc(lowered->arena, room, sizeof(*graph->output));
    values.items = arena_alloc(lowered->arena, room, sizeof(*values.items));
    if (!values.names || !values.items || !graph->input || !graph->output)
        status = opshift_no_memory(error);
    for (size_t i = 0; status == OPSHIFT_OK && i < document->count; i++)
        if ((status = add_values(&values, &document->operators[i], error)) != OPSHIFT_OK)
            status = opshift_within(error, status, "splits[%zu]", i);
    names_free(values.names);
    return status;
}

/* The model that declares them, which readers of values and the drawing of inputs go by. */
static enum opshift_status declare(struct opshift_lowered *lowered, struct opshift_error *error)
{
    Onnx__GraphProto graph = ONNX__GRAPH_PROTO__INIT;
    Onnx__ModelProto model = ONNX__MODEL_PROTO__INIT;
    Onnx__OperatorSetIdProto opset = ONNX__OPERATOR_SET_ID_PROTO__INIT, *opsets = &opset;
    enum opshift_status status = list_values(lowered, &graph, error);
    if (status)
        return status;
    model.has_ir_version = opset.has_version = 1;
    model.ir_version = LOWERED_IR;
    opset.version = LOWERED_OPSET;
    model.n_opset_import = 1;
    model.opset_import = &opsets;
    model.graph = &graph;
    struct bytes packed = wire_pack(lowered->arena, &model.base);
    if (packed.data == NULL)
        return opshift_no_memory(error);
    return opshift_model_open_memory(packed.data, packed.size, &(struct opshift_open_options){.name = lowered->path},
                                     &lowered->model, error);
}

/* ---- opening ---- */

static enum opshift_status lowered_read(struct opshift_lowered *lowered, struct opshift_error *error)
{
    char *text = NULL;
    size_t size = 0;
    enum opshift_status status = file_read(lowered->path, DOCUMENT_SIZE_MAX, &text, &size, error);
    if (status)
        return status;
    status = directml_read(text, size, lowered->arena, &lowered->document, error);
    free(text);
    if (status == OPSHIFT_OK)
        status = declare(lowered, error);
    return status ? opshift_within(error, status, "%s", lowered->path) : OPSHIFT_OK;
}

enum opshift_status opshift_lowered_open(const char *path, struct opshift_lowered **result, struct opshift_error *error)
{
    struct opshift_lowered *lowered = calloc(1, sizeof(*lowered));
    *result = NULL;
    if (lowered == NULL)
        return opshift_no_memory(error);
    lowered->path = strdup(path);
    lowered->arena = arena_new(0);
    enum opshift_status status =
        lowered->path && lowered->arena ? lowered_read(lowered, error) : opshift_no_memory(error);
    if (status)
        opshift_lowered_free(lowered);
    else
        *result = lowered;
    return status;
}

void opshift_lowered_free(struct opshift_lowered *lowered)
{
    if (lowered == NULL)
        return;
    opshift_model_free(lowered->model);
    arena_free(lowered->arena);
    free(lowered->path);
    free(lowered);
}

struct opshift_model *opshift_lowered_model(const struct opshift_lowered *lowered)
{
    return lowered->model;
}

/* ---- running ---- */

/* A run: inputs are the caller's, outputs are made one by one. */
struct lowered_run {
    const struct opshift_values *inputs;
    struct opshift_values *outputs;
    uint64_t left, limit; /* bytes that outputs may still take */
};

static enum opshift_status make_output(struct lowered_run *run, const struct directml_operator *op, const int64_t *dims,
                                       struct opshift_value **value, struct tensor **tensor,
                                       struct opshift_error *error)
{
    uint64_t size =
        directml_tensor_bytes(&(struct directml_operator){.type = op->type, .rank = op->rank, .dims = dims});
    if (size > run->left)
        return opshift_fail(error, OPSHIFT_UNSUPPORTED,
                            "the values take more than the limit of %" PRIu64 " MiB; raise it with --max-memory",
                            run->limit >> 20);
    run->left -= size;
    enum opshift_status status = value_new(value, error);
    return status ? status : tensor_new((*value)->arena, op->type, op->rank, dims, tensor, error);
}

/* An output by its name; without one it is dropped. */
static enum opshift_status keep_output(struct lowered_run *run, const char *name, struct opshift_value *value,
                                       struct tensor *tensor, struct opshift_error *error)
{
    value_set_tensor(value, tensor);
    if (*name != '\0')
        return opshift_values_add(run->outputs, name, value, error);
    opshift_value_free(value);
    return OPSHIFT_OK;
}

static enum opshift_status run_empty(struct lowered_run *run, const struct directml_operator *op,
                                     const struct directml_empty *empty, struct opshift_error *error)
{
    struct opshift_value *value = NULL;
    struct tensor *tensor = NULL;
    enum opshift_status status = make_output(run, op, empty->dims, &value, &tensor, error);
    if (status == OPSHIFT_OK)
        return keep_output(run, empty->name, value, tensor, error);
    opshift_value_free(value);
    return status;
}

/* The words of one part, row by row: an output has all blocks of words that the axis ranges over from `start` on. */
static void copy_part(const struct directml_desc *desc, const uint8_t *input, uint64_t start, uint32_t size,
                      uint8_t *output)
{
    uint64_t blocks = 1, word = directml_type_size(desc->type);
    for (uint32_t i = 0; i < desc->axis; i++)
        blocks *= desc->sizes[i];
    for (uint32_t i = desc->axis + 1; i < desc->rank; i++)
        word *= desc->sizes[i];
    for (uint64_t block = 0; block < blocks; block++)
        memcpy(output + block * size * word, input + (block * desc->sizes[desc->axis] + start) * word, size * word);
}

static enum opshift_status run_part(struct lowered_run *run, const struct directml_operator *op, uint32_t part,
                                    uint64_t start, const void *input, struct opshift_error *error)
{
    const struct directml_desc *desc = &op->desc;
    uint32_t sizes[DIRECTML_RANK_MAX];
    int64_t dims[TENSOR_RANK_MAX];
    struct opshift_value *value = NULL;
    struct tensor *tensor = NULL;
    memcpy(sizes, desc->sizes, sizeof(sizes));
    sizes[desc->axis] = desc->parts[part].size;
    memcpy(dims, op->dims, op->rank * sizeof(*dims));
    dims[op->axis < 0 ? op->axis + op->rank : op->axis] =
        (int64_t)(directml_bytes(desc->type, desc->rank, sizes) / directml_row_bytes(op));
    enum opshift_status status = make_output(run, op, dims, &value, &tensor, error);
    if (status) {
        opshift_value_free(value);
        return status;
    }
    copy_part(desc, input, start, desc->parts[part].size, tensor->data);
    return keep_output(run, op->outputs[part], value, tensor, error);
}

/* An output that another operator reads must have the shape that this one declares. */
static enum opshift_status find_input(const struct lowered_run *run, const struct directml_operator *op,
                                      const void **data, struct opshift_error *error)
{
    const struct opshift_value *value = opshift_values_find(run->outputs, op->input);
    value = value ? value : opshift_values_find(run->inputs, op->input);
    if (value == NULL || value->value.kind != VALUE_TENSOR)
        return opshift_fail(error, OPSHIFT_USAGE, "input '%.80s' is missing", op->input);
    const struct tensor *tensor = value->value.tensor;
    const struct directml_operator seen = {.type = tensor->type, .rank = tensor->rank, .dims = tensor->dims};
    if (!same_tensor(&seen, op))
        return opshift_fail(error, OPSHIFT_MALFORMED,
                            "input '%.80s' has another type or shape than the operator that writes it gives it",
                            op->input);
    *data = tensor->data;
    return OPSHIFT_OK;
}

/* Its outputs in the order of their slots. */
static enum opshift_status run_operator(struct lowered_run *run, const struct directml_operator *op,
                                        struct opshift_error *error)
{
    const void *input = NULL;
    uint64_t start = 0;
    uint32_t part = 0, empty = 0;
    enum opshift_status status = find_input(run, op, &input, error);
    while (status == OPSHIFT_OK && part + empty < op->desc.count + op->empty_count) {
        bool is_empty =
            part == op->desc.count || (empty < op->empty_count && op->empties[empty].slot < op->desc.parts[part].slot);
        if (is_empty) {
            status = run_empty(run, op, &op->empties[empty++], error);
        } else {
            status = run_part(run, op, part, start, input, error);
            start += op->desc.parts[part++].size;
        }
    }
    return status;
}

enum opshift_status opshift_lowered_run(const struct opshift_lowered *lowered, const struct opshift_values *inputs,
                                        const struct opshift_run_options *options, struct opshift_values **outputs,
                                        struct opshift_error *error)
{
    struct opshift_run_options full;
    *outputs = NULL;
    enum opshift_status status = OPTIONS_COPY(options, &full, error);
    if (status == OPSHIFT_OK)
        status = inputs_match(lowered->model, inputs, false, NULL, error);
    if (status == OPSHIFT_OK)
        status = opshift_values_new(outputs, error);
    const uint64_t limit = status == OPSHIFT_OK && full.memory ? full.memory : RUN_BYTES_MAX;
    struct lowered_run run = {inputs, *outputs, limit, limit};
    for (size_t i = 0; status == OPSHIFT_OK && i < lowered->document.count; i++)
        if ((status = run_operator(&run, &lowered->document.operators[i], error)) != OPSHIFT_OK)
            status = opshift_within(error, status, "splits[%zu]", i);
    if (status == OPSHIFT_OK)
        return OPSHIFT_OK;
    opshift_values_free(*outputs);
    *outputs = NULL;
    return opshift_within(error, status, "%s", lowered->path);
}
