/* The effect of one step between opsets on an operator, and on a node. */
#include <string.h>

#include "infer/clash.h"
#include "rule/draft_facts.h"
#include "rule/replace.h"

/* Did the operator change between opsets step - 1 and step? In a domain without schemas it may have. */
static bool changes(const char *domain, const char *op_type, int64_t step)
{
    const struct schema *schema = schema_find(domain, op_type, step);
    return schema ? schema->since == step : !schema_knows(domain);
}

static struct judgement blocked(const char *words)
{
    return (struct judgement){.meaning = RULE_BLOCKED, .words = words};
}

struct judgement rule_judge(const struct opshift_rules *rules, const char *domain, const char *op_type, int64_t step,
                            bool up)
{
    enum direction direction = up ? DIRECTION_UP : DIRECTION_DOWN;
    const struct rule *rule = rule_find(rules, domain, op_type, step, direction);
    bool look = rule && (rule->step_count[direction] || rule->unless[direction]);
    if (rule && !rule->compatible)
        return (struct judgement){.meaning = look ? RULE_LOOK : RULE_KEEP, .rule = rule};
    if (!changes(domain, op_type, step))
        return (struct judgement){.meaning = RULE_NOTHING};
    bool known = schema_knows(domain);
    if (!up && known && schema_find(domain, op_type, step - 1) == NULL)
        return blocked("the operator does not exist below this opset; replace it in the model, or stay at this "
                       "opset or above");
    if (rule)
        return (struct judgement){.meaning = look ? RULE_LOOK : RULE_KEEP, .rule = rule};
    if (!known)
        return blocked("no rule covers the operator on this step of its domain; add one, or list the "
                       "operator in a compatible.yaml (--rules)");
    if (up && schema_is_removed(schema_find(domain, op_type, step)))
        return blocked("the operator is deprecated from this opset on, and no rule replaces it; add one "
                       "(--rules), or stay below");
    return blocked("the operator changed at this opset, and no rule rewrites it; add one (--rules)");
}

/* Is an attribute absent or equal to its default? condition: "name=default". */
static bool holds(const struct draft *draft, const char *condition)
{
    const char *equals = strchr(condition, '=');
    size_t size = equals ? (size_t)(equals - condition) : strlen(condition);
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        const Onnx__AttributeProto *message = draft->attributes[i].message;
        if (message->name.len == size && memcmp(message->name.data, condition, size) == 0)
            return equals && rule_value_equal(message, equals + 1);
    }
    return true;
}

static enum opshift_status apply_compatible(const struct rule *compatible, const struct draft *draft,
                                            struct opshift_error *error)
{
    const char *const *conditions = compatible->unless[draft->up ? DIRECTION_UP : DIRECTION_DOWN];
    for (; conditions && *conditions; conditions++)
        if (!holds(draft, *conditions)) {
            const char *only = strchr(*conditions, '=');
            return opshift_fail(error, OPSHIFT_NO,
                                "attribute '%.*s' has a value that the other side of this step does not know; only %s "
                                "means the same on both",
                                (int)strcspn(*conditions, "="), *conditions, only ? only + 1 : "its absence");
        }
    return OPSHIFT_OK;
}

static bool attribute_is(const struct draft_attribute *attribute, const char *name)
{
    return bytes_are(bytes_of(attribute->message->name), name);
}

/* Can a verb read the attribute: does it occur once, with the type in the schema? */
static enum opshift_status check_attribute(const struct draft *draft, const struct schema *schema,
                                           const struct schema_attribute *known, struct opshift_error *error)
{
    const struct draft_attribute *found = NULL;
    for (uint32_t i = 0; i < draft->attribute_count; i++) {
        const struct draft_attribute *attribute = &draft->attributes[i];
        if (!attribute_is(attribute, known->name))
            continue;
        if (found)
            return opshift_fail_at(
                error, OPSHIFT_NO, FAULT_OF_CHECK, ERROR_WHOLE_FILE,
                "OPS010 duplicate-attribute: attribute '%s' is given more than once; keep the intended one",
                known->name);
        found = attribute;
    }
    if (found == NULL || found->changed || found->message->type == known->type)
        return OPSHIFT_OK;
    return opshift_fail_at(error, OPSHIFT_NO, FAULT_OF_CHECK, ERROR_WHOLE_FILE,
                           "OPS009 attribute-type: attribute '%s' is %s, and %s-%u wants %s; correct its type",
                           known->name, attribute_type_name(found->message->type, "no known type"), schema->op_type,
                           schema->since, attribute_type_name(known->type, "no known type"));
}

/* Checks the attributes of the operator; rules may read others, which the model's operators do not have. */
static enum opshift_status check_attributes(const struct draft *draft, struct opshift_error *error)
{
    const struct schema *schema = schema_find(draft->domain, draft->op_type, draft->opset);
    enum opshift_status status = OPSHIFT_OK;
    for (uint16_t i = 0; status == OPSHIFT_OK && schema && i < schema->attribute_count; i++)
        status = check_attribute(draft, schema, &schema->attributes[i], error);
    return status;
}

/* A step with `when` is left out where that does not hold; `replace` has one of its own. */
static enum opshift_status apply_step(const struct step *step, struct draft *draft, struct opshift_error *error)
{
    struct draft_facts facts;
    bool holds = true;
    enum opshift_status status = OPSHIFT_OK;
    if (step->action->apply != replace && step_text(step, "when")) {
        status = draft_facts_open(&facts, step, draft, draft->opset + draft->up, error);
        if (status == OPSHIFT_OK)
            status = draft_facts_hold(&facts, "when", &holds, error);
        status = draft_facts_blocks(status, error);
    }
    return status || !holds ? status : step->action->apply(step, draft, error);
}

/* If the last step is a body whose condition does not hold, no body fits. */
static enum opshift_status apply_steps(const struct rule *rule, const struct step *steps, uint32_t count,
                                       struct draft *draft, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    draft->rule = rule;
    draft->wanted = NULL;
    draft->undecided = false;
    for (uint32_t i = 0; status == OPSHIFT_OK && !draft->slices && !draft->replacement && i < count; i++)
        status = apply_step(&steps[i], draft, error);
    if (status == OPSHIFT_OK && !draft->replacement && count && steps[count - 1].action->apply == replace)
        status = opshift_fail(error, OPSHIFT_NO, "no body of the rule fits%s%s", draft->wanted ? ": " : "",
                              draft->wanted ? draft->wanted : "");
    return status;
}

enum opshift_status rule_apply(const struct judgement *judgement, struct draft *draft, struct opshift_error *error)
{
    const struct rule *rule = judgement->rule;
    int direction = draft->up ? DIRECTION_UP : DIRECTION_DOWN;
    if (judgement->meaning == RULE_BLOCKED)
        return opshift_fail(error, OPSHIFT_NO, "%s", judgement->words);
    if (judgement->meaning != RULE_LOOK)
        return OPSHIFT_OK;
    enum opshift_status status = check_attributes(draft, error);
    if (status)
        return status;
    if (rule->compatible)
        return apply_compatible(rule, draft, error);
    return apply_steps(rule, rule->steps[direction], rule->step_count[direction], draft, error);
}
