/* What a conversion did, or what blocks it: told node by node; put into words or into JSON when somebody asks for it.
 */
#ifndef CONVERT_ACCOUNT_H
#define CONVERT_ACCOUNT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"

/* What may be said of many nodes. */
struct phrase {
    const char *operator_type; /* as it is shown; "": it is about no node */
    int64_t from, to;          /* opsets; 0: of notes */
    const char *words;
    const char *replaced; /* "definition", "exact", "approximate": the kind of replacement; NULL: the node is the same
                           * operator's as before */
};

/* What is said of one node. */
struct remark {
    struct remark *next;
    const char *place;           /* as it is shown; "": it is about no node */
    const struct phrase *phrase; /* that of the one before, where it is the same */
};

/* In the order of the model. */
struct remarks {
    struct remark *first, *last;
    size_t count;
};

struct account {
    struct arena *arena;      /* owns it, and all that is reached from here but the buffers */
    struct buffer raw, shown; /* a text on its way into the arena */
    const char *model;
    int64_t source_opset, target_opset, source_ir, target_ir;
    bool foreign;          /* the model imports no opset of ai.onnx */
    int64_t nearest_opset; /* blocked: the nearest one that can be reached; 0: unknown */
    uint32_t blocker_count, rewritten_count, added_count, removed_count;
    struct remarks blockers; /* the last ones, where there are too many */
    struct remarks groups;   /* of blockers: the first of each, */
    uint32_t *group_counts;  /* and how many they are */
    struct remarks rewritten, notes, assumptions;
    bool brief; /* the rewritten ones are counted, and not listed */
};

struct account *account_new(bool brief); /* NULL: no memory */
void account_free(struct account *account);
/* A text as reports show it (report_string), owned by the account. NULL: no memory. */
const char *account_text(struct account *account, const void *data, size_t size);
/* The same, or a text of the account where it says that. */
const char *account_text_like(struct account *account, const void *data, size_t size, const char *likely);
/* The texts belong to the account already; NULL: there was no memory for one. */
enum opshift_status account_add(struct account *account, struct remarks *remarks, const char *place,
                                const struct phrase *phrase, struct opshift_error *error);
/* The account is taken over. NULL: no memory. */
struct opshift_report *account_report(struct account *account);

#endif
