/* The lengths of a Split node in all their forms, and the proof that two forms are equivalent. */
#ifndef VERIFY_CUT_H
#define VERIFY_CUT_H

#include "schema/split_cut.h"
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
    struct split_cut split; /* as written, and with what the side knows of constants and types */
    enum cut_kind kind;
    name_id data;  /* the value that is split */
    name_id value; /* VALUE */
    const name_id *outputs;
    struct bytes axis_parameter;  /* size 0: the axis is a number */
    struct bytes parameter;       /* PARAMETER, UNKNOWN */
    bool drops;                   /* SplitToSequence: the parts lack the split axis; as written, until
                                     cut_read_sequence is done */
    struct bytes drops_parameter; /* size 0: drops is known */
    bool from_dim;                /* SplitToSequence: the list was computed from the dim */
};

/* Reads the node of the attributes; lengths are in their arena. binding: the attributes of the enclosing function;
 * NULL: references stay unresolved. type: of the data. */
enum opshift_status cut_read(struct side *side, struct graph *graph, struct attribute_list *attributes,
                             const struct binding *binding, const struct value_type *type, struct cut *cut,
                             struct opshift_error *error);
/* Why both split alike for every dim that the first accepts; NULL: only a run can show it. */
const char *cut_proof(const struct side *before_side, const struct cut *before, const struct cut *after);
/* False if unknown. */
bool cut_same_axis(const struct cut *before, const struct cut *after);
/* The same outputs in the same order; outputs that the first omits may have a name in the second, and more may
 * follow. */
bool cut_same_outputs(const struct side *before_side, const struct cut *before, const struct cut *after);
/* Dims along the axis that are worth testing; at most room. */
size_t cut_dims(const struct cut *cut, int64_t *dims, size_t room);

#endif
