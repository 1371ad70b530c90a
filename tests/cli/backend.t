#!/bin/sh
# ONNX's own backend test cases: all cases whose operators have kernels pass, unchanged and converted.
. "${srcdir:-.}/tests/cli/tap.sh"

data=${OPSHIFT_TESTDATA:-/usr/share/libonnx-testdata/data}
if [ ! -d "$data/node" ]; then
    echo "1..0 # SKIP Debian's libonnx-testdata is not installed"
    exit 0
fi

run test -r "$data"
is 0 "$status" "the cases as they are: exit status 0"
is "" "$(grep -A1 '^not ok' .out)" "no case fails"
passed=$(sed -n 's/^# \([0-9]*\) passed.*/\1/p' .out)
ok "$((passed < 1053))" "at least 1053 cases ran ($passed)"
skipped=$(sed -n 's/^# .* \([0-9]*\) skipped.*/\1/p' .out)
ok "$((skipped > 19))" "at most 19 were skipped: training, and what draws numbers ($skipped)"
is 4 "$(grep 'SKIP' .out | grep -vc 'has no kernel for')" "but for operators without a kernel, only Dropout in training is skipped"

# An operator with a kernel is in no list of missing ones.
for operator in Split SplitToSequence SequenceAt SequenceInsert Concat Slice Gather GatherElements GatherND Transpose \
    Reshape Flatten Squeeze Unsqueeze Expand Tile Pad Identity Cast CastLike Shape Size Where Equal Greater Less And Or \
    Xor Not Add Sub Mul Div Mod Pow Min Max Neg Abs Sqrt Exp Log Floor Ceil Round Sign Reciprocal Clip Relu Sigmoid Tanh \
    Sum Mean ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum \
    ReduceSumSquare ArgMax ArgMin Range ConstantOfShape CumSum If Loop Scan Dropout MatMul Gemm SequenceMap Softmax \
    LogSoftmax Hardmax LayerNormalization HardSwish PRelu IsNaN IsInf Trilu OneHot TopK NonZero Scatter ScatterElements \
    ScatterND Conv ConvTranspose ConvInteger QLinearConv MaxPool AveragePool GlobalAveragePool MaxUnpool BatchNormalization \
    InstanceNormalization LRN MeanVarianceNormalization LSTM GRU RNN Einsum GridSample RoiAlign NonMaxSuppression \
    QuantizeLinear DequantizeLinear DynamicQuantizeLinear MatMulInteger QLinearMatMul DFT STFT HannWindow HammingWindow \
    BlackmanWindow MelWeightMatrix Resize Upsample NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss Unique Compress \
    ReverseSequence DepthToSpace SpaceToDepth Det EyeLike Shrink BitShift StringNormalizer TfIdfVectorizer; do
    is 0 "$(grep -c "has no kernel for.* $operator at opset" .out)" "$operator has a kernel"
done

for opset in 13 18 21; do
    run test -r "$data/node" "$data/simple" --convert $opset
    is "" "$(grep -A1 '^not ok' .out)" "converted to opset $opset no case fails"
    is 0 "$status" "and the exit status is 0"
done

done_testing
