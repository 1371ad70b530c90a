/* ONNX's textual syntax: parsing, printing, and messages of errors. */
#include "tests/tap/tap.h"

#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "model/model.h"
#include "model/text.h"
#include "model/text_write.h"

/* The message of a graph with these values and nodes. */
#define GRAPH(values, nodes) "g () => () <" values "> { " nodes " }"

static struct arena *arena;

static Onnx__ModelProto *parse(const char *text, size_t size)
{
    struct opshift_error error = {0};
    Onnx__ModelProto *model = NULL;
    if (text_parse_model(text, size, "in", arena, &model, &error) == OPSHIFT_OK)
        return model;
    diag("%s", error.text);
    return NULL;
}

static char *print(const Onnx__ModelProto *model)
{
    struct buffer out = {0};
    text_print_model(&out, model);
    return buffer_take(&out);
}

static struct bytes pack(const Onnx__ModelProto *model)
{
    size_t size = onnx__model_proto__get_packed_size(model);
    uint8_t *bytes = arena_alloc(arena, 1, size + 1);
    return (struct bytes){bytes, onnx__model_proto__pack(model, bytes)};
}

/* After printing and parsing, the message has the same bytes. */
static void survives_printing(const Onnx__ModelProto *model, const char *what)
{
    char *text = print(model);
    Onnx__ModelProto *again = text ? parse(text, strlen(text)) : NULL;
    if (ok(again != NULL, "%s: what is printed reads back", what)) {
        struct bytes before = pack(model), after = pack(again);
        is_bytes(before.data, before.size, after.data, after.size, "%s: equal after printing and reading", what);
    } else {
        diag("%s", text);
    }
    free(text);
}

/* ---- a whole model -------------------------------------------------------------------------------------------- */

static const char whole[] =
    "<\n"
    "  ir_version: 8,\n"
    "  opset_import: [\"\" : 13, \"com.example\" : 1],\n"
    "  producer_name: \"exporter\",\n"
    "  producer_version: \"1\",\n"
    "  domain: \"d\",\n"
    "  model_version: 3,\n"
    "  doc_string: \"words\",\n"
    "  metadata_props: [\"key\": \"value\"]\n"
    ">\n"
    "main_graph (float[N, 6] x, int64[2] lengths = {3, 3}) => (float[N, 2] y0, float[N, 4] y1) <\n"
    "  int64[2] lens = {2, 4},\n"
    "  float[8] w = [\"location\": \"weights.bin\", \"offset\": \"0\", \"length\": \"32\"],\n"
    "  float[3] seen\n"
    "> {\n"
    "  [node_name] y0, y1 = Split <axis = 1> (x, lens)\n"
    "  z = com.example.Thing:overload <alpha = 0.5, ids = [1, 2], mode = \"m\", t = float[2] {1.0, 2.0}> (x, \"\", "
    "y0)\n"
    "  r = If (c) <\n"
    "    then_branch = inner () => (float[N] q) {\n"
    "      q = Identity (x)\n"
    "    },\n"
    "    else_branch = other () => (float[N] p) <\n"
    "      float k = {1.5}\n"
    "    > {\n"
    "      p = Neg (x)\n"
    "    }\n"
    "  >\n"
    "}\n"
    "<\n"
    "  domain: \"com.example\",\n"
    "  opset_import: [\"\" : 13],\n"
    "  overload: \"o\",\n"
    "  doc_string: \"does\"\n"
    ">\n"
    "Thing <alpha, beta = 1.0> (a, b) => (c) <\n"
    "  float[N] c\n"
    "> {\n"
    "  c = Mul <k = @alpha, l : ints = @beta> (a, b)\n"
    "}\n";

static void a_model_is_printed_as_it_was_written(void)
{
    Onnx__ModelProto *model = parse(whole, strlen(whole));
    if (!ok(model != NULL, "the whole model is read"))
        return;
    char *text = print(model);
    is_string(whole, text, "and printed in the same words");
    free(text);
    survives_printing(model, "the whole model");
    is_int(8, model->ir_version, "IR version");
    is_int(2, (int64_t)model->n_opset_import, "opsets");
    is_int(2, (int64_t)model->graph->n_initializer - 1, "initializers, the input's default first");
    is_string("lengths", (char *)model->graph->initializer[0]->name.data, "the default has the input's name");
    is_int(ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL, model->graph->initializer[2]->data_location, "external data");
    is_int(1, (int64_t)model->graph->n_value_info, "value infos");
    ProtobufCBinaryData domain = model->graph->node[1]->domain;
    is_bytes("com.example", strlen("com.example"), domain.data, domain.len, "domain of a node");
    is_int(1, (int64_t)model->functions[0]->n_attribute_proto, "a parameter with a default");
}

/* ---- forms ---------------------------------------------------------------------------------------------------- */

/* wanted: a line of the printed text; NULL: the text itself. */
static const struct {
    const char *what, *text, *wanted;
} forms[] = {
    {"no header", "g () => () { }", "g () => () {"},
    {"an empty header", "<> g () => () { }", "g () => () {"},
    {"a comment", "# first\ng () # second\n => () { # third\n}", "g () => () {"},
    {"a rank of 0, one unknown, unknown dims", "g (float a, float[] b, float[?, N, 0] c) => () { }",
     "g (float a, float[] b, float[?, N, 0] c) => () {"},
    {"values without a type", "g (a, \"b c\") => (\"float\") { }", NULL},
    {"types in types", "g (seq(map(string, optional(float[2]))) a, sparse_tensor(int8[]) b) => () { }",
     "g (seq(map(string, optional(float[2]))) a, sparse_tensor(int8[]) b) => () {"},
    {"opaque types", "g (opaque() a, opaque(test.rng) b, opaque(d, n) c) => () { }",
     "g (opaque() a, opaque(\"test.rng\") b, opaque(d, n) c) => () {"},
    {"names that are no plain ones", "\"a/b\" (float[\"n-1\"] \"0\", int64 \"float\", int64 \"seq\") => () { }",
     "\"a/b\" (float[\"n-1\"] \"0\", int64 \"float\", int64 \"seq\") => () {"},
    {"integers and floats", GRAPH("", "= A <a = -9223372036854775808, b = 1e10, c = -0.5, d : float = 2> ()"),
     "  = A <a = -9223372036854775808, b = 1e+10, c = -0.5, d = 2.0> ()"},
    {"floats keep their bits", GRAPH("", "= A <a = [0.1, 16777217.0, 1e-45, 3.4028235e38, -0.0]> ()"),
     "  = A <a = [0.1, 16777216.0, 1.4013e-45, 3.4028235e+38, -0.0]> ()"},
    {"infinite and not a number", GRAPH("", "= A <a = inf, b = -inf, c = nan, d = [-nan, Infinity]> ()"),
     "  = A <a = inf, b = -inf, c = nan, d = [-nan, inf]> ()"},
    {"an integer among floats", GRAPH("", "= A <a = [0.5, 1], b : floats = [1]> ()"),
     "  = A <a = [0.5, 1.0], b = [1.0]> ()"},
    {"lists that are empty", GRAPH("", "= A <a : ints = [], b : graphs = [], c : strings = []> ()"),
     "  = A <a : ints = [], b : graphs = [], c : strings = []> ()"},
    {"attributes behind the inputs", GRAPH("", "y = A (x) <a = 1>"), "  y = A <a = 1> (x)"},
    {"references", GRAPH("", "= A <a = @b, c : tensor = @\"d e\"> ()"), "  = A <a = @b, c : tensor = @\"d e\"> ()"},
    {"tensors with and without a name", GRAPH("", "= A <a = float {1}, b = int8[2] n {1, -1}, c = int64[0] = {}> ()"),
     "  = A <a = float {1.0}, b = int8[2] n {1, -1}, c = int64[0] {}> ()"},
    {"a list of tensors", GRAPH("", "= A <a = [float {1}, bool[2] {0, 1}], b : tensors = []> ()"),
     "  = A <a = [float {1.0}, bool[2] {0, 1}], b : tensors = []> ()"},
    {"types as attributes", GRAPH("", "= A <a = float[N], b = [seq(int8), opaque()]> ()"),
     "  = A <a = float[N], b = [seq(int8), opaque()]> ()"},
    {"sparse tensors",
     GRAPH("sparse_tensor(float[9]) w = {float[2] {1, 2}, int64[2] {0, 7}}",
           "= A <a = sparse_tensor(float[9]) {float[1] v {1}, int64[1] {3}}, b : sparse_tensors = []> ()"),
     "  sparse_tensor(float[9]) w = {float[2] {1.0, 2.0}, int64[2] {0, 7}}"},
    {"an external scalar as an attribute", GRAPH("", "= A <a = float = [\"location\": \"f\"]> ()"),
     "  = A <a = float = [\"location\": \"f\"]> ()"},
    {"a graph whose name is no plain one", GRAPH("", "= A <a = \"i j\" () => () { }, b = \"nan\"()=>() {}> ()"),
     "    a = \"i j\" () => () {"},
    {"a list of graphs", GRAPH("", "= A <a = [b () => () { }, c () => () { }]> ()"), "    a = [b () => () {"},
    {"a domain and an operator that are no plain names", GRAPH("", "= \"my-d.x\".\"0\":\"1\" (\"\", \"\")"),
     "  = \"my-d.x\".\"0\":\"1\" (\"\", \"\")"},
    {"a node without outputs, one with an empty name", GRAPH("", "[\"\"] = A ()"), "  [\"\"] = A ()"},
    {"absent outputs", GRAPH("", "\"\", y = A ()"), "  \"\", y = A ()"},
    {"escapes", GRAPH("", "= A <a = \"\\n\\t\\r\\\"\\\\\\x41\\x00\\xff\\xC3\\xA9\"> ()"),
     "  = A <a = \"\\n\\t\\r\\\"\\\\A\\x00\\xff\xc3\xa9\"> ()"},
    {"a string over two lines", GRAPH("", "= A <a = \"b\nc\"> ()"), "  = A <a = \"b\\nc\"> ()"},
    {"initializers in an order of their own", "g (float[1] a = {1}, float[1] b) => () <float[1] b = {2}, c> { }",
     "g (float[1] a = {1.0}, float[1] b = {2.0}) => () <"},
    {"a function with typed formals", "g () => () { } f (float[N] a, b) => (int8 c) <float d> { }", "  float[N] a,"},
};

static bool has_line(const char *text, const char *line)
{
    size_t size = strlen(line);
    for (const char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (strncmp(at, line, size) == 0 && (at[size] == '\n' || at[size] == '\0' || at[size] == ','))
            return true;
    return false;
}

static void every_form_is_read_and_written(void)
{
    for (size_t i = 0; i < COUNT(forms); i++) {
        Onnx__ModelProto *model = parse(forms[i].text, strlen(forms[i].text));
        if (!ok(model != NULL, "%s: is read", forms[i].what))
            continue;
        char *text = print(model);
        if (forms[i].wanted && !ok(text && has_line(text, forms[i].wanted), "%s: is printed", forms[i].what))
            diag("wanted a line\n%s\nin\n%s", forms[i].wanted, text);
        free(text);
        survives_printing(model, forms[i].what);
    }
}

/* ---- tensors -------------------------------------------------------------------------------------------------- */

static const struct {
    const char *tensor, *wanted; /* NULL: the same */
} tensors[] = {
    {"float[2] {1.5, -2.0}", NULL},
    {"double[2] {0.1, 1e+300}", NULL},
    {"double {0.30000000000000004}", NULL},
    {"complex64[1] {1.0, 2.0}", NULL},
    {"complex128[1] {1.0, 2.0}", NULL},
    {"bool[2] {0, 1}", NULL},
    {"string[3] {\"a\", \"\", \"\\x00\"}", NULL},
    {"int2[5] {-2, -1, 0, 1, -2}", NULL},
    {"uint2[3] {3, 2, 1}", NULL},
    {"int4[3] {-8, 7, -1}", NULL},
    {"uint4[2] {0, 15}", NULL},
    {"int8[2] {-128, 127}", NULL},
    {"uint8[2] {0, 255}", NULL},
    {"int16[2] {-32768, 32767}", NULL},
    {"uint16 {65535}", NULL},
    {"int32[2] {-2147483648, 2147483647}", NULL},
    {"uint32 {4294967295}", NULL},
    {"int64[2] {-9223372036854775808, 9223372036854775807}", NULL},
    {"uint64 {18446744073709551615}", NULL},
    {"float16[2] {15360, 65535}", NULL},
    {"bfloat16 {16256}", NULL},
    {"float8e4m3fn {255}", NULL},
    {"float8e4m3fnuz {1}", NULL},
    {"float8e5m2 {1}", NULL},
    {"float8e5m2fnuz {1}", NULL},
    {"float8e8m0 {127}", NULL},
    {"float4e2m1[3] {1, 15, 2}", NULL},
    {"float[0, 3] {}", NULL},
    {"float[] {1}", "float {1.0}"},
    {"float16[4] {1.0, -2.0, 0.0, -0.0}", "float16[4] {15360, 49152, 0, 32768}"},
    {"float16[4] {65504.0, 65519.0, 65520.0, 1e9}", "float16[4] {31743, 31743, 31744, 31744}"},
    {"float16[3] {6e-8, 6.1035e-5, 1e-10}", "float16[3] {1, 1024, 0}"},
    {"float16[3] {inf, -inf, nan}", "float16[3] {31744, 64512, 32256}"},
    {"bfloat16[2] {1.0, 3.0e38}", "bfloat16[2] {16256, 32610}"},
};

static void every_element_type_is_read_and_written(void)
{
    for (size_t i = 0; i < COUNT(tensors); i++) {
        const char *wanted = tensors[i].wanted ? tensors[i].wanted : tensors[i].tensor;
        char *text = arena_print(arena, GRAPH("", "= A <a = %s> ()"), tensors[i].tensor);
        char *line = arena_print(arena, "  = A <a = %s> ()", wanted);
        Onnx__ModelProto *model = parse(text, strlen(text));
        if (!ok(model != NULL, "%s: is read", tensors[i].tensor))
            continue;
        char *printed = print(model);
        if (!ok(has_line(printed, line), "%s: is printed", tensors[i].tensor))
            diag("%s", printed);
        free(printed);
        survives_printing(model, tensors[i].tensor);
    }
}

static void packed_elements_share_bytes(void)
{
    static const char text[] = GRAPH("int4[3] a = {1, -1, 7}, uint2[5] b = {3, 2, 1, 0, 3}", "");
    Onnx__ModelProto *model = parse(text, strlen(text));
    if (!ok(model != NULL, "packed elements are read"))
        return;
    const Onnx__TensorProto *nibbles = model->graph->initializer[0], *pairs = model->graph->initializer[1];
    is_int(2, (int64_t)nibbles->n_int32_data, "three of 4 bits take two bytes");
    is_int(0xf1, nibbles->int32_data[0], "the first is in the low bits");
    is_int(0x07, nibbles->int32_data[1], "the rest is zero");
    is_int(2, (int64_t)pairs->n_int32_data, "five of 2 bits take two bytes");
    is_int(0x1b, pairs->int32_data[0], "four of 2 bits in a byte");
}

static const struct {
    const char *what;
    enum opshift_type type;
    const char *raw;
    size_t size;
    int64_t dim;
    const char *wanted;
} raws[] = {
    {"float", OPSHIFT_TYPE_FLOAT, "\0\0\x80\x3f\0\0\0\xc0", 8, 2, "  float[2] w = {1.0, -2.0}"},
    {"int64", OPSHIFT_TYPE_INT64, "\xfe\xff\xff\xff\xff\xff\xff\xff", 8, 1, "  int64[1] w = {-2}"},
    {"int8", OPSHIFT_TYPE_INT8, "\x80\x7f", 2, 2, "  int8[2] w = {-128, 127}"},
    {"uint16", OPSHIFT_TYPE_UINT16, "\xff\xff", 2, 1, "  uint16[1] w = {65535}"},
    {"uint32", OPSHIFT_TYPE_UINT32, "\xff\xff\xff\xff", 4, 1, "  uint32[1] w = {4294967295}"},
    {"int4", OPSHIFT_TYPE_INT4, "\xf1\x07", 2, 3, "  int4[3] w = {1, -1, 7}"},
    {"bool", OPSHIFT_TYPE_BOOL, "\0\1", 2, 2, "  bool[2] w = {0, 1}"},
    {"complex64", OPSHIFT_TYPE_COMPLEX64, "\0\0\x80\x3f\0\0\0\xc0", 8, 1, "  complex64[1] w = {1.0, -2.0}"},
    {"bytes that do not match the dims", OPSHIFT_TYPE_FLOAT, "\0\0\x80", 3, 1,
     "# not in the text: the value of initializer \"w\": its data does not match its dims"},
    {"a bool of 2", OPSHIFT_TYPE_BOOL, "\2", 1, 1,
     "# not in the text: the value of initializer \"w\": its data does not fit its element type"},
    {"an unknown type", OPSHIFT_TYPE_COUNT, "\2", 1, 1,
     "# not in the text: the value of initializer \"w\": its element type is unknown"},
    {"a negative dim", OPSHIFT_TYPE_INT8, "\2", 1, -1,
     "# not in the text: the value of initializer \"w\": its dims are negative or too big"},
};

static void raw_data_is_printed_like_typed_data(void)
{
    for (size_t i = 0; i < COUNT(raws); i++) {
        Onnx__ModelProto *model = parse(GRAPH("float w = {1}", ""), strlen(GRAPH("float w = {1}", "")));
        Onnx__TensorProto *tensor = model->graph->initializer[0];
        int64_t dim = raws[i].dim;
        tensor->n_float_data = 0;
        tensor->data_type = (int32_t)raws[i].type;
        tensor->n_dims = 1;
        tensor->dims = &dim;
        tensor->has_raw_data = true;
        tensor->raw_data.data = arena_copy(arena, raws[i].raw, raws[i].size);
        tensor->raw_data.len = raws[i].size;
        char *text = print(model);
        if (!ok(has_line(text, raws[i].wanted), "raw data: %s", raws[i].what))
            diag("%s", text);
        ok(parse(text, strlen(text)) != NULL, "raw data: %s: reads back", raws[i].what);
        free(text);
    }
}

/* ---- parts that the text omits -------------------------------------------------------------------------------- */

static ProtobufCBinaryData bytes(const char *text)
{
    return (ProtobufCBinaryData){.len = strlen(text), .data = arena_copy(arena, text, strlen(text))};
}

static void what_has_no_words_becomes_a_comment(void)
{
    static const char text[] = "g (float[N] x) => (float y) { [n] y = A <a = 1> (x) }";
    static const char wanted[] =
        "g (float[N] x) => (y) {\n"
        "# not in the text: training_info of the model: 1\n"
        "# not in the text: a dim's denotation of value \"x\": \"DATA_BATCH\"\n"
        "# not in the text: denotation of the type of value \"x\": \"IMAGE\"\n"
        "# not in the text: doc_string of value \"x\": \"in\\nput\"\n"
        "# not in the text: type of value \"y\": it is empty\n"
        "# not in the text: doc_string of graph \"g\": \"words\"\n"
        "# not in the text: quantization annotation of tensor \"x\": [\"SCALE\": \"s\"]\n"
        "  [n] y = A <a = 1> (x)\n"
        "  # not in the text: further values of attribute \"a\"\n"
        "  # not in the text: the value of attribute \"b\": it has neither a type nor a value\n"
        "  # not in the text: metadata_props of node \"n\": [\"SCALE\": \"s\"]\n"
        "  # not in the text: device configurations of node \"n\": 1\n"
        "  # not in the text: unknown fields of node \"n\": 1\n"
        "}\n";
    Onnx__StringStringEntryProto pair = ONNX__STRING_STRING_ENTRY_PROTO__INIT, *pairs[] = {&pair};
    Onnx__TensorAnnotation annotation = ONNX__TENSOR_ANNOTATION__INIT, *annotations[] = {&annotation};
    Onnx__NodeDeviceConfigurationProto device = ONNX__NODE_DEVICE_CONFIGURATION_PROTO__INIT, *devices[] = {&device};
    Onnx__TrainingInfoProto training = ONNX__TRAINING_INFO_PROTO__INIT, *trainings[] = {&training};
    Onnx__AttributeProto second = ONNX__ATTRIBUTE_PROTO__INIT, *attributes[2];
    ProtobufCMessageUnknownField unknown = {.tag = 99};
    Onnx__ModelProto *model = parse(text, strlen(text));
    Onnx__GraphProto *graph = model->graph;
    Onnx__NodeProto *node = graph->node[0];

    pair.key = bytes("SCALE");
    pair.value = bytes("s");
    annotation.tensor_name = bytes("x");
    annotation.n_quant_parameter_tensor_names = 1;
    annotation.quant_parameter_tensor_names = pairs;
    second.name = bytes("b");
    attributes[0] = node->attribute[0];
    attributes[1] = &second;
    model->n_training_info = 1;
    model->training_info = trainings;
    graph->has_doc_string = graph->input[0]->has_doc_string = true;
    graph->doc_string = bytes("words");
    graph->input[0]->doc_string = bytes("in\nput");
    graph->input[0]->type->has_denotation = true;
    graph->input[0]->type->denotation = bytes("IMAGE");
    graph->input[0]->type->tensor_type->shape->dim[0]->has_denotation = true;
    graph->input[0]->type->tensor_type->shape->dim[0]->denotation = bytes("DATA_BATCH");
    graph->output[0]->type->value_case = ONNX__TYPE_PROTO__VALUE__NOT_SET;
    graph->n_quantization_annotation = 1;
    graph->quantization_annotation = annotations;
    node->attribute[0]->has_f = true;
    node->n_attribute = 2;
    node->attribute = attributes;
    node->n_metadata_props = 1;
    node->metadata_props = pairs;
    node->n_device_configurations = 1;
    node->device_configurations = devices;
    node->base.n_unknown_fields = 1;
    node->base.unknown_fields = &unknown;

    char *printed = print(model);
    is_string(wanted, printed, "everything left out is named");
    ok(parse(printed, strlen(printed)) != NULL, "and the text reads back");
    free(printed);
}

/* ---- mistakes ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text, *wanted;
} mistakes[] = {
    {"", "in:1:1: expected a graph's name, found the end"},
    {"g", "in:1:2: expected '(', found the end"},
    {"g (float) => () { }", "in:1:9: expected a name after the type, found ')'"},
    {"g (float x", "in:1:11: expected ',' or ')', found the end"},
    {"g (float x y) => () { }", "in:1:12: expected ',' or ')', found 'y'"},
    {"g (1) => () { }", "in:1:4: expected a value: a type and a name, or a name, found '1'"},
    {"g () = () { }", "in:1:6: expected '=>', found '='"},
    {"g () => ()\n\n{ x }", "in:3:5: expected '=', found '}'"},
    {"g () => () { 5 }", "in:1:14: expected a node or '}', found '5'"},
    {"g () => () { ", "in:1:14: expected a node or '}', found the end"},
    {"g () => () { = }", "in:1:16: expected an operator, found '}'"},
    {"g () => () { = A }", "in:1:18: expected '(', found '}'"},
    {"g () => () { = A (x y) }", "in:1:21: expected ',' or ')', found 'y'"},
    {"g () => () { = A (x,) }", "in:1:21: expected a name, or \"\" for an absent value, found ')'"},
    {"g () => () { x, = A () }", "in:1:17: expected a name, or \"\" for an absent value, found '='"},
    {"g () => () { [1] = A () }", "in:1:15: expected a node's name, found '1'"},
    {"g () => () { [n = A () }", "in:1:17: expected ']', found '='"},
    {"g () => () { = a. () }", "in:1:19: expected an operator, found '('"},
    {"g () => () { = a: () }", "in:1:19: expected an overload's name, found '('"},
    {"g () => () { = A <> () }", "in:1:19: expected an attribute's name, found '>'"},
    {"g () => () { = A <a> () }", "in:1:20: expected '=', found '>'"},
    {"g () => () { = A <a = 1 b> () }", "in:1:25: expected ',' or '>', found 'b'"},
    {"g () => () { = A <a = > () }", "in:1:23: expected a value: a number, string, type, tensor or graph, found '>'"},
    {"g () => () { = A <a = []> () }",
     "in:1:24: expected a value, or the list's type before the '=', as in 'name : ints = []', found ']'"},
    {"g () => () { = A <a : integer = 1> () }",
     "in:1:23: expected an attribute's type: int, float, string, tensor, graph, sparse_tensor, type_proto, or a plural "
     "of one, found 'integer'"},
    {"g () => () { = A <a : int = 1.5> () }", "in:1:29: expected an int, found '1.5'"},
    {"g () => () { = A <a : int = [1]> () }", "in:1:29: expected an int, found '['"},
    {"g () => () { = A <a : ints = 1> () }", "in:1:30: expected '[', found '1'"},
    {"g () => () { = A <a = [1, \"b\"]> () }", "in:1:27: expected an int, found '\"b\"'"},
    {"g () => () { = A <a = [1, 2.5]> () }", "in:1:27: expected an int, found '2.5'"},
    {"g () => () { = A <a : tensor = \"b\"> () }", "in:1:32: expected a tensor, found '\"b\"'"},
    {"g () => () { = A <a = @1> () }", "in:1:24: expected the name of an attribute of the function, found '1'"},
    {"g () => () { = A <a = 9223372036854775808> () }",
     "in:1:23: expected an integer of 64 bits, found '9223372036854775808'"},
    {"g () => () { = A <a = 1e39> () }", "in:1:23: expected a number that fits a float, found '1e39'"},
    {"g () => () { = A <a = -info> () }", "in:1:23: expected a number that fits a float, found '-info'"},
    {"g (seq[float] x) => () { }", "in:1:7: expected '(', found '['"},
    {"g (seq(N) x) => () { }", "in:1:8: expected a type, found 'N'"},
    {"g (map(N, float) x) => () { }", "in:1:8: expected an element type, found 'N'"},
    {"g (opaque(1) x) => () { }", "in:1:11: expected a name of an opaque type, found '1'"},
    {"g (float[-] x) => () { }", "in:1:10: expected a dim: a number, a name or '?', found '-'"},
    {"g (float[9223372036854775808] x) => () { }", "in:1:10: expected a dim of 64 bits, found '9223372036854775808'"},
    {"g () => () <float[2] w = {1}> { }", "in:1:26: expected 2 numbers, as the dims say, found 1"},
    {"g () => () <string[1] w = {}> { }", "in:1:27: expected 1 strings, as the dims say, found 0"},
    {"g () => () <float[-1] w = {}> { }", "in:1:27: the dims before the data are negative or make too many elements"},
    {"g () => () <float[4294967296, 4294967296] w = {}> { }",
     "in:1:47: the dims before the data are negative or make too many elements"},
    {"g () => () <float[N] w = {1}> { }",
     "in:1:26: expected only numbers as dims before the data of a tensor, found '{'"},
    {"g () => () <w = {1}> { }", "in:1:17: expected a tensor's type before the data, found '{'"},
    {"g () => () <float w = 1> { }", "in:1:23: expected the data of a tensor: '{' or '[', found '1'"},
    {"g () => () <float w = {1 2}> { }", "in:1:26: expected ',' or '}', found '2'"},
    {"g () => () <float w = {a}> { }", "in:1:24: expected a number that fits a float, found 'a'"},
    {"g () => () <double w = {1e999}> { }", "in:1:25: expected a number that fits a double, found '1e999'"},
    {"g () => () <int8 w = {128}> { }", "in:1:23: expected an int8 from -128 to 127, found '128'"},
    {"g () => () <uint4 w = {-1}> { }", "in:1:24: expected a uint4 from 0 to 15, found '-1'"},
    {"g () => () <bool w = {2}> { }", "in:1:23: expected a bool from 0 to 1, found '2'"},
    {"g () => () <int64 w = {1.5}> { }", "in:1:24: expected an int64, found '1.5'"},
    {"g () => () <uint32 w = {4294967296}> { }", "in:1:25: expected a uint32 from 0 to 4294967295, found '4294967296'"},
    {"g () => () <uint64 w = {-1}> { }", "in:1:25: expected a uint64, found '-1'"},
    {"g () => () <uint64 w = {18446744073709551616}> { }", "in:1:25: expected a uint64, found '18446744073709551616'"},
    {"g () => () <string w = {1}> { }", "in:1:25: expected a string in '\"', found '1'"},
    {"g () => () <float8e5m2 w = {1.0}> { }", "in:1:29: expected a float8e5m2 from 0 to 255, found '1.0'"},
    {"g () => () <float w = [1]> { }", "in:1:24: expected a string in '\"', found '1'"},
    {"g () => () <float w = [\"a\"]> { }", "in:1:27: expected ':', found ']'"},
    {"g () => () <sparse_tensor(float[2]) w = {int8[1] {1}, int64[1] {0}}> { }",
     "in:1:42: expected values of the sparse tensor's type float, found 'int8'"},
    {"g () => () <sparse_tensor(float[2]) w = {float[1] {1}}> { }", "in:1:54: expected ',', found '}'"},
    {"<ir: 1> g () => () { }", "in:1:2: expected a key of a model's header, found 'ir'"},
    {"<ir_version: 1, ir_version: 2> g () => () { }",
     "in:1:17: expected each key of a header once, found 'ir_version'"},
    {"<ir_version: \"1\"> g () => () { }", "in:1:14: expected an IR version, found '\"1\"'"},
    {"<ir_version: 1; > g () => () { }", "in:1:15: expected ',' or '>', found ';'"},
    {"<model_version: x> g () => () { }", "in:1:17: expected a version, found 'x'"},
    {"<opset_import: [\"\" : x]> g () => () { }", "in:1:22: expected an opset's version, found 'x'"},
    {"g () => () { } <ir_version: 1> f () => () { }",
     "in:1:17: expected a key of a function's header, found 'ir_version'"},
    {"g () => () { } 1", "in:1:16: expected a function's name, found '1'"},
    {"g () => () { = A <a = \"b> () }", "in:1:23: expected a closing '\"', found '\"b> () }'"},
    {"g () => () {\n = A <a = \"b\nc\\q\"> () }",
     "in:3:2: expected one of the escapes \\n, \\r, \\t, \\\", \\\\ and \\xNN, found '\\q'"},
    {"g () => () { = A <a = \"\\x4\"> () }",
     "in:1:24: expected one of the escapes \\n, \\r, \\t, \\\", \\\\ and \\xNN, found '\\x'"},
    {"g () => () { = A (\x01) }", "in:1:19: expected a name, or \"\" for an absent value, found '\\x01'"},
    {"a_name_that_is_much_longer_than_what_a_message_shows x", "in:1:54: expected '(', found 'x'"},
    {"g () => () { a_name_that_is_much_longer_than_what_a_message_shows a_name_that_is_much_longer_than_messages }",
     "in:1:67: expected '=', found 'a_name_that_is_much_longer_than_messages'"},
};

static void every_mistake_has_its_message(void)
{
    for (size_t i = 0; i < COUNT(mistakes); i++) {
        struct opshift_error error = {0};
        Onnx__ModelProto *model = NULL;
        enum opshift_status status =
            text_parse_model(mistakes[i].text, strlen(mistakes[i].text), "in", arena, &model, &error);
        is_int(OPSHIFT_MALFORMED, status, "malformed: %s", mistakes[i].wanted);
        is_string(mistakes[i].wanted, error.text, "its message");
    }
}

/* ---- depth, memory, nodes ------------------------------------------------------------------------------------- */

static void nest(struct buffer *out, const char *open, const char *middle, const char *close, unsigned levels)
{
    for (unsigned i = 0; i < levels; i++)
        buffer_add_text(out, open);
    buffer_add_text(out, middle);
    for (unsigned i = 0; i < levels; i++)
        buffer_add_text(out, close);
}

static void nesting_is_bounded(void)
{
    static const struct {
        const char *what, *open, *middle, *close, *before, *after;
        unsigned most;
        const char *wanted;
    } cases[] = {
        {"types", "seq(", "float", ")", "g (", " x) => () { }", 98,
         "in:1:400: more than 100 graphs and types inside each other"},
        {"graphs", "g () => () { = A <b = ", "1", "> () }", "", "", 100,
         "in:1:2203: more than 100 graphs and types inside each other"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        for (unsigned more = 0; more < 2; more++) {
            struct buffer text = {0};
            struct opshift_error error = {0};
            Onnx__ModelProto *model = NULL;
            buffer_add_text(&text, cases[i].before);
            nest(&text, cases[i].open, cases[i].middle, cases[i].close, cases[i].most + more);
            buffer_add_text(&text, cases[i].after);
            enum opshift_status status = text_parse_model((char *)text.data, text.size, "in", arena, &model, &error);
            is_int(more ? OPSHIFT_MALFORMED : OPSHIFT_OK, status, "%s inside each other: %u", cases[i].what,
                   cases[i].most + more);
            is_string(more ? cases[i].wanted : "", error.text, "its message");
            if (!more)
                survives_printing(model, "as deep as may be");
            buffer_free(&text);
        }
}

static void too_little_memory_is_an_error(void)
{
    unsigned refused = 0;
    for (uint64_t limit = 16;; limit += 64) {
        struct arena *small = arena_new(limit);
        struct opshift_error error = {0};
        Onnx__ModelProto *model = NULL;
        enum opshift_status status = text_parse_model(whole, strlen(whole), "in", small, &model, &error);
        arena_free(small);
        if (status == OPSHIFT_OK)
            break;
        refused += status == OPSHIFT_MEMORY;
    }
    ok(refused > 20, "with little memory, reading fails as such and nothing worse happens");
}

static void nodes_stand_alone(void)
{
    static const char text[] = "y_min = Constant<value = float {0.0}>()\ny = Clip(x, y_min)\n";
    struct opshift_error error = {0};
    Onnx__NodeProto **nodes = NULL;
    size_t count = 0;
    is_int(OPSHIFT_OK, text_parse_nodes(text, strlen(text), "rule", 7, arena, &nodes, &count, &error), "nodes alone");
    if (is_int(2, (int64_t)count, "two nodes")) {
        struct buffer out = {0};
        text_print_node(&out, nodes[0]);
        text_print_node(&out, nodes[1]);
        char *printed = buffer_take(&out);
        is_string("y_min = Constant <value = float {0.0}> ()\ny = Clip (x, y_min)\n", printed, "printed alone");
        free(printed);
    }
    is_int(OPSHIFT_MALFORMED, text_parse_nodes("x = A()\ny", 9, "rule", 7, arena, &nodes, &count, &error),
           "a mistake in nodes");
    is_string("rule:8:2: expected '=', found the end", error.text, "names the line as shifted");
}

static void a_name_may_hold_any_byte(void)
{
    static const char text[] = "g () => () { \"a\\x00b\\xfe\" = A () }";
    Onnx__ModelProto *model = parse(text, strlen(text));
    if (!ok(model != NULL, "a name with a NUL is read"))
        return;
    ProtobufCBinaryData name = model->graph->node[0]->output[0];
    is_bytes("a\0b\xfe", 4, name.data, name.len, "byte for byte");
    survives_printing(model, "a name with a NUL");
}

static void the_library_reads_text(void)
{
    struct opshift_error error = {0};
    char *packed = NULL;
    size_t size = 0;
    is_int(OPSHIFT_OK, opshift_text_to_model(whole, strlen(whole), "in", &packed, &size, &error), "text to model");
    struct bytes wanted = pack(parse(whole, strlen(whole)));
    is_bytes(wanted.data, wanted.size, packed, size, "gives the bytes of the message");
    opshift_text_free(packed);
    is_int(OPSHIFT_MALFORMED, opshift_text_to_model("g", 1, "in", &packed, &size, &error), "a mistake in text");
    is_string("in:1:2: expected '(', found the end", error.text, "its message");
}

static void the_library_writes_text(void)
{
    static const char cut[] = "\x0a\x05";
    struct opshift_error error = {0};
    struct opshift_model model = {.name = "in.onnx"};
    struct bytes packed = pack(parse(whole, strlen(whole)));
    char *text = NULL;
    size_t size = 0;
    is_int(OPSHIFT_OK, source_open_memory(packed.data, packed.size, &model.source, &error), "a model in memory");
    is_int(OPSHIFT_OK, opshift_model_to_text(&model, &text, &size, &error), "model to text");
    is_string(whole, text, "gives the text");
    is_int((int64_t)strlen(whole), (int64_t)size, "and its size");
    opshift_text_free(text);
    source_free(model.source);
    is_int(OPSHIFT_OK, source_open_memory(cut, 2, &model.source, &error), "a message that is cut");
    is_int(OPSHIFT_UNSUPPORTED, opshift_model_to_text(&model, &text, &size, &error), "does not become text");
    is_string("in.onnx: does not decode as a model, or not within 4294967296 bytes of memory", error.text,
              "its message");
    source_free(model.source);
}

/* All texts of up to four such bytes: they read back, and none is a command of a CI system. */
static void strings_read_back(void)
{
    static const uint8_t letters[] = {'#', '[', 'a', 'x', '"', '\\', '\n', 0x1f, 0x7f, 0xc3, 0xb6, 0x80};
    size_t lost = 0, commands = 0;
    for (size_t size = 0, count = 1; size <= 4; size++, count *= sizeof(letters))
        for (size_t number = 0; number < count; number++) {
            uint8_t text[4];
            struct buffer written = {0};
            for (size_t i = 0, rest = number; i < size; i++, rest /= sizeof(letters))
                text[i] = letters[rest % sizeof(letters)];
            buffer_add_text(&written, "<ir_version: 8, producer_name: ");
            size_t start = written.size;
            text_write_string(&written, (ProtobufCBinaryData){size, text});
            for (size_t i = start; i < written.size; i++)
                commands += shown_is_command((const uint8_t *)written.data + i, written.size - i);
            buffer_add_text(&written, "> g () => () {}");
            arena_clear(arena);
            const Onnx__ModelProto *model = parse((const char *)written.data, written.size);
            lost += model == NULL || model->producer_name.len != size ||
                    (size > 0 && memcmp(model->producer_name.data, text, size) != 0);
            buffer_free(&written);
        }
    is_int(0, (int64_t)lost, "all strings of four bytes read back");
    is_int(0, (int64_t)commands, "and none is a command");
}

int main(void)
{
    arena = arena_new(0);
    strings_read_back();
    a_model_is_printed_as_it_was_written();
    every_form_is_read_and_written();
    every_element_type_is_read_and_written();
    packed_elements_share_bytes();
    raw_data_is_printed_like_typed_data();
    what_has_no_words_becomes_a_comment();
    every_mistake_has_its_message();
    nesting_is_bounded();
    too_little_memory_is_an_error();
    nodes_stand_alone();
    a_name_may_hold_any_byte();
    the_library_reads_text();
    the_library_writes_text();
    arena_free(arena);
    return done();
}
