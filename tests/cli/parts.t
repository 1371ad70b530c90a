#!/usr/bin/perl
# Parts that a conversion only copies must be valid, too: parts that the official parser rejects are refused, and lint
# tells where.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use Test::More;

# A model with these bytes at the end of its graph, and of the model.
sub write_model {
    my ($in_graph, $in_model) = @_;
    my $node = field(1, 'x') . field(2, 'y') . field(4, 'Relu');
    my $type = sub { field(1, $_[0]) . field(2, field(1, "\x08\x01")) };
    write_file('net.onnx', "\x08\x08" . field(7, field(1, $node) . field(11, $type->('x')) . field(12, $type->('y')) . $in_graph)
        . field(8, "\x10\x0d") . $in_model);
}

my $tensor = "\x08\x02\x10\x01" . field(8, 'w');    # float[2]
my @cases = (
    ['a type that ends in a field', field(13, field(1, 'v') . field(2, field(1, "\x08"))), '',
        'byte 50: its message ends inside a varint'],
    ['a shape that is longer than its type', field(13, field(1, 'v') . field(2, "\x0a\x02\x12\x7f")), '',
        'byte 49: field 2 is 127 bytes long, but only 0 are left of its message'],
    ['a dim that is no message', field(13, field(1, 'v') . field(2, field(1, "\x08\x01" . field(2, "\x08\x05")))), '',
        'byte 53: TensorShapeProto.dim (field 1) is written as a varint instead of a length and bytes'],
    ['floats that end in one', field(5, $tensor . field(4, "\0" x 7)), '',
        'byte 49: TensorProto.float_data ends in the middle of a value'],
    ['integers that end in one', field(5, "\x08\x02\x10\x07" . field(7, "\x01\x82")), '',
        'byte 46: TensorProto.int64_data has a value that does not end'],
    ['many integers that end in one', field(5, "\x08\x02\x10\x07" . field(7, "\x01" x 70_000 . "\x82")), '',
        'byte 50: TensorProto.int64_data has a value that does not end'],
    ['one of many integers that goes on for more than ten bytes',
        field(5, "\x08\x02\x10\x07" . field(7, "\x01" x 65_530 . "\x80" x 10 . "\x01" x 5_000)), '',
        'byte 50: TensorProto.int64_data has a value that does not end'],
    ['an entry of external data', field(5, $tensor . field(13, "\x0a\x09x")), '',
        'byte 51: field 1 is 9 bytes long, but only 1 are left of its message'],
    ['metadata of the model', '', field(14, "\x0a\x01k\x12"),
        'byte 50: its message ends inside a length'],
    ['metadata of the graph', field(16, "\x0a\x7fk"), '',
        'byte 43: field 1 is 127 bytes long, but only 1 are left of its message'],
    ['an annotation', field(14, field(1, 'w') . field(2, "\x0a\x05k")), '',
        'byte 47: field 1 is 5 bytes long, but only 1 are left of its message'],
    ['field number 0 in a type', field(13, field(1, 'v') . field(2, "\x00\x01")), '',
        'byte 47: field number 0 does not exist'],
    ['a value info that is large', field(13, field(1, 'v') . field(3, 'd' x 3000) . field(2, field(1, "\x08"))), '',
        'byte 3055: its message ends inside a varint'],
);
write_model(field(13, field(1, 'v') . field(2, field(1, "\x08\x01"))), field(14, field(1, 'k') . field(2, 'v')));
is((run(qw(convert net.onnx --opset 14 -o out.onnx)))[0], 0, 'what is whole is converted');
unlink 'out.onnx';
for my $case (@cases) {
    my ($what, $in_graph, $in_model, $words) = @$case;
    write_model($in_graph, $in_model);
    my ($status, undef, $said) = run(qw(convert net.onnx --opset 14 -o out.onnx));
    is("$status $said", "3 opshift: net.onnx: $words; the file is damaged or cut short; fetch it again\n", "$what: exit status 3");
    ok(!-e 'out.onnx', "$what: nothing is written");
    my ($found) = run(qw(lint net.onnx));
    ok($found == 1 || $found == 3, "$what: lint finds it");
}
done_testing();
