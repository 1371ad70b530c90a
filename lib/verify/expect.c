/* What the rules make of a node on the way from the first model's opset to the second's. */
#include "verify/expect.h"

#include <inttypes.h>
#include <string.h>

#include "rule/rule.h"

/* ---- the way ---- */

static enum opshift_status draft_made(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                      int64_t from, int64_t to, struct arena *arena, struct draft **draft,
                                      struct opshift_error *error)
{
    enum opshift_status status =
        draft_new(comparison->before.model, pair->before, node, arena, &comparison->facts, draft, error);
    if (status != OPSHIFT_OK)
        return status;
    (*draft)->opset = from;
    (*draft)->target = to;
    (*draft)->up = to > from;
    return OPSHIFT_OK;
}

static void say_nothing(struct expectation *expectation, struct arena *arena, int64_t step, const char *words)
{
    expectation->kind = EXPECT_NOTHING;
    expectation->why = arena_print(arena, "at opset %" PRId64 ": %s", step, words);
}

static enum opshift_status take_step(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                     int64_t step, int64_t to, struct arena *arena, struct expectation *expectation,
                                     struct opshift_error *error)
{
    const struct side *before = &comparison->before;
    int64_t from = graph_opset(before->model, pair->before, NAME_NONE);
    const char *op_type =
        expectation->draft != NULL ? expectation->draft->op_type : names_text(before->model->names, node->op_type);
    struct opshift_error refused = {0};
    struct judgement judgement;
    enum opshift_status status = rule_judge(comparison->rules, op_type, step, to > from, arena, &judgement, error);
    if (status != OPSHIFT_OK)
        return status;
    enum rule_meaning meaning = judgement.meaning;
    if (meaning == RULE_BLOCKED)
        say_nothing(expectation, arena, step, judgement.words);
    if (meaning == RULE_BLOCKED || meaning == RULE_NOTHING)
        return OPSHIFT_OK;
    if (expectation->kind == EXPECT_SAME)
        expectation->kind = EXPECT_KEPT;
    const char *file = judgement.rule != NULL ? judgement.rule->file : judgement.compatible->file;
    expectation->rules = expectation->rules == NULL ? file : arena_print(arena, "%s, %s", expectation->rules, file);
    if (meaning == RULE_KEEP)
        return OPSHIFT_OK;
    if (expectation->draft == NULL)
        status = draft_made(comparison, pair, node, from, to, arena, &expectation->draft, error);
    if (status != OPSHIFT_OK)
        return status;
    expectation->draft->opset = to > from ? step - 1 : step;
    status = rule_apply(&judgement, expectation->draft, &refused);
    if (status == OPSHIFT_NO)
        say_nothing(expectation, arena, step, refused.text);
    else if (status != OPSHIFT_OK && error != NULL)
        *error = refused;
    return status == OPSHIFT_NO ? OPSHIFT_OK : status;
}

enum opshift_status expect_read(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                struct arena *arena, struct expectation *expectation, struct opshift_error *error)
{
    int64_t from = graph_opset(comparison->before.model, pair->before, NAME_NONE);
    int64_t to = graph_opset(comparison->after.model, pair->after, NAME_NONE);
    int64_t first = from < to ? from + 1 : from, last = from < to ? to : to + 1, by = from < to ? 1 : -1;
    enum opshift_status status = OPSHIFT_OK;
    *expectation = (struct expectation){.kind = EXPECT_SAME};
    if (from == to || node_domain(node) != NAME_NONE || scope_callee(comparison->before.scopes, node) != NULL)
        return OPSHIFT_OK;
    if (from < 1 || to < 1 || from > OPSHIFT_OPSET_NEWEST || to > OPSHIFT_OPSET_NEWEST) {
        expectation->kind = EXPECT_NOTHING;
        expectation->why = "one of the opsets is not known";
        return OPSHIFT_OK;
    }
    for (int64_t step = first; status == OPSHIFT_OK && expectation->kind != EXPECT_NOTHING && step - by != last;
         step += by)
        status = take_step(comparison, pair, node, step, to, arena, expectation, error);
    if (expectation->kind == EXPECT_KEPT && expectation->draft != NULL && expectation->draft->changed)
        expectation->kind = EXPECT_REWRITTEN;
    return status;
}

/* ---- what became of it ---- */

static bool is_graph(Onnx__AttributeProto__AttributeType type)
{
    return type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPH ||
           type == ONNX__ATTRIBUTE_PROTO__ATTRIBUTE_TYPE__GRAPHS;
}

static enum opshift_status same_input(struct comparison *comparison, const struct graph_pair *pair,
                                      const struct draft_input *input, name_id name, bool *same,
                                      struct opshift_error *error)
{
    const struct tensor *tensor = NULL;
    *same = false;
    if (input->kind == VALUE_NAME) {
        *same = comparison->before.other[input->name] == name;
        return OPSHIFT_OK;
    }
    if (input->kind != VALUE_LITERAL)
        return OPSHIFT_OK;
    enum opshift_status status = fold_constant(comparison->after.folder, pair->after, name, &tensor, NULL, error);
    *same = tensor != NULL && tensor_equal(tensor, input->literal);
    return status;
}

static enum opshift_status compare_inputs(struct comparison *comparison, const struct graph_pair *pair,
                                          const struct draft *draft, const struct node *after, struct arena *arena,
                                          const char **what, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    if (draft->input_count != after->input_count)
        *what = "the number of inputs";
    for (uint32_t i = 0; status == OPSHIFT_OK && *what == NULL && i < draft->input_count; i++) {
        bool same;
        status = same_input(comparison, pair, &draft->inputs[i], node_inputs(after)[i], &same, error);
        if (status == OPSHIFT_OK && !same)
            *what = arena_print(arena, "input %" PRIu32, i);
    }
    return status;
}

/* A name that the rules add may be any that is new. */
static void compare_outputs(struct comparison *comparison, const struct draft *draft, const struct node *after,
                            struct arena *arena, const char **what)
{
    if (draft->output_count != after->output_count)
        *what = "the number of outputs";
    for (uint32_t i = 0; *what == NULL && i < draft->output_count; i++) {
        name_id name = node_outputs(after)[i];
        if (draft->outputs[i] == NAME_FRESH ? comparison->after.other[name] != NAME_NO_MEMORY
                                            : comparison->before.other[draft->outputs[i]] != name)
            *what = arena_print(arena, "output %" PRIu32, i);
    }
}

static bool same_message(struct arena *arena, const ProtobufCMessage *a, const ProtobufCMessage *b)
{
    size_t size = protobuf_c_message_get_packed_size(a);
    if (size != protobuf_c_message_get_packed_size(b))
        return false;
    uint8_t *left = arena_alloc(arena, size + 1, 1), *right = arena_alloc(arena, size + 1, 1);
    if (left == NULL || right == NULL)
        return false;
    protobuf_c_message_pack(a, left);
    protobuf_c_message_pack(b, right);
    return memcmp(left, right, size) == 0;
}

/* Graphs are compared as graphs, elsewhere. */
static enum opshift_status same_attribute(struct comparison *comparison, const struct draft *draft,
                                          const struct attribute_range *range, struct arena *arena, bool *same,
                                          struct opshift_error *error)
{
    struct bytes name = names_bytes(comparison->after.model->names, range->name);
    const struct draft_attribute *attribute = draft_attribute_named(draft, name);
    Onnx__AttributeProto *message = NULL;
    *same = attribute != NULL;
    if (attribute == NULL || (is_graph(range->type) && is_graph(attribute->message->type)))
        return OPSHIFT_OK;
    enum opshift_status status = attribute_decode(comparison->after.model, range, arena, &message, error);
    *same = status == OPSHIFT_OK && same_message(arena, &attribute->message->base, &message->base);
    return status;
}

static enum opshift_status compare_attributes(struct comparison *comparison, const struct draft *draft,
                                              struct node *after, struct arena *arena, const char **what,
                                              struct opshift_error *error)
{
    struct attribute_range *ranges = NULL;
    size_t count = 0;
    enum opshift_status status = node_attributes(comparison->after.model, after, arena, &ranges, &count, error);
    for (size_t i = 0; status == OPSHIFT_OK && *what == NULL && i < count; i++) {
        bool same = false;
        status = same_attribute(comparison, draft, &ranges[i], arena, &same, error);
        if (status == OPSHIFT_OK && !same)
            *what = arena_print(arena, "attribute '%s'", names_text(comparison->after.model->names, ranges[i].name));
    }
    if (status == OPSHIFT_OK && *what == NULL && count != draft->attribute_count)
        *what = "the number of attributes";
    return status;
}

enum opshift_status expect_compare(struct comparison *comparison, const struct graph_pair *pair,
                                   const struct expectation *expectation, struct node *after, struct arena *arena,
                                   const char **what, struct opshift_error *error)
{
    const struct draft *draft = expectation->draft;
    enum opshift_status status = OPSHIFT_OK;
    *what = NULL;
    if (after == NULL || strcmp(draft->op_type, names_text(comparison->after.model->names, after->op_type)) != 0 ||
        node_domain(after) != NAME_NONE)
        *what = "the operator";
    if (*what == NULL)
        compare_outputs(comparison, draft, after, arena, what);
    if (*what == NULL)
        status = compare_inputs(comparison, pair, draft, after, arena, what, error);
    if (status == OPSHIFT_OK && *what == NULL)
        status = compare_attributes(comparison, draft, after, arena, what, error);
    if (status == OPSHIFT_OK && *what == NULL)
        status = rest_same_head(comparison, draft->node, after, what, error);
    return status;
}
