/* The table of constraints. */
#include "schema/constraint.h"

#include <string.h>

#include "base/error.h"

#define MOST INT64_MAX

#define WORDS(name, list)           .kind = CONSTRAINT_WORDS, .subject = (name), .words = (list)
#define TYPE(name, least_)          .kind = CONSTRAINT_TYPE, .subject = (name), .least = (least_)
#define RANGE(name, least_, most_)  .kind = CONSTRAINT_RANGE, .subject = (name), .least = (least_), .most = (most_)
#define ITEMS(name, least_, most_)  .kind = CONSTRAINT_COUNT, .subject = (name), .least = (least_), .most = (most_)
#define PER_AXIS(name, each, first) .kind = CONSTRAINT_PER_AXIS, .subject = (name), .least = (each), .most = (first)
#define AS_LONG(name, other)        .kind = CONSTRAINT_AS_LONG, .subject = (name), .words = (other)
#define NEEDS(name, other)          .kind = CONSTRAINT_NEEDS, .subject = (name), .words = (other)
#define ONE_OF(list)                .kind = CONSTRAINT_ONE_OF, .words = (list)
#define RANK(name, least_, most_)   .kind = CONSTRAINT_RANK, .subject = (name), .least = (least_), .most = (most_)
#define SINGLE(name)                .kind = CONSTRAINT_SINGLE, .subject = (name)
#define DIM(name, axis, size)       .kind = CONSTRAINT_DIM, .subject = (name), .least = (size), .most = (axis)
#define SAME(name, axis, other, its_axis)                                                                              \
    .kind = CONSTRAINT_SAME, .subject = (name), .least = (axis), .words = (other), .most = (its_axis)

#define AUTO_PAD       "NOTSET SAME_UPPER SAME_LOWER VALID"
#define DIRECTION      "forward reverse bidirectional"
#define POST_TRANSFORM "NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT"
#define KERNEL_TYPE    "LINEAR POLY RBF SIGMOID"
#define SCATTER        "none add mul"
#define SCATTER_18     "none add mul max min"

#define WINDOW(op)                                                                                                     \
    {op, PER_AXIS("kernel_shape", 1, 2)}, {op, RANGE("kernel_shape", 1, MOST)}, {op, PER_AXIS("strides", 1, 2)},       \
        {op, RANGE("strides", 1, MOST)}, {op, PER_AXIS("dilations", 1, 2)}, {op, RANGE("dilations", 1, MOST)},         \
        {op, PER_AXIS("pads", 2, 2)},                                                                                  \
    {                                                                                                                  \
        op, RANGE("pads", 0, MOST)                                                                                     \
    }

#define RECURRENT(op)                                                                                                  \
    {op, WORDS("direction", DIRECTION)}, {op, RANGE("hidden_size", 1, MOST)}, {op, RANGE("layout", 0, 1)},             \
        {op, RANK("X", 3, 3)}, {op, RANK("W", 3, 3)}, {op, RANK("R", 3, 3)}, {op, RANK("B", 2, 2)},                    \
        {op, RANK("sequence_lens", 1, 1)}, {op, RANK("initial_h", 3, 3)}, {op, SAME("W", 2, "X", 2)},                  \
        {op, SAME("R", 0, "W", 0)}, {op, SAME("R", 1, "W", 1)}, {op, SAME("B", 0, "W", 0)},                            \
    {                                                                                                                  \
        op, SAME("initial_h", 2, "R", 2)                                                                               \
    }

/* Sorted by operator, as by strcmp. */
static const struct constraint rows[] = {
    {"AffineGrid", RANK("theta", 3, 3)},
    {"AffineGrid", RANK("size", 1, 1)},
    {"Attention", RANGE("is_causal", 0, 1)},
    {"Attention", RANGE("kv_num_heads", 1, MOST)},
    {"Attention", RANGE("q_num_heads", 1, MOST)},
    {"Attention", RANGE("qk_matmul_output_mode", 0, 3)},
    {"Attention", RANK("Q", 3, 4)},
    {"Attention", RANK("K", 3, 4)},
    {"Attention", RANK("V", 3, 4)},
    {"Attention", RANK("past_key", 4, 4)},
    {"Attention", RANK("past_value", 4, 4)},
    {"Attention", SAME("K", 0, "Q", 0)},
    {"Attention", SAME("V", 0, "Q", 0)},
    {"AveragePool", WORDS("auto_pad", AUTO_PAD)},
    WINDOW("AveragePool"),
    {"AveragePool", RANK("X", 3, MOST)},
    {"BatchNormalization", RANK("scale", 1, 1), .since = 9},
    {"BatchNormalization", RANK("B", 1, 1), .since = 9},
    {"BatchNormalization", RANK("mean", 1, 1), .since = 9},
    {"BatchNormalization", RANK("var", 1, 1), .since = 9},
    {"BatchNormalization", RANK("input_mean", 1, 1)},
    {"BatchNormalization", RANK("input_var", 1, 1)},
    {"Bernoulli", TYPE("dtype", 1)},
    {"BitCast", TYPE("to", 1)},
    {"BitShift", WORDS("direction", "RIGHT LEFT")},
    {"BlackmanWindow", TYPE("output_datatype", 0)},
    {"BlackmanWindow", SINGLE("size")},
    {"Cast", TYPE("to", 1)},
    {"Cast", WORDS("round_mode", "up down nearest")},
    {"CastLike", WORDS("round_mode", "up down nearest")},
    {"CastMap", WORDS("cast_to", "TO_FLOAT TO_STRING TO_INT64")},
    {"CastMap", WORDS("map_form", "DENSE SPARSE")},
    {"CategoryMapper", NEEDS("cats_int64s", "cats_strings")},
    {"CategoryMapper", NEEDS("cats_strings", "cats_int64s")},
    {"CategoryMapper", AS_LONG("cats_strings", "cats_int64s")},
    {"CausalConvWithState", WORDS("activation", "none silu swish")},
    {"CausalConvWithState", RANK("input", 3, 3)},
    {"CausalConvWithState", RANK("weight", 3, 3)},
    {"CausalConvWithState", RANK("bias", 1, 1)},
    {"CausalConvWithState", RANK("past_state", 3, 3)},
    {"CausalConvWithState", DIM("weight", 1, 1)},
    {"CausalConvWithState", SAME("weight", 0, "input", 1)},
    {"CausalConvWithState", SAME("bias", 0, "input", 1)},
    {"CausalConvWithState", SAME("past_state", 0, "input", 0)},
    {"CausalConvWithState", SAME("past_state", 1, "input", 1)},
    {"CenterCropPad", RANK("shape", 1, 1)},
    {"Col2Im", RANK("input", 2, 3)},
    {"Col2Im", RANK("image_shape", 1, 1)},
    {"Col2Im", RANK("block_shape", 1, 1)},
    {"Col2Im", SAME("block_shape", 0, "image_shape", 0)},
    {"Col2Im", RANGE("dilations", 1, MOST)},
    {"Col2Im", RANGE("strides", 1, MOST)},
    {"Col2Im", RANGE("pads", 0, MOST)},
    {"Compress", RANK("condition", 1, 1)},
    {"ConcatFromSequence", RANGE("new_axis", 0, 1)},
    {"Constant", ONE_OF("value value_int value_ints value_float value_floats value_string value_strings sparse_value"),
     .since = 11},
    {"ConstantOfShape", RANK("input", 1, 1)},
    {"Conv", WORDS("auto_pad", AUTO_PAD)},
    WINDOW("Conv"),
    {"Conv", RANGE("group", 1, MOST)},
    {"Conv", RANK("B", 1, 1)},
    {"ConvInteger", WORDS("auto_pad", AUTO_PAD)},
    WINDOW("ConvInteger"),
    {"ConvInteger", RANGE("group", 1, MOST)},
    {"ConvInteger", RANK("x_zero_point", 0, 1)},
    {"ConvInteger", RANK("w_zero_point", 0, 1)},
    {"ConvTranspose", WORDS("auto_pad", AUTO_PAD)},
    WINDOW("ConvTranspose"),
    {"ConvTranspose", RANGE("group", 1, MOST)},
    {"ConvTranspose", PER_AXIS("output_padding", 1, 2)},
    {"ConvTranspose", RANGE("output_padding", 0, MOST)},
    {"ConvTranspose", RANGE("output_shape", 0, MOST)},
    {"ConvTranspose", RANK("X", 3, MOST)},
    {"ConvTranspose", RANK("W", 3, MOST)},
    {"ConvTranspose", RANK("B", 1, 1)},
    {"ConvTranspose", SAME("W", 0, "X", 1)},
    {"CumProd", RANGE("exclusive", 0, 1)},
    {"CumProd", RANGE("reverse", 0, 1)},
    {"CumProd", SINGLE("axis")},
    {"CumSum", RANGE("exclusive", 0, 1)},
    {"CumSum", RANGE("reverse", 0, 1)},
    {"CumSum", SINGLE("axis")},
    {"DFT", RANGE("inverse", 0, 1)},
    {"DFT", RANGE("onesided", 0, 1)},
    {"DFT", RANK("input", 2, MOST)},
    {"DFT", SINGLE("dft_length")},
    {"DFT", SINGLE("axis")},
    WINDOW("DeformConv"),
    {"DeformConv", RANGE("group", 1, MOST)},
    {"DeformConv", RANGE("offset_group", 1, MOST)},
    {"DeformConv", RANK("B", 1, 1)},
    {"DepthToSpace", WORDS("mode", "DCR CRD")},
    {"DepthToSpace", RANGE("blocksize", 1, MOST)},
    {"DepthToSpace", RANK("input", 4, 4)},
    {"DequantizeLinear", RANGE("block_size", 0, MOST)},
    {"DequantizeLinear", TYPE("output_dtype", 0)},
    {"Det", RANK("X", 2, MOST)},
    {"DictVectorizer", ONE_OF("int64_vocabulary string_vocabulary")},
    {"Dropout", RANK("ratio", 0, 0)},
    {"Dropout", RANK("training_mode", 0, 0)},
    {"Expand", RANK("shape", 1, 1)},
    {"EyeLike", TYPE("dtype", 1)},
    {"EyeLike", RANK("input", 2, 2)},
    RECURRENT("GRU"),
    {"GRU", RANGE("linear_before_reset", 0, 1)},
    {"GatherElements", RANK("data", 1, MOST)},
    {"GatherND", RANGE("batch_dims", 0, MOST)},
    {"GatherND", RANK("data", 1, MOST)},
    {"GatherND", RANK("indices", 1, MOST)},
    {"Gelu", WORDS("approximate", "none tanh")},
    {"GlobalAveragePool", RANK("X", 3, MOST)},
    {"GlobalLpPool", RANK("X", 3, MOST)},
    {"GlobalLpPool", RANGE("p", 1, MOST)},
    {"GlobalMaxPool", RANK("X", 3, MOST)},
    {"GridSample", WORDS("mode", "bilinear nearest bicubic"), .until = 20, .since = 16},
    {"GridSample", WORDS("mode", "linear nearest cubic"), .since = 20},
    {"GridSample", WORDS("padding_mode", "zeros border reflection")},
    {"GridSample", RANGE("align_corners", 0, 1)},
    {"GridSample", RANK("X", 4, 4), .until = 20},
    {"GridSample", RANK("grid", 4, 4), .until = 20},
    {"GridSample", RANK("X", 3, MOST)},
    {"GridSample", RANK("grid", 3, MOST)},
    {"GridSample", SAME("grid", 0, "X", 0)},
    {"GroupNormalization", RANGE("num_groups", 1, MOST)},
    {"GroupNormalization", RANK("scale", 1, 1)},
    {"GroupNormalization", RANK("bias", 1, 1)},
    {"HammingWindow", TYPE("output_datatype", 0)},
    {"HammingWindow", SINGLE("size")},
    {"HannWindow", TYPE("output_datatype", 0)},
    {"HannWindow", SINGLE("size")},
    {"If", SINGLE("cond")},
    {"ImageDecoder", WORDS("pixel_format", "RGB BGR Grayscale")},
    {"ImageDecoder", RANK("encoded_stream", 1, 1)},
    {"Imputer", ONE_OF("imputed_value_floats imputed_value_int64s")},
    {"InstanceNormalization", RANK("input", 3, MOST)},
    {"InstanceNormalization", RANK("scale", 1, 1)},
    {"InstanceNormalization", RANK("B", 1, 1)},
    {"InstanceNormalization", SAME("scale", 0, "input", 1)},
    {"InstanceNormalization", SAME("B", 0, "input", 1)},
    {"LRN", RANGE("size", 1, MOST)},
    RECURRENT("LSTM"),
    {"LSTM", RANGE("input_forget", 0, 1)},
    {"LSTM", RANK("initial_c", 3, 3)},
    {"LSTM", RANK("P", 2, 2)},
    {"LSTM", SAME("initial_c", 2, "R", 2)},
    {"LSTM", SAME("P", 0, "W", 0)},
    {"LabelEncoder", ONE_OF("keys_floats keys_int64s keys_strings keys_tensor"), .since = 2},
    {"LabelEncoder", ONE_OF("values_floats values_int64s values_strings values_tensor"), .since = 2},
    {"LinearAttention", WORDS("update_rule", "linear gated delta gated_delta")},
    {"LinearAttention", RANGE("chunk_size", 1, MOST)},
    {"LinearAttention", RANGE("kv_num_heads", 1, MOST)},
    {"LinearAttention", RANGE("q_num_heads", 1, MOST)},
    {"LinearAttention", RANK("query", 3, 3)},
    {"LinearAttention", RANK("key", 3, 3)},
    {"LinearAttention", RANK("value", 3, 3)},
    {"LinearAttention", RANK("past_state", 4, 4)},
    {"LinearAttention", RANK("decay", 3, 3)},
    {"LinearAttention", RANK("beta", 3, 3)},
    {"LinearAttention", SAME("key", 0, "query", 0)},
    {"LinearAttention", SAME("key", 1, "query", 1)},
    {"LinearAttention", SAME("value", 0, "query", 0)},
    {"LinearAttention", SAME("value", 1, "query", 1)},
    {"LinearAttention", SAME("past_state", 0, "query", 0)},
    {"LinearClassifier", WORDS("post_transform", POST_TRANSFORM)},
    {"LinearRegressor", WORDS("post_transform", POST_TRANSFORM)},
    {"Loop", SINGLE("M")},
    {"Loop", SINGLE("cond")},
    {"LpNormalization", RANGE("p", 1, 2)},
    {"LpPool", WORDS("auto_pad", AUTO_PAD)},
    WINDOW("LpPool"),
    {"LpPool", RANGE("p", 1, MOST)},
    {"LpPool", RANK("X", 3, MOST)},
    {"MaxPool", WORDS("auto_pad", AUTO_PAD)},
    WINDOW("MaxPool"),
    {"MaxPool", RANGE("storage_order", 0, 1)},
    {"MaxPool", RANK("X", 3, MOST)},
    {"MaxRoiPool", ITEMS("pooled_shape", 2, 2)},
    {"MaxRoiPool", RANGE("pooled_shape", 1, MOST)},
    {"MaxRoiPool", RANK("X", 4, 4)},
    {"MaxRoiPool", RANK("rois", 2, 2)},
    {"MaxRoiPool", DIM("rois", 1, 5)},
    {"MaxUnpool", PER_AXIS("kernel_shape", 1, 2)},
    {"MaxUnpool", RANGE("kernel_shape", 1, MOST)},
    {"MaxUnpool", PER_AXIS("strides", 1, 2)},
    {"MaxUnpool", RANGE("strides", 1, MOST)},
    {"MaxUnpool", PER_AXIS("pads", 2, 2)},
    {"MaxUnpool", RANGE("pads", 0, MOST)},
    {"MaxUnpool", RANK("X", 3, MOST)},
    {"MaxUnpool", RANK("output_shape", 1, 1)},
    {"MelWeightMatrix", TYPE("output_datatype", 0)},
    {"MelWeightMatrix", SINGLE("num_mel_bins")},
    {"MelWeightMatrix", SINGLE("dft_length")},
    {"MelWeightMatrix", SINGLE("sample_rate")},
    {"MelWeightMatrix", SINGLE("lower_edge_hertz")},
    {"MelWeightMatrix", SINGLE("upper_edge_hertz")},
    {"Mod", RANGE("fmod", 0, 1)},
    {"Multinomial", TYPE("dtype", 1)},
    {"Multinomial", RANGE("sample_size", 1, MOST)},
    {"Multinomial", RANK("input", 2, 2)},
    {"NegativeLogLikelihoodLoss", WORDS("reduction", "none sum mean")},
    {"NegativeLogLikelihoodLoss", RANK("input", 2, MOST)},
    {"NegativeLogLikelihoodLoss", RANK("weight", 1, 1)},
    {"NegativeLogLikelihoodLoss", SAME("target", 0, "input", 0)},
    {"NegativeLogLikelihoodLoss", SAME("weight", 0, "input", 1)},
    {"NonMaxSuppression", RANGE("center_point_box", 0, 1)},
    {"NonMaxSuppression", RANK("boxes", 3, 3)},
    {"NonMaxSuppression", RANK("scores", 3, 3)},
    {"NonMaxSuppression", DIM("boxes", 2, 4)},
    {"NonMaxSuppression", SAME("scores", 0, "boxes", 0)},
    {"NonMaxSuppression", SAME("scores", 2, "boxes", 1)},
    {"NonMaxSuppression", SINGLE("max_output_boxes_per_class")},
    {"NonMaxSuppression", SINGLE("iou_threshold")},
    {"NonMaxSuppression", SINGLE("score_threshold")},
    {"Normalizer", WORDS("norm", "MAX L1 L2")},
    {"OneHot", SINGLE("depth")},
    {"OneHot", RANK("values", 1, 1)},
    {"OneHot", DIM("values", 0, 2)},
    {"OneHotEncoder", ONE_OF("cats_int64s cats_strings")},
    {"Pad", WORDS("mode", "constant reflect edge"), .until = 19},
    {"Pad", WORDS("mode", "constant reflect edge wrap"), .since = 19},
    {"Pad", RANK("pads", 1, 1)},
    {"Pad", RANK("axes", 1, 1)},
    {"Pad", SINGLE("constant_value")},
    {"QLinearConv", WORDS("auto_pad", AUTO_PAD)},
    WINDOW("QLinearConv"),
    {"QLinearConv", RANGE("group", 1, MOST)},
    {"QLinearConv", SINGLE("x_scale")},
    {"QLinearConv", SINGLE("x_zero_point")},
    {"QLinearConv", SINGLE("y_scale")},
    {"QLinearConv", SINGLE("y_zero_point")},
    {"QLinearConv", RANK("w_scale", 0, 1)},
    {"QLinearConv", RANK("w_zero_point", 0, 1)},
    {"QLinearConv", RANK("B", 1, 1)},
    {"QuantizeLinear", RANGE("block_size", 0, MOST)},
    {"QuantizeLinear", TYPE("output_dtype", 0)},
    RECURRENT("RNN"),
    {"RandomNormal", TYPE("dtype", 1)},
    {"RandomNormal", RANGE("shape", 0, MOST)},
    {"RandomNormalLike", TYPE("dtype", 1)},
    {"RandomUniform", TYPE("dtype", 1)},
    {"RandomUniform", RANGE("shape", 0, MOST)},
    {"RandomUniformLike", TYPE("dtype", 1)},
    {"Range", SINGLE("start")},
    {"Range", SINGLE("limit")},
    {"Range", SINGLE("delta")},
    {"Reshape", RANK("shape", 1, 1)},
    {"Resize",
     WORDS("coordinate_transformation_mode",
           "half_pixel pytorch_half_pixel align_corners asymmetric tf_half_pixel_for_nn tf_crop_and_resize"),
     .until = 19, .since = 11},
    {"Resize",
     WORDS("coordinate_transformation_mode",
           "half_pixel pytorch_half_pixel align_corners asymmetric tf_half_pixel_for_nn tf_crop_and_resize "
           "half_pixel_symmetric"),
     .since = 19},
    {"Resize", WORDS("keep_aspect_ratio_policy", "stretch not_larger not_smaller")},
    {"Resize", WORDS("mode", "nearest linear"), .until = 11, .since = 10},
    {"Resize", WORDS("mode", "nearest linear cubic"), .since = 11},
    {"Resize", WORDS("nearest_mode", "round_prefer_floor round_prefer_ceil floor ceil")},
    {"Resize", RANK("scales", 1, 1)},
    {"Resize", RANK("sizes", 1, 1)},
    {"Resize", RANK("roi", 1, 1)},
    {"ReverseSequence", RANGE("batch_axis", 0, 1)},
    {"ReverseSequence", RANGE("time_axis", 0, 1)},
    {"ReverseSequence", RANK("input", 2, MOST)},
    {"ReverseSequence", RANK("sequence_lens", 1, 1)},
    {"RoiAlign", WORDS("coordinate_transformation_mode", "half_pixel output_half_pixel")},
    {"RoiAlign", WORDS("mode", "avg max")},
    {"RoiAlign", RANGE("output_height", 1, MOST)},
    {"RoiAlign", RANGE("output_width", 1, MOST)},
    {"RoiAlign", RANGE("sampling_ratio", 0, MOST)},
    {"RoiAlign", RANK("X", 4, 4)},
    {"RoiAlign", RANK("rois", 2, 2)},
    {"RoiAlign", DIM("rois", 1, 4)},
    {"RoiAlign", RANK("batch_indices", 1, 1)},
    {"RoiAlign", SAME("batch_indices", 0, "rois", 0)},
    {"RotaryEmbedding", RANGE("num_heads", 0, MOST)},
    {"RotaryEmbedding", RANGE("rotary_embedding_dim", 0, MOST)},
    {"RotaryEmbedding", RANK("X", 3, 4)},
    {"RotaryEmbedding", RANK("cos_cache", 2, 3)},
    {"RotaryEmbedding", RANK("sin_cache", 2, 3)},
    {"STFT", RANGE("onesided", 0, 1)},
    {"STFT", RANK("signal", 2, 3)},
    {"STFT", SINGLE("frame_step")},
    {"STFT", RANK("window", 1, 1)},
    {"STFT", SINGLE("frame_length")},
    {"SVMClassifier", WORDS("kernel_type", KERNEL_TYPE)},
    {"SVMClassifier", WORDS("post_transform", POST_TRANSFORM)},
    {"SVMRegressor", WORDS("kernel_type", KERNEL_TYPE)},
    {"SVMRegressor", WORDS("post_transform", POST_TRANSFORM)},
    {"Scan", RANGE("num_scan_inputs", 1, MOST)},
    {"Scan", RANGE("directions", 0, 1)},
    {"Scan", RANGE("scan_input_directions", 0, 1)},
    {"Scan", RANGE("scan_output_directions", 0, 1)},
    {"ScatterElements", WORDS("reduction", SCATTER), .until = 18},
    {"ScatterElements", WORDS("reduction", SCATTER_18), .since = 18},
    {"ScatterND", WORDS("reduction", SCATTER), .until = 18},
    {"ScatterND", WORDS("reduction", SCATTER_18), .since = 18},
    {"ScatterND", RANK("data", 1, MOST)},
    {"ScatterND", RANK("indices", 1, MOST)},
    {"SequenceAt", SINGLE("position")},
    {"SequenceEmpty", TYPE("dtype", 1)},
    {"SequenceErase", SINGLE("position")},
    {"SequenceInsert", SINGLE("position")},
    {"Slice", RANK("starts", 1, 1)},
    {"Slice", RANK("ends", 1, 1)},
    {"Slice", RANK("axes", 1, 1)},
    {"Slice", RANK("steps", 1, 1)},
    {"Slice", SAME("ends", 0, "starts", 0)},
    {"SoftmaxCrossEntropyLoss", WORDS("reduction", "none sum mean")},
    {"SoftmaxCrossEntropyLoss", RANK("scores", 2, MOST)},
    {"SoftmaxCrossEntropyLoss", RANK("weights", 1, 1)},
    {"SoftmaxCrossEntropyLoss", SAME("labels", 0, "scores", 0)},
    {"SoftmaxCrossEntropyLoss", SAME("weights", 0, "scores", 1)},
    {"SpaceToDepth", RANGE("blocksize", 1, MOST)},
    {"SpaceToDepth", RANK("input", 4, 4)},
    {"SplitToSequence", RANGE("keepdims", 0, 1)},
    {"StringNormalizer", WORDS("case_change_action", "LOWER UPPER NONE")},
    {"StringNormalizer", RANK("X", 1, 2)},
    {"TensorScatter", WORDS("mode", "linear circular")},
    {"TensorScatter", RANK("write_indices", 1, 1)},
    {"TfIdfVectorizer", WORDS("mode", "TF IDF TFIDF")},
    {"TfIdfVectorizer", RANGE("max_gram_length", 1, MOST)},
    {"TfIdfVectorizer", RANGE("max_skip_count", 0, MOST)},
    {"TfIdfVectorizer", RANGE("min_gram_length", 1, MOST)},
    {"TfIdfVectorizer", ITEMS("ngram_counts", 1, MOST)},
    {"TfIdfVectorizer", RANGE("ngram_counts", 0, MOST)},
    {"TfIdfVectorizer", ITEMS("ngram_indexes", 1, MOST)},
    {"TfIdfVectorizer", RANGE("ngram_indexes", 0, MOST)},
    {"TfIdfVectorizer", ONE_OF("pool_int64s pool_strings")},
    {"TfIdfVectorizer", AS_LONG("weights", "ngram_indexes")},
    {"TfIdfVectorizer", RANK("X", 1, 2)},
    {"Tile", RANK("repeats", 1, 1)},
    {"TopK", SINGLE("K")},
    {"TreeEnsembleClassifier", WORDS("post_transform", POST_TRANSFORM)},
    {"TreeEnsembleRegressor", WORDS("aggregate_function", "AVERAGE SUM MIN MAX")},
    {"TreeEnsembleRegressor", WORDS("post_transform", POST_TRANSFORM)},
    {"Trilu", RANK("input", 2, MOST)},
    {"Trilu", SINGLE("k")},
    {"Unique", RANGE("sorted", 0, 1)},
    {"Unsqueeze", RANK("axes", 0, 1)},
    {"Upsample", WORDS("mode", "nearest linear bilinear"), .until = 7},
    {"Upsample", WORDS("mode", "nearest linear"), .since = 7},
    {"Upsample", RANK("scales", 1, 1)},
    {"ZipMap", ONE_OF("classlabels_int64s classlabels_strings")},
};

const struct constraint *constraints_find(const char *op_type, size_t *count)
{
    size_t low = 0, high = COUNT(rows);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(rows[middle].op_type, op_type) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (*count = 0; low + *count < COUNT(rows) && strcmp(rows[low + *count].op_type, op_type) == 0;)
        ++*count;
    return *count ? &rows[low] : NULL;
}

bool constraint_has_word(const struct constraint *constraint, const void *value, size_t size)
{
    return constraint_word(constraint, (struct bytes){value, size}) != CONSTRAINT_NO_WORD;
}

unsigned constraint_word(const struct constraint *constraint, struct bytes value)
{
    const char *words = constraint->words;
    for (unsigned place = 0; *words; place++) {
        size_t length = strcspn(words, " ");
        if (bytes_same(value, (struct bytes){(const uint8_t *)words, length}))
            return place;
        words += length + (words[length] == ' ');
    }
    return CONSTRAINT_NO_WORD;
}

const struct constraint *constraint_all(size_t *count)
{
    *count = COUNT(rows);
    return rows;
}
