/* Shapes of outputs, operator by operator: each function is for one row of the table in shape.c. It gives only certain
 * results, and reports what its operator cannot compute (clash.h); then it gives nothing.
 *
 * Types of inputs are read by input_ranked, and constants by input_ints, input_int or input_sizes (known.h), so that it
 * is noted on which declarations the outputs rest. A function whose output's rank, not only its dims, depends on the
 * dims of an input sets inference->rank_follows_dims. */
#ifndef INFER_SHAPE_H
#define INFER_SHAPE_H

#include "infer/clash.h"
#include "infer/known.h"

/* shape_broadcast.c */
void shape_same(struct inference *inference);
void shape_along_axis(struct inference *inference);
void shape_dropout(struct inference *inference);
void shape_broadcast(struct inference *inference);
void shape_swi_glu(struct inference *inference);
void shape_mod(struct inference *inference);
void shape_binary(struct inference *inference);

/* shape_product.c, shape_einsum.c */
void shape_mat_mul(struct inference *inference);
void shape_qlinear_mat_mul(struct inference *inference);
void shape_gemm(struct inference *inference);
void shape_det(struct inference *inference);
void shape_einsum(struct inference *inference);

/* shape_normal.c */
void shape_batch_normalization(struct inference *inference);
void shape_group_normalization(struct inference *inference);
void shape_layer_normalization(struct inference *inference);
void shape_rms_normalization(struct inference *inference);
void shape_mean_variance(struct inference *inference);
void shape_prelu(struct inference *inference);
void shape_quantize(struct inference *inference);
void shape_dynamic_quantize(struct inference *inference);

/* shape_recurrent.c, shape_attention.c */
void shape_recurrent(struct inference *inference);
void shape_attention(struct inference *inference);
void shape_linear_attention(struct inference *inference);
void shape_rotary_embedding(struct inference *inference);
void shape_tensor_scatter(struct inference *inference);
void shape_causal_conv(struct inference *inference);

/* shape_signal.c */
void shape_signal_window(struct inference *inference);
void shape_mel_weights(struct inference *inference);
void shape_dft(struct inference *inference);
void shape_stft(struct inference *inference);

/* shape_image.c, shape_resize.c */
void shape_depth_to_space(struct inference *inference);
void shape_space_to_depth(struct inference *inference);
void shape_grid_sample(struct inference *inference);
void shape_affine_grid(struct inference *inference);
void shape_roi_align(struct inference *inference);
void shape_max_roi_pool(struct inference *inference);
void shape_center_crop_pad(struct inference *inference);
void shape_image_decoder(struct inference *inference);
void shape_resize(struct inference *inference);
void shape_upsample(struct inference *inference);

/* shape_choice.c */
void shape_nonzero(struct inference *inference);
void shape_compress(struct inference *inference);
void shape_unique(struct inference *inference);
void shape_non_max_suppression(struct inference *inference);
void shape_multinomial(struct inference *inference);
void shape_loss(struct inference *inference);
void shape_string_normalizer(struct inference *inference);
void shape_string_split(struct inference *inference);
void shape_tf_idf(struct inference *inference);

/* shape_constant.c */
void shape_constant_of_shape(struct inference *inference);
void shape_attribute(struct inference *inference);
void shape_reshape(struct inference *inference);
void shape_expand(struct inference *inference);
void shape_tile(struct inference *inference);
void shape_pad(struct inference *inference);
void shape_range(struct inference *inference);

/* shape_axes.c */
void shape_transpose(struct inference *inference);
void shape_squeeze(struct inference *inference);
void shape_unsqueeze(struct inference *inference);
void shape_flatten(struct inference *inference);
void shape_concat(struct inference *inference);
void shape_split(struct inference *inference);
void shape_reduce(struct inference *inference);
void shape_arg(struct inference *inference);

/* shape_pick.c */
void shape_shape(struct inference *inference);
void shape_scalar(struct inference *inference);
void shape_slice(struct inference *inference);
void shape_gather(struct inference *inference);
void shape_gather_elements(struct inference *inference);
void shape_gather_nd(struct inference *inference);
void shape_scatter_elements(struct inference *inference);
void shape_scatter_nd(struct inference *inference);
void shape_top_k(struct inference *inference);
void shape_one_hot(struct inference *inference);

/* shape_window.c */
void shape_conv(struct inference *inference);
void shape_conv_integer(struct inference *inference);
void shape_deform_conv(struct inference *inference);
void shape_qlinear_conv(struct inference *inference);
void shape_conv_transpose(struct inference *inference);
void shape_max_unpool(struct inference *inference);
void shape_col2im(struct inference *inference);
void shape_pool(struct inference *inference);
void shape_global_pool(struct inference *inference);

/* shape_ml.c */
void shape_cast_map(struct inference *inference);
void shape_category_mapper(struct inference *inference);
void shape_feature_extractor(struct inference *inference);
void shape_label_encoder(struct inference *inference);
void shape_linear_classifier(struct inference *inference);
void shape_linear_regressor(struct inference *inference);
void shape_one_hot_encoder(struct inference *inference);
void shape_svm_regressor(struct inference *inference);
void shape_tree_classifier(struct inference *inference);
void shape_trees(struct inference *inference);
void shape_zip_map(struct inference *inference);

/* body.c: what can be said without the body */
void shape_scan(struct inference *inference);

/* shape_sequence.c */
void shape_sequence_construct(struct inference *inference);
void shape_sequence_empty(struct inference *inference);
void shape_sequence_insert(struct inference *inference);
void shape_sequence_erase(struct inference *inference);
void shape_element(struct inference *inference);
void shape_concat_from_sequence(struct inference *inference);
void shape_split_to_sequence(struct inference *inference);
void shape_optional(struct inference *inference);

/* ---- what several of them need ---- */

/* Makes it "seq" or "optional" of a type. False: that type is not known, or no memory. */
bool type_hold(struct arena *arena, struct value_type *type, const char *kind, const struct value_type *element);
/* The type of one element. */
void type_held(struct value_type *type, const struct value_type *element);

/* The output at a position, with `rank` unknown dims; NULL: the node has none there, or no memory. */
static inline struct value_type *shape_output(struct inference *inference, uint32_t position, size_t rank)
{
    if (position >= inference->node->output_count || !shape_new(inference, &inference->outputs[position], rank))
        return NULL;
    return &inference->outputs[position];
}
/* A dim that is a number; a negative one is unknown. */
static inline void dim_set(struct value_type *type, size_t at, int64_t dim)
{
    type->dims[at] = dim >= 0 ? dim : -1;
    type->params[at] = NAME_NONE;
}
/* -1: one is unknown, or it overflows. */
static inline int64_t dim_plus(int64_t a, int64_t b)
{
    int64_t sum;
    return a >= 0 && b >= 0 && !__builtin_add_overflow(a, b, &sum) ? sum : -1;
}
static inline int64_t dim_times(int64_t a, int64_t b)
{
    int64_t product;
    return a >= 0 && b >= 0 && !__builtin_mul_overflow(a, b, &product) ? product : -1;
}

/* One dim of the broadcast of two: what is not 1 decides, even against the unknown. */
void dim_broadcast(struct value_type *to, size_t at, int64_t dim, name_id param);
/* The axis of a Concat, which is 1 in version 1 where it is not given; false: unknown. */
bool concat_axis(const struct inference *inference, int64_t *axis);
/* The one integer behind an input; false: unknown. */
bool input_int(struct inference *inference, uint32_t position, int64_t *value);

#endif
