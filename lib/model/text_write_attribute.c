/* Prints attributes; the type only where the value does not imply it. */
#include "model/text_write.h"

#include <inttypes.h>

#include "model/text_attribute.h"
#include "model/text_read.h"

/* The type; in models before IR 3, by the field that is set. */
static enum attribute_type type_of(const Onnx__AttributeProto *attribute)
{
    if (attribute->type)
        return attribute->type;
    return attribute->has_f              ? ATTRIBUTE(FLOAT)
           : attribute->has_i            ? ATTRIBUTE(INT)
           : attribute->has_s            ? ATTRIBUTE(STRING)
           : attribute->t                ? ATTRIBUTE(TENSOR)
           : attribute->g                ? ATTRIBUTE(GRAPH)
           : attribute->sparse_tensor    ? ATTRIBUTE(SPARSE_TENSOR)
           : attribute->tp               ? ATTRIBUTE(TYPE_PROTO)
           : attribute->n_floats         ? ATTRIBUTE(FLOATS)
           : attribute->n_ints           ? ATTRIBUTE(INTS)
           : attribute->n_strings        ? ATTRIBUTE(STRINGS)
           : attribute->n_tensors        ? ATTRIBUTE(TENSORS)
           : attribute->n_graphs         ? ATTRIBUTE(GRAPHS)
           : attribute->n_sparse_tensors ? ATTRIBUTE(SPARSE_TENSORS)
           : attribute->n_type_protos    ? ATTRIBUTE(TYPE_PROTOS)
                                         : ATTRIBUTE(UNDEFINED);
}

static size_t fields_set(const Onnx__AttributeProto *attribute)
{
    return (size_t)(attribute->has_f != 0) + (attribute->has_i != 0) + (attribute->has_s != 0) +
           (attribute->t != NULL) + (attribute->g != NULL) + (attribute->sparse_tensor != NULL) +
           (attribute->tp != NULL) + (attribute->n_floats != 0) + (attribute->n_ints != 0) +
           (attribute->n_strings != 0) + (attribute->n_tensors != 0) + (attribute->n_graphs != 0) +
           (attribute->n_sparse_tensors != 0) + (attribute->n_type_protos != 0);
}

bool text_has_graph(size_t count, Onnx__AttributeProto *const *attributes)
{
    for (size_t i = 0; i < count; i++) {
        const Onnx__AttributeProto *attribute = attributes[i];
        enum attribute_type type = type_of(attribute);
        bool graphs = type == ATTRIBUTE(GRAPH) || (type == ATTRIBUTE(GRAPHS) && attribute->n_graphs);
        if (graphs && !attribute->has_ref_attr_name)
            return true;
    }
    return false;
}

static const char *list_obstacle(const Onnx__AttributeProto *attribute, enum attribute_type type)
{
    const char *obstacle = NULL;
    if (type == ATTRIBUTE(TENSORS))
        for (size_t i = 0; i < attribute->n_tensors && !obstacle; i++)
            obstacle = text_tensor_obstacle(attribute->tensors[i]);
    if (type == ATTRIBUTE(SPARSE_TENSORS))
        for (size_t i = 0; i < attribute->n_sparse_tensors && !obstacle; i++)
            obstacle = text_sparse_obstacle(attribute->sparse_tensors[i]);
    if (type == ATTRIBUTE(TYPE_PROTOS))
        for (size_t i = 0; i < attribute->n_type_protos && !obstacle; i++)
            obstacle = text_type_obstacle(attribute->type_protos[i]);
    return obstacle;
}

const char *text_attribute_obstacle(const struct text_writer *writer, const Onnx__AttributeProto *attribute)
{
    enum attribute_type type = type_of(attribute);
    if (attribute->has_type && attribute->type && !attribute_word(type))
        return "its type is unknown";
    if (attribute->has_ref_attr_name)
        return NULL;
    if ((type == ATTRIBUTE(GRAPH) || type == ATTRIBUTE(GRAPHS)) && writer->depth >= TEXT_NESTING_MAX)
        return "it is nested too deep";
    switch (type) {
    case ATTRIBUTE(UNDEFINED):
        return "it has neither a type nor a value";
    case ATTRIBUTE(TENSOR):
        return attribute->t ? text_tensor_obstacle(attribute->t) : "it has no value";
    case ATTRIBUTE(SPARSE_TENSOR):
        return attribute->sparse_tensor ? text_sparse_obstacle(attribute->sparse_tensor) : "it has no value";
    case ATTRIBUTE(TYPE_PROTO):
        return text_type_obstacle(attribute->tp);
    case ATTRIBUTE(GRAPH):
        return attribute->g ? NULL : "it has no value";
    default:
        return list_obstacle(attribute, type);
    }
}

/* Element `at` of a list, or the single value. */
static void write_value(struct text_writer *writer, const Onnx__AttributeProto *attribute, enum attribute_type type,
                        size_t at)
{
    bool list = attribute_is_list(type);
    switch (attribute_single(type)) {
    case ATTRIBUTE(INT):
        buffer_print(writer->out, "%" PRId64, list ? attribute->ints[at] : attribute->i);
        break;
    case ATTRIBUTE(FLOAT):
        text_write_float(writer, list ? attribute->floats[at] : attribute->f);
        break;
    case ATTRIBUTE(STRING):
        text_write_string(writer->out, list ? attribute->strings[at] : attribute->s);
        break;
    case ATTRIBUTE(TENSOR):
        text_write_tensor(writer, list ? attribute->tensors[at] : attribute->t, false);
        break;
    case ATTRIBUTE(SPARSE_TENSOR):
        text_write_sparse(writer, list ? attribute->sparse_tensors[at] : attribute->sparse_tensor, false);
        break;
    case ATTRIBUTE(TYPE_PROTO):
        text_write_type(writer, (struct text_owner){"attribute", attribute->name},
                        list ? attribute->type_protos[at] : attribute->tp);
        break;
    case ATTRIBUTE(GRAPH):
        text_write_graph(writer, list ? attribute->graphs[at] : attribute->g);
        break;
    default:
        break;
    }
}

static size_t list_count(const Onnx__AttributeProto *attribute, enum attribute_type type)
{
    switch (type) {
    case ATTRIBUTE(INTS):
        return attribute->n_ints;
    case ATTRIBUTE(FLOATS):
        return attribute->n_floats;
    case ATTRIBUTE(STRINGS):
        return attribute->n_strings;
    case ATTRIBUTE(TENSORS):
        return attribute->n_tensors;
    case ATTRIBUTE(SPARSE_TENSORS):
        return attribute->n_sparse_tensors;
    case ATTRIBUTE(TYPE_PROTOS):
        return attribute->n_type_protos;
    case ATTRIBUTE(GRAPHS):
        return attribute->n_graphs;
    default:
        return 0;
    }
}

static void note_attribute(struct text_writer *writer, const Onnx__AttributeProto *attribute)
{
    struct text_owner owner = {"attribute", attribute->name};
    size_t written = attribute->has_ref_attr_name ? 0 : 1;
    if (attribute->has_doc_string)
        text_note_string(writer, owner, "doc_string", attribute->doc_string);
    if (fields_set(attribute) > written)
        text_note(writer, owner, "further values", NULL);
    if (writer->odd_nan)
        text_note(writer, owner, "the bits of NaNs", NULL);
    writer->odd_nan = false;
    text_note_unknown(writer, owner, &attribute->base);
}

void text_write_attribute(struct text_writer *writer, const Onnx__AttributeProto *attribute)
{
    enum attribute_type type = type_of(attribute);
    bool list = attribute_is_list(type), reference = attribute->has_ref_attr_name;
    size_t count = list ? list_count(attribute, type) : 1;
    text_write_name(writer->out, attribute->name);
    if (reference ? attribute->type != ATTRIBUTE(UNDEFINED) : count == 0)
        buffer_print(writer->out, " : %s", attribute_word(type));
    buffer_add_text(writer->out, reference ? " = @" : list ? " = [" : " = ");
    if (reference) {
        text_write_name(writer->out, attribute->ref_attr_name);
    } else {
        for (size_t i = 0; i < count; i++) {
            buffer_add_text(writer->out, i ? ", " : "");
            write_value(writer, attribute, type, i);
        }
        buffer_add_text(writer->out, list ? "]" : "");
    }
    note_attribute(writer, attribute);
}

/* The separator of attributes: a comma, and a newline if each has its own line. */
static void separate(struct text_writer *writer, bool first, bool lines)
{
    if (!first)
        buffer_add_byte(writer->out, ',');
    if (lines) {
        text_end_line(writer);
        text_start_line(writer);
    } else if (!first) {
        buffer_add_byte(writer->out, ' ');
    }
}

void text_write_attributes(struct text_writer *writer, size_t count, Onnx__AttributeProto *const *attributes)
{
    bool lines = text_has_graph(count, attributes);
    size_t written = 0;
    writer->indent += TEXT_INDENT;
    for (size_t i = 0; i < count; i++) {
        const char *obstacle = text_attribute_obstacle(writer, attributes[i]);
        if (obstacle) {
            text_note(writer, (struct text_owner){"attribute", attributes[i]->name}, "the value", obstacle);
            continue;
        }
        buffer_add_text(writer->out, written ? "" : " <");
        separate(writer, written++ == 0, lines);
        text_write_attribute(writer, attributes[i]);
    }
    writer->indent -= TEXT_INDENT;
    if (written && lines) {
        text_end_line(writer);
        text_start_line(writer);
    }
    buffer_add_text(writer->out, written ? ">" : "");
}
