/* Fixes of the TGT checks. */
#ifndef CHECK_TARGET_FIX_H
#define CHECK_TARGET_FIX_H

#include "check/target.h"

/* An If with a constant condition becomes the nodes of its branch; Dropout that drops nothing becomes Identity. */
enum opshift_status target_fix_operator(struct checking *checking, const struct finding *finding,
                                        struct opshift_error *error);
/* A node of a type without a kernel is computed in a wider one, with a Cast before and behind it. */
enum opshift_status target_fix_type(struct checking *checking, const struct finding *finding,
                                    struct opshift_error *error);
enum opshift_status target_fix_refusal(struct checking *checking, const struct finding *finding,
                                       struct opshift_error *error);

#endif
