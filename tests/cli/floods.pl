# Prints a file with COUNT elements of one KIND, on which work or output for each element was not bounded: floods.pl KIND COUNT.
use strict;
use warnings;

sub varint { my ($n) = @_; my $s = ''; while ($n > 127) { $s .= chr($n & 127 | 128); $n >>= 7 } return $s . chr $n }
sub field { my ($number, $bytes) = @_; return varint($number << 3 | 2) . varint(length $bytes) . $bytes }
sub number { my ($number, $value) = @_; return varint($number << 3) . varint($value) }
sub float { my ($number, $value) = @_; return varint($number << 3 | 5) . pack 'f<', $value }
sub names { my ($number, @names) = @_; return join '', map { field($number, $_) } @names }
sub node { my ($type, $inputs, $outputs, @more) = @_; return field(1, names(1, @$inputs) . names(2, @$outputs) . field(4, $type) . join '', @more) }
sub domain { return field(7, $_[0]) }
sub integer { return field(5, field(1, $_[0]) . number(3, $_[1]) . number(20, 2)) }
sub integers { my ($name, @list) = @_; return field(5, field(1, $name) . field(8, join '', map { varint($_) } @list) . number(20, 7)) }
sub real { return field(5, field(1, $_[0]) . float(2, $_[1]) . number(20, 1)) }
sub string { return field(5, field(1, $_[0]) . field(4, $_[1]) . number(20, 3)) }
sub tensor { my ($type, $dims, $raw) = @_; return join('', map { number(1, $_) } @$dims) . number(2, $type) . field(9, $raw) }
sub held { return field(5, field(1, $_[0]) . field(5, $_[1]) . number(20, 4)) }
sub shape { return field(2, join '', map { field(1, /^\d+$/ ? number(1, $_) : field(2, $_)) } @_) }
sub typed { my ($type, @dims) = @_; return field(1, number(1, $type) . shape(@dims)) }
sub value { my ($name, @dims) = @_; return field(1, $name) . (@dims ? field(2, typed(1, @dims)) : '') }
sub model {
    my ($opset, $nodes, $inputs, $outputs, @more) = @_;
    my $graph = $nodes . field(2, 'g') . join('', map { field(11, $_) } @$inputs) . join('', map { field(12, $_) } @$outputs);
    return number(1, 10) . field(7, $graph) . field(8, number(2, $opset)) . field(8, field(1, 'ai.onnx.ml') . number(2, 5)) . join '', @more;
}

sub reference { return field(5, field(1, $_[0]) . field(21, $_[1]) . number(20, 2)) }
# name => , inputs => [], attributes => [], defaults => [AttributeProto], nodes =>
sub function {
    my (%of) = @_;
    my $attributes = join '', names(6, @{$of{attributes} // []}), map { s/^\x2a/\x5a/r } @{$of{defaults} // []};
    return field(25, field(1, $of{name}) . names(4, @{$of{inputs} // ['a']}) . field(5, 'b') . $attributes . $of{nodes} . field(9, number(2, 13)) . field(10, 'f'));
}
sub inner { return node(@_) =~ s/^\x0a/\x3a/r }
sub called { my ($nodes, @functions) = @_; return model(13, $nodes . node('Relu', ['x'], ['y']), [value('x', 2, 3)], [value('y')], field(8, field(1, 'f') . number(2, 1)), @functions) }

my ($kind, $count, $size) = @ARGV;
my @all = 0 .. $count - 1;
my @x = (value('x', 2, 3));
my %made = (
    # Types that differ in the elements of sequences only, constants that differ in their dims only.
    elements => sub {
        my $inputs = join '', map { field(11, field(1, "s$_") . field(2, field(4, field(1, typed(1, $_ + 1))))) } @all;
        model(13, node('Relu', ['x'], ['y']) . $inputs, \@x, [value('y')]);
    },
    # Functions with many parameters, which many calls omit or give; bodies with many references to them.
    defaults   => sub { called(join('', map { node('F', ['x'], ["o$_"], domain('f')) } @all), function(name => 'F', defaults => [map { integer("d$_", $_) } @all], nodes => inner('Relu', ['a'], ['b']))) },
    parameters => sub { called(join('', map { node('F', ['x'], ["o$_"], domain('f')) } @all), function(name => 'F', attributes => [map { "p$_" } @all], nodes => inner('Relu', ['a'], ['b']))) },
    arguments  => sub { called(join('', map { node('F', ['x'], ["o$_"], domain('f')) } @all), function(name => 'F', inputs => ['a', map { "i$_" } @all], nodes => inner('Relu', ['a'], ['b']))) },
    references => sub {
        called(join('', map { node('F', ['x'], ["o$_"], domain('f'), integer('last', $_), map { integer("p$_", 0) } @all) } 1 .. 3),
            function(name => 'F', attributes => ['last', map { "p$_" } @all], nodes => join '', inner('Relu', ['a'], ['b']), map { inner('Softmax', ['a'], ["c$_"], reference('axis', "p$_")) } @all));
    },
    dims => sub {
        model(13, join('', map { node('Constant', [], ["c$_"], held('value', tensor(7, [0, $_], ''))) . node('Add', ["c$_", "c$_"], ["d$_"]) } @all)
            . node('Relu', ['x'], ['y']), \@x, [value('y')]);
    },
);
print $made{$kind}->();
