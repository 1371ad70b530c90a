/* What the kernels of ai.onnx.ml share: rows of features, and what is done to scores at the end. */
#ifndef KERNEL_LEARNED_H
#define KERNEL_LEARNED_H

#include "kernel/reals.h"

/* Rows of features: [N, C], or [C] as one row. */
struct feature_rows {
    uint64_t count, width;
    double *values; /* freed after the call */
};

/* Reads an input of numbers. */
enum opshift_status feature_rows_read(const struct kernel_call *call, uint32_t position, struct feature_rows *rows,
                                      struct opshift_error *error);

enum post_transform { POST_NONE, POST_SOFTMAX, POST_LOGISTIC, POST_SOFTMAX_ZERO, POST_PROBIT };

/* Reads the attribute post_transform, a word. */
enum opshift_status post_transform_read(const struct kernel_call *call, enum post_transform *post,
                                        struct opshift_error *error);
/* Sets an output of this type to the scores [rows, width], each row transformed. */
enum opshift_status scores_give(struct kernel_call *call, uint32_t output, enum opshift_type type, double *scores,
                                uint64_t rows, uint64_t width, enum post_transform post, struct opshift_error *error);

/* Sets output 0 to the label with the greatest score of each row, one of the attribute 'integers' or of
 * classlabels_strings, and output 1 to the scores. */
enum opshift_status classes_give(struct kernel_call *call, enum attribute_id integers, double *scores, uint64_t rows,
                                 uint64_t width, enum post_transform post, struct opshift_error *error);
/* The number of labels. */
uint64_t labels_count(const struct kernel_call *call, enum attribute_id integers);

#endif
