/* Prints whole models in ONNX's textual syntax. Parts that the syntax cannot express become comments; the output can
 * always be parsed. */
#include "model/text.h"

#include <inttypes.h>
#include <locale.h>
#include <string.h>

#include "model/text_write.h"

static void write_value(struct text_writer *writer, const Onnx__ValueInfoProto *value)
{
    struct text_owner owner = {"value", value->name};
    const char *obstacle = value->type ? text_type_obstacle(value->type) : NULL;
    if (value->type && !obstacle) {
        text_write_type(writer, owner, value->type);
        buffer_add_byte(writer->out, ' ');
    }
    text_write_name(writer->out, value->name);
    if (obstacle)
        text_note(writer, owner, "type", obstacle);
    if (value->has_doc_string)
        text_note_string(writer, owner, "doc_string", value->doc_string);
    text_note_pairs(writer, owner, "metadata_props", value->n_metadata_props, value->metadata_props);
    text_note_unknown(writer, owner, &value->base);
}

/* Is this initializer the default of this input, with exactly the input's type? */
static bool is_default(const Onnx__ValueInfoProto *input, const Onnx__TensorProto *tensor)
{
    const Onnx__TypeProto *type = input->type;
    if (!type || type->value_case != ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE || input->name.len != tensor->name.len ||
        (tensor->name.len && memcmp(input->name.data, tensor->name.data, tensor->name.len) != 0))
        return false;
    const Onnx__TensorShapeProto *shape = type->tensor_type->shape;
    if (type->tensor_type->elem_type != tensor->data_type || !shape || shape->n_dim != tensor->n_dims)
        return false;
    for (size_t i = 0; i < tensor->n_dims; i++)
        if (shape->dim[i]->value_case != ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE ||
            shape->dim[i]->dim_value != tensor->dims[i])
            return false;
    return !text_tensor_obstacle(tensor);
}

/* Writes the inputs, with their defaults as long as these come first among the initializers and in the order of the
 * inputs, so that parsing restores the order. Returns the number of initializers written. */
static size_t write_inputs(struct text_writer *writer, const Onnx__GraphProto *graph)
{
    size_t defaults = 0;
    buffer_add_byte(writer->out, '(');
    for (size_t i = 0; i < graph->n_input; i++) {
        buffer_add_text(writer->out, i ? ", " : "");
        write_value(writer, graph->input[i]);
        if (defaults < graph->n_initializer && is_default(graph->input[i], graph->initializer[defaults])) {
            buffer_add_text(writer->out, " = ");
            text_write_tensor_data(writer, graph->initializer[defaults++]);
        }
    }
    buffer_add_byte(writer->out, ')');
    return defaults;
}

static void write_outputs(struct text_writer *writer, const Onnx__GraphProto *graph)
{
    buffer_add_byte(writer->out, '(');
    for (size_t i = 0; i < graph->n_output; i++) {
        buffer_add_text(writer->out, i ? ", " : "");
        write_value(writer, graph->output[i]);
    }
    buffer_add_byte(writer->out, ')');
}

/* Starts a line for an element of a list in angle brackets; the first one opens the list. */
static void start_element(struct text_writer *writer, size_t written)
{
    buffer_add_text(writer->out, written ? "," : " <");
    text_end_line(writer);
    text_start_line(writer);
}

static void end_elements(struct text_writer *writer, size_t written)
{
    writer->indent -= TEXT_INDENT;
    if (!written)
        return;
    text_end_line(writer);
    text_start_line(writer);
    buffer_add_byte(writer->out, '>');
}

static void note_initializer(struct text_writer *writer, const Onnx__TensorProto *tensor, const char *obstacle)
{
    ProtobufCBinaryData none = {0};
    text_note(writer, (struct text_owner){"initializer", tensor ? tensor->name : none}, "the value", obstacle);
}

/* Writes the other initializers, sparse initializers and value infos. */
static void write_values(struct text_writer *writer, const Onnx__GraphProto *graph, size_t defaults)
{
    size_t written = 0;
    writer->indent += TEXT_INDENT;
    for (size_t i = defaults; i < graph->n_initializer; i++) {
        const char *obstacle = text_tensor_obstacle(graph->initializer[i]);
        if (obstacle) {
            note_initializer(writer, graph->initializer[i], obstacle);
            continue;
        }
        start_element(writer, written++);
        text_write_tensor(writer, graph->initializer[i], true);
    }
    for (size_t i = 0; i < graph->n_sparse_initializer; i++) {
        const char *obstacle = text_sparse_obstacle(graph->sparse_initializer[i]);
        if (obstacle) {
            note_initializer(writer, graph->sparse_initializer[i]->values, obstacle);
            continue;
        }
        start_element(writer, written++);
        text_write_sparse(writer, graph->sparse_initializer[i], true);
    }
    for (size_t i = 0; i < graph->n_value_info; i++) {
        start_element(writer, written++);
        write_value(writer, graph->value_info[i]);
    }
    end_elements(writer, written);
}

static void note_graph(struct text_writer *writer, const Onnx__GraphProto *graph)
{
    struct text_owner owner = {"graph", graph->name};
    if (graph->has_doc_string)
        text_note_string(writer, owner, "doc_string", graph->doc_string);
    text_note_pairs(writer, owner, "metadata_props", graph->n_metadata_props, graph->metadata_props);
    for (size_t i = 0; i < graph->n_quantization_annotation; i++) {
        const Onnx__TensorAnnotation *annotation = graph->quantization_annotation[i];
        struct text_owner tensor = {"tensor", annotation->tensor_name};
        text_note_pairs(writer, tensor, "quantization annotation", annotation->n_quant_parameter_tensor_names,
                        annotation->quant_parameter_tensor_names);
    }
    text_note_unknown(writer, owner, &graph->base);
}

static void write_names(struct buffer *out, size_t count, const ProtobufCBinaryData *names)
{
    for (size_t i = 0; i < count; i++) {
        buffer_add_text(out, i ? ", " : "");
        text_write_name(out, names[i]);
    }
}

/* Writes domain.Operator:overload; a domain with a part that is not a plain name is quoted as a whole. */
static void write_operator(struct buffer *out, const Onnx__NodeProto *node)
{
    bool plain = true;
    for (size_t start = 0, i = 0; node->domain.len && i <= node->domain.len; i++)
        if (i == node->domain.len || node->domain.data[i] == '.') {
            plain = plain && text_is_plain_name(node->domain.data + start, i - start);
            start = i + 1;
        }
    if (node->domain.len) {
        if (plain)
            buffer_add(out, node->domain.data, node->domain.len);
        else
            text_write_string(out, node->domain);
        buffer_add_byte(out, '.');
    }
    text_write_name(out, node->op_type);
    if (node->overload.len) {
        buffer_add_byte(out, ':');
        text_write_name(out, node->overload);
    }
}

static void write_node_inputs(struct buffer *out, const Onnx__NodeProto *node)
{
    buffer_add_text(out, " (");
    write_names(out, node->n_input, node->input);
    buffer_add_byte(out, ')');
}

static void note_node(struct text_writer *writer, const Onnx__NodeProto *node)
{
    struct text_owner owner = {"node", node->name};
    if (node->has_doc_string)
        text_note_string(writer, owner, "doc_string", node->doc_string);
    text_note_pairs(writer, owner, "metadata_props", node->n_metadata_props, node->metadata_props);
    text_note_count(writer, owner, "device configurations", node->n_device_configurations);
    text_note_unknown(writer, owner, &node->base);
}

/* Attributes come before the inputs, graphs behind them. */
static void write_node(struct text_writer *writer, const Onnx__NodeProto *node)
{
    bool graphs = text_has_graph(node->n_attribute, node->attribute);
    text_start_line(writer);
    if (node->has_name) {
        buffer_add_byte(writer->out, '[');
        text_write_name(writer->out, node->name);
        buffer_add_text(writer->out, "] ");
    }
    write_names(writer->out, node->n_output, node->output);
    buffer_add_text(writer->out, node->n_output ? " = " : "= ");
    write_operator(writer->out, node);
    if (graphs)
        write_node_inputs(writer->out, node);
    text_write_attributes(writer, node->n_attribute, node->attribute);
    if (!graphs)
        write_node_inputs(writer->out, node);
    note_node(writer, node);
    text_end_line(writer);
}

static void write_nodes(struct text_writer *writer, size_t count, Onnx__NodeProto *const *nodes)
{
    buffer_add_text(writer->out, " {");
    text_end_line(writer);
    writer->indent += TEXT_INDENT;
    for (size_t i = 0; i < count; i++)
        write_node(writer, nodes[i]);
    writer->indent -= TEXT_INDENT;
    text_start_line(writer);
    buffer_add_byte(writer->out, '}');
}

void text_write_graph(struct text_writer *writer, const Onnx__GraphProto *graph)
{
    writer->depth++;
    text_write_name(writer->out, graph->name);
    buffer_add_byte(writer->out, ' ');
    size_t defaults = write_inputs(writer, graph);
    buffer_add_text(writer->out, " => ");
    write_outputs(writer, graph);
    note_graph(writer, graph);
    write_values(writer, graph, defaults);
    write_nodes(writer, graph->n_node, graph->node);
    writer->depth--;
}

/* ---- headers and functions ------------------------------------------------------------------------------------ */

/* The first entry opens the header; *written counts entries. */
static void start_entry(struct text_writer *writer, size_t *written, const char *key)
{
    buffer_add_text(writer->out, (*written)++ ? "," : "<");
    text_end_line(writer);
    buffer_print(writer->out, "%*s%s: ", TEXT_INDENT, "", key);
}

static void write_string_entry(struct text_writer *writer, size_t *written, const char *key, bool has,
                               ProtobufCBinaryData value)
{
    if (!has)
        return;
    start_entry(writer, written, key);
    text_write_string(writer->out, value);
}

static void write_int_entry(struct text_writer *writer, size_t *written, const char *key, bool has, int64_t value)
{
    if (!has)
        return;
    start_entry(writer, written, key);
    buffer_print(writer->out, "%" PRId64, value);
}

static void write_imports(struct text_writer *writer, size_t *written, size_t count,
                          Onnx__OperatorSetIdProto *const *imports)
{
    if (!count)
        return;
    start_entry(writer, written, "opset_import");
    for (size_t i = 0; i < count; i++) {
        buffer_add_text(writer->out, i ? ", " : "[");
        text_write_string(writer->out, imports[i]->domain);
        buffer_print(writer->out, " : %" PRId64, imports[i]->version);
        text_note_unknown(writer, (struct text_owner){"opset", imports[i]->domain}, &imports[i]->base);
    }
    buffer_add_byte(writer->out, ']');
}

static void end_header(struct text_writer *writer, size_t written)
{
    if (!written)
        return;
    text_end_line(writer);
    buffer_add_byte(writer->out, '>');
    text_end_line(writer);
}

static void write_model_header(struct text_writer *writer, const Onnx__ModelProto *model)
{
    size_t written = 0;
    write_int_entry(writer, &written, "ir_version", model->has_ir_version, model->ir_version);
    write_imports(writer, &written, model->n_opset_import, model->opset_import);
    write_string_entry(writer, &written, "producer_name", model->has_producer_name, model->producer_name);
    write_string_entry(writer, &written, "producer_version", model->has_producer_version, model->producer_version);
    write_string_entry(writer, &written, "domain", model->has_domain, model->domain);
    write_int_entry(writer, &written, "model_version", model->has_model_version, model->model_version);
    write_string_entry(writer, &written, "doc_string", model->has_doc_string, model->doc_string);
    if (model->n_metadata_props) {
        start_entry(writer, &written, "metadata_props");
        text_write_pairs(writer->out, model->n_metadata_props, model->metadata_props);
    }
    end_header(writer, written);
}

static void note_model(struct text_writer *writer, const Onnx__ModelProto *model)
{
    struct text_owner owner = {.kind = "the model"};
    text_note_count(writer, owner, "training_info", model->n_training_info);
    text_note_count(writer, owner, "device configurations", model->n_configuration);
    if (!model->graph)
        text_note(writer, owner, "the graph", "there is none");
    text_note_unknown(writer, owner, &model->base);
}

static void write_function_header(struct text_writer *writer, const Onnx__FunctionProto *function)
{
    size_t written = 0;
    write_string_entry(writer, &written, "domain", function->has_domain, function->domain);
    write_imports(writer, &written, function->n_opset_import, function->opset_import);
    write_string_entry(writer, &written, "overload", function->has_overload, function->overload);
    write_string_entry(writer, &written, "doc_string", function->has_doc_string, function->doc_string);
    end_header(writer, written);
}

/* < names, names with defaults > */
static void write_parameters(struct text_writer *writer, const Onnx__FunctionProto *function)
{
    size_t written = 0;
    for (size_t i = 0; i < function->n_attribute; i++) {
        buffer_add_text(writer->out, written++ ? ", " : " <");
        text_write_name(writer->out, function->attribute[i]);
    }
    for (size_t i = 0; i < function->n_attribute_proto; i++) {
        const Onnx__AttributeProto *attribute = function->attribute_proto[i];
        const char *obstacle = text_attribute_obstacle(writer, attribute);
        if (obstacle) {
            text_note(writer, (struct text_owner){"attribute", attribute->name}, "the default", obstacle);
            continue;
        }
        buffer_add_text(writer->out, written++ ? ", " : " <");
        text_write_attribute(writer, attribute);
    }
    buffer_add_text(writer->out, written ? ">" : "");
}

static void write_function(struct text_writer *writer, const Onnx__FunctionProto *function)
{
    struct text_owner owner = {"function", function->name};
    write_function_header(writer, function);
    text_write_name(writer->out, function->name);
    write_parameters(writer, function);
    buffer_add_text(writer->out, " (");
    write_names(writer->out, function->n_input, function->input);
    buffer_add_text(writer->out, ") => (");
    write_names(writer->out, function->n_output, function->output);
    buffer_add_byte(writer->out, ')');
    text_note_pairs(writer, owner, "metadata_props", function->n_metadata_props, function->metadata_props);
    text_note_unknown(writer, owner, &function->base);
    writer->indent += TEXT_INDENT;
    for (size_t i = 0; i < function->n_value_info; i++) {
        start_element(writer, i);
        write_value(writer, function->value_info[i]);
    }
    end_elements(writer, function->n_value_info);
    write_nodes(writer, function->n_node, function->node);
    text_end_line(writer);
}

static void write_model(struct text_writer *writer, const Onnx__ModelProto *model)
{
    static const Onnx__GraphProto empty = ONNX__GRAPH_PROTO__INIT;
    write_model_header(writer, model);
    note_model(writer, model);
    text_write_graph(writer, model->graph ? model->graph : &empty);
    text_end_line(writer);
    for (size_t i = 0; i < model->n_functions; i++)
        write_function(writer, model->functions[i]);
}

static void write_item(struct text_writer *writer, const char *field, const ProtobufCMessage *message)
{
    ProtobufCBinaryData none = {0};
    struct text_owner owner = {field, none};
    if (message->descriptor == &onnx__node_proto__descriptor) {
        write_node(writer, (const Onnx__NodeProto *)message);
        return;
    }
    if (message->descriptor == &onnx__tensor_proto__descriptor) {
        const Onnx__TensorProto *tensor = (const Onnx__TensorProto *)message;
        const char *obstacle = text_tensor_obstacle(tensor);
        if (obstacle)
            note_initializer(writer, tensor, obstacle);
        else
            text_write_tensor(writer, tensor, true);
    } else if (message->descriptor == &onnx__value_info_proto__descriptor) {
        write_value(writer, (const Onnx__ValueInfoProto *)message);
    } else if (message->descriptor == &onnx__operator_set_id_proto__descriptor) {
        const Onnx__OperatorSetIdProto *import = (const Onnx__OperatorSetIdProto *)message;
        buffer_print(writer->out, "%s: [", field);
        text_write_string(writer->out, import->domain);
        buffer_print(writer->out, " : %" PRId64 "]", import->version);
    } else if (message->descriptor == &onnx__string_string_entry_proto__descriptor) {
        Onnx__StringStringEntryProto *pair = (Onnx__StringStringEntryProto *)(uintptr_t)message;
        buffer_print(writer->out, "%s: ", field);
        text_write_pairs(writer->out, 1, &pair);
    } else {
        text_note(writer, owner, "the value", message->descriptor->short_name);
    }
    text_end_line(writer);
}

/* Numbers have a decimal point in every locale. field: NULL: the whole model. */
void text_print_item(struct buffer *out, const char *field, const ProtobufCMessage *message)
{
    struct text_writer writer = {.out = out};
    locale_t before, plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!plain) {
        out->failed = true;
        return;
    }
    before = uselocale(plain);
    if (field)
        write_item(&writer, field, message);
    else
        write_model(&writer, (const Onnx__ModelProto *)message);
    out->failed |= writer.notes.failed;
    buffer_free(&writer.notes);
    uselocale(before);
    freelocale(plain);
}

void text_print_model(struct buffer *out, const Onnx__ModelProto *model)
{
    text_print_item(out, NULL, &model->base);
}

void text_print_node(struct buffer *out, const Onnx__NodeProto *node)
{
    text_print_item(out, "node", &node->base);
}
