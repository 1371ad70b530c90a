/* The lengths of a Split node in all their forms, and the proof that two forms are equivalent. */
#ifndef VERIFY_CUT_H
#define VERIFY_CUT_H

#include "verify/verify.h"

enum cut_kind {
    CUT_EQUAL,     /* into as many equal parts as there are outputs */
    CUT_CHUNKS,    /* num_outputs chunks of ceil(dim / num_outputs) */
    CUT_LIST,      /* into these lengths */
    CUT_VALUE,     /* into lengths known only at run time */
    CUT_PARAMETER, /* into lengths given by an attribute of the function */
    CUT_UNKNOWN,   /* num_outputs given by an attribute of the function */
    CUT_OPEN       /* SplitToSequence with an unknown number of parts */
};

struct cut {
    enum cut_kind kind;
    name_id data; /* the value that is split */
    int64_t axis;
    struct bytes axis_parameter; /* size 0: axis is a number */
    int64_t parts;               /* EQUAL, CHUNKS */
    const int64_t *lengths;      /* LIST */
    size_t length_count;
    name_id value;          /* VALUE */
    struct bytes parameter; /* PARAMETER, UNKNOWN */
    uint32_t output_count;
    const name_id *outputs;
    bool scalar; /* LIST: the tensor of lengths has rank 0 */
    bool drops;  /* SplitToSequence: the parts lack the split axis; as written, until cut_read_sequence is done */
    struct bytes drops_parameter; /* size 0: drops is known */
    bool from_dim;                /* SplitToSequence: the list was computed from the dim */
};

/* Reads the node of the attributes; lengths are in their arena. binding: the attributes of the enclosing function;
 * NULL: references stay unresolved. */
enum opshift_status cut_read(struct side *side, struct graph *graph, struct attribute_list *attributes,
                             const struct binding *binding, struct cut *cut, struct opshift_error *error);
/* Why both split alike for every dim that the first accepts; NULL: only a run can show it. type: of the data. */
const char *cut_proof(const struct side *before_side, const struct cut *before, const struct cut *after,
                      const struct value_type *type);
/* The same outputs in the same order; outputs that the first omits may have a name in the second, and more may
 * follow. */
bool cut_same_outputs(const struct side *before_side, const struct cut *before, const struct cut *after);
/* The same axis for all tensors of the type; false if unknown. */
bool cut_same_axis(const struct cut *before, const struct cut *after, const struct value_type *type);
/* The dim that is split; -1: unknown. type: of the data. */
int64_t cut_dim(const struct cut *cut, const struct value_type *type);
/* Dims along the axis that are worth testing; at most room. */
size_t cut_dims(const struct cut *cut, int64_t *dims, size_t room);
/* The sum of a list; -1: a length below 0, or overflow. */
int64_t cut_sum(const struct cut *cut);

#endif
