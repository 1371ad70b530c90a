/* Writes a model as OpenVINO's intermediate representation (IR), version 11. */
#include "dialect/openvino.h"

#include <stdlib.h>
#include <string.h>

#include "model/limits.h"

/* Reasons that the comment of an incomplete file lists. */
#define REASONS_MAX 50

/* ---- the whole model ---- */

/* An input that has a default value, which a caller may replace: an IR has no such thing. */
static enum opshift_status input_export(struct openvino *openvino, name_id name, struct opshift_error *error)
{
    struct exporting *exporting = openvino->exporting;
    struct opshift_model *model = exporting->model;
    struct definition definition = scope_find(exporting->around.scopes, model->main, name);
    struct ir_link link;
    if (definition.kind == DEFINED_INITIALIZER) {
        if (exporting->options->freeze_initializers ||
            scope_initializer_role(exporting->around.scopes, model->main, name) == INITIALIZER_CONSTANT)
            return OPSHIFT_OK;
        return opshift_fail(
            error, OPSHIFT_NO,
            "input '%s': it has a default value, which an IR cannot express; --freeze-initializers takes "
            "the value",
            names_text(model->names, name));
    }
    enum opshift_status status = openvino_parameter(openvino, model->main, name, &link, error);
    if (status)
        return opshift_within(error, status, "input '%s'", names_text(model->names, name));
    openvino->values[name] = link;
    return OPSHIFT_OK;
}

static enum opshift_status output_export(struct openvino *openvino, name_id name, struct opshift_error *error)
{
    struct ir_link link;
    const char *stem = openvino_name(openvino, name);
    enum opshift_status status = openvino_value(openvino, name, &link, error);
    if (status == OPSHIFT_OK && stem == NULL)
        status = openvino_port_name(openvino, name, &(struct ir_port){0}, error);
    if (status == OPSHIFT_OK)
        status = openvino_result(openvino, stem, link, error);
    return status ? opshift_within(error, status, "output '%s'", names_text(openvino->exporting->model->names, name))
                  : OPSHIFT_OK;
}

/* What cannot be exported is refused and stays without a port; what reads it is not refused for that. */
static enum opshift_status refused(struct openvino *openvino, bool *broken, struct opshift_error *error)
{
    if (error->status != OPSHIFT_NO && error->status != OPSHIFT_UNSUPPORTED)
        return error->status;
    exporting_refuse(openvino->exporting, error->text);
    *broken = true;
    return error_forget(error);
}

/* Stands for the value of a node that was refused, so that its readers can be looked at. */
static enum opshift_status outputs_assume(struct openvino *openvino, const struct node *node,
                                          struct opshift_error *error)
{
    struct ir_layer *layer;
    enum opshift_status status = openvino_layer(openvino, "", "", "", NULL, 0, 1, &layer, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < node->output_count; i++)
        if (node_outputs(node)[i] != NAME_NONE)
            openvino->values[node_outputs(node)[i]] = (struct ir_link){openvino->net.count - 1, 0};
    return status;
}

static enum opshift_status nodes_export(struct openvino *openvino, bool *broken, struct opshift_error *error)
{
    struct graph *graph = openvino->exporting->model->main;
    struct arena *arena = arena_new(openvino->exporting->model->limits.memory);
    enum opshift_status status = arena ? OPSHIFT_OK : opshift_no_memory(error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->node_count; i++) {
        arena_clear(arena);
        status = openvino_node(openvino, &graph->nodes[i], arena, error);
        if (status == OPSHIFT_OK)
            continue;
        status = refused(openvino, broken, error);
        if (status == OPSHIFT_OK)
            status = outputs_assume(openvino, &graph->nodes[i], error);
    }
    status = limit_judge_memory(&openvino->exporting->model->limits, arena, status, "the values of one node", error);
    arena_free(arena);
    return status;
}

/* broken: something was refused. */
static enum opshift_status graph_export(struct openvino *openvino, bool *broken, struct opshift_error *error)
{
    const struct graph *graph = openvino->exporting->model->main;
    enum opshift_status status = OPSHIFT_OK;
    *broken = false;
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->input_count; i++)
        if (input_export(openvino, graph->inputs[i].name, error)) {
            status = refused(openvino, broken, error);
            if (status == OPSHIFT_OK) {
                struct ir_layer *layer;
                status = openvino_layer(openvino, "", "", "", NULL, 0, 1, &layer, error);
                openvino->values[graph->inputs[i].name] = (struct ir_link){openvino->net.count - 1, 0};
            }
        }
    if (status == OPSHIFT_OK)
        status = nodes_export(openvino, broken, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < graph->output_count; i++)
        if (output_export(openvino, graph->outputs[i].name, error))
            status = refused(openvino, broken, error);
    return status;
}

/* ---- each Split alone ---- */

/* The Parameter of a value; splits of one value share it. */
static enum opshift_status snippet_input(struct openvino *openvino, struct graph *graph, name_id name,
                                         struct ir_link *link, struct opshift_error *error)
{
    bool is_main = graph == openvino->exporting->model->main;
    *link = openvino->values[name];
    if (is_main && link->layer != IR_NONE)
        return OPSHIFT_OK;
    enum opshift_status status = openvino_parameter(openvino, graph, name, link, error);
    if (status == OPSHIFT_OK && is_main)
        openvino->values[name] = *link;
    return status;
}

static enum opshift_status snippet(struct exporting *exporting, struct graph *graph, const struct node_cut *cut,
                                   struct arena *arena, void *data, struct opshift_error *error)
{
    struct openvino *openvino = data;
    struct ir_link input, lengths = {0, 0};
    uint32_t layer;
    name_id first = NAME_NONE;
    for (uint32_t i = 0; first == NAME_NONE && i < cut->split.output_count; i++)
        first = cut->outputs[i];
    const char *stem = openvino_name(openvino, first);
    stem = arena_print(arena, "%s/split", stem ? ir_stem(stem, "layer") : "");
    if (stem == NULL)
        return opshift_no_memory(error);
    enum opshift_status status = snippet_input(openvino, graph, cut->data, &input, error);
    if (status == OPSHIFT_OK && cut->kind == NODE_CUT_COMPUTED)
        status = snippet_input(openvino, graph, cut->computed, &lengths, error);
    if (status == OPSHIFT_OK)
        status = openvino_split(openvino, graph, cut, stem, input, lengths, &layer, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < cut->split.output_count; i++) {
        const char *name = cut->outputs[i] == NAME_NONE ? NULL : openvino_name(openvino, cut->outputs[i]);
        if (name)
            status = openvino_result(openvino, name, (struct ir_link){layer, i}, error);
    }
    return status ? opshift_within(error, status, "%s", cut->place) : OPSHIFT_OK;
}

/* Why the file has not the whole model. */
static char *reasons_comment(const struct exporting *exporting)
{
    struct buffer text = {0};
    size_t count = json_array_size(exporting->refused);
    buffer_add_text(&text, " Not the whole model: each Split is a net of its own here, because of\n");
    for (size_t i = 0; i < count && i < REASONS_MAX; i++)
        buffer_print(&text, "%s\n", json_string_value(json_array_get(exporting->refused, i)));
    if (count > REASONS_MAX)
        buffer_print(&text, "and %zu more\n", count - REASONS_MAX);
    char *comment = buffer_take(&text);
    for (char *at = comment; at && *at; at++)
        if ((unsigned char)*at < ' ' && *at != '\n')
            *at = '?';
    return comment;
}

/* ---- files ---- */

/* NAME.bin for NAME.xml. */
static enum opshift_status weights_path(const char *path, char **weights, struct opshift_error *error)
{
    size_t size = strlen(path);
    *weights = NULL;
    if (size < 5 || strcmp(path + size - 4, ".xml") != 0)
        return opshift_fail(error, OPSHIFT_USAGE, "%s: an IR is two files, NAME.xml and NAME.bin; write -o NAME.xml",
                            path);
    *weights = strdup(path);
    if (*weights == NULL)
        return opshift_no_memory(error);
    memcpy(*weights + size - 4, ".bin", 4);
    return OPSHIFT_OK;
}

static enum opshift_status net_name(struct openvino *openvino, struct opshift_error *error)
{
    struct opshift_model *model = openvino->exporting->model;
    const char *name = model->main->name == NAME_NONE ? NULL : openvino_name(openvino, model->main->name);
    openvino->net.name = arena_copy(openvino->net.arena, name ? name : "model", strlen(name ? name : "model"));
    return openvino->net.name ? OPSHIFT_OK : opshift_no_memory(error);
}

static enum opshift_status net_write(struct openvino *openvino, const char *note, const char *path, const char *weights,
                                     struct opshift_error *error)
{
    struct destination *bin, *xml;
    enum opshift_status status = net_name(openvino, error);
    if (status == OPSHIFT_OK)
        status = xml_need(error); /* before a file is made: without memory the loader may end the process */
    if (status == OPSHIFT_OK)
        status = exported_open(openvino->exporting, weights, &bin, error);
    if (status == OPSHIFT_OK)
        status = openvino_write_payloads(openvino, bin, error);
    if (status == OPSHIFT_OK)
        status = exported_open(openvino->exporting, path, &xml, error);
    return status ? status : ir_write(&openvino->net, note, xml, error);
}

/* The rest of a model that is not exported whole: its Splits, if it has any. */
static enum opshift_status snippets_export(struct exporting *exporting, const char *weights,
                                           struct opshift_error *error)
{
    struct openvino openvino;
    size_t refused = json_array_size(exporting->refused);
    json_array_clear(exporting->nodes);
    enum opshift_status status = openvino_open(&openvino, exporting, error);
    if (status == OPSHIFT_OK)
        status = exporting_each_split(exporting, snippet, &openvino, error);
    while (json_array_size(exporting->refused) > refused) /* told already */
        json_array_remove(exporting->refused, json_array_size(exporting->refused) - 1);
    char *note = reasons_comment(exporting);
    if (status == OPSHIFT_OK && note == NULL)
        status = opshift_no_memory(error);
    if (status == OPSHIFT_OK && json_array_size(exporting->nodes) > 0)
        status = net_write(&openvino, note, exporting->path, weights, error);
    free(note);
    openvino_close(&openvino);
    return status;
}

enum opshift_status export_openvino(struct exporting *exporting, struct opshift_error *error)
{
    struct openvino openvino = {0};
    char *weights;
    bool broken = false;
    enum opshift_status status = weights_path(exporting->path, &weights, error);
    if (status == OPSHIFT_OK)
        status = openvino_open(&openvino, exporting, error);
    if (status == OPSHIFT_OK)
        status = graph_export(&openvino, &broken, error);
    if (status == OPSHIFT_OK && !broken)
        status = net_write(&openvino, NULL, exporting->path, weights, error);
    status = limit_judge_memory(&exporting->model->limits, openvino.net.arena, status, "the layers", error);
    openvino_close(&openvino);
    if (status == OPSHIFT_OK && broken)
        status = snippets_export(exporting, weights, error);
    free(weights);
    return status;
}
