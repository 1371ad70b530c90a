#!/usr/bin/perl
# Rows of tests/split-matrix.tsv that lead to OpenVINO's IR: the layers, ports and edges that the export writes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use Test::More;

# ---- an IR, read as simply as it is written ----

sub unescape {
    my ($text) = @_;
    $text =~ s/&lt;/</g; $text =~ s/&gt;/>/g; $text =~ s/&quot;/"/g; $text =~ s/&#10;/\n/g; $text =~ s/&#9;/\t/g;
    $text =~ s/&amp;/&/g;
    return $text;
}
sub attributes { my ($text) = @_; return {map { unescape($_) } $text =~ /([\w-]+)="([^"]*)"/g} }

sub ports {
    my ($text) = @_;
    my @ports;
    while (($text // '') =~ m{<port ([^>]*?)(?:/>|>(.*?)</port>)}gs) {
        push @ports, {%{attributes($1)}, dims => [($2 // '') =~ m{<dim>(-?\d+)</dim>}g]};
    }
    return \@ports;
}

sub read_ir {
    my ($name) = @_;
    my ($xml, $bin) = (read_file("$name.xml"), read_file("$name.bin"));
    my %net = (xml => $xml, bin => $bin, layers => [], by_id => {}, edges => []);
    while ($xml =~ m{<layer ([^>]*?)(?:/>|>(.*?)</layer>)}gs) {
        my ($layer, $body) = (attributes($1), $2 // '');
        $layer->{data} = attributes($body =~ /<data ([^>]*)>/ ? $1 : '');
        $layer->{input}  = ports($body =~ m{<input>(.*?)</input>}s  ? $1 : '');
        $layer->{output} = ports($body =~ m{<output>(.*?)</output>}s ? $1 : '');
        push @{$net{layers}}, $layer;
        $net{by_id}{$layer->{id}} = $layer;
    }
    push @{$net{edges}}, attributes($1) while $xml =~ /<edge ([^>]*)>/g;
    return \%net;
}

sub layer { my ($net, $type) = @_; return (grep { $_->{type} eq $type } @{$net->{layers}})[0] }

# What leads into an input of a layer: the layer before, and its port.
sub source {
    my ($net, $layer, $port) = @_;
    my ($edge) = grep { $_->{'to-layer'} eq $layer->{id} && $_->{'to-port'} eq $port } @{$net->{edges}};
    return $edge ? ($net->{by_id}{$edge->{'from-layer'}}, $edge->{'from-port'}) : ();
}

sub numbers {
    my ($net, $const) = @_;
    return [unpack 'q<*', substr $net->{bin}, $const->{data}{offset}, $const->{data}{size}];
}

# Faults of any net: what the reader of OpenVINO looks at.
sub faults {
    my ($net) = @_;
    my (@faults, %names, %fed);
    push @faults, 'no version 11' unless $net->{xml} =~ /^<\?xml version="1.0"\?>\n<net name="[^"]*" version="11">/;
    for my $layer (@{$net->{layers}}) {
        my $at = "layer '$layer->{name}'";
        push @faults, "$at: the name is taken" if $names{$layer->{name}}++;
        push @faults, "$at: no version" unless ($layer->{version} // '') =~ /^opset\d+$/;
        my $id = 0;
        for my $port (@{$layer->{input}}, @{$layer->{output}}) {
            push @faults, "$at: port $port->{id} is not $id" if $port->{id} ne $id++;
            push @faults, "$at: no precision" unless ($port->{precision} // '') =~ /^(FP|BF|I|U)\d+$|^BOOL$|^STRING$/;
        }
        push @faults, "$at: offset" if $layer->{type} eq 'Const'
            && ($layer->{data}{offset} % 8 || $layer->{data}{offset} + $layer->{data}{size} > length $net->{bin});
        for my $i (0 .. $#{$layer->{input}}) {
            my ($from, $port) = source($net, $layer, $i);
            push @faults, "$at: input $i has no edge" and next unless $from;
            my ($out) = grep { $_->{id} eq $port } @{$from->{output}};
            push @faults, "$at: input $i comes from no output" and next unless $out;
            push @faults, "$at: input $i differs from its source"
                if "@{$out->{dims}} $out->{precision}" ne "@{$layer->{input}[$i]{dims}} $layer->{input}[$i]{precision}";
        }
    }
    return \@faults;
}

# ---- the rows ----

my %text = (
    M302 => '11]> g (float[6,2] x) => (float[] a, float[] b, float[] c) { a, b, c = Split (x) }',
    M303 => '11]> g (float[6,2] x) => (float[] a, float[] b) { a, b = Split <split = [2, 4]> (x) }',
    M304 => '11]> g (float[6,2] x) => (float[] a, float[] b) { a, b = Split <split = [3, 3]> (x) }',
    M305 => '13]> g (float[6,2] x, int64[2] n) => (float[] a, float[] b) { a, b = Split (x, n) }',
    M306 => '18]> g (float[6,2] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }',
    M307 => '18]> g (float[7] x) => (float[] a, float[] b, float[] c, float[] d)'
        . '{ a, b, c, d = Split <num_outputs = 4> (x) }',
    M308 => '18]> g (float[N] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }',
    M309 => '18]> g (float[4] x) => (float[] a, float[] b, float[] c) { a, b, c = Split <num_outputs = 3> (x) }',
    M310 => '1]> g (float[6] x) => (float[] a, float[] b) <float[2] n = {2, 4}> { a, b = Split <axis = 0> (x, n) }',
    M311 => '13]> g (float[2,6] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }',
    M312 => '13]> g (complex64[6] x) => (complex64[] a, complex64[] b) <int64[2] n = {2, 4}> { a, b = Split (x, n) }',
    M313 => '13]> g (float[6] x) => (float[] a, float[] c) { a, "", c = Split (x) }',
);

# What the rows say in words: type of the layer, axis, lengths, names of the outputs, "-" for none.
my %want = (
    M302 => ['Split', 0, 3, 'a b c'],
    M303 => ['VariadicSplit', 0, [2, 4], 'a b'],
    M304 => ['Split', 0, 2, 'a b'],
    M305 => ['VariadicSplit', 0, 'n', 'a b'],
    M306 => ['Split', 0, 3, 'a b c'],
    M307 => ['VariadicSplit', 0, [2, 2, 2, 1], 'a b c d'],
    M309 => ['VariadicSplit', 0, [2, 2, 0], 'a b c'],
    M310 => ['VariadicSplit', 0, [2, 4], 'a b'],
    M311 => ['Split', -1, 2, 'a b'],
    M313 => ['Split', 0, 3, 'a - c'],
);
my %refused = (
    M308 => "node 0 (Split): num_outputs = 3 splits a dim of unknown size, and OpenVINO's Split takes only one that it "
        . 'divides; give the size with --shape x=... or --dim, or take --assume-even',
    M312 => "input 'x': 'x' is complex64, an element type that OpenVINO does not have; cast it to another",
);

sub wrong_net {
    my ($net, $type, $axis, $lengths, $names) = @_;
    my @faults = @{faults($net)};
    return $faults[0] if @faults;
    my $split = layer($net, $type) or return "no $type";
    my ($const) = source($net, $split, 1);
    return 'not the axis' if "@{numbers($net, $const)}" ne $axis || $const->{data}{shape} ne '';
    return 'not the axis as int64' if $const->{data}{element_type} ne 'i64';
    if (ref $lengths) {
        my ($list) = source($net, $split, 2);
        return 'not the lengths' if "@{numbers($net, $list)}" ne "@$lengths" || $list->{data}{shape} ne @$lengths;
    } elsif ($lengths =~ /\d/) {
        return 'not num_splits' if $split->{data}{num_splits} ne $lengths;
    } else {
        my ($parameter) = source($net, $split, 2);
        return 'no Parameter' if "$parameter->{type} $parameter->{name}" ne "Parameter $lengths";
    }
    return 'not the outputs' if join(' ', map { $_->{names} // '-' } @{$split->{output}}) ne $names;
    my @results = grep { $_->{type} eq 'Result' } @{$net->{layers}};
    return 'not a Result for each output' if @results != grep { $_ ne '-' } split / /, $names;
    return undef;
}

for my $row (grep { $_->{'target opset'} eq 'OV' } split_rows()) {
    my ($id, $verdict, $form) = @$row{'id', 'expected verdict', 'expected result form'};
    my $model = assemble($id, "< ir_version: 8, opset_import: [\"\" : $text{$id}");
    my ($status, $out, $err) = run('export', $model, '--to', 'openvino', '-o', "$id.xml");
    if ($verdict eq 'convert') {
        is($status, 0, "$id: exported") or diag($err);
        is(wrong_net(read_ir($id), @{$want{$id}}), undef, "$id: $form");
    } else {
        is($status, 1, "$id: refused");
        like($err, qr/^opshift: $model: not all of the model can be exported: \Q$refused{$id}\E( \(and 1 more\))?$/m, "$id: the words");
        ok(!-e "$id.xml" && !-e "$id.bin", "$id: no file");
    }
}

# ---- more than the rows ----

my $head = '< ir_version: 8, opset_import: ["" : 18]>';
my ($status, $out, $err) = run('export', 'M308.onnx', '--to', 'openvino', '-o', 'even.xml', '--assume-even');
is($status, 0, '--assume-even: exported');
like($out, qr/Split-1, num_splits 3, axis 0 +assumed: num_outputs divides the dim$/m, '--assume-even: told');
is(wrong_net(read_ir('even'), 'Split', 0, 3, 'a b c'), undef, '--assume-even: Split-1');
is_deeply(layer(read_ir('even'), 'Split')->{output}[0]{dims}, [-1], 'an unknown dim is -1');
is(layer(read_ir('even'), 'Parameter')->{data}{shape}, '?', 'and ? in a Parameter');
($status) = run('export', 'M308.onnx', '--to', 'openvino', '-o', 'given.xml', '--dim', 'N=7');
is(wrong_net(read_ir('given'), 'VariadicSplit', 0, [3, 3, 1], 'a b c'), undef, '--dim: lengths');

assemble('pass', "$head g (float[6,2] x) => (float[6,2] x, float[] y, float w, float[] \"a,&<'b\")
    <float w = {2}> { y = Identity (x) z = Add (x, w) \"a,&<'b\", c = Split <num_outputs = 2, axis = 1> (z) }");
($status, $out, $err) = run('export', 'pass.onnx', '--to', 'openvino', '-o', 'pass.xml');
is($status, 0, 'outputs that are an input, its Identity, a constant: exported') or diag($err);
my $net = read_ir('pass');
is_deeply(faults($net), [], 'nothing is wrong with the net');
is(scalar(grep { $_->{type} eq 'Result' } @{$net->{layers}}), 4, 'each has a Result');
is(layer($net, 'Parameter')->{output}[0]{names}, 'x,y', 'Identity is one more name of the port');
is(layer($net, 'Split')->{output}[0]{names}, "a\\,&<'b", 'a comma in a name is escaped');

assemble('part', "$head g (float[6] x) => (float[] a, float[] b) { y = Selu (x) a, b = Split <num_outputs = 2> (y) }");
($status, $out, $err) = run('export', 'part.onnx', '--to', 'openvino', '-o', 'part.xml', '--report', 'part.json');
is($status, 1, 'an operator without a counterpart: exit status 1');
like($err, qr/^opshift: part.onnx: not all of the model can be exported: node 0 \(Selu\): opshift has no counterpart of Selu in OpenVINO's IR; OpenVINO itself can read the ONNX model$/m, 'the reason');
is(wrong_net(read_ir('part'), 'Split', 0, 2, 'a b'), undef, 'the Split is a net of its own');
like(read_file('part.xml'), qr/<!-- Not the whole model: .*node 0 \(Selu\): .*-->/s, 'the file tells why');
like(read_file('part.json'), qr/"whole": false/, 'the report, too');

assemble('sequence', "$head g (float[5] x) => (float[] a, float[] b) <int64 c = {4}, int64 p = {0}, int64 q = {1}>
    { s = SplitToSequence (x, c) a = SequenceAt (s, p) b = SequenceAt (s, q) }");
($status, $out, $err) = run('export', 'sequence.onnx', '--to', 'openvino', '-o', 'sequence.xml');
is($status, 0, 'SplitToSequence: exported') or diag($err);
is(wrong_net(read_ir('sequence'), 'VariadicSplit', 0, [4, 1], 'a b'), undef, 'as Split');

# Weights that are stored in each way come out the same.
assemble('stored', "$head g (float[2] x) => (float[] y) <float[2] w = {1.5, -2}, float16[2] h = {1.5, 2.5}, bool[2] t = {1, 0}>
    { i = Cast <to = 1> (h) j = Cast <to = 1> (t) k = Add (w, i) l = Add (j, k) y = Add (x, l) }");
($status, $out, $err) = run('export', 'stored.onnx', '--to', 'openvino', '-o', 'stored.xml');
is($status, 0, 'weights: exported') or diag($err);
$net = read_ir('stored');
is(unpack('H*', $net->{bin}), '003e004100000000' . '0100000000000000' . '0000c03f000000c0', 'weights, aligned to 8 bytes');

# Files appear together or not at all.
my @usage = (
    [['-o', 'net.bin'], 'net.bin: an IR is two files, NAME.xml and NAME.bin; write -o NAME.xml'],
    [['-o', '-'], '-: an IR is two files, NAME.xml and NAME.bin; write -o NAME.xml'],
    [['-o', 'n.xml', '--report', 'n.bin'], "export: the weights and option '--report' are the same file, 'n.bin'; name another one"],
    [['-o', 'n.xml', '-f', 'c'], "export: option '--format' is for --to directml; leave it out"],
    [[], "export: option '--output' is missing; write -o OUT"],
);
for (@usage) {
    ($status, $out, $err) = run('export', 'M302.onnx', '--to', 'openvino', @{$_->[0]});
    is($status, 2, "usage: @{$_->[0]}");
    like($err, qr/\Q$_->[1]\E/, 'its message');
}
write_file('kept.bin', 'before');
mkdir 'kept.xml';
($status, $out, $err) = run('export', 'M302.onnx', '--to', 'openvino', '-o', 'kept.xml');
is($status, 4, 'a directory in the way: exit status 4');
is(read_file('kept.bin'), 'before', 'the other file is as before');
is(join(' ', glob '.*.opshift'), '', 'no temporary file is left');

done_testing();
