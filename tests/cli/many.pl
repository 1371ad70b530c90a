# Prints a model with COUNT elements of one KIND: many.pl KIND COUNT.
use strict;
use warnings;

sub varint { my ($n) = @_; my $s = ''; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } return $s . chr $n }
sub field { my ($number, $bytes) = @_; return varint($number << 3 | 2) . varint(length $bytes) . $bytes }
sub number { my ($number, $value) = @_; return varint($number << 3) . varint($value) }
sub names { my ($number, @names) = @_; return join '', map { field($number, $_) } @names }
sub node { my ($type, $inputs, $outputs, $more) = @_; return field(1, names(1, @$inputs) . names(2, @$outputs) . field(4, $type) . ($more // '')) }
sub dims { return field(2, field(1, number(1, 1) . field(2, join '', map { field(1, field(2, $_)) } @_))) }
sub branch { my ($name) = @_; return field(5, field(1, $name) . field(6, node('Relu', ['x'], ['q']) . field(2, 'b') . field(12, field(1, 'q'))) . number(20, 5)) }

my ($kind, $count) = @ARGV;
my @all = 1 .. $count;
my %made = (
    'equal-names'  => sub { map { node('Relu', ['x'], ['o']) } @all },
    'graphs'       => sub { map { node('If', ['c'], ["o$_"], branch('then_branch') . branch('else_branch')) } @all },
    'value-infos'  => sub { map { field(13, field(1, 'x') . dims('N')) } @all },
    'dims'         => sub { map { field(13, field(1, "v$_") . dims("d$_")) } @all },
    'dims-of-one'  => sub { field(13, field(1, 'v') . dims(map { "d$_" } @all)) },
    'outputs'      => sub { node('Split', ['x'], [map { "o$_" } @all]) },
    'inputs'       => sub { map { field(11, field(1, "i$_") . dims('N')) } @all },
    'initializers' => sub { map { field(5, number(1, 1) . number(2, 1) . field(8, "w$_") . field(9, 'abcd')) } @all },
    'constants'    => sub { map { node('Split', ['x'], ["a$_", "b$_"], field(5, field(1, 'split') . number(8, $_) . number(8, 1) . number(20, 7))) } @all },
    'attributes'   => sub { node('Relu', ['x'], ['o'], join '', map { field(5, field(1, "a$_") . number(3, 1) . number(20, 2)) } @all) },
    'operators'    => sub { map { node("Op$_", ['x'], ["o$_"]) } @all },
    'reads'        => sub { node('Concat', [('x') x $count], ['o'], field(5, field(1, 'axis') . number(3, 0) . number(20, 2))) },
    'calls'        => sub { map { node("F$_", ['x'], ["o$_"], field(7, 'f')) } @all },
);
my $graph = join('', $made{$kind}->()) . node('Relu', ['x'], ['y']) . field(2, 'g');
$graph .= field(11, field(1, 'x') . dims('N')) . field(11, field(1, 'c') . field(2, field(1, number(1, 9)))) . field(12, field(1, 'y') . dims('N'));
my $functions = $kind ne 'calls' ? '' : join '', map {
    field(25, field(1, "F$_") . field(4, 'a') . field(5, 'b') . field(7, names(1, 'a') . names(2, 'b') . field(4, 'Relu')) . field(9, number(2, 11)) . field(10, 'f'))
} @all;
print number(1, 8) . field(7, $graph) . field(8, number(2, 11)) . field(8, field(1, 'f') . number(2, 1)) . $functions;
