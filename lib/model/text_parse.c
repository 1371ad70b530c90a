/* Parses whole models: header, main graph, functions. */
#include "model/text.h"

#include <locale.h>

#include "model/text_read_graph.h"

/* A `key: value` pair of a header; message is the model or the function. */
struct header_entry {
    const char *key;
    void (*read)(struct text_reader *reader, void *message);
};

static void read_ir_version(struct text_reader *reader, void *message)
{
    Onnx__ModelProto *model = message;
    model->has_ir_version = true;
    model->ir_version = text_int64(reader, INT64_MIN, INT64_MAX, "an IR version");
}

static void read_model_version(struct text_reader *reader, void *message)
{
    Onnx__ModelProto *model = message;
    model->has_model_version = true;
    model->model_version = text_int64(reader, INT64_MIN, INT64_MAX, "a version");
}

static void read_producer_name(struct text_reader *reader, void *message)
{
    Onnx__ModelProto *model = message;
    model->has_producer_name = true;
    model->producer_name = text_string(reader);
}

static void read_producer_version(struct text_reader *reader, void *message)
{
    Onnx__ModelProto *model = message;
    model->has_producer_version = true;
    model->producer_version = text_string(reader);
}

static void read_model_domain(struct text_reader *reader, void *message)
{
    Onnx__ModelProto *model = message;
    model->has_domain = true;
    model->domain = text_string(reader);
}

static void read_model_doc(struct text_reader *reader, void *message)
{
    Onnx__ModelProto *model = message;
    model->has_doc_string = true;
    model->doc_string = text_string(reader);
}

static void read_metadata(struct text_reader *reader, void *message)
{
    Onnx__ModelProto *model = message;
    text_pairs(reader, &model->n_metadata_props, &model->metadata_props);
}

static void read_imports(struct text_reader *reader, size_t *count, Onnx__OperatorSetIdProto ***imports)
{
    struct text_list list = {0};
    text_expect(reader, '[');
    if (text_accept(reader, ']'))
        return;
    do {
        Onnx__OperatorSetIdProto *import =
            text_list_add_message(reader, &list, &onnx__operator_set_id_proto__descriptor);
        if (!import)
            return;
        import->has_domain = import->has_version = true;
        import->domain = text_string(reader);
        text_expect(reader, ':');
        import->version = text_int64(reader, INT64_MIN, INT64_MAX, "an opset's version");
    } while (text_more(reader, ']'));
    *count = list.count;
    *imports = list.items;
}

static void read_model_imports(struct text_reader *reader, void *message)
{
    Onnx__ModelProto *model = message;
    read_imports(reader, &model->n_opset_import, &model->opset_import);
}

static void read_function_imports(struct text_reader *reader, void *message)
{
    Onnx__FunctionProto *function = message;
    read_imports(reader, &function->n_opset_import, &function->opset_import);
}

static void read_function_domain(struct text_reader *reader, void *message)
{
    Onnx__FunctionProto *function = message;
    function->has_domain = true;
    function->domain = text_string(reader);
}

static void read_function_overload(struct text_reader *reader, void *message)
{
    Onnx__FunctionProto *function = message;
    function->has_overload = true;
    function->overload = text_string(reader);
}

static void read_function_doc(struct text_reader *reader, void *message)
{
    Onnx__FunctionProto *function = message;
    function->has_doc_string = true;
    function->doc_string = text_string(reader);
}

static const struct header_entry model_entries[] = {
    {"ir_version", read_ir_version},       {"opset_import", read_model_imports},
    {"producer_name", read_producer_name}, {"producer_version", read_producer_version},
    {"domain", read_model_domain},         {"model_version", read_model_version},
    {"doc_string", read_model_doc},        {"metadata_props", read_metadata},
};

static const struct header_entry function_entries[] = {
    {"domain", read_function_domain},
    {"opset_import", read_function_imports},
    {"overload", read_function_overload},
    {"doc_string", read_function_doc},
};

/* Entries in any order, each at most once. */
static void read_header(struct text_reader *reader, const struct header_entry *entries, size_t count, const char *whose,
                        void *message)
{
    uint32_t seen = 0;
    if (!text_accept(reader, '<') || text_accept(reader, '>'))
        return;
    do {
        size_t i = 0;
        while (i < count && !text_is_word(reader, entries[i].key))
            i++;
        if (i == count) {
            text_fail(reader, "a key of a %s's header", whose);
            return;
        }
        if (seen & UINT32_C(1) << i)
            text_fail(reader, "each key of a header once");
        seen |= UINT32_C(1) << i;
        text_next(reader);
        text_expect(reader, ':');
        entries[i].read(reader, message);
    } while (text_more(reader, '>'));
}

/* < parameters >: a name without a value has no default. */
static void read_parameters(struct text_reader *reader, Onnx__FunctionProto *function)
{
    struct text_list names = {0}, defaults = {0};
    do {
        ProtobufCBinaryData name = text_name(reader, "an attribute's name");
        if (text_is(reader, ':') || text_is(reader, '=')) {
            Onnx__AttributeProto *attribute =
                text_list_add_message(reader, &defaults, &onnx__attribute_proto__descriptor);
            if (!attribute)
                return;
            attribute->has_name = true;
            attribute->name = name;
            text_attribute_rest(reader, attribute);
        } else {
            ProtobufCBinaryData *place = text_list_add(reader, &names, sizeof(*place));
            if (place)
                *place = name;
        }
    } while (text_more(reader, '>'));
    function->n_attribute = names.count;
    function->attribute = names.items;
    function->n_attribute_proto = defaults.count;
    function->attribute_proto = defaults.items;
}

/* Names; a type makes a value info. */
static void read_formals(struct text_reader *reader, struct text_list *values, size_t *count,
                         ProtobufCBinaryData **names)
{
    struct text_list list = {0};
    text_expect(reader, '(');
    if (text_accept(reader, ')'))
        return;
    do {
        bool typed = text_is_type(reader);
        Onnx__ValueInfoProto untyped = ONNX__VALUE_INFO_PROTO__INIT, *value = &untyped;
        if (typed)
            value = text_list_add_message(reader, values, &onnx__value_info_proto__descriptor);
        ProtobufCBinaryData *name = text_list_add(reader, &list, sizeof(*name));
        if (!value || !name)
            return;
        text_value(reader, value);
        *name = value->name;
    } while (text_more(reader, ')'));
    *count = list.count;
    *names = list.items;
}

/* < value infos > */
static void read_function_values(struct text_reader *reader, struct text_list *values)
{
    if (!text_accept(reader, '<') || text_accept(reader, '>'))
        return;
    do {
        Onnx__ValueInfoProto *value = text_list_add_message(reader, values, &onnx__value_info_proto__descriptor);
        if (value)
            text_value(reader, value);
    } while (text_more(reader, '>'));
}

static void read_function(struct text_reader *reader, Onnx__FunctionProto *function)
{
    struct text_list values = {0};
    read_header(reader, function_entries, COUNT(function_entries), "function", function);
    function->has_name = true;
    function->name = text_name(reader, "a function's name");
    if (text_accept(reader, '<'))
        read_parameters(reader, function);
    read_formals(reader, &values, &function->n_input, &function->input);
    text_expect_arrow(reader);
    read_formals(reader, &values, &function->n_output, &function->output);
    read_function_values(reader, &values);
    function->n_value_info = values.count;
    function->value_info = values.items;
    text_nodes(reader, &function->n_node, &function->node);
}

static void read_model(struct text_reader *reader, Onnx__ModelProto *model)
{
    struct text_list functions = {0};
    read_header(reader, model_entries, COUNT(model_entries), "model", model);
    model->graph = text_graph(reader);
    while (reader->token.kind != TOKEN_END) {
        Onnx__FunctionProto *function = text_list_add_message(reader, &functions, &onnx__function_proto__descriptor);
        if (function)
            read_function(reader, function);
    }
    model->n_functions = functions.count;
    model->functions = functions.items;
}

enum opshift_status text_parse_model(const char *text, size_t size, const char *name, struct arena *arena,
                                     Onnx__ModelProto **model, struct opshift_error *error)
{
    struct text_reader reader;
    locale_t before, plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!plain)
        return opshift_no_memory(error);
    before = uselocale(plain);
    text_reader_init(&reader, text, size, name, 1, arena, error);
    *model = text_message(&reader, &onnx__model_proto__descriptor);
    if (*model)
        read_model(&reader, *model);
    uselocale(before);
    freelocale(plain);
    return reader.status;
}

enum opshift_status text_parse_nodes(const char *text, size_t size, const char *name, unsigned first_line,
                                     struct arena *arena, Onnx__NodeProto ***nodes, size_t *count,
                                     struct opshift_error *error)
{
    struct text_place *places;
    return text_parse_nodes_placed(text, size, name, first_line, arena, nodes, &places, count, error);
}

enum opshift_status text_parse_nodes_placed(const char *text, size_t size, const char *name, unsigned first_line,
                                            struct arena *arena, Onnx__NodeProto ***nodes, struct text_place **places,
                                            size_t *count, struct opshift_error *error)
{
    struct text_reader reader;
    struct text_list list = {0}, place_list = {0};
    locale_t before, plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!plain)
        return opshift_no_memory(error);
    before = uselocale(plain);
    text_reader_init(&reader, text, size, name, first_line, arena, error);
    do {
        struct text_place *place = text_list_add(&reader, &place_list, sizeof(*place));
        Onnx__NodeProto *node = text_list_add_message(&reader, &list, &onnx__node_proto__descriptor);
        if (place)
            *place = (struct text_place){reader.token.line, reader.token.column};
        if (node)
            text_node(&reader, node);
    } while (reader.token.kind != TOKEN_END);
    *nodes = list.items;
    *places = place_list.items;
    *count = list.count;
    uselocale(before);
    freelocale(plain);
    return reader.status;
}
