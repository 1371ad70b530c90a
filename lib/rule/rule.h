/* Rules: the changes of an operator between two opsets, up and down, as data. */
#ifndef RULE_RULE_H
#define RULE_RULE_H

#include "base/arena.h"
#include "base/error.h"
#include "model/draft.h"

struct action;

/* A verb's parameter: its name and a scalar text (or a list of them). */
struct parameter {
    const char *name;
    const char *text;         /* a scalar; NULL for a list */
    const char *const *items; /* a list, NULL-terminated; NULL for a scalar */
    unsigned line, column;
    unsigned text_line, text_column; /* of the first character of the text; in a block, of that of each line */
    const char *key; /* key of a map, which has a parameter of the same name for each key; NULL: not a map */
};

/* One step of a rule: a verb with its parameters. */
struct step {
    const char *verb;
    const struct action *action; /* never NULL in a struct opshift_rules */
    const struct parameter *parameters;
    uint32_t parameter_count;
    unsigned line, column;
};

/* NULL: the step has no parameter of this name. */
const struct parameter *step_parameter(const struct step *step, const char *name);

struct example {
    const char *before, *after; /* nodes in textual syntax; after may be NULL if the direction has a `replace` */
    const char *refused;        /* words of the refusal that is wanted; NULL: none */
    const char *inputs;         /* types of its inputs, "float[2, N] x, int64 k"; NULL: not declared */
    bool up;
    int64_t to; /* the opset where its conversion ends: that of the step, or one beyond it */
    unsigned before_line, after_line, inputs_line, inputs_column;
};

enum direction { DIRECTION_UP, DIRECTION_DOWN };

/* What an operator's step between two opsets is about. Arrays of 2 are indexed by direction. */
struct rule {
    const char *file;   /* "rules/opset-13/split.yaml" */
    int64_t opset;      /* the newer opset of its step: 13 is 12 <-> 13 */
    const char *domain; /* "" is ai.onnx */
    const char *op_type;
    bool has[2];                 /* false: this direction is not covered and blocks */
    const char *why[2];          /* of the directions that are covered */
    const struct step *steps[2]; /* none: the node is kept */
    uint32_t step_count[2];
    bool compatible; /* an entry of a compatible.yaml, without steps */
    /* Conditions of an entry, NULL-terminated; NULL: none. "name=default": the node blocks unless its attribute is
     * absent or has this value. "name": unless it is absent. */
    const char *const *unless[2];
    const struct example *examples;
    uint32_t example_count;
    unsigned line, column; /* of its operator's name */
};

struct opshift_rules {
    struct arena *arena;
    bool shipped;             /* only the built-in rules */
    const struct rule *rules; /* sorted by domain, op_type, opset; up to two of one key cover its directions */
    uint32_t rule_count;
};

/* The rule for a direction of a step. NULL: none. */
const struct rule *rule_find(const struct opshift_rules *rules, const char *domain, const char *op_type, int64_t opset,
                             enum direction direction);
/* Has the direction a step `replace`? */
bool rule_replaces(const struct rule *rule, enum direction direction);
/* The effect of the step between opsets step - 1 and step of a domain on an operator. */
enum rule_meaning {
    RULE_NOTHING, /* the operator did not change */
    RULE_KEEP,    /* all its nodes are kept unchanged */
    RULE_LOOK,    /* rule_apply decides for each node */
    RULE_BLOCKED  /* no node can be converted */
};
struct judgement {
    enum rule_meaning meaning;
    const char *words;       /* BLOCKED: the reason */
    const struct rule *rule; /* KEEP and LOOK */
};
struct judgement rule_judge(const struct opshift_rules *rules, const char *domain, const char *op_type, int64_t step,
                            bool up);
/* Applies the judged step to a draft, or sets its replacement, after which no more steps apply. NO: blocked, with
 * the reason. */
enum opshift_status rule_apply(const struct judgement *judgement, struct draft *draft, struct opshift_error *error);
/* NULL: the step has no such parameter. */
const char *step_text(const struct step *step, const char *name);

/* A verb: one function and one row (lib/rule/action.c). */
struct action {
    const char *verb;
    const char *const *required; /* parameter names, NULL-terminated */
    const char *const *optional;
    /* NO: the node blocks the conversion, with the reason in the error. */
    enum opshift_status (*apply)(const struct step *step, struct draft *draft, struct opshift_error *error);
};

/* Does a node's attribute have the value that a rule writes as text ("0", "0.5", "NOTSET", "[0, 1]")? The value of a
 * reference to a function's attribute is unknown. */
bool rule_value_equal(const Onnx__AttributeProto *attribute, const char *text);

const struct action *action_find(const char *verb);
/* The table; ends with verb NULL. */
extern const struct action rule_actions[];

#endif
