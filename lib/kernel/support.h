/* Helpers for kernels: attributes, axes, integer lists, allocation of outputs. */
#ifndef KERNEL_SUPPORT_H
#define KERNEL_SUPPORT_H

#include "kernel/kernel.h"

#define KERNEL_ANY INT16_MAX

/* Is output `position` present and named? */
static inline bool kernel_wants(const struct kernel_call *call, uint32_t position)
{
    return position < call->output_count && (call->wanted == NULL || call->wanted[position]);
}
/* NULL: out of range or absent. */
const struct tensor *kernel_input(const struct kernel_call *call, uint32_t position);

/* The same for kernels whose inputs are not only tensors. */
struct value kernel_value(const struct kernel_call *call, uint32_t position);
/* Input 0 as a sequence; fails with "input 0 is a tensor, must be a sequence". */
enum opshift_status kernel_sequence(const struct kernel_call *call, const struct sequence **sequence,
                                    struct opshift_error *error);
/* Sets an output to a value that is not a tensor of this call; takes ownership, also on failure. */
enum opshift_status kernel_result(struct kernel_call *call, uint32_t position, struct value value,
                                  struct opshift_error *error);
/* Copies the strings into the arena, so that the tensor no longer depends on their source. MEMORY. */
enum opshift_status kernel_texts_copy(struct arena *arena, struct tensor *tensor, struct opshift_error *error);
/* Sets an output to a sequence of items in the call's arena, without taking ownership of them. */
enum opshift_status kernel_sequence_result(struct kernel_call *call, uint32_t position, enum opshift_type type,
                                           const struct value *items, size_t count, struct opshift_error *error);

/* ---- attributes, which kernel_call has checked: what the node gives, else the default, else zero, empty, NULL ---- */

/* Does the node give the attribute? */
static inline bool kernel_gives(const struct kernel_call *call, enum attribute_id id)
{
    return operation_gives(&call->operation, id);
}
/* Is the attribute one of this version? */
static inline bool kernel_has(const struct kernel_call *call, enum attribute_id id)
{
    return schema_attribute(call->operation.schema, id) != NULL;
}
static inline int64_t kernel_int(const struct kernel_call *call, enum attribute_id id)
{
    int64_t value;
    operation_int(&call->operation, id, &value);
    return value;
}
static inline float kernel_float(const struct kernel_call *call, enum attribute_id id)
{
    float value;
    operation_float(&call->operation, id, &value);
    return value;
}
static inline struct bytes kernel_text(const struct kernel_call *call, enum attribute_id id)
{
    struct bytes value;
    operation_text(&call->operation, id, &value);
    return value;
}
static inline struct int_list kernel_ints(const struct kernel_call *call, enum attribute_id id)
{
    struct int_list value;
    operation_ints(&call->operation, id, &value);
    return value;
}
static inline struct float_list kernel_floats(const struct kernel_call *call, enum attribute_id id)
{
    struct float_list value;
    operation_floats(&call->operation, id, &value);
    return value;
}
static inline const Onnx__AttributeProto *kernel_message(const struct kernel_call *call, enum attribute_id id)
{
    const Onnx__AttributeProto *value;
    operation_message(&call->operation, id, &value);
    return value;
}
/* The place of the word among those that the table of constraints lists; 0 for an attribute that is not given. */
static inline unsigned kernel_choice(const struct kernel_call *call, enum attribute_id id)
{
    return operation_choice(&call->operation, id);
}
/* A list that is an attribute of some versions, and the input at `position` of others. */
enum opshift_status kernel_setting(const struct kernel_call *call, enum attribute_id id, uint32_t position,
                                   const char *what, struct int_list *list, struct opshift_error *error);
/* Fails on an attribute that is not of this version and on duplicates. */
enum opshift_status kernel_attributes_known(const struct kernel_call *call, struct opshift_error *error);

/* The tensor of an attribute. MALFORMED: it is none. */
enum opshift_status kernel_decode(struct kernel_call *call, const Onnx__AttributeProto *attribute,
                                  struct tensor **tensor, struct opshift_error *error);
/* A negative axis counts from the end. */
enum opshift_status kernel_axis(int64_t axis, uint32_t rank, uint32_t *place, struct opshift_error *error);
/* The same for a list without duplicates; chosen has rank entries. */
enum opshift_status kernel_axes(const struct int_list *axes, uint32_t rank, bool *chosen, struct opshift_error *error);
/* The values of an int32 or int64 tensor of rank 1 (or 0: one value); in the call's arena. tensor NULL: an absent
 * input. */
enum opshift_status kernel_vector(const struct kernel_call *call, const struct tensor *tensor, const char *what,
                                  struct int_list *list, struct opshift_error *error);

/* The same of sizes, which are not negative. */
enum opshift_status kernel_sizes(const struct kernel_call *call, uint32_t position, const char *what,
                                 struct int_list *list, struct opshift_error *error);
/* The integer that input `position` is; *number stays if it is absent. */
enum opshift_status kernel_whole(const struct kernel_call *call, uint32_t position, const char *what, int64_t *number,
                                 struct opshift_error *error);
/* The same of a number of any type. */
enum opshift_status kernel_number(const struct kernel_call *call, uint32_t position, double *number,
                                  struct opshift_error *error);
/* An element of a tensor of int32 or int64. */
static inline int64_t kernel_index(const struct tensor *indices, uint64_t place)
{
    return indices->type == OPSHIFT_TYPE_INT64 ? ((const int64_t *)indices->data)[place]
                                               : ((const int32_t *)indices->data)[place];
}
/* Requires this shape for input `position` if present: "input 2 has shape [3], must have [4]". */
enum opshift_status kernel_shape(const struct kernel_call *call, uint32_t position, uint32_t rank, const int64_t *dims,
                                 struct opshift_error *error);
/* Requires the input's rank to be within these bounds. */
enum opshift_status kernel_rank(const struct kernel_call *call, uint32_t position, uint32_t least, uint32_t most,
                                struct opshift_error *error);
/* "elements of type string are not computed with" */
enum opshift_status kernel_no_number(enum opshift_type type, struct opshift_error *error);

/* Counts work beyond copying bytes before it is done. */
static inline enum opshift_status kernel_work(const struct kernel_call *call, uint64_t count, uint64_t steps_each,
                                              struct opshift_error *error)
{
    return budget_steps(call->budget, count, steps_each, error);
}
/* Counts the steps for a new tensor; fails if its bytes exceed the budget. */
enum opshift_status kernel_room(const struct kernel_call *call, enum opshift_type type, uint32_t rank,
                                const int64_t *dims, struct opshift_error *error);
/* Allocates `count` zeroed items of `size` bytes, freed after the call. UNSUPPORTED: the budget is exceeded. */
enum opshift_status kernel_scratch(const struct kernel_call *call, uint64_t count, size_t size, void **room,
                                   struct opshift_error *error);
/* Creates output `position`, after kernel_room. */
enum opshift_status kernel_output(struct kernel_call *call, uint32_t position, enum opshift_type type, uint32_t rank,
                                  const int64_t *dims, struct opshift_error *error);
/* Creates output 0 with the shape of input 0, and counts steps for each element. */
enum opshift_status kernel_like(struct kernel_call *call, enum opshift_type type, uint64_t steps,
                                struct opshift_error *error);
/* kernel_room for the type and dims of a message, which may be invalid; the decoder reports that. */
enum opshift_status kernel_room_for(const struct kernel_call *call, int32_t type, size_t rank, const int64_t *dims,
                                    struct opshift_error *error);
/* Creates a tensor that is not an output, after kernel_room. */
enum opshift_status kernel_tensor(struct kernel_call *call, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                  struct tensor **tensor, struct opshift_error *error);
/* Sets output 0 to a view of the input's elements with other dims. */
enum opshift_status kernel_view(struct kernel_call *call, const struct tensor *input, uint32_t rank,
                                const int64_t *dims, struct opshift_error *error);

/* Bytes of one element in memory; 0 for packed types. */
size_t kernel_element(enum opshift_type type);
/* Copies elements between tensors of one type. */
void kernel_copy(struct tensor *to, uint64_t to_at, const struct tensor *from, uint64_t from_at, uint64_t count);

/* a * b; false on overflow or above INT64_MAX. */
bool kernel_multiply(uint64_t a, uint64_t b, uint64_t *product);
/* a * b; UINT64_MAX on overflow or above INT64_MAX, for counts of steps and elements, which the budget then refuses. */
static inline uint64_t kernel_times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return kernel_multiply(a, b, &product) ? product : UINT64_MAX;
}
/* "[2,3]", in the arena. */
const char *kernel_dims_text(struct arena *arena, uint32_t rank, const int64_t *dims);

#endif
