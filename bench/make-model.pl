# Prints a model to measure with.
use strict;
use warnings;

@ARGV > 1 or die "usage: make-model.pl KIND COUNT OPSET >MODEL; KIND: weights (bytes), layers (nodes), typed (nodes)\n";
my ($kind, $count, $opset) = @ARGV;

sub varint { my ($n) = @_; my $s = ''; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } return $s . chr $n }
sub field { my ($number, $bytes) = @_; return varint($number << 3 | 2) . varint(length $bytes) . $bytes }
sub number { my ($number, $value) = @_; return varint($number << 3) . varint($value) }
# A float value of one dim: name, dim.
sub value { my ($name, $dim) = @_; return field(1, $name) . field(2, field(1, number(1, 1) . field(2, field(1, number(1, $dim))))) }
# Lengths of a Split as an initializer: name, lengths.
sub lengths { my ($name, @lengths) = @_; return field(5, number(1, 2) . number(2, 7) . field(8, $name) . field(9, pack 'q<2', @lengths)) }

my $axis = field(5, field(1, 'axis') . number(3, 0) . number(20, 2));
my ($nodes, $initializers, $values, $last) = ('', '', '', 'x');

# A node with a name, whose outputs are named after it: layer, operator, attributes, dims of the outputs, inputs.
sub node {
    my ($layer, $operator, $attributes, $dims, @inputs) = @_;
    my $name = "/layers.$layer/$operator";
    my @outputs = map { "${name}_output_$_" } 0 .. $#$dims;
    $nodes .= field(1, join('', (map { field(1, $_) } @inputs), (map { field(2, $_) } @outputs)) . field(3, $name) . field(4, $operator) . $attributes);
    if ($kind eq 'typed') {
        $values .= field(13, value($outputs[$_], $dims->[$_])) for 0 .. $#$dims;
    }
    return @outputs;
}

# Five nodes: a Split and the nodes that join its parts. The kinds of lengths alternate.
sub layer {
    my ($layer) = @_;
    my @lengths = ($layer % 5 + 1, 5 - $layer % 5);
    my ($attributes, @inputs) = ($axis, $last);
    if ($opset < 13) {
        $attributes .= field(5, field(1, 'split') . number(8, $lengths[0]) . number(8, $lengths[1]) . number(20, 7));
    } else {
        push @inputs, "/layers.$layer/split_lengths";
        $initializers .= lengths($inputs[1], @lengths);
    }
    my ($first, $second) = node($layer, 'Split', $attributes, \@lengths, @inputs);
    ($first) = node($layer, 'Relu', '', [$lengths[0]], $first);
    ($second) = node($layer, 'Sigmoid', '', [$lengths[1]], $second);
    my ($joined) = node($layer, 'Concat', $axis, [6], $first, $second);
    ($last) = node($layer, 'Add', '', [6], $joined, $last);
}

binmode STDOUT;
layer($_) for 0 .. ($kind eq 'weights' ? 1 : $count / 5) - 1;
my $graph = $nodes . field(2, 'net') . $initializers . field(11, value('x', 6)) . field(12, value($last, 6)) . $values;
my $weights = '';
if ($kind eq 'weights') {
    $weights = number(1, $count / 4) . number(2, 1) . field(8, 'weights') . varint(9 << 3 | 2) . varint($count);
    $graph .= varint(5 << 3 | 2) . varint($count + length $weights) . $weights;
}
print number(1, 8) . field(8, number(2, $opset)) . varint(7 << 3 | 2) . varint(length($graph) + ($kind eq 'weights' ? $count : 0)) . $graph;
# Bytes that a file system cannot compress or store as a hole: each MiB differs.
if ($kind eq 'weights') {
    srand 1;
    my $block = pack 'L*', map { int rand 2**32 } 1 .. 1 << 18;
    for (my $done = 0; $done < $count; $done += 1 << 20) {
        my $rest = $count - $done;
        substr $block, int rand 1 << 20, 1, chr int rand 256;
        print $rest < 1 << 20 ? substr $block, 0, $rest : $block;
    }
}
