#!/usr/bin/perl
# export --to directml: rows DML of tests/split-matrix.tsv, the example of the vendor's page, and random models: what is
# lowered, run by DirectML's definition, gives what the model gives. C source compiles and fills the same structs.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use JSON::PP;
use Test::More;

sub files_of { my ($directory) = @_; return map { s{.*/}{}r => read_file($_) } glob "$directory/*" }

# Runs the model and what was lowered from it on the same inputs; every output of the model is the same.
sub same_results {
    my ($what, @options) = @_;
    system 'rm', '-rf', 'whole', 'lowered';
    my ($status, undef, $err) = run('run', 'm.onnx', '--random', @options, '-o', 'whole');
    is($status, 0, "$what: the model runs") or return diag($err);
    ($status, undef, $err) = run('run', 'm.json', '--random', '-o', 'lowered');
    is($status, 0, "$what: what was lowered runs") or return diag($err);
    my (%wanted, %seen);
    %wanted = files_of('whole');
    %seen   = files_of('lowered');
    my @wrong = grep { !defined $seen{$_} || $seen{$_} ne $wanted{$_} } sort keys %wanted;
    is("@wrong", '', "$what: the outputs are equal (" . keys(%wanted) . ')');
}

# ---- the matrix ---------------------------------------------------------------------------------------------------

# What the operator of a row is: type, sizes, axis, sizes of the outputs along it, slots that are empty.
my %wanted = (
    M330 => ['FLOAT32', [1, 1, 6, 2], 2, [2, 1, 3], []],
    M331 => ['FLOAT32', [1, 1, 6, 2], 2, [2, 4], []],
    M332 => ['FLOAT32', [1, 1, 1, 6], 3, [2, 4], []],
    M333 => ['FLOAT32', [1, 120, 6, 1], 2, [2, 4], []],
    M334 => ['FLOAT32', [2, 3, 4, 5, 6], 4, [2, 4], []],
    M335 => ['FLOAT32', [1, 6, 1], 1, [2, 4], []],
    M336 => ['INT64', [6], 0, [2, 4], []],
    M337 => ['UINT32', [1, 6, 2], 1, [2, 4], []],
    M338 => ['UINT32', [1, 1, 6, 2], 2, [2, 4], []],
    M339 => ['UINT16', [1, 1, 4, 3], 2, [2, 2], []],
    M340 => ['UINT16', [1, 1, 3, 1], 2, [1, 2], []],
    M342 => ['INT8', [1, 1, 1, 6], 3, [1, 5], []],
    M343 => ['UINT8', [1, 1, 1, 6], 3, [2, 4], []],
    M344 => ['FLOAT16', [1, 1, 1, 6], 3, [2, 4], []],
    M345 => ['UINT16', [1, 1, 1, 6], 3, [2, 4], []],
    M346 => ['UINT32', [1, 6, 2], 1, [2, 4], []],
    M348 => ['FLOAT32', [6], 0, [6], [0]],
    M349 => [undef, undef, undef, [], [0, 1]],
    M350 => [undef, undef, undef, [], [0, 1]],
    M351 => ['FLOAT32', [4], 0, [2, 2], [2]],
    M354 => ['FLOAT32', [6], 0, [2, 4], []],
);
my $fixed = "but DirectML's sizes are fixed when the operator is compiled";
my %refused = (
    M341 => 'DirectML has no 8-bit type below feature level 2_1, and the parts of this int8 tensor are no whole 16-bit '
        . 'words; take --feature-level 2_1',
    M347 => 'strings have no fixed size, and DirectML has no such type',
    M352 => 'SPL007 split-negative-last: ',
    M353 => "its lengths are 's', known only at run time, $fixed; make the lengths constant",
    M355 => "dim 1 is unknown, and DirectML's sizes are fixed when the operator is compiled; give the shape with --shape",
    M356 => "dim 0 is 4294967296, above DirectML's largest size, 2^32-1",
);

sub row_text {
    my ($row) = @_;
    my ($type, $shape) = @$row{qw(dtype shape)};
    my @lengths = $row->{lengths} =~ /\d+/g;
    @lengths = (2**31, 2**31) if $row->{lengths} eq '2x2^31';
    my ($count, $attributes, $inputs, $more, $declared) = (scalar @lengths, "axis = $row->{axis}", 'x, s', '', '');
    if ($row->{form} =~ /^num_outputs=(\d+)/) {
        ($count, $attributes, $inputs) = ($1, "$attributes, num_outputs = $1", 'x');
    } elsif ($row->{form} eq 'dynamic split') {
        ($count, $more) = (2, ', int64[2] s');
    } else {
        $declared = sprintf "<int64[%d] s = {%s}>\n", $count, join ', ', @lengths;
    }
    my @outputs = map { "y$_" } 0 .. $count - 1;
    return sprintf qq(<ir_version: 8, opset_import: ["" : %d]>\nm (%s%s x%s) => (%s)\n%s{ [cut] %s = Split <%s> (%s) }\n),
        $row->{from_opset}, $type, $shape, $more, join(', ', map { "$type\[] $_" } @outputs), $declared,
        join(', ', @outputs), $attributes, $inputs;
}

# The lowered operator in the same form as %wanted.
sub seen_of {
    my ($split) = @_;
    my @empty = map { $_->{slot} } @{$split->{bindings}{empty_outputs}};
    return [undef, undef, undef, [], \@empty] if !defined $split->{operator};
    my $input = $split->{desc}{InputTensor}{Desc};
    my $axis  = $split->{desc}{Axis};
    return [$input->{DataType} =~ s/^DML_TENSOR_DATA_TYPE_//r, $input->{Sizes}, $axis,
        [map { $_->{Desc}{Sizes}[$axis] } @{$split->{desc}{OutputTensors}}], \@empty];
}

sub valid {
    my ($what) = @_;
    my $faults = `perl '$srcdir/tests/cli/schema.pl' '$srcdir/docs/directml.schema.json' m.json`;
    is($faults, '', "$what: valid by docs/directml.schema.json");
}

sub test_row {
    my ($row) = @_;
    my $id = $row->{id};
    my ($level) = $row->{'target opset'} =~ /^DML-(\w+)$/;
    assemble('m', row_text($row));
    unlink 'm.json';
    my ($status, undef, $err) = run(qw(export m.onnx --to directml --feature-level), $level, '-o', 'm.json');
    if ($row->{'expected verdict'} ne 'convert') {
        is($status, 1, "$id: refused") or diag($err);
        ok(!-e 'm.json', "$id: nothing is written");
        return like($err, qr/node 'cut' \(Split\): \Q$refused{$id}\E/, "$id: with its reason");
    }
    is($status, 0, "$id: lowered") or return diag($err);
    my $split = decode_json(read_file('m.json'))->{splits}[0];
    is_deeply(seen_of($split), $wanted{$id}, "$id: $row->{'expected result form'}");
    valid($id);
    same_results($id, $row->{shape} =~ /N/ ? ('--shape', 'N=6') : ());
}

my @rows = grep { $_->{'target opset'} =~ /^DML-/ } split_rows();
test_row($_) for @rows;
is(@rows, 27, 'all rows were there');

# M355's way out.
assemble('m', qq(<ir_version: 8, opset_import: ["" : 13]>\nm (float[6,N] x) => (float[] a, float[] b)\n)
    . qq(<int64[2] s = {2, 4}>\n{ a, b = Split (x, s) }));
my ($status, $out, $err) = run(qw(export m.onnx --to directml --feature-level 3_0 --shape x=6x5 -o m.json));
is($status, 0, 'a given shape is taken') or diag($err);
is_deeply(decode_json(read_file('m.json'))->{splits}[0]{desc}{InputTensor}{Desc}{Sizes}, [6, 5], 'as its sizes');

# ---- the example of the vendor's page -----------------------------------------------------------------------------

my @values = ([1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 12]);

# A .npy file of floats.
sub npy {
    my ($shape, @floats) = @_;
    my $header = "{'descr': '<f4', 'fortran_order': False, 'shape': ($shape), }";
    $header .= ' ' x (63 - (10 + length $header) % 64) . "\n";
    return "\x93NUMPY\x01\x00" . pack('v', length $header) . $header . pack('f<*', @floats);
}

sub npy_floats { my ($bytes) = @_; return unpack 'f<*', substr $bytes, 10 + unpack 'v', substr $bytes, 8, 2 }

write_file('x.npy', npy('1, 1, 6, 2', map { @$_ } @values));
for my $case ([2, '2, 1, 3', [[1 .. 4], [5, 6], [7 .. 12]]],
    [3, '1, 1', [[1, 3, 5, 7, 9, 11], [2, 4, 6, 8, 10, 12]]]) {
    my ($axis, $lengths, $parts) = @$case;
    my @names = map { "y$_" } 0 .. $#$parts;
    assemble('m', sprintf qq(<ir_version: 8, opset_import: ["" : 13]>\nm (float[1,1,6,2] x) => (%s)\n<int64[%d] s = {%s}>\n)
            . qq({ %s = Split <axis = %d> (x, s) }\n),
        join(', ', map { "float[] $_" } @names), scalar @names, $lengths, join(', ', @names), $axis);
    for my $level (qw(1_0 2_0 2_1 3_0 3_1 4_0 4_1 5_0 6_4)) {
        run(qw(export m.onnx --to directml -o m.json --feature-level), $level);
        my ($status, undef, $err) = run(qw(run m.json --input x=x.npy -o page));
        is($status, 0, "the vendor's example, axis $axis at $level") or diag($err);
        my @seen = map { [npy_floats(read_file("page/$_.npy") // '')] } @names;
        is_deeply(\@seen, $parts, 'has the published values');
    }
}

# ---- random models ------------------------------------------------------------------------------------------------

my $seed = 22;
sub below { my ($most) = @_; $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $most }

my @types = qw(float double float16 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128);

# A Split of one type and rank on a drawn axis; lengths may be 0, also all, and outputs may be unnamed.
sub random_split {
    my ($index, $type, $rank) = @_;
    my $axis    = below($rank);
    my $outputs = 1 + below(4);
    my @lengths = map { below(5) == 0 ? 0 : 1 + below(4) } 1 .. $outputs;
    my $sum     = 0;
    $sum += $_ for @lengths;
    my @dims = map { $rank > 5 ? 1 + below(2) : 1 + below(4) } 1 .. $rank;
    $dims[below($rank)] = 0 if below(12) == 0;
    $dims[$axis] = $sum;
    my @names = map { "y${index}_$_" } 0 .. $outputs - 1;
    return {
        input => "$type\[" . join(',', @dims) . "] x$index",
        lengths => "int64[$outputs] s$index = {" . join(', ', @lengths) . '}',
        outputs => [map { "$type\[] $_" } @names],
        node => join(', ', @names) . ' = Split <axis = ' . (below(2) ? $axis : $axis - $rank) . "> (x$index, s$index)",
    };
}

sub random_model {
    my (@splits) = @_;
    assemble('m', qq|<ir_version: 8, opset_import: ["" : 13]>\nm (\n| . join(",\n", map { $_->{input} } @splits) . "\n) => (\n"
        . join(",\n", map { @{$_->{outputs}} } @splits) . "\n)\n<" . join(",\n", map { $_->{lengths} } @splits)
        . ">\n{\n" . join("\n", map { $_->{node} } @splits) . "\n}\n");
}

for my $level (qw(1_0 2_1 3_0 4_1), undef) {
    my $index = 0;
    my @splits;
    for my $type (@types) {
        next if defined $level && $level eq '1_0' && $type =~ /8|bool/;
        push @splits, map { random_split($index++, $type, $_) } 1 .. 9;
    }
    random_model(@splits);
    my $what = 'every type and rank at ' . ($level // 'the lowest level of each');
    my ($status, undef, $err) = run(qw(export m.onnx --to directml -o m.json), defined $level ? ('--feature-level', $level) : ());
    is($status, 0, "$what: lowered") or diag($err);
    valid($what);
    same_results($what);
}

# Types of 8 bits at 1_0: packed where the parts are whole words, else refused.
my ($packed, $unpacked) = (0, 0);
for my $index (0 .. 40) {
    my $type = (qw(int8 uint8 bool))[$index % 3];
    random_model(random_split($index, $type, 1 + below(3)));
    my ($status, undef, $err) = run(qw(export m.onnx --to directml --feature-level 1_0 -o m.json));
    if ($status == 0) {
        $packed++;
        same_results("8 bits, model $index");
    } else {
        $unpacked++;
        like($err, qr/no 8-bit type below feature level 2_1, and the parts of this $type tensor/, "model $index: refused");
    }
}
ok($packed > 5 && $unpacked > 5, "8 bits: $packed packed, $unpacked refused");

# ---- forms and places ---------------------------------------------------------------------------------------------

# Equal parts, num_outputs with unnamed slots, a chain, SplitToSequence that becomes Split.
assemble('m', <<'MODEL');
<ir_version: 8, opset_import: ["" : 18]>
m (float[7,2] x, int64[4,6] z) => (float[] a, float[] c, int64[] e, int64[] f, int64[] g)
{
    a, b, c = Split <num_outputs = 3> (x)
    b1, b2 = Split <axis = 1, num_outputs = 2> (b)
    two = Constant <value = int64[2] {2, 4}> ()
    s = SplitToSequence <axis = -1> (z, two)
    zero = Constant <value = int64 {0}> ()
    one = Constant <value = int64 {1}> ()
    e = SequenceAt (s, zero)
    g = SequenceAt (s, one)
    f = Identity (e)
}
MODEL
($status, $out, $err) = run(qw(export m.onnx --to directml --feature-level 2_0 -o m.json));
is($status, 0, 'all forms are lowered') or diag($err);
is(scalar @{decode_json(read_file('m.json'))->{splits}}, 3, 'SplitToSequence too');
run(qw(run m.onnx --random -o whole2));
($status, undef, $err) = run(qw(run m.json --random -o lowered2));
is($status, 0, 'an operator reads what another writes') or diag($err);
is(read_file("lowered2/$_.npy"), read_file("whole2/$_.npy"), "output '$_'") for qw(a c e g);

# A sequence that is an output stays one.
assemble('m', qq(<ir_version: 8, opset_import: ["" : 17]>\nm (float[4] x) => (seq(float[]) q, float[] a)\n)
    . qq({ [seq] q = SplitToSequence (x) a, b = Split (x) }));
unlink 'none.json';
($status, $out, $err) = run(qw(export m.onnx --to directml -o none.json));
is($status, 1, 'a SplitToSequence that stays is refused');
is($err =~ s/.*^opshift: //msr, "m.onnx: not all of the model can be exported: node 'seq' (SplitToSequence): it cannot become "
    . "Split; 'opshift convert --split-sequences --dry-run' tells why\n", 'with where to find the reason');
ok(!-e 'none.json', 'and nothing is written');

# In a subgraph and in a function: named by their place.
assemble('m', <<'MODEL');
<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
m (bool c, float[4,2] x) => (float[] y, float[] z)
{
    [choice] y = If (c) <
        then_branch = t () => (float[] a) { [cut] a, b = Split (x) },
        else_branch = e () => (float[] d) { d = Identity (x) }>
    z = my.F (x)
}
<domain: "my", opset_import: ["" : 17]>
F (u) => (v) { v, w = Split <axis = 1> (u) }
MODEL
($status, $out, $err) = run(qw(export m.onnx --to directml -o m.json));
is($status, 0, 'subgraphs and functions are lowered') or diag($err);
my $both = decode_json(read_file('m.json'))->{splits};
is_deeply([map { [$_->{place}, $_->{bindings}{input}, $_->{bindings}{outputs}[0]{name}] } @$both],
    [["node 'choice' (If): then_branch: node 'cut' (Split)", 'x', "node 'choice' (If): then_branch: a"],
    ["function 'F': node 0 (Split)", "function 'F': u", "function 'F': v"]], 'and named by their places');
($status, undef, $err) = run(qw(run m.json --random -o placed));
is($status, 0, 'and run') or diag($err);

# ---- options ------------------------------------------------------------------------------------------------------

assemble('m', qq(<ir_version: 8, opset_import: ["" : 13]>\nm (int64[1,2,3,4,6] x, bool[4] b) => (int64[] p, bool[] r)\n)
    . qq({ [long] p, q = Split <axis = 4> (x) r, t = Split (b) }));
($status, $out, $err) = run(qw(export m.onnx --to directml));
is($status, 0, 'without --output the levels are listed') or diag($err);
like($out, qr/^node 'long' \(Split\) .* lowest level: natively 4_1, by view 1_0$/m, 'of a 64-bit type and rank 5');
like($out, qr/^node 1 \(Split\) .* lowest level: natively never, by view 1_0$/m, 'of bool');
($status, $out, $err) = run(qw(export m.onnx --to directml --feature-level 2_2 -o m.json));
is($status, 2, 'an unknown level is wrong usage');
like($err, qr/'2_2'/, 'which the message names');
assemble('m', qq(<ir_version: 8, opset_import: ["" : 13]>\nm (float[4] x) => (float[] y) { y = Abs (x) }));
($status, $out, $err) = run(qw(export m.onnx --to directml -o none.json));
is($status, 1, 'a model without Split is refused');
is($err, "opshift: m.onnx: there is no Split in it\n", 'with the reason');

# Every refused node is listed, and nothing is written.
assemble('m', qq(<ir_version: 8, opset_import: ["" : 13]>\nm (float[4] x, string[4] t, string[2] u) => (float[] y, string[] v, string[] w)\n)
    . qq({ y, y1 = Split (x) [s1] v, v1 = Split (t) [s2] w, w1 = Split (u) }));
($status, $out, $err) = run(qw(export m.onnx --to directml -o none.json));
is($status, 1, 'one refused node is enough');
like($err, qr/node '$_' \(Split\): strings have no fixed size/, "node '$_' is named") for qw(s1 s2);
ok(!-e 'none.json', 'nothing is written');

# ---- C ------------------------------------------------------------------------------------------------------------

assemble('m', qq(<ir_version: 8, opset_import: ["" : 13]>\nm (float[6,2] x, float[0] z, int64[3,4] n) => (float[] a, float[] d, int64[] g)\n)
    . qq(<int64[4] s = {2, 1, 0, 3}>\n{ [int] a, b, c, d = Split (x, s) e, f = Split (z) g, h = Split <axis = 1> (n) }));
write_file('print.c', <<'SOURCE');
#include <stdio.h>
#include <opshift/directml_structs.h>
static void tensor(const DML_TENSOR_DESC *desc)
{
    const DML_BUFFER_TENSOR_DESC *buffer = (const DML_BUFFER_TENSOR_DESC *)desc->Desc;
    printf(" %d:%d:%d:%s[", desc->Type, buffer->DataType, buffer->Flags, buffer->Strides ? "strided" : "packed");
    for (UINT i = 0; i < buffer->DimensionCount; i++)
        printf("%s%u", i ? "," : "", buffer->Sizes[i]);
    printf("]%llu/%u", (unsigned long long)buffer->TotalTensorSizeInBytes, buffer->GuaranteedBaseOffsetAlignment);
}
int main(void)
{
    for (size_t i = 0; i < opshift_directml_split_count; i++) {
        const struct opshift_directml_split *split = &opshift_directml_splits[i];
        printf("%s|%s|", split->node, split->input);
        if (split->desc) {
            const DML_SPLIT_OPERATOR_DESC *desc = (const DML_SPLIT_OPERATOR_DESC *)split->desc->Desc;
            printf("%d axis %u", split->desc->Type == DML_OPERATOR_SPLIT, desc->Axis);
            tensor(desc->InputTensor);
            for (UINT k = 0; k < desc->OutputCount; k++)
                tensor(&desc->OutputTensors[k]);
        }
        for (UINT k = 0; k < split->output_count; k++)
            printf(" %u=%s", split->outputs[k].slot, split->outputs[k].name);
        for (UINT k = 0; k < split->empty_output_count; k++)
            printf(" empty %u=%s", split->empty_outputs[k].slot, split->empty_outputs[k].name);
        printf("\n");
    }
    return 0;
}
SOURCE
my $printed = <<'LINES';
node 'int' (Split)|x|1 axis 2 1:1:0:packed[1,1,6,2]48/0 1:1:0:packed[1,1,2,2]16/0 1:1:0:packed[1,1,1,2]8/0 1:1:0:packed[1,1,3,2]24/0 0=a 1=b 3=d empty 2=c
node 1 (Split)|z| empty 0=e empty 1=f
node 2 (Split)|n|1 axis 2 1:3:0:packed[1,3,4,2]96/0 1:3:0:packed[1,3,2,2]48/0 1:3:0:packed[1,3,2,2]48/0 0=g 1=h
LINES
($status, $out, $err) = run(qw(export m.onnx --to directml --feature-level 1_0 -f c -o splits.c));
is($status, 0, 'C is written') or diag($err);

sub compiles {
    my ($compiler, $language, $wanted, $what) = @_;
    SKIP: {
        skip "there is no $compiler", 1 if system("command -v $compiler >/dev/null") != 0;
        my $log = `$compiler -x $language -Wall -Wextra -Werror -I'$srcdir/lib' splits.c print.c -o print 2>&1`;
        my $seen = $? == 0 ? `./print` : $log;
        is($seen, $wanted, "$what: $compiler, $language");
    }
}
for my $pair (['gcc', 'c'], ['clang', 'c'], ['g++', 'c++'], ['clang++', 'c++']) {
    compiles(@$pair, $printed, 'the structs have the values');
}

# A name that would leave a comment, a string or an identifier.
my $evil = "a*/\n#\"??/\\%s\xc3\xa9";
assemble('m', qq(<ir_version: 8, opset_import: ["" : 13]>\nm (float[6] x) => (float[] a, float[] b)\n)
    . qq({ [NAMENAMENAMENA] a, b = Split (x) }));
my $named = read_file('m.onnx');
length $evil == 14 or die 'another length';
$named =~ s/NAMENAMENAMENA/$evil/;
write_file('m.onnx', $named);
($status, $out, $err) = run(qw(export m.onnx --to directml --feature-level 1_0 -f c -o splits.c));
is($status, 0, 'a hostile name is written') or diag($err);
compiles(@$_, "node 'a*/\\x0a#\"??/\\%s\xc3\xa9' (Split)|x|1 axis 3 1:1:0:packed[1,1,1,6]24/0 1:1:0:packed[1,1,1,3]12/0 "
    . "1:1:0:packed[1,1,1,3]12/0 0=a 1=b\n", 'a hostile name') for ['gcc', 'c'], ['g++', 'c++'];

done_testing();
