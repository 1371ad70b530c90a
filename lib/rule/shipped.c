/* Rules that are built in, unpacked. */
#include "rule/shipped.h"

#include <stdlib.h>
#include <string.h>

static const char *text_at(uint32_t begin)
{
    return begin ? shipped_texts + begin : NULL;
}

/* False: no memory. */
static bool list_unpack(uint32_t begin, struct arena *arena, const char *const **items)
{
    const uint32_t *packed = shipped_lists + begin;
    size_t count = 0;
    *items = NULL;
    if (begin == 0)
        return true;
    while (packed[count] != 0)
        count++;
    const char **made = arena_alloc(arena, count + 1, sizeof(*made));
    for (size_t i = 0; made != NULL && i < count; i++)
        made[i] = text_at(packed[i]);
    *items = made;
    return made != NULL;
}

static bool step_unpack(const struct packed_step *packed, struct arena *arena, struct step *step)
{
    struct parameter *parameters = arena_alloc(arena, packed->parameter_count, sizeof(*parameters));
    bool done = parameters != NULL;
    for (uint32_t i = 0; done && i < packed->parameter_count; i++) {
        const struct packed_parameter *from = &shipped_parameters[packed->parameters + i];
        parameters[i].name = text_at(from->name);
        parameters[i].text = text_at(from->text);
        done = list_unpack(from->items, arena, &parameters[i].items);
    }
    step->action = &rule_actions[packed->action];
    step->verb = step->action->verb;
    step->parameters = parameters;
    step->parameter_count = packed->parameter_count;
    step->line = packed->line;
    return done;
}

static bool rule_unpack(const struct packed_rule *packed, struct arena *arena, struct rule *rule)
{
    bool done = true;
    rule->domain = text_at(packed->key.domain);
    rule->op_type = text_at(packed->key.op_type);
    rule->opset = packed->key.opset;
    rule->file = text_at(packed->file);
    rule->why = text_at(packed->why);
    rule->line = packed->line;
    rule->column = packed->column;
    for (int way = DIRECTION_UP; done && way <= DIRECTION_DOWN; way++) {
        struct step *steps = arena_alloc(arena, packed->step_count[way], sizeof(*steps));
        done = steps != NULL;
        for (uint32_t i = 0; done && i < packed->step_count[way]; i++)
            done = step_unpack(&shipped_steps[packed->steps[way] + i], arena, &steps[i]);
        rule->steps[way] = steps;
        rule->step_count[way] = packed->step_count[way];
        rule->has[way] = packed->has[way];
    }
    return done;
}

static bool compatible_unpack(const struct packed_compatible *packed, struct arena *arena, struct compatible *entry)
{
    bool done = true;
    entry->domain = text_at(packed->key.domain);
    entry->op_type = text_at(packed->key.op_type);
    entry->opset = packed->key.opset;
    entry->file = text_at(packed->file);
    entry->line = packed->line;
    entry->column = packed->column;
    for (int way = DIRECTION_UP; done && way <= DIRECTION_DOWN; way++) {
        entry->has[way] = packed->has[way];
        entry->why[way] = text_at(packed->why[way]);
        done = list_unpack(packed->unless[way], arena, &entry->unless[way]);
    }
    return done;
}

static int rule_order(const void *key, const void *row)
{
    const struct packed_key *packed = &((const struct packed_rule *)row)->key;
    const struct rule rule = {
        .domain = text_at(packed->domain), .op_type = text_at(packed->op_type), .opset = packed->opset};
    return rule_compare(key, &rule);
}

static int compatible_order(const void *key, const void *row)
{
    const struct packed_key *packed = &((const struct packed_compatible *)row)->key;
    const struct compatible entry = {
        .domain = text_at(packed->domain), .op_type = text_at(packed->op_type), .opset = packed->opset};
    return compatible_compare(key, &entry);
}

enum opshift_status shipped_rule_find(const struct rule *key, struct arena *arena, const struct rule **rule,
                                      struct opshift_error *error)
{
    const struct packed_rule *packed =
        bsearch(key, shipped_rules, shipped_rule_count, sizeof(*shipped_rules), rule_order);
    *rule = NULL;
    if (packed == NULL)
        return OPSHIFT_OK;
    struct rule *made = arena_alloc(arena, 1, sizeof(*made));
    if (made == NULL || !rule_unpack(packed, arena, made))
        return opshift_no_memory(error);
    *rule = made;
    return OPSHIFT_OK;
}

enum opshift_status shipped_compatible_find(const struct compatible *key, struct arena *arena,
                                            const struct compatible **entry, struct opshift_error *error)
{
    const struct packed_compatible *packed =
        bsearch(key, shipped_compatibles, shipped_compatible_count, sizeof(*shipped_compatibles), compatible_order);
    *entry = NULL;
    if (packed == NULL)
        return OPSHIFT_OK;
    struct compatible *made = arena_alloc(arena, 1, sizeof(*made));
    if (made == NULL || !compatible_unpack(packed, arena, made))
        return opshift_no_memory(error);
    *entry = made;
    return OPSHIFT_OK;
}

enum opshift_status shipped_unpack(struct rule_set *set, struct opshift_error *error)
{
    set->rules = arena_alloc(set->arena, shipped_rule_count, sizeof(*set->rules));
    set->compatibles = arena_alloc(set->arena, shipped_compatible_count, sizeof(*set->compatibles));
    bool done = set->rules != NULL && set->compatibles != NULL;
    for (uint32_t i = 0; done && i < shipped_rule_count; i++)
        done = rule_unpack(&shipped_rules[i], set->arena, &set->rules[i]);
    for (uint32_t i = 0; done && i < shipped_compatible_count; i++)
        done = compatible_unpack(&shipped_compatibles[i], set->arena, &set->compatibles[i]);
    set->rule_count = set->rule_room = shipped_rule_count;
    set->compatible_count = set->compatible_room = shipped_compatible_count;
    return done ? OPSHIFT_OK : opshift_no_memory(error);
}
