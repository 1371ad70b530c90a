#!/usr/bin/perl
# Conversions, and mutated ones: verify accepts all of the first, and none of the others that computes
# something else.
#
#   OPSHIFT_PAIRS=N   changed pairs to try (default 120)
#   OPSHIFT_SEED=N    seed of the selection (default 1)
#   OPSHIFT_ENGINE=E  the engine for a mutated pair that was accepted: builtin (default) or onnxruntime
#   OPSHIFT_CORPUS=1  also use the models of ONNX's backend tests, which is slow
#
# A mutated pair that verify accepts is run whole, before and after the mutation: a difference makes the test
# fail. Without a difference, the mutation is taken as equivalent, and printed as a comment.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../cli";
use Command qw($opshift $srcdir $work read_file write_file);
use File::Copy qw(copy);
use JSON::PP;
use Test::More;

my $data     = ($ENV{OPSHIFT_TESTDATA} // '/usr/share/libonnx-testdata/data');
my $wanted   = $ENV{OPSHIFT_PAIRS}  // 120;
my $engine   = $ENV{OPSHIFT_ENGINE} // 'builtin';
my $state    = $ENV{OPSHIFT_SEED}   // 1;

# The same numbers with every perl version.
sub random {
    my ($below) = @_;
    $state = ($state * 1103515245 + 12345) % 2147483648;
    return int($state / 65536) % $below;
}
sub pick { return $_[random(scalar @_)] }

sub run {
    my $out = qx($opshift @_ 2>err </dev/null);
    return ($? >> 8, $out);
}

# ---- where models come from: [opset, opset to go to, the graph]
my @graphs = (
    [11, 13, '(float[N, 6] x) => (float[] a, float[] b) { a, b = Split <axis = 1, split = [2, 4]> (x) }'],
    [13, 11, '(float[N, 6] x) => (float[] a, float[] b) <int64[2] l = {1, 5}> { a, b = Split <axis = 1> (x, l) }'],
    [18, 13, '(float[N, 7] x) => (float[] a, float[] b) { a, b = Split <axis = 0, num_outputs = 2> (x) }'],
    [13, 10, '(float[N] x, int64[2] l) => (float[] a, float[] b) { a, b = Split (x, l) }'],
    [13, 18, '(float[N, 6] x) => (float[] a, float[] b) { a, b = Split <axis = -1> (x) }'],
    [11, 13, '(float[1, N, 1] x) => (float[] y) { y = Squeeze <axes = [0]> (x) }'],
    [11, 13, '(float[N, M] x) => (float[] y) { t = Unsqueeze <axes = [0, 3]> (x) y = Neg (t) }'],
    [13, 11, '(float[N, M] x) => (float[] y) <int64[1] a = {1}> { y = Unsqueeze (x, a) }'],
    [11, 13, '(float[N, M, 2] x) => (float[] y) { y = ReduceSum <axes = [1], keepdims = 0> (x) }'],
    [13, 18, '(float[N, M, 2] x) => (float[] y) { y = ReduceMean <axes = [0, 2]> (x) }'],
    [18, 13, '(float[N, M] x) => (float[] y) <int64[1] a = {1}> { y = ReduceMax <keepdims = 0> (x, a) }'],
    [11, 13, '(float[2, N, 3] x) => (float[] y) { y = Softmax <axis = 2> (x) }'],
    [12, 13, '(float[N, 4] x) => (float[] y) { y = LogSoftmax <axis = 1> (x) }'],
    [11, 13, '(float[2, N, 3] x) => (float[] y) { y = Hardmax <axis = 2> (x) }'],
    [9, 11, '(float[N] x) => (float[N] y) { y = Clip <min = -1.0, max = 2.0> (x) }'],
    [13, 10, '(float[N] x) => (float[N] y) <float low = {0.0}, float high = {6.0}> { y = Clip (x, low, high) }'],
    [10, 11, '(float[N, M] x) => (float[] y) { y = Pad <pads = [0, 1, 2, 0], value = 0.5> (x) }'],
    [18, 10, '(float[N, M] x) => (float[] y) <int64[4] p = {1, 0, 0, 2}, float v = {3.0}> { y = Pad <mode = "constant"> (x, p, v) }'],
    [9, 10, '(float[N, M] x) => (float[] y) { y = Slice <axes = [1], starts = [1], ends = [3]> (x) }'],
    [13, 9, '(float[N, M] x) => (float[] y) <int64[1] s = {0}, int64[1] e = {-1}, int64[1] a = {0}> { y = Slice (x, s, e, a) }'],
    [9, 10, '(float[N] x) => (float[3] y, int64[3] i) { y, i = TopK <k = 3> (x) }'],
    [10, 11, '(float[N, M] x) => (float[] y, int64[] i) <int64[1] k = {2}> { y, i = TopK <axis = 0> (x, k) }'],
    [11, 12, '(float[N] x) => (float[N] y) { y = Dropout <ratio = 0.25> (x) }'],
    [12, 13, '(float[N, M] x) => (int64[] y) { y = ArgMax <axis = 1, keepdims = 0> (x) }'],
    [6, 7, '(float[2, 3] x, float[3] z) => (float[2, 3] y) { y = Add <broadcast = 1> (x, z) }'],
    [6, 7, '(float[2, 3] x, float[3] z) => (float[2, 3] y) { t = Sub <broadcast = 1> (x, z) y = Mul <broadcast = 1> (t, z) }'],
    [6, 9, '(float[N, 2] x, float[2, 3] w, float[3] c) => (float[] y) { y = Gemm <broadcast = 1, alpha = 0.5> (x, w, c) }'],
    [6, 7, '(float[2, 3, 4, 5] x, float[3] s, float[3] b, float[3] m, float[3] v) => (float[] y) '
          . '{ y = BatchNormalization <is_test = 1, epsilon = 0.001> (x, s, b, m, v) }'],
    [8, 9, '(float[1, 1, 2, 2] x) => (float[] y) { y = Upsample <mode = "nearest", scales = [1.0, 1.0, 2.0, 3.0]> (x) }'],
    [9, 10, '(float[1, 1, 2, 2] x) => (float[] y) <float[4] s = {1.0, 1.0, 2.0, 2.0}> { y = Upsample <mode = "nearest"> (x, s) }'],
    [10, 11, '(float[3, 3] x, int64[1, 2] i, float[1, 2] u) => (float[] y) { y = Scatter <axis = 1> (x, i, u) }'],
    [4, 5, '(float[2, 3] x) => (float[3, 2] y) { y = Reshape <shape = [3, 2]> (x) }'],
    [12, 13, '(float[2, 3] x) => (float[] y) { c = Constant <value_ints = [3, -1]> () y = Reshape (x, c) }'],
    [13, 11, '(float[2, 3] x) => (float[] y) { c = Constant <value_ints = [3, -1]> () y = Reshape (x, c) }'],
    [10, 18, '(float[N] x, float[N] z) => (float[] y) { t = Sub (x, z) u = Max (t, z) y = Concat <axis = 0> (u, t) }'],
    [11, 13, '(float[6] x, bool c) => (float[] r) { y = Abs (x) r = If (c) < then_branch = t () => (float[] p) '
          . '{ p, q = Split <split = [2, 4]> (x) }, else_branch = e () => (float[] s) { s = Squeeze <axes = [0]> (u) u = '
          . 'Unsqueeze <axes = [0]> (y) }> }'],
    [11, 18, '(float[4] x) => (float[] r) <int64 n = {3}, bool go = {1}> { r = Loop (n, go, x) < body = b (int64 i, bool c, '
          . 'float[4] v) => (bool d, float[4] w) { d = Identity (c) one = Constant <value = float {1.5}> () w = Add (v, one) }> }'],
    [9, 13, '(float[N, 4] x, float[4] w) => (float[] y) { t = MatMul (x, w2) w2 = Unsqueeze <axes = [1]> (w) '
          . 'u = Transpose <perm = [1, 0]> (t) y = Flatten <axis = 0> (u) }'],
    [7, 13, '(float[2, 3] x) => (float[] y) { t = Cast <to = 6> (x) u = Cast <to = 1> (t) y = Gather <axis = 1> (u, i) '
          . 'i = Constant <value = int64[2] {0, 2}> () }'],
    [9, 18, '(float[1, 2, 5, 5] x, float[1, 2, 3, 3] w) => (float[] y) { t = Conv <pads = [1, 1, 1, 1], strides = [2, 1]> (x, w) '
          . 'y = MaxPool <kernel_shape = [2, 2]> (t) }'],
    [7, 13, '(float[2, 1, 3] x, float[1, 8, 3] w, float[1, 8, 2] r) => (float[] y) { y, h = LSTM <hidden_size = 2> (x, w, r) }'],
    [13, 9, '(float[N] x) => (float[] y) { s = Shape (x) y = ConstantOfShape <value = float[1] {2.5}> (s) }'],
    [11, 13, "(float[6] x) => (float[] a, float[] b) { a, b = f.Cut <ax = 0> (x) }\n"
          . '<domain: "f", opset_import: ["" : 11]> Cut <ax> (d) => (p, q) { t = Unsqueeze <axes = [1]> (d) p = Squeeze <axes = [1]> (t) '
          . 'q, r = Split <axis : int = @ax, split = [1, 5]> (d) }'],
    [13, 15, '(float[4] x) => (float[4] y) <float[4] w = ["location": "w.bin"]> { t = Mul (x, w) y = Relu (t) }'],
);

# A source: its name, its file, the target opset.
sub sources {
    my @sources;
    for my $i (0 .. $#graphs) {
        my ($from, $to, $graph) = @{$graphs[$i]};
        my $functions = $graph =~ /domain: "f"/ ? ', "f" : 1' : '';
        mkdir "s$i";
        write_file("s$i/s.txt", "< ir_version: 8, opset_import: [\"\" : $from$functions] >\nnet $graph\n");
        write_file("s$i/w.bin", pack('f<4', 1, 2, 3, 4)) if $graph =~ /w\.bin/;
        push @sources, ["graph $i ($from to $to)", "s$i/s.onnx", $to, "s$i/s.txt"];
    }
    my $count = 0;
    for my $text (glob "$srcdir/tests/models/judge/*.txt $srcdir/tests/models/sample.txt") {
        my $name = 't' . $count++;
        mkdir $name;
        push @sources, [$text =~ s,.*/,,r, "$name/s.onnx", pick(11, 13, 17, 18), $text];
    }
    for my $model (defined $ENV{OPSHIFT_CORPUS} ? glob "$data/node/*/model.onnx $data/simple/*/model.onnx" : ()) {
        push @sources, [$model =~ s,/model.onnx,,r =~ s,.*/,,r, $model, $_, undef] for pick(7, 10, 11), pick(13, 17, 18, 21);
    }
    return @sources;
}

# ---- mutations: each takes the text of a model and returns another, or undef if it does not apply
sub replace_one {
    my ($text, $pattern, $make) = @_;
    my @places;
    while ($text =~ /$pattern/g) { push @places, [$-[1], $+[1] - $-[1], $1] }
    return undef unless @places;
    my ($at, $size, $old) = @{pick(@places)};
    my $new = $make->($old);
    return undef if !defined $new || $new eq $old;
    return substr($text, 0, $at) . $new . substr($text, $at + $size);
}

sub other_number {
    my ($old) = @_;
    return pick($old + 1, $old - 1, -$old, 0, 2 * $old + 1) if $old =~ /^-?\d+$/;
    return sprintf '%.9g', pick($old + 1, $old / 2, -$old - 0.5) if $old =~ /^-?[\d.]+(e[-+]?\d+)?$/;
    return undef;
}

my $number = qr/-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/;
sub list_change {
    my ($old) = @_;
    my @items = split /, */, $old;
    return undef unless @items;
    if (@items > 1 && random(3) == 0) {
        my ($i, $k) = (random(scalar @items), random(scalar @items));
        @items[$i, $k] = @items[$k, $i];
    } else {
        my $i = random(scalar @items);
        my $new = other_number($items[$i]);
        return undef unless defined $new;
        $items[$i] = $new;
    }
    return join ', ', @items;
}

sub names_change {
    my ($old, $how) = @_;
    my @names = split /, */, $old;
    return undef unless @names;
    if ($how eq 'swap') {
        return undef if @names < 2;
        my ($i, $k) = (random(scalar @names), random(scalar @names));
        @names[$i, $k] = @names[$k, $i];
    } elsif ($how eq 'drop') {
        return undef if @names < 2;
        random(2) ? pop @names : ($names[1 + random($#names)] = '""');
    } else {
        $names[random(scalar @names)] = $how;
    }
    return join ', ', @names;
}

my %alike = (Add => 'Sub', Sub => 'Add', Mul => 'Div', Div => 'Mul', Max => 'Min', Min => 'Max', ReduceSum => 'ReduceMean',
    ReduceMean => 'ReduceSum', ReduceMax => 'ReduceMin', Softmax => 'LogSoftmax', LogSoftmax => 'Softmax', Hardmax => 'Softmax',
    Relu => 'Abs', Abs => 'Neg', Neg => 'Abs', ArgMax => 'ArgMin', Identity => 'Neg', And => 'Or', Greater => 'Less',
    Floor => 'Ceil', Squeeze => 'Unsqueeze', Concat => 'Sum', MaxPool => 'AveragePool');
my $words = qr/"(edge|reflect|constant|nearest|linear|cubic|floor|ceil|half_pixel|asymmetric|align_corners|sum|mean|none|add|mul|forward|reverse|SAME_UPPER|SAME_LOWER|VALID|avg|max|DCR|CRD)"/;

my %changes = (
    'an attribute'       => sub { replace_one($_[0], qr/\w = ($number)(?=[,>])/, \&other_number) },
    'a list'             => sub { replace_one($_[0], qr/= \[([-\d., e+]+)\]/, \&list_change) },
    'a word'             => sub { replace_one($_[0], $words, sub { pick(qw(edge reflect constant nearest linear floor ceil half_pixel asymmetric sum mean none add forward reverse SAME_UPPER SAME_LOWER VALID)) }) },
    'a lost attribute'   => sub { (replace_one($_[0], qr/<(\w+ = [^<>{}()]*)>/, sub { my @list = split /, (?=\w+ = )/, $_[0]; splice @list, random(scalar @list), 1; join ', ', @list }) // return undef) =~ s/ <>//r },
    'a constant'         => sub { replace_one($_[0], qr/\{($number(?:, $number)*)\}/, \&list_change) },
    'a lost input'       => sub { replace_one($_[0], qr/(?:=|>) *\w* ?(?:<[^<>]*> )?\(([\w., "]+)\)/, sub { names_change($_[0], 'drop') }) },
    'inputs swapped'     => sub { replace_one($_[0], qr/(?:=|>) *\w* ?(?:<[^<>]*> )?\(([\w., "]+)\)/, sub { names_change($_[0], 'swap') }) },
    'another input'      => sub { my @all = $_[0] =~ /(\w+)(?=(?:, \w+)* = [A-Z])/g; @all ? replace_one($_[0], qr/[A-Za-z>] ?\(([\w., "]+)\)(?! =>)/, sub { names_change($_[0], pick(@all)) }) : undef },
    'outputs swapped'    => sub { replace_one($_[0], qr/^\s*(?:\[\w+\] )?(\w+(?:, \w+)+) = [A-Z]/m, sub { names_change($_[0], 'swap') }) },
    'a renamed output'   => sub { my ($text) = @_; $text =~ /\) => \([\w\[\], ]*?\b(\w+)[,)]/ or return undef; my $name = $1; $text =~ s/\b\Q$name\E\b/${name}2/gr },
    'another operator'   => sub { replace_one($_[0], qr/= (\w+) (?=[<(])/, sub { $alike{$_[0]} }) },
    'a lost node'        => sub {
        my ($text) = @_;
        my @lines = split /^/, $text;
        my @nodes = grep { $lines[$_] =~ /^\s*(?:\[\w+\] )?\w+ = [A-Z]\w+ (?:<[^<>]*> )?\(\w/ } 0 .. $#lines;
        return undef unless @nodes;
        my $at = pick(@nodes);
        my ($out, $in) = $lines[$at] =~ /(\w+) = \w+ (?:<[^<>]*> )?\((\w+)/;
        if ($text =~ /=> \([^)]*\b\Q$out\E[,)]/) {
            $lines[$at] =~ s/= .*/= Identity ($in)/;
            return join '', @lines;
        }
        splice @lines, $at, 1;
        return join('', @lines) =~ s/\b\Q$out\E\b/$in/gr;
    },
    'another opset'      => sub { replace_one($_[0], qr/"" : (\d+)/, sub { my $new = $_[0] + pick(-6, -3, -2, -1, 1, 2, 3, 5); $new < 1 || $new > 24 ? undef : $new }) },
    'another type'       => sub { replace_one($_[0], qr/\b(float|int64|int32)\[/, sub { pick('double', 'int32', 'float', 'int64') }) },
    'another declaration' => sub { replace_one($_[0], qr/\w\[([\dN]+)[,\]]/, sub { pick(1, 2, 3, 5) }) },
);

# Does the engine find a difference between the mutated model and the original? undef: it cannot run.
sub is_different {
    my (undef, $out) = run("verify after/m.onnx changed/m.onnx -f json --engine $engine --draws 16 --seed " . random(1000));
    my $verdict = eval { decode_json($out)->{whole}{verdict} } // 'not run';
    return $verdict eq 'not run' ? undef : $verdict eq 'differs';
}

my ($passed, $refused, $equal, $unrun) = (0, 0, 0, 0);
sub try_change {
    my ($source, $text, $kind) = @_;
    my $changed;
    if ($kind eq 'external data') {
        copy('after/m.onnx', 'changed/m.onnx');
        write_file('changed/w.bin', pack('f<4', 1, 2, 3, 4 + 1 + random(5)));
    } else {
        $changed = $changes{$kind}->($text);
        return 0 if !defined $changed || $changed eq $text;
        write_file('changed/m.txt', $changed);
        return 0 if (run('assemble changed/m.txt -o changed/m.onnx'))[0] != 0;
    }
    my ($status) = run("verify '$source->[1]' changed/m.onnx --seed " . random(1000));
    my $words = read_file('err');
    if ($status != 0) {
        $refused++;
        fail("$source->[0], $kind: exit status $status: $words") if $status > 3;
        return 1;
    }
    my $different = is_different();
    $different ? $passed++ : defined $different ? $equal++ : $unrun++;
    return 1 unless $different || defined $ENV{OPSHIFT_PAIRS};
    my @old = split /\n/, $text;
    my @new = split /\n/, $changed // '';
    my @lines = grep { ($old[$_] // '') ne ($new[$_] // '') } 0 .. ($#new > $#old ? $#new : $#old);
    my $what = "$source->[0], $kind: " . join ' / ', map { ($old[$_] // '') . ' => ' . ($new[$_] // '') } @lines[0 .. ($#lines > 2 ? 2 : $#lines)];
    $different ? fail("passed: $what") : diag((defined $different ? 'same' : 'not run') . ": $what");
    return 1;
}

# ---- all of it
my @sources = sources();
my @kinds = sort keys %changes;
my ($tried, $converted) = (0, 0);
mkdir $_ for 'after', 'changed';
my $each = int($wanted / @sources) + 1;
for my $source (@sources) {
    my ($name, $model, $to, $from) = @$source;
    last if $tried >= $wanted;
    unlink 'after/w.bin', 'changed/w.bin';
    if (defined $from && (run("assemble '$from' -o $model"))[0] != 0) {
        fail("$name: " . read_file('err'));
        next;
    }
    my ($status) = run("convert '$model' --opset $to -o after/m.onnx");
    next if $status == 1 && $model !~ m,^s\d,;
    if ($status != 0) {
        fail("$name: convert: $status: " . read_file('err'));
        next;
    }
    $converted++;
    my ($answer, $said) = run("verify '$model' after/m.onnx");
    is($answer, 0, "$name: the conversion passes") or diag($said, read_file('err'));
    my (undef, $text) = run('show --text after/m.onnx');
    my $external = -e 'after/w.bin';
    copy('after/w.bin', 'changed/w.bin') if $external;
    for (my ($done, $attempt) = (0, 0); $done < $each && $attempt < 6 * $each; $attempt++) {
        my $kind = $external && $attempt % 4 == 0 ? 'external data' : pick(@kinds);
        my $one = try_change($source, $text, $kind);
        copy('after/w.bin', 'changed/w.bin') if $external;
        $done += $one;
        $tried += $one;
    }
}
is($passed, 0, 'no changed pair that does something else is passed');
cmp_ok($refused, '>', $tried * 0.7, 'most changes are seen');
note("$converted conversions, $tried changed pairs: $refused refused, $equal passed that do the same, $unrun passed that cannot be run");
done_testing;
