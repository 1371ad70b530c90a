#!/usr/bin/perl
# Random models, converted to random opsets: the result has no error in lint, computes the same with the built-in
# kernels, and is unchanged by a second conversion; refusals have a reason. Each seed gives the same models.
# OPSHIFT_PROPERTY=N: N models, from seed OPSHIFT_SEED on.
use strict;
use warnings;
use File::Temp 'tempdir';

my $opshift = ($ENV{builddir} || ".") . "/opshift";
my $count = $ENV{OPSHIFT_PROPERTY} || 60;
my $seed = $ENV{OPSHIFT_SEED} || 1;
my $dir = tempdir(CLEANUP => 1);
my ($state, $names, @values, @initializers);

sub pick { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0]; }
sub one { return $_[pick(scalar @_)]; }
sub fresh { return "v" . $names++; }
sub value { return $values[pick(2) ? 0 : pick(scalar @values)]; }

sub constant {
    my ($type, @numbers) = @_;
    my $name = fresh();
    push @initializers, "${type}[" . @numbers . "] $name = {" . join(", ", @numbers) . "}";
    return $name;
}

# A node that may be valid at the opset: lint decides.
my @makers = (
    sub { my $o = fresh(); return ($o, "$o = Relu (" . value() . ")"); },
    sub { my $o = fresh(); return ($o, "$o = Add (" . value() . ", " . value() . ")"); },
    sub { my $o = fresh(); return ($o, "$o = Softmax <axis = " . one(-1, 0, 1) . "> (" . value() . ")"); },
    sub { my $o = fresh(); return ($o, "$o = Hardmax (" . value() . ")"); },
    sub { my ($o, $p) = (fresh(), fresh()); my $n = one($p, $p, '""');
        return ($o, $_[0] < 13 ? "$o, $n = Split <axis = " . one(0, 1) . ", split = [1, 1]> (" . value() . ")"
            : $_[0] < 18 || pick(2) ? "$o, $n = Split <axis = 0> (" . value() . ", " . constant("int64", 1, 1) . ")"
            : "$o, $n = Split <axis = 0, num_outputs = 2> (" . value() . ")"); },
    sub { my $o = fresh(); return ($o, $_[0] < 11 ? "$o = Clip <min = -1.0, max = 1.0> (" . value() . ")"
            : "$o = Clip (" . value() . ", " . one('""', "low") . one("", ', ""', ", high") . ")"); },
    sub { my ($o, $m) = (fresh(), fresh()); my $n = one("", ", $m", ', ""'); return ($o, "$o$n = Dropout (" . value() . ")"); },
    sub { my $o = fresh(); return ($o, $_[0] < 11 ? "$o = Pad <pads = [0, 1, 0, 1]> (" . value() . ")"
            : "$o = Pad (" . value() . ", " . constant("int64", 0, 1, 0, 1) . one("", ', ""', $_[0] < 18 ? "" : ', "", ""') . ")"); },
    sub { my $o = fresh(); return ($o, $_[0] < 13 ? "$o = Unsqueeze <axes = [0]> (" . value() . ")"
            : "$o = Unsqueeze (" . value() . ", " . constant("int64", 0) . ")"); },
    sub { my $o = fresh(); return ($o, $_[0] < 13 ? "$o = ReduceSum <axes = [1], keepdims = 1> (" . value() . ")"
            : "$o = ReduceSum (" . value() . ", " . one('""', constant("int64", 1)) . ")"); },
    sub { my $o = fresh(); return ($o, $_[0] < 10 ? "$o = Slice <starts = [0], ends = [1], axes = [0]> (" . value() . ")"
            : "$o = Slice (" . value() . ", " . constant("int64", 0) . ", " . constant("int64", 1) . one("", ', ""', ", " . constant("int64", 0)) . ")"); },
    sub { my $o = fresh(); return ($o, "$o = Cast <to = " . one(1, 10, 11) . "> (" . value() . ")"); },
    sub { my $o = fresh(); return ($o, "$o = Concat <axis = " . one(0, 1) . "> (" . value() . ", " . value() . ")"); },
    sub { my $o = fresh(); return ($o, "$o = my.F (" . value() . ")"); },
    sub { my $o = fresh(); return ($o, "$o = d.G " . one("", "<ls = [0]> ") . "(" . value() . ")"); },
    sub { my $o = fresh(); return ($o, "$o = d.H " . one("", "<a = 1> ") . "(" . value() . ")"); },
    sub { my ($o, $p, $q) = (fresh(), fresh(), fresh()); my $x = value();
        return ($o, "$o = If (k) <then_branch = t () => (float[a, b] $p) { $p = Softmax ($x) }, "
            . "else_branch = e () => (float[a, b] $q) { $q = Relu ($x) }>"); },
    sub { my ($o, $p) = (fresh(), fresh()); my $n = one("", ", $p", ', ""');
        return ($o, "$o$n = MaxPool <kernel_shape = [1]> (" . value() . ")"); },
    # The shape that a constant depends on, possibly only declared.
    sub { my ($o, $s, $f) = (fresh(), fresh(), fresh()); my $x = value();
        return ($o, "$s = Shape ($x)\n  $o = Reshape (" . value() . ", $s)"); },
    sub { my ($o, $p, $s) = (fresh(), fresh(), fresh());
        return ($o, "$s = Shape (" . value() . ")\n  $o, $p = Split (" . value() . ", $s)"); },
    sub { my ($o, $s, $z) = (fresh(), fresh(), fresh());
        return ($o, "$s = Shape (" . value() . ")\n  $o = ConstantOfShape ($s)"); },
    sub { my ($o, $i) = (fresh(), fresh()); return ($o, "$i = " . one("ArgMax", "ArgMin") . " <axis = " . one(0, 1, -1)
            . ", keepdims = 0> (" . value() . ")\n  $o = Gather (" . value() . ", $i)"); },
    sub { my ($o, $i) = (fresh(), fresh()); return ($o, $_[0] < 10 ? "$o, $i = TopK <k = 1> (" . value() . ")"
            : "$o, $i = TopK <axis = " . one(0, 1, -1) . "> (" . value() . ", " . constant("int64", 1) . ")"); },
    sub { my $o = fresh(); return ($o, "$o = Flatten <axis = " . one(0, 1, -1) . "> (" . value() . ")"); },
    sub { my $o = fresh(); return ($o, "$o = " . one("LogSoftmax", "Softmax", "Hardmax") . " (" . value() . ")"); },
    sub { my $o = fresh(); return ($o, $_[0] < 13 ? "$o = Squeeze <axes = [" . one(0, 1, -1) . "]> (" . value() . ")"
            : "$o = Squeeze (" . value() . one("", ", " . constant("int64", one(0, 1, -1))) . ")"); },
    sub { my $o = fresh(); return ($o, "$o = " . one("ReduceMean", "ReduceMax", "ReduceL2", "ReduceProd") . " <keepdims = " . one(0, 1)
            . "> (" . value() . ")"); },
    sub { my $o = fresh(); return ($o, "$o = d.K (" . value() . ")"); },
    # A state that keeps its shape, or grows.
    sub { my ($o, $i, $c, $v, $d, $w) = map { fresh() } 1 .. 6;
        my $step = one("Softmax <axis = 1> ($v)", "Concat <axis = 0> ($v, $v)", "Add ($v, " . value() . ")", "Hardmax ($v)");
        return ($o, "$o = Loop (trips, k, " . value() . ") <body = b (int64 $i, bool $c, " . one("float[2, 2]", "float[]", "float[2]")
            . " $v) => (bool $d, float[] $w) { $d = Identity ($c) $w = $step }>"); },
    # An outer value that a subgraph reads, and a name defined in two sibling graphs.
    sub { my ($o, $p, $q) = (fresh(), fresh(), fresh()); my $x = value();
        return ($o, "$o = If (k) <then_branch = t () => (float[] $p) { inside$names = Relu ($x) $p = Softmax (inside$names) }, "
            . "else_branch = e () => (float[] $q) { inside$names = Abs ($x) $q = Hardmax (inside$names) }>"); },
);

sub model {
    my ($opset) = @_;
    my ($nodes, @infos, @outputs) = ("");
    @initializers = ("float low = {-1.0}", "float high = {1.0}", "int64 trips = {2}");
    @values = ("x");
    $names = 0;
    for (1 .. 1 + pick(6)) {
        my ($output, $text) = $makers[pick(scalar @makers)]->($opset);
        $nodes .= "  $text\n";
        push @values, $output;
        push @infos, "float[" . one("2, 2", "2", "a, b, c", "4, 1") . "] $output" if pick(9) == 0; # may be wrong
        push @outputs, "float[] $output" if pick(3) == 0 && !grep { / $output$/ } @infos;
    }
    @outputs = ("float[] $values[-1]") if !@outputs && !grep { / $values[-1]$/ } @infos;
    return undef if !@outputs;
    my $squeeze = $opset < 13 ? "y = Squeeze <axes: ints = \@ls> (x)" : "l = Constant <value_ints: ints = \@ls> () y = Unsqueeze (x, l)";
    return "<ir_version: " . one(8, 8, 9) . ", opset_import: [\"\" : $opset, \"my\" : 1, \"d\" : 1]>\n"
        . "g (float[2, 2] x, bool k) => (" . join(", ", @outputs) . ")\n<" . join(", ", @initializers, @infos) . ">\n{\n$nodes}\n"
        . "<domain: \"d\", opset_import: [\"\" : $opset]> G <ls> (x) => (y) { $squeeze }\n"
        . "<domain: \"d\", opset_import: [\"\" : $opset, \"d\" : 1]> K (x) => (y) { z = d.H (x) y = d.G <ls = [0]> (z) }\n"
        . "<domain: \"d\", opset_import: [\"\" : $opset]> H <a> (x) => (y) { y = Softmax <axis: int = \@a> (x) }\n";
}

sub spew { open(my $file, ">", $_[0]) or die; print $file $_[1]; close $file; }
sub answer { my $text = `$_[0] 2>&1`; return ($? >> 8, $? & 127, $text); }

# Does the result compute something else? "": not in runs. Results with assumptions may differ.
sub difference {
    my ($words) = @_;
    my ($status, $signal, $said) = answer("$opshift verify $dir/m.onnx $dir/o.onnx --engine builtin --draws 2");
    return "verify: signal $signal" if $signal;
    return "verify: status $status\n$said" if $status > 3;
    return "it differs\n$said" if $said =~ /: they differ; / && $words !~ /^assumed: /m;
    return $said =~ /[1-9]\d* not shown, \d+ other/ ? "it is not shown\n$said" : "";
}

my ($tried, $converted, $refused, @wrong) = (0, 0, 0);
for my $number ($seed .. $seed + $count - 1) {
    $state = $number * 7919;
    pick(2) for 1 .. 8;
    my $from = one(7 .. 13, 13 .. 18, 21);
    my $to = one(7 .. 22);
    my $text = model($from);
    next if !defined $text;
    spew("$dir/m.txt", $text);
    my ($status, $signal, $words) = answer("$opshift assemble $dir/m.txt -o $dir/m.onnx");
    die "seed $number: $words\n$text" if $status;
    my ($valid) = answer("$opshift lint --fail-level error $dir/m.onnx");
    ($status, $signal, $words) = answer("$opshift convert $dir/m.onnx --opset $to -o $dir/o.onnx");
    $tried++;
    my $wrong = $signal ? "signal $signal" : $status > 1 ? "status $status" : "";
    $wrong = "no reason" if !$wrong && $status == 1 && $words !~ /: .+; .+/;
    $wrong = "an error of opshift" if !$wrong && $words =~ /internal/;
    if (!$wrong && $status == 0) {
        $converted++;
        my ($lint, $x, $findings) = $valid == 0 ? answer("$opshift lint --fail-level error $dir/o.onnx") : (0, 0, "");
        # A wrong declaration or shape may be found only after a rule has resolved what it depends on.
        $wrong = "not valid: $findings" if $lint && $words !~ /stays as it is/ && grep { /: error: / && !/GRF033|OPS011|OPS017|OPS018|OPS019|OPS020/ } split /\n/, $findings;
        my ($again) = answer("$opshift convert $dir/o.onnx --opset $to -o $dir/p.onnx && cmp $dir/o.onnx $dir/p.onnx");
        $wrong ||= "not the same when converted again" if $again;
        $wrong ||= difference($words) if $valid == 0;
    }
    $refused += $status == 1;
    push @wrong, "seed $number, opset $from to $to: $wrong\n$words$text" if $wrong;
    unlink "$dir/o.onnx", "$dir/p.onnx";
}
print "1..2\n";
print $converted > 0 && $refused > 0 ? "" : "not ", "ok 1 - models are converted, and refused\n";
print @wrong ? "not " : "", "ok 2 - each as it has to be\n";
(my $all = join("\n", splice(@wrong, 0, 5))) =~ s/^/# /mg;
print "$all\n" if $all;
print "# $tried models, $converted converted, $refused refused\n";
