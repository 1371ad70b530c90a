/* A Split node, read once for all its checks. ONNX Split 1, 2, 11, 13, 18. */
#ifndef CHECK_SPLIT_VIEW_H
#define CHECK_SPLIT_VIEW_H

#include "check/check.h"
#include "kernel/split_draft.h"
#include "schema/schema.h"

struct split_view {
    const struct draft *draft;
    const struct schema *schema;
    struct split_cut cut;
    const char *pointed; /* the attribute that a check looked at; NULL: the node */
    const char *fault;   /* what a check found, in words; NULL: nothing */
};

/* Gives a view in the draft's arena; schema is Split's at its opset. NO: the lengths' name is defined twice, where the
 * draft's facts refuse that. */
enum opshift_status split_view_read(const struct draft *draft, const struct schema *schema, struct split_view **view,
                                    struct opshift_error *error);

/* Where a finding is: the attribute that was looked at; size 0: the node. */
struct range split_view_where(const struct split_view *view);

/* What a check found: the fault of the view, in its draft's arena. */
enum opshift_status split_view_fault(struct split_view *view, struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The view of a subject's draft, read once. */
enum opshift_status split_view_of(struct checking *checking, const struct subject *subject, struct split_view **view,
                                  struct opshift_error *error);
/* Runs a check's `fault` or `judge`. */
enum opshift_status split_judge(const struct check *check, struct split_view *view, struct opshift_error *error);
/* The `find` of a check that has one of them. */
enum opshift_status split_find(struct checking *checking, const struct subject *subject, struct opshift_error *error);

#endif
