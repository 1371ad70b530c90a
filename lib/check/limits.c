/* LIM: what goes beyond a limit, this program's or that of protobuf. */
#include <inttypes.h>

#include "check/family.h"
#include "check/protobuf.h"

#define PROTOBUF_SIZE_MAX  (UINT64_C(2) << 30) /* protobuf's own limit for a message */
#define ATTRIBUTE_SIZE_MAX (UINT64_C(64) << 20)

/* ---- sizes ---- */

static enum opshift_status file_too_large(struct checking *checking, const struct subject *subject,
                                          struct opshift_error *error)
{
    uint64_t size = opshift_model_size(checking->model);
    if (size < PROTOBUF_SIZE_MAX)
        return OPSHIFT_OK;
    return finding_add(checking, subject, NULL, error,
                       "the file has %" PRIu64 " bytes, and protobuf reads less than 2 GiB; put the weights into "
                       "external data",
                       size);
}

static enum opshift_status elements_overflow(struct look *look, const struct part *part, struct opshift_error *error)
{
    struct tensor_facts facts;
    enum opshift_status status = tensor_read_facts(look, part, &facts, error);
    if (status || !facts.overflow)
        return status;
    return look_add(look, part, NULL, error,
                    "its dims multiply to more than 2^59 elements, which no memory holds; correct the dims");
}

static enum opshift_status too_many_dims(struct look *look, const struct part *part, struct opshift_error *error)
{
    struct tensor_facts facts;
    enum opshift_status status = tensor_read_facts(look, part, &facts, error);
    if (status || facts.rank <= TENSOR_RANK_MAX)
        return status;
    return look_add(look, part, NULL, error, "it has %zu dims, and more than %d are not read; reshape it", facts.rank,
                    TENSOR_RANK_MAX);
}

static enum opshift_status attribute_too_large(struct look *look, const struct part *part, struct opshift_error *error)
{
    /* What is in graphs is of their own. */
    if (range_size(part->range) <= ATTRIBUTE_SIZE_MAX || part->fields[6].count || part->fields[11].count)
        return OPSHIFT_OK;
    return look_add(look, part, NULL, error,
                    "an attribute of %" PRIu64 " bytes, and more than %" PRIu64
                    " are not decoded; make it an initializer",
                    range_size(part->range), ATTRIBUTE_SIZE_MAX);
}

const struct check limit_checks[] = {
    {.about = {.id = "LIM001",
               .slug = "nesting",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "messages are nested too deeply",
               .why = "A reader goes down with its stack; a file of few bytes can make it overflow.",
               .runtimes = "The C++ and Python readers of protobuf refuse more than 100 levels.",
               .mend = "Flatten the subgraphs; where the file is to be trusted, raise limits: nesting."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "LIM002",
               .slug = "index-memory",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "the model's index takes more memory than is allowed",
               .why = "A file of empty messages costs its readers many times its size.",
               .mend = "Where the file is to be trusted, raise limits: memory."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "LIM003",
               .slug = "opset-imports",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "more than 1000 opset imports",
               .why = "Each node's operator is looked up in them, so that they multiply the work.",
               .mend = "Import the domains that the nodes are of, each once."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "LIM004",
               .slug = "default-graph",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "a function's attribute has a graph as its default",
               .why = "What the names in such a graph mean is not defined, so that this program does not read it.",
               .mend = "Give the graph at each call."},
     .scope = CHECK_FAILURE},
    {.about = {.id = "LIM005",
               .slug = "file-over-2-gib",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "a model file of 2 GiB or more",
               .why = "Protobuf cannot read or write a message of that size.",
               .runtimes = "Every runtime that uses protobuf, ONNX Runtime too, refuses the file.",
               .mend = "Save the weights as external data."},
     .scope = CHECK_MODEL,
     .find = file_too_large},
    {.about = {.id = "LIM006",
               .slug = "elements-overflow",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "a tensor whose dims multiply to more than any memory holds",
               .why = "The product overflows: a reader that does not notice takes too little memory and writes beyond "
                      "it.",
               .mend = "Correct the dims."},
     .scope = CHECK_PART,
     .kind = &onnx__tensor_proto__descriptor,
     .look = elements_overflow},
    {.about = {.id = "LIM007",
               .slug = "too-many-dims",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "a tensor of more than 64 dims",
               .why = "Nobody computes with so many; what is in it is not checked here.",
               .runtimes = "Many runtimes stop at 8 or fewer.",
               .mend = "Reshape it to fewer dims."},
     .scope = CHECK_PART,
     .kind = &onnx__tensor_proto__descriptor,
     .look = too_many_dims},
    {.about = {.id = "LIM008",
               .slug = "large-attribute",
               .severity = OPSHIFT_SEVERITY_WARNING,
               .summary = "an attribute of more than 64 MiB",
               .why = "Attributes are read whole whenever their node is; what is in it is not checked here.",
               .runtimes = "Attributes cannot be external data in most runtimes.",
               .mend = "Make it an initializer."},
     .scope = CHECK_PART,
     .kind = &onnx__attribute_proto__descriptor,
     .look = attribute_too_large},
    {.about = {.id = "LIM011",
               .slug = "too-many-parts",
               .severity = OPSHIFT_SEVERITY_ERROR,
               .summary = "more nodes, functions, attributes or outputs of a node, or findings, than are allowed",
               .why = "A file of empty parts costs its readers time and memory that nothing in it is worth.",
               .mend = "Where the file is to be trusted, raise limits: nodes, functions, attributes, outputs "
                       "or findings."},
     .scope = CHECK_FAILURE},
};
const size_t limit_check_count = COUNT(limit_checks);
