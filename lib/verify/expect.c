/* The planned conversion of the first model to the opset of the second, for each node. */
#include "verify/expect.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "convert/domain_moves.h"
#include "convert/plan_store.h"
#include "rule/rule.h"

/* ---- the plan ---- */

/* Nodes that make sequences which --split-sequences replaces. */
static uint64_t sequences_count(const struct opshift_model *model)
{
    static const char *const makers[] = {"SplitToSequence", "SequenceConstruct", "SequenceEmpty", "SequenceErase",
                                         "SequenceInsert"};
    uint64_t count = 0;
    for (size_t i = 0; i < COUNT(makers); i++) {
        name_id op_type;
        if (!names_find(model->names, makers[i], strlen(makers[i]), &op_type))
            continue;
        for (uint32_t k = 0; k < model->graph_count; k++)
            for (uint32_t n = 0; n < model->graphs[k]->node_count; n++)
                count += model->graphs[k]->nodes[n].op_type == op_type;
    }
    return count;
}

enum opshift_status expect_goal_read(struct comparison *comparison, struct expect_goal *goal,
                                     struct opshift_error *error)
{
    const struct opshift_model *after = comparison->after.model;
    struct bytes *domains = arena_alloc(comparison->arena, after->import_count + 1u, sizeof(*domains));
    if (domains == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < after->import_count; i++)
        domains[i] = names_bytes(after->names, after->imports[i].domain);
    *goal = (struct expect_goal){.opset = opshift_model_opset(after),
                                 .ir_version = after->ir_version,
                                 .has_splits = model_has_operator(after, "SplitToSequence"),
                                 .sequences = sequences_count(after),
                                 .imports = after->imports,
                                 .domains = domains,
                                 .import_count = after->import_count};
    return OPSHIFT_OK;
}

/* Infers the option --split-sequences from the operators that the first model has more of, or only the second one. */
static enum opshift_sequences sequences_goal(const struct opshift_model *before, const struct expect_goal *wanted)
{
    if (wanted->has_splits && !model_has_operator(before, "SplitToSequence"))
        return OPSHIFT_SEQUENCES_FROM_SPLIT;
    return wanted->sequences < sequences_count(before) ? OPSHIFT_SEQUENCES_TO_SPLIT : OPSHIFT_SEQUENCES_KEEP;
}

/* The version of a domain; 0: not imported. The last import counts. */
static int64_t version_wanted(const struct expect_goal *goal, struct bytes domain)
{
    for (uint32_t i = goal->import_count; i > 0; i--)
        if (bytes_same(goal->domains[i - 1], domain))
            return goal->imports[i - 1].version;
    return 0;
}

/* The opsets of other domains that differ: "ai.onnx.ml=3" each. */
static enum opshift_status domains_goal(const struct comparison *comparison, const struct expect_goal *wanted,
                                        const char *const **domains, size_t *count, struct opshift_error *error)
{
    const struct opshift_model *before = comparison->before.model;
    const char **list = arena_alloc(comparison->arena, before->import_count + 1u, sizeof(*list));
    *count = 0;
    *domains = list;
    if (list == NULL)
        return opshift_no_memory(error);
    for (uint32_t i = 0; i < before->import_count; i++) {
        name_id domain = before->imports[i].domain;
        int64_t from = graph_opset(before, before->main, domain),
                to = version_wanted(wanted, names_bytes(before->names, domain));
        bool given = domain == NAME_NONE || to == 0 || from == to;
        for (uint32_t k = 0; k < i; k++)
            given |= before->imports[k].domain == domain;
        if (given)
            continue;
        list[*count] = arena_print(comparison->arena, "%s=%" PRId64, names_text(before->names, domain), to);
        if (list[(*count)++] == NULL)
            return opshift_no_memory(error);
    }
    return OPSHIFT_OK;
}

enum opshift_status expect_plan(struct comparison *comparison, const struct expect_goal *wanted, bool single,
                                struct opshift_error *error)
{
    struct opshift_model *before = comparison->before.model;
    const struct side *side = &comparison->before;
    const struct surroundings around = {
        .model = before, .scopes = side->scopes, .types = side->types, .fold = side->fold};
    struct opshift_error why = {0};
    struct opshift_goal goal = {
        .opset = wanted->opset,
        .sequences = sequences_goal(before, wanted),
        .ir_version = wanted->ir_version == before->ir_version ? OPSHIFT_IR_KEEP : wanted->ir_version,
        .freeze_initializers = comparison->options->freeze_initializers,
        .rules = comparison->options->rules,
        .given = comparison->options->given,
        .allow_approximate = true, /* the second model may have been made with it; the verdict names it */
    };
    enum opshift_status status = domains_goal(comparison, wanted, &goal.domains, &goal.domain_count, &why);
    const struct conversion_plan *known = (const struct conversion_plan *)comparison->options->plan;
    if (status == OPSHIFT_OK && !single && known != NULL && plan_is_for(known, before, &goal)) {
        comparison->plan = known;
        return OPSHIFT_OK;
    }
    goal.rules = comparison->rules;
    plan_free(comparison->own_plan);
    comparison->own_plan = NULL;
    if (status == OPSHIFT_OK)
        status = single ? plan_single(before, &goal, &comparison->own_plan, &why)
                        : plan_new_among(&around, &goal, &comparison->own_plan, &why);
    comparison->plan = comparison->own_plan;
    if (status == OPSHIFT_OK)
        return status;
    if (status == OPSHIFT_MEMORY || status == OPSHIFT_CANCELLED || status == OPSHIFT_IO)
        return error_give(error, status, &why);
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

/* Does the conversion move the domain (a name of the first model)? */
static bool domain_moves(const struct comparison *comparison, name_id domain)
{
    return domain == NAME_NONE || (comparison->plan && domain_move_find(comparison->plan, domain));
}

const char *expect_rules(const struct comparison *comparison, const struct graph_pair *pair, const struct node *node,
                         const struct expectation *expectation, struct arena *arena)
{
    const struct planned_node *planned = &expectation->planned;
    const struct opshift_model *before = comparison->before.model;
    name_id domain = node_domain(node);
    int64_t from = graph_opset(before, pair->before, domain), to = match_opset_after(comparison, pair, domain);
    const char *op_type = names_text(before->names, node->op_type), *text = names_text(before->names, domain);
    const char *rules = NULL;
    bool moves = domain_moves(comparison, domain);
    for (int64_t at = from; moves && at != to; at += from < to ? 1 : -1) {
        struct judgement judgement = rule_judge(comparison->rules, text, op_type, from < to ? at + 1 : at, to > from);
        bool decides = judgement.meaning == RULE_KEEP || judgement.meaning == RULE_LOOK;
        const char *file = decides ? judgement.rule->file : NULL;
        if (file != NULL)
            rules = add_file(arena, rules, file);
    }
    /* A node may have changed its operator on the way. */
    for (size_t i = 0; planned->fate == OPSHIFT_REWRITTEN && i < planned->rule_count; i++)
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
    *expectation = (struct expectation){.planned.fate = OPSHIFT_BLOCKED, .refusal = comparison->no_plan};
    if (comparison->plan == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = plan_find(comparison->plan, pair->before, node, arena, planned, error);
    if (status)
        return status;
    expectation->assumed = join(arena, planned->assumptions, planned->assumption_count);
    if (planned->fate == OPSHIFT_BLOCKED)
        expectation->refusal = refusal_text(arena, planned);
    return arena_was_out(arena) ? opshift_no_memory(error) : OPSHIFT_OK;
}
