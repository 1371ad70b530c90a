/* LIM: limits of this program or of protobuf that the model exceeds. */
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
    if (part->fields[TENSOR_DIMS].size <= 8) /* varints of eight bytes multiply to less than 2^56 */
        return OPSHIFT_OK;
    enum opshift_status status = tensor_read_facts(look, part, &facts, error);
    if (status || !facts.overflow)
        return status;
    return look_add(look, part, NULL, error, "its dims multiply to more than 2^59 elements; correct the dims");
}

static enum opshift_status too_many_dims(struct look *look, const struct part *part, struct opshift_error *error)
{
    struct tensor_facts facts;
    if (part->fields[TENSOR_DIMS].size <= TENSOR_RANK_MAX) /* a dim has at least a byte */
        return OPSHIFT_OK;
    enum opshift_status status = tensor_read_facts(look, part, &facts, error);
    if (status || facts.rank <= TENSOR_RANK_MAX)
        return status;
    return look_add(look, part, NULL, error, "it has %zu dims, and at most %d are read; reshape it", facts.rank,
                    TENSOR_RANK_MAX);
}

static enum opshift_status attribute_too_large(struct look *look, const struct part *part, struct opshift_error *error)
{
    /* Attributes with graphs are not limited; their contents are. */
    if (range_size(part->range) <= ATTRIBUTE_SIZE_MAX || part->fields[6].count || part->fields[11].count)
        return OPSHIFT_OK;
    return look_add(look, part, NULL, error,
                    "an attribute of %" PRIu64 " bytes, and at most %" PRIu64 " are decoded; make it an initializer",
                    range_size(part->range), ATTRIBUTE_SIZE_MAX);
}

const struct check checks_limits[] = {
    {ERROR(LIM001, "nesting", "messages are nested too deeply"),
     .about.why = "Readers recurse for each level; a small file can overflow their stack.",
     .about.runtimes = "The C++ and Python readers of protobuf refuse more than 100 levels.",
     .about.mend = "Flatten the subgraphs; for a trusted file raise the limit: nesting.", .scope = CHECK_FAILURE},
    {ERROR(LIM002, "index-memory", "the model's index takes more memory than is allowed"),
     .about.why = "A file of empty messages takes many times its size in memory.",
     .about.mend = "For a trusted file raise the limit: memory.", .scope = CHECK_FAILURE},
    {ERROR(LIM003, "opset-imports", "more than 1000 opset imports"),
     .about.why = "They are searched for each node, which multiplies the work.",
     .about.mend = "Import each domain of the nodes once.", .scope = CHECK_FAILURE},
    {ERROR(LIM004, "default-graph", "a function's attribute has a graph as its default"),
     .about.why = "The scope of names in such a graph is not defined, so this program does not read it.",
     .about.mend = "Give the graph in each call.", .scope = CHECK_FAILURE},
    {WARNING(LIM005, "file-over-2-gib", "a model file of 2 GiB or more"),
     .about.why = "Protobuf cannot read or write a message of that size.",
     .about.runtimes = "Every runtime that uses protobuf, ONNX Runtime too, refuses the file.",
     .about.mend = "Save the weights as external data.", .scope = CHECK_MODEL, .find = file_too_large},
    {ERROR(LIM006, "elements-overflow", "a tensor whose element count overflows"),
     .about.why = "The product of the dims overflows: a reader that does not check it allocates too little memory and "
                  "writes out of bounds.",
     .about.mend = "Correct the dims.", .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor,
     .look = elements_overflow},
    {WARNING(LIM007, "too-many-dims", "a tensor of more than 64 dims"),
     .about.why = "No runtime supports so many; its content is not checked.",
     .about.runtimes = "Many runtimes stop at 8 or fewer.", .about.mend = "Reshape it to fewer dims.",
     .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .look = too_many_dims},
    {WARNING(LIM008, "large-attribute", "an attribute of more than 64 MiB"),
     .about.why = "Attributes are read together with their node; the content of this one is not checked.",
     .about.runtimes = "Attributes cannot be external data in most runtimes.", .about.mend = "Make it an initializer.",
     .scope = CHECK_PART, .kind = &onnx__attribute_proto__descriptor, .look = attribute_too_large},
    {ERROR(LIM011, "too-many-parts",
           "more nodes, functions, attributes, outputs of a node, or findings than the limit"),
     .about.why = "A file of many empty parts costs its readers time and memory.",
     .about.mend = "For a trusted file raise the limit: nodes, functions, attributes, outputs or findings.",
     .scope = CHECK_FAILURE},
    {0},
};
