/* The report of a conversion: rewritten nodes or blockers, stored compactly and converted to text or JSON on demand.
 */
#ifndef CONVERT_CONVERSION_REPORT_H
#define CONVERT_CONVERSION_REPORT_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/error.h"
#include "rule/replace.h"

/* The part of a remark that many nodes share. */
struct remark_message {
    const char *operator_type; /* escaped for output; "": the remark is not about a node */
    const char *domain;        /* whose opsets `from` and `to` are, escaped; NULL: ai.onnx */
    int64_t from, to;          /* opsets; 0 in notes */
    const char *words;
    /* "definition", "exact", "approximate": the kind of replacement; NULL: the node keeps its operator */
    const char *replaced;
};

/* A remark about one node. */
struct remark {
    struct remark *next;
    const char *place;                    /* escaped for output; "": the remark is not about a node */
    const struct remark_message *message; /* shared with the previous remark if equal */
};

/* In the order of the model. */
struct remarks {
    struct remark *first, *last;
    size_t count;
};

/* What becomes of the opset of a domain other than ai.onnx. */
struct conversion_report_move {
    const char *domain;     /* escaped for output */
    int64_t source, target; /* source 0: the model does not import the domain */
};

struct conversion_report {
    struct arena *arena;      /* owns the report and everything in it except the buffers */
    struct buffer raw, shown; /* a text before it is copied to the arena */
    const char *model;
    int64_t source_opset, target_opset, source_ir, target_ir;
    struct conversion_report_move *moves;
    uint32_t move_count;
    const char *ir_note;  /* NULL: none */
    bool ir_alone;        /* only the IR version changes */
    bool foreign;         /* the model imports no opset of ai.onnx */
    const char **options; /* if blocked: options with which it would not be, escaped for output */
    size_t option_count;
    int64_t nearest_opset; /* if blocked: the nearest reachable opset; 0: unknown */
    uint32_t blocker_count, rewritten_count, added_count, removed_count;
    uint32_t replaced_counts[REPLACEMENT_KINDS]; /* of the rewritten ones */
    struct remarks blockers;                     /* the last ones, if there are too many */
    struct remarks groups;                       /* the first blocker of each group */
    uint32_t *group_counts;                      /* blockers in each group */
    struct remarks rewritten, notes, assumptions;
    bool brief; /* rewritten nodes are counted, not listed */
};

struct conversion_report *conversion_report_new(bool brief); /* NULL: no memory */
void conversion_report_free(struct conversion_report *conversion);
/* Escapes a text like report_string; the report owns the result. NULL: no memory. */
const char *conversion_report_text(struct conversion_report *conversion, const void *data, size_t size);
/* The same; returns `like`, a text of the report, if it is equal. */
const char *conversion_report_text_like(struct conversion_report *conversion, const void *data, size_t size,
                                        const char *likely);
/* Adds a remark; its texts must belong to the report; a NULL text is out of memory. */
enum opshift_status conversion_report_add(struct conversion_report *conversion, struct remarks *remarks,
                                          const char *place, const struct remark_message *message,
                                          struct opshift_error *error);
/* Takes ownership of the report. NULL: no memory. */
struct opshift_report *conversion_report_finish(struct conversion_report *conversion);

#endif
