/* Expressions of rules: integers, floats, strings, lists, and questions about the node. A text is parsed to a tree,
 * which is checked when the rule is loaded and evaluated for each node. Rules are untrusted: texts, depth, steps and
 * lists are bounded. */
#ifndef RULE_EXPRESSION_H
#define RULE_EXPRESSION_H

#include "base/arena.h"
#include "base/error.h"

#define EXPRESSION_SIZE_MAX  4096
#define EXPRESSION_DEPTH_MAX 64
/* Steps of one evaluation: operators, and elements of lists and strings. */
#define EXPRESSION_STEPS_MAX 200000
/* Pending names, each of which is computed for the one before. */
#define EXPRESSION_PENDING_MAX 16

enum result_kind {
    RESULT_ANY,
    RESULT_INT,
    RESULT_FLOAT,
    RESULT_BOOL,
    RESULT_STRING,
    RESULT_LIST,
    RESULT_OPEN /* an unknown dim; i: its symbol, or -1. Equal to its own symbol, else nothing is known of it */
};

struct result {
    enum result_kind kind; /* never RESULT_ANY */
    union {
        int64_t i; /* RESULT_BOOL: 0 or 1 */
        double f;
        struct bytes s;
        struct {
            const struct result *items;
            size_t count;
        } list;
    };
};

static inline struct result result_int(int64_t value)
{
    return (struct result){.kind = RESULT_INT, .i = value};
}

static inline struct result result_bool(bool value)
{
    return (struct result){.kind = RESULT_BOOL, .i = value};
}

static inline struct result result_real(double value)
{
    return (struct result){.kind = RESULT_FLOAT, .f = value};
}

static inline struct result result_text(struct bytes value)
{
    return (struct result){.kind = RESULT_STRING, .s = value};
}

static inline struct result result_list(const struct result *items, size_t count)
{
    return (struct result){.kind = RESULT_LIST, .list = {items, count}};
}

/* The static type of a result: its kind, and that of a list's items. */
struct result_type {
    enum result_kind kind, item;
};

/* The position of the first character of a text. */
struct expression_place {
    const char *file;
    unsigned line, column;
};

enum question {
    QUESTION_PRESENT,
    QUESTION_COUNT,
    QUESTION_KNOWN,
    QUESTION_RANK,
    QUESTION_KNOWN_DIM,
    QUESTION_DIM,
    QUESTION_STATIC,
    QUESTION_SHAPE,
    QUESTION_DIMS,
    QUESTION_TYPE,
    QUESTION_ELEMENT,
    QUESTION_SEQUENCE,
    QUESTION_OPTIONAL,
    QUESTION_CONSTANT,
    QUESTION_NONNEGATIVE,
    QUESTION_VALUE
};

struct expression;

/* USAGE, "file:line:column: ...": it does not parse. */
enum opshift_status expression_parse(const char *text, size_t size, const struct expression_place *place,
                                     struct arena *arena, const struct expression **expression,
                                     struct opshift_error *error);

/* Names of an expression: let-names and variables of loops, the innermost first. */
struct expression_name {
    struct expression_name *outer;
    struct bytes name;
    struct result_type type;
    struct result value;              /* during evaluation */
    const struct expression *pending; /* gives the value at its first use; NULL: the value is there */
};

/* The context of a check. */
struct expression_check {
    const char *file;
    struct expression_name *names;
    /* The type of an attribute; false: no attribute of that name. */
    bool (*attribute)(const void *data, struct bytes name, struct result_type *type);
    /* Is it a value of the node, or (list) a variadic parameter of it? Outputs are values, too; present() also
     * accepts attributes. */
    bool (*value)(const void *data, struct bytes name, bool list);
    const void *data;
};

/* USAGE, "file:line:column: ...": an unknown name, or an operator that does not accept such a value. */
enum opshift_status expression_check(const struct expression *expression, const struct expression_check *check,
                                     struct result_type *type, struct opshift_error *error);

/* The context of an evaluation. */
struct expression_world {
    struct arena *arena;
    const char *file;
    struct expression_name *names;
    int64_t opset, target;
    uint32_t steps;   /* remaining */
    unsigned pending; /* pending names whose values are being computed */
    /* UNSUPPORTED: an expression cannot compute with its value. */
    enum opshift_status (*attribute)(void *data, struct bytes name, struct result *value, struct opshift_error *error);
    /* NO: unknown, with the way out. at: index of a dim. */
    enum opshift_status (*ask)(void *data, enum question question, struct bytes name, int64_t at, struct result *value,
                               struct opshift_error *error);
    void *data;
};

/* NO: a fact that it needs is unknown; the error names it and the way out. UNSUPPORTED, "file:line:column: ...": it
 * cannot be computed (overflow, an index out of range, too many steps). */
enum opshift_status expression_evaluate(const struct expression *expression, struct expression_world *world,
                                        struct result *value, struct opshift_error *error);
/* The value of a name, which is computed if it is pending. As expression_evaluate. */
enum opshift_status expression_name_value(struct expression_name *name, struct expression_world *world,
                                          struct opshift_error *error);
/* A bool, or an integer other than 0. */
enum opshift_status expression_holds(const struct expression *expression, struct expression_world *world, bool *holds,
                                     struct opshift_error *error);

/* "an integer", for messages. */
const char *result_kind_name(enum result_kind kind);

#endif
