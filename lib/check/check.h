/* What is wrong with a model: one file per family. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "model/draft.h"

/* Is a Split node valid at the opset it is written for? NO: "E-ID: what is wrong; the way out", the first finding only,
 * since the others would follow from it. Values and shapes count as far as they are known. (split-semantics A.10) */
enum opshift_status check_split(const struct draft *draft, struct opshift_error *error);

#endif
