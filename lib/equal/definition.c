/* Operators of ONNX Runtime's optimizer in the operators of ONNX that they stand for, by their documentation. A node is
 * opened like a call of the function that is printed here for it. */
#include "equal/definition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the main graph nothing is read. */
#define HEAD "<ir_version: 10, opset_import: [\"\" : 20]> g () => () {}\n<domain: \"d\", opset_import: [\"\" : 20]>\n"
#define CONV                                                                                                           \
    "Conv <auto_pad: string = @auto_pad, dilations: ints = @dilations, group: int = @group, kernel_shape: ints = "     \
    "@kernel_shape, pads: ints = @pads, strides: ints = @strides>"

struct equal_definition {
    struct equal_definition *next;
    char *text, *bytes;
    struct equal_side side;
};

/* ---- texts ---- */

static bool is_given(const struct node_use *use, uint32_t input)
{
    return input < use->node->input_count && node_inputs(use->node)[input] != NAME_NONE;
}

static enum opshift_status use_float(struct equal_work *work, const struct node_use *use, const char *name, size_t at,
                                     double *value, struct opshift_error *error)
{
    const Onnx__AttributeProto *message = NULL;
    enum opshift_status status = use_attribute(work, use, name, &message, error);
    if (message != NULL && message->n_floats > at)
        *value = (double)message->floats[at];
    else if (message != NULL && message->has_f)
        *value = (double)message->f;
    return status;
}

/* "y = Relu (v)". Nothing is printed for an activation that is not known. */
static enum opshift_status print_activation(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                            struct opshift_error *error)
{
    static const char *const plain[] = {"Relu", "Sigmoid", "Tanh"};
    const Onnx__AttributeProto *message = NULL;
    double first = 0, second = 0;
    enum opshift_status status = use_attribute(work, use, "activation", &message, error);
    struct bytes name = message == NULL ? (struct bytes){0} : bytes_of(message->s);
    if (status == OPSHIFT_OK)
        status = use_float(work, use, "activation_params", 0, &first, error);
    if (status == OPSHIFT_OK)
        status = use_float(work, use, "activation_params", 1, &second, error);
    for (size_t i = 0; i < COUNT(plain); i++)
        if (bytes_are(name, plain[i]))
            buffer_print(out, "y = %s (v) }", plain[i]);
    if (bytes_are(name, "LeakyRelu"))
        buffer_print(out, "y = LeakyRelu <alpha = %.9e> (v) }", first);
    if (bytes_are(name, "HardSigmoid"))
        buffer_print(out, "y = HardSigmoid <alpha = %.9e, beta = %.9e> (v) }", first, second);
    if (bytes_are(name, "Clip"))
        buffer_print(
            out,
            "l = Constant <value = float {%.9e}> () h = Constant <value = float {%.9e}> () lv = CastLike (l, v) "
            "hv = CastLike (h, v) y = Clip (v, lv, hv) }",
            first, second);
    return status;
}

static enum opshift_status fused_conv(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                      struct opshift_error *error)
{
    buffer_print(out,
                 "F <auto_pad, dilations, group, kernel_shape, pads, strides> (x, w, b, z) => (y) { c = " CONV
                 " (x, w%s) v = %s ",
                 is_given(use, 2) ? ", b" : "", is_given(use, 3) ? "Add (c, z)" : "Identity (c)");
    return print_activation(work, use, out, error);
}

static enum opshift_status fused_gemm(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                      struct opshift_error *error)
{
    buffer_print(out,
                 "F <alpha, beta, transA, transB> (a, b, c) => (y) { v = Gemm <alpha: float = @alpha, beta: float "
                 "= @beta, transA: int = @transA, transB: int = @transB> (a, b%s) ",
                 is_given(use, 2) ? ", c" : "");
    return print_activation(work, use, out, error);
}

static enum opshift_status gelu(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                struct opshift_error *error)
{
    bool fast = bytes_are(names_bytes(use->side->model->names, use->node->op_type), "FastGelu");
    (void)work, (void)error;
    buffer_print(out, "F (x, b) => (y) { v = %s y = Gelu <approximate = \"%s\"> (v) }",
                 is_given(use, 1) ? "Add (x, b)" : "Identity (x)", fast ? "tanh" : "none");
    return OPSHIFT_OK;
}

static enum opshift_status quick_gelu(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                      struct opshift_error *error)
{
    double alpha = 1.702;
    enum opshift_status status = use_float(work, use, "alpha", 0, &alpha, error);
    if (alpha == 1)
        buffer_add_text(out, "F (x) => (y) { s = Sigmoid (x) y = Mul (x, s) }");
    else
        buffer_print(
            out,
            "F (x) => (y) { k = Constant <value = float {%.9e}> () a = CastLike (k, x) t = Mul (x, a) s = Sigmoid "
            "(t) y = Mul (x, s) }",
            alpha);
    return status;
}

/* Prints "name2 = Transpose (name)" as the attributes ask for it. *known: that could be done. */
static enum opshift_status print_turned(struct equal_work *work, const struct node_use *use, uint32_t input,
                                        const char *name, const char *const words[2], bool *known, struct buffer *out,
                                        struct opshift_error *error)
{
    int64_t turns[2] = {0, 0}, perm[TENSOR_RANK_MAX], rank;
    struct value_type type = {.rank = -1};
    enum opshift_status status = use_int(work, use, words[0], &turns[0], error);
    if (status == OPSHIFT_OK)
        status = use_int(work, use, words[1], &turns[1], error);
    if (status == OPSHIFT_OK)
        status = known_type(use, node_inputs(use->node)[input], &type, error);
    rank = type.rank;
    *known = *known && (turns[0] + turns[1] == 0 || rank >= 2);
    if (status != OPSHIFT_OK || !*known || turns[0] + turns[1] == 0) {
        buffer_print(out, "%s2 = Identity (%s) ", name, name);
        return status;
    }
    for (int64_t i = 0; i < rank; i++)
        perm[i] = i;
    for (int64_t i = 0; turns[1] != 0 && i + 1 < rank; i++)
        perm[i] = i + 2 == rank ? 0 : i + 1;
    if (turns[0] != 0) {
        int64_t last = perm[rank - 1];
        perm[rank - 1] = perm[rank - 2];
        perm[rank - 2] = last;
    }
    buffer_print(out, "%s2 = Transpose <perm = [", name);
    for (int64_t i = 0; i < rank; i++)
        buffer_print(out, "%s%lld", i > 0 ? ", " : "", (long long)perm[i]);
    buffer_print(out, "]> (%s) ", name);
    return OPSHIFT_OK;
}

static enum opshift_status fused_matmul(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                        struct opshift_error *error)
{
    static const char *const turns[2][2] = {{"transA", "transBatchA"}, {"transB", "transBatchB"}};
    double alpha = 1;
    bool known = true;
    buffer_add_text(out, "F (a, b) => (y) { ");
    enum opshift_status status = use_float(work, use, "alpha", 0, &alpha, error);
    if (status == OPSHIFT_OK)
        status = print_turned(work, use, 0, "a", turns[0], &known, out, error);
    if (status == OPSHIFT_OK)
        status = print_turned(work, use, 1, "b", turns[1], &known, out, error);
    if (alpha == 1)
        buffer_add_text(out, "y = MatMul (a2, b2) }");
    else
        buffer_print(out,
                     "m = MatMul (a2, b2) k = Constant <value = float {%.9e}> () s = CastLike (k, m) y = Mul (m, s) }",
                     alpha);
    if (!known)
        out->size = 0;
    return status;
}

static enum opshift_status layer(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                 struct opshift_error *error)
{
    (void)work, (void)error;
    buffer_print(out,
                 "F <axis, epsilon, stash_type> (x, s, b) => (y, m, i) { y, m, i = LayerNormalization <axis: int = "
                 "@axis, epsilon: float = @epsilon, stash_type: int = @stash_type> (x, s%s) }",
                 is_given(use, 2) ? ", b" : "");
    return OPSHIFT_OK;
}

static enum opshift_status skip_layer(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                      struct opshift_error *error)
{
    (void)work, (void)error;
    buffer_print(
        out,
        "F <epsilon> (x, k, s, b, c) => (y, m, i, t) { a = Add (x, k) t = %s y, m, i = LayerNormalization <axis "
        "= -1, epsilon: float = @epsilon> (t, s%s) }",
        is_given(use, 4) ? "Add (a, c)" : "Identity (a)", is_given(use, 3) ? ", b" : "");
    return OPSHIFT_OK;
}

static enum opshift_status simplified(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                      struct opshift_error *error)
{
    int64_t axis = -1;
    double epsilon = 1e-5;
    struct value_type type;
    enum opshift_status status = use_int(work, use, "axis", &axis, error);
    if (status == OPSHIFT_OK)
        status = use_float(work, use, "epsilon", 0, &epsilon, error);
    if (status == OPSHIFT_OK)
        status = known_type(use, node_inputs(use->node)[0], &type, error);
    if (status != OPSHIFT_OK || (axis >= 0 && type.rank <= axis))
        return status;
    axis -= axis >= 0 ? type.rank : 0;
    buffer_add_text(out, "F (x, s) => (y, i) { q = Mul (x, x) a = Constant <value_ints = [");
    for (int64_t i = axis; i < 0; i++)
        buffer_print(out, "%s%lld", i > axis ? ", " : "", (long long)i);
    buffer_print(
        out,
        "]> () m = ReduceMean (q, a) e = Constant <value = float {%.9e}> () c = CastLike (e, x) v = Add (m, c) r = "
        "Sqrt (v) i = Reciprocal (r) n = Div (x, r) y = Mul (n, s) }",
        epsilon);
    return OPSHIFT_OK;
}

/* What both kinds of attention are of q, k and v of [batch, length, heads * size]. */
static void print_heads(struct buffer *out, int64_t heads, int64_t width, double scale)
{
    buffer_print(
        out,
        "s = Constant <value_ints = [0, 0, %lld, %lld]> () q1 = Reshape (q, s) k1 = Reshape (k, s) v1 = Reshape "
        "(v, s) q2 = Transpose <perm = [0, 2, 1, 3]> (q1) k2 = Transpose <perm = [0, 2, 3, 1]> (k1) v2 = "
        "Transpose <perm = [0, 2, 1, 3]> (v1) m = MatMul (q2, k2) c = Constant <value = float {%.9e}> () f = "
        "CastLike (c, m) p = Mul (m, f) a = Softmax <axis = -1> (p) o = MatMul (a, v2) r = Transpose <perm = "
        "[0, 2, 1, 3]> (o) z = Constant <value_ints = [0, 0, %lld]> () y = Reshape (r, z) }",
        (long long)heads, (long long)(width / heads), scale, (long long)width);
}

/* Reads what is the same of both; *known false: it has a mask, a past, or other outputs. width: heads * size. */
static enum opshift_status attention_read(struct equal_work *work, const struct node_use *use, uint32_t inputs,
                                          int64_t width, int64_t *heads, double *scale, bool *known,
                                          struct opshift_error *error)
{
    int64_t one_way = 0, turns = 0;
    const int64_t *sizes = NULL;
    size_t count = SIZE_MAX;
    *heads = 0;
    *scale = 0;
    enum opshift_status status = use_int(work, use, "num_heads", heads, error);
    if (status == OPSHIFT_OK)
        status = use_int(work, use, "unidirectional", &one_way, error);
    if (status == OPSHIFT_OK)
        status = use_int(work, use, "do_rotary", &turns, error);
    if (status == OPSHIFT_OK)
        status = use_ints(work, use, "qkv_hidden_sizes", &sizes, &count, error);
    if (status == OPSHIFT_OK)
        status = use_float(work, use, "scale", 0, scale, error);
    *known = status == OPSHIFT_OK && *heads > 0 && width > 0 && width % *heads == 0 && one_way == 0 && turns == 0 &&
             count == SIZE_MAX;
    for (uint32_t i = inputs; i < use->node->input_count; i++)
        *known = *known && !is_given(use, i);
    for (uint32_t i = 1; i < use->node->output_count; i++)
        *known = *known && node_outputs(use->node)[i] == NAME_NONE;
    int64_t size = *known ? width / *heads : 1;
    if (*scale == 0)
        *scale = 1 / sqrt((double)size);
    return status;
}

static enum opshift_status attention(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                     struct opshift_error *error)
{
    struct value_type type = {.rank = -1};
    int64_t heads;
    double scale;
    bool known;
    enum opshift_status status = is_given(use, 1) ? input_type(work, use, 1, &type, error) : OPSHIFT_OK;
    int64_t width = type.rank == 2 && type.dims[1] % 3 == 0 ? type.dims[1] / 3 : 0;
    if (status == OPSHIFT_OK)
        status = attention_read(work, use, 3, width, &heads, &scale, &known, error);
    if (status != OPSHIFT_OK || !known)
        return status;
    buffer_print(out,
                 "F <num_heads, scale> (x, w, b) => (y) { t = MatMul (x, w) u = %s q, k, v = Split <axis = 2, "
                 "num_outputs = 3> (u) ",
                 is_given(use, 2) ? "Add (t, b)" : "Identity (t)");
    print_heads(out, heads, width, scale);
    return OPSHIFT_OK;
}

static enum opshift_status heads_attention(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                           struct opshift_error *error)
{
    struct value_type type = {.rank = -1};
    int64_t heads;
    double scale;
    bool known;
    enum opshift_status status = input_type(work, use, 0, &type, error);
    int64_t width = type.rank == 3 ? type.dims[2] : 0;
    for (uint32_t i = 1; i < 3 && status == OPSHIFT_OK && width > 0; i++) {
        status = is_given(use, i) ? input_type(work, use, i, &type, error) : OPSHIFT_OK;
        width = is_given(use, i) && type.rank == 3 ? width : 0;
    }
    if (status == OPSHIFT_OK)
        status = attention_read(work, use, 3, width, &heads, &scale, &known, error);
    if (status != OPSHIFT_OK || !known)
        return status;
    buffer_add_text(out, "F <num_heads, scale> (q, k, v) => (y) { ");
    print_heads(out, heads, width, scale);
    return OPSHIFT_OK;
}

static const struct {
    const char *domain, *name;
    enum opshift_status (*print)(struct equal_work *work, const struct node_use *use, struct buffer *out,
                                 struct opshift_error *error);
} definitions[] = {
    {"com.microsoft", "FusedConv", fused_conv},
    {"com.microsoft", "FusedGemm", fused_gemm},
    {"com.microsoft", "Gelu", gelu},
    {"com.microsoft", "BiasGelu", gelu},
    {"com.microsoft", "FastGelu", gelu},
    {"com.microsoft", "QuickGelu", quick_gelu},
    {"com.microsoft", "FusedMatMul", fused_matmul},
    {"com.microsoft", "SkipLayerNormalization", skip_layer},
    {"com.microsoft", "Attention", attention},
    {"com.microsoft", "MultiHeadAttention", heads_attention},
    {"", "LayerNormalization", layer}, /* below opset 17 */
    {"", "SimplifiedLayerNormalization", simplified},
};

/* ---- models ---- */

static void definition_end(struct equal_definition *definition)
{
    scopes_free(definition->side.scopes);
    opshift_model_free(definition->side.model);
    opshift_text_free(definition->bytes);
    free(definition->text);
    free(definition);
}

void definitions_free(struct equal_definition *list)
{
    while (list != NULL) {
        struct equal_definition *next = list->next;
        definition_end(list);
        list = next;
    }
}

static enum opshift_status definition_make(struct equal_work *work, char *text, const struct equal_definition **made,
                                           struct opshift_error *error)
{
    struct equal_definition *definition = calloc(1, sizeof(*definition));
    size_t size = 0;
    if (definition == NULL) {
        free(text);
        return opshift_no_memory(error);
    }
    definition->text = text;
    enum opshift_status status =
        opshift_text_to_model(text, strlen(text), "definition", &definition->bytes, &size, error);
    if (status == OPSHIFT_OK)
        status = opshift_model_open_memory(definition->bytes, size, NULL, &definition->side.model, error);
    if (status == OPSHIFT_OK)
        status = scopes_new(definition->side.model, &definition->side.scopes, error);
    if (status != OPSHIFT_OK) {
        definition_end(definition);
        return status;
    }
    definition->next = work->definitions;
    *made = work->definitions = definition;
    return OPSHIFT_OK;
}

enum opshift_status definition_find(struct equal_work *work, const struct node_use *use, const struct equal_side **side,
                                    struct opshift_error *error)
{
    const struct names *names = use->side->model->names;
    struct buffer text = {0};
    size_t at = 0;
    *side = NULL;
    while (at < COUNT(definitions) && !(bytes_are(names_bytes(names, node_domain(use->node)), definitions[at].domain) &&
                                        bytes_are(names_bytes(names, use->node->op_type), definitions[at].name)))
        at++;
    /* What a runtime computes for its own operator is the same in real numbers, not bit for bit. */
    if (at == COUNT(definitions) || work->options->exact)
        return OPSHIFT_OK;
    arena_clear(work->scratch);
    enum opshift_status status = definitions[at].print(work, use, &text, error);
    bool whole = text.size > 0 && text.data[text.size - 1] == '}';
    char *body = whole ? buffer_take(&text) : NULL;
    buffer_free(&text);
    if (status != OPSHIFT_OK || body == NULL) {
        free(body);
        return status;
    }
    buffer_add_text(&text, HEAD);
    buffer_add_text(&text, body);
    free(body);
    char *all = buffer_take(&text);
    if (all == NULL)
        return opshift_no_memory(error);
    const struct equal_definition *found = work->definitions;
    while (found != NULL && strcmp(found->text, all) != 0)
        found = found->next;
    if (found != NULL)
        free(all);
    else
        status = definition_make(work, all, &found, error);
    *side = found == NULL ? NULL : &found->side;
    return status;
}
