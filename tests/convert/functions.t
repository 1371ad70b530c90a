#!/usr/bin/perl
# Random models whose functions are called in different ways: inputs and attributes that some calls give and others omit,
# several element types, ranks and constants, functions in functions. Converted up and down, the result has no error in
# lint, verifies, and computes the same as a whole. OPSHIFT_FUNCTIONS=N: N models, from seed OPSHIFT_SEED on;
# OPSHIFT_ORT_NODE: the directory of onnxruntime-node, which then judges, too; OPSHIFT_KEEP: a directory for wrong ones.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Temp 'tempdir';

my $opshift = ($ENV{builddir} || ".") . "/opshift";
my $tests = ($ENV{srcdir} || ".") . "/tests";
my $count = $ENV{OPSHIFT_FUNCTIONS} || 40;
my $seed = $ENV{OPSHIFT_SEED} || 1;
my $dir = tempdir(CLEANUP => 1);
my ($state, @nodes, @inputs, @outputs, $names);

sub pick { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0]; }
sub one { return $_[pick(scalar @_)]; }

# A value of the main graph: a graph input, or (numbers) a constant.
sub input {
    my ($type, $dims) = @_;
    my $name = "x" . $names++;
    push @inputs, $type . ($dims eq "" ? "" : "[$dims]") . " $name";
    return $name;
}
sub constant {
    my ($type, $dims, @numbers) = @_;
    my $name = "c" . $names++;
    push @nodes, "$name = Constant <value = $type" . ($dims eq "" ? "" : "[$dims]") . " {" . join(", ", @numbers) . "}> ()";
    return $name;
}
# A number as a constant or as a graph input.
sub number {
    my ($type, $dims, @numbers) = @_;
    return pick(4) ? constant($type, $dims, @numbers) : input($type, $dims);
}

my @reals = ("float", "double");
my @whole = ("int32", "int64");
my @small = ("int8", "uint8", "int16", "uint32", "uint64");
sub types { my $opset = shift; return one(@reals, @reals, $opset >= 12 ? (@whole, @small) : ()); }

# Operators: least and newest opset of the form; the function's inputs; its attributes with values that calls may give
# ("" omits it), behind a colon a default that the function may have; the node; and a sub that makes the arguments of one
# call, undef where it omits one.
my @forms = (
    [7, 28, "x y", {}, sub { one("Add", "Mul", "Sub") . " (x, y)" }, sub { my $t = one(@reals, @whole, $_[0] >= 14 ? ("int8", "uint16") : ());
        my $d = one("2, 3", "3", "2, 1, 3"); (input($t, $d), input($t, $d)) }],
    [8, 28, "x y", {}, sub { one("Max", "Min") . " (x, y)" }, sub { my $t = types($_[0]); (input($t, "2, 3"), input($t, "2, 3")) }],
    [6, 28, "x", {}, sub { one("Abs", "Neg") . " (x)" }, sub { input(one(@reals, @whole, "int8"), one("2, 3", "4")) }],
    [6, 28, "x", {}, sub { "Relu (x)" }, sub { input(one(@reals, $_[0] >= 14 ? (@whole, "int8") : ()), one("2, 3", "4")) }],
    [7, 28, "x y", {}, sub { one("Equal") . " (x, y)" }, sub { my $t = one(@whole, $_[0] >= 11 ? (@reals, "int8") : ()); (input($t, "2, 3"), input($t, "2, 3")) }],
    [9, 28, "x y", {}, sub { one("Less", "Greater") . " (x, y)" }, sub { my $t = one(@reals, @whole, "int8"); (input($t, "2, 3"), input($t, "2, 3")) }],
    [7, 8, "x y", {}, sub { one("Less", "Greater") . " (x, y)" }, sub { my $t = one(@reals); (input($t, "2, 3"), input($t, "2, 3")) }],
    [9, 28, "c x y", {}, sub { "Where (c, x, y)" }, sub { my $t = one(@reals, @whole, "int8", "bool"); (input("bool", "2, 3"), input($t, "2, 3"), input($t, "2, 3")) }],
    [9, 28, "x", {}, sub { "IsNaN (x)" }, sub { input(one(@reals), "2, 3") }],
    [9, 28, "x", {}, sub { "Sign (x)" }, sub { input(one(@reals, @whole, "int8"), "2, 3") }],
    [11, 28, "x lo hi", {}, sub { "Clip (x, lo, hi)" }, sub { my $t = one("float", $_[0] >= 12 ? ("double", @whole, "int8", "uint8") : ());
        (input($t, one("2, 3", "4")), pick(3) ? number($t, "", 1) : undef, pick(3) ? number($t, "", 2) : undef) }],
    [6, 10, "x", {min => ["-0.5", "0.0", ""], max => ["0.75", "1.5", ""]}, sub { "Clip <min : float = \@min, max : float = \@max> (x)" }, sub { input("float", one("2, 3", "4")) }],
    [17, 28, "x s b", {axis => ["-1", "1", ""], eps => ["0.01", ""]}, sub { "LayerNormalization <axis : int = \@axis, epsilon : float = \@eps> (x, s, b)" },
        sub { my $t = one(@reals); (input($t, "2, 4"), input($t, "4"), pick(2) ? input($t, "4") : undef) }],
    [14, 28, "x k", {upper => ["0", "1", ""]}, sub { "Trilu <upper : int = \@upper> (x, k)" },
        sub { (input(one(@reals, @whole, "bool"), one("3, 3", "2, 3, 4")), pick(2) ? number("int64", "", one(-1, 0, 1)) : undef) }],
    [10, 28, "x s z", {}, sub { "DequantizeLinear (x, s, z)" }, sub { my $t = one("int8", "uint8");
        (input($t, "2, 3"), constant("float", "", 0.5), pick(2) ? constant($t, "", 3) : undef) }],
    [10, 28, "x s z", {}, sub { "QuantizeLinear (x, s, z)" }, sub { my $t = one("int8", "uint8");
        (input("float", "2, 3"), constant("float", "", 0.5), pick(2) ? constant($t, "", 3) : undef) }],
    [11, 28, "a b c", {t => ["0", "1", ""], alpha => ["0.5", ""]}, sub { "Gemm <transB : int = \@t, alpha : float = \@alpha> (a, b, c)" },
        sub { my $t = one(@reals); (input($t, "2, 2"), input($t, "2, 2"), pick(2) ? input($t, one("2, 2", "2")) : undef) }],
    [13, 28, "x s", {mode => ['"nearest"', '"linear"', ""], at => ['"asymmetric"', '"half_pixel"', ""]},
        sub { "Resize <mode : string = \@mode, coordinate_transformation_mode : string = \@at, nearest_mode = \"floor\"> (x, \"\", s)" },
        sub { (input("float", "1, 1, 2, 3"), constant("float", "4", 1, 1, one(1, 2), 2)) }],
    [9, 9, "x s", {mode => ['"nearest"', '"linear"', ""]}, sub { "Upsample <mode : string = \@mode> (x, s)" },
        sub { (input("float", "1, 1, 2, 3"), constant("float", "4", 1, 1, one(1, 2), 2)) }],
    [11, 28, "x k", {axis => ["-1", "0", "1", ""], largest => ["0", "1", ""]}, sub { "v, i = TopK <axis : int = \@axis, largest : int = \@largest> (x, k)" },
        sub { (input(one(@reals, @whole), "3, 4"), constant("int64", "1", one(1, 2))) }],
    [11, 28, "x p v", {mode => ['"constant"', '"reflect"', '"edge"', ""]}, sub { "Pad <mode : string = \@mode> (x, p, v)" },
        sub { my $t = one(@reals, $_[0] >= 13 ? @whole : ()); (input($t, "2, 3"), constant("int64", "4", 0, one(0, 1), one(0, 1), 1), pick(2) ? number($t, "", 3) : undef) }],
    [2, 10, "x", {mode => ['"constant"', '"edge"', ""], v => ["1.5", ""]}, sub { "Pad <mode : string = \@mode, value : float = \@v, pads = [0, 1, 1, 0]> (x)" },
        sub { input("float", "2, 3") }],
    [7, 28, "x", {axis => ["0", "1", "-1", "", ":1"]}, sub { one("Softmax", "LogSoftmax", "Hardmax") . " <axis : int = \@axis> (x)" },
        sub { input(one(@reals), one("2, 3", "2, 3, 2", "3, 2")) }],
    [11, 28, "x", {mode => ['"CRD"', '"DCR"', ""]}, sub { "DepthToSpace <blocksize = 2, mode : string = \@mode> (x)" }, sub { input("float", one("1, 4, 2, 3", "1, 8, 1, 1")) }],
    [11, 28, "x y", {way => ['"LEFT"', '"RIGHT"']}, sub { "BitShift <direction : string = \@way> (x, y)" },
        sub { my $t = one("uint8", "uint32", "uint64"); (input($t, "2, 3"), constant($t, "", one(0, 1, 3))) }],
    [20, 28, "x", {how => ['"none"', '"tanh"', ""]}, sub { "Gelu <approximate : string = \@how> (x)" }, sub { input(one(@reals), "2, 3") }],
    [12, 28, "x r", {}, sub { "Dropout (x, r)" }, sub { (input(one(@reals), "2, 3"), pick(2) ? constant("float", "", one(0.0, 0.25)) : undef) }],
    [7, 11, "x", {r => ["0.25", ""]}, sub { "Dropout <ratio : float = \@r> (x)" }, sub { input(one(@reals), "2, 3") }],
    [13, 28, "x a", {keep => ["0", "1", ""], noop => ["1", "0", ""]}, sub { "ReduceSum <keepdims : int = \@keep, noop_with_empty_axes : int = \@noop> (x, a)" },
        sub { (input(one(@reals, @whole), "2, 3"), pick(3) ? constant("int64", "1", one(0, 1, -1)) : undef) }],
    [18, 28, "x a", {keep => ["0", "1", ""]}, sub { one("ReduceMax", "ReduceMean", "ReduceL2") . " <keepdims : int = \@keep> (x, a)" },
        sub { (input(one(@reals), "2, 3"), pick(3) ? constant("int64", "1", one(0, 1, -1)) : undef) }],
    [7, 17, "x", {axes => ["[0]", "[1]", "[0, 1]", "", ":[1]"], keep => ["0", "1", ""]}, sub { one("ReduceMax", "ReduceMean", "ReduceL2") . " <axes : ints = \@axes, keepdims : int = \@keep> (x)" },
        sub { input(one(@reals), "2, 3") }],
    [13, 28, "x a", {}, sub { "Squeeze (x, a)" }, sub { (input(one("float", "int64", "bool"), "1, 3, 1"), pick(3) ? constant("int64", "1", one(0, 2, -1)) : undef) }],
    [13, 28, "x a", {}, sub { "Unsqueeze (x, a)" }, sub { (input(one("float", "int64", "bool"), one("3", "2, 3")), constant("int64", "1", one(0, 1, -1))) }],
    [7, 12, "x", {axes => ["[0]", "[2]", ""]}, sub { "Squeeze <axes : ints = \@axes> (x)" }, sub { input(one("float", "int64", "bool"), "1, 3, 1") }],
    [7, 12, "x", {axes => ["[0]", "[1]", "[0, 1]"]}, sub { "Unsqueeze <axes : ints = \@axes> (x)" }, sub { input(one("float", "int64", "bool"), one("3", "2, 3")) }],
    [10, 28, "x s e a t", {}, sub { "Slice (x, s, e, a, t)" }, sub { (input(one("float", "int64"), one("4, 3", "4")), number("int64", "1", 1), constant("int64", "1", one(3, 100)),
        pick(2) ? constant("int64", "1", 0) : undef, pick(2) ? constant("int64", "1", one(1, 2)) : undef) }],
    [7, 9, "x", {s => ["[0]", "[1]"], a => ["[0]", ""]}, sub { "Slice <starts : ints = \@s, ends = [3], axes : ints = \@a> (x)" }, sub { input(one("float", "int64"), one("4, 3", "4")) }],
    [13, 28, "x s", {axis => ["0", "1", ""]}, sub { $_[0] < 18 ? "a, b = Split <axis : int = \@axis> (x, s)" : "a, b = Split <axis : int = \@axis> (x, s)" },
        sub { (input(one("float", "int64"), "4, 4"), constant("int64", "2", one(1, 2), 2)) }],
    [7, 12, "x", {axis => ["0", "1", ""], sp => ["[1, 3]", "[2, 2]", ""]}, sub { "a, b = Split <axis : int = \@axis, split : ints = \@sp> (x)" }, sub { input(one("float", "int64"), "4, 4") }],
    [12, 28, "x", {axis => ["0", "1", "-1", ""], keep => ["0", "1", ""], last => ["0", "1", ""]}, sub { one("ArgMax", "ArgMin") . " <axis : int = \@axis, keepdims : int = \@keep, select_last_index : int = \@last> (x)" },
        sub { input(one(@reals, "int32"), "2, 3") }],
    [9, 28, "x", {to => ["1", "7", "6", "11"]}, sub { "Cast <to : int = \@to> (x)" }, sub { input(one("float", "int64", "bool", "double"), "2, 3") }],
    [7, 28, "x y", {axis => ["0", "1", "-1"]}, sub { "Concat <axis : int = \@axis> (x, y)" }, sub { my $t = one("float", "int64"); $_[0] < 11 ? (input($t, "2, 2"), input($t, "2, 2")) : (input($t, "2, 2"), input($t, "2, 2")) }],
    [7, 28, "x", {axis => ["0", "1", "2", "", ":0"]}, sub { "Flatten <axis : int = \@axis> (x)" }, sub { input(one("float", $_[0] >= 9 ? "int64" : "double"), one("2, 3", "2, 1, 3")) }],
    [7, 28, "x", {perm => ["[1, 0]", "[0, 1]", ""]}, sub { "Transpose <perm : ints = \@perm> (x)" }, sub { input(one("float", "int64", "bool"), "2, 3") }],
    [7, 28, "x i", {axis => ["0", "1", "-1", ""]}, sub { "Gather <axis : int = \@axis> (x, i)" }, sub { (input(one("float", "int64", "bool"), "2, 3"), constant(one("int64", "int32"), "1", one(0, 1))) }],
    [11, 28, "x n", {ex => ["0", "1", ""], rev => ["0", "1", ""]}, sub { "CumSum <exclusive : int = \@ex, reverse : int = \@rev> (x, n)" },
        sub { (input(one(@reals, @whole), "2, 3"), number("int64", "", one(0, 1))) }],
    [10, 28, "x y", {f => ["1", ""]}, sub { "Mod <fmod : int = \@f> (x, y)" }, sub { (input("int64", "2, 3"), constant("int64", "", 3)) }],
    [14, 28, "x s", {zero => ["0", "1", ""]}, sub { "Reshape <allowzero : int = \@zero> (x, s)" }, sub { (input(one("float", "int64"), "2, 3"), constant("int64", "2", 3, 2)) }],
    [7, 28, "x", {a => ["0.5", "2.0", "", ":0.1"]}, sub { one("Elu", "LeakyRelu", "HardSigmoid", $_[0] >= 10 ? "ThresholdedRelu" : "Elu") . " <alpha : float = \@a> (x)" }, sub { input("float", "2, 3") }],
    [7, 28, "x s b", {e => ["0.1", ""]}, sub { "InstanceNormalization <epsilon : float = \@e> (x, s, b)" }, sub { (input("float", one("2, 3, 4", "2, 3, 2, 2")), input("float", "3"), input("float", "3")) }],
    [9, 28, "n", {v => ["float[1] {2.5}", "int64[1] {7}", ""]}, sub { "ConstantOfShape <value : tensor = \@v> (n)" }, sub { constant("int64", "2", one(1, 2), 3) }],
    [11, 28, "i d v", {axis => ["0", "-1", "1", ""]}, sub { "OneHot <axis : int = \@axis> (i, d, v)" },
        sub { my $t = one("float", "int64"); (constant("int64", "2", 0, 2), constant("int64", "1", 3), constant($t, "2", 0, 1)) }],
    [9, 28, "x", {d => ["1", "7", ""], k => ["0", "1", ""]}, sub { "EyeLike <dtype : int = \@d, k : int = \@k> (x)" }, sub { input(one("float", "int64"), "2, 3") }],
    [10, 28, "x", {c => ["0", "1", ""], p => ["0", "1", ""]}, sub { "AveragePool <kernel_shape = [2, 2], strides = [2, 2], pads = [1, 1, 0, 0], ceil_mode : int = \@c, count_include_pad : int = \@p> (x)" },
        sub { input("float", one("1, 1, 3, 4", "1, 2, 4, 4")) }],
    [12, 28, "x y", {}, sub { "Pow (x, y)" }, sub { my $t = one(@reals); (input($t, "2, 3"), one(constant($t, "", 2), constant("int32", "", 3))) }],
    [18, 20, "x s b", {g => ["1"], e => ["0.1", ""]}, sub { "GroupNormalization <num_groups : int = \@g, epsilon : float = \@e> (x, s, b)" },
        sub { (input("float", "1, 4, 3"), constant("float", "1", 2), constant("float", "1", 1)) }],
    [18, 28, "x", {axis => ["0", "1", ""], n => ["2"]}, sub { "a, b = Split <axis : int = \@axis, num_outputs : int = \@n> (x)" }, sub { input(one("float", "int64"), "4, 5") }],
    [18, 28, "x", {a => ["0.5", ""]}, sub { "Mish (x)" }, sub { input(one(@reals), "2, 3") }],
    [15, 28, "x t", {}, sub { "CastLike (x, t)" }, sub { (input(one("float", "int64"), "2, 3"), input(one("float", "int32", "double"), "1")) }],
);

my %kinds = (int => "int", float => "float", string => "string");

# One function, perhaps behind others, and its calls.
sub function {
    my ($number, $opset, $functions) = @_;
    my @fit = grep { $opset >= $_->[0] && $opset <= $_->[1] } @forms;
    my $form = one(@fit);
    my ($inputs, $attributes) = ([split / /, $form->[2]], $form->[3]);
    my (@without, @with, %default);
    for my $name (sort keys %$attributes) {
        my ($first) = map { /^:(.*)/ ? $1 : () } @{$attributes->{$name}};
        $first = one(grep { !/^(:.*)?$/ } @{$attributes->{$name}}) if !defined $first && pick(4) == 0 && $name ne "v";
        if (defined $first && pick(3)) { push @with, "$name = $first"; $default{$name} = 1; }
        else { push @without, $name; }
    }
    my $list = @without || @with ? " <" . join(", ", @without, @with) . ">" : "";
    my $node = $form->[4]->($opset);
    my $outs = $node =~ /^(\w+(?:, \w+)+) = / ? $1 : "r";
    $node = "$outs = $node" if $outs eq "r";
    my $head = "<domain: \"d\", opset_import: [\"\" : $opset, \"d\" : 1]> ";
    my $name = "F$number";
    push @$functions, "$head$name$list (" . join(", ", @$inputs) . ") => ($outs) { $node }";
    my %hides; # attributes that the outer function gives itself, or does not have
    if (pick(3) == 0) {
        my (@pass, @names);
        for my $attribute (sort keys %$attributes) {
            my @values = grep { !/^(:.*)?$/ } @{$attributes->{$attribute}};
            my $way = pick(4);
            if ($way == 0) { $hides{$attribute} = 1; push @pass, "$attribute = " . one(@values) if !grep({ $_ eq "" } @{$attributes->{$attribute}}) || pick(2); }
            else { my $kind = $values[0] =~ /^"/ ? "string" : $values[0] =~ /^\[/ ? "ints" : $values[0] =~ /\{/ ? "tensor" : $values[0] =~ /\./ ? "float" : "int";
                push @names, "p_$attribute"; push @pass, "$attribute : $kind = \@p_$attribute"; }
        }
        my $pass = @pass ? " <" . join(", ", @pass) . ">" : "";
        my $own = @names ? " <" . join(", ", @names) . ">" : "";
        my $body = "$outs = d.$name$pass (" . join(", ", @$inputs) . ")";
        $body = "t = Identity ($inputs->[0]) $outs = d.$name$pass (" . join(", ", "t", @$inputs[1 .. $#$inputs]) . ")" if pick(3) == 0;
        push @$functions, "${head}G$number$own (" . join(", ", @$inputs) . ") => ($outs) { $body }";
    }
    my $nested = $functions->[-1] =~ /> G\d/;
    for my $call (1 .. 1 + pick(4)) {
        my @arguments = $form->[5]->($opset);
        my $outer = $nested && pick(3);
        my @given;
        for my $attribute (sort keys %$attributes) {
            next if $outer && $hides{$attribute};
            my @may = map { /^:/ ? () : $_ } @{$attributes->{$attribute}};
            @may = (@may, "") if $default{$attribute};
            my $value = one(@may);
            push @given, ($outer ? "p_" : "") . "$attribute = $value" if $value ne "";
        }
        pop @arguments while @arguments && !defined $arguments[-1];
        my $given = @given ? " <" . join(", ", @given) . ">" : "";
        my @outs = map { "y" . $names++ } split /, /, $outs;
        my $target = $outer ? "G$number" : $name;
        my $text = "d.$target$given (" . join(", ", map { defined $_ ? $_ : '""' } @arguments) . ")";
        if (pick(5) == 0 && @outs == 1) {
            my ($p, $q) = ("t" . $names++, "t" . $names++);
            push @inputs, "bool k" if !grep { $_ eq "bool k" } @inputs;
            push @nodes, "$outs[0] = If (k) <then_branch = a$names () => ($p) { $p = $text }, else_branch = b$names () => ($q) { $q = $text }>";
        } else {
            push @nodes, join(", ", @outs) . " = $text";
        }
        push @outputs, @outs;
    }
}

sub model {
    my ($opset) = @_;
    my @functions;
    (@nodes, @inputs, @outputs) = ();
    $names = 0;
    function($_, $opset, \@functions) for 1 .. 1 + pick(2);
    my $ir = $opset >= 21 ? 10 : 9;
    return "<ir_version: $ir, opset_import: [\"\" : $opset, \"d\" : 1]>\ng (" . join(", ", @inputs) . ") => ("
        . join(", ", @outputs) . ")\n{\n" . join("", map { "  $_\n" } @nodes) . "}\n" . join("\n", @functions) . "\n";
}

sub spew { open(my $file, ">", $_[0]) or die; print $file $_[1]; close $file; }
sub answer { my $text = `$_[0] 2>&1`; return ($? >> 8, $? & 127, $text); }

my ($tried, $converted, $refused, $split, @wrong, @pairs) = (0, 0, 0, 0);
for my $number ($seed .. $seed + $count - 1) {
    $state = $number * 7919;
    pick(2) for 1 .. 8;
    my $from = one(7 .. 13, 13 .. 22);
    my $to = one(grep { $_ != $from } 7 .. 25);
    my $text = model($from);
    my $m = $ENV{OPSHIFT_ORT_NODE} ? "$dir/$number.onnx" : "$dir/m.onnx";
    my $o = $ENV{OPSHIFT_ORT_NODE} ? "$dir/$number.out.onnx" : "$dir/o.onnx";
    spew("$dir/m.txt", $text);
    my ($status, $signal, $words) = answer("$opshift assemble $dir/m.txt -o $m");
    die "seed $number: $words\n$text" if $status;
    answer("$opshift infer $m -o $m"); # which declares the outputs
    my ($valid) = answer("$opshift lint --fail-level error $m");
    next if $valid;
    $tried++;
    ($status, $signal, $words) = answer("$opshift convert $m --opset $to -o $o --verify");
    my $wrong = $signal ? "signal $signal" : $status > 1 ? "status $status" : "";
    $wrong ||= "an error of opshift" if $words =~ /internal/;
    $wrong ||= "not verified" if $status == 1 && $words =~ /differs|not shown to|is not valid/;
    if (!$wrong && $status == 0) {
        $converted++;
        $split++ if $words =~ /called by/;
        my ($lint, $x, $findings) = answer("$opshift lint --fail-level error $o");
        $wrong = "not valid: $findings" if $lint;
        if (!$wrong) {
            ($status, $signal, my $said) = answer("$opshift verify $m $o --engine builtin --tolerance 1e-5 --draws 3");
            $wrong = "whole: $said" if $signal || ($status && $words !~ /^assumed: |assumption/m && $said !~ m{not run by .*$m:}); # not valid before, either
        }
        push @pairs, "$number\t$m\t$o" if !$wrong && $words !~ /assumption/;
    }
    $refused++ if $status == 1 && !$wrong;
    next if !$wrong;
    push @wrong, "seed $number, opset $from to $to: $wrong\n$words$text";
    spew("$ENV{OPSHIFT_KEEP}/$number.txt", $text) if $ENV{OPSHIFT_KEEP};
}
if ($ENV{OPSHIFT_ORT_NODE} && @pairs) {
    spew("$dir/pairs", join("\n", @pairs) . "\n");
    my (undef, undef, $said) = answer("node $tests/cli/onnxruntime.js <$dir/pairs");
    my @not = grep { /^not ok/ } my @lines = split /\n/, $said;
    print "# ONNX Runtime: ", scalar(grep { /^ok/ && !/# SKIP/ } @lines), " of ", scalar(@pairs), " pairs ran alike\n";
    for my $i (grep { $lines[$_] =~ /^not ok/ } 0 .. $#lines) {
        my ($is, $was) = $lines[$i + 1] =~ /: (-?[\d.e+-]+) and (-?[\d.e+-]+)$/;
        push @wrong, "ONNX Runtime: $lines[$i] $lines[$i + 1]" if !defined $was || abs($is - $was) > 1e-5 * (1 + abs($was)); # rounding
    }
    push @wrong, "ONNX Runtime: $said" if !@not && $said !~ /^1\.\.\d/m;
}
print "1..2\n";
print $converted > 0 && $split > 0 ? "" : "not ", "ok 1 - models are converted, and functions written for each case\n";
print @wrong ? "not " : "", "ok 2 - each as it has to be\n";
print "# ", scalar @wrong, " wrong\n" if @wrong;
(my $all = join("\n", splice(@wrong, 0, $ENV{OPSHIFT_SHOWN} || 5))) =~ s/^/# /mg;
print "$all\n" if $all;
print "# $tried models, $converted converted ($split with functions for each case), $refused refused\n";
