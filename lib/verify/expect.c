/* The planned conversion of the first model to the opset of the second, for each node. */
#include "verify/expect.h"

#include <inttypes.h>
#include <string.h>

#include "rule/rule.h"

/* ---- the plan ---- */

static bool has_operator(const struct opshift_model *model, const char *op_type)
{
    name_id name;
    if (!names_find(model->names, op_type, strlen(op_type), &name))
        return false;
    for (uint32_t i = 0; i < model->graph_count; i++)
        for (uint32_t k = 0; k < model->graphs[i]->node_count; k++)
            if (model->graphs[i]->nodes[k].op_type == name && node_domain(&model->graphs[i]->nodes[k]) == NAME_NONE)
                return true;
    return false;
}

/* Infers the option --split-sequences from the operators that only one of the models has. */
static enum opshift_sequences sequences_goal(const struct comparison *comparison)
{
    const struct opshift_model *before = comparison->before.model, *after = comparison->after.model;
    bool had = has_operator(before, "SplitToSequence"), has = has_operator(after, "SplitToSequence");
    return had == has ? OPSHIFT_SEQUENCES_KEEP : had ? OPSHIFT_SEQUENCES_TO_SPLIT : OPSHIFT_SEQUENCES_FROM_SPLIT;
}

enum opshift_status expect_plan(struct comparison *comparison, struct opshift_error *error)
{
    struct opshift_model *before = comparison->before.model, *after = comparison->after.model;
    const struct side *side = &comparison->before;
    const struct surroundings around = {
        .model = before, .scopes = side->scopes, .types = side->types, .fold = side->fold};
    struct opshift_error why = {0};
    const struct opshift_goal goal = {
        .opset = opshift_model_opset(after),
        .sequences = sequences_goal(comparison),
        .ir_version = after->ir_version == before->ir_version ? OPSHIFT_IR_KEEP : after->ir_version,
        .freeze_initializers = comparison->options != NULL && comparison->options->freeze_initializers,
        .rules = comparison->rules,
        .given = comparison->options != NULL ? comparison->options->given : NULL,
        .allow_approximate = true, /* the second model may have been made with it; the verdict names it */
    };
    enum opshift_status status = plan_new_among(&around, &goal, &comparison->plan, &why);
    if (status == OPSHIFT_OK)
        return status;
    comparison->plan = NULL;
    if (status == OPSHIFT_MEMORY || status == OPSHIFT_CANCELLED || status == OPSHIFT_IO) {
        if (error != NULL)
            *error = why;
        return status;
    }
    comparison->no_plan = arena_copy(comparison->arena, why.text, strlen(why.text));
    return comparison->no_plan == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

/* ---- one node ---- */

/* "a; b; c"; NULL: no memory, or an empty list. */
static const char *join(struct arena *arena, const char *const *texts, size_t count)
{
    const char *joined = count > 0 ? texts[0] : NULL;
    for (size_t i = 1; i < count && joined != NULL; i++)
        joined = arena_print(arena, "%s; %s", joined, texts[i]);
    return joined;
}

/* Adds a file to a list, unless the list has it. NULL: no memory. */
static const char *add_file(struct arena *arena, const char *files, const char *file)
{
    if (files != NULL && strstr(files, file) != NULL)
        return files;
    return files == NULL ? file : arena_print(arena, "%s, %s", files, file);
}

const char *expect_rules(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node,
                         const struct expectation *expectation, struct arena *arena)
{
    const struct planned_node *planned = &expectation->planned;
    const struct opshift_model *before = comparison->before.model;
    int64_t from = graph_opset(before, pair->before, NAME_NONE);
    int64_t to = graph_opset(comparison->after.model, pair->after, NAME_NONE);
    const char *op_type = names_text(before->names, node->op_type);
    const char *rules = NULL;
    for (int64_t at = from; node_domain(node) == NAME_NONE && at != to; at += from < to ? 1 : -1) {
        struct judgement judgement = rule_judge(comparison->rules, op_type, from < to ? at + 1 : at, to > from);
        bool decides = judgement.meaning == RULE_KEEP || judgement.meaning == RULE_LOOK;
        const char *file = !decides ? NULL : judgement.rule != NULL ? judgement.rule->file : judgement.compatible->file;
        if (file != NULL)
            rules = add_file(arena, rules, file);
    }
    /* A node may have changed its operator on the way. */
    for (size_t i = 0; planned->fate == NODE_REWRITTEN && i < planned->rule_count; i++)
        rules = add_file(arena, rules, planned->rules[i]);
    return rules;
}

static const char *refusal_text(struct arena *arena, const struct planned_node *planned)
{
    if (planned->from == planned->to)
        return planned->why;
    return arena_print(arena, "from opset %" PRId64 " to %" PRId64 ": %s", planned->from, planned->to, planned->why);
}

enum opshift_status expect_read(struct comparison *comparison, const struct graph_pair *pair, struct node *node,
                                struct arena *arena, struct expectation *expectation, struct opshift_error *error)
{
    struct planned_node *planned = &expectation->planned;
    *expectation = (struct expectation){.planned.fate = NODE_BLOCKED, .refusal = comparison->no_plan};
    if (comparison->plan == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = plan_find(comparison->plan, pair->before, node, arena, planned, error);
    if (status != OPSHIFT_OK)
        return status;
    expectation->assumed = join(arena, planned->assumptions, planned->assumption_count);
    if (planned->fate == NODE_BLOCKED)
        expectation->refusal = refusal_text(arena, planned);
    return arena_was_out(arena) ? opshift_no_memory(error) : OPSHIFT_OK;
}
