/* A Split node, read once for all its checks. ONNX Split 1, 2, 11, 13, 18. */
#ifndef CHECK_SPLIT_VIEW_H
#define CHECK_SPLIT_VIEW_H

#include "check/check.h"
#include "kernel/split_cut.h"
#include "schema/schema.h"

/* Where the lengths come from. */
enum split_form {
    SPLIT_EQUAL,     /* no lengths: equal parts, as many as outputs */
    SPLIT_COUNTED,   /* num_outputs */
    SPLIT_ATTRIBUTE, /* the attribute `split` */
    SPLIT_INPUT      /* the second input */
};

struct split_view {
    const struct draft *draft;
    const struct schema *schema;
    struct split_cut cut;
    enum split_form form;
    bool counted, listed;          /* num_outputs is given; lengths are given: both may be */
    const char *uncounted;         /* a call of the function that gives no num_outputs, in words; NULL: none */
    bool parts_known;              /* SPLIT_COUNTED */
    int64_t parts;                 /* SPLIT_COUNTED, where it is known */
    int64_t length_count;          /* of a list; -1: not known */
    const int64_t *lengths;        /* length_count of them; NULL: not known */
    struct value_type input;       /* SPLIT_INPUT: what is known of it */
    const struct tensor *constant; /* SPLIT_INPUT: its value; NULL: not constant */
    const char *pointed;           /* the attribute that a check looked at; NULL: the node */
    const char *fault;             /* what a check found, in words; NULL: nothing */
};

/* Gives a view in the draft's arena; schema is Split's at its opset. NO: the lengths' name is defined twice, where the
 * draft's facts refuse that. */
enum opshift_status split_view_read(const struct draft *draft, const struct schema *schema, struct split_view **view,
                                    struct opshift_error *error);

/* How long output i is along the axis; -1: not known, or there is no such cut. */
int64_t split_view_length(const struct split_view *view, uint32_t output);
/* Where a finding is: the attribute that was looked at; size 0: the node. */
struct range split_view_where(const struct split_view *view);

/* What a check found: the fault of the view, in its draft's arena. */
enum opshift_status split_view_fault(struct split_view *view, struct opshift_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The view of a subject's draft, read once. */
enum opshift_status split_view_of(struct checking *checking, const struct subject *subject, struct split_view **view,
                                  struct opshift_error *error);
/* The `find` of a check that has a `judge`. */
enum opshift_status split_find(struct checking *checking, const struct subject *subject, struct opshift_error *error);

#endif
