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
    {ERROR(OPS011, "attribute-value", "an attribute has a value that the operator does not define"),
     .about.why = "The value has no defined meaning.",
     .about.runtimes = "ONNX Runtime refuses the model, or uses the default.",
     .about.mend = "Use a value as the message names it, with the same case.",
     .about.before =
         HEAD13 "g (float[1,4,2,2] x) => (float[1,1,4,4] y) { y = DepthToSpace <blocksize = 2, mode = \"crd\"> (x) }",
     .about.after =
         HEAD13 "g (float[1,4,2,2] x) => (float[1,1,4,4] y) { y = DepthToSpace <blocksize = 2, mode = \"CRD\"> (x) }",
     .scope = CHECK_NODE, .relies_on = IDS(OPS009, OPS010), .concerns = subject_has_schema, .find = values_fit},
    {ERROR(OPS017, "axis-range", "an axis is out of range"),
     .about.why = "Axes are counted from 0, or from -1 for the last one.",
     .about.runtimes = "ONNX Runtime refuses the model.", .about.mend = "Use an axis of the input.",
     .about.before = HEAD13 "g (float[2,3] x) => (float[2,3] y) { y = Softmax <axis = 2> (x) }",
     .about.after = HEAD13 "g (float[2,3] x) => (float[2,3] y) { y = Softmax <axis = 1> (x) }", .scope = CHECK_NODE,
     .by_types = true, .relies_on = IDS(FORM), .concerns = subject_has_schema, .find = axes_fit},
    {ERROR(OPS018, "shapes-differ", "the shapes of the inputs are incompatible"),
     .about.why = "The node cannot be computed for these shapes.",
     .about.runtimes = "ONNX Runtime refuses the model or fails at the node.",
     .about.mend = "Correct the wrong shape; the message names both.",
     .about.before = HEAD13 "g (float[2,3] x, float[2,4] z) => (float[2,4] y) { y = MatMul (x, z) }",
     .about.after = HEAD13 "g (float[2,3] x, float[3,4] z) => (float[2,4] y) { y = MatMul (x, z) }",
     .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(FORM, OPS016, OPS017), .concerns = subject_has_schema,
     .find = shapes_fit},
    {ERROR(OPS019, "permutation", "perm of a Transpose is not a permutation of the axes"),
     .about.why = "Each axis of the input must be listed once.", .about.runtimes = "Every runtime refuses the model.",
     .about.mend = "List each axis once.",
     .about.before = HEAD13 "g (float[2,3] x) => (float[3,2] y) { y = Transpose <perm = [1, 1]> (x) }",
     .about.after = HEAD13 "g (float[2,3] x) => (float[3,2] y) { y = Transpose <perm = [1, 0]> (x) }",
     .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(FORM), .operator_type = "Transpose", .find = orders_fit},
    {ERROR(OPS020, "reshape-count", "a Reshape changes the number of elements"),
     .about.why = "The new shape must have as many elements as the old one.",
     .about.runtimes = "ONNX Runtime fails at the node.", .about.mend = "Correct the new shape.",
     .about.before = HEAD13 "g (float[2,3] x) => (float[4,2] y)\n<int64[2] s = {4, 2}> { y = Reshape (x, s) }",
     .about.after = HEAD13 "g (float[2,3] x) => (float[3,2] y)\n<int64[2] s = {3, 2}> { y = Reshape (x, s) }",
     .scope = CHECK_NODE, .by_types = true, .relies_on = IDS(FORM), .operator_type = "Reshape", .find = reshapes_fit},
    {0},
};
