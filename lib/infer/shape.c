/* The table of shape functions by operator. */
#include "infer/shape.h"

static const shape_rule rules[] = {
#define SHAPE(function)
#define RULE(operator, function) [OPERATOR_##operator] = function,
#include "infer/shape_list.h"
};

shape_rule shape_rule_find(enum operator_id id)
{
    return id < COUNT(rules) ? rules[id] : NULL;
}
