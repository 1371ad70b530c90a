#!/usr/bin/perl
# convert --pieces: the pieces put together are the file that -o writes.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use JSON::PP;
use MIME::Base64;
use Test::More;

sub opshift { my $out = qx('$opshift' @_ 2>err); return ($? >> 8, $out, read_file('err')) }

sub join_pieces {
    my ($model, $list) = @_;
    my $bytes = read_file($model);
    return join '', map { exists $_->{from} ? substr $bytes, $_->{from}, $_->{size} : decode_base64($_->{bytes}) } @{$list->{pieces}};
}

opshift("assemble '$srcdir/tests/models/sample.txt' -o net.onnx");
for my $options ('--opset 18', '--opset 1 --verify', '--opset 11', '--ir-version 9', '--target opencv@4.6 --opset 13') {
    my ($wanted, undef, $refusal) = opshift("convert net.onnx $options -o file.onnx");
    my ($status, $out, $err) = opshift("convert net.onnx $options --pieces pieces.json");
    is($status, $wanted, "$options: the same exit status");
    $refusal =~ s/file\.onnx/net.onnx/g;    # a model by pieces has no name of its own
    is($err, $refusal, "$options: the same messages");
    next if $wanted;
    my $list = decode_json(read_file('pieces.json'));
    is(join_pieces('net.onnx', $list), read_file('file.onnx'), "$options: together they are the file");
    is($list->{size}, -s 'file.onnx', "$options: the size of all");
    unlink 'file.onnx', 'pieces.json';
}

my ($status, $out, $err) = opshift('convert net.onnx --opset 13 --pieces - --verify -f json');
is($status, 0, 'standard output takes the pieces');
is(join('', sort keys %{decode_json($out)}), 'piecessize', '... and nothing else');
is(join('', sort keys %{decode_json($err)}), 'convertverify', 'standard error takes the report');

($status, $out) = opshift('convert - --opset 13 --pieces - <net.onnx');
opshift('convert net.onnx --opset 13 -o file.onnx');
is(join_pieces('net.onnx', decode_json($out)), read_file('file.onnx'), 'of a model on standard input');

assemble('new', qq{<ir_version: 10, opset_import: ["" : 13]>\ng (bfloat16[4] x) => (y) { y = Neg (x) }\n});
($status, $out, $err) = opshift('convert new.onnx --opset 9 --pieces refused.json');
is($status, 1, 'a refusal');
ok(!-e 'refused.json', '... has no pieces');

for (['--pieces p.json -o b.onnx', 'output'], ['--pieces p.json --dry-run', 'dry-run']) {
    ($status, $out, $err) = opshift("convert net.onnx --opset 13 $_->[0]");
    is("$status $err", "2 opshift: convert: options '--pieces' and '--$_->[1]' exclude each other: the pieces are instead of a model or a plan; leave one of them out\n",
        $_->[0]);
}
($status, $out, $err) = opshift('convert net.onnx --opset 13 --pieces net.onnx');
is($status, 2, 'the pieces may not replace the model');

# Nothing is copied: a model of 3 GiB, most of it a hole, gives a short list at once.
SKIP: {
    my $size = 3 << 30;
    my $value = sub { field($_[0], field(1, $_[1]) . field(2, field(1, "\x08\x01" . field(2, field(1, "\x08" . chr $_[2]))))) };
    my $node = field(1, field(1, 'x') . field(2, 'a') . field(2, 'b') . field(4, 'Split'));
    my $weight = "\x08" . varint($size) . "\x10\x03" . field(8, 'w') . "\x4a" . varint($size);
    my $after = $value->(11, 'x', 4) . $value->(12, 'a', 2) . $value->(12, 'b', 2);
    my $graph = $node . "\x2a" . varint(length($weight) + $size) . $weight;
    open my $file, '>:raw', 'big.onnx' or die;
    print $file "\x08\x07" . field(8, "\x10\x0b") . "\x3a" . varint(length($graph) + $size + length $after) . $graph;
    seek $file, $size, 1 or skip 'no large files here', 3;
    print $file $after or skip 'no large files here', 3;
    close $file or skip 'no sparse files here', 3;
    ($status, $out, $err) = opshift('convert big.onnx --opset 18 --verify --pieces big.json');
    is("$status$err", '0', 'a model of 3 GiB');
    my $list = decode_json(read_file('big.json'));
    cmp_ok($list->{size}, '>', $size, '... and its size');
    cmp_ok(-s 'big.json', '<', 5000, '... in a short list');
}
done_testing();
