/* The tree of an expression, for parsing, checking and evaluation. */
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
    EXPRESSION_ASK,    /* question, name, parts[0]: index in a variadic parameter, items: the other arguments */
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
    unsigned line, column; /* of its first character, or of an operator */
    struct result constant;
    struct bytes name;
    const struct expression_function *function;
    const struct question_row *question;
    struct expression *parts[3];
    struct expression *items, *next;
    uint32_t item_count;
};

/* A function: one row (expression_call.c). */
struct expression_function {
    const char *name;
    uint8_t least, most;       /* arguments */
    enum result_kind takes[2]; /* RESULT_ANY: the function checks the argument */
    enum opshift_status (*call)(const struct expression *at, struct expression_world *world,
                                const struct result *arguments, struct result *value, struct opshift_error *error);
    struct result_type gives; /* RESULT_ANY: see item and same */
    bool item;                /* the result is an item of the first argument */
    bool same;                /* the result has the type of the first argument */
};

const struct expression_function *function_find(struct bytes name);

/* A question about the node. */
struct question_row {
    const char *name;
    enum question question;
    bool indexed; /* dim(X, i) */
    bool whole;   /* count(inputs): about a variadic parameter */
    struct result_type gives;
};

const struct question_row *question_find(struct bytes name);

/* ---- shared by the files of the evaluation ----------------------------------------------------------------------- */

/* UNSUPPORTED, with the position of an expression. */
enum opshift_status expression_fail(const struct expression *at, const struct expression_world *world,
                                    struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Counts steps. */
enum opshift_status expression_charge(const struct expression *at, struct expression_world *world, uint64_t steps,
                                      struct opshift_error *error);
/* Allocates a list and charges its steps. */
enum opshift_status expression_list(const struct expression *at, struct expression_world *world, size_t count,
                                    struct result **items, struct opshift_error *error);
/* Each charges its steps. order: -1, 0, 1, or RESULT_UNORDERED if one is NaN. */
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
