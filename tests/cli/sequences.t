#!/usr/bin/perl
# Sequences become Splits and Splits become sequences: random models, each verified and run whole before and after, by
# the built-in engine and, if available, by ONNX Runtime. OPSHIFT_MODELS is their number, OPSHIFT_SEED the first seed.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use Test::More;

my $models   = $ENV{OPSHIFT_MODELS} // 16;
my $seed     = $ENV{OPSHIFT_SEED} // 1;
srand $seed;

sub draw { return $_[int rand @_] }

assemble('probe', "<ir_version: 8, opset_import: [\"\" : 13]>\ng (float x) => (float y) { y = Neg (x) }");
my $ort = $ENV{OPSHIFT_ORT} ? "--ort $ENV{OPSHIFT_ORT}" : '';
my @engines = ('--engine builtin');
push @engines, "--engine onnxruntime $ort" if (run(split ' ', "run probe.onnx --random --engine onnxruntime $ort"))[0] == 0;

# Lengths that sum to the dim, some of them 0.
sub lengths {
    my ($dim) = @_;
    my @lengths;
    while ($dim > 0 || !@lengths) {
        my $length = int rand($dim + 1);
        $length = $dim if @lengths >= 4;
        push @lengths, $length;
        $dim -= $length;
    }
    return @lengths;
}

# The value that is split: its type and shape, the axis as written and counted from the front.
sub data {
    my $rank = 1 + int rand 3;
    my @dims = map { 1 + int rand 5 } 1 .. $rank;
    my $axis = int rand $rank;
    return (draw('float', 'double', 'int32', 'int64', 'string'), \@dims, draw($axis, $axis - $rank), $axis);
}

# A SplitToSequence with up to four readers; ONNX Runtime applies keepdims even if lengths are given, so it is not
# written there.
sub sequence_model {
    my ($opset) = @_;
    my ($type, $dims, $axis, $front) = data();
    my $dim = $dims->[$front];
    my (@lists, @nodes, @outputs, $count, $drops);
    my $form = draw('absent', 'scalar', 'list', 'list', 'value');
    my $ints = draw('int64', 'int32');
    my $given = '';
    my $inputs = "$type\[" . join(', ', @$dims) . '] x';
    if ($form eq 'absent') {
        ($count, $drops) = ($dim, draw(0, 1));
    } elsif ($form eq 'scalar') {
        my $chunk = 1 + int rand($dim + 2);
        $count = int(($dim + $chunk - 1) / $chunk);
        push @lists, "$ints l = {$chunk}";
    } else {
        my @lengths = lengths($dim);
        $count = @lengths;
        push @lists, "$ints\[$count] l = {" . join(', ', @lengths) . '}';
    }
    $given = ', l' if $form ne 'absent';
    my $settings = "axis = $axis" . ($drops ? ', keepdims = 0' : '');
    # Lengths known only at run time: the sum of an initializer and zeros from the caller.
    if ($form eq 'value') {
        $inputs .= ", $ints\[$count] k";
        push @nodes, 'm = Sub (k, k)', 'n = Add (l, m)';
        $given = ', n';
    }
    push @nodes, "s = SplitToSequence <$settings> (x$given)";
    for my $i (0 .. int rand 4) {
        my $position = int(rand 2 * $count) - $count;
        my $reader = draw('at', 'at', 'at', 'length', 'join', 'if');
        $reader = 'at' if $reader eq 'join' && $drops && @$dims == 1;
        if ($reader eq 'at') {
            push @lists, draw('int64', 'int32') . " p$i = {$position}";
            push @nodes, "y$i = SequenceAt (s, p$i)";
            push @outputs, "$type\[] y$i";
        } elsif ($reader eq 'length') {
            push @nodes, "y$i = SequenceLength (s)";
            push @outputs, "int64 y$i";
        } elsif ($reader eq 'join') {
            my $along = $drops ? int rand(@$dims - 1) : $front;
            push @nodes, "y$i = ConcatFromSequence <axis = $along> (s)";
            push @outputs, "$type\[] y$i";
        } else {
            $inputs .= ", bool c$i";
            push @lists, "int64 p$i = {$position}, int64 q$i = {0}";
            push @nodes, "y$i = If (c$i) <then_branch = t$i () => ($type\[] u$i) { u$i = SequenceAt (s, p$i) }, "
                . "else_branch = e$i () => ($type\[] v$i) { v$i = SequenceAt (s, q$i) }>";
            push @outputs, "$type\[] y$i";
        }
    }
    return ("g ($inputs) => (" . join(', ', @outputs) . ') <' . join(', ', @lists) . '> { ' . join(' ', @nodes) . ' }',
        $form);
}

# A Split in one of the forms of its opset.
sub split_model {
    my ($opset) = @_;
    my ($type, $dims, $axis, $front) = data();
    my (@lists, $count, $settings, $given) = ();
    my $form = draw($opset >= 18 ? 'chunks' : 'equal', 'list', 'list');
    if ($form eq 'list') {
        my @lengths = lengths($dims->[$front]);
        my $list = join ', ', @lengths;
        $count = @lengths;
        ($settings, $given) = ("axis = $axis, split = [$list]", '') if $opset < 13;
        ($settings, $given) = ("axis = $axis", ', l') if $opset >= 13;
        push @lists, "int64[$count] l = {$list}" if $opset >= 13;
    } elsif ($form eq 'chunks') {
        # ONNX Runtime refuses chunks of 0.
        my @counts = grep { my $c = int(($dims->[$front] + $_ - 1) / $_); $c * ($_ - 1) < $dims->[$front] } 1 .. $dims->[$front];
        $count = draw(@counts);
        ($settings, $given) = ("axis = $axis, num_outputs = $count", '');
    } else {
        $count = draw(grep { $dims->[$front] % $_ == 0 } 1 .. $dims->[$front]);
        ($settings, $given) = ("axis = $axis", '');
    }
    my @outputs = map {"y$_"} 0 .. $count - 1;
    return "g ($type\[" . join(', ', @$dims) . '] x) => (' . join(', ', map {"$type\[] $_"} @outputs) . ') <'
        . join(', ', @lists) . '> { ' . join(', ', @outputs) . " = Split <$settings> (x$given) }";
}

sub check {
    my ($name, $way, $target, $what) = @_;
    for my $engine (@engines) {
        my @how = ("--split-sequences=$way", '--opset', $target, '-o', "$name-out.onnx", '--verify', split ' ', $engine);
        my ($status, $out, $err) = run('convert', "$name.onnx", @how);
        ok($status == 0 && "$out$err" =~ / [1-9]\d* proved, 0 tested/ && "$out$err" =~ /^whole model: tested/m, "$what: $engine")
            or diag("$out$err\n" . `cat $name.txt`);
        ($status, $out) = run(qw(show --text), "$name-out.onnx");
        ok($way eq 'to-split' ? $out !~ /SplitToSequence|Sequence(At|Length)|FromSequence/ : $out !~ /= Split /,
            "$what: nothing of the old kind is left")
            or diag($out);
    }
}

for my $i (1 .. $models) {
    my $opset  = draw(11, 12, 13, 17, 18, 21);
    my $target = draw(11, 12, 13, 17, 18, 21);
    my ($text, $form) = sequence_model($opset);
    $target = draw(13, 18) if $form eq 'value' && $target < 13;
    assemble("s$i", "<ir_version: 8, opset_import: [\"\" : $opset]>\n$text");
    check("s$i", 'to-split', $target, "seed $seed, model $i, $opset to $target");
    my $before = draw(7, 11, 12, 13, 17, 18, 21);
    assemble("p$i", "<ir_version: 8, opset_import: [\"\" : $before]>\n" . split_model($before));
    check("p$i", 'to-sequence', $target, "seed $seed, Split $i, $before to $target");
}
done_testing;
