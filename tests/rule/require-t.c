/* Verbs for conditions: accepted, refused and changed nodes. */
#include <string.h>

#include "kernel/facts.h"
#include "rule/rule.h"
#include "tests/tap/tap.h"
#include "tests/tap/opened.h"

/* A model whose last node is the one of a case; u has no known type. */
#define HEAD       "<ir_version: 6, opset_import: [\"\" : 11, \"my\" : 1]>\nmain (float a) => (float y) "
#define NODE(text) HEAD "{ u, v = my.Make(a) " text " }"
/* The same, with declared inputs, some of which are constants. */
#define GIVEN(inputs, text) "<ir_version: 6, opset_import: [\"\" : 11]>\nmain (" inputs ") => (float y) { " text " }"
#define CONSTANT(constant, text)                                                                                       \
    "<ir_version: 6, opset_import: [\"\" : 11]>\nmain (float a) => (float y) <" constant "> { " text " }"

/* A node that is rewritten, and its model. */
struct drafted {
    struct opened opened;
    struct surroundings around;
    struct arena *arena;
    struct draft *draft;
};

static void drafted_open(const char *text, struct drafted *drafted)
{
    struct opshift_error error = {0};
    struct opshift_model *model;
    *drafted = (struct drafted){.arena = arena_new(0)};
    text_open(text, "case", &drafted->opened);
    model = drafted->opened.model;
    struct graph *graph = model->main;
    enum opshift_status status = surroundings_open(&drafted->around, model, false, &error);
    if (status == OPSHIFT_OK)
        status = draft_new(model, graph, &graph->nodes[graph->node_count - 1], drafted->arena, &drafted->around,
                           &drafted->draft, &error);
    if (status != OPSHIFT_OK)
        diag("%s: %s", text, error.text);
    drafted->draft->opset = 11;
    drafted->draft->target = 10;
}

static void drafted_close(struct drafted *drafted)
{
    surroundings_close(&drafted->around);
    arena_free(drafted->arena);
    text_close(&drafted->opened);
}

/* Applies a verb; the parameters are pairs of name and text. Returns the reason of a refusal, or "". */
static const char *apply(const char *verb, const char *const parameters[8], struct draft *draft)
{
    static struct opshift_error error;
    struct parameter read[4];
    struct step step = {.verb = verb, .action = action_find(verb), .parameters = read};
    for (uint32_t i = 0; i < 4 && parameters[2 * i]; i++)
        read[step.parameter_count++] = (struct parameter){.name = parameters[2 * i], .text = parameters[2 * i + 1]};
    error = (struct opshift_error){0};
    enum opshift_status status = step.action->apply(&step, draft, &error);
    return status == OPSHIFT_OK ? "" : error.text;
}

static const struct {
    const char *what, *verb, *parameters[8];
    const char *model;
    const char *refusal; /* "": accepted */
} conditions[] = {
    {"an absent attribute has its default",
     "require_default",
     {"attribute", "p", "value", "1", "words", "no"},
     NODE("y = Some(a)"),
     ""},
    {"the default written out is the default",
     "require_default",
     {"attribute", "p", "value", "1", "words", "no"},
     NODE("y = Some<p = 1>(a)"),
     ""},
    {"another value is not the default",
     "require_default",
     {"attribute", "p", "value", "1", "words", "p is not 1"},
     NODE("y = Some<p = 2>(a)"),
     "p is not 1"},
    {"a value that went away is refused",
     "refuse_value",
     {"attribute", "mode", "value", "wrap", "words", "no wrap"},
     NODE("y = Some<mode = \"wrap\">(a)"),
     "no wrap"},
    {"any other value may stay",
     "refuse_value",
     {"attribute", "mode", "value", "wrap", "words", "no wrap"},
     NODE("y = Some<mode = \"edge\">(a)"),
     ""},
    {"an attribute must be there",
     "require_present",
     {"attribute", "shape", "words", "no shape"},
     NODE("y = Some(a)"),
     "no shape"},
    {"an input must be there", "require_input", {"input", "1", "words", "no C"}, NODE("y = Some(a)"), "no C"},
    {"an input must not be there", "require_no_input", {"input", "0", "words", "has A"}, NODE("y = Some(a)"), "has A"},
    {"an output must be there", "require_output", {"output", "1", "words", "no Y"}, NODE("y = Some(a)"), "no Y"},
    {"an output must not be there",
     "require_no_output",
     {"output", "0", "words", "has Y"},
     NODE("y = Some(a)"),
     "has Y"},
    {"one negative axis of several",
     "require_nonnegative",
     {"attribute", "axes", "words", "negative"},
     NODE("y = Some<axes = [0, -1]>(a)"),
     "negative"},
    {"axes from 0 on",
     "require_nonnegative",
     {"attribute", "axes", "words", "negative"},
     NODE("y = Some<axes = [0, 1]>(a)"),
     ""},
    {"constant indices from 0 on",
     "require_nonnegative",
     {"input", "1", "words", "negative"},
     CONSTANT("int64[2] c = {0, 3}", "y = Some(a, c)"),
     ""},
    {"a negative constant index",
     "require_nonnegative",
     {"input", "1", "words", "negative"},
     CONSTANT("int64[2] c = {0, -3}", "y = Some(a, c)"),
     "negative"},
    {"indices that are not constant",
     "require_nonnegative",
     {"input", "1", "words", "negative"},
     NODE("y = Some(a, u)"),
     "negative"},
    {"the type that is asked for",
     "require_type",
     {"input", "0", "type", "float", "words", "no float"},
     NODE("y = Some(a)"),
     ""},
    {"an unknown type is not the one",
     "require_type",
     {"input", "0", "type", "float", "words", "no float"},
     NODE("y = Some(u)"),
     "no float"},
    {"no type matters without the attribute",
     "require_type",
     {"input", "0", "type", "float", "words", "no float", "attribute", "min"},
     NODE("y = Some(u)"),
     ""},
    {"two types",
     "require_same_type",
     {"input", "1", "as", "0", "words", "two types"},
     GIVEN("float a, int64 b", "y = Some(a, b)"),
     "two types"},
    {"an unknown type is taken as the same",
     "require_same_type",
     {"input", "1", "as", "0", "words", "two types"},
     NODE("y = Some(a, u)"),
     ""},
    {"the rank",
     "require_rank",
     {"input", "0", "rank", "1", "words", "no list"},
     GIVEN("float[N] a", "y = Some(a)"),
     ""},
    {"an unknown rank",
     "require_rank",
     {"input", "0", "rank", "0", "words", "no scalar"},
     NODE("y = Some(u)"),
     "no scalar"},
    {"one shape",
     "require_same_shapes",
     {"words", "two shapes"},
     GIVEN("float[2, 3] a, float[2, 3] b", "y = Some(a, b)"),
     ""},
    {"two shapes",
     "require_same_shapes",
     {"words", "two shapes"},
     GIVEN("float[2, 3] a, float[3] b", "y = Some(a, b)"),
     "two shapes"},
    {"dims that are not known",
     "require_same_shapes",
     {"words", "two shapes"},
     GIVEN("float[M] a, float[N] b", "y = Some(a, b)"),
     "two shapes"},
    {"dilations of one", "drop_ones", {"attribute", "dilations"}, NODE("y = Some<dilations = [1, 1]>(a)"), ""},
    {"other dilations",
     "drop_ones",
     {"attribute", "dilations"},
     NODE("y = Some<dilations = [1, 2]>(a)"),
     "attribute 'dilations' does not exist at opset 10 and is not 1 everywhere"},
    {"steps of one",
     "drop_input",
     {"input", "1", "value", "1", "words", "steps"},
     CONSTANT("int64[2] c = {1, 1}", "y = Some(a, c)"),
     ""},
    {"other steps",
     "drop_input",
     {"input", "1", "value", "1", "words", "steps"},
     CONSTANT("int64[2] c = {1, 2}", "y = Some(a, c)"),
     "steps"},
    {"the last axis, counted from the back",
     "last_axis",
     {"attribute", "axis", "default", "1", "words", "not last"},
     NODE("y = Some<axis = -1>(u)"),
     ""},
    {"the last axis by its number",
     "last_axis",
     {"attribute", "axis", "default", "1", "words", "not last"},
     GIVEN("float[N, 5] a", "y = Some(a)"),
     ""},
    {"an axis before the last",
     "last_axis",
     {"attribute", "axis", "default", "1", "words", "not last"},
     GIVEN("float[2, 3, 4] a", "y = Some(a)"),
     "not last"},
    {"an axis of an unknown rank",
     "last_axis",
     {"attribute", "axis", "default", "1", "words", "not last"},
     NODE("y = Some(u)"),
     "not last"},
    {"shapes that do not end alike",
     "limited_broadcast",
     {"attribute", "broadcast"},
     GIVEN("float[2, 3] a, float[2, 1] b", "y = Some(a, b)"),
     "the second input's shape is not known to be the end of the first's, and opset 10 broadcasts in no other way; "
     "give both shapes in the model or by --shape, or insert an Expand"},
};

static void test_conditions(void)
{
    for (size_t i = 0; i < COUNT(conditions); i++) {
        struct drafted drafted;
        drafted_open(conditions[i].model, &drafted);
        is_string(conditions[i].refusal, apply(conditions[i].verb, conditions[i].parameters, drafted.draft), "%s: %s",
                  conditions[i].verb, conditions[i].what);
        drafted_close(&drafted);
    }
}

static void test_axis_written(void)
{
    static const char *const parameters[8] = {"attribute", "axis", "default", "-1", "words", "not last"};
    struct drafted softmax;
    drafted_open(NODE("y = Some(u)"), &softmax);
    apply("last_axis", parameters, softmax.draft);
    is_int(1, softmax.draft->attribute_count, "a default axis that has another meaning there is written");
    is_int(-1, softmax.draft->attributes[0].message->i, "as it was");
    drafted_close(&softmax);
}

static void test_broadcast(void)
{
    static const char *const parameters[8] = {"attribute", "broadcast"};
    struct drafted same, end;
    drafted_open(GIVEN("float[2, 3] a, float[2, 3] b", "y = Some(a, b)"), &same);
    apply("limited_broadcast", parameters, same.draft);
    is_int(0, same.draft->attribute_count, "one shape needs no broadcast");
    drafted_close(&same);
    drafted_open(GIVEN("float[2, 3] a, float[3] b", "y = Some(a, b)"), &end);
    apply("limited_broadcast", parameters, end.draft);
    is_int(1, end.draft->attribute_count, "the end of a shape is broadcast");
    is_int(1, end.draft->attributes[0].message->i, "by an attribute of 1");
    drafted_close(&end);
}

static void test_constant(void)
{
    static const char *const none[8] = {NULL};
    struct drafted drafted;
    drafted_open(NODE("y = Constant<value_ints = [2, 4]>()"), &drafted);
    is_string("", apply("constant_to_tensor", none, drafted.draft), "a list of integers becomes a tensor");
    const Onnx__TensorProto *tensor = drafted.draft->attributes[0].message->t;
    is_bytes((int64_t[]){2, 4}, 16, tensor->raw_data.data, tensor->raw_data.len, "with the same numbers");
    is_int(1, (int64_t)tensor->n_dims, "and one dimension");
    drafted_close(&drafted);
}

int main(void)
{
    test_conditions();
    test_axis_written();
    test_broadcast();
    test_constant();
    return done();
}
