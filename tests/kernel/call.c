/* Kernel calls as text: a node and its inputs, and the outputs. */
#include "tests/kernel/call.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernel/element.h"
#include "model/number.h"
#include "model/text.h"
#include "tests/kernel/mutate.h"
#include "tests/tap/tap.h"

/* Mutated copies of each case that are also run. */
#define MUTANTS (getenv("OPSHIFT_MUTANTS") ? (unsigned)atoi(getenv("OPSHIFT_MUTANTS")) : 20u)

static const char *read_dims(const char *at, int64_t *dims, uint32_t *rank)
{
    *rank = 0;
    if (*at != '[')
        return at;
    for (at++; *at != ']' && *at != '\0'; at += *at == ',')
        dims[(*rank)++] = strtoll(at, (char **)&at, 10);
    return at + 1;
}

/* Complex and string elements are also written from a number. */
static void store_element(struct arena *arena, struct tensor *tensor, uint64_t place, const char **at)
{
    static const struct element_rounding rounding = {.saturate = true, .power = ROUND_NEAR};
    bool given = *at != NULL && **at != '}' && **at != '\0';
    const char *from = *at;
    double real = given ? strtod(from, (char **)at) : (double)place;
    long long whole = given ? strtoll(from, NULL, 10) : (long long)place;
    if (given && **at == ',')
        ++*at;
    if (tensor->type == OPSHIFT_TYPE_STRING) {
        char *text = arena_print(arena, "s%lld", whole);
        tensor->strings[place] = (struct bytes){(const uint8_t *)text, strlen(text)};
    } else if (!element_is_number(tensor->type)) {
        memcpy((char *)tensor->data + place * (type_bits(tensor->type) / 8), &whole, sizeof(whole));
    } else if (element_kind(tensor->type) == NUMBER_REAL) {
        element_store(tensor, place, (union number){.d = real}, &rounding);
    } else {
        element_store(tensor, place, (union number){.i = whole}, &rounding);
    }
}

struct tensor *call_tensor(struct arena *arena, const char *text)
{
    int64_t dims[TENSOR_RANK_MAX];
    uint32_t rank;
    struct tensor *tensor = NULL;
    size_t size = strcspn(text, "[{");
    enum opshift_type type = type_find(text, size);
    const char *at = read_dims(text + size, dims, &rank);
    if (type == OPSHIFT_TYPE_UNDEFINED || tensor_new(arena, type, rank, dims, &tensor, NULL) != OPSHIFT_OK)
        return NULL;
    at = *at == '{' ? at + 1 : NULL;
    for (uint64_t i = 0; i < tensor->count; i++)
        store_element(arena, tensor, i, &at);
    return tensor;
}

static const char *element_text(struct arena *arena, const struct tensor *tensor, uint64_t place)
{
    if (tensor->type == OPSHIFT_TYPE_STRING)
        return arena_print(arena, "%.*s", (int)tensor->strings[place].size, (const char *)tensor->strings[place].data);
    if (!element_is_number(tensor->type)) {
        int64_t whole;
        memcpy(&whole, (const char *)tensor->data + place * (type_bits(tensor->type) / 8), sizeof(whole));
        return arena_print(arena, "%" PRId64, whole);
    }
    enum number_kind kind = element_kind(tensor->type);
    union number value = element_load(tensor, place);
    if (kind == NUMBER_REAL)
        return isnan(value.d) ? "nan" : arena_print(arena, "%g", value.d); /* the sign of NaN depends on the machine */
    return kind == NUMBER_SIGNED ? arena_print(arena, "%" PRId64, value.i) : arena_print(arena, "%" PRIu64, value.u);
}

const char *call_text(struct arena *arena, const struct tensor *tensor)
{
    const char *text = arena_print(arena, "%s%s", type_name(tensor->type), tensor->rank > 0 ? "[" : "");
    for (uint32_t i = 0; i < tensor->rank; i++)
        text = arena_print(arena, "%s%" PRId64 "%s", text, tensor->dims[i], i + 1 < tensor->rank ? "," : "]");
    text = arena_print(arena, "%s{", text);
    for (uint64_t i = 0; i < tensor->count; i++)
        text = arena_print(arena, "%s%s%s", text, i > 0 ? "," : "", element_text(arena, tensor, i));
    return arena_print(arena, "%s}", text);
}

/* Each attribute of a call that succeeds is given a type that no kernel takes: the call must fail. The name of one that
 * is not looked at; NULL: none. */
static const char *ignored_attribute(const struct kernel_call *call)
{
    const struct attribute_list *attributes = &call->operation.attributes;
    for (size_t i = 0; i < attributes->count; i++) {
        struct kernel_call copy = *call;
        Onnx__AttributeProto *list[16], other = *attributes->messages[i];
        struct tensor *outputs[CALL_INPUTS_MAX] = {NULL};
        if (attributes->count > COUNT(list))
            return "(too many)";
        memcpy(list, attributes->messages, attributes->count * sizeof(*list));
        other.type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__TYPE_PROTOS;
        list[i] = &other;
        copy.operation.attributes.messages = list;
        copy.outputs = outputs;
        if (kernel_run(&copy, NULL) == OPSHIFT_OK)
            return arena_print(call->arena, "%.*s", (int)other.name.len, (const char *)other.name.data);
    }
    return NULL;
}

/* The outputs of the call, or its error message. */
static const char *run(struct arena *arena, const struct call_case *one, const Onnx__NodeProto *node)
{
    struct opshift_error error = {0};
    const struct tensor *inputs[CALL_INPUTS_MAX];
    struct tensor *outputs[CALL_INPUTS_MAX] = {NULL};
    bool wanted[CALL_INPUTS_MAX];
    struct kernel_call call = {
        .op_type = arena_print(arena, "%.*s", (int)node->op_type.len, (char *)node->op_type.data),
        .operation = {.opset = one->opset, .attributes = {.messages = node->attribute, .count = node->n_attribute}},
        .inputs = inputs,
        .input_count = (uint32_t)node->n_input,
        .outputs = outputs,
        .wanted = wanted,
        .output_count = (uint32_t)node->n_output,
        .arena = arena,
    };
    const char *text = "";
    for (size_t i = 0; i < node->n_input; i++)
        inputs[i] = one->inputs[i] == NULL ? NULL : call_tensor(arena, one->inputs[i]);
    for (size_t i = 0; i < node->n_output; i++)
        wanted[i] = node->output[i].len > 0;
    mutate_call(&call, MUTANTS);
    if (kernel_run(&call, &error) != OPSHIFT_OK)
        return arena_print(arena, "%s", error.text);
    for (size_t i = 0; i < node->n_output; i++)
        if (wanted[i])
            text = arena_print(arena, "%s%s%s", text, *text != '\0' ? " " : "", call_text(arena, outputs[i]));
    const char *ignored = ignored_attribute(&call);
    return ignored == NULL ? text : arena_print(arena, "attribute '%s' of another type is not refused", ignored);
}

void call_check(const struct call_case *one)
{
    struct arena *arena = arena_new(0);
    struct opshift_error error = {0};
    Onnx__NodeProto **nodes = NULL;
    size_t count = 0;
    if (text_parse_nodes(one->node, strlen(one->node), "node", 1, arena, &nodes, &count, &error) != OPSHIFT_OK)
        ok(false, "%s: %s", one->what, error.text);
    else
        is_string(one->wanted, run(arena, one, nodes[0]), "%s", one->what);
    arena_free(arena);
}

void call_check_all(const struct call_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++)
        call_check(&cases[i]);
}
