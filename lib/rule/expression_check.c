/* Checks an expression before evaluation: names are known, and operators accept the types of their operands, as far
 * as these are known. */

#include "base/tree.h"
#include "rule/expression_tree.h"

/* Reports a mistake at an expression. */
#define FAIL_AT(at, check, error, ...) tree_fail(error, (check)->file, (at)->line, (at)->column, __VA_ARGS__)

static const struct result_type anything = {RESULT_ANY, RESULT_ANY};

static bool may_be(struct result_type type, enum result_kind kind)
{
    return type.kind == RESULT_ANY || type.kind == kind;
}

static bool may_be_number(struct result_type type)
{
    return type.kind != RESULT_STRING && type.kind != RESULT_LIST;
}

/* The type of the items of a list, or of the characters of a string. */
static struct result_type item_of(struct result_type type)
{
    if (type.kind == RESULT_STRING)
        return (struct result_type){RESULT_STRING, RESULT_ANY};
    return type.kind == RESULT_LIST ? (struct result_type){type.item, RESULT_ANY} : anything;
}

static struct result_type common(struct result_type one, struct result_type other)
{
    if (one.kind != other.kind)
        return anything;
    return (struct result_type){one.kind, one.item == other.item ? one.item : RESULT_ANY};
}

static int name_length(struct bytes name)
{
    return name.size < 60 ? (int)name.size : 60;
}

static enum opshift_status check_name(const struct expression *at, const struct expression_check *check,
                                      struct result_type *type, struct opshift_error *error)
{
    for (const struct expression_name *name = check->names; name != NULL; name = name->outer)
        if (bytes_same(name->name, at->name)) {
            *type = name->type;
            return OPSHIFT_OK;
        }
    *type = (struct result_type){RESULT_INT, RESULT_ANY};
    if (check->attribute(check->data, at->name, type) || bytes_are(at->name, "opset") || bytes_are(at->name, "target"))
        return OPSHIFT_OK;
    if (check->value(check->data, at->name, false))
        return FAIL_AT(at, check, error, "'%.*s' is a value of the graph; ask about it, as in rank(%.*s)",
                       name_length(at->name), (const char *)at->name.data, name_length(at->name),
                       (const char *)at->name.data);
    return FAIL_AT(at, check, error, "there is no attribute, let or loop of the name '%.*s'", name_length(at->name),
                   (const char *)at->name.data);
}

static enum opshift_status check_ask(const struct expression *at, const struct expression_check *check,
                                     struct result_type *type, struct opshift_error *error)
{
    struct result_type inner;
    enum opshift_status status = OPSHIFT_OK;
    bool list = at->question->whole || at->parts[0] != NULL;
    bool attribute = at->question->question == QUESTION_PRESENT && check->attribute(check->data, at->name, &inner);
    if (!attribute && !check->value(check->data, at->name, list))
        return FAIL_AT(at, check, error, "the operator has no %s '%.*s'",
                       list ? "variadic input or output" : "input or output", name_length(at->name),
                       (const char *)at->name.data);
    if (at->parts[0] != NULL)
        status = expression_check(at->parts[0], check, &inner, error);
    if (status == OPSHIFT_OK && at->items != NULL)
        status = expression_check(at->items, check, &inner, error);
    *type = at->question->gives;
    return status;
}

static enum opshift_status check_items(const struct expression *at, const struct expression_check *check,
                                       struct result_type *first, struct result_type *all, struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *first = *all = anything;
    for (const struct expression *item = at->items; status == OPSHIFT_OK && item != NULL; item = item->next) {
        struct result_type type;
        status = expression_check(item, check, &type, error);
        if (item == at->items)
            *first = *all = type;
        *all = common(*all, type);
    }
    return status;
}

static enum opshift_status check_call(const struct expression *at, const struct expression_check *check,
                                      struct result_type *type, struct opshift_error *error)
{
    struct result_type first, all;
    enum opshift_status status = check_items(at, check, &first, &all, error);
    *type = at->function->gives;
    if (at->function->item)
        *type = at->item_count == 1 ? item_of(first) : all;
    if (at->function->same)
        type->item = item_of(first).kind;
    return status;
}

static enum opshift_status check_each(const struct expression *at, const struct expression_check *check,
                                      struct result_type *type, struct opshift_error *error)
{
    struct result_type from, inner;
    enum opshift_status status = expression_check(at->parts[1], check, &from, error);
    if (status == OPSHIFT_OK && !may_be(from, RESULT_LIST) && !may_be(from, RESULT_STRING))
        status =
            FAIL_AT(at->parts[1], check, error, "expected a list or a string, found %s", result_kind_name(from.kind));
    if (status)
        return status;
    struct expression_name name = {.outer = check->names, .name = at->name, .type = item_of(from)};
    struct expression_check within = *check;
    within.names = &name;
    status = expression_check(at->parts[0], &within, &inner, error);
    *type = (struct result_type){RESULT_LIST, inner.kind};
    if (status == OPSHIFT_OK && at->parts[2] != NULL)
        status = expression_check(at->parts[2], &within, &inner, error);
    return status;
}

static enum opshift_status check_part(const struct expression *at, const struct expression_check *check,
                                      struct result_type *type, struct opshift_error *error)
{
    struct result_type from, bound = {RESULT_INT, RESULT_ANY};
    enum opshift_status status = expression_check(at->parts[0], check, &from, error);
    if (status == OPSHIFT_OK && !may_be(from, RESULT_LIST) && !may_be(from, RESULT_STRING))
        status =
            FAIL_AT(at->parts[0], check, error, "expected a list or a string, found %s", result_kind_name(from.kind));
    *type = at->op == EXPRESSION_INDEX ? item_of(from) : from;
    for (int i = 1; status == OPSHIFT_OK && i < 3; i++) {
        if (at->parts[i] == NULL)
            continue;
        status = expression_check(at->parts[i], check, &bound, error);
        if (status == OPSHIFT_OK && !may_be(bound, RESULT_INT))
            status = FAIL_AT(at->parts[i], check, error, "expected an integer, found %s", result_kind_name(bound.kind));
    }
    return status;
}

static enum opshift_status check_choose(const struct expression *at, const struct expression_check *check,
                                        struct result_type *type, struct opshift_error *error)
{
    struct result_type yes, no, condition;
    enum opshift_status status = expression_check(at->parts[0], check, &yes, error);
    if (status == OPSHIFT_OK)
        status = expression_check(at->parts[1], check, &condition, error);
    if (status == OPSHIFT_OK)
        status = expression_check(at->parts[2], check, &no, error);
    if (status == OPSHIFT_OK)
        *type = common(yes, no);
    return status;
}

static struct result_type type_of_sum(struct result_type one, struct result_type other)
{
    if (one.kind == RESULT_LIST || one.kind == RESULT_STRING)
        return common(one, other);
    if (one.kind == RESULT_ANY || other.kind == RESULT_ANY)
        return anything;
    bool whole = one.kind != RESULT_FLOAT && other.kind != RESULT_FLOAT;
    return (struct result_type){whole ? RESULT_INT : RESULT_FLOAT, RESULT_ANY};
}

static bool operands_fit(enum expression_op op, struct result_type one, struct result_type other)
{
    bool numbers = may_be_number(one) && may_be_number(other);
    bool strings = may_be(one, RESULT_STRING) && may_be(other, RESULT_STRING);
    switch (op) {
    case EXPRESSION_ADD:
        return numbers || strings || (may_be(one, RESULT_LIST) && may_be(other, RESULT_LIST));
    case EXPRESSION_MULTIPLY:
        return numbers || (may_be(one, RESULT_LIST) && may_be(other, RESULT_INT));
    case EXPRESSION_SUBTRACT:
    case EXPRESSION_DIVIDE:
    case EXPRESSION_REMAINDER:
        return numbers;
    case EXPRESSION_IN:
    case EXPRESSION_NOT_IN:
        return may_be(other, RESULT_LIST) || may_be(other, RESULT_STRING);
    case EXPRESSION_EQUAL:
    case EXPRESSION_UNEQUAL:
        return numbers || strings || (may_be(one, RESULT_LIST) && may_be(other, RESULT_LIST));
    case EXPRESSION_AND:
    case EXPRESSION_OR:
        return numbers;
    default:
        return numbers || strings;
    }
}

static enum opshift_status check_two(const struct expression *at, const struct expression_check *check,
                                     struct result_type *type, struct opshift_error *error)
{
    struct result_type one, other;
    enum opshift_status status = expression_check(at->parts[0], check, &one, error);
    if (status == OPSHIFT_OK)
        status = expression_check(at->parts[1], check, &other, error);
    if (status)
        return status;
    if (!operands_fit(at->op, one, other))
        return FAIL_AT(at, check, error, "the operator does not take %s and %s", result_kind_name(one.kind),
                       result_kind_name(other.kind));
    bool arithmetic = at->op >= EXPRESSION_ADD && at->op <= EXPRESSION_REMAINDER;
    *type = arithmetic ? type_of_sum(one, other) : (struct result_type){RESULT_BOOL, RESULT_ANY};
    if (at->op == EXPRESSION_MULTIPLY && one.kind == RESULT_LIST)
        *type = one;
    return OPSHIFT_OK;
}

static enum opshift_status check_one(const struct expression *at, const struct expression_check *check,
                                     struct result_type *type, struct opshift_error *error)
{
    enum opshift_status status = expression_check(at->parts[0], check, type, error);
    if (status == OPSHIFT_OK && !may_be_number(*type))
        return FAIL_AT(at, check, error, "the operator does not take %s", result_kind_name(type->kind));
    if (at->op == EXPRESSION_NOT)
        *type = (struct result_type){RESULT_BOOL, RESULT_ANY};
    return status;
}

enum opshift_status expression_check(const struct expression *at, const struct expression_check *check,
                                     struct result_type *type, struct opshift_error *error)
{
    struct result_type first, all;
    enum opshift_status status;
    *type = anything;
    switch (at->op) {
    case EXPRESSION_CONSTANT:
        type->kind = at->constant.kind;
        return OPSHIFT_OK;
    case EXPRESSION_NAME:
        return check_name(at, check, type, error);
    case EXPRESSION_LIST:
        status = check_items(at, check, &first, &all, error);
        *type = (struct result_type){RESULT_LIST, all.kind};
        return status;
    case EXPRESSION_EACH:
        return check_each(at, check, type, error);
    case EXPRESSION_CALL:
        return check_call(at, check, type, error);
    case EXPRESSION_ASK:
        return check_ask(at, check, type, error);
    case EXPRESSION_INDEX:
    case EXPRESSION_SLICE:
        return check_part(at, check, type, error);
    case EXPRESSION_CHOOSE:
        return check_choose(at, check, type, error);
    case EXPRESSION_NEGATE:
    case EXPRESSION_NOT:
        return check_one(at, check, type, error);
    default:
        return check_two(at, check, type, error);
    }
}
