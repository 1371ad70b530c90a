/* The checks of lint: one file per family, one function and one row per check. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "check/check_ids.h"
#include "model/draft.h"
#include "model/scope.h"
#include "infer/infer.h"

/* The subjects for which a check runs. */
enum check_scope {
    CHECK_MODEL,   /* once */
    CHECK_GRAPH,   /* for each graph: main, subgraphs, functions' bodies */
    CHECK_NODE,    /* for each node, also of unknown domains */
    CHECK_PART,    /* for each message in the bytes of a subject: see part.h */
    CHECK_FAILURE, /* never: it represents a failure to read, see check_of_fault */
    CHECK_DRAFT,   /* for each node of ai.onnx whose operator is the check's, with all attributes decoded */
    CHECK_TARGET,  /* for each node without errors, after all other checks, if targets are given; draft or NULL
                    */
    CHECK_LAST     /* for each graph, after all others; not run if an id that it relies on was found anywhere */
};
#define CHECK_SCOPES 8

struct checking;
struct finding;
struct part_context;
struct part;
struct sequence_cut;
struct split_cut;
struct split_fault;
struct split_view;
struct target;
struct target_constraint;
struct kernel_gap;
struct check_tables; /* tables.h */
struct fixing;       /* fix.h */
struct rows;         /* run_checks.c: the checks, by scope */

/* The subject of a check. */
struct subject {
    struct graph *graph;                /* the graph, or where the node stands; NULL: the model */
    struct node *node;                  /* NULL: the graph or the model */
    int64_t opset;                      /* of the node's domain; 0: not imported */
    const struct schema *schema;        /* of the node; NULL: unknown, or a call of a function */
    const struct function *callee;      /* that the node calls; NULL: none */
    struct attribute_range *attributes; /* of the node, not decoded */
    size_t attribute_count;
    const struct draft *draft; /* CHECK_DRAFT: the node, decoded */
    bool follows;              /* its inputs depend on a node with an error */
};

/* A row of a family's table, which ends with {0}. */
struct check {
    enum check_id id;
    struct opshift_check about; /* description for users */
    enum check_scope scope;
    const char *operator_type;      /* CHECK_NODE, CHECK_DRAFT: run for this operator of ai.onnx alone; NULL: for all */
    const enum check_id *relies_on; /* IDS(...): not run for a subject in which one of them found something */
    uint8_t round;                  /* order in its scope: 0 runs first; relies_on covers earlier rounds and rows */
    bool by_types;                  /* uses types, shapes or values of inputs: not run if these depend on an error */
    bool of_attributes;             /* CHECK_NODE: not run for nodes without attributes */
    bool of_bodies;                 /* CHECK_NODE: not run for nodes without subgraphs */
    bool harmless;                  /* a finding of it does not make the node's outputs doubtful */
    /* Reports with finding_add. Fails only for errors that stop the whole run: no memory, an unreadable file. */
    enum opshift_status (*find)(struct checking *checking, const struct subject *subject, struct opshift_error *error);
    /* CHECK_NODE: called once for all nodes with the same schema, callee and opset, which are all that it may use of
     * the subject. False: the check can find nothing at them. NULL: it may find something at any node. */
    bool (*concerns)(const struct subject *subject);
    /* CHECK_PART: called instead, for each message of one kind (NULL: of any), that has one of the fields (bits by
     * number; NULL: of all messages), and one of the notes (bits of enum part_note in part.h; 0: of all messages). */
    const ProtobufCMessageDescriptor *kind;
    uint64_t (*fields)(const ProtobufCMessageDescriptor *kind);
    uint64_t has; /* the same where it does not depend on the kind */
    unsigned notes;
    enum opshift_status (*find_part)(struct part_context *context, const struct part *part,
                                     struct opshift_error *error);
    /* SPL: a fault of a single node (schema/split_cut.h), or what else it has; also used by convert. Both NULL: it
     * needs more context. */
    bool (*fault)(const struct split_cut *cut, struct split_fault *fault);
    enum opshift_status (*judge)(struct split_view *split, struct opshift_error *error); /* sets the view's fault */
    enum opshift_status (*judge_cut)(const struct sequence_cut *cut, struct opshift_error *error); /* SEQ: the same */
    /* Stores the edits that fix one finding in the model (fix.h), or none if there is no single right answer; NULL:
     * never fixable. Set by FIXED_BY. */
    enum opshift_status (*fix)(struct checking *checking, const struct finding *finding, struct opshift_error *error);
    bool fixes_graph; /* one fix fixes all findings of the check in a graph */
};
#define FIXED_BY(function) .about.fixable = true, .fix = function
#define IDS(...)                                                                                                       \
    (const enum check_id[])                                                                                            \
    {                                                                                                                  \
        __VA_ARGS__, CHECK_NONE                                                                                        \
    }

/* The tables, as lib/check/Makefile.inc lists them; ends with NULL. */
extern const struct check *const check_families[];
/* NULL: no check has that id or slug. */
const struct check *check_find(const char *id);
const struct check *check_by_id(enum check_id id);
/* Puts "ID slug: " before what the check has found; the refusal is then the check's (FAULT_OF_CHECK in infer/clash.h).
 * Gives NO. */
enum opshift_status check_cite(enum check_id id, struct opshift_error *error);
/* The check that represents a failure to read a model. */
const struct check *check_of_fault(const struct opshift_error *why);

/* A fault of the user's model, and its place. */
struct finding {
    const struct check *check;
    struct graph *graph;                        /* NULL: the model */
    struct node *node;                          /* NULL: the graph */
    struct range range;                         /* the place in the file */
    const char *message;                        /* "what is wrong; the way out" */
    const char *suppressed;                     /* the reason that the model gives; NULL: not suppressed */
    const struct target *target;                /* TGT: which one; else NULL */
    const struct target_constraint *constraint; /* TGT004: which one; else NULL */
    const struct kernel_gap *gap;               /* TGT003: which one; else NULL */
    uint32_t sequence;                          /* in order of being found */
};

/* A suppression in the model: metadata_props `opshift.ignore`. */
struct suppression {
    struct graph *graph; /* NULL: the model */
    struct node *node;   /* NULL: all of the graph */
    struct range range;  /* of the entry */
    const char *text;    /* "ID: reason", several separated by newlines or ; */
};

/* What a conversion's plan holds. */
enum conversion_word { CONVERSION_BLOCKED, CONVERSION_DOUBT, CONVERSION_NOTE, CONVERSION_FAILED };

struct checking;
/* A node's draft; NULL: an attribute cannot be decoded, which an OPS check reports. */
enum opshift_status checking_draft(struct checking *checking, struct graph *graph, struct node *node,
                                   struct arena *arena, struct draft **draft, struct opshift_error *error);

/* The state of checking one model. The caller that starts it owns its contents. */
struct checking {
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *types;
    struct surroundings *around; /* constants of names, for drafts and checks */
    const struct opshift_lint_options *options;
    uint64_t asked;               /* nodes that were checked */
    const char *directory;        /* of external data; the model's own is NULL meanwhile, so that no payload is read */
    const struct target *targets; /* the selected profiles, a list; NULL: none */
    struct arena *arena;          /* of findings and their texts */
    struct arena *scratch;        /* cleared after each subject */
    struct check_tables *tables;
    struct fixing *fixing; /* records that the current fix changes; set by the code that runs fixes */
    struct rows *rows;
    struct inference inference; /* of the current node */
    bool inferred;              /* inference is valid */
    struct type_pair *outputs;  /* of the current node; NULL: not made yet */
    struct finding *findings;
    uint32_t count, room;             /* findings: grown with realloc, freed by the owner */
    struct suppression *suppressions; /* grown with realloc, freed by checking_free */
    size_t suppression_count;
    bool errors_alone;             /* run only checks with severity error */
    const enum check_id *only;     /* IDS(...): the checks to run; NULL: all */
    int64_t ir_version;            /* checks compare with this IR version; 0: the model's own */
    int64_t ir_least;              /* the least IR version that has all that they found */
    struct part_context *context;  /* walks over the bytes of each subject */
    bool overfull;                 /* the limit of findings was reached */
    bool malformed;                /* a part of the file is malformed */
    const struct check *check;     /* the running check */
    size_t subject_first;          /* the first finding about this subject */
    struct split_view *split;      /* the subject's draft as SPL reads it; NULL: not read yet */
    struct sequence_cut *sequence; /* the same for SEQ and SplitToSequence */
    const struct node **noted;     /* CNV: nodes with an SPL finding, sorted */
    size_t noted_count;
    struct noted_target {
        const struct target *target;
        uint64_t features; /* that TGT009 has noted, as bits */
    } * noted_targets;     /* in arena */
    uint32_t noted_target_count, noted_target_room;
    uint8_t **tainted; /* by graph number, a bit per node: its outputs depend on an error */
    bool *broken;      /* by graph number: it has an error */
};

static inline const char *checking_text(const struct checking *checking, name_id name)
{
    return names_text(checking->model->names, name);
}

/* The selected checks of a scope, in the order in which they run. */
const struct check *const *checking_selected(const struct checking *checking, enum check_scope scope, size_t *count);
/* For `concerns`. */
bool subject_has_schema(const struct subject *subject);
bool subject_has_no_schema(const struct subject *subject);
/* Is its node of this operator of ai.onnx, in a version that exists? */
bool subject_is(const struct subject *subject, const char *operator_type);
bool subject_has_callee(const struct subject *subject);
/* Runs every check on everything in the model, inner graphs at their node, functions before the main graph. */
enum opshift_status check_model(struct checking *checking, struct opshift_error *error);
/* Clears scratch when it is large. */
enum opshift_status checking_clear(struct checking *checking, struct opshift_error *error);
void checking_free(struct checking *checking); /* frees what check_model allocated, without the arenas */

/* Adds a finding of the running check about its subject; where: NULL for the whole subject. */
enum opshift_status finding_add(struct checking *checking, const struct subject *subject, const struct range *where,
                                struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* An attribute of the subject's schema. NULL: no such attribute. */
const struct schema_attribute *attribute_known(const struct checking *checking, const struct subject *subject,
                                               const struct attribute_range *attribute);
/* Inference about the node, valid until the next node; made on first use. */
enum opshift_status checking_infer(struct checking *checking, const struct subject *subject,
                                   struct inference **inference, struct opshift_error *error);
/* The types of the node's outputs, valid until the next node; made on first use. */
enum opshift_status checking_outputs(struct checking *checking, const struct subject *subject,
                                     const struct type_pair **outputs, struct opshift_error *error);
/* Do a node's outputs depend on an error, of this or another node? */
bool node_is_tainted(const struct checking *checking, const struct graph *graph, uint32_t index);
enum opshift_status node_taint(struct checking *checking, const struct graph *graph, uint32_t index,
                               struct opshift_error *error);
/* conversion.c: called after check_model, before the first conversion_add. *useful: false if a plan would only repeat
 * consequences of an error. */
enum opshift_status conversion_open(struct checking *checking, bool *useful, struct opshift_error *error);
/* Adds a finding from a conversion's plan; node NULL: about the model. before: prefix of the text, "opset 13 to 12" or
 * "". */
enum opshift_status conversion_add(struct checking *checking, enum conversion_word word, struct graph *graph,
                                   const struct node *node, const char *before, const char *words,
                                   struct opshift_error *error);

/* The IR version that checks compare with. */
int64_t checking_ir_version(const struct checking *checking);
/* ir_version.c */
struct ir_question {
    int64_t version;
    bool frozen;  /* no caller gives another value for an initializer */
    bool imports; /* an opset import will be added if there is none */
};
/* Can the model be of this IR version? NO: "place: what needs which version". MALFORMED, IO, MEMORY. */
enum opshift_status check_ir_version(struct opshift_model *model, struct scopes *scopes,
                                     const struct ir_question *question, struct opshift_error *error);

/* Checks a Split node; schema: of its opset, NULL: it has no Split. NO: "ID slug: fault; way out", only the first
 * finding, since others may follow from it. Values and shapes are used as far as known.
 */
enum opshift_status check_split(const struct draft *draft, const struct schema *schema, struct opshift_error *error);

#endif
