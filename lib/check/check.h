/* What is wrong with a model: one file per family, one function and one row per check. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "model/draft.h"
#include "model/scope.h"
#include "infer/infer.h"

/* How often a check is asked, and what its subject holds. */
enum check_scope {
    CHECK_MODEL,   /* once */
    CHECK_GRAPH,   /* for each graph: main, subgraphs, functions' bodies */
    CHECK_NODE,    /* for each node, also of domains that we do not know */
    CHECK_PART,    /* for each message in the bytes of a subject: see look.h */
    CHECK_FAILURE, /* never: it stands for a failure to read, see check_of_fault */
    CHECK_DRAFT,   /* for each node of ai.onnx whose operator is the check's, with all attributes decoded */
    CHECK_TARGET,  /* for each node in which no error was found, after all else, where targets are named; draft or NULL
                    */
    CHECK_LAST     /* for each graph, when all was looked at: silent where an id it relies on was found anywhere */
};
#define CHECK_SCOPES 8

struct checking;
struct finding;
struct look;
struct part;
struct sequence_cut;
struct split_view;
struct target;
struct check_tables; /* tables.h */
struct mending;      /* mend.h */
struct rows;         /* run.c: the checks, by scope */

/* What a check looks at. */
struct subject {
    struct graph *graph;                /* the graph, or where the node stands; NULL: the model */
    struct node *node;                  /* NULL: the graph or the model */
    int64_t opset;                      /* of the node's domain, in force there; 0: not imported */
    const struct schema *schema;        /* of the node; NULL: not known, or it is a call of a function */
    struct attribute_range *attributes; /* of the node, not decoded */
    size_t attribute_count;
    const struct draft *draft; /* CHECK_DRAFT: the node, decoded */
    bool follows;              /* what its inputs are follows from an error that was found before it */
};

/* A row of a family's table. */
struct check {
    struct opshift_check about; /* what users read of it */
    enum check_scope scope;
    const char *operator_type; /* CHECK_DRAFT: the operator; else NULL */
    const char *relies_on; /* ids with a space between: silent about a subject in which one of them found something */
    uint8_t round; /* of its scope: 0 is asked first; relies_on sees what was found in earlier rounds and rows */
    bool by_types; /* goes by the types, shapes or values of inputs: silent where these follow from an error */
    bool harmless; /* what a node gives is as it should be all the same: nothing follows from a finding of it */
    /* Reports with finding_add. Fails only for what stops the whole run: no memory, a file that cannot be read. */
    enum opshift_status (*find)(struct checking *checking, const struct subject *subject, struct opshift_error *error);
    /* CHECK_PART: what is asked instead, about each message of one kind; NULL: of all kinds. */
    const ProtobufCMessageDescriptor *kind;
    enum opshift_status (*look)(struct look *look, const struct part *part, struct opshift_error *error);
    /* SPL: the same for a node alone, which convert asks too; NO: the words of the finding. NULL: it needs more. */
    enum opshift_status (*judge)(struct split_view *split, struct opshift_error *error); /* sets the view's fault */
    /* Lays the edits that mend one finding on the model (mend.h), or none where here there is no one right answer;
     * NULL: there never is. Set by FIXED_BY. */
    enum opshift_status (*fix)(struct checking *checking, const struct finding *finding, struct opshift_error *error);
    bool fixes_graph; /* one fix mends all findings of the check in a graph */
};
#define FIXED_BY(function) .about.fixable = true, .fix = function

/* A family: its table and how long it is. Listed in families.c. */
struct check_family {
    const struct check *checks;
    const size_t *count;
};
extern const struct check_family check_families[];
extern const size_t check_family_count;
/* NULL: there is none of that id or slug. */
const struct check *check_find(const char *id);
/* The check that stands for a failure to read a model. */
const struct check *check_of_fault(const struct opshift_error *why);

/* A fault of the user's model, where it stands. */
struct finding {
    const struct check *check;
    struct graph *graph;    /* NULL: the model */
    struct node *node;      /* NULL: the graph */
    struct range range;     /* of the file: what is to be looked at */
    const char *message;    /* "what is wrong; the way out" */
    const char *suppressed; /* the reason that the model gives; NULL: it is not suppressed */
    uint32_t sequence;      /* in order of being found */
};

/* What the model itself says about a finding: metadata_props `opshift.ignore`. */
struct suppression {
    struct graph *graph; /* NULL: the model */
    struct node *node;   /* NULL: all of the graph */
    struct range range;  /* of the entry */
    const char *text;    /* "ID: reason", several with a newline or ; between them */
};

/* What a conversion's plan holds. */
enum conversion_word { CONVERSION_BLOCKED, CONVERSION_DOUBT, CONVERSION_NOTE, CONVERSION_FAILED };

struct checking;
/* A node's draft; NULL: an attribute of it does not decode, which OPS tells. */
enum opshift_status checking_draft(struct checking *checking, struct graph *graph, struct node *node,
                                   struct arena *arena, struct draft **draft, struct opshift_error *error);

/* A run over one model. Whoever starts it owns what it holds. */
struct checking {
    struct opshift_model *model;
    struct scopes *scopes;
    struct types *types;
    const struct draft_facts *facts; /* constants behind names, for drafts and for checks alike */
    const struct opshift_lint_options *options;
    const char *folder;           /* of external data; the model's own is NULL meanwhile, so that no payload is read */
    const struct target *targets; /* the profiles that are asked for, a list; NULL: none */
    struct arena *arena;          /* findings and their words */
    struct arena *scratch;        /* until the subject is done */
    struct check_tables *tables;
    struct mending *mending; /* what the fix at work touches; set by who runs fixes */
    struct rows *rows;
    struct inference inference; /* of the node that is being looked at */
    bool inferred;              /* it is there */
    struct finding *findings;
    size_t count, room;               /* findings: grown with realloc, freed by the owner */
    struct suppression *suppressions; /* grown with realloc, freed by checking_free */
    size_t suppression_count;
    bool errors_alone;             /* only checks whose severity is an error are asked */
    struct look *look;             /* what goes through the bytes of each subject */
    bool overfull;                 /* more was found than the limit of findings allows */
    bool malformed;                /* a part of the file does not read */
    const struct check *check;     /* that is asking now */
    size_t subject_first;          /* the first finding about this subject */
    struct split_view *split;      /* the subject's draft as SPL reads it; NULL: not read yet */
    struct sequence_cut *sequence; /* the same as SEQ reads a SplitToSequence */
    const struct node **noted;     /* CNV: those that SPL spoke of, sorted */
    size_t noted_count;
    uint8_t **tainted; /* by graph number, a bit a node: what it gives follows from an error */
    bool *broken;      /* by graph number: an error was found in it */
};

/* Does the checking ask this check at all? */
bool check_is_wanted(const struct checking *checking, const struct check *check);
/* Asks every check about everything in the model, inner graphs at their node, functions before the main graph. */
enum opshift_status check_model(struct checking *checking, struct opshift_error *error);
/* Empties scratch when it holds much. */
enum opshift_status checking_clear(struct checking *checking, struct opshift_error *error);
void checking_free(struct checking *checking); /* what check_model made; not the arenas */

/* Adds a finding of the check that is asking, about its subject; where: NULL for all of the subject. */
enum opshift_status finding_add(struct checking *checking, const struct subject *subject, const struct range *where,
                                struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* What the subject's schema says of an attribute. NULL: it has none of that name. */
const struct schema_attribute *attribute_known(const struct checking *checking, const struct subject *subject,
                                               const struct attribute_range *attribute);
/* What follows for a node from its inputs; it lives until the next node. Made when first asked for. */
enum opshift_status checking_infer(struct checking *checking, const struct subject *subject,
                                   struct inference **inference, struct opshift_error *error);
/* Does what a node gives follow from an error, its own or another's? */
bool node_is_tainted(const struct checking *checking, const struct graph *graph, uint32_t index);
enum opshift_status node_taint(struct checking *checking, const struct graph *graph, uint32_t index,
                               struct opshift_error *error);
/* convert.c: to be called once check_model is done, before the first conversion_add. *useful: false where a plan would
 * only repeat what follows from an error that was found. */
enum opshift_status conversion_open(struct checking *checking, bool *useful, struct opshift_error *error);
/* A part of a conversion's plan becomes a finding; node NULL: it is for the model. before: what stands in front of the
 * words, "opset 13 to 12" or "". */
enum opshift_status conversion_add(struct checking *checking, enum conversion_word word, struct graph *graph,
                                   const struct node *node, const char *before, const char *words,
                                   struct opshift_error *error);

/* Is a Split node valid at the opset it is written for? NO: "ID slug: what is wrong; the way out", the first finding
 * only, since the others would follow from it. Values and shapes count as far as they are known. (split-semantics A.10)
 */
enum opshift_status check_split(const struct draft *draft, struct opshift_error *error);

#endif
