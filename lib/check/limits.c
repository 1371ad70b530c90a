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

static enum opshift_status elements_overflow(struct part_context *context, const struct part *part,
                                             struct opshift_error *error)
{
    struct tensor_facts facts;
    if (part->fields[TENSOR_DIMS].size <= 8) /* varints of eight bytes multiply to less than 2^56 */
        return OPSHIFT_OK;
    enum opshift_status status = tensor_read_facts(context, part, &facts, error);
    if (status || !facts.overflow)
        return status;
    return context_add(context, part, NULL, error, "its dims multiply to more than 2^59 elements; correct the dims");
}

static enum opshift_status too_many_dims(struct part_context *context, const struct part *part,
                                         struct opshift_error *error)
{
    struct tensor_facts facts;
    if (part->fields[TENSOR_DIMS].size <= TENSOR_RANK_MAX) /* a dim has at least a byte */
        return OPSHIFT_OK;
    enum opshift_status status = tensor_read_facts(context, part, &facts, error);
    if (status || facts.rank <= TENSOR_RANK_MAX)
        return status;
    return context_add(context, part, NULL, error, "it has %zu dims, and at most %d are read; reshape it", facts.rank,
                       TENSOR_RANK_MAX);
}

static enum opshift_status attribute_too_large(struct part_context *context, const struct part *part,
                                               struct opshift_error *error)
{
    /* Attributes with graphs are not limited; their contents are. */
    if (range_size(part->range) <= ATTRIBUTE_SIZE_MAX || part->fields[6].count || part->fields[11].count)
        return OPSHIFT_OK;
    return context_add(context, part, NULL, error,
                       "an attribute of %" PRIu64 " bytes, and at most %" PRIu64 " are decoded; make it an initializer",
                       range_size(part->range), ATTRIBUTE_SIZE_MAX);
}

const struct check checks_limits[] = {
    {CHECK(LIM001), .scope = CHECK_FAILURE},
    {CHECK(LIM002), .scope = CHECK_FAILURE},
    {CHECK(LIM003), .scope = CHECK_FAILURE},
    {CHECK(LIM004), .scope = CHECK_FAILURE},
    {CHECK(LIM005), .scope = CHECK_MODEL, .find = file_too_large},
    {CHECK(LIM006), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .find_part = elements_overflow},
    {CHECK(LIM007), .scope = CHECK_PART, .kind = &onnx__tensor_proto__descriptor, .find_part = too_many_dims},
    {CHECK(LIM008), .scope = CHECK_PART, .kind = &onnx__attribute_proto__descriptor, .find_part = attribute_too_large},
    {CHECK(LIM011), .scope = CHECK_FAILURE},
    {0},
};
