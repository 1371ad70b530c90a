#!/usr/bin/perl
# Writes a model of one Split and one initializer that takes no room on the disk: a hole of so many bytes.
# usage: weights.pl FILE BYTES OPSET [NAME]; NAME is the node's first output, by default 'y0'.
use strict;
use warnings;

my ($path, $size, $opset, $name) = (@ARGV, 'y0');

sub varint {
    my ($value) = @_;
    my $bytes = '';
    for (; $value >= 128; $value >>= 7) {
        $bytes .= chr($value & 127 | 128);
    }
    return $bytes . chr($value);
}

# A field of bytes; the length may be more than the bytes that are there.
sub field {
    my ($number, $bytes, $length) = @_;
    return varint($number << 3 | 2) . varint($length // length $bytes) . $bytes;
}

sub value {
    my ($number, $of, @dims) = @_;
    my $shape = @dims ? field(2, join '', map { field(1, "\x08" . varint($_)) } @dims) : '';
    return field($number, field(1, $of) . field(2, field(1, "\x08\x01$shape")));
}

my ($lengths, $input) = ('', '');
if ($opset < 13) { # split = [2, 4]
    $lengths = field(5, field(1, 'split') . "\x40\x02\x40\x04\xa0\x01\x07");
} else {
    $input = field(1, 'l');
}
my $node = field(1, 'x') . $input . field(2, $name) . field(2, 'y1') . field(4, 'Split') . $lengths;
my $weights = "\x08" . varint($size / 4) . "\x10\x01" . field(8, 'w') . field(9, '', $size);
my $before = field(1, $node) . field(2, 'g') . field(5, $weights, $size + length $weights);
my $after = value(11, 'x', 6) . value(12, $name, 2) . value(12, 'y1', 4);
if ($opset >= 13) {
    $after = field(5, "\x08\x02\x10\x07" . field(8, 'l') . field(9, pack 'q<2', 2, 4)) . $after;
}

open my $file, '>:raw', $path or die "$path: $!\n";
print $file "\x08\x07", field(7, $before, $size + length($before) + length $after);
seek $file, $size, 1 or die "$path: $!\n";
print $file $after, field(8, "\x10" . varint($opset));
close $file or die "$path: $!\n";
