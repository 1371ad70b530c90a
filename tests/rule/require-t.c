/* Verbs for conditions: accepted, refused and changed nodes. */
#include <stdio.h>
#include <string.h>

#include "model/tensor.h"
#include "rule/rule.h"
#include "tests/tap/tap.h"

/* The node of a case: one attribute (none if name is NULL), inputs a and b of these types, the first `constants` of
 * them constant. */
struct given_facts {
    const char *name;
    const Onnx__AttributeProto *value;
    struct value_type types[3];
    const struct tensor *constants[3];
    uint32_t inputs, outputs;
};

static const struct given_facts *given;

static enum opshift_status known_constant(void *data, const struct draft *draft, name_id name,
                                          const struct tensor **tensor, const char **why, struct opshift_error *error)
{
    (void)data, (void)draft, (void)error;
    *tensor = given->constants[name - 1];
    *why = "made at run time";
    return OPSHIFT_OK;
}

static enum opshift_status known_type(void *data, const struct draft *draft, name_id name, struct value_type *type,
                                      struct opshift_error *error)
{
    (void)data, (void)draft, (void)error;
    *type = given->types[name - 1];
    return OPSHIFT_OK;
}

#define INT(number)                                                                                                    \
    &(Onnx__AttributeProto)                                                                                            \
    {                                                                                                                  \
        .type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INT, .i = (number)                                              \
    }
#define INTS(...)                                                                                                      \
    &(Onnx__AttributeProto)                                                                                            \
    {                                                                                                                  \
        .type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__INTS, .ints = (int64_t[]){__VA_ARGS__},                         \
        .n_ints = COUNT(((int64_t[]){__VA_ARGS__}))                                                                    \
    }
#define STRING(text)                                                                                                   \
    &(Onnx__AttributeProto)                                                                                            \
    {                                                                                                                  \
        .type = ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__STRING, .s = { strlen(text), (uint8_t *)(uintptr_t)(text) }     \
    }
#define DIMS(...)                                                                                                      \
    .rank = COUNT(((int64_t[]){__VA_ARGS__})), .dims = (int64_t[])                                                     \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define LIST(...)                                                                                                      \
    &(struct tensor)                                                                                                   \
    {                                                                                                                  \
        .type = OPSHIFT_TYPE_INT64, .rank = 1, .dims = (int64_t[]){COUNT(((int64_t[]){__VA_ARGS__}))},                 \
        .count = COUNT(((int64_t[]){__VA_ARGS__})), .data = (int64_t[])                                                \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define UNKNOWN                                                                                                        \
    {.rank = -1}, {.rank = -1},                                                                                        \
    {                                                                                                                  \
        .rank = -1                                                                                                     \
    }

static Onnx__AttributeProto *copy_named(struct arena *arena, const char *name, const Onnx__AttributeProto *value)
{
    Onnx__AttributeProto *copy = arena_copy(arena, value, sizeof(*value));
    copy->base.descriptor = &onnx__attribute_proto__descriptor;
    copy->name = (ProtobufCBinaryData){strlen(name), (uint8_t *)(uintptr_t)name};
    return copy;
}

static enum opshift_status known_unread(void *data, const struct draft *draft, name_id name, bool *unread,
                                        struct opshift_error *error)
{
    *unread = false;
    return OPSHIFT_OK;
}

/* Applies a verb; the parameters are pairs of name and text. Returns the reason of a refusal, or "". */
static const char *apply(const char *verb, const char *const parameters[8], struct arena *arena, struct draft *draft)
{
    static struct opshift_error error;
    static const struct draft_facts facts = {
        .constant = known_constant, .type = known_type, .declared = known_type, .unread = known_unread};
    struct parameter read[4];
    struct step step = {.verb = verb, .action = action_find(verb), .parameters = read};
    for (uint32_t i = 0; i < 4 && parameters[2 * i]; i++)
        read[step.parameter_count++] = (struct parameter){.name = parameters[2 * i], .text = parameters[2 * i + 1]};
    *draft = (struct draft){.arena = arena, .facts = &facts, .opset = 11, .target = 10};
    draft->input_count = given->inputs;
    draft->output_count = given->outputs;
    draft->inputs = arena_alloc(arena, given->inputs + 1, sizeof(*draft->inputs));
    draft->outputs = arena_alloc(arena, given->outputs + 1, sizeof(*draft->outputs));
    draft->attributes = arena_alloc(arena, 1, sizeof(*draft->attributes));
    for (uint32_t i = 0; i < given->inputs; i++)
        draft->inputs[i].name = i + 1;
    for (uint32_t i = 0; i < given->outputs; i++)
        draft->outputs[i] = i + 4;
    if (given->name) {
        draft->attributes[0].message = copy_named(arena, given->name, given->value);
        draft->attribute_count = 1;
    }
    error = (struct opshift_error){0};
    enum opshift_status status = step.action->apply(&step, draft, &error);
    return status == OPSHIFT_OK ? "" : error.text;
}

static const struct {
    const char *what, *verb, *parameters[8];
    struct given_facts given;
    const char *refusal; /* "": accepted */
} conditions[] = {
    {"an absent attribute has its default",
     "require_default",
     {"attribute", "p", "value", "1", "words", "no"},
     {.inputs = 1},
     ""},
    {"the default written out is the default",
     "require_default",
     {"attribute", "p", "value", "1", "words", "no"},
     {"p", INT(1), .inputs = 1},
     ""},
    {"another value is not the default",
     "require_default",
     {"attribute", "p", "value", "1", "words", "p is not 1"},
     {"p", INT(2), .inputs = 1},
     "p is not 1"},
    {"a value that went away is refused",
     "refuse_value",
     {"attribute", "mode", "value", "wrap", "words", "no wrap"},
     {"mode", STRING("wrap"), .inputs = 1},
     "no wrap"},
    {"any other value may stay",
     "refuse_value",
     {"attribute", "mode", "value", "wrap", "words", "no wrap"},
     {"mode", STRING("edge"), .inputs = 1},
     ""},
    {"an attribute must be there",
     "require_present",
     {"attribute", "shape", "words", "no shape"},
     {.inputs = 1},
     "no shape"},
    {"an input must be there", "require_input", {"input", "1", "words", "no C"}, {.inputs = 1}, "no C"},
    {"an input must not be there", "require_no_input", {"input", "0", "words", "has A"}, {.inputs = 1}, "has A"},
    {"an output must be there", "require_output", {"output", "1", "words", "no Y"}, {.outputs = 1}, "no Y"},
    {"an output must not be there", "require_no_output", {"output", "0", "words", "has Y"}, {.outputs = 1}, "has Y"},
    {"one negative axis of several",
     "require_nonnegative",
     {"attribute", "axes", "words", "negative"},
     {"axes", INTS(0, -1), .inputs = 1},
     "negative"},
    {"axes from 0 on",
     "require_nonnegative",
     {"attribute", "axes", "words", "negative"},
     {"axes", INTS(0, 1), .inputs = 1},
     ""},
    {"constant indices from 0 on",
     "require_nonnegative",
     {"input", "1", "words", "negative"},
     {.inputs = 2, .constants = {NULL, LIST(0, 3)}},
     ""},
    {"a negative constant index",
     "require_nonnegative",
     {"input", "1", "words", "negative"},
     {.inputs = 2, .constants = {NULL, LIST(0, -3)}},
     "negative"},
    {"indices that are not constant",
     "require_nonnegative",
     {"input", "1", "words", "negative"},
     {.inputs = 2},
     "negative"},
    {"the type that is asked for",
     "require_type",
     {"input", "0", "type", "float", "words", "no float"},
     {.inputs = 1, .types = {{.type = OPSHIFT_TYPE_FLOAT}}},
     ""},
    {"an unknown type is not the one",
     "require_type",
     {"input", "0", "type", "float", "words", "no float"},
     {.inputs = 1},
     "no float"},
    {"no type matters without the attribute",
     "require_type",
     {"input", "0", "type", "float", "words", "no float", "attribute", "min"},
     {.inputs = 1},
     ""},
    {"two types",
     "require_same_type",
     {"input", "1", "as", "0", "words", "two types"},
     {.inputs = 2, .types = {{.type = OPSHIFT_TYPE_FLOAT}, {.type = OPSHIFT_TYPE_INT64}}},
     "two types"},
    {"an unknown type is taken as the same",
     "require_same_type",
     {"input", "1", "as", "0", "words", "two types"},
     {.inputs = 2, .types = {{.type = OPSHIFT_TYPE_FLOAT}}},
     ""},
    {"the rank",
     "require_rank",
     {"input", "0", "rank", "1", "words", "no list"},
     {.inputs = 1, .types = {{DIMS(-1)}}},
     ""},
    {"an unknown rank",
     "require_rank",
     {"input", "0", "rank", "0", "words", "no scalar"},
     {.inputs = 1, .types = {UNKNOWN}},
     "no scalar"},
    {"one shape",
     "require_same_shapes",
     {"words", "two shapes"},
     {.inputs = 2, .types = {{DIMS(2, 3)}, {DIMS(2, 3)}}},
     ""},
    {"two shapes",
     "require_same_shapes",
     {"words", "two shapes"},
     {.inputs = 2, .types = {{DIMS(2, 3)}, {DIMS(3)}}},
     "two shapes"},
    {"dims that are not known",
     "require_same_shapes",
     {"words", "two shapes"},
     {.inputs = 2, .types = {{DIMS(-1)}, {DIMS(-1)}}},
     "two shapes"},
    {"dilations of one", "drop_ones", {"attribute", "dilations"}, {"dilations", INTS(1, 1), .inputs = 1}, ""},
    {"other dilations",
     "drop_ones",
     {"attribute", "dilations"},
     {"dilations", INTS(1, 2), .inputs = 1},
     "attribute 'dilations' does not exist at opset 10 and is not 1 everywhere"},
    {"steps of one",
     "drop_input",
     {"input", "1", "value", "1", "words", "steps"},
     {.inputs = 2, .constants = {NULL, LIST(1, 1)}},
     ""},
    {"other steps",
     "drop_input",
     {"input", "1", "value", "1", "words", "steps"},
     {.inputs = 2, .constants = {NULL, LIST(1, 2)}},
     "steps"},
    {"the last axis, counted from the back",
     "last_axis",
     {"attribute", "axis", "default", "1", "words", "not last"},
     {"axis", INT(-1), .inputs = 1, .types = {UNKNOWN}},
     ""},
    {"the last axis by its number",
     "last_axis",
     {"attribute", "axis", "default", "1", "words", "not last"},
     {.inputs = 1, .types = {{DIMS(-1, 5)}}},
     ""},
    {"an axis before the last",
     "last_axis",
     {"attribute", "axis", "default", "1", "words", "not last"},
     {.inputs = 1, .types = {{DIMS(2, 3, 4)}}},
     "not last"},
    {"an axis of an unknown rank",
     "last_axis",
     {"attribute", "axis", "default", "1", "words", "not last"},
     {.inputs = 1, .types = {UNKNOWN}},
     "not last"},
    {"shapes that do not end alike",
     "limited_broadcast",
     {"attribute", "broadcast"},
     {.inputs = 2, .types = {{DIMS(2, 3)}, {DIMS(2, 1)}}},
     "the second input's shape is not known to be the end of the first's, and opset 10 broadcasts in no other way; "
     "give both shapes in the model or by --shape, or insert an Expand"},
};

static void test_conditions(void)
{
    for (size_t i = 0; i < COUNT(conditions); i++) {
        struct arena *arena = arena_new(0);
        struct draft draft;
        given = &conditions[i].given;
        is_string(conditions[i].refusal, apply(conditions[i].verb, conditions[i].parameters, arena, &draft), "%s: %s",
                  conditions[i].verb, conditions[i].what);
        arena_free(arena);
    }
}

static void test_axis_written(void)
{
    static const char *const parameters[8] = {"attribute", "axis", "default", "-1", "words", "not last"};
    static const struct given_facts softmax = {.inputs = 1, .types = {UNKNOWN}};
    struct arena *arena = arena_new(0);
    struct draft draft;
    given = &softmax;
    apply("last_axis", parameters, arena, &draft);
    is_int(1, draft.attribute_count, "a default axis that has another meaning there is written");
    is_int(-1, draft.attributes[0].message->i, "as it was");
    arena_free(arena);
}

static void test_broadcast(void)
{
    static const char *const parameters[8] = {"attribute", "broadcast"};
    const struct given_facts same = {.inputs = 2, .types = {{DIMS(2, 3)}, {DIMS(2, 3)}}};
    const struct given_facts end = {.inputs = 2, .types = {{DIMS(2, 3)}, {DIMS(3)}}};
    struct arena *arena = arena_new(0);
    struct draft draft;
    given = &same;
    apply("limited_broadcast", parameters, arena, &draft);
    is_int(0, draft.attribute_count, "one shape needs no broadcast");
    given = &end;
    apply("limited_broadcast", parameters, arena, &draft);
    is_int(1, draft.attribute_count, "the end of a shape is broadcast");
    is_int(1, draft.attributes[0].message->i, "by an attribute of 1");
    arena_free(arena);
}

static void test_constant(void)
{
    static const char *const none[8] = {NULL};
    const struct given_facts ints = {.name = "value_ints", .value = INTS(2, 4)};
    struct arena *arena = arena_new(0);
    struct draft draft;
    given = &ints;
    is_string("", apply("constant_to_tensor", none, arena, &draft), "a list of integers becomes a tensor");
    const Onnx__TensorProto *tensor = draft.attributes[0].message->t;
    is_bytes((int64_t[]){2, 4}, 16, tensor->raw_data.data, tensor->raw_data.len, "with the same numbers");
    is_int(1, (int64_t)tensor->n_dims, "and one dimension");
    arena_free(arena);
}

int main(void)
{
    test_conditions();
    test_axis_written();
    test_broadcast();
    test_constant();
    return done();
}
