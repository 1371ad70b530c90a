/* A node while it is being rewritten: what it will say, step by step, and then the edits that make it so. */
#ifndef MODEL_DRAFT_H
#define MODEL_DRAFT_H

#include "model/model.h"

/* What stands at an input: a name, or a value that still has to get one. */
enum draft_value { VALUE_NAME, VALUE_LITERAL, VALUE_REFERENCE, VALUE_CHUNKS, VALUE_INT64, VALUE_SQUEEZED };

struct draft_input {
    enum draft_value kind;
    name_id name;                 /* VALUE_NAME; NAME_NONE: absent */
    const struct tensor *literal; /* VALUE_LITERAL: becomes an initializer or a Constant node */
    struct bytes reference;       /* VALUE_REFERENCE: becomes Constant<value_ints = @reference> */
    int64_t parts; /* VALUE_CHUNKS: lengths of that many chunks of ceil(dim / parts), computed in the graph */
    name_id from;  /* VALUE_INT64: the value that is cast. VALUE_SQUEEZED: that loses an axis */
    int64_t axis;  /* VALUE_SQUEEZED: counted from the front */
};

struct draft_attribute {
    Onnx__AttributeProto *message;
    struct range range; /* where it stands; size 0 and record 0: new */
    bool changed;       /* message no longer says what stands there */
};

/* The INT that a function's attribute parameter has at its calls. */
struct draft_parameter {
    bool agreed;         /* it is the same at every call */
    bool known;          /* every call's is known: agreed, or several numbers */
    int64_t least;       /* the least of them */
    const char *missing; /* a call gives none and there is no default, in words; NULL: none does so */
};

/* An INT attribute of a draft. */
struct draft_int {
    bool given;          /* the node has it, and it is an INT */
    bool known;          /* its value is: a function's attribute where all calls agree */
    int64_t value;       /* 0: not known */
    const char *missing; /* as in struct draft_parameter */
};

struct draft;

/* The part of a value's type that decides what becomes of a draft. */
enum draft_reliance {
    RELIES_ON_ELEMENT,
    RELIES_ON_RANK,
    RELIES_ON_SHAPE,
    RELIES_ON_CONSTANT /* on its value, which is computed from constants and shapes */
};

/* What a draft can ask about its surroundings; answered by lib/kernel. */
struct draft_facts {
    /* The value of a name in a graph when it is constant. NULL: it is not, and *why says what it is instead. */
    enum opshift_status (*constant)(void *data, const struct draft *draft, name_id name, const struct tensor **tensor,
                                    const char **why, struct opshift_error *error);
    /* What Constant<value_ints = @x> names, behind a name in a function body; size 0: nothing such. */
    enum opshift_status (*reference)(void *data, const struct draft *draft, name_id name, struct bytes *reference,
                                     struct opshift_error *error);
    /* Its type and dims as far as known (never fails for what is unknown). */
    enum opshift_status (*type)(void *data, const struct draft *draft, name_id name, struct value_type *type,
                                struct opshift_error *error);
    /* The same as far as the model declares it. */
    enum opshift_status (*declared)(void *data, const struct draft *draft, name_id name, struct value_type *type,
                                    struct opshift_error *error);
    /* Nothing is known where there is no call. */
    enum opshift_status (*parameter)(void *data, const struct draft *draft, struct bytes name,
                                     struct draft_parameter *parameter, struct opshift_error *error);
    /* Does nobody read the name, and does no graph give it? */
    enum opshift_status (*unread)(void *data, const struct draft *draft, name_id name, bool *unread,
                                  struct opshift_error *error);
    /* Hears on what the draft relies, for who names what was assumed. NULL: nobody does. */
    void (*relies)(void *data, const struct draft *draft, name_id name, enum draft_reliance on);
    void *data;
};

struct rule;
struct replacement;

struct draft {
    struct opshift_model *model;
    struct arena *arena;
    struct graph *graph;
    struct node *node;
    const struct draft_facts *facts;
    int64_t opset;  /* what the node is written for so far */
    int64_t target; /* where the conversion ends */
    bool up;
    bool strict;
    const char *op_type;
    struct draft_input *inputs;
    uint32_t input_count;
    name_id *outputs;
    uint32_t output_count; /* those added are unnamed until materialised: NAME_FRESH */
    struct draft_attribute *attributes;
    uint32_t attribute_count;
    bool changed;                          /* anything differs from the source */
    bool slices;                           /* the node becomes Slice nodes: its lengths are known only at run time */
    bool sequence;                         /* its outputs are read one by one from the sequence that it makes */
    const struct rule *rule;               /* whose steps are run; NULL: none */
    const struct replacement *replacement; /* what a rule puts in the node's place; NULL: nothing (rule/replace.h) */
    const char *wanted; /* what the conditions of bodies asked for in vain, with a way out; NULL: nothing */
    const char **notes; /* warnings for the report */
    uint32_t note_count;
    const char **assumptions; /* about values that are known at run time only: "'min' is not above 'max'" */
    uint32_t assumption_count;
};

#define NAME_FRESH (UINT32_MAX - 1)

/* Reads a node; the arena owns the draft and all it makes. */
enum opshift_status draft_new(struct opshift_model *model, struct graph *graph, struct node *node, struct arena *arena,
                              const struct draft_facts *facts, struct draft **draft, struct opshift_error *error);

/* NULL: the node has none of that name. */
struct draft_attribute *draft_attribute_find(const struct draft *draft, const char *name);
/* The same for a name from a file, which may hold a NUL. */
struct draft_attribute *draft_attribute_named(const struct draft *draft, struct bytes name);
enum opshift_status draft_int_read(const struct draft *draft, const char *attribute, struct draft_int *number,
                                   struct opshift_error *error);
void draft_attribute_remove(struct draft *draft, struct draft_attribute *attribute);
/* A new attribute at the end, or the one of that name made anew: name and type set, no value. NULL: no memory. */
Onnx__AttributeProto *draft_attribute_set(struct draft *draft, const char *name,
                                          Onnx__AttributeProto__AttributeType type);
/* Position of an input: absent ones in between are filled with empty names; NULL: no memory. */
struct draft_input *draft_input_set(struct draft *draft, uint32_t position);
/* Is there something at this position? */
bool draft_input_present(const struct draft *draft, uint32_t position);
/* Takes away the name of an output, and outputs without a name at the end. */
void draft_output_remove(struct draft *draft, uint32_t position);
/* What is known of a name's type. */
enum opshift_status draft_type(const struct draft *draft, name_id name, struct value_type *type,
                               struct opshift_error *error);
/* What becomes of the draft depends on this part of the name's type. */
void draft_relies(const struct draft *draft, name_id name, enum draft_reliance on);
/* Removes an input at the end, and the empty ones before it. */
void draft_input_remove(struct draft *draft, uint32_t position);
enum opshift_status draft_note(struct draft *draft, struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
enum opshift_status draft_add_assumption(struct draft *draft, const char *words, struct opshift_error *error);

#endif
