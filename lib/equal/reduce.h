/* The first region that differs, as files. */
#ifndef EQUAL_REDUCE_H
#define EQUAL_REDUCE_H

#include "equal/term.h"

/* What a run read, and the types of what both sides made of it. leaves NULL: there is none. */
struct reduced_run {
    const struct tensor **leaves;
    enum opshift_type types[2];
};

/* Runs a region as it was run before, up to the run that differs. */
enum opshift_status region_again(struct equal_work *work, struct equal_region *region, struct arena *arena,
                                 struct reduced_run *run, struct opshift_error *error);
/* Writes before.onnx, after.onnx and inputs.npz into the directory of the options; the answer says of which region, or
 * why of none; or it has the failure to write them. */
enum opshift_status reduce_write(struct equal_work *work, struct opshift_error *error);

#endif
