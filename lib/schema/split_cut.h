/* What a Split node does: its form, its axis, the lengths of its parts, its faults. ONNX Split 1, 2, 11, 13, 18. */
#ifndef SCHEMA_SPLIT_CUT_H
#define SCHEMA_SPLIT_CUT_H

#include "model/model.h"
#include "model/tensor.h"

/* Of more parts, neither lengths nor outputs are written out. */
#define SPLIT_PARTS_MAX (INT64_C(1) << 20)
/* Runtimes that divide in float may cut a longer dim into other parts than num_outputs means. */
#define SPLIT_COUNTED_MAX (INT64_C(1) << 24)

/* Where the lengths come from. */
enum split_form {
    SPLIT_EQUAL,     /* no lengths: equal parts, as many as outputs */
    SPLIT_COUNTED,   /* num_outputs */
    SPLIT_ATTRIBUTE, /* the attribute `split` */
    SPLIT_INPUT      /* the second input */
};

struct split_cut {
    uint32_t since; /* the version of Split in force; 0: a SplitToSequence, whose lengths may be one for all parts */
    uint32_t output_count;
    const char *data_name, *lengths_name; /* of the inputs, for messages */
    bool axis_known;                      /* false: a function's attribute with different values in the calls */
    bool axis_reference;                  /* it is a function's attribute */
    int64_t axis;                         /* as written; 0 when absent */
    int64_t front;                        /* the axis counted from the front; -1: unknown, or out of range */
    enum opshift_type type;               /* of the data; UNDEFINED: unknown */
    int32_t rank;                         /* of the data; -1: unknown */
    int64_t dim;                          /* the split dim; -1: unknown */
    enum split_form form;
    bool counted, listed;          /* num_outputs is given; lengths are given: both may be */
    bool listed_twice;             /* Split-1: as attribute and as input */
    const char *uncounted;         /* a call of the function that gives no num_outputs, in words; NULL: none */
    bool parts_known;              /* false: num_outputs depends on the calls of a function */
    int64_t parts;                 /* num_outputs, or as many as outputs */
    int64_t length_count;          /* of a list; -1: unknown */
    const int64_t *lengths;        /* length_count of them; NULL: unknown */
    const char *unknown;           /* why the lengths are unknown, in words; NULL: no reason is given */
    enum opshift_type input_type;  /* of the second input; UNDEFINED: unknown, or absent */
    int32_t input_rank;            /* -1: unknown, or absent */
    const struct tensor *constant; /* its value; NULL: not constant, or absent */
    int64_t fraction;              /* index of a constant length that is no whole number; -1: none */
};

/* ---- reading: start, then axis and attributes, then inputs. What the version does not have is ignored ---- */

struct split_cut split_cut_start(uint32_t since, uint32_t output_count);
/* Sets front, dim, type, and rank; after the axis. */
void split_cut_data(struct split_cut *cut, const struct value_type *data);
/* num_outputs is given. */
void split_cut_count(struct split_cut *cut, bool known, int64_t parts);
/* Lengths are given; lengths NULL, or count -1: unknown. */
void split_cut_list(struct split_cut *cut, enum split_form from, const int64_t *lengths, int64_t count);
/* The second input is given, not constant; type: what is known of it. */
void split_cut_computed(struct split_cut *cut, const struct value_type *type);
/* The second input is a constant. Split-1 takes the data's type, and any whole number. */
enum opshift_status split_cut_constant(struct split_cut *cut, const struct tensor *constant, struct arena *arena,
                                       struct opshift_error *error);

/* ---- what follows ---- */

static inline bool split_is_listed(const struct split_cut *cut)
{
    return cut->form == SPLIT_ATTRIBUTE || cut->form == SPLIT_INPUT;
}
/* Do both cut the same axis? False if unknown. */
bool split_same_axis(const struct split_cut *one, const struct split_cut *other);
/* The length of a part, of which there may be more than outputs; -1: unknown, or none. */
int64_t split_length(const struct split_cut *cut, int64_t part);
/* The number of parts; -1: unknown. */
int64_t split_part_count(const struct split_cut *cut);
/* The lengths of all parts, in the arena; NULL: some are unknown. */
enum opshift_status split_lengths(const struct split_cut *cut, struct arena *arena, const int64_t **lengths,
                                  struct opshift_error *error);
/* Chunks by num_outputs: all have size ceil(dim / parts) except the last; if that is negative, the split is invalid.
 * parts: 1 to INT32_MAX. */
int64_t split_chunk(int64_t dim, int64_t parts);
int64_t split_last(int64_t dim, int64_t parts);
/* The dim that lengths cover; -1: one is below 0, or the sum overflows. */
int64_t split_sum(const int64_t *lengths, int64_t count);
/* Are lengths those of equal parts, or of chunks? */
bool split_are_chunks(const int64_t *lengths, int64_t count, bool equal);
/* The elements of an integer tensor, or whole numbers of another; in the arena. NULL: element *fraction is none. */
enum opshift_status split_whole_numbers(const struct tensor *tensor, struct arena *arena, const int64_t **numbers,
                                        uint64_t *fraction, struct opshift_error *error);

/* ---- split_fault.c ---- */

struct split_fault {
    const char *attribute;          /* at fault; NULL: the node */
    char words[OPSHIFT_ERROR_SIZE]; /* "what is wrong; the way out" */
};
/* False: it is without this fault, as far as known. */
typedef bool split_fault_find(const struct split_cut *cut, struct split_fault *fault);
split_fault_find split_fault_scalar, split_fault_axis, split_fault_both, split_fault_neither, split_fault_num_outputs,
    split_fault_few, split_fault_last, split_fault_uneven, split_fault_rank, split_fault_fraction, split_fault_empty,
    split_fault_count, split_fault_negative, split_fault_overflow, split_fault_sum;
/* The first of them. */
split_fault_find split_fault_first;

#endif
