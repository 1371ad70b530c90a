/* Rules: what changed for an operator on the way to an opset, up and down, as data. */
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
    unsigned text_line, text_column; /* of the text's first character; in a block, of each line's */
    const char *key; /* of a map, which is as many parameters of one name as it has keys; NULL: no map */
};

/* One step of a rule: a verb with its parameters. */
struct step {
    const char *verb;
    const struct action *action; /* the verb's; never NULL in a struct opshift_rules */
    const struct parameter *parameters;
    uint32_t parameter_count;
    unsigned line, column;
};

struct example {
    const char *before, *after; /* nodes in the textual syntax; after may be NULL where the way has a `replace` */
    const char *inputs;         /* types of its inputs, "float[2, N] x, int64 k"; NULL: none is declared */
    bool up;
    unsigned before_line, after_line, inputs_line, inputs_column;
};

enum direction { DIRECTION_UP, DIRECTION_DOWN };

struct rule {
    const char *file;   /* "rules/opset-13/split.yaml" */
    int64_t opset;      /* the newer side of the step it describes: 13 is 12 <-> 13 */
    const char *domain; /* "" is ai.onnx */
    const char *op_type;
    const char *why;
    const struct step *steps[2]; /* by direction */
    uint32_t step_count[2];
    bool has[2]; /* false: this direction is not covered and blocks */
    const struct example *examples;
    uint32_t example_count;
    unsigned line, column; /* of its operator's name */
};

/* One operator of a compatible.yaml: kept as it is on this step. All but the key is by direction. */
struct compatible {
    const char *file; /* "rules/opset-13/compatible.yaml" */
    int64_t opset;
    const char *domain;
    const char *op_type;
    bool has[2]; /* false: this direction is not covered */
    const char *why[2];
    /* Conditions, NULL-terminated; NULL: none. "name=default": the node blocks unless its attribute is absent or has
     * this value. "name": unless it is absent. */
    const char *const *unless[2];
    unsigned line, column; /* of its operator's name */
};

struct opshift_rules {
    struct arena *arena;
    bool shipped;             /* those built in and no others */
    const struct rule *rules; /* sorted by domain, op_type, opset */
    uint32_t rule_count;
    const struct compatible *compatibles; /* sorted likewise */
    uint32_t compatible_count;
};

/* NULL: there is none. */
const struct rule *rule_find(const struct opshift_rules *rules, const char *domain, const char *op_type, int64_t opset);
const struct compatible *compatible_find(const struct opshift_rules *rules, const char *domain, const char *op_type,
                                         int64_t opset);
/* What the step between opsets step - 1 and step means for an operator of ai.onnx. */
enum rule_meaning {
    RULE_NOTHING, /* it did not change */
    RULE_KEEP,    /* all its nodes are kept as they are */
    RULE_LOOK,    /* rule_apply says what becomes of a node */
    RULE_BLOCKED  /* none can be taken over the step */
};
struct judgement {
    enum rule_meaning meaning;
    const char *words;       /* BLOCKED: why */
    const struct rule *rule; /* KEEP and LOOK: one of the two */
    const struct compatible *compatible;
};
struct judgement rule_judge(const struct opshift_rules *rules, const char *op_type, int64_t step, bool up);
/* Takes a draft over the step that was judged for its operator and its way, or sets its replacement, which ends the
 * way. NO: it cannot be, for this reason. */
enum opshift_status rule_apply(const struct judgement *judgement, struct draft *draft, struct opshift_error *error);
/* NULL when the step has no such parameter. */
const char *step_text(const struct step *step, const char *name);

/* A verb: one function and one row (lib/rule/action.c). */
struct action {
    const char *verb;
    const char *const *required; /* parameter names, NULL-terminated */
    const char *const *optional;
    /* NO with error text: this node blocks the conversion, for this reason. */
    enum opshift_status (*apply)(const struct step *step, struct draft *draft, struct opshift_error *error);
};

/* Has a node's attribute the value that a rule writes as text? ("0", "0.5", "NOTSET", "[0, 1]") A reference to a
 * function's attribute has no value that is known. */
bool rule_value_equal(const Onnx__AttributeProto *attribute, const char *text);

const struct action *action_find(const char *verb);
/* The table; ends with verb NULL. */
extern const struct action rule_actions[];

#endif
