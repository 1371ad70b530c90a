/* Target profiles: what a runtime takes, read from rules/targets/NAME.yaml, resolved for one of its versions.
 *
 * A profile has three kinds of statements, each with a source and a date:
 * - figures: the oldest and newest opset, the newest IR version;
 * - constraints: what a node must be. A constraint may be about a feature (`lacks: negative-axis`): then it has the
 *   feature's own conditions and words unless it gives others, and target_takes answers NO for that feature;
 * - gaps: operators and types without a kernel;
 * - operators that it is known to have.
 * lint reports what a model breaks (TGT001 to TGT007), and notes what the profile does not know of it (TGT008); convert
 * reads the figures, split_form and target_takes. */
#ifndef CHECK_TARGET_H
#define CHECK_TARGET_H

#include "base/tree.h"
#include "check/check.h"

/* "fact comparison value": what a node must be, or when a constraint speaks. */
struct condition {
    const struct target_fact *fact;
    const char *argument; /* what the fact is asked about: an attribute's name */
    uint32_t position;    /* or an input's position */
    enum { COMPARE_IS, COMPARE_IS_NOT, COMPARE_LEAST, COMPARE_MOST } comparison;
    const char *text;         /* all of it, as written */
    const char *const *words; /* IS, IS_NOT: one of these; ends with NULL */
    int64_t number;           /* LEAST, MOST */
};

/* What a target may take or lack. The names in profiles are in target_feature.c. */
enum target_feature {
    /* forms of Split: where the lengths come from */
    FEATURE_EQUAL,       /* nothing is given; as many equal parts as outputs */
    FEATURE_NUM_OUTPUTS, /* the attribute num_outputs */
    FEATURE_ATTRIBUTE,   /* the attribute split */
    FEATURE_LENGTHS,     /* a constant second input */
    FEATURE_COMPUTED,    /* a second input that is known at run time only */
    /* what parts and outputs of a Split may be */
    FEATURE_UNEVEN,             /* parts of different lengths, in any form */
    FEATURE_UNEVEN_NUM_OUTPUTS, /* num_outputs that does not divide the dim */
    FEATURE_EMPTY_PART,         /* a length of 0 */
    FEATURE_SINGLE_OUTPUT,      /* one part */
    FEATURE_UNNAMED_OUTPUT,     /* an output without a name */
    FEATURE_SURPLUS,            /* num_outputs above the number of outputs */
    FEATURE_NEGATIVE_AXIS,
    FEATURE_UNKNOWN_DIM, /* the dim that is split is not known */
    /* models */
    FEATURE_SEQUENCES,         /* values that are sequences */
    FEATURE_SUBGRAPHS,         /* bodies of If, Loop and Scan */
    FEATURE_FUNCTIONS,         /* calls of functions of the model */
    FEATURE_RUNTIME_OPERATORS, /* ONNX Runtime's own operators in ai.onnx, and the standard's before it has them */
    FEATURE_UNNAMED_NODE,      /* a node without a name */
    FEATURE_REPEATED_NAME,     /* a node with the name of another one */
    FEATURE_OUTER_OUTPUT,      /* a body that gives a value of an outer graph */
    /* what standards forbid */
    FEATURE_DEFAULTS,      /* an attribute that is left out and has a default */
    FEATURE_NEGATIVE_AXES, /* an axis that counts from the end, of any operator */
    FEATURE_UNDECLARED,    /* a value whose type and shape are not declared */
    FEATURE_DEAD_NODE,     /* a node of which no output is used */
    FEATURE_SPARSE,        /* sparse tensors */
    FEATURE_AUTO_PAD,      /* auto_pad other than NOTSET */
    FEATURE_DYNAMIC_SHAPE  /* an input of the main graph whose shape is not known */
};
#define TARGET_FEATURES (FEATURE_DYNAMIC_SHAPE + 1)

enum target_answer { TARGET_UNKNOWN, TARGET_NO, TARGET_YES };

struct target_constraint {
    const char *key, *operator_type; /* operator_type "*": any node */
    const char *domain;              /* of the operator; "": ai.onnx */
    int64_t least, most;             /* opsets */
    bool refused;                    /* severity: error; else warning */
    bool unknown;                    /* a feature of which the profile says nothing: in place of both a note */
    int feature;                     /* an enum target_feature; -1: of none */
    struct condition *when, *require;
    uint32_t when_count, require_count;
    const char *why, *mend, *source, *date;
};

/* Operators or types that a target lacks. */
struct kernel_gap {
    const char *text; /* as written */
    const char *domain, *operator_type;
    int64_t least, most;
    const char *variable; /* NULL: the whole operator */
    uint64_t types;       /* a bit each */
};

/* Operators that a target has, of a list that need not be complete. */
struct target_known {
    const char *const *operators; /* as in target_lack */
    const char *source, *date;
};

/* Operators (in place of a row for each version) or types, with a source. */
struct target_lack {
    const char *const *operators; /* "Loop", "domain.Operator"; ends with NULL; NULL: types */
    bool all_others; /* these are the operators or types that it has; those of other domains are not meant */
    uint64_t types;  /* a bit each */
    bool refused;    /* severity: error; else warning */
    const char *why; /* NULL: no more is known */
    const char *source, *date;
};

/* The form in which a target wants each Split; KEEP: not said. */
enum target_split_form {
    TARGET_SPLIT_KEEP,
    TARGET_SPLIT_LENGTHS, /* a constant second input; below opset 13: the attribute */
    TARGET_SPLIT_NUM_OUTPUTS,
    TARGET_SPLIT_EQUAL,    /* where the parts are equal; else lengths */
    TARGET_SPLIT_ATTRIBUTE /* the attribute, so an opset below 13 */
};

struct target {
    const char *name, *description;
    const char *version; /* the one that was chosen; NULL: the profile has no versions */
    const char *label;   /* "name version", or the name: for messages */
    /* The newest that it takes, and the oldest opset; 0: not known. */
    int64_t opset, ir_version, oldest_opset;
    enum target_split_form split_form;
    uint8_t answers[TARGET_FEATURES]; /* enum target_answer; see target_takes */
    const char *source, *date;        /* of the figures, of split_form and of the gaps */
    struct target_constraint *constraints;
    uint32_t constraint_count;
    struct kernel_gap *gaps; /* sorted by operator */
    uint32_t gap_count;
    struct target_lack *lacks;
    uint32_t lack_count;
    struct target_known *known;
    uint32_t known_count;
    bool
        others_taken; /* all operators of ai.onnx that the profile does not name as lacking were tried, and are taken */
    const char *const *aliases;  /* other names; ends with NULL */
    const char *const *versions; /* all that the profile has, newest first; ends with NULL */
    struct target *next;
};

static inline enum target_answer target_takes(const struct target *target, enum target_feature feature)
{
    return (enum target_answer)target->answers[feature];
}

/* A profile's text; name is what messages call it. version NULL: the newest. USAGE: "name:line:column: ..."; the
 * profile has no such version. */
enum opshift_status target_read(const char *text, size_t size, const char *name, const char *version,
                                struct arena *arena, struct target **target, struct opshift_error *error);
/* The profile of "NAME" or "NAME@VERSION": of the directories, last first, else a shipped one. USAGE: there is none. */
enum opshift_status target_load(const char *name, const char *const *directories, size_t directory_count,
                                struct arena *arena, struct target **target, struct opshift_error *error);

/* The same for several names, each target once, in their order; "all": every shipped profile. */
enum opshift_status targets_load(const char *const *names, size_t count, const char *const *directories,
                                 size_t directory_count, struct arena *arena, struct target **targets,
                                 struct opshift_error *error);

/* The shipped profiles' texts; the last row's name is NULL. */
struct target_text {
    const char *name, *text;
};
extern const struct target_text targets_shipped[];

/* A feature's name in profiles, and the constraint that `lacks: NAME` stands for. */
struct target_feature_row {
    const char *name, *summary;
    const char *operator_type, *opset;
    const char *when[3], *require[2]; /* end with NULL */
    const char *why, *mend;
};
extern const struct target_feature_row target_features[TARGET_FEATURES];
/* The same for the words of split_form; ends with NULL. Numbered as enum target_split_form. */
extern const char *const target_split_forms[];

/* What can be asked of a node. */
enum fact_kind { FACT_UNKNOWN, FACT_NUMBER, FACT_WORD };
struct fact {
    enum fact_kind kind;
    int64_t number;
    const char *word;
    const char *detail; /* what it is about, for the message; NULL: no more */
};
struct target_fact {
    const char *name;
    enum { ASKS_NOTHING, ASKS_NAME, ASKS_POSITION } asks;
    struct fact (*of_split)(const struct split_cut *cut); /* NULL: not of a Split alone */
    bool needs_draft;                                     /* unknown for operators of other domains */
    enum opshift_status (*find)(struct checking *checking, const struct subject *subject,
                                const struct condition *condition, struct fact *fact, struct opshift_error *error);
};
/* By the first word of a condition, as far as a dot in front of its argument. NULL: there is none. */
const struct target_fact *target_fact_find(const char *name, size_t size);

#endif
