#!/usr/bin/perl
# Rows of tests/split-matrix.tsv that begin with OpenVINO's IR, and what else is read of an IR: lint, import, run.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use Test::More;

# ---- an IR with one Split ----

my %precision = (f32 => 'FP32', i64 => 'I64', i32 => 'I32', i8 => 'I8', u64 => 'U64');
my %packed    = (f32 => 'f<', i64 => 'q<', i32 => 'l<', i8 => 'c', u64 => 'Q<');

sub port {
    my ($id, $type, $dims, $names) = @_;
    return qq(<port id="$id" precision="$precision{$type}") . (defined $names ? qq( names="$names") : '') . '>'
        . join('', map { "<dim>$_</dim>" } @$dims) . '</port>';
}

# axis, lengths: [type, shape, numbers], or 'Parameter'; outputs: names.
sub make_ir {
    my ($name, %ir) = @_;
    my @dims    = @{$ir{dims}};
    my $shape   = join ',', @dims;
    my $bin     = '';
    my @inputs  = ($ir{axis}, $ir{lengths} // ());
    my @layers  = (qq(<layer id="0" name="x" type="Parameter" version="opset1"><data shape="$shape" element_type="f32"/>)
        . '<output>' . port(0, 'f32', $ir{dims}, 'x') . '</output></layer>');
    my $type  = defined $ir{lengths} ? 'VariadicSplit' : 'Split';
    my $ports = port(0, 'f32', $ir{dims});
    my $edges = '<edge from-layer="0" from-port="0" to-layer="9" to-port="0"/>';
    for my $i (0 .. $#inputs) {
        my $id = $i + 1;
        my ($element, $dims, $numbers) = ref $inputs[$i] ? @{$inputs[$i]} : ('i64', $i ? [scalar @{$ir{outputs}}] : [], undef);
        my $text = join ',', @$dims;
        my $data = sprintf 'element_type="%s" shape="%s"', $element, $text;
        if ($numbers) {
            $bin .= "\0" x (-length($bin) % 8);
            my $bytes = pack "$packed{$element}*", @$numbers;
            $data .= sprintf ' offset="%d" size="%d"', length $bin, length $bytes;
            $bin .= $bytes;
        }
        my $kind = $numbers ? 'Const' : 'Parameter';
        push @layers, qq(<layer id="$id" name="in$id" type="$kind" version="opset1"><data $data/><output>)
            . port(0, $element, $dims, "in$id") . '</output></layer>';
        $ports .= port($id, $element, $dims);
        $edges .= qq(<edge from-layer="$id" from-port="0" to-layer="9" to-port="$id"/>);
    }
    my $first = @inputs + 1;
    my $data  = defined $ir{num_splits} ? qq(<data num_splits="$ir{num_splits}"/>) : '';
    my $outputs = '';
    for my $i (0 .. $#{$ir{outputs}}) {
        my @part = @{$ir{parts}[$i] // [map { -1 } @dims]};
        my $port = $first + $i;
        my $result = 10 + $i;
        $outputs .= port($port, 'f32', \@part, $ir{outputs}[$i]);
        push @layers, qq(<layer id="$result" name="$ir{outputs}[$i]/result" type="Result" version="opset1"><input>)
            . port(0, 'f32', \@part) . '</input></layer>';
        $edges .= qq(<edge from-layer="9" from-port="$port" to-layer="$result" to-port="0"/>);
    }
    push @layers, qq(<layer id="9" name="split" type="$type" version="opset1">$data<input>$ports</input>)
        . "<output>$outputs</output></layer>";
    write_file("$name.xml", qq(<?xml version="1.0"?>\n<net name="$name" version="11"><layers>) . join("\n", @layers)
        . "</layers>\n<edges>$edges</edges><rt_info/></net>\n");
    write_file("$name.bin", $bin) if $bin ne '';
    return "$name.xml";
}

my $axis = ['i64', [], [0]];
sub list { return ['i64', [scalar @_], [@_]] }

my %ir = (
    M314 => {dims => [6, 2], axis => $axis, num_splits => 3, outputs => [qw(a b c)]},
    M315 => {dims => [6, 2], axis => $axis, num_splits => 4, outputs => [qw(a b c d)]},
    M316 => {dims => [6, 2], axis => $axis, num_splits => 0, outputs => ['a']},
    M317 => {dims => [0, 2], axis => $axis, num_splits => 3, outputs => [qw(a b c)]},
    M318 => {dims => [6, 2], axis => ['i64', [1], [0]], num_splits => 3, outputs => [qw(a b c)]},
    M319 => {dims => [6, 2], axis => ['f32', [], [0]], num_splits => 3, outputs => [qw(a b c)]},
    M320 => {dims => [6, 2], axis => 'Parameter', num_splits => 3, outputs => [qw(a b c)]},
    M321 => {dims => [6, 2], axis => ['i64', [], [5]], num_splits => 3, outputs => [qw(a b c)]},
    M322 => {dims => [6, 2], axis => $axis, num_splits => 3, outputs => [qw(a b)]},
    M323 => {dims => [-1, 2], axis => $axis, num_splits => 3, outputs => [qw(a b c)]},
    M324 => {dims => [6], axis => $axis, lengths => list(1, 2, 3), outputs => [qw(a b c)]},
    M325 => {dims => [6], axis => $axis, lengths => list(-1, 2), outputs => [qw(a b)]},
    M326 => {dims => [-1], axis => $axis, lengths => list(-1, 2), outputs => [qw(a b)]},
    M327 => {dims => [6], axis => $axis, lengths => list(5, -1, 4), outputs => [qw(a b c)]},
    M328 => {dims => [6], axis => $axis, lengths => list(-1, -1, 3), outputs => [qw(a b c)]},
    M329 => {dims => [6], axis => $axis, lengths => ['i32', [2], [2, 4]], outputs => [qw(a b)]},
);

# What lint finds, and import refuses in the same words.
my %finding = (
    M315 => ['OVN003 openvino-split-even', 'num_splits 4 does not divide the dim 6; use VariadicSplit with lengths'],
    M316 => ['OVN002 openvino-split-count', 'num_splits is 0 and must be a number above 0; use the number of outputs'],
    M317 => ['OVN008 openvino-split-range', 'num_splits 3 is more than the dim, 0; the specification has at most the dim'],
    M318 => ['OVN005 openvino-split-axis-scalar', 'the axis has rank 1 and must be a scalar; give its Const shape=""'],
    M319 => ['OVN006 openvino-split-axis-type', 'the axis is f32 and must be an integer; make it i64'],
    M320 => ['OVN007 openvino-split-axis-computed', 'the axis is computed, and ONNX has it as an attribute; make it a Const'],
    M321 => ['OVN004 openvino-split-axis-range', 'axis 5 is outside [-2, 1], the axes of a tensor of rank 2; use the intended one'],
    M322 => ['OVN009 openvino-split-ports', 'there are 2 output ports and 3 parts; OpenVINO ignores the ports and makes the parts'],
    M327 => ['OVN011 openvino-rest-negative', 'the rest, -1, would be -3 long: the dim is 6 and the other lengths sum to 9'],
    M328 => ['OVN012 openvino-rest-twice', 'the lengths 0 and 1 are -1, and only one may be the rest'],
);
my %refused = (
    M320 => 'its axis is no Const, and ONNX has it as an attribute',
    M326 => 'length 0 is -1, the rest, and the dim is unknown; ONNX has no -1: give the shape of the input with --shape',
);
my %lifted = (
    M314 => qr/a, b, c = Split <axis = 0, num_outputs = 3> \(x\)/,
    M317 => qr/int64\[3\] (\S+) = \{0, 0, 0\}.*a, b, c = Split <axis = 0> \(x, \1\)/s,
    M323 => qr/a, b, c = Split <axis = 0, num_outputs = 3> \(x\)/,
    M324 => qr/int64\[3\] (\S+) = \{1, 2, 3\}.*a, b, c = Split <axis = 0> \(x, \1\)/s,
    M325 => qr/int64\[2\] (\S+) = \{4, 2\}.*a, b = Split <axis = 0> \(x, \1\)/s,
    M329 => qr/int64\[2\] (\S+) = \{2, 4\}.*a, b = Split <axis = 0> \(x, \1\)/s,
);

for my $row (grep { $_->{from_opset} eq 'OV' } split_rows()) {
    my ($id, $opset, $verdict, $form) = @$row{'id', 'target opset', 'expected verdict', 'expected result form'};
    my $path = make_ir($id, %{$ir{$id}});
    my ($status, $out, $err) = run('lint', $path, '--fail-level', 'note');
    my $where = $ir{$id}{lengths} ? "layer 'split' (VariadicSplit)" : "layer 'split' (Split)";
    if ($finding{$id}) {
        is($status, 1, "$id: lint finds something");
        like($out, qr/^\Q$path: $where: \E\w+: \Q$finding{$id}[1] [$finding{$id}[0]]\E$/m, "$id: in these words");
    } else {
        is($status, 0, "$id: lint finds nothing") or diag($out);
    }
    ($status, $out, $err) = run('import', $path, '--opset', $opset, '-o', "$id.onnx");
    if ($verdict eq 'convert') {
        is($status, 0, "$id: imported") or diag($err);
        ($status, $out) = run('show', '--text', "$id.onnx");
        like($out, $lifted{$id}, "$id: $form") if $lifted{$id};
        next;
    }
    my $words = $refused{$id} // "$finding{$id}[0]: $finding{$id}[1]";
    is($status, 1, "$id: refused");
    is($err, "opshift: $path: $where: $words\n", "$id: in lint's words");
    ok(!-e "$id.onnx", "$id: no file");
}

my ($status, $out, $err) = run('import', 'M314.xml', '--opset', '11', '-o', 'M314.onnx');
($status, $out) = run('show', '--text', 'M314.onnx');
like($out, qr/a, b, c = Split <axis = 0> \(x\)/, 'below 18 equal parts have no lengths');
($status, $out, $err) = run('import', 'M326.xml', '--opset', '13', '--shape', 'x=7', '-o', 'M326.onnx');
is($status, 0, '--shape: imported') or diag($err);
($status, $out) = run('show', '--text', 'M326.onnx');
like($out, qr/int64\[2\] \S+ = \{5, 2\}/, '--shape resolves the rest');

# What the rows do not have.
my @found = (
    ['OVN010', 'output port 2 has 3 at axis 0, and the part is 2 long; OpenVINO ignores what the port has',
        dims => [6, 2], axis => $axis, num_splits => 3, outputs => [qw(a b c)], parts => [[3, 2]]],
    ['OVN010', 'output port 3 has 1 dims, and the input has 2; OpenVINO ignores what the port has',
        dims => [6, 2], axis => $axis, num_splits => 3, outputs => [qw(a b c)], parts => [[2, 2], [2]]],
    ['OVN013', 'length 1 is -2; lengths are 0 or more, and one may be -1 for the rest',
        dims => [6], axis => $axis, lengths => list(8, -2), outputs => [qw(a b)]],
    ['OVN014', 'the lengths sum to 5, and the dim is 6',
        dims => [6], axis => $axis, lengths => list(2, 3), outputs => [qw(a b)]],
    ['OVN014', 'the lengths sum to more than 2^63 - 1; no dim is that long',
        dims => [6], axis => $axis, lengths => list(9223372036854775807, 3), outputs => [qw(a b)]],
    ['OVN015', 'the lengths have rank 2 and must be a list (rank 1)',
        dims => [6], axis => $axis, lengths => ['i64', [1, 2], [2, 4]], outputs => [qw(a b)]],
    ['OVN016', 'the lengths are f32 and must be integers; make them i64',
        dims => [6], axis => $axis, lengths => ['f32', [2], [2, 4]], outputs => [qw(a b)]],
    ['OVN004', 'the input is a scalar, which has no axis to split',
        dims => [], axis => $axis, num_splits => 1, outputs => ['a']],
    ['OVN009', 'there are 2 output ports and 3 parts; OpenVINO ignores the ports and makes the parts',
        dims => [6], axis => $axis, lengths => list(1, 2, 3), outputs => [qw(a b)]],
    ['OVN002', 'num_splits is x and must be a number above 0; use the number of outputs',
        dims => [6], axis => $axis, num_splits => 'x', outputs => ['a']],
);
for (@found) {
    my ($id, $words, @ir) = @$_;
    my ($seen, $found) = run('lint', make_ir('found', @ir), '--fail-level', 'note');
    is($seen, 1, "$id: found");
    like($found, qr/: \Q$words\E \[$id /, "$id: in these words");
}
write_file('found.xml', read_file('M314.xml') =~ s{<port id="1" precision="I64"></port></input>}{</input>}r
        =~ s{<edge from-layer="1"[^>]*>}{}r);
write_file('found.bin', read_file('M314.bin'));
(undef, my $inputs) = run('lint', 'found.xml');
like($inputs, qr/: it has 1 inputs and takes 2 \[OVN017 /, 'OVN017: in these words');

# ---- run: by OpenVINO's definition ----

sub npy {
    my ($path, $type, $shape, @numbers) = @_;
    my $dims = join(',', @$shape) . (@$shape == 1 ? ',' : '');
    my $head = "{'descr': '" . ($type eq 'f<' ? '<f4' : '<i8') . "', 'fortran_order': False, 'shape': ($dims), }";
    $head .= ' ' x (63 - (10 + length $head) % 64) . "\n";
    write_file($path, "\x93NUMPY\x01\x00" . pack('v', length $head) . $head . pack("$type*", @numbers));
}
sub floats { my ($path) = @_; return [unpack 'f<*', substr read_file($path), 10 + unpack('v', substr read_file($path), 8, 2)] }

# The example of the specification.
make_ir('page', dims => [6, 12, 10, 24], axis => ['i64', [], [1]], num_splits => 3, outputs => [qw(a b c)],
    parts => [([6, 4, 10, 24]) x 3]);
my @numbers = map { $_ % 65536 } 0 .. 6 * 12 * 10 * 24 - 1;
npy('page.npy', 'f<', [6, 12, 10, 24], @numbers);
($status, $out, $err) = run('run', 'page.xml', '--input', 'x=page.npy', '-o', 'page');
is($status, 0, 'the published example: run') or diag($err);
for my $part (0 .. 2) {
    my @want = map { my $n = $_; @numbers[$n * 2880 + $part * 960 .. $n * 2880 + $part * 960 + 959] } 0 .. 5;
    is_deeply(floats('page/' . (qw(a b c))[$part] . '.npy'), \@want, "its part $part");
}
($status, $out) = run('lint', 'page.xml', '--fail-level', 'note');
is($status, 0, 'the published example: lint finds nothing') or diag($out);

npy('seven.npy', 'f<', [7], 1 .. 7);
npy('none.npy', 'f<', [0], ());
make_ir('open', dims => [-1], axis => ['i64', [], [-1]], num_splits => 3, outputs => [qw(a b c)]);
make_ir('rest', dims => [-1], axis => ['i64', [1], [0]], lengths => list(2, -1, 1), outputs => [qw(a b c)]);
make_ir('given', dims => [-1], axis => $axis, lengths => 'Parameter', outputs => [qw(a b)]);
my @runs = (
    ['open', 'seven.npy', 3, "num_splits 3 does not divide the dim 7; Split takes a number in [1, dim] that divides it"],
    ['open', 'none.npy', 3, "num_splits 3 is more than the dim 0; Split takes a number in [1, dim] that divides it"],
    ['rest', 'none.npy', 3, "the lengths sum to 3, and the dim is 0"],
);
for (@runs) {
    my ($name, $file, $wanted, $words) = @$_;
    ($status, $out, $err) = run('run', "$name.xml", '--input', "x=$file");
    is($status, $wanted, "$name, $file: refused");
    like($err, qr/^opshift: $name.xml: layer 'split' \((?:Variadic)?Split\): \Q$words\E$/, "$name, $file: words");
}
($status, $out, $err) = run('run', 'rest.xml', '--input', 'x=seven.npy');
is($out, "a  float[2]  1, 2\nb  float[4]  3, 4, 5, 6\nc  float[1]  7\n", 'the rest is resolved at run time') or diag($err);
npy('lengths.npy', 'q<', [2], -1, 3);
($status, $out, $err) = run('run', 'given.xml', '--input', 'x=seven.npy', '--input', 'in2=lengths.npy');
is($out, "a  float[4]  1, 2, 3, 4\nb  float[3]  5, 6, 7\n", 'also in lengths that are an input') or diag($err);

# ---- there and back ----

my $head = '< ir_version: 8, opset_import: ["" : 18] >';
write_file('ops.txt', "$head g (float[6,4] x, int64[2] n, bool[6,4] t, int64[6,4] i) => (float[] a, float[] c, float[] d, int64[] j, float[] k)
    <float[4] w = {1, 2, 3, 4}, int64[1] axes = {1}, int64[2] shape = {4, -1}, int64[2] at = {1, 0}> {
    y = Add (x, w) s = Sigmoid (y) v = Where (t, s, y) p = Transpose <perm = [1, 0]> (v)
    [cut] a, \"\", c = Split <num_outputs = 3> (v)
    [lengths] d, e = Split <axis = 1> (p, n)
    r = ReduceMean <keepdims = 0> (v, axes) u = Unsqueeze (r, axes) q = Concat <axis = -1> (v, u)
    m = MatMul (p, v) f = Softmax <axis = 0> (m) g1 = Gather <axis = 1> (f, at) h = Reshape (g1, shape)
    z = Cast <to = 6> (h) i2 = Mod (i, i) j = Div (i, i) k = Max (q, q) }");
run('assemble', 'ops.txt', '-o', 'ops.onnx');
($status, $out, $err) = run('export', 'ops.onnx', '--to', 'openvino', '-o', 'ops.xml');
is($status, 0, 'many operators: exported') or diag($err);
($status, $out, $err) = run('import', 'ops.xml', '--opset', '18', '-o', 'back.onnx');
is($status, 0, 'imported again') or diag($err);
($status, $out, $err) = run('export', 'back.onnx', '--to', 'openvino', '-o', 'again.xml');
is($status, 0, 'exported again') or diag($err);
is(read_file('again.xml'), read_file('ops.xml'), 'the same .xml');
is(read_file('again.bin'), read_file('ops.bin'), 'the same .bin');
npy('n.npy', 'q<', [2], 2, 4);
npy('i.npy', 'q<', [6, 4], map { $_ % 2 ? $_ : -$_ } 1 .. 24);
my (undef, $before) = run('run', 'ops.onnx', '--random', '--seed', 5, '--input', 'n=n.npy', '--input', 'i=i.npy');
my (undef, $after) = run('run', 'back.onnx', '--random', '--seed', 5, '--input', 'n=n.npy', '--input', 'i=i.npy');
my (undef, $ir) = run('run', 'ops.xml', '--random', '--seed', 5, '--input', 'n=n.npy', '--input', 'i=i.npy');
like($before, qr/^a .*^k /ms, 'it can be run');
is($after, $before, 'the model that came back gives the same');
is($ir, $before, 'the IR, too');

# ---- files that are no IR, or a broken one ----

my $good = read_file('M314.xml');
sub changed { my ($from, $to) = @_; my $text = $good; $text =~ s/\Q$from\E/$to/ or die "no $from"; return $text }
my @broken = (
    [3, 'is an IR of version 10, and opshift reads version 11; write it again with openvino.save_model of OpenVINO 2023.1 or newer', changed('version="11"', 'version="10"')],
    [3, 'byte 22: <net> has no attribute \'version\'; write the IR again', changed(' version="11"', '')],
    [3, "byte 22: <net> has version=\"x\", which is no number", changed('version="11"', 'version="x"')],
    [3, "the layers 'x' and 'in1' have the same id, 0", changed('id="1" name="in1"', 'id="0" name="in1"')],
    [3, 'an edge leads from layer 77, and no layer has that id', changed('from-layer="0"', 'from-layer="77"')],
    [3, 'an edge leads to layer 78, and no layer has that id', changed('to-layer="9"', 'to-layer="78"')],
    [3, "an edge leads from port 5 of layer 'x' (Parameter), which has no such output", changed('from-layer="0" from-port="0"', 'from-layer="0" from-port="5"')],
    [3, "an edge leads to port 8 of layer 'split' (Split), which has no such input", changed('to-layer="9" to-port="0"', 'to-layer="9" to-port="8"')],
    [3, "two edges lead to port 0 of layer 'split' (Split)", changed('to-layer="9" to-port="1"', 'to-layer="9" to-port="0"')],
    [3, "no edge leads to port 0 of layer 'split' (Split)", changed('<edge from-layer="0" from-port="0" to-layer="9" to-port="0"/>', '')],
    [3, "the edges form a cycle through layer 'split' (Split)", changed('from-layer="0" from-port="0"', 'from-layer="9" from-port="2"')],
    [3, "layer 'x' has a port with the dim '-2', which is no size", changed('<dim>6</dim>', '<dim>-2</dim>')],
    [3, "layer 'x' has a port with the dim '6a', which is no size", changed('<dim>6</dim>', '<dim>6a</dim>')],
    [3, "layer 'in1' (Const) needs 8 bytes at offset 1 of bad.bin, which has 8; fetch the .bin again, or write the IR again", changed('offset="0"', 'offset="1"')],
    [3, "layer 'in1' (Const) needs 9223372036854775807 bytes at offset 0 of bad.bin, which has 8; fetch the .bin again, or write the IR again", changed('size="8"', 'size="9223372036854775807"')],
    [3, "layer 'in1' (Const) has size=\"9223372036854775808\", which is no number of bytes", changed('size="8"', 'size="9223372036854775808"')],
    [3, "layer 'in1' (Const) has 4 bytes, and its type and shape need 8", changed('size="8"', 'size="4"')],
    [3, "layer 'in1' (Const) has the shape 'a', which cannot be read", changed('shape="" offset', 'shape="a" offset')],
    [3, "layer 'in1' (Const) has dims that a constant cannot have", changed('shape="" offset', 'shape="?" offset')],
    [3, "layer 'x' (Parameter) has no attribute 'shape'; write the IR again", changed(' shape="6,2"', '')],
    [3, 'has a document type declaration, which is refused; remove it', changed('?>', "?>\n<!DOCTYPE net [<!ENTITY a \"b\">]>")],
    [3, "is XML in the encoding 'UTF-7'; write it in UTF-8, and declare that or nothing", changed('version="1.0"', 'version="1.0" encoding="UTF-7"')],
    [3, "is XML in the encoding 'ISO-8859-1'; write it in UTF-8, and declare that or nothing", changed('version="1.0"', "version='1.0' encoding = 'ISO-8859-1'")],
    [3, "is XML in the encoding 'utf-16'; write it in UTF-8, and declare that or nothing", changed('<?xml', "\xef\xbb\xbf<?xml") =~ s/"1.0"/"1.0" encoding="utf-16"/r],
    [3, "line 2: not well-formed XML: Entity 'a' not defined", changed('name="M314"', 'name="&a;"')],
    [3, 'elements are nested more than 100 deep', changed('<rt_info/>', '<a>' x 200 . '</a>' x 200)],
    [3, 'an element has 1001 attributes, more than 1000', changed('<rt_info/>', '<a ' . join(' ', map { "a$_=''" } 1 .. 1001) . '/>')],
    [1, "layer 'x' (Result): it has 0 inputs and 1 outputs, which such a layer does not have", changed('name="x" type="Parameter"', 'name="x" type="Result"')],
    [1, "layer 'in1' (Foo): opshift has no ONNX operator for Foo of opset1", changed('name="in1" type="Const"', 'name="in1" type="Foo"')],
);
write_file('bad.bin', read_file('M314.bin'));
for (@broken) {
    my ($wanted, $words, $text) = @$_;
    write_file('bad.xml', $text);
    my ($seen, undef, $told) = run('import', 'bad.xml', '--opset', 18, '-o', 'bad.onnx');
    is($seen, $wanted, "exit status $wanted");
    is($told, "opshift: bad.xml: $words\n", 'the message');
    next if $wanted == 1;
    my ($linted, $found) = run('lint', 'bad.xml');
    is($linted, 3, 'lint: exit status 3');
    like($found, qr/^bad.xml: error: \Q$words\E \[OVN001 openvino-unreadable\]$/m, 'lint: the same as a finding');
}
write_file('bad.xml', substr $good, 0, 700);
($status, $out, $err) = run('import', 'bad.xml', '--opset', 18, '-o', 'bad.onnx');
is($status, 3, 'a part of a file: exit status 3');
like($err, qr/^opshift: bad.xml: line \d+: not well-formed XML: /, 'its message');
write_file('bad.xml', $good);
unlink 'bad.bin';
($status, $out, $err) = run('import', 'bad.xml', '--opset', 18, '-o', 'bad.onnx');
is($status, 4, 'no .bin: exit status 4');
is($err, "opshift: bad.xml: its constants are in bad.bin, which is missing; put it beside the .xml\n", 'its message');
write_file('bad.bin', '');
($status, $out, $err) = run('import', 'bad.xml', '--opset', 18, '-o', 'bad.onnx');
is($status, 3, 'an empty .bin: exit status 3');
like($err, qr/needs 8 bytes at offset 0 of bad.bin, which has 0; /, 'its message');

# Encodings: UTF-8 with and without a mark, and others that are known by their first bytes.
write_file('bad.bin', read_file('M314.bin'));
for my $text ("\xef\xbb\xbf$good", $good =~ s/"1.0"/"1.0" encoding="Utf-8"/r, $good =~ s/^<\?xml.*?>//r) {
    write_file('bad.xml', $text);
    is((run('import', 'bad.xml', '--opset', 18, '-o', 'bad.onnx'))[0], 0, 'UTF-8');
}
for my $text ("\xff\xfe" . join('', map { "$_\0" } split //, $good), join('', map { "\0$_" } split //, $good),
    join('', map { "$_\0\0\0" } split //, $good), "Lo\xa7\x94$good") {
    write_file('bad.xml', $text);
    ($status, $out, $err) = run('import', 'bad.xml', '--opset', 18, '-o', 'bad.onnx');
    is("$status $err", "3 opshift: bad.xml: is XML in another encoding than UTF-8; write it in UTF-8\n", 'another encoding');
}
write_file('bad.xml', $good =~ s/\?>/' ' x 1024 . '?>'/er);
($status, $out, $err) = run('import', 'bad.xml', '--opset', 18, '-o', 'bad.onnx');
is("$status $err", "3 opshift: bad.xml: line 1: not well-formed XML: no end of the declaration\n", 'a declaration that is too long');

# The .bin is external data: behind a link it is opened as the policy allows.
my $inside = "external data 'bad.bin': the path contains a link, which is not followed; put the file itself there, or choose --external-policy inside";
my $outside = "external data 'bad.bin': a link leads out of the model's directory; it is not followed";
write_file('ir/bad.xml',   $good);
write_file('ir/other.bin', read_file('M314.bin'));
for my $case (
    ['other.bin',    'strict', 3, "$inside\n"],
    ['other.bin',    'inside', 0, ''],
    ['other.bin',    'none',   3, "external data, which the external policy 'none' does not allow to be read\n"],
    ['../M314.bin',  'strict', 3, "$outside\n"],
    ['../M314.bin',  'inside', 3, "$outside\n"],
    ['/etc/passwd',  'inside', 3, "$outside\n"],
    ['/dev/zero',    'hf-cache', 3, "$outside\n"],
) {
    my ($to, $policy, $wanted, $words) = @$case;
    unlink 'ir/bad.bin';
    symlink $to, 'ir/bad.bin' or die;
    ($status, $out, $err) = run('import', 'ir/bad.xml', '--opset', 18, '-o', 'bad.onnx', '--external-policy', $policy);
    is("$status " . ($status ? $err : ''), "$wanted " . ($words && "opshift: ir/bad.xml: $words"), "import, $policy: a .bin that is a link to $to");
    ($status, $out, $err) = run('run', 'ir/bad.xml', '--random', '--external-policy', $policy);
    is($status, $wanted, 'run');
    ($status, $out, $err) = run('lint', 'ir/bad.xml', '--external-policy', $policy);
    $words =~ s/\n//;
    $words ? like($out, qr/^ir\/bad.xml: error: \Q$words\E \[OVN001 openvino-unreadable\]$/m, 'lint') : is($status, 0, 'lint');
}
unlink 'ir/bad.bin';
mkdir 'ir/bad.bin' or die;
($status, $out, $err) = run('import', 'ir/bad.xml', '--opset', 18, '-o', 'bad.onnx');
is("$status $err", "3 opshift: ir/bad.xml: external data 'bad.bin' is no regular file; it is not read\n", 'a directory');

write_file('page.html', '<html><net></html>' =~ s/net/p/r);
($status, $out, $err) = run('lint', 'page.html');
like($out, qr/PRT006/, 'another file that begins with < is no IR');

($status, $out, $err) = run('convert', 'M314.xml', '--opset', 13, '-o', 'bad.onnx');
is($err, "opshift: M314.xml: an IR of OpenVINO, not a model; make one of it with 'opshift import'\n", 'convert refuses an IR');

# A Squeeze without axes has one input.
my $shape = join '', map { "<dim>$_</dim>" } 1, 3, 1;
write_file('squeeze.xml', <<"XML");
<net name="n" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="1,3,1" element_type="f32"/><output><port id="0" precision="FP32" names="x">$shape</port></output></layer>
<layer id="1" name="s" type="Squeeze" version="opset1"><input><port id="0" precision="FP32">$shape</port></input><output><port id="1" precision="FP32" names="y"><dim>3</dim></port></output></layer>
<layer id="2" name="y/result" type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>3</dim></port></input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/><edge from-layer="1" from-port="1" to-layer="2" to-port="0"/></edges></net>
XML
write_file('squeeze.bin', '');
run('import', 'squeeze.xml', '--opset', 18, '-o', 'squeeze.onnx');
($status, $out, $err) = run('show', '--text', 'squeeze.onnx');
like($out, qr/y = Squeeze \(x\)\n/, 'a Squeeze of one input') or diag($err);

# Every format of lint.
for my $format (qw(text json ndjson sarif github junit)) {
    ($status, $out, $err) = run('lint', 'M315.xml', '-f', $format);
    is($status, 1, "lint -f $format: exit status 1");
    like($out, qr/OVN003/, "lint -f $format: the id") or diag($err);
}
run('lint', 'M315.xml', '--baseline', 'base.json', '--update-baseline');
($status, $out) = run('lint', 'M315.xml', '--baseline', 'base.json');
is($status, 0, 'a finding in the baseline does not fail') or diag($out);
done_testing();
