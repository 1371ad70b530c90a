/* SPL, errors: is a Split node valid at its opset? Convert refuses a source with these errors, with the same texts.
 * (OPS has the checks common to all operators.) */
#include <inttypes.h>
#include <string.h>

#include "check/family.h"
#include "check/split_fix.h"
#include "check/split_view.h"
#include "base/real.h"
#include "kernel/facts.h"

#define FINDING(...) split_view_fault(view, error, __VA_ARGS__)

/* ---- checks of lint ---- */

enum opshift_status split_view_of(struct checking *checking, const struct subject *subject, struct split_view **view,
                                  struct opshift_error *error)
{
    enum opshift_status status = OPSHIFT_OK;
    *view = checking->split;
    if (*view == NULL)
        status = split_view_read(subject->draft, subject->schema, view, error);
    checking->split = *view;
    return status;
}

enum opshift_status split_judge(const struct check *check, struct split_view *view, struct opshift_error *error)
{
    struct split_fault fault;
    view->pointed = view->fault = NULL;
    if (check->judge)
        return check->judge(view, error);
    if (!check->fault(&view->cut, &fault))
        return OPSHIFT_OK;
    view->pointed = fault.attribute;
    return FINDING("%s", fault.words);
}

enum opshift_status split_find(struct checking *checking, const struct subject *subject, struct opshift_error *error)
{
    struct split_view *view;
    enum opshift_status status = split_view_of(checking, subject, &view, error);
    if (status || subject->draft->output_count == 0)
        return status;
    status = split_judge(checking->check, view, error);
    if (status || view->fault == NULL)
        return status;
    struct range where = split_view_where(view);
    return finding_add(checking, subject, range_size(where) ? &where : NULL, error, "%s", view->fault);
}

/* ---- declared shapes of the outputs ---- */

static enum opshift_status judge_shape(struct split_view *view, struct opshift_error *error)
{
    const struct draft *draft = view->draft;
    int64_t axis = view->cut.front;
    for (uint32_t i = 0; i < draft->output_count && view->cut.rank >= 0; i++) {
        struct value_type type;
        name_id name = draft->outputs[i];
        if (name == NAME_NONE)
            continue;
        enum opshift_status status = draft_declared(draft, name, &type, error);
        if (status)
            return status;
        if (type.rank >= 0 && type.rank != view->cut.rank)
            return FINDING("output '%s' is declared with rank %d, and the input has rank %d; remove the declared "
                           "shape, or correct it",
                           names_text(draft->model->names, name), type.rank, view->cut.rank);
        int64_t length = split_length(&view->cut, i);
        if (axis >= 0 && type.rank > 0 && length >= 0 && type.dims[axis] >= 0 && type.dims[axis] != length)
            return FINDING("output '%s' is declared to be %" PRId64 " long at axis %" PRId64 ", but will be %" PRId64
                           "; remove the declared shape, or correct it",
                           names_text(draft->model->names, name), type.dims[axis], view->cut.axis, length);
    }
    return OPSHIFT_OK;
}

/* Common fields of a row. */
#define SPLIT_FAULT(name)                                                                                              \
    .scope = CHECK_DRAFT, .operator_type = "Split", .find = split_find, .fault = split_fault_##name

const struct check checks_split[] = {
    {CHECK(SPL001), .by_types = true, SPLIT_FAULT(scalar)},
    {CHECK(SPL002), .by_types = true, SPLIT_FAULT(axis)},
    {CHECK(SPL003), SPLIT_FAULT(both)},
    {CHECK(SPL004), FIXED_BY(split_fix_num_outputs), SPLIT_FAULT(neither)},
    {CHECK(SPL005), SPLIT_FAULT(num_outputs)},
    {CHECK(SPL006), .relies_on = IDS(SPL005), SPLIT_FAULT(few)},
    {CHECK(SPL007), .relies_on = IDS(SPL003, SPL005, SPL006), .by_types = true, SPLIT_FAULT(last)},
    {CHECK(SPL008), .by_types = true, SPLIT_FAULT(uneven)},
    {CHECK(SPL009), .by_types = true, SPLIT_FAULT(rank)},
    {CHECK(SPL010), .relies_on = IDS(SPL003, SPL009), .by_types = true, SPLIT_FAULT(fraction)},
    {CHECK(SPL011), .relies_on = IDS(SPL003), .by_types = true, SPLIT_FAULT(empty)},
    {CHECK(SPL012), .relies_on = IDS(SPL003, SPL009), .by_types = true, SPLIT_FAULT(count)},
    {CHECK(SPL013), .relies_on = IDS(SPL003, SPL012), .by_types = true, SPLIT_FAULT(negative)},
    {CHECK(SPL014), .relies_on = IDS(SPL003, SPL013), .by_types = true, SPLIT_FAULT(overflow)},
    {CHECK(SPL015), .relies_on = IDS(SPL003, SPL011, SPL012, SPL013, SPL014), .by_types = true, SPLIT_FAULT(sum)},
    {CHECK(SPL016),
     .relies_on =
         IDS(SPL001, SPL002, SPL003, SPL004, SPL005, SPL006, SPL007, SPL008, SPL011, SPL012, SPL013, SPL014, SPL015),
     .by_types = true, .scope = CHECK_DRAFT, .operator_type = "Split", .find = split_find, .judge = judge_shape},
    {0},
};
