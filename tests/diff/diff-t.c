/* What differs between two models: each kind of difference is reported once, and nothing without a difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opshift.h"
#include "wire/wire.h"
#include "tests/tap/tap.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define HEAD  "< ir_version: 8, opset_import: [\"\" : 13] >\n"
#define GRAPH "g (float[2,6] x) => (float[2,3] a, float[2,3] b)"
#define SPLIT GRAPH " { [s] a, b = Split <axis = 1> (x) }"
/* Two nodes that differ in name and outputs. */
#define TWO(first, second) HEAD "g (float[2] x) => (float[2] a, float[2] b) { " first " " second " }"
#define WITH(initializer)  HEAD "g (float[2] x) => (float[2] y) <" initializer "> { y = Add (x, w) }"
#define BRANCH(axis)                                                                                                   \
    HEAD "g (bool c, float[2,6] x) => (float[K] y) { [if] y = If (c) <then_branch = t () => (float[K] p) { [in] p = "  \
         "Concat <axis = " axis "> (x, x) }, else_branch = e () => (float[K] q) { q = Identity (x) }> }"
#define FUNCTION(op)                                                                                                   \
    "< ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1] >\n"                                                        \
    "g (float[2] x) => (float[2] y) { y = f.One (x) }\n"                                                               \
    "< domain: \"f\", opset_import: [\"\" : 13] >\nOne (p) => (q) { [n] q = " op " (p) }"

static const struct {
    const char *what, *before, *after;
    unsigned ignore;
    const char *wanted; /* the report without its last line; "": nothing */
} cases[] = {
    {"the same text", HEAD SPLIT, HEAD SPLIT, 0, ""},
    {"the IR version", HEAD SPLIT, "< ir_version: 9, opset_import: [\"\" : 13] >\n" SPLIT, 0,
     "header\n  ~ ir_version: 8 -> 9\n"},
    {"the producer", HEAD SPLIT,
     "< ir_version: 8, opset_import: [\"\" : 13], producer_name: \"p\", producer_version: \"1\" >\n" SPLIT, 0,
     "header\n  ~ producer_name: absent -> 'p'\n  ~ producer_version: absent -> '1'\n"},
    {"the producer, left out", HEAD SPLIT, "< ir_version: 8, opset_import: [\"\" : 13], producer_name: \"p\" >\n" SPLIT,
     OPSHIFT_DIFF_PRODUCER, ""},
    {"an opset", HEAD SPLIT, "< ir_version: 8, opset_import: [\"\" : 18] >\n" SPLIT, 0,
     "opset imports\n  ~ opset import 'ai.onnx': version: 13 -> 18\n"},
    {"another domain", HEAD SPLIT, "< ir_version: 8, opset_import: [\"\" : 13, \"other\" : 2] >\n" SPLIT, 0,
     "opset imports\n  + opset import 'other': 2\n"},
    {"metadata", HEAD SPLIT, "< ir_version: 8, opset_import: [\"\" : 13], metadata_props: [\"k\" : \"v\"] >\n" SPLIT, 0,
     "metadata\n  + metadata 'k': 'v'\n"},
    {"metadata, left out", HEAD SPLIT,
     "< ir_version: 8, opset_import: [\"\" : 13], metadata_props: [\"k\" : \"v\"] >\n" SPLIT, OPSHIFT_DIFF_METADATA,
     ""},
    {"an attribute's value", HEAD SPLIT, HEAD GRAPH " { [s] a, b = Split <axis = -1> (x) }", 0,
     "nodes\n  ~ node 's' (Split): attribute 'axis': 1 -> -1\n"},
    {"an attribute that is lost", HEAD SPLIT, HEAD GRAPH " { [s] a, b = Split (x) }", 0,
     "nodes\n  - node 's' (Split): attribute 'axis': 1\n"},
    {"an attribute's kind", HEAD SPLIT, HEAD GRAPH " { [s] a, b = Split <axis = 1.0> (x) }", 0,
     "nodes\n  ~ node 's' (Split): attribute 'axis': absent -> 1.0\n  ~ node 's' (Split): attribute 'axis': 1 -> "
     "absent\n"
     "  ~ node 's' (Split): attribute 'axis': type: INT -> FLOAT\n"},
    {"swapped outputs", HEAD SPLIT, HEAD GRAPH " { [s] b, a = Split <axis = 1> (x) }", 0,
     "nodes\n  ~ node 's' (Split): output: ['a', 'b'] -> ['b', 'a']\n"},
    {"another operator under the same name", TWO("[n] a = Neg (x)", "[m] b = Abs (x)"),
     TWO("[n] a = Exp (x)", "[m] b = Abs (x)"), 0, "nodes\n  ~ node 'n' (Neg): op_type: 'Neg' -> 'Exp'\n"},
    {"a node without a name is found by what it makes", TWO("a = Neg (x)", "b = Abs (x)"),
     TWO("a = Neg (x)", "b = Abs (a)"), 0, "nodes\n  ~ node 1 (Abs): input: ['x'] -> ['a']\n"},
    {"a node that was named", TWO("a = Neg (x)", "b = Abs (x)"), TWO("[k] a = Neg (x)", "b = Abs (x)"), 0,
     "nodes\n  ~ node 0 (Neg): name: absent -> 'k'\n"},
    {"a name, left out", TWO("a = Neg (x)", "b = Abs (x)"), TWO("[k] a = Neg (x)", "b = Abs (x)"), OPSHIFT_DIFF_NAMES,
     ""},
    {"nodes in another order", TWO("[n] a = Neg (x)", "[m] b = Abs (x)"), TWO("[m] b = Abs (x)", "[n] a = Neg (x)"), 0,
     "nodes\n  > node 'n' (Neg): position: 0 -> 1\n"},
    {"an order, left out", TWO("[n] a = Neg (x)", "[m] b = Abs (x)"), TWO("[m] b = Abs (x)", "[n] a = Neg (x)"),
     OPSHIFT_DIFF_ORDER, ""},
    {"a node more", TWO("[n] a = Neg (x)", "[m] b = Abs (x)"),
     TWO("[n] a = Neg (x)", "[k] t = Exp (x) [m] b = Abs (x)"), 0, "nodes\n  + node 'k' (Exp)\n"},
    {"nodes without any name go by their place", HEAD "g (float[2] x) => (float[2] y) { t = Neg (x) y = Neg (t) }",
     HEAD "g (float[2] x) => (float[2] y) { u = Neg (x) y = Neg (u) }", 0,
     "nodes\n  ~ node 0 (Neg): output: ['t'] -> ['u']\n  ~ node 1 (Neg): input: ['t'] -> ['u']\n"},
    {"several alike nodes without any name go by their order",
     HEAD "g (float[2] x) => (float[2] y) { t = Neg (x) u = Neg (t) v = Neg (u) y = Abs (v) }",
     HEAD "g (float[2] x) => (float[2] y) { p = Neg (x) q = Neg (p) r = Neg (q) y = Abs (r) }", 0,
     "nodes\n  ~ node 0 (Neg): output: ['t'] -> ['p']\n  ~ node 1 (Neg): input: ['t'] -> ['p']\n"
     "  ~ node 1 (Neg): output: ['u'] -> ['q']\n  ~ node 2 (Neg): input: ['u'] -> ['q']\n"
     "  ~ node 2 (Neg): output: ['v'] -> ['r']\n  ~ node 3 (Abs): input: ['v'] -> ['r']\n"},
    {"inside a branch", BRANCH("0"), BRANCH("1"), 0,
     "nodes\n  ~ node 'if' (If): attribute 'then_branch': node 'in' (Concat): attribute 'axis': 0 -> 1\n"},
    {"inside a function", FUNCTION("Neg"), FUNCTION("Abs"), 0,
     "functions\n  ~ function 'f.One': node 'n' (Neg): op_type: 'Neg' -> 'Abs'\n"},
    {"a lost function", FUNCTION("Neg"),
     "< ir_version: 8, opset_import: [\"\" : 13, \"f\" : 1] >\ng (float[2] x) => (float[2] y) { y = f.One (x) }", 0,
     "functions\n  - function 'f.One'\n"},
    {"a type", HEAD SPLIT, HEAD "g (float[2,N] x) => (float[2,3] a, float[2,3] b) { [s] a, b = Split <axis = 1> (x) }",
     0, "inputs\n  ~ input 'x': type: float[2, 6] -> float[2, N]\n"},
    {"outputs in another order", HEAD SPLIT,
     HEAD "g (float[2,6] x) => (float[2,3] b, float[2,3] a) { [s] a, b = Split <axis = 1> (x) }", 0,
     "outputs\n  > output 'a': position: 0 -> 1\n"},
    {"a value info, new", HEAD SPLIT,
     HEAD "g (float[2,6] x) => (float[2,3] a, float[2,3] b) <float[3] t> { [s] a, b = Split <axis = 1> (x) }", 0,
     "value infos\n  + value info 't': float[3]\n"},
    {"a value info, left out", HEAD SPLIT,
     HEAD "g (float[2,6] x) => (float[2,3] a, float[2,3] b) <float[3] t> { [s] a, b = Split <axis = 1> (x) }",
     OPSHIFT_DIFF_VALUE_INFOS, ""},
    {"one element", WITH("float[2] w = {1.0, 2.0}"), WITH("float[2] w = {1.0, 2.5}"), 0,
     "initializers\n  ~ initializer 'w': value: 2.0 -> 2.5; 1 of 2 differ, first [1]; at most 0.5 apart\n"},
    {"several elements of a matrix", WITH("int64[2,2] w = {1, 2, 3, 4}"), WITH("int64[2,2] w = {1, 2, 4, 9}"), 0,
     "initializers\n  ~ initializer 'w': value: 3 -> 4; 2 of 4 differ, first [1,0]; at most 5 apart\n"},
    {"zero and minus zero", WITH("float[2] w = {1.0, 0.0}"), WITH("float[2] w = {1.0, -0.0}"), 0,
     "initializers\n  ~ initializer 'w': value: 0.0 -> -0.0; 1 of 2 differ, first [1]\n"},
    {"other dims", WITH("float[2] w = {1.0, 2.0}"), WITH("float[1,2] w = {1.0, 2.0}"), 0,
     "initializers\n  ~ initializer 'w': dims: [2] -> [1, 2]\n"},
    {"another type", WITH("float[2] w = {1.0, 2.0}"), WITH("double[2] w = {1.0, 2.0}"), 0,
     "initializers\n  ~ initializer 'w': data_type: float -> double\n"},
    {"texts", WITH("string[2] w = {\"a\", \"b\"}"), WITH("string[2] w = {\"a\", \"c\"}"), 0,
     "initializers\n  ~ initializer 'w': string_data: ['a', 'b'] -> ['a', 'c']\n"},
    {"half floats, by their values", WITH("float16[2] w = {1.0, 2.0}"), WITH("float16[2] w = {1.0, 4.0}"), 0,
     "initializers\n  ~ initializer 'w': value: 2.0 -> 4.0; 1 of 2 differ, first [1]; at most 2 apart\n"},
    {"a lost initializer", WITH("float[2] w = {1.0, 2.0}"), HEAD "g (float[2] x) => (float[2] y) { y = Add (x, w) }", 0,
     "initializers\n  - initializer 'w': float[2]\n"},
};

static bool open_bytes(const char *bytes, size_t size, const char *name, struct opshift_model **model)
{
    struct opshift_error error = {0};
    struct opshift_open_options options = {.name = name};
    bool good = opshift_model_open_memory(bytes, size, &options, model, &error) == OPSHIFT_OK;
    if (!good)
        diag("%s", error.text);
    return good;
}

/* The report about two files, without its last line. */
static void check_bytes(const char *const bytes[2], const size_t sizes[2], unsigned ignore, const char *wanted,
                        const char *what)
{
    struct opshift_model *models[2] = {NULL, NULL};
    struct opshift_diff_options options = {.ignore = ignore};
    struct opshift_report *report = NULL;
    struct opshift_error error = {0};
    char *text = NULL;
    if (!open_bytes(bytes[0], sizes[0], "a", &models[0]) || !open_bytes(bytes[1], sizes[1], "b", &models[1])) {
        ok(false, "%s: opened", what);
    } else {
        enum opshift_status status = opshift_diff(models[0], models[1], &options, &report, &error);
        is_int(wanted[0] == '\0' ? OPSHIFT_OK : OPSHIFT_NO, status, "%s: the answer %s", what, error.text);
        if (report != NULL && opshift_report_text(report, &text, &error) == OPSHIFT_OK) {
            char *last = strstr(text, "a and b: ");
            if (last != NULL)
                *last = '\0';
        }
        is_string(wanted, text, "%s", what);
    }
    opshift_text_free(text);
    opshift_report_free(report);
    opshift_model_free(models[0]);
    opshift_model_free(models[1]);
}

static bool assemble(const char *text, char **bytes, size_t *size)
{
    struct opshift_error error = {0};
    bool good = opshift_text_to_model(text, strlen(text), "text", bytes, size, &error) == OPSHIFT_OK;
    if (!good)
        diag("%s", error.text);
    return good;
}

static void check_case(const char *before, const char *after, unsigned ignore, const char *wanted, const char *what)
{
    char *bytes[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    if (assemble(before, &bytes[0], &sizes[0]) && assemble(after, &bytes[1], &sizes[1]))
        check_bytes((const char *const *)bytes, sizes, ignore, wanted, what);
    else
        ok(false, "%s: assembled", what);
    opshift_text_free(bytes[0]);
    opshift_text_free(bytes[1]);
}

/* A model of one graph with one initializer, two uint8 elements: raw, packed, or one by one. */
static void tensor_model(int form, uint8_t second, struct buffer *model)
{
    struct buffer graph = {0}, tensor = {0};
    uint8_t both[2] = {7, second};
    wire_add_int(&tensor, 1, 2);
    wire_add_int(&tensor, 2, OPSHIFT_TYPE_UINT8);
    if (form == 0)
        wire_add_bytes(&tensor, 9, both, 2);
    if (form == 1)
        wire_add_bytes(&tensor, 5, both, 2);
    for (int i = 0; form == 2 && i < 2; i++)
        wire_add_int(&tensor, 5, both[i]);
    wire_add_bytes(&tensor, 8, "w", 1);
    wire_add_bytes(&graph, 5, tensor.data, tensor.size);
    wire_add_int(model, 1, 8);
    wire_add_bytes(model, 7, graph.data, graph.size);
    buffer_free(&graph);
    buffer_free(&tensor);
}

static void check_encodings(void)
{
    static const char *const fields[] = {"raw_data", "int32_data", "int32_data"};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            struct buffer same[2] = {{0}}, other = {0};
            char note[128] = "";
            tensor_model(a, 9, &same[0]);
            tensor_model(b, 9, &same[1]);
            tensor_model(b, 10, &other);
            const char *bytes[2] = {(char *)same[0].data, (char *)same[1].data};
            struct opshift_model *models[2] = {NULL, NULL};
            struct opshift_report *report = NULL;
            char *text = NULL;
            if (fields[a] != fields[b])
                snprintf(note, sizeof(note), "note: initializer 'w': the same value, in %s before and in %s after\n",
                         fields[a], fields[b]);
            ok(open_bytes(bytes[0], same[0].size, "a", &models[0]) &&
                   open_bytes(bytes[1], same[1].size, "b", &models[1]) &&
                   opshift_diff(models[0], models[1], NULL, &report, NULL) == OPSHIFT_OK &&
                   opshift_report_text(report, &text, NULL) == OPSHIFT_OK && strncmp(text, note, strlen(note)) == 0,
               "form %d and form %d hold the same value", a, b);
            bytes[1] = (char *)other.data;
            check_bytes(
                bytes, (size_t[]){same[0].size, other.size}, 0,
                "initializers\n  ~ initializer 'w': value: 9 -> 10; 1 of 2 differ, first [1]; at most 1 apart\n",
                "another element, whichever way it is stored");
            opshift_text_free(text);
            opshift_report_free(report);
            opshift_model_free(models[0]);
            opshift_model_free(models[1]);
            buffer_free(&same[0]);
            buffer_free(&same[1]);
            buffer_free(&other);
        }
}

/* A uint8 tensor of one dim and so many elements. */
static void payload_model(const uint8_t *elements, size_t dim, size_t count, bool raw, struct buffer *model)
{
    struct buffer graph = {0}, tensor = {0};
    wire_add_int(&tensor, 1, dim);
    wire_add_int(&tensor, 2, OPSHIFT_TYPE_UINT8);
    wire_add_bytes(&tensor, raw ? 9 : 5, elements, count);
    wire_add_bytes(&tensor, 8, "w", 1);
    wire_add_bytes(&graph, 5, tensor.data, tensor.size);
    wire_add_int(model, 1, 8);
    wire_add_bytes(model, 7, graph.data, graph.size);
    buffer_free(&graph);
    buffer_free(&tensor);
}

/* Elements are compared piece by piece: the first and last of each piece count as all others do. */
static void check_places(void)
{
    enum { COUNT_ELEMENTS = 3 * (32 << 10) + 5 };
    static const size_t places[] = {
        0, 1, (32 << 10) - 1, 32 << 10, (32 << 10) + 1, (64 << 10) - 1, 64 << 10, 3 * (32 << 10), 3 * (32 << 10) + 4};
    static uint8_t elements[COUNT_ELEMENTS];
    for (int form = 0; form < 4; form++)
        for (size_t i = 0; i < COUNT(places); i++) {
            struct buffer models[2] = {{0}};
            char wanted[160];
            memset(elements, 1, sizeof(elements));
            payload_model(elements, COUNT_ELEMENTS, COUNT_ELEMENTS, form & 1, &models[0]);
            elements[places[i]] = 3;
            payload_model(elements, COUNT_ELEMENTS, COUNT_ELEMENTS, form & 2, &models[1]);
            snprintf(wanted, sizeof(wanted),
                     "initializers\n  ~ initializer 'w': value: 1 -> 3; 1 of %d differ, first [%zu]; at most 2 apart\n",
                     COUNT_ELEMENTS, places[i]);
            check_bytes((const char *[]){(char *)models[0].data, (char *)models[1].data},
                        (size_t[]){models[0].size, models[1].size}, 0, wanted, "one of many elements");
            buffer_free(&models[0]);
            buffer_free(&models[1]);
        }
}

/* Unknown fields are compared like known ones, wherever they are. */
static void check_unknown(void)
{
    struct buffer models[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        tensor_model(0, 9, &models[i]);
        wire_add_int(&models[i], 999, (uint64_t)i);
    }
    check_bytes((const char *[]){(char *)models[0].data, (char *)models[1].data},
                (size_t[]){models[0].size, models[1].size}, 0,
                "header\n  ~ unknown field 999: 1 of them, 1 bytes -> 1 of them, 1 bytes\n", "an unknown field");
    buffer_free(&models[0]);
    buffer_free(&models[1]);
}

/* Tensors of the same dims whose payloads have other numbers of elements. */
static void check_counts(void)
{
    static const uint8_t elements[2][3] = {{7, 9, 9}, {7, 8, 9}};
    static const struct {
        const char *what, *wanted;
        int other;
    } counts[] = {
        {"more elements", "initializers\n  ~ initializer 'w': value: the numbers of elements differ\n", 0},
        {"more elements, and others",
         "initializers\n  ~ initializer 'w': value: 9 -> 8; the numbers of elements differ, and some elements\n", 1},
    };
    for (size_t i = 0; i < COUNT(counts); i++) {
        struct buffer models[2] = {{0}};
        payload_model(elements[0], 2, 2, true, &models[0]);
        payload_model(elements[counts[i].other], 2, 3, true, &models[1]);
        check_bytes((const char *[]){(char *)models[0].data, (char *)models[1].data},
                    (size_t[]){models[0].size, models[1].size}, 0, counts[i].wanted, counts[i].what);
        buffer_free(&models[0]);
        buffer_free(&models[1]);
    }
}

/* Elements of a tensor with an empty dim have no index in it: they are reported by their number. */
static void check_empty_dim(void)
{
    static const uint8_t elements[2][2] = {{7, 9}, {7, 8}};
    struct buffer models[2] = {{0}};
    for (int i = 0; i < 2; i++)
        payload_model(elements[i], 0, 2, true, &models[i]);
    check_bytes((const char *[]){(char *)models[0].data, (char *)models[1].data},
                (size_t[]){models[0].size, models[1].size}, 0,
                "initializers\n  ~ initializer 'w': value: 9 -> 8; 1 of 2 differ, first 1; at most 1 apart\n",
                "elements where a dim is 0");
    buffer_free(&models[0]);
    buffer_free(&models[1]);
}

/* A field of a message: bytes, or an int where data is NULL. */
struct diff_piece {
    uint32_t number;
    const void *data;
    uint64_t value; /* the size of data */
};

static void message_write(const struct diff_piece *pieces, size_t count, bool reversed, struct buffer *message)
{
    for (size_t i = 0; i < count; i++) {
        const struct diff_piece *piece = &pieces[reversed ? count - 1 - i : i];
        if (piece->data)
            wire_add_bytes(message, piece->number, piece->data, (size_t)piece->value);
        else
            wire_add_int(message, piece->number, piece->value);
    }
}

/* A model whose messages have their fields in the order of their numbers, or all the other way round. */
static void ordered_model(bool reversed, uint8_t second, struct buffer *model)
{
    struct buffer node = {0}, tensor = {0}, property = {0}, graph = {0};
    uint8_t both[2] = {7, second};
    message_write((struct diff_piece[]){{1, "w", 1}, {2, "y", 1}, {3, "n", 1}, {4, "Neg", 3}}, 4, reversed, &node);
    message_write((struct diff_piece[]){{1, NULL, 2}, {2, NULL, OPSHIFT_TYPE_UINT8}, {8, "w", 1}, {9, both, 2}}, 4,
                  reversed, &tensor);
    message_write((struct diff_piece[]){{1, "k", 1}, {2, "v", 1}}, 2, reversed, &property);
    message_write((struct diff_piece[]){{1, node.data, node.size}, {2, "g", 1}, {5, tensor.data, tensor.size}}, 3,
                  reversed, &graph);
    message_write((struct diff_piece[]){{1, NULL, 8}, {7, graph.data, graph.size}, {14, property.data, property.size}},
                  3, reversed, model);
    buffer_free(&node);
    buffer_free(&tensor);
    buffer_free(&property);
    buffer_free(&graph);
}

/* The order of a message's fields has no meaning. */
static void check_field_order(void)
{
    for (int form = 0; form < 8; form++) {
        struct buffer models[2] = {{0}};
        ordered_model(form & 1, 9, &models[0]);
        ordered_model(form & 2, form & 4 ? 9 : 10, &models[1]);
        check_bytes(
            (const char *[]){(char *)models[0].data, (char *)models[1].data},
            (size_t[]){models[0].size, models[1].size}, 0,
            form & 4 ? ""
                     : "initializers\n  ~ initializer 'w': value: 9 -> 10; 1 of 2 differ, first [1]; at most 1 apart\n",
            "fields in another order");
        buffer_free(&models[0]);
        buffer_free(&models[1]);
    }
}

/* Every byte changed by itself: what opens is compared, and a changed byte is never without consequence for long. */
static void check_damage(void)
{
    char *bytes = NULL;
    size_t size = 0, told = 0, opened = 0;
    if (!assemble(BRANCH("0"), &bytes, &size)) {
        ok(false, "assembled");
        return;
    }
    char *copy = malloc(size);
    for (size_t i = 0; copy != NULL && i < size; i++) {
        struct opshift_model *models[2] = {NULL, NULL};
        memcpy(copy, bytes, size);
        copy[i] ^= 1;
        if (open_bytes(bytes, size, "a", &models[0]) &&
            opshift_model_open_memory(copy, size, NULL, &models[1], NULL) == OPSHIFT_OK) {
            enum opshift_status status = opshift_diff(models[0], models[1], NULL, NULL, NULL);
            opened++;
            told += status != OPSHIFT_OK;
        }
        opshift_model_free(models[0]);
        opshift_model_free(models[1]);
    }
    ok(opened > size / 2, "most damaged files open");
    is_int((int64_t)opened, (int64_t)told, "and each is told from the sound one");
    free(copy);
    opshift_text_free(bytes);
}

int main(void)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        check_case(cases[i].before, cases[i].after, cases[i].ignore, cases[i].wanted, cases[i].what);
    check_encodings();
    check_places();
    check_unknown();
    check_counts();
    check_empty_dim();
    check_field_order();
    check_damage();
    return done();
}
