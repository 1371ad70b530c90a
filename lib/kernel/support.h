/* What every kernel asks of its call: attributes, arity, axes, lists of integers, room for its outputs. */
#ifndef KERNEL_SUPPORT_H
#define KERNEL_SUPPORT_H

#include "kernel/kernel.h"

#define KERNEL_ANY INT16_MAX

struct int_list {
    const int64_t *values;
    size_t count;
    bool present;
};

/* Between least and most inputs, all of them tensors, none of the first `least` absent, and exactly one output. */
enum opshift_status kernel_arity(const struct kernel_call *call, uint32_t least, uint32_t most,
                                 struct opshift_error *error);
/* The inputs' part of kernel_arity alone. */
enum opshift_status kernel_inputs(const struct kernel_call *call, uint32_t least, uint32_t most,
                                  struct opshift_error *error);
/* The same for inputs of any kind. */
enum opshift_status kernel_values(const struct kernel_call *call, uint32_t least, uint32_t most,
                                  struct opshift_error *error);
/* Between least and most outputs, as named by the node. */
enum opshift_status kernel_outputs(const struct kernel_call *call, uint32_t least, uint32_t most,
                                   struct opshift_error *error);
/* Is output `position` there and has a name? */
static inline bool kernel_wants(const struct kernel_call *call, uint32_t position)
{
    return position < call->output_count && (call->wanted == NULL || call->wanted[position]);
}
/* NULL: beyond the last or absent. */
const struct tensor *kernel_input(const struct kernel_call *call, uint32_t position);

/* The same for kernels that take more than tensors. */
struct value kernel_value(const struct kernel_call *call, uint32_t position);
/* Fails with "input 0 is a tensor, must be a sequence". */
enum opshift_status kernel_sequence(const struct kernel_call *call, uint32_t position, const struct sequence **sequence,
                                    struct opshift_error *error);
/* Gives an output that is no tensor of this call; the value is taken over, also when this fails. */
enum opshift_status kernel_result(struct kernel_call *call, uint32_t position, struct value value,
                                  struct opshift_error *error);
/* A tensor of texts that were copied as they are no longer needs what they came from. MEMORY. */
enum opshift_status kernel_texts_copy(struct arena *arena, struct tensor *tensor, struct opshift_error *error);
/* Gives a sequence of these items, which lie in the call's arena; they stay their owners'. */
enum opshift_status kernel_sequence_result(struct kernel_call *call, uint32_t position, enum opshift_type type,
                                           const struct value *items, size_t count, struct opshift_error *error);

/* *attribute is NULL when the call has none of that name. Fails on a wrong type and on a reference to a function's
 * parameter, whose value is known to the caller of the function alone. */
enum opshift_status kernel_attribute(const struct kernel_call *call, const char *name,
                                     Onnx__AttributeProto__AttributeType type, const Onnx__AttributeProto **attribute,
                                     struct opshift_error *error);
/* *value keeps its default when the attribute is absent. */
enum opshift_status kernel_int(const struct kernel_call *call, const char *name, int64_t *value,
                               struct opshift_error *error);
enum opshift_status kernel_float(const struct kernel_call *call, const char *name, float *value,
                                 struct opshift_error *error);
/* *text keeps its default when the attribute is absent. */
enum opshift_status kernel_text(const struct kernel_call *call, const char *name, struct bytes *text,
                                struct opshift_error *error);
enum opshift_status kernel_ints(const struct kernel_call *call, const char *name, struct int_list *list,
                                struct opshift_error *error);
enum opshift_status kernel_floats(const struct kernel_call *call, const char *name, const float **values, size_t *count,
                                  struct opshift_error *error);
/* *attribute is NULL when it is absent; the texts are attribute->strings. */
enum opshift_status kernel_texts(const struct kernel_call *call, const char *name,
                                 const Onnx__AttributeProto **attribute, struct opshift_error *error);
/* Sets *choice to the place of a text attribute in names (NULL-terminated); keeps it when the attribute is absent. */
enum opshift_status kernel_choice(const struct kernel_call *call, const char *name, const char *const *names,
                                  unsigned *choice, struct opshift_error *error);
/* Fails with "attribute 'size' is required" when the call has none of that name. */
enum opshift_status kernel_required(const struct kernel_call *call, const char *name, struct opshift_error *error);
/* Fails on an attribute that is not in names (NULL-terminated) and on one that is given twice. */
enum opshift_status kernel_attributes_known(const struct kernel_call *call, const char *const *names,
                                            struct opshift_error *error);

/* A negative axis counts from the end. */
enum opshift_status kernel_axis(int64_t axis, uint32_t rank, uint32_t *place, struct opshift_error *error);
/* The same for a list, where no axis may come twice; chosen has rank entries. */
enum opshift_status kernel_axes(const struct int_list *axes, uint32_t rank, bool *chosen, struct opshift_error *error);
/* The values of an int32 or int64 tensor of rank 1 (or 0: one value); in the call's arena. tensor NULL: not present. */
enum opshift_status kernel_vector(const struct kernel_call *call, const struct tensor *tensor, const char *what,
                                  struct int_list *list, struct opshift_error *error);

/* Fails unless input `position` is int32 or int64; then kernel_index reads its elements. */
enum opshift_status kernel_indices(const struct kernel_call *call, uint32_t position, const char *what,
                                   struct opshift_error *error);
static inline int64_t kernel_index(const struct tensor *indices, uint64_t place)
{
    return indices->type == OPSHIFT_TYPE_INT64 ? ((const int64_t *)indices->data)[place]
                                               : ((const int32_t *)indices->data)[place];
}
/* Fails unless input `position`, where it is present, has this shape: "input 2 has shape [3], must have [4]". */
enum opshift_status kernel_shape(const struct kernel_call *call, uint32_t position, uint32_t rank, const int64_t *dims,
                                 struct opshift_error *error);
/* Fails unless the input's rank is within these bounds. */
enum opshift_status kernel_rank(const struct kernel_call *call, uint32_t position, uint32_t least, uint32_t most,
                                struct opshift_error *error);
/* Fails unless input `position`, where it is present, has real elements. */
enum opshift_status kernel_real(const struct kernel_call *call, uint32_t position, struct opshift_error *error);
/* "elements of type string are not computed with" */
enum opshift_status kernel_no_number(enum opshift_type type, struct opshift_error *error);
/* "elements of type int32 are no real numbers" */
enum opshift_status kernel_no_real(enum opshift_type type, struct opshift_error *error);
/* Fails on inputs that are absent or of another type than input 0. */
enum opshift_status kernel_same_type(const struct kernel_call *call, struct opshift_error *error);

/* Counts work that goes with the inputs, or is more than moving bytes, before it is done. */
static inline enum opshift_status kernel_work(const struct kernel_call *call, uint64_t count, uint64_t steps_each,
                                              struct opshift_error *error)
{
    return budget_steps(call->budget, count, steps_each, error);
}
/* Takes the steps for a tensor that is to be made, and fails where its bytes are beyond the budget. */
enum opshift_status kernel_room(const struct kernel_call *call, enum opshift_type type, uint32_t rank,
                                const int64_t *dims, struct opshift_error *error);
/* Room for `count` zeroed things of `size` bytes, which go when the call is done. UNSUPPORTED: beyond the budget. */
enum opshift_status kernel_scratch(const struct kernel_call *call, uint64_t count, size_t size, void **room,
                                   struct opshift_error *error);
/* Makes output `position`, after kernel_room. */
enum opshift_status kernel_output(struct kernel_call *call, uint32_t position, enum opshift_type type, uint32_t rank,
                                  const int64_t *dims, struct opshift_error *error);
/* The same for the type and dims of a message, which may be wrong: that is for who decodes it to say. */
enum opshift_status kernel_room_for(const struct kernel_call *call, int32_t type, size_t rank, const int64_t *dims,
                                    struct opshift_error *error);
/* A tensor beside the outputs, after kernel_room. */
enum opshift_status kernel_tensor(struct kernel_call *call, enum opshift_type type, uint32_t rank, const int64_t *dims,
                                  struct tensor **tensor, struct opshift_error *error);
/* Output 0 is the input's elements under other dims, shared, not copied. */
enum opshift_status kernel_view(struct kernel_call *call, const struct tensor *input, uint32_t rank,
                                const int64_t *dims, struct opshift_error *error);

/* Bytes of one element in memory; 0 for the types that share bytes. */
size_t kernel_element(enum opshift_type type);
/* Copies elements between tensors of one type. */
void kernel_copy(struct tensor *to, uint64_t to_at, const struct tensor *from, uint64_t from_at, uint64_t count);

/* a * b; false on overflow or above INT64_MAX. */
bool kernel_multiply(uint64_t a, uint64_t b, uint64_t *product);
/* "[2,3]", in the arena. */
const char *kernel_dims_text(struct arena *arena, uint32_t rank, const int64_t *dims);

#endif
