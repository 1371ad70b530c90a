/* The steps from one opset to another, for an operator and for a node. */
#include "check/check.h"
#include "convert/expand.h"
#include "convert/planner.h"
#include "convert/validity.h"
#include "infer/clash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/table.h"

/* Cache of routes, by operator and by the opset that a function imports. */
struct routes {
    struct table table;
    struct route **list;
    uint32_t room;
};

void routes_free(struct routes *routes)
{
    for (uint32_t i = 0; routes && i < routes->table.count; i++) {
        free(routes->list[i]->judgements);
        free(routes->list[i]);
    }
    if (routes) {
        table_free(&routes->table);
        free(routes->list);
    }
    free(routes);
}

static uint64_t route_hash(const struct routes *routes, name_id domain, name_id op_type, int64_t from)
{
    const int64_t key[] = {domain, op_type, from};
    return table_hash(&routes->table, key, sizeof(key));
}

/* Number of non-tensor types with this prefix that the target lacks. */
static uint32_t others_lost(const struct type_set *source, const struct type_set *target, const char *beginning)
{
    uint32_t lost = 0;
    for (const char *const *other = source->others; *other != NULL; other++) {
        const char *text = *other;
        lost += strncmp(text, beginning, strlen(beginning)) == 0 && !type_set_begins(target, text);
    }
    return lost;
}

static bool loses_types(const struct type_set *source, const struct type_set *target)
{
    return (source->tensor & ~target->tensor) != 0 || others_lost(source, target, "") > 0;
}

static const struct schema_parameter *parameter_at(const struct schema *schema, bool output, uint32_t position)
{
    return output ? schema_output(schema, position) : schema_input(schema, position);
}

static uint32_t limits_of(const struct schema *source, const struct schema *target, bool outputs,
                          uint64_t lost[LIMITS_LAST + 1])
{
    uint32_t limits = 0;
    for (uint32_t i = 0; i <= LIMITS_LAST; i++) {
        const struct schema_parameter *from = parameter_at(source, outputs, i), *to = parameter_at(target, outputs, i);
        /* An output with the type of the first input needs no check of its own. */
        bool same =
            outputs && from && from->homogeneous && source->input_count && from->variable == source->inputs->variable;
        if (from == NULL || to == NULL || same || !loses_types(schema_types(source, from), schema_types(target, to)))
            continue;
        limits |= UINT32_C(1) << i;
        lost[i] = ~schema_types(target, to)->tensor;
    }
    return limits;
}

struct type_limits type_limits_find(const struct schema *source, const struct schema *target)
{
    struct type_limits limits = {.source = source, .target = target};
    for (int output = 0; output < 2; output++)
        limits.at[output] = limits_of(source, target, output, limits.lost[output]);
    return limits;
}

/* Determines for each step what its nodes need. */
static enum opshift_status steps_judge(const struct planner *planner, struct route *route, const char *op_type,
                                       struct opshift_error *error)
{
    const struct domain_move *move = planner->node.move;
    int64_t count = move->up ? move->target - route->from : route->from - move->target;
    for (int64_t i = 0; i < count; i++) {
        int64_t step = move->up ? route->from + 1 + i : route->from - i;
        struct judgement judgement = rule_judge(planner->rules, move->text, op_type, step, move->up);
        if (judgement.meaning != RULE_LOOK && judgement.meaning != RULE_BLOCKED)
            continue;
        if (route->judgements == NULL)
            route->judgements = calloc((size_t)count, sizeof(*route->judgements));
        if (route->judgements == NULL)
            return opshift_no_memory(error);
        route->judgements[i] = judgement;
        route->draft |= judgement.meaning == RULE_LOOK;
        if (judgement.meaning == RULE_BLOCKED && !route->draft) {
            route->blocked = judgement.words;
            route->blocked_step = step;
            break;
        }
    }
    return OPSHIFT_OK;
}

/* NULL: no memory. */
static const char *unknown_words(struct planner *planner, const struct route *route, const char *op_type)
{
    uint32_t count = 0;
    const struct schema *versions = op_type ? schema_versions(planner->node.move->text, op_type, &count) : NULL;
    if (versions == NULL)
        return "the operator is not known at the model's opset";
    return arena_print(planner->scratch,
                       "%s exists from opset %u on, and the model imports %" PRId64
                       "; no version of it takes the node's inputs, outputs and attributes",
                       op_type, versions->since, route->from);
}

/* op_type NULL: no operator has this name. */
static enum opshift_status route_fill(struct planner *planner, struct route *route, const char *op_type,
                                      struct opshift_error *error)
{
    const struct domain_move *move = planner->node.move;
    bool known = schema_knows(move->text);
    route->source = op_type ? schema_find(move->text, op_type, route->from) : NULL;
    route->target = op_type ? schema_find(move->text, op_type, move->target) : NULL;
    if (op_type == NULL || (known && route->source == NULL)) {
        route->blocked = unknown_words(planner, route, op_type);
        return route->blocked ? OPSHIFT_OK : opshift_no_memory(error);
    }
    enum opshift_status status = steps_judge(planner, route, op_type, error);
    route->gains = known && schema_gains_attributes(route->source);
    if (status == OPSHIFT_OK && known && route->blocked == NULL && route->target == NULL && !route->draft) {
        route->blocked = "the operator does not exist at the target, and the rules keep it; fix the rule";
        route->blocked_step = route->from;
    }
    if (route->blocked == NULL && route->target) {
        route->limits = type_limits_find(route->source, route->target);
        route->draft |= result_may_differ(route->source, route->target);
    }
    return status;
}

static enum opshift_status route_add(struct planner *planner, name_id op_type, int64_t from,
                                     const struct route **result, struct opshift_error *error)
{
    struct routes *routes = planner->routes;
    bool has_room = table_reserve(&routes->table, 1) &&
                    list_grow(&routes->list, routes->table.count, &routes->room, sizeof(*routes->list));
    struct route *route = has_room ? calloc(1, sizeof(*route)) : NULL;
    if (route == NULL)
        return opshift_no_memory(error);
    *route = (struct route){.domain = planner->node.move->domain, .op_type = op_type, .from = from};
    routes->list[routes->table.count] = route;
    table_put(&routes->table, route_hash(routes, planner->node.move->domain, op_type, from), routes->table.count);
    *result = route;
    return route_fill(planner, route, names_whole(planner->model->names, op_type), error);
}

enum opshift_status route_find(struct planner *planner, name_id op_type, int64_t from, const struct route **result,
                               struct opshift_error *error)
{
    if (planner->routes == NULL)
        planner->routes = calloc(1, sizeof(*planner->routes));
    if (planner->routes == NULL)
        return opshift_no_memory(error);
    const struct routes *routes = planner->routes;
    uint64_t hash = route_hash(routes, planner->node.move->domain, op_type, from);
    for (uint32_t at = 0, item; (item = table_next(&routes->table, hash, &at)) != TABLE_NONE;)
        if (routes->list[item]->op_type == op_type && routes->list[item]->from == from &&
            routes->list[item]->domain == planner->node.move->domain) {
            *result = routes->list[item];
            return OPSHIFT_OK;
        }
    return route_add(planner, op_type, from, result, error);
}

/* A node of a rule's body with the operator that the body replaces stays unchanged at the rule's own step, if the
 * opset below has that operator. */
static bool is_final(const struct planner *planner, const struct draft *draft)
{
    const struct draft *replaced = planner->replaced;
    return replaced && !draft->up && draft->opset == replaced->replacement->step &&
           strcmp(draft->domain, replaced->domain) == 0 && strcmp(draft->op_type, replaced->op_type) == 0 &&
           (!schema_knows(draft->domain) || schema_find(draft->domain, draft->op_type, draft->opset - 1) != NULL);
}

/* Applies the step and records which rule file changed the draft. */
static enum opshift_status judged_step(struct planner *planner, const struct judgement *judgement, struct draft *draft,
                                       struct opshift_error *error)
{
    bool changed = draft->changed;
    if (is_final(planner, draft))
        return OPSHIFT_OK;
    draft->changed = false;
    bool again = false;
    enum opshift_status status = again_find(planner, judgement->rule, draft, &again, error);
    if (status)
        return status;
    planner->around.relied = &planner->node.relied;
    if (!again)
        status = rule_apply(judgement, draft, error);
    planner->around.relied = NULL;
    if (draft->changed && judgement->rule && planner->node.origin.count < COUNT(planner->node.origin.files))
        planner->node.origin.files[planner->node.origin.count++] = judgement->rule->file;
    draft->changed |= changed;
    return status;
}

enum opshift_status route_step(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    struct judgement judgement =
        rule_judge(planner->rules, draft->domain, draft->op_type, planner->node.step, draft->up);
    return judged_step(planner, &judgement, draft, error);
}

enum opshift_status route_apply(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    const struct route *route;
    const char *op_type = draft->op_type;
    size_t steps_done = 0;
    enum opshift_status status = route_find(planner, draft->node->op_type, draft->opset, &route, error);
    while (status == OPSHIFT_OK && draft->opset != draft->target && !draft->slices && !draft->replacement) {
        planner->node.step = draft->up ? draft->opset + 1 : draft->opset;
        if (draft->op_type != op_type)
            status = route_step(planner, draft, error);
        else if (route->judgements)
            status = judged_step(planner, &route->judgements[steps_done], draft, error);
        steps_done++;
        draft->opset += draft->up ? 1 : -1;
    }
    if (status || draft->slices || draft->replacement)
        return status;
    struct type_limits limits = route->limits;
    if (draft->op_type != op_type) {
        const struct schema *target = schema_find(draft->domain, draft->op_type, draft->target);
        limits = route->source && target ? type_limits_find(route->source, target) : (struct type_limits){0};
    } else {
        status = route_types(planner, draft->graph, draft->node, route->source, route->target, error);
    }
    return status ? status : route_limit(planner, draft->graph, draft->node, draft, &limits, error);
}

enum opshift_status route_apply_as(struct planner *planner, struct draft *draft, struct opshift_error *error)
{
    const struct schema *source = schema_find(draft->domain, draft->op_type, planner->node.move->source);
    enum opshift_status status = OPSHIFT_OK;
    while (status == OPSHIFT_OK && draft->opset != draft->target) {
        planner->node.step = draft->up ? draft->opset + 1 : draft->opset;
        status = route_step(planner, draft, error);
        draft->opset += draft->up ? 1 : -1;
    }
    const struct schema *target = schema_find(draft->domain, draft->op_type, draft->target);
    if (status || source == NULL || target == NULL)
        return status;
    struct type_limits limits = type_limits_find(source, target);
    return route_limit(planner, draft->graph, draft->node, draft, &limits, error);
}

/* A position of a node's values, and the types that source and target accept there. */
struct type_limit {
    const struct schema *target;
    bool output;
    uint32_t position;
    const struct type_set *taken, *allowed;
};

enum fate { FATE_KEPT, FATE_LOST, FATE_OPEN };

/* Does the target accept a value of this type? */
static enum fate limit_fate(const struct type_limit *limit, const struct value_type *type)
{
    uint64_t lost = limit->taken->tensor & ~limit->allowed->tensor;
    if (type->type != OPSHIFT_TYPE_UNDEFINED)
        return limit->allowed->tensor >> type->type & 1 ? FATE_KEPT : FATE_LOST; /* the source may be invalid, too */
    if (type->is_tensor)
        return lost ? FATE_OPEN : FATE_KEPT;
    if (type->other == NULL)
        return loses_types(limit->taken, limit->allowed) ? FATE_OPEN : FATE_KEPT;
    if (others_lost(limit->taken, limit->allowed, type->other) == 0)
        return FATE_KEPT;
    return type_set_begins(limit->allowed, type->other) ? FATE_OPEN : FATE_LOST;
}

static bool set_takes(const struct type_set *types, const struct value_type *type)
{
    return type->type != OPSHIFT_TYPE_UNDEFINED ? types->tensor >> type->type & 1 : type_set_begins(types, type->other);
}

/* The highest opset above the target's version that accepts a type there; 0: none. */
static int64_t limit_top(const struct type_limit *limit, const struct value_type *type)
{
    uint32_t count;
    const struct schema *version = schema_versions(limit->target->domain, limit->target->op_type, &count);
    for (; count > 0; count--, version++) {
        const struct schema_parameter *parameter = parameter_at(version, limit->output, limit->position);
        if (version->since > limit->target->since && parameter != NULL &&
            set_takes(schema_types(version, parameter), type))
            return version->since;
    }
    return 0;
}

/* "float", "seq(tensor(float))"; "seq(...)" if the element type is unknown. */
static void type_words(const struct value_type *type, char *words, size_t size)
{
    if (type->type != OPSHIFT_TYPE_UNDEFINED)
        snprintf(words, size, "%s", type_name(type->type));
    else if (type->other[strlen(type->other) - 1] == ')')
        snprintf(words, size, "%s", type->other);
    else
        snprintf(words, size, "%.*s(...)", (int)strcspn(type->other, "("), type->other);
}

static enum opshift_status taken_nowhere(struct planner *planner, const struct schema *target, bool output,
                                         const char *name, const struct value_type *type, struct opshift_error *error)
{
    char words[96];
    type_words(type, words, sizeof(words));
    planner->node.step = target->since;
    opshift_fail(error, OPSHIFT_NO,
                 "'%s' is %s, which %s takes neither at the opset of the model nor at %u; insert a Cast", name, words,
                 target->op_type, target->since);
    return output ? OPSHIFT_NO : check_cite(OPS015, error);
}

static enum opshift_status limit_refuse(struct planner *planner, const struct type_limit *limit, const char *name,
                                        const struct value_type *type, struct opshift_error *error)
{
    int64_t top = planner->node.move->up ? 0 : limit_top(limit, type);
    char words[96];
    type_words(type, words, sizeof(words));
    if (!set_takes(limit->taken, type))
        return taken_nowhere(planner, limit->target, limit->output, name, type, error);
    planner->node.step = top ? top : limit->target->since;
    opshift_fail(error, OPSHIFT_NO, "'%s' is %s, which %s-%u does not take; %s%s opset %" PRId64 "%s", name, words,
                 limit->target->op_type, limit->target->since,
                 type->type != OPSHIFT_TYPE_UNDEFINED ? "insert a Cast, or " : "", top ? "go to" : "stay below",
                 planner->node.step, top ? " or up" : "");
    return limit->output ? OPSHIFT_NO : check_cite(OPS015, error);
}

/* Handles a value whose type the target may not accept. */
static enum opshift_status limit_meet(struct planner *planner, struct graph *graph, const struct node *node,
                                      name_id name, const struct type_limit *limit, const struct value_type *type,
                                      struct opshift_error *error)
{
    const struct schema *target = limit->target;
    enum fate fate = limit_fate(limit, type);
    if (fate == FATE_KEPT)
        return OPSHIFT_OK;
    const char *text = names_text(planner->model->names, name);
    if (fate == FATE_LOST)
        return limit_refuse(planner, limit, text, type, error);
    planner->node.step = planner->node.move->up ? target->since : planner->node.move->target + 1;
    if (planner->goal->strict)
        return opshift_fail(
            error, OPSHIFT_NO,
            "the type of '%s' is unknown, and %s-%u takes fewer types; declare it among the graph's value "
            "infos, or leave out --strict",
            text, target->op_type, target->since);
    const struct plan_assumption assumption = {
        .kind = ASSUMED_TYPE, .value = name, .target = target, .lost = limit->taken->tensor & ~limit->allowed->tensor};
    return plan_assume(planner->plan, graph, node, &assumption, error);
}

/* Does the rewritten node still have the name at this position? */
static bool is_kept(const struct draft *draft, bool output, uint32_t position, name_id name)
{
    if (draft && output)
        return position >= draft->output_count ? false : draft->outputs[position] != NAME_NONE;
    return draft == NULL || (position < draft->input_count && draft->inputs[position].kind == VALUE_NAME &&
                             draft->inputs[position].name == name);
}

/* Fast path for known types that the target accepts, which most values have. */
static bool is_taken(const struct type_limits *limits, bool output, uint32_t position, const struct value_type *type)
{
    return position < LIMITS_LAST && type->type != OPSHIFT_TYPE_UNDEFINED &&
           (limits->lost[output][position] >> type->type & 1) == 0;
}

static enum opshift_status route_limit_at(struct planner *planner, struct graph *graph, const struct node *node,
                                          const struct draft *draft, const struct type_limits *limits, bool output,
                                          uint32_t position, struct opshift_error *error)
{
    name_id name = output ? node_outputs(node)[position] : node_inputs(node)[position];
    struct value_type type;
    bool assumed;
    if (name == NAME_NONE || !is_kept(draft, output, position, name))
        return OPSHIFT_OK;
    enum opshift_status status = types_find_element(planner->around.types, graph, name, &type, &assumed, error);
    if (status == OPSHIFT_OK && type.type != OPSHIFT_TYPE_UNDEFINED && assumed)
        status = declared_assume(planner, graph, node, &(struct reliance){graph, name, RELIES_ON_ELEMENT}, error);
    if (status || is_taken(limits, output, position, &type))
        return status;
    const struct schema_parameter *from = parameter_at(limits->source, output, position);
    const struct schema_parameter *to = parameter_at(limits->target, output, position);
    if (from == NULL || to == NULL)
        return OPSHIFT_OK;
    struct type_limit limit = {limits->target, output, position, schema_types(limits->source, from),
                               schema_types(limits->target, to)};
    return limit_meet(planner, graph, node, name, &limit, &type, error);
}

enum opshift_status route_limit(struct planner *planner, struct graph *graph, const struct node *node,
                                const struct draft *draft, const struct type_limits *limits,
                                struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (int output = 0; output < 2; output++) {
        uint32_t count = limits->at[output] == 0 ? 0 : output ? node->output_count : node->input_count;
        for (uint32_t i = 0; status == OPSHIFT_OK && i < count; i++)
            if (limits->at[output] >> (i < LIMITS_LAST ? i : LIMITS_LAST) & 1)
                status = route_limit_at(planner, graph, node, draft, limits, output, i, error);
    }
    return status;
}

enum opshift_status route_types(struct planner *planner, struct graph *graph, const struct node *node,
                                const struct schema *source, const struct schema *target, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    for (uint32_t i = 0; status == OPSHIFT_OK && source != target && source && target && i < node->input_count; i++) {
        const struct schema_parameter *from = parameter_at(source, false, i), *to = parameter_at(target, false, i);
        name_id name = node_inputs(node)[i];
        struct value_type type;
        if (name == NAME_NONE || from == NULL || to == NULL)
            continue;
        status = types_find(planner->around.types, graph, name, &type, error);
        if (status || type.type == OPSHIFT_TYPE_UNDEFINED || schema_types(source, from)->tensor >> type.type & 1)
            continue;
        if ((schema_types(target, to)->tensor >> type.type & 1) == 0)
            status = taken_nowhere(planner, target, false, names_text(planner->model->names, name), &type, error);
    }
    return status;
}
