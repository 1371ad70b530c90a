/* Steps with conditions: accepted, refused, assumed and changed nodes. The operator has no schema, so values have
 * positions. */
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

/* Applies a verb; the parameters are pairs of name and text. Returns the reason of a refusal, or the first assumption,
 * or "". */
static const char *apply(const char *verb, const char *const parameters[8], struct draft *draft)
{
    static struct opshift_error error;
    struct parameter read[4];
    struct step step = {.verb = verb, .action = action_find(verb), .parameters = read};
    for (uint32_t i = 0; i < 4 && parameters[2 * i]; i++)
        read[step.parameter_count++] = (struct parameter){.name = parameters[2 * i], .text = parameters[2 * i + 1]};
    error = (struct opshift_error){0};
    enum opshift_status status = step.action->apply(&step, draft, &error);
    if (status != OPSHIFT_OK)
        return error.text;
    return draft->assumption_count ? draft->assumptions[0] : "";
}

/* The answers of `that`. */
enum given_answer { YES, NO, UNKNOWN };

static const struct {
    const char *what, *that, *model;
    enum given_answer answer;
} conditions[] = {
    {"an absent attribute has its default", "not present(p) or p == 1", NODE("y = Some(a)"), YES},
    {"the default written out is the default", "not present(p) or p == 1", NODE("y = Some<p = 1>(a)"), YES},
    {"another value is not the default", "not present(p) or p == 1", NODE("y = Some<p = 2>(a)"), NO},
    {"a value that went away is refused", "mode != 'wrap'", NODE("y = Some<mode = \"wrap\">(a)"), NO},
    {"any other value may stay", "mode != 'wrap'", NODE("y = Some<mode = \"edge\">(a)"), YES},
    {"a list", "axes == [0, 1]", NODE("y = Some<axes = [0, 1]>(a)"), YES},
    {"an attribute must be there", "present(shape)", NODE("y = Some(a)"), NO},
    {"an input must be there", "present(input_1)", NODE("y = Some(a)"), NO},
    {"an empty input is not there", "present(input_0)", NODE("y = Some(\"\", a)"), NO},
    {"an input must not be there", "not present(input_0)", NODE("y = Some(a)"), NO},
    {"an output must be there", "present(output_1)", NODE("y = Some(a)"), NO},
    {"an output is there", "present(output_0)", NODE("y = Some(a)"), YES},
    {"one negative axis of several", "min(axes + [0]) == 0", NODE("y = Some<axes = [0, -1]>(a)"), NO},
    {"axes from 0 on", "min(axes + [0]) == 0", NODE("y = Some<axes = [0, 1]>(a)"), YES},
    {"constant indices from 0 on", "nonnegative(input_1)", CONSTANT("int64[2] c = {0, 3}", "y = Some(a, c)"), YES},
    {"a negative constant index", "nonnegative(input_1)", CONSTANT("int64[2] c = {0, -3}", "y = Some(a, c)"), NO},
    {"an index that is no number", "nonnegative(input_1)", CONSTANT("float[1] c = {nan}", "y = Some(a, c)"), NO},
    {"indices that are not constant", "nonnegative(input_1)", NODE("y = Some(a, u)"), UNKNOWN},
    {"indices that have no sign", "nonnegative(input_1)", GIVEN("float a, uint8 b", "y = Some(a, b)"), YES},
    {"the type that is asked for", "type(input_0) == 'float'", NODE("y = Some(a)"), YES},
    {"another type", "type(input_0) == 'double'", NODE("y = Some(a)"), NO},
    {"an unknown type", "type(input_0) == 'float'", NODE("y = Some(u)"), UNKNOWN},
    {"no type matters without the attribute", "not present(min) or type(input_0) == 'float'", NODE("y = Some(u)"), YES},
    {"a type and a condition that does not hold", "type(input_0) == 'float' and present(min)", NODE("y = Some(u)"), NO},
    {"two types", "type(input_1) == type(input_0)", GIVEN("float a, int64 b", "y = Some(a, b)"), NO},
    {"one type, and an unknown one", "type(input_1) == type(input_0)", NODE("y = Some(a, u)"), UNKNOWN},
    {"the rank", "rank(input_0) == 1", GIVEN("float[N] a", "y = Some(a)"), YES},
    {"another rank", "rank(input_0) == 0", GIVEN("float[N] a", "y = Some(a)"), NO},
    {"an unknown rank", "rank(input_0) == 0", NODE("y = Some(u)"), UNKNOWN},
    {"one shape", "dims(input_0) == dims(input_1)", GIVEN("float[2, 3] a, float[2, 3] b", "y = Some(a, b)"), YES},
    {"one shape with a symbol", "dims(input_0) == dims(input_1)",
     GIVEN("float[N, 3] a, float[N, 3] b", "y = Some(a, b)"), YES},
    {"two ranks", "dims(input_0) == dims(input_1)", GIVEN("float[2, 3] a, float[3] b", "y = Some(a, b)"), NO},
    {"two symbols", "dims(input_0) == dims(input_1)", GIVEN("float[M] a, float[N] b", "y = Some(a, b)"), UNKNOWN},
    {"a symbol and a number", "dims(input_0) == dims(input_1)", GIVEN("float[M] a, float[2] b", "y = Some(a, b)"),
     UNKNOWN},
    {"a symbol is not another number, either", "dims(input_0) != dims(input_1)",
     GIVEN("float[M] a, float[2] b", "y = Some(a, b)"), UNKNOWN},
    {"dims without a name", "dims(input_0) == dims(input_1)", GIVEN("float[?] a, float[?] b", "y = Some(a, b)"),
     UNKNOWN},
    {"a difference behind an unknown dim", "dims(input_0) == dims(input_1)",
     GIVEN("float[M, 2] a, float[N, 3] b", "y = Some(a, b)"), NO},
    {"shapes that are not known to be the same", "same(dims(input_0), dims(input_1))",
     GIVEN("float[M] a, float[N] b", "y = Some(a, b)"), NO},
    {"shapes that are known to be the same", "same(dims(input_0), dims(input_1))",
     GIVEN("float[N] a, float[N] b", "y = Some(a, b)"), YES},
    {"an empty constant", "value(input_1) == []", CONSTANT("float[0] c = {}", "y = Some(a, c)"), YES},
    {"what may be empty", "value(input_0) == []", NODE("y = Some(a)"), UNKNOWN},
};

/* What a `require` says: yes: nothing. no: its words. unknown: its words, or the assumption where there may be one. */
static void test_conditions(void)
{
    for (size_t i = 0; i < COUNT(conditions); i++)
        for (int kind = 0; kind < 3; kind++) {
            const char *const parameters[8] = {"that",    conditions[i].that,     "words",
                                               "refused", kind ? "assume" : NULL, "assumed"};
            struct drafted drafted;
            drafted_open(conditions[i].model, &drafted);
            drafted.draft->strict = kind == 2;
            is_string(conditions[i].answer == YES                    ? ""
                      : conditions[i].answer == UNKNOWN && kind == 1 ? "assumed"
                                                                     : "refused",
                      apply("require", parameters, drafted.draft), "%s%s", conditions[i].what,
                      kind == 0   ? ""
                      : kind == 1 ? ", with an assumption"
                                  : ", strictly");
            drafted_close(&drafted);
        }
}

static void test_faults(void)
{
    static const struct {
        const char *that, *refusal;
    } faults[] = {
        {"factor == 1", "rule:0:0: the node has no attribute 'factor', and it has no default"},
        {"1 / 0 == 1", "rule:0:2: division by 0"},
        {"dims(input_0)[0] > 1",
         "rule:0:17: only two numbers or two strings have an order: found a dim that is not known and an integer"},
    };
    for (size_t i = 0; i < COUNT(faults); i++) {
        const char *const parameters[8] = {"that", faults[i].that, "words", "refused", "assume", "assumed"};
        struct drafted drafted;
        drafted_open(GIVEN("float[N] a", "y = Some(a)"), &drafted);
        is_string(faults[i].refusal, apply("require", parameters, drafted.draft),
                  "what cannot be computed is refused, not assumed: %s", faults[i].that);
        drafted_close(&drafted);
    }
}

static void test_constant(void)
{
    static const char *const parameters[8] = {"attribute", "value_ints", "to", "value"};
    struct drafted drafted;
    drafted_open(NODE("y = Constant<value_ints = [2, 4]>()"), &drafted);
    is_string("", apply("attribute_to_tensor", parameters, drafted.draft), "a list of integers becomes a tensor");
    const Onnx__TensorProto *tensor = drafted.draft->attributes[0].message->t;
    is_bytes((int64_t[]){2, 4}, 16, tensor->raw_data.data, tensor->raw_data.len, "with the same numbers");
    is_int(1, (int64_t)tensor->n_dims, "and one dimension");
    drafted_close(&drafted);
}

int main(void)
{
    test_conditions();
    test_faults();
    test_constant();
    return done();
}
