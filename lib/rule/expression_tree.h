/* The tree of an expression, for those who read, check and evaluate it. */
#ifndef RULE_EXPRESSION_TREE_H
#define RULE_EXPRESSION_TREE_H

#include <string.h>

#include "rule/expression.h"

enum expression_op {
    EXPRESSION_CONSTANT,
    EXPRESSION_NAME,
    EXPRESSION_LIST,   /* items */
    EXPRESSION_EACH,   /* [parts[0] for name in parts[1] if parts[2]] */
    EXPRESSION_CALL,   /* function, items */
    EXPRESSION_ASK,    /* question, name, parts[0]: which of a variadic parameter, items: the other arguments */
    EXPRESSION_INDEX,  /* parts[0] [parts[1]] */
    EXPRESSION_SLICE,  /* parts[0] [parts[1] : parts[2]]; each of the two may be NULL */
    EXPRESSION_CHOOSE, /* parts[0] if parts[1] else parts[2] */
    EXPRESSION_NEGATE,
    EXPRESSION_NOT,
    EXPRESSION_AND, /* from here on: parts[0] and parts[1] */
    EXPRESSION_OR,
    EXPRESSION_ADD,
    EXPRESSION_SUBTRACT,
    EXPRESSION_MULTIPLY,
    EXPRESSION_DIVIDE,
    EXPRESSION_REMAINDER,
    EXPRESSION_EQUAL,
    EXPRESSION_UNEQUAL,
    EXPRESSION_LESS,
    EXPRESSION_LESS_EQUAL,
    EXPRESSION_GREATER,
    EXPRESSION_GREATER_EQUAL,
    EXPRESSION_IN,
    EXPRESSION_NOT_IN
};

struct expression {
    enum expression_op op;
    unsigned line, column; /* of its first character, or of an operator's sign */
    struct result constant;
    struct bytes name;
    const struct expression_function *function;
    const struct question_row *question;
    struct expression *parts[3];
    struct expression *items, *next;
    uint32_t item_count;
};

/* A function of values: one row (expression_call.c). */
struct expression_function {
    const char *name;
    uint8_t least, most; /* arguments */
    enum opshift_status (*call)(const struct expression *at, struct expression_world *world,
                                const struct result *arguments, struct result *value, struct opshift_error *error);
    struct result_type gives; /* RESULT_ANY: see first */
    bool item;                /* it gives an item of its first argument */
    bool same;                /* it gives what its first argument is */
};

const struct expression_function *function_find(struct bytes name);

/* A question to the node. */
struct question_row {
    const char *name;
    enum question question;
    bool indexed; /* dim(X, i) */
    bool whole;   /* count(inputs): of a variadic parameter */
    struct result_type gives;
};

const struct question_row *question_find(struct bytes name);

static inline bool bytes_are(struct bytes name, const char *text)
{
    return name.size == strlen(text) && memcmp(name.data, text, name.size) == 0;
}

/* ---- for the evaluation's files --------------------------------------------------------------------------------- */

/* UNSUPPORTED, at the place of an expression. */
enum opshift_status expression_fail(const struct expression *at, const struct expression_world *world,
                                    struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Counts steps. */
enum opshift_status expression_charge(const struct expression *at, struct expression_world *world, uint64_t steps,
                                      struct opshift_error *error);
/* Room for a list that is charged. */
enum opshift_status expression_list(const struct expression *at, struct expression_world *world, size_t count,
                                    struct result **items, struct opshift_error *error);
/* Each counts the steps that it takes. order: -1, 0, 1, or RESULT_UNORDERED where one is a NaN. */
#define RESULT_UNORDERED 2
enum opshift_status result_order(const struct expression *at, struct expression_world *world, const struct result *one,
                                 const struct result *other, int *order, struct opshift_error *error);
enum opshift_status result_equal(const struct expression *at, struct expression_world *world, const struct result *one,
                                 const struct result *other, bool *equal, struct opshift_error *error);
enum opshift_status result_add(const struct expression *at, struct expression_world *world, const struct result *one,
                               const struct result *other, struct result *value, struct opshift_error *error);
enum opshift_status result_multiply(const struct expression *at, struct expression_world *world,
                                    const struct result *one, const struct result *other, struct result *value,
                                    struct opshift_error *error);
/* A string's characters, or a list's items. UNSUPPORTED: neither. */
enum opshift_status result_items(const struct expression *at, struct expression_world *world,
                                 const struct result *value, const struct result **items, size_t *count,
                                 struct opshift_error *error);

#endif
