/* A draft: a node while it is being rewritten, before the edits are made. */
#ifndef MODEL_DRAFT_H
#define MODEL_DRAFT_H

#include "model/model.h"

/* Content of an input: a name, or a value that does not have a name yet. */
enum draft_value {
    VALUE_NAME,
    VALUE_LITERAL,
    VALUE_REFERENCE,
    VALUE_CHUNKS,
    VALUE_INT64,
    VALUE_SQUEEZED,
    VALUE_UNSQUEEZED
};

struct draft_input {
    enum draft_value kind;
    name_id name;                 /* VALUE_NAME; NAME_NONE: absent */
    const struct tensor *literal; /* VALUE_LITERAL: becomes an initializer or a Constant node */
    struct bytes reference;       /* VALUE_REFERENCE: becomes Constant<value_ints = @reference> */
    int64_t parts; /* VALUE_CHUNKS: lengths of that many chunks of ceil(dim / parts), computed in the graph */
    name_id from;  /* VALUE_INT64: the value that is cast. VALUE_SQUEEZED, VALUE_UNSQUEEZED: the one without, with the
                      axis */
    int64_t axis;  /* VALUE_SQUEEZED, VALUE_UNSQUEEZED: the axis that goes or comes */
};

struct draft_attribute {
    Onnx__AttributeProto *message;
    struct range range; /* in the source; size 0 and record 0: new */
    bool changed;       /* message differs from the source */
};

struct surroundings;
struct rule;
struct replacement;

struct draft {
    struct opshift_model *model;
    struct arena *arena;
    struct graph *graph;
    struct node *node;
    struct surroundings *around; /* what is known of its graph's values (kernel/facts.h) */
    int64_t opset;               /* opset of the node's domain after the steps so far */
    int64_t target;              /* target opset of that domain */
    bool up;
    bool strict;
    const char *domain; /* of the operator; "": ai.onnx */
    const char *op_type;
    struct draft_input *inputs;
    uint32_t input_count;
    name_id *outputs;
    uint32_t output_count; /* added ones have no name (NAME_FRESH) until they are materialised */
    struct draft_attribute *attributes;
    uint32_t attribute_count;
    bool changed;            /* the draft differs from the source */
    bool slices;             /* the node becomes Slice nodes, since its lengths are known only at run time */
    bool sequence;           /* its outputs become elements of a sequence */
    const struct rule *rule; /* the rule whose steps are being run; NULL: none */
    const struct replacement *replacement; /* the nodes of a rule that replace the node; NULL: none (rule/replace.h) */
    bool undecided;     /* the condition of a body could not be decided, so no later one may be selected */
    bool unresolved;    /* it depends on an attribute that the caller of the function gives */
    const char *wanted; /* what was unknown in the conditions of bodies, with a way out; NULL: nothing */
    const char **notes; /* warnings for the report */
    uint32_t note_count;
    const char **assumptions; /* about run-time values: "'min' is not above 'max'" */
    uint32_t assumption_count;
};

#define NAME_FRESH (UINT32_MAX - 1)

/* Reads a node; the arena owns the draft and all that it allocates. */
enum opshift_status draft_new(struct opshift_model *model, struct graph *graph, struct node *node, struct arena *arena,
                              struct surroundings *around, struct draft **draft, struct opshift_error *error);

/* NULL: the node has no such attribute. */
struct draft_attribute *draft_attribute_find(const struct draft *draft, const char *name);
/* The same for a name from a file, which may contain a NUL. */
struct draft_attribute *draft_attribute_named(const struct draft *draft, struct bytes name);
void draft_attribute_remove(struct draft *draft, struct draft_attribute *attribute);
/* Adds an attribute, or resets the one of that name: name and type are set, no value. NULL: no memory. */
Onnx__AttributeProto *draft_attribute_set(struct draft *draft, const char *name,
                                          Onnx__AttributeProto__AttributeType type);
/* The input at a position, which is created if necessary, with absent ones before it; NULL: no memory. */
struct draft_input *draft_input_set(struct draft *draft, uint32_t position);
/* Does the node have this input? */
bool draft_input_present(const struct draft *draft, uint32_t position);
/* Makes an output absent, and removes absent outputs at the end. */
void draft_output_remove(struct draft *draft, uint32_t position);
/* Gives fresh names to the outputs that have none. */
void draft_outputs_name(struct draft *draft);
/* Makes an input absent, and removes absent inputs at the end. */
void draft_input_remove(struct draft *draft, uint32_t position);
enum opshift_status draft_note(struct draft *draft, struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum opshift_status draft_add_assumption(struct draft *draft, const char *words, struct opshift_error *error);

#endif
