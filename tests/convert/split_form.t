#!/usr/bin/perl
# Random Splits, in every version and form, with known and unknown dims, negative axes and omitted outputs, written in
# every form that can be asked for, and as a target wants them: the result has no error in lint, has that form, is verified, computes the same with
# the built-in kernels, and is unchanged by a second conversion; refusals have a reason. Each seed gives the same models.
# OPSHIFT_PROPERTY=N: N models, from seed OPSHIFT_SEED on.
use strict;
use warnings;
use File::Temp 'tempdir';

my $opshift = ($ENV{builddir} || ".") . "/opshift";
my $count = $ENV{OPSHIFT_PROPERTY} || 40;
my $seed = $ENV{OPSHIFT_SEED} || 1;
my $dir = tempdir(CLEANUP => 1);
my @targets = qw(onnxruntime-cpu onnxruntime-coreml onnxruntime-nnapi webnn opencv@4.6 tensorrt ncnn onnx2c portable tract);
my $state;

sub pick { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0]; }
sub one { return $_[pick(scalar @_)]; }
sub spew { open(my $file, ">", $_[0]) or die; print $file $_[1]; close $file; }
sub answer { my $text = `$_[0] 2>&1`; return ($? >> 8, $? & 127, $text); }

# Lengths: equal ones, chunks, or any.
sub lengths {
    my ($parts) = @_;
    my $size = 1 + pick(3);
    my $way = pick(4);
    return ($size) x $parts if $way < 2;
    return (($size + 1) x ($parts - 1), 1 + pick($size + 1)) if $way == 2;
    return map { pick(4) } 1 .. $parts;
}

# A model with one Split, and the reader of a part.
sub model {
    my ($opset) = @_;
    my $rank = 1 + pick(3);
    my $axis = pick($rank);
    my $parts = 1 + pick(4);
    my @lengths = lengths($parts);
    my $dim = 0;
    $dim += $_ for @lengths;
    my @dims = map { one(2, 3, "R$_") } 1 .. $rank;
    $dims[$axis] = pick(3) ? $dim : "N";
    my @attributes;
    push @attributes, "axis = " . ($opset >= 11 && pick(3) == 0 ? $axis - $rank : $axis) if $axis || pick(2);
    my ($inputs, $constants, $before, $more) = ("x", "", "", "");
    my $form = one("equal", "lengths", "lengths", $opset >= 18 ? "count" : "lengths", $opset >= 13 ? "run" : "equal");
    my $outputs = $parts;
    if ($form eq "count" || ($form eq "equal" && $opset >= 18)) {
        push @attributes, "num_outputs = " . ($parts + (pick(5) == 0 ? 1 : 0));
    } elsif ($form eq "lengths" && $opset < 13) {
        push @attributes, "split = [" . join(", ", @lengths) . "]";
    } elsif ($form eq "lengths" && pick(3) == 0) {
        $constants = "int64[$parts] half = {" . join(", ", @lengths) . "}, int64[$parts] none = {" . join(", ", (0) x $parts) . "}";
        $before = "l = Add (half, none) ";
        $inputs .= ", l";
    } elsif ($form eq "lengths") {
        $constants = "int64[$parts] l = {" . join(", ", @lengths) . "}";
        $inputs .= ", l";
    } elsif ($form eq "run") {
        $more = ", int64[$parts] l";
        $inputs .= ", l";
    }
    my @names = map { $_ > 0 && pick(5) == 0 ? '""' : "p$_" } 0 .. $outputs - 1;
    my @read = grep { $_ ne '""' } @names;
    my $attributes = @attributes ? "<" . join(", ", @attributes) . "> " : "";
    return "<ir_version: " . ($opset < 9 ? one(3, 8) : 8) . ", opset_import: [\"\" : $opset]>\n"
        . "g (float[" . join(", ", @dims) . "] x$more) => (" . join(", ", map { "float[] y$_" } @read) . ")\n<$constants>\n"
        . "{ $before" . join(", ", @names) . " = Split $attributes($inputs)\n"
        . join(" ", map { "y$_ = Neg ($_)" } @read) . " }\n";
}

# Is the Split not in the form?
sub wrong_form {
    my ($form, $opset) = @_;
    my ($status, $signal, $text) = answer("$opshift show --text $dir/o.onnx");
    $text =~ s/\s+/ /g;
    return "" unless $text =~ /= Split (?:<([^>]*)> )?\(([^)]*)\)/; # Slice nodes took its place
    my ($attributes, $inputs) = ($1 || "", $2);
    my $lengths = $attributes =~ /split =/ || $inputs =~ /, \w/;
    return $lengths ? "" : "no lengths" if $form eq "lengths";
    return $lengths ? "lengths" : $opset >= 18 && $attributes !~ /num_outputs/ ? "no num_outputs" : "";
}

my ($tried, $converted, $refused, @wrong) = (0, 0, 0);
for my $number ($seed .. $seed + $count - 1) {
    $state = $number * 7919;
    pick(2) for 1 .. 8;
    my $from = one(2, 7, 9, 11, 12, 13, 13, 16, 18, 18, 21, 24);
    my $text = model($from);
    spew("$dir/m.txt", $text);
    my ($status, $signal, $words) = answer("$opshift assemble $dir/m.txt -o $dir/m.onnx");
    die "seed $number: $words\n$text" if $status;
    my ($valid) = answer("$opshift lint --fail-level error $dir/m.onnx");
    for my $form ("lengths", "num_outputs", "equal", one(@targets)) {
        my $to = one($from, one(2, 9, 11, 13, 17, 18, 22));
        my $aim = grep({ $form eq $_ } @targets) ? "--target $form --allow-remaining" : "--split-form $form";
        my $how = $aim . ($to == $from || $aim =~ /target/ ? "" : " --opset $to");
        ($status, $signal, $words) = answer("$opshift convert $dir/m.onnx $how --verify -o $dir/o.onnx");
        $tried++;
        my $wrong = $signal ? "signal $signal" : $status > 1 ? "status $status" : "";
        $wrong = "no reason" if !$wrong && $status == 1 && $words !~ /^blocked: .+: .+/m;
        $wrong = "an error of opshift" if !$wrong && $words =~ /internal/;
        if (!$wrong && $status == 0) {
            $converted++;
            my ($lint, $x, $findings) = answer("$opshift lint --fail-level error $dir/o.onnx");
            $wrong = "not valid: $findings" if $lint && $valid == 0;
            $wrong ||= wrong_form($form, $to) if $aim !~ /target/;
            my ($again) = answer("$opshift convert $dir/o.onnx $aim -o $dir/p.onnx && cmp $dir/o.onnx $dir/p.onnx");
            $wrong ||= "not the same when converted again" if $again;
            my ($differs, $y, $said) = answer("$opshift verify $dir/m.onnx $dir/o.onnx --engine builtin --draws 2");
            $wrong ||= "it differs: $said" if $said =~ /: they differ; /;
        }
        $refused += $status == 1;
        push @wrong, "seed $number, $how: $wrong\n$words$text" if $wrong;
        unlink "$dir/o.onnx", "$dir/p.onnx";
    }
}
print "1..2\n";
print $converted > 0 && $refused > 0 ? "" : "not ", "ok 1 - Splits are written, and refused\n";
print @wrong ? "not " : "", "ok 2 - each as it has to be\n";
(my $all = join("\n", splice(@wrong, 0, 5))) =~ s/^/# /mg;
print "$all\n" if $all;
print "# $tried conversions, $converted done, $refused refused\n";
