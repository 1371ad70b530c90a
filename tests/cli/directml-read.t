#!/usr/bin/perl
# Documents of lowered Splits that are read back: every member is checked, and the message names it.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use JSON::PP;
use Test::More;

assemble('m', qq|<ir_version: 8, opset_import: ["" : 13]>\nm (float[6,2] x) => (float[] a, float[] c)\n|
    . qq|<int64[3] s = {2, 0, 4}>\n{ [cut] a, b, c = Split (x, s) c1, c2 = Split <axis = 1> (c) }|);
run(qw(export m.onnx --to directml --feature-level 2_1 -o good.json));
my $good = read_file('good.json');
is((run(qw(run good.json --random)))[0], 0, 'the document is right before it is changed');

# The document with one member changed; path: keys and indices. undef as value: the member is removed.
sub changed {
    my ($path, $value, $removed) = @_;
    my $document = decode_json($good);
    my @keys = split m{/}, $path;
    my $last = pop @keys;
    my $at = $document;
    $at = ref $at eq 'ARRAY' ? $at->[$_] : $at->{$_} for @keys;
    if ($removed) { delete $at->{$last} }
    elsif (ref $at eq 'ARRAY') { $at->[$last] = $value }
    else { $at->{$last} = $value }
    return JSON::PP->new->canonical->encode($document);
}

sub refused {
    my ($text, $message, $what) = @_;
    write_file('bad.json', $text);
    my ($status, undef, $err) = run(qw(run bad.json --random));
    is($status, 3, "$what: exit status") or diag($err);
    is($err, "opshift: bad.json: $message\n", "$what: message");
}

my $gone = \'gone';
my ($in, $out) = ('splits/0/desc/InputTensor', 'splits/0/desc/OutputTensors');
my @cases = (
    ['schema', 'dml-model/2', "not a lowered Split: schema is 'dml-model/2'; dml-model/1 and dml-split/1 are known"],
    ['schema', $gone, 'not a lowered Split: schema is missing; dml-model/1 and dml-split/1 are known'],
    ['splits', {}, 'splits is an object, not a list'],
    ['splits/0', 7, 'splits[0]: is an integer, not an object'],
    ['splits/0/schema', 'x', "splits[0]: schema is 'x', not 'dml-split/1'"],
    ['splits/1/operator', 'DML_OPERATOR_JOIN', "splits[1]: operator is 'DML_OPERATOR_JOIN', not 'DML_OPERATOR_SPLIT'"],
    ['splits/0/operator', $gone, 'splits[0]: operator is missing, not a string'],
    ['splits/0/operator', undef, 'splits[0]: view: operator is null, but onnx_shape has elements, which nothing would split'],
    ['splits/0/node', [], 'splits[0]: node is a list, not a string'],
    ['splits/0/min_feature_level', 'DML_FEATURE_LEVEL_9_0', "splits[0]: min_feature_level is 'DML_FEATURE_LEVEL_9_0', no level"],
    ["$in/Type", 'DML_TENSOR_TYPE_INVALID', "splits[0]: desc: InputTensor: Type is 'DML_TENSOR_TYPE_INVALID', not 'DML_TENSOR_TYPE_BUFFER'"],
    ["$in/Desc", undef, 'splits[0]: desc: InputTensor: Desc is null, not an object'],
    ["$in/Desc/DataType", 'DML_TENSOR_DATA_TYPE_INT4', "splits[0]: desc: InputTensor: DataType is 'DML_TENSOR_DATA_TYPE_INT4', no type of Split's"],
    ["$in/Desc/Flags", 'DML_TENSOR_FLAG_OWNED_BY_DML', "splits[0]: desc: InputTensor: Flags is 'DML_TENSOR_FLAG_OWNED_BY_DML', not 'DML_TENSOR_FLAG_NONE'"],
    ["$in/Desc/DimensionCount", 0, 'splits[0]: desc: InputTensor: DimensionCount is 0, not in 1..8'],
    ["$in/Desc/DimensionCount", 9, 'splits[0]: desc: InputTensor: DimensionCount is 9, not in 1..8'],
    ["$in/Desc/DimensionCount", 3, 'splits[0]: desc: InputTensor: Sizes has 4 items, but DimensionCount is 3'],
    ["$in/Desc/Sizes/1", 0, 'splits[0]: desc: InputTensor: Sizes[1] is 0, not in 1..4294967295'],
    ["$in/Desc/Sizes/1", -1, 'splits[0]: desc: InputTensor: Sizes[1] is -1, not in 1..4294967295'],
    ["$in/Desc/Sizes/1", 4294967296, 'splits[0]: desc: InputTensor: Sizes[1] is 4294967296, not in 1..4294967295'],
    ["$in/Desc/Sizes/1", 1.5, 'splits[0]: desc: InputTensor: Sizes[1] is a real number, not an integer'],
    ["$in/Desc/Sizes", [(4294967295) x 4], 'splits[0]: desc: InputTensor: Sizes make more than 2^63-1 bytes'],
    ["$in/Desc/Strides", [12, 12, 2], 'splits[0]: desc: InputTensor: Strides has 3 items, but DimensionCount is 4'],
    ["$in/Desc/Strides", [12, 12, 4, 1], 'splits[0]: desc: InputTensor: Strides[2] is 4, but a packed tensor has 2 there; only packed tensors are run'],
    ["$in/Desc/Strides", 'packed', 'splits[0]: desc: InputTensor: Strides is a string, not a list or null'],
    ["$in/Desc/TotalTensorSizeInBytes", 44, 'splits[0]: desc: InputTensor: TotalTensorSizeInBytes is 44, but Sizes make 48'],
    ["$in/Desc/TotalTensorSizeInBytes", 50, 'splits[0]: desc: InputTensor: TotalTensorSizeInBytes is 50, no multiple of 4'],
    ["$in/Desc/GuaranteedBaseOffsetAlignment", 12, 'splits[0]: desc: InputTensor: GuaranteedBaseOffsetAlignment is 12, no power of two'],
    ['splits/0/desc/Axis', 4, 'splits[0]: desc: Axis is 4, not in 0..3'],
    ['splits/0/desc/Axis', 3, 'splits[0]: desc: OutputTensors[0]: Sizes[2] is 2, but the input\'s is 6, and Axis is 3'],
    ['splits/0/desc/OutputCount', 3, 'splits[0]: desc: OutputTensors has 2 items, but OutputCount is 3'],
    ['splits/0/desc/OutputCount', 0, 'splits[0]: desc: OutputCount is 0, not in 1..4294967295'],
    ["$out/1", 'y', 'splits[0]: desc: OutputTensors[1]: is a string, not an object'],
    ["$out/1/Desc/DataType", 'DML_TENSOR_DATA_TYPE_INT32', 'splits[0]: desc: OutputTensors[1]: DataType is INT32, but the input\'s is FLOAT32'],
    ["$out/0/Desc/Sizes/3", 1, 'splits[0]: desc: OutputTensors[0]: Sizes[3] is 1, but the input\'s is 2, and Axis is 2'],
    ["$out/0/Desc/Sizes/2", 1, 'splits[0]: desc: the outputs\' sizes along Axis 2 sum to 5, but the input\'s is 6'],
    ['splits/0/view', $gone, 'splits[0]: view is missing, not an object'],
    ['splits/0/view/kind', 'twisted', "splits[0]: view: kind is 'twisted'; none, pad-left and collapse are known"],
    ['splits/0/view/onnx_type', 'string', "splits[0]: view: onnx_type is 'string', no element type of fixed bytes"],
    ['splits/0/view/onnx_type', 'int4', "splits[0]: view: onnx_type is 'int4', no element type of fixed bytes"],
    ['splits/0/view/onnx_type', 'double', 'splits[0]: view: element_words is 1 and word_elements is 1, but an element of type double has 8 bytes and a word of FLOAT32 has 4'],
    ['splits/0/view/onnx_shape', [6, 3], 'splits[0]: view: onnx_shape and onnx_type make 72 bytes, but InputTensor has 48'],
    ['splits/0/view/onnx_shape', [], 'splits[0]: view: onnx_shape has 0 items, not 1 to 64'],
    ['splits/0/view/onnx_shape', [-6, -2], 'splits[0]: view: onnx_shape[0] is -6, not in 0..9223372036854775807'],
    ['splits/0/view/onnx_axis', 2, 'splits[0]: view: onnx_axis is 2, not in -2..1'],
    ['splits/0/view/onnx_axis', 1, 'splits[0]: bindings: empty_outputs[0]: shape[0] is 0, but onnx_shape has 6 there'],
    ['splits/0/view/element_words', 5, 'splits[0]: view: element_words is 5, not in 1..4'],
    ['splits/0/bindings/input', '', 'splits[0]: bindings: input is an empty name'],
    ['splits/0/bindings/outputs', [], 'splits[0]: bindings: outputs has 0 items, but OutputCount is 2'],
    ['splits/0/bindings/outputs/0', undef, 'splits[0]: bindings: outputs[0]: is null, not an object'],
    ['splits/0/bindings/outputs/0/slot', -1, 'splits[0]: bindings: outputs[0]: slot is -1, not in 0..2147483647'],
    ['splits/0/bindings/outputs/1/slot', 0, 'splits[0]: bindings: outputs[1]: slot is 0, not above the one before it, 0'],
    ['splits/0/bindings/outputs/0/slot', 1, 'splits[0]: bindings: slot 1 is in outputs and in empty_outputs'],
    ['splits/0/bindings/outputs/0/name', 5, 'splits[0]: bindings: outputs[0]: name is an integer, not a string'],
    ['splits/0/bindings/empty_outputs', $gone, 'splits[0]: bindings: empty_outputs is missing, not a list'],
    ['splits/0/bindings/empty_outputs/0/shape', [1, 2], 'splits[0]: bindings: empty_outputs[0]: shape has elements, which no operator writes'],
    ['splits/0/bindings/empty_outputs/0/shape', [0], 'splits[0]: bindings: empty_outputs[0]: shape has 1 items, but onnx_shape has 2'],
    ['splits/0/bindings/outputs/1/name', 'a', "splits[0]: output 'a' is written before"],
    ['splits/0/bindings/outputs/1/name', 'x', "splits[0]: output 'x' is read before"],
    ['splits/1/bindings/input', 'x', "splits[1]: input 'x' has another type or shape than where it is read before"],
    ['splits/1/bindings/input', 'a', "splits[1]: input 'a' has another type or shape than the operator that writes it gives it"],
);
for my $case (@cases) {
    my ($path, $value, $message) = @$case;
    my $removed = ref $value eq 'SCALAR';
    my $shown = $removed ? 'missing' : JSON::PP->new->allow_nonref->encode($value);
    refused(changed($path, $value, $removed), $message, "$path: $shown");
}

# The level that a document states must take the operator.
my $document = decode_json($good);
for my $tensor ($document->{splits}[0]{desc}{InputTensor}, @{$document->{splits}[0]{desc}{OutputTensors}}) {
    $tensor->{Desc}{DimensionCount} = 3;
    shift @{$tensor->{Desc}{Sizes}};
}
$document->{splits}[0]{desc}{Axis} = 1;
refused(encode_json($document),
    'splits[0]: min_feature_level is 1_0, but FLOAT32 with DimensionCount 3 needs 3_0', 'three dims at 1_0');

# A part that is no whole number of indices of the tensor's axis.
$document = decode_json($good);
my $split = $document->{splits}[0];
($split->{view}{onnx_shape}, $split->{bindings}{empty_outputs}) = ([3, 4], []);
for my $part ([0, 3, 24], [1, 3, 24]) {
    my ($index, $size, $bytes) = @$part;
    my $desc = $split->{desc}{OutputTensors}[$index]{Desc};
    ($desc->{Sizes}[2], $desc->{TotalTensorSizeInBytes}) = ($size, $bytes);
}
refused(encode_json($document),
    'splits[0]: OutputTensors[0] has 24 bytes, no multiple of the 16 that onnx_shape has for each index of onnx_axis',
    'a part of no shape');

# Not JSON, or another file in JSON.
refused('{}', 'not a lowered Split: schema is missing; dml-model/1 and dml-split/1 are known', 'an empty object');
write_file('bad.json', '{"schema": ' . '[' x 100000);
my ($status, undef, $err) = run(qw(run bad.json));
is($status, 3, 'deep nesting is refused');
like($err, qr/^opshift: bad.json: not JSON: line 1: .*depth/, 'with the reason');
write_file('bad.json', '{"schema": "dml-model/1", "schema": "dml-model/1", "splits": []}');
($status, undef, $err) = run(qw(run bad.json));
is($status, 3, 'a member given twice is refused');

# Strides of a packed tensor are null's equal, and one split alone is a document.
write_file('one.json', changed("$in/Desc/Strides", [12, 12, 2, 1]));
is((run(qw(run one.json --random)))[0], 0, 'packed strides are run');
my $alone = decode_json($good)->{splits}[0];
delete @{$alone->{view}}{qw(onnx_type word_elements)};
delete @$alone{qw(lowest place)};
write_file('one.json', encode_json($alone));
is((run(qw(run one.json --random)))[0], 0, 'so is one split alone, without the members that may be left out');

# What is written must not be what is read, and limits hold.
($status, undef, $err) = run(qw(run good.json --random -o good.json));
is($status, 2, 'the document is not overwritten') or diag($err);
($status, undef, $err) = run(qw(run good.json --input y=x.npy));
isnt($status, 0, 'an unknown input is refused');
like($err, qr/x\.npy|there is no input 'y'/, 'and named');
($status, undef, $err) = run(qw(run good.json --random --engine builtin));
is($status, 2, 'engines are for models');
is($err, "opshift: run: option '--engine' is for models, but good.json is JSON; leave it out\n", 'with the reason');

done_testing();
