/* OPS: what inference cannot compute (infer/clash.h), as findings. */
#include "check/family.h"
#include "infer/clash.h"

/* Reports the node's clashes of one kind. */
static enum opshift_status clashes_report(struct checking *checking, const struct subject *subject,
                                          enum clash_kind kind, struct opshift_error *error)
{
    const struct clash *clashes = NULL;
    size_t count;
    uint32_t index = (uint32_t)(subject->node - subject->graph->nodes);
    enum opshift_status status =
        types_clashes(checking->types, subject->graph, index, checking->scratch, &clashes, &count, error);
    for (size_t i = 0; status == OPSHIFT_OK && i < count; i++)
        if (clashes[i].kind == kind)
            status = finding_add(checking, subject, range_size(clashes[i].range) ? &clashes[i].range : NULL, error,
                                 "%s", clashes[i].words);
    return status;
}

static enum opshift_status values_fit(struct checking *checking, const struct subject *subject,
                                      struct opshift_error *error)
{
    return clashes_report(checking, subject, CLASH_VALUE, error);
}

static enum opshift_status axes_fit(struct checking *checking, const struct subject *subject,
                                    struct opshift_error *error)
{
    return clashes_report(checking, subject, CLASH_AXIS, error);
}

static enum opshift_status shapes_fit(struct checking *checking, const struct subject *subject,
                                      struct opshift_error *error)
{
    return clashes_report(checking, subject, CLASH_SHAPES, error);
}

static enum opshift_status orders_fit(struct checking *checking, const struct subject *subject,
                                      struct opshift_error *error)
{
    return clashes_report(checking, subject, CLASH_PERMUTATION, error);
}

static enum opshift_status reshapes_fit(struct checking *checking, const struct subject *subject,
                                        struct opshift_error *error)
{
    return clashes_report(checking, subject, CLASH_COUNT, error);
}

#define FORM GRF005, OPS009, OPS010, OPS012, OPS013, OPS015

const struct check checks_operator_clash[] = {
    {CHECK(OPS011), .scope = CHECK_NODE, .relies_on = IDS(OPS009, OPS010), .concerns = subject_has_schema,
     .find = values_fit},
    {CHECK(OPS017), .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(FORM), .concerns = subject_has_schema,
     .find = axes_fit},
    {CHECK(OPS018), .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(FORM, OPS016, OPS017),
     .concerns = subject_has_schema, .find = shapes_fit},
    {CHECK(OPS019), .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(FORM), .operator_type = "Transpose",
     .find = orders_fit},
    {CHECK(OPS020), .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(FORM), .operator_type = "Reshape",
     .find = reshapes_fit},
    {0},
};
