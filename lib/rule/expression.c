/* Evaluates an expression. Integer overflow and indices out of range are failures. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rule/expression_tree.h"

const char *result_kind_name(enum result_kind kind)
{
    static const char *const names[] = {[RESULT_ANY] = "a value",
                                        [RESULT_INT] = "an integer",
                                        [RESULT_FLOAT] = "a float",
                                        [RESULT_BOOL] = "a bool",
                                        [RESULT_STRING] = "a string",
                                        [RESULT_LIST] = "a list",
                                        [RESULT_OPEN] = "a dim that is not known"};
    return names[kind];
}

enum opshift_status expression_fail(const struct expression *at, const struct expression_world *world,
                                    struct opshift_error *error, const char *format, ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof(words), format, arguments);
    va_end(arguments);
    return opshift_fail(error, OPSHIFT_UNSUPPORTED, "%s:%u:%u: %s", world->file, at->line, at->column, words);
}

enum opshift_status expression_charge(const struct expression *at, struct expression_world *world, uint64_t steps,
                                      struct opshift_error *error)
{
    if (steps > world->steps)
        return expression_fail(at, world, error, "more steps than an expression may take");
    world->steps -= (uint32_t)steps;
    return OPSHIFT_OK;
}

enum opshift_status expression_list(const struct expression *at, struct expression_world *world, size_t count,
                                    struct result **items, struct opshift_error *error)
{
    enum opshift_status status = expression_charge(at, world, count, error);
    if (status)
        return status;
    *items = arena_alloc(world->arena, count + 1, sizeof(**items));
    return *items == NULL ? opshift_no_memory(error) : OPSHIFT_OK;
}

enum opshift_status result_items(const struct expression *at, struct expression_world *world,
                                 const struct result *value, const struct result **items, size_t *count,
                                 struct opshift_error *error)
{
    if (value->kind == RESULT_LIST) {
        *items = value->list.items;
        *count = value->list.count;
        return OPSHIFT_OK;
    }
    if (value->kind != RESULT_STRING)
        return expression_fail(at, world, error, "expected a list or a string, found %s",
                               result_kind_name(value->kind));
    struct result *made;
    enum opshift_status status = expression_list(at, world, value->s.size, &made, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < value->s.size; i++)
        made[i] = result_text((struct bytes){value->s.data + i, 1});
    *items = made;
    *count = value->s.size;
    return status;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static bool is_number(const struct result *value)
{
    return value->kind == RESULT_INT || value->kind == RESULT_FLOAT || value->kind == RESULT_BOOL;
}

static double real_of(const struct result *value)
{
    return value->kind == RESULT_FLOAT ? value->f : (double)value->i;
}

static bool both_whole(const struct result *one, const struct result *other)
{
    return one->kind != RESULT_FLOAT && other->kind != RESULT_FLOAT;
}

static enum opshift_status fail_operands(const struct expression *at, const struct expression_world *world,
                                         const char *deed, const struct result *one, const struct result *other,
                                         struct opshift_error *error)
{
    return expression_fail(at, world, error, "%s: found %s and %s", deed, result_kind_name(one->kind),
                           result_kind_name(other->kind));
}

static int number_order(const struct result *one, const struct result *other)
{
    if (both_whole(one, other))
        return (one->i > other->i) - (one->i < other->i);
    double left = real_of(one), right = real_of(other);
    return isnan(left) || isnan(right) ? RESULT_UNORDERED : (left > right) - (left < right);
}

static int string_order(struct bytes one, struct bytes other)
{
    size_t size = one.size < other.size ? one.size : other.size;
    int order = size == 0 ? 0 : memcmp(one.data, other.data, size);
    if (order == 0)
        return (one.size > other.size) - (one.size < other.size);
    return order > 0 ? 1 : -1;
}

enum opshift_status result_order(const struct expression *at, struct expression_world *world, const struct result *one,
                                 const struct result *other, int *order, struct opshift_error *error)
{
    if (is_number(one) && is_number(other)) {
        *order = number_order(one, other);
        return OPSHIFT_OK;
    }
    if (one->kind != RESULT_STRING || other->kind != RESULT_STRING)
        return fail_operands(at, world, "only two numbers or two strings have an order", one, other, error);
    *order = string_order(one->s, other->s);
    return expression_charge(at, world, one->s.size, error);
}

/* Lists that differ somewhere are not equal, whatever is unknown elsewhere. */
static enum opshift_status list_equal(const struct expression *at, struct expression_world *world,
                                      const struct result *one, const struct result *other, bool *equal,
                                      struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK, unknown = OPSHIFT_OK;
    struct opshift_error why;
    *equal = one->list.count == other->list.count;
    for (size_t i = 0; status == OPSHIFT_OK && *equal && i < one->list.count; i++) {
        status = result_equal(at, world, &one->list.items[i], &other->list.items[i], equal, &why);
        if (status == OPSHIFT_NO) {
            unknown = error_give(error, status, &why);
            status = error_forget(&why);
            *equal = true;
        }
    }
    if (status)
        return error_give(error, status, &why);
    return *equal ? unknown : error_forget(error);
}

enum opshift_status result_equal(const struct expression *at, struct expression_world *world, const struct result *one,
                                 const struct result *other, bool *equal, struct opshift_error *error)
{
    enum opshift_status status = expression_charge(at, world, 1, error);
    *equal = false;
    if (status)
        return status;
    if (one->kind == RESULT_OPEN || other->kind == RESULT_OPEN) {
        *equal = one->kind == other->kind && one->i == other->i && one->i >= 0;
        return *equal ? OPSHIFT_OK
                      : opshift_fail(error, OPSHIFT_NO,
                                     "a dim is unknown; give the shapes of the model's inputs by "
                                     "--shape NAME=...");
    }
    if (is_number(one) && is_number(other)) {
        *equal = number_order(one, other) == 0;
    } else if (one->kind == RESULT_STRING && other->kind == RESULT_STRING) {
        *equal = string_order(one->s, other->s) == 0;
        status = expression_charge(at, world, one->s.size, error);
    } else if (one->kind == RESULT_LIST && other->kind == RESULT_LIST) {
        status = list_equal(at, world, one, other, equal, error);
    }
    return status;
}

static enum opshift_status concatenate(const struct expression *at, struct expression_world *world,
                                       const struct result *one, const struct result *other, struct result *value,
                                       struct opshift_error *error)
{
    struct result *items;
    size_t left = one->list.count, right = other->list.count;
    enum opshift_status status = expression_list(at, world, left + right, &items, error);
    if (status)
        return status;
    if (left)
        memcpy(items, one->list.items, left * sizeof(*items));
    if (right)
        memcpy(items + left, other->list.items, right * sizeof(*items));
    *value = result_list(items, left + right);
    return OPSHIFT_OK;
}

static enum opshift_status join_strings(const struct expression *at, struct expression_world *world,
                                        const struct result *one, const struct result *other, struct result *value,
                                        struct opshift_error *error)
{
    size_t size = one->s.size + other->s.size;
    enum opshift_status status = expression_charge(at, world, size, error);
    if (status)
        return status;
    uint8_t *text = arena_bytes(world->arena, size + 1);
    if (text == NULL)
        return opshift_no_memory(error);
    if (one->s.size)
        memcpy(text, one->s.data, one->s.size);
    if (other->s.size)
        memcpy(text + one->s.size, other->s.data, other->s.size);
    *value = result_text((struct bytes){text, size});
    return OPSHIFT_OK;
}

enum opshift_status result_add(const struct expression *at, struct expression_world *world, const struct result *one,
                               const struct result *other, struct result *value, struct opshift_error *error)
{
    int64_t sum;
    if (one->kind == RESULT_LIST && other->kind == RESULT_LIST)
        return concatenate(at, world, one, other, value, error);
    if (one->kind == RESULT_STRING && other->kind == RESULT_STRING)
        return join_strings(at, world, one, other, value, error);
    if (!is_number(one) || !is_number(other))
        return fail_operands(at, world, "+ adds numbers, or joins two lists or two strings", one, other, error);
    if (!both_whole(one, other)) {
        *value = result_real(real_of(one) + real_of(other));
        return OPSHIFT_OK;
    }
    if (__builtin_add_overflow(one->i, other->i, &sum))
        return expression_fail(at, world, error, "overflow");
    *value = result_int(sum);
    return OPSHIFT_OK;
}

/* [0] * 4 */
static enum opshift_status repeat(const struct expression *at, struct expression_world *world,
                                  const struct result *list, int64_t times, struct result *value,
                                  struct opshift_error *error)
{
    struct result *items = NULL;
    uint64_t count = times < 0 ? 0 : (uint64_t)times;
    if (list->list.count == 0)
        count = 0;
    if (count > EXPRESSION_STEPS_MAX)
        return expression_charge(at, world, count, error);
    enum opshift_status status = expression_list(at, world, list->list.count * count, &items, error);
    for (uint64_t i = 0; status == OPSHIFT_OK && i < count; i++)
        memcpy(items + i * list->list.count, list->list.items, list->list.count * sizeof(*items));
    *value = result_list(items, list->list.count * count);
    return status;
}

enum opshift_status result_multiply(const struct expression *at, struct expression_world *world,
                                    const struct result *one, const struct result *other, struct result *value,
                                    struct opshift_error *error)
{
    int64_t product;
    if (one->kind == RESULT_LIST && other->kind == RESULT_INT)
        return repeat(at, world, one, other->i, value, error);
    if (!is_number(one) || !is_number(other))
        return fail_operands(at, world, "* multiplies numbers, or a list by an integer", one, other, error);
    if (!both_whole(one, other)) {
        *value = result_real(real_of(one) * real_of(other));
        return OPSHIFT_OK;
    }
    if (__builtin_mul_overflow(one->i, other->i, &product))
        return expression_fail(at, world, error, "overflow");
    *value = result_int(product);
    return OPSHIFT_OK;
}

static enum opshift_status subtract(const struct expression *at, struct expression_world *world,
                                    const struct result *one, const struct result *other, struct result *value,
                                    struct opshift_error *error)
{
    int64_t difference;
    if (!is_number(one) || !is_number(other))
        return fail_operands(at, world, "- takes numbers", one, other, error);
    if (!both_whole(one, other)) {
        *value = result_real(real_of(one) - real_of(other));
        return OPSHIFT_OK;
    }
    if (__builtin_sub_overflow(one->i, other->i, &difference))
        return expression_fail(at, world, error, "overflow");
    *value = result_int(difference);
    return OPSHIFT_OK;
}

/* The quotient of two integers is rounded down, and the remainder has the sign of the divisor. */
static enum opshift_status divide(const struct expression *at, struct expression_world *world, const struct result *one,
                                  const struct result *other, struct result *value, struct opshift_error *error)
{
    bool remainder = at->op == EXPRESSION_REMAINDER;
    if (!is_number(one) || !is_number(other) || (remainder && !both_whole(one, other)))
        return fail_operands(at, world, remainder ? "% takes integers" : "/ takes numbers", one, other, error);
    if (!both_whole(one, other)) {
        *value = result_real(real_of(one) / real_of(other));
        return OPSHIFT_OK;
    }
    if (other->i == 0)
        return expression_fail(at, world, error, "division by 0");
    if (one->i == INT64_MIN && other->i == -1)
        return remainder ? (*value = result_int(0), OPSHIFT_OK) : expression_fail(at, world, error, "overflow");
    int64_t quotient = one->i / other->i, rest = one->i % other->i;
    bool lower = rest != 0 && (rest < 0) != (other->i < 0);
    *value = result_int(remainder ? rest + (lower ? other->i : 0) : quotient - lower);
    return OPSHIFT_OK;
}

/* ---- lists ------------------------------------------------------------------------------------------------------ */

static enum opshift_status contains(const struct expression *at, struct expression_world *world,
                                    const struct result *item, const struct result *in, bool *found,
                                    struct opshift_error *error)
{
    const struct result *items;
    size_t count;
    *found = false;
    enum opshift_status status = result_items(at, world, in, &items, &count, error);
    for (size_t i = 0; status == OPSHIFT_OK && !*found && i < count; i++)
        status = result_equal(at, world, item, &items[i], found, error);
    return status;
}

static enum opshift_status evaluate_int(const struct expression *at, struct expression_world *world, int64_t *value,
                                        struct opshift_error *error)
{
    struct result result;
    enum opshift_status status = expression_evaluate(at, world, &result, error);
    if (status == OPSHIFT_OK && result.kind != RESULT_INT)
        status = expression_fail(at, world, error, "expected an integer, found %s", result_kind_name(result.kind));
    if (status == OPSHIFT_OK)
        *value = result.i;
    return status;
}

static enum opshift_status evaluate_index(const struct expression *at, struct expression_world *world,
                                          struct result *value, struct opshift_error *error)
{
    struct result from;
    const struct result *items;
    size_t count;
    int64_t index;
    enum opshift_status status = expression_evaluate(at->parts[0], world, &from, error);
    if (status == OPSHIFT_OK)
        status = result_items(at, world, &from, &items, &count, error);
    if (status == OPSHIFT_OK)
        status = evaluate_int(at->parts[1], world, &index, error);
    if (status)
        return status;
    int64_t place = index < 0 ? index + (int64_t)count : index;
    if (place < 0 || place >= (int64_t)count)
        return expression_fail(at, world, error, "index %lld is outside %s of %zu", (long long)index,
                               result_kind_name(from.kind), count);
    *value = items[place];
    return OPSHIFT_OK;
}

/* A bound of a slice, clamped to 0..count as in Python. */
static enum opshift_status evaluate_bound(const struct expression *at, struct expression_world *world, size_t count,
                                          size_t absent, size_t *bound, struct opshift_error *error)
{
    int64_t index;
    *bound = absent;
    if (at == NULL)
        return OPSHIFT_OK;
    enum opshift_status status = evaluate_int(at, world, &index, error);
    if (status)
        return status;
    if (index < 0)
        index = index < -(int64_t)count ? 0 : index + (int64_t)count;
    *bound = index > (int64_t)count ? count : (size_t)index;
    return OPSHIFT_OK;
}

static enum opshift_status evaluate_slice(const struct expression *at, struct expression_world *world,
                                          struct result *value, struct opshift_error *error)
{
    struct result from;
    size_t first = 0, end = 0;
    enum opshift_status status = expression_evaluate(at->parts[0], world, &from, error);
    if (status)
        return status;
    if (from.kind != RESULT_LIST && from.kind != RESULT_STRING)
        return expression_fail(at, world, error, "expected a list or a string, found %s", result_kind_name(from.kind));
    size_t count = from.kind == RESULT_LIST ? from.list.count : from.s.size;
    status = evaluate_bound(at->parts[1], world, count, 0, &first, error);
    if (status == OPSHIFT_OK)
        status = evaluate_bound(at->parts[2], world, count, count, &end, error);
    if (status)
        return status;
    size_t size = end > first ? end - first : 0;
    *value = from;
    if (from.kind == RESULT_STRING)
        value->s = (struct bytes){size ? from.s.data + first : NULL, size};
    else
        *value = result_list(size ? from.list.items + first : NULL, size);
    return OPSHIFT_OK;
}

static enum opshift_status evaluate_list(const struct expression *at, struct expression_world *world,
                                         struct result **items, struct opshift_error *error)
{
    enum opshift_status status = expression_list(at, world, at->item_count, items, error);
    size_t i = 0;
    for (const struct expression *item = at->items; status == OPSHIFT_OK && item != NULL; item = item->next)
        status = expression_evaluate(item, world, &(*items)[i++], error);
    return status;
}

/* [parts[0] for name in parts[1] if parts[2]] */
static enum opshift_status evaluate_each(const struct expression *at, struct expression_world *world,
                                         struct result *value, struct opshift_error *error)
{
    struct expression_name name = {.outer = world->names, .name = at->name};
    struct result from, *made;
    const struct result *items;
    size_t count, used = 0;
    enum opshift_status status = expression_evaluate(at->parts[1], world, &from, error);
    if (status == OPSHIFT_OK)
        status = result_items(at, world, &from, &items, &count, error);
    if (status == OPSHIFT_OK)
        status = expression_list(at, world, count, &made, error);
    if (status)
        return status;
    world->names = &name;
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++) {
        bool holds = true;
        name.value = items[i];
        if (at->parts[2] != NULL)
            status = expression_holds(at->parts[2], world, &holds, error);
        if (status == OPSHIFT_OK && holds)
            status = expression_evaluate(at->parts[0], world, &made[used++], error);
    }
    world->names = name.outer;
    *value = result_list(made, used);
    return status;
}

/* ---- names, questions, calls ------------------------------------------------------------------------------------ */

enum opshift_status expression_name_value(struct expression_name *name, struct expression_world *world,
                                          struct opshift_error *error)
{
    struct expression_name *names = world->names;
    if (name->pending == NULL)
        return OPSHIFT_OK;
    if (world->pending == EXPRESSION_PENDING_MAX)
        return expression_fail(name->pending, world, error, "more than %d names depend on each other",
                               EXPRESSION_PENDING_MAX);
    world->pending++;
    world->names = name->outer;
    enum opshift_status status = expression_evaluate(name->pending, world, &name->value, error);
    world->names = names;
    world->pending--;
    if (status == OPSHIFT_OK)
        name->pending = NULL;
    return status;
}

static enum opshift_status evaluate_name(const struct expression *at, struct expression_world *world,
                                         struct result *value, struct opshift_error *error)
{
    for (struct expression_name *name = world->names; name != NULL; name = name->outer)
        if (bytes_same(name->name, at->name)) {
            enum opshift_status status = expression_name_value(name, world, error);
            *value = name->value;
            return status;
        }
    if (bytes_are(at->name, "opset") || bytes_are(at->name, "target")) {
        *value = result_int(bytes_are(at->name, "opset") ? world->opset : world->target);
        return OPSHIFT_OK;
    }
    struct opshift_error why;
    enum opshift_status status = world->attribute(world->data, at->name, value, &why);
    if (status == OPSHIFT_UNSUPPORTED)
        return expression_fail(at, world, error, "%s", why.text);
    return error_give(error, status, &why);
}

static enum opshift_status evaluate_ask(const struct expression *at, struct expression_world *world,
                                        struct result *value, struct opshift_error *error)
{
    struct bytes name = at->name;
    int64_t which, dim = 0;
    enum opshift_status status = OPSHIFT_OK;
    struct opshift_error why;
    if (at->parts[0] != NULL) {
        status = evaluate_int(at->parts[0], world, &which, error);
        char *text = arena_print(world->arena, "%.*s_%lld", (int)name.size, (const char *)name.data,
                                 status == OPSHIFT_OK ? (long long)which : 0);
        if (text == NULL)
            return opshift_no_memory(error);
        name = (struct bytes){(const uint8_t *)text, strlen(text)};
    }
    if (status == OPSHIFT_OK && at->items != NULL)
        status = evaluate_int(at->items, world, &dim, error);
    if (status)
        return status;
    status = world->ask(world->data, at->question->question, name, dim, value, &why);
    if (status == OPSHIFT_UNSUPPORTED)
        return expression_fail(at, world, error, "%s", why.text);
    error_give(error, status, &why);
    if (status == OPSHIFT_OK && value->kind == RESULT_LIST)
        status = expression_charge(at, world, value->list.count, error);
    return status;
}

static enum opshift_status evaluate_call(const struct expression *at, struct expression_world *world,
                                         struct result *value, struct opshift_error *error)
{
    struct result *arguments;
    enum opshift_status status = evaluate_list(at, world, &arguments, error);
    for (uint32_t i = 0; status == OPSHIFT_OK && i < at->item_count; i++) {
        enum result_kind wanted = at->function->takes[i];
        if (wanted != RESULT_ANY && arguments[i].kind != wanted)
            status = expression_fail(at, world, error, "%s() takes %s, found %s", at->function->name,
                                     result_kind_name(wanted), result_kind_name(arguments[i].kind));
    }
    return status ? status : at->function->call(at, world, arguments, value, error);
}

/* ---- operators -------------------------------------------------------------------------------------------------- */

/* Short-circuits: if one side decides, the other may be unknown. */
static enum opshift_status evaluate_logic(const struct expression *at, struct expression_world *world,
                                          struct result *value, struct opshift_error *error)
{
    bool decides = at->op == EXPRESSION_OR, left = false, right = false;
    struct opshift_error unknown, ignored;
    enum opshift_status first = expression_holds(at->parts[0], world, &left, &unknown);
    bool open = first == OPSHIFT_NO;
    *value = result_bool(left);
    if (first == OPSHIFT_OK && left == decides)
        return OPSHIFT_OK;
    if (first == OPSHIFT_OK || open) {
        enum opshift_status second = expression_holds(at->parts[1], world, &right, open ? &ignored : error);
        *value = result_bool(right);
        if (!open || (second == OPSHIFT_OK && right == decides))
            return second;
    }
    return error_give(error, first, &unknown);
}

static enum opshift_status evaluate_choose(const struct expression *at, struct expression_world *world,
                                           struct result *value, struct opshift_error *error)
{
    bool holds = false;
    enum opshift_status status = expression_holds(at->parts[1], world, &holds, error);
    return status ? status : expression_evaluate(at->parts[holds ? 0 : 2], world, value, error);
}

static enum opshift_status evaluate_negate(const struct expression *at, struct expression_world *world,
                                           struct result *value, struct opshift_error *error)
{
    const struct result zero = result_int(0);
    struct result inner;
    enum opshift_status status = expression_evaluate(at->parts[0], world, &inner, error);
    if (status)
        return status;
    if (inner.kind == RESULT_FLOAT) {
        *value = result_real(-inner.f);
        return OPSHIFT_OK;
    }
    return subtract(at, world, &zero, &inner, value, error);
}

static enum opshift_status evaluate_order(const struct expression *at, struct expression_world *world,
                                          const struct result *one, const struct result *other, struct result *value,
                                          struct opshift_error *error)
{
    int order = 0;
    enum opshift_status status = result_order(at, world, one, other, &order, error);
    if (status)
        return status;
    bool holds = at->op == EXPRESSION_LESS         ? order == -1
                 : at->op == EXPRESSION_LESS_EQUAL ? order == -1 || order == 0
                 : at->op == EXPRESSION_GREATER    ? order == 1
                                                   : order == 1 || order == 0;
    *value = result_bool(holds);
    return OPSHIFT_OK;
}

static enum opshift_status evaluate_two(const struct expression *at, struct expression_world *world,
                                        struct result *value, struct opshift_error *error)
{
    struct result one, other;
    bool found;
    enum opshift_status status = expression_evaluate(at->parts[0], world, &one, error);
    if (status == OPSHIFT_OK)
        status = expression_evaluate(at->parts[1], world, &other, error);
    if (status)
        return status;
    switch (at->op) {
    case EXPRESSION_ADD:
        return result_add(at, world, &one, &other, value, error);
    case EXPRESSION_SUBTRACT:
        return subtract(at, world, &one, &other, value, error);
    case EXPRESSION_MULTIPLY:
        return result_multiply(at, world, &one, &other, value, error);
    case EXPRESSION_DIVIDE:
    case EXPRESSION_REMAINDER:
        return divide(at, world, &one, &other, value, error);
    case EXPRESSION_EQUAL:
    case EXPRESSION_UNEQUAL:
        status = result_equal(at, world, &one, &other, &found, error);
        *value = result_bool(found == (at->op == EXPRESSION_EQUAL));
        return status;
    case EXPRESSION_IN:
    case EXPRESSION_NOT_IN:
        status = contains(at, world, &one, &other, &found, error);
        *value = result_bool(found == (at->op == EXPRESSION_IN));
        return status;
    default:
        return evaluate_order(at, world, &one, &other, value, error);
    }
}

enum opshift_status expression_evaluate(const struct expression *at, struct expression_world *world,
                                        struct result *value, struct opshift_error *error)
{
    enum opshift_status status = expression_charge(at, world, 1, error);
    struct result *items;
    bool holds = false;
    if (status)
        return status;
    switch (at->op) {
    case EXPRESSION_CONSTANT:
        *value = at->constant;
        return OPSHIFT_OK;
    case EXPRESSION_NAME:
        return evaluate_name(at, world, value, error);
    case EXPRESSION_LIST:
        status = evaluate_list(at, world, &items, error);
        *value = result_list(items, at->item_count);
        return status;
    case EXPRESSION_EACH:
        return evaluate_each(at, world, value, error);
    case EXPRESSION_CALL:
        return evaluate_call(at, world, value, error);
    case EXPRESSION_ASK:
        return evaluate_ask(at, world, value, error);
    case EXPRESSION_INDEX:
        return evaluate_index(at, world, value, error);
    case EXPRESSION_SLICE:
        return evaluate_slice(at, world, value, error);
    case EXPRESSION_CHOOSE:
        return evaluate_choose(at, world, value, error);
    case EXPRESSION_NEGATE:
        return evaluate_negate(at, world, value, error);
    case EXPRESSION_NOT:
        status = expression_holds(at->parts[0], world, &holds, error);
        *value = result_bool(!holds);
        return status;
    case EXPRESSION_AND:
    case EXPRESSION_OR:
        return evaluate_logic(at, world, value, error);
    default:
        return evaluate_two(at, world, value, error);
    }
}

enum opshift_status expression_holds(const struct expression *expression, struct expression_world *world, bool *holds,
                                     struct opshift_error *error)
{
    struct result value;
    enum opshift_status status = expression_evaluate(expression, world, &value, error);
    if (status)
        return status;
    if (value.kind != RESULT_BOOL && value.kind != RESULT_INT)
        return expression_fail(expression, world, error, "expected a bool or an integer, found %s",
                               result_kind_name(value.kind));
    *holds = value.i != 0;
    return OPSHIFT_OK;
}
