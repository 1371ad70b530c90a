/* The parts of a certificate that make a verification repeatable: hashes of all input files, options, and the nodes
 * of each piece. */
#include "verify/certificate.h"
#include "verify/sequence_readers.h"

#include <stdlib.h>
#include <string.h>

#include "base/descriptor.h"
#include "base/report.h"
#include "base/sha256.h"
#include "convert/show.h"
#include "model/external.h"
#include "model/external_set.h"

/* Nodes listed for one piece. */
#define PIECE_NODES_MAX 64u

/* ---- inputs that the caller gives ---- */

static void hash_tensor(struct sha256 *state, const struct opshift_value *value)
{
    const char *type = opshift_type_name(opshift_value_type(value));
    size_t size = 0;
    const void *data = opshift_value_data(value, &size);
    sha256_add(state, type == NULL ? "" : type, type == NULL ? 1 : strlen(type) + 1);
    sha256_add(state, opshift_value_dims(value), opshift_value_rank(value) * sizeof(int64_t));
    sha256_add(state, data, data == NULL ? 0 : size);
    for (uint64_t i = 0; opshift_value_type(value) == OPSHIFT_TYPE_STRING && i < opshift_value_count(value); i++) {
        const char *text = opshift_value_string(value, i, &size);
        sha256_add(state, text, size + 1);
    }
}

static json_t *input_json(const struct opshift_values *inputs, size_t index)
{
    const struct opshift_value *value = opshift_values_at(inputs, index);
    const char *name = opshift_values_name(inputs, index);
    char hash[SHA256_TEXT_SIZE];
    struct sha256 state;
    sha256_start(&state);
    if (opshift_value_kind(value) == OPSHIFT_VALUE_TENSOR)
        hash_tensor(&state, value);
    for (uint64_t i = 0; opshift_value_kind(value) == OPSHIFT_VALUE_SEQUENCE && i < opshift_value_count(value); i++)
        hash_tensor(&state, opshift_value_item(value, i));
    sha256_end(&state, hash);
    return json_pack("{s:o,s:s}", "name", report_string(name, strlen(name)), "sha256", hash);
}

/* Adds no list if there are no texts. */
static void describe_texts(const char *const *texts, size_t count, const char *key, json_t **object)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        report_append(&list, report_string(texts[i], strlen(texts[i])));
    if (count > 0)
        report_set(object, key, list);
    else
        json_decref(list);
}

static void describe_inputs(const struct opshift_verify_options *options, json_t **object)
{
    describe_texts(options->shapes, options->shape_count, "shapes", object);
    if (options->inputs == NULL)
        return;
    json_t *inputs = json_array();
    for (size_t i = 0; i < opshift_values_count(options->inputs); i++)
        report_append(&inputs, input_json(options->inputs, i));
    report_set(object, "inputs", inputs);
}

/* ---- external data ---- */

/* The list of one model's files, filled while its tensors are walked. */
struct file_list {
    struct opshift_model *model;
    json_t *list;
    json_t *seen;   /* files of the directory whose hash is known */
    json_t *listed; /* files in the list */
};

/* A file that cannot be read is listed with the reason. */
static enum opshift_status hash_outside(const struct opshift_model *model, const char *location, json_t *entry,
                                        struct opshift_error *error)
{
    char hash[SHA256_TEXT_SIZE];
    struct opshift_error found = {0};
    struct source *source = NULL;
    int descriptor = -1;
    enum opshift_status status = OPSHIFT_OK;
    if (model->directory == NULL)
        status = opshift_fail(&found, OPSHIFT_UNSUPPORTED, "there is no directory to look in");
    if (status == OPSHIFT_OK)
        status = external_open_location(model->directory, model->external, location, &descriptor, &found);
    if (status == OPSHIFT_OK && descriptor < 0)
        status = opshift_fail(&found, OPSHIFT_UNSUPPORTED, "there is no such file");
    if (status == OPSHIFT_OK)
        status = source_open_descriptor(descriptor, &source, &found);
    if (status == OPSHIFT_OK)
        status = sha256_source(source, hash, &found);
    int failed = status == OPSHIFT_OK
                     ? json_object_set_new(entry, "sha256", json_string(hash))
                     : json_object_set_new(entry, "why", report_string(found.text, strlen(found.text)));
    source_free(source);
    descriptor_close(descriptor);
    return failed ? opshift_no_memory(error) : OPSHIFT_OK;
}

static enum opshift_status list_one(void *data, const Onnx__TensorProto *message, struct opshift_error *error)
{
    struct file_list *files = data;
    char location[EXTERNAL_LOCATION_SIZE];
    enum opshift_status status = external_location(message, location, error);
    json_t *name = status == OPSHIFT_OK ? report_string(location, strlen(location)) : NULL;
    if (status == OPSHIFT_OK && name == NULL)
        status = opshift_no_memory(error);
    const char *text = json_string_value(name);
    if (status == OPSHIFT_OK && json_object_get(files->listed, text) == NULL) {
        json_t *entry = json_incref(json_object_get(files->seen, text));
        if (entry == NULL) {
            entry = json_pack("{s:O}", "location", name);
            status = hash_outside(files->model, location, entry, error);
        }
        if (status || json_object_set(files->seen, text, entry) != 0 ||
            json_object_set(files->listed, text, entry) != 0 || json_array_append(files->list, entry) != 0)
            status = opshift_no_memory(error);
        json_decref(entry);
    }
    json_decref(name);
    return status;
}

/* Lists each file once, in the order of the model; seen: files of its directory whose hash is known. */
static enum opshift_status list_external(struct opshift_model *model, json_t *list, json_t *seen,
                                         struct opshift_error *error)
{
    struct file_list files = {.model = model, .list = list, .seen = seen, .listed = json_object()};
    enum opshift_status status =
        list == NULL || seen == NULL || files.listed == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
    if (status == OPSHIFT_OK)
        status = external_each(model, true, list_one, &files, error);
    json_decref(files.listed);
    return status;
}

static json_t *describe_options(const struct opshift_verify_options *options)
{
    json_t *object = json_pack("{s:b}", "freeze_initializers", options->freeze_initializers);
    if (options->strict)
        report_set(&object, "strict", json_true());
    if (options->exact)
        report_set(&object, "exact", json_true());
    if (options->computation)
        report_set(&object, "computation", json_true());
    if (options->given != NULL) {
        describe_texts(options->given->shapes, options->given->shape_count, "given_shapes", &object);
        describe_texts(options->given->dims, options->given->dim_count, "given_dims", &object);
    }
    if (options->whole == NULL || object == NULL)
        return object;
    const struct opshift_tolerance *tolerance = options->tolerance;
    const char *engine = options->whole->engine;
    report_set(&object, "engine", json_string(engine == NULL ? "builtin" : engine));
    report_set(&object, "draws", json_integer(options->draws));
    describe_inputs(options, &object);
    if (tolerance != NULL && !tolerance->exact)
        report_set(&object, "tolerance", json_pack("[f,f]", tolerance->relative, tolerance->absolute));
    return object;
}

enum opshift_status certificate_fill(struct comparison *comparison, json_t *root, struct opshift_error *error)
{
    static const char *const sides[2] = {"before", "after"};
    struct opshift_model *models[2] = {comparison->before.model, comparison->after.model};
    bool one_directory = models[0]->directory != NULL && models[1]->directory != NULL &&
                         strcmp(models[0]->directory, models[1]->directory) == 0;
    json_t *seen = json_object();
    char hash[SHA256_TEXT_SIZE];
    enum opshift_status status = OPSHIFT_OK;
    opshift_rules_hash(comparison->rules, hash);
    if (json_object_set_new(root, "rules_sha256", json_string(hash)) != 0 ||
        json_object_set_new(root, "options", describe_options(comparison->options)) != 0)
        status = opshift_no_memory(error);
    for (int i = 0; i < 2 && status == OPSHIFT_OK; i++) {
        json_t *list = json_array();
        if (i == 1 && !one_directory)
            json_object_clear(seen);
        status = list_external(models[i], list, seen, error);
        if (json_object_set_new(json_object_get(root, sides[i]), "external", list) != 0 && status == OPSHIFT_OK)
            status = opshift_no_memory(error);
    }
    json_decref(seen);
    return status;
}

/* ---- the nodes of a piece ---- */

static json_t *name_json(const struct opshift_model *model, name_id name)
{
    struct bytes bytes = names_bytes(model->names, name);
    return name == NAME_NO_MEMORY ? NULL : report_string(bytes.data, bytes.size);
}

static json_t *names_json(const struct opshift_model *model, const name_id *names, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        report_append(&list, name_json(model, names[i]));
    return list;
}

/* ["axis = 1", ...]; what cannot be read is left out. NULL: no memory. */
static json_t *attributes_json(struct opshift_model *model, const struct node *node)
{
    struct opshift_error error = {0};
    struct attribute_range *attributes = NULL;
    struct arena *arena = arena_new(0);
    size_t count = 0;
    json_t *list = arena ? json_array() : NULL;
    if (list && node_attributes(model, node, arena, &attributes, &count, &error) != OPSHIFT_OK)
        count = 0;
    for (size_t i = 0; list && i < count; i++) {
        struct buffer text = {0};
        if (show_attribute(model, &attributes[i], arena, &text, &error) == OPSHIFT_OK && !text.failed)
            report_append(&list, report_string(text.data, text.size));
        buffer_free(&text);
    }
    arena_free(arena);
    return list;
}

json_t *certificate_node(struct opshift_model *model, const struct node *node)
{
    return json_pack("{s:o,s:o,s:o,s:o,s:o}", "operator", name_json(model, node->op_type), "name",
                     name_json(model, node_name(model, node)), "attributes", attributes_json(model, node), "inputs",
                     names_json(model, node_inputs(node), node->input_count), "outputs",
                     names_json(model, node_outputs(node), node->output_count));
}

/* Is the name missing in the first model, so that its producer belongs to the piece? */
static bool is_new(const struct piece *piece, name_id name)
{
    const struct side *after = &piece->comparison->after;
    return name != NAME_NONE &&
           !(after->other[name] != NAME_NO_MEMORY &&
             scope_find(piece->comparison->before.scopes, piece->pair->before, after->other[name]).kind !=
                 DEFINED_NOWHERE);
}

/* A node of the piece, on the second side. */
struct piece_node {
    const struct graph *graph;
    const struct node *node;
};

/* Adds the node that defines a name, unless it is there already. */
static void add_maker(const struct piece *piece, struct graph *graph, name_id name, struct piece_node *nodes,
                      uint32_t *count)
{
    struct definition definition = scope_find(piece->comparison->after.scopes, graph, name);
    if (definition.kind != DEFINED_NODE || definition.graph != graph || *count == PIECE_NODES_MAX)
        return;
    for (uint32_t i = 0; i < *count; i++)
        if (nodes[i].node == &graph->nodes[definition.index])
            return;
    nodes[(*count)++] = (struct piece_node){graph, &graph->nodes[definition.index]};
}

/* The nodes that give the outputs now, and the new nodes that they read. */
static uint32_t after_nodes(const struct piece *piece, struct piece_node *nodes)
{
    const struct side *before = &piece->comparison->before;
    uint32_t count = 0;
    for (uint32_t i = 0; piece->uses == NULL && i < piece->node->output_count; i++) {
        name_id name = node_outputs(piece->node)[i];
        if (name != NAME_NONE && before->other[name] != NAME_NO_MEMORY)
            add_maker(piece, piece->pair->after, before->other[name], nodes, &count);
    }
    for (const struct sequence_use *use = piece->uses; use != NULL; use = use->next)
        if (before->other[node_outputs(use->node)[0]] != NAME_NO_MEMORY)
            add_maker(piece, use->pair.after, before->other[node_outputs(use->node)[0]], nodes, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < nodes[i].node->input_count; k++)
            if (is_new(piece, node_inputs(nodes[i].node)[k]))
                add_maker(piece, piece->pair->after, node_inputs(nodes[i].node)[k], nodes, &count);
    return count;
}

/* In file order, which is a topological order. */
static int by_place(const void *left, const void *right)
{
    const struct piece_node *a = left, *b = right;
    if (a->graph != b->graph)
        return a->graph->number < b->graph->number ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* The node, and the readers of its sequence. NULL: no memory. */
static json_t *before_nodes(const struct piece *piece)
{
    struct opshift_model *model = piece->comparison->before.model;
    json_t *list = json_array();
    report_append(&list, certificate_node(model, piece->node));
    for (const struct sequence_use *use = piece->uses; use != NULL && json_array_size(list) < PIECE_NODES_MAX;
         use = use->next)
        report_append(&list, certificate_node(model, use->node));
    return list;
}

void certificate_piece(struct piece *piece, json_t **entry)
{
    struct piece_node nodes[PIECE_NODES_MAX];
    /* No rule covers the replacement of sequences. */
    const char *rules = piece->uses == NULL ? piece_rules(piece) : NULL;
    json_t *after = json_array();
    uint32_t count = after_nodes(piece, nodes);
    qsort(nodes, count, sizeof(*nodes), by_place);
    for (uint32_t i = 0; i < count; i++)
        report_append(&after, certificate_node(piece->comparison->after.model, nodes[i].node));
    if (rules != NULL)
        report_set(entry, "rules", report_string(rules, strlen(rules)));
    report_set(entry, "nodes", json_pack("{s:o,s:o}", "before", before_nodes(piece), "after", after));
}
