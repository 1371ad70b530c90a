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
    return field(25, field(1, $of{name}) . names(4, @{$of{inputs} // ['a']}) . field(5, 'b') . $attributes . $of{nodes} . field(9, number(2, $of{opset} // 13)) . field(9, field(1, 'f') . number(2, 1)) . field(10, 'f'));
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
    # Nodes whose replacement repeats what they have: names, types, lists.
    'long-name' => sub { model(12, node('Einsum', [('x') x 50], ['y' x $count], string('equation', join(',', ('ij') x 50) . '->ij')), \@x, [value('y' x $count, 2, 3)]) },
    einsum => sub { model(13, node('Einsum', [('x') x $count], ['y'], string('equation', join ',', ('...') x $count)), [value('x', (1) x 64)], [value('y')]) },
    replaced => sub { model(18, join('', map { node('Resize', ['x', '', 's'], ["y$_"], string('mode', 'cubic'), real('cubic_coeff_a', -0.5 - $_ / 1e6), integer('antialias', 1)) } @all) .
        field(5, tensor(1, [4], pack 'f<*', 1, 1, .5, .5) . field(8, 's')), [value('x', 1, 1, 8, 8)], [value('y0')]) },
    taps => sub { model(10, join('', map { node('MaxPool', ['x'], ["y$_"], integers('kernel_shape', 8, 8), integers('dilations', 2, 2)) } @all), [value('x', 1, 1, 40, 40)], [value('y0')]) },
    # A function of another opset that only functions call that nothing calls.
    uncalled => sub {
        called('', function(name => 'F', opset => 12, nodes => join '', inner('Sin', ['a'], ['b']), map { inner('Sin', ['a'], ["c$_"]) } @all),
            map { function(name => "G$_", opset => 12, nodes => inner('F', ['a'], ['b'], domain('f'))) } @all);
    },
    # Types and lengths that many nodes share.
    'dim-name' => sub { model(11, join('', map { node('Split', ['x'], ["y$_", "z$_"], integer('axis', 0)) } @all), [value('x', 'N' x ($count * 100), 4)], [value('y0')]) },
    ranks   => sub { model(13, join('', map { node('Relu', ["x$_"], ['x' . ($_ + 1)]) } @all), [value('x0', (1) x $count)], [value("x$count")]) },
    lengths => sub { model(13, join('', map { node('Split', ['x', 'l'], ["y$_"], integer('axis', 0)) } @all) . field(5, tensor(7, [$count], pack 'q<*', (1) x $count) . field(8, 'l')), [value('x', $count)], [value('y0')]) },
    outputs => sub { model(11, node('Split', ['x'], [map { "y$_" } @all], integer('axis', 0)), [value('x', $count)], [value('y0')]) },
    # Layers without a name, all of which get one.
    layers => sub { model(17, join('', map { node('Det', ['x'], ["y$_"]) } @all), [value('x', 2, 2)], [value('y0')]) },
    ports  => sub {
        '<net name="n" version="11"><layers><layer id="0" name="x" type="Parameter" version="opset1"><data shape="2" element_type="f32"/><output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>'
            . '<layer id="1" name="r" type="Concat" version="opset1"><data axis="0"/><input>' . join('', map { '<port id="' . ($count - $_) . '"/>' } @all)
            . '</input><output><port id="0" precision="FP32"><dim>2</dim></port></output></layer></layers><edges>'
            . join('', map { '<edge from-layer="0" from-port="0" to-layer="1" to-port="' . ($_ + 1) . '"/>' } @all) . '</edges></net>';
    },
    'same-names' => sub {
        '<net name="n" version="11"><layers><layer id="0" name="x" type="Parameter" version="opset1"><data shape="2" element_type="f32"/><output><port id="0" precision="FP32"><dim>2</dim></port></output></layer>'
            . join('', map { '<layer id="' . ($_ + 1) . '" name="' . 'r' x 50 . '" type="ReLU" version="opset1"><input><port id="0"/></input><output><port id="1" precision="FP32"><dim>2</dim></port></output></layer>' } @all)
            . '</layers><edges>' . join('', map { '<edge from-layer="' . $_ . '" from-port="' . ($_ ? 1 : 0) . '" to-layer="' . ($_ + 1) . '" to-port="0"/>' } @all) . '</edges></net>';
    },
    # Differences inside what has a long name.
    inside => sub {
        my $branch = join('', map { node('Foo', ['x'], ["q$_"]) } 0 .. $count - 1 + ($size // 0)) . field(2, 'G' x (10 * $count)) . field(12, field(1, 'q0'));
        my $other = node('Relu', ['x'], ['q']) . field(2, 'h') . field(12, field(1, 'q'));
        model(13, node('If', ['c'], ['y'], field(3, 'I' x (10 * $count)), field(5, field(1, 'then_branch') . field(6, $branch) . number(20, 5)), field(5, field(1, 'else_branch') . field(6, $other) . number(20, 5))),
            [value('x', 2, 3), field(1, 'c') . field(2, typed(9))], [value('y')]);
    },
    # Nodes of many attributes or inputs, each of which leads to the whole node; many readers of one such node.
    unknown    => sub { model(13, node('Relu', ['x'], ['y'], map { integer("a$_", 1) } @all), \@x, [value('y')]) },
    axes       => sub { model(13, node('Squeeze', ['x'], ['y'], map { integers('axes', 0) } @all), \@x, [value('y')]) },
    constructs => sub { model(13, node('SequenceConstruct', [('x') x $count], ['s']) . join('', map { node('SequenceAt', ['s', 'i'], ["o$_"]) } @all) . field(5, tensor(7, [], pack 'q<', 0) . field(8, 'i')), \@x, [value('o0')]) },
    concat     => sub { model(13, node('Concat', [('x') x $count], ['y'], integer('axis', 0)), [value('x', (1) x 64)], [value('y')]) },
    # What the built-in kernels compute: rows without elements, a tree that is a circle, strings of one length.
    'empty-rows' => sub { model(21, node('Normalizer', ['x'], ['y'], domain('ai.onnx.ml')), [value('x', 1 << 40, 0)], [value('y')]) },
    circle => sub {
        model(21, node('TreeEnsemble', ['x'], ['y'], domain('ai.onnx.ml'), held('nodes_modes', tensor(2, [$count], "\6" . "\0" x ($count - 1))), held('nodes_splits', tensor(1, [$count], "\0\0\0\0" x $count)),
            (map { integers($_, (0) x $count) } 'nodes_featureids', 'nodes_falsenodeids', 'nodes_truenodeids'), integers('nodes_falseleafs', 0, (1) x ($count - 1)), integers('nodes_trueleafs', (1) x $count),
            held('membership_values', tensor(1, [2 * $count], pack('f<', 7) x (2 * $count))), integers('leaf_targetids', 0), held('leaf_weights', tensor(1, [1], "\0\0\0\0")), integers('tree_roots', 0), integer('n_targets', 1)),
            [value('x', 1, 1)], [value('y', 1, 1)]);
    },
    words => sub {
        my $word = 'w' x $size;
        my $keys = join '', map { field(9, $word . chr(97 + $_ % 26) . chr(97 + int $_ / 26)) } @all;
        model(21, node('LabelEncoder', ['s'], ['y'], domain('ai.onnx.ml'), field(5, field(1, 'keys_strings') . $keys . number(20, 8)), integers('values_int64s', @all))
            . field(5, number(1, 1) . number(2, 8) . field(6, $word . '??') . field(8, 't')) . node('Expand', ['t', 'n'], ['s']) . field(5, tensor(7, [1], pack 'q<', 4 * $count) . field(8, 'n')), \@x, [value('y')]);
    },
    dims => sub {
        model(13, join('', map { node('Constant', [], ["c$_"], held('value', tensor(7, [0, $_], ''))) . node('Add', ["c$_", "c$_"], ["d$_"]) } @all)
            . node('Relu', ['x'], ['y']), \@x, [value('y')]);
    },
);
print $made{$kind}->();
