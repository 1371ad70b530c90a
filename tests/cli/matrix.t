#!/usr/bin/perl
# Every case of Split in tests/split-matrix.tsv: is it converted or refused, and into which form?
# Rows with a regular form become models here; the others are tests/models/matrix/ID.txt.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use JSON::PP;
use Test::More;

my $lowered_count = 0; # models whose lowered form was compared

# Rows where the table leaves the result open ("needs-shape"), or the converter does more than the table requires.
my %decided = (
    M053 => ['convert', 'computed'],    # lengths computed in the graph: Shape, arithmetic, Concat
    M055 => ['convert', 'computed'],
    M087 => ['convert', 'computed'],
    M238 => ['convert', 'computed'],
    M243 => ['convert', 'computed'],
    M173 => ['convert', 'slices'],      # lengths known only at run time, below 13, where Slice has inputs
    M177 => ['convert', 'slices'],
    M202 => ['convert', 'slices'],
    M234 => ['convert', 'slices'],
    M235 => ['convert', 'slices'],
    M241 => ['convert', 'slices'],
    M247 => ['convert', 'slices'],
    M246 => ['convert', 'split=[2,4] attr'],    # a function for each case
    M207 => ['convert', 'slices'],      # a caller's lengths are lengths of run time
    M201 => ['convert', 'split=[2,4] attr'],
    M251 => ['convert', 'none'],        # an operator of another domain is not judged
);

# Errors of the source, and their messages in lint and in convert.
my %id_of = (
    'E-SCALAR'             => 'SPL001 split-scalar',
    'E-AXIS-RANGE'         => 'SPL002 split-axis-range',
    'E-BOTH'               => 'SPL003 split-both',
    'E-NEITHER'            => 'SPL004 split-neither',
    'E-NUM<1'              => 'SPL005 split-num-outputs',
    'E-NUM<OUTPUTS'        => 'SPL006 split-num-outputs-few',
    'E-NEG-LAST'           => 'SPL007 split-negative-last',
    'E-UNEVEN'             => 'SPL008 split-uneven',
    'E-SPLIT-RANK'         => 'SPL009 split-lengths-rank',
    'E-LENGTH-NOT-INTEGER' => 'SPL010 split-fraction',
    'E-EMPTY-SPLIT'        => 'SPL011 split-empty-lengths',
    'E-COUNT'              => 'SPL012 split-count',
    'E-NEG-LENGTH'         => 'SPL013 split-negative-length',
    'E-SUM'                => 'SPL015 split-sum',
    'E-ATTR'               => 'OPS007 unknown-attribute',
    'E-ATTR-TYPE'          => 'OPS009 attribute-type',
    'E-ATTR-DUP'           => 'OPS010 duplicate-attribute',
    'E-ARITY'              => 'OPS012 input-count',
    'E-NO-OUTPUTS'         => 'OPS014 output-count',
    'E-DTYPE-SRC'          => 'OPS015 input-type',
    'E-SPLIT-DTYPE'        => 'OPS015 input-type',
);
# Errors only at the target, or outside the node: convert refuses them with lint's message.
my %blocked_as = (
    'E-DTYPE-TGT'  => 'OPS015 input-type',
    'E-FUNC-OPSET' => 'GRF027 function-opset',
);
# Warnings, which only lint has. In other rows the table means the result of the conversion.
my %warned = (
    M080 => 'SPL023 split-zero-last',
    M081 => 'SPL024 split-dim-zero',
    M100 => 'SPL021 split-negative-axis',
    M108 => 'SPL020 split-axis-default',
    M109 => 'SPL020 split-axis-default',
    M110 => 'SPL020 split-axis-default',
    M160 => 'SPL022 split-zero-length',
);

# The model of a regular row, as text; undef if the form needs its own file.
sub model_text {
    my ($row) = @_;
    my ($form, $opset, $type) = @$row{qw(form from_opset dtype)};
    # In a text, "float" is a scalar and "float[]" a tensor of any rank.
    my $dims    = $row->{shape} eq '?' ? '[]' : $row->{shape} eq '[]' ? '' : $row->{shape};
    my $lengths = $row->{lengths};
    my @attributes = $row->{axis} eq 'absent' ? () : "axis = $row->{axis}";
    my ($initializers, $inputs, $outputs) = ('', 'x', undef);
    if ($form =~ /^split attr, (\d+) outputs$/) {
        $outputs = $1;
        push @attributes, "split : ints = $lengths";
    } elsif ($form =~ /^no split, (\d+) outputs$/) {
        $outputs = $1;
    } elsif ($form =~ /^num_outputs=(-?\d+), (\d+) outputs$/) {
        $outputs = $2;
        push @attributes, "num_outputs = $1";
    } elsif ($form =~ /^split initializer \(not in graph\.input, IR>=4\), (\d+) outputs$/) {
        $outputs = $1;
        my @items = $lengths =~ /-?\d+/g;
        $initializers = sprintf "<int64[%d] lens = {%s}>\n", scalar @items, join ', ', @items;
        $inputs = 'x, lens';
    } else {
        return undef;
    }
    my @names = map { "y$_" } 0 .. $outputs - 1;
    return sprintf qq(< ir_version: 8, opset_import: ["" : %d] >\n%s (%s%s x) => (%s)\n%s{\n   %s = Split %s(%s)\n}\n),
        $opset, lc $row->{id}, $type, $dims, join(', ', map { "${type}[] $_" } @names), $initializers, join(', ', @names),
        @attributes ? '<' . join(', ', @attributes) . '> ' : '', $inputs;
}

# ---- protobuf forms that the textual syntax lacks -----------------------------------------------------------------

sub number { my ($number, $value) = @_; return varint($number << 3) . varint($value) }

sub value_info {
    my ($name) = @_;
    return field(1, $name) . field(2, field(1, number(1, 1) . field(2, field(1, number(1, 6)))));
}

sub model_bytes {
    my ($opset, $nodes, @outputs) = @_;
    my $graph = join('', map { field(1, $_) } @$nodes) . field(2, 'm') . field(11, value_info('x'))
        . join('', map { field(12, field(1, $_) . field(2, field(1, number(1, 1)))) } @outputs);
    return number(1, 8) . field(7, $graph) . field(8, number(2, $opset));
}

sub sparse_lengths {
    my $values  = number(1, 2) . number(2, 7) . number(7, 2) . number(7, 4);
    my $indices = number(1, 2) . number(2, 7) . number(7, 0) . number(7, 1);
    my $sparse  = field(1, $values . field(8, 'v')) . field(2, $indices) . number(3, 2);
    my $constant = field(2, 'lens') . field(4, 'Constant')
        . field(5, field(1, 'sparse_value') . field(22, $sparse) . number(20, 11));
    return ($constant, field(1, 'x') . field(1, 'lens') . field(2, 'y0') . field(2, 'y1') . field(4, 'Split'));
}

my %bytes = (
    M191 => sub { model_bytes(13, [sparse_lengths()], 'y0', 'y1') },
    M219 => sub { model_bytes(13, [field(1, 'x') . field(3, 'nothing') . field(4, 'Split')]) },
);

sub make_model {
    my ($row, $path) = @_;
    my $text = "$srcdir/tests/models/matrix/$row->{id}.txt";
    if ($bytes{$row->{id}}) {
        write_file($path, $bytes{$row->{id}}->());
        return 1;
    }
    if (!-e $text) {
        my $made = model_text($row) // return 0;
        $text = "$work/model.txt";
        write_file($text, $made);
    }
    my ($status, undef, $err) = run('assemble', $text, '-o', $path);
    diag("$row->{id}: $err") if $status;
    return !$status;
}

# ---- results ------------------------------------------------------------------------------------------------------

sub list { return [$_[0] =~ /-?\d+/g] }
sub same { my ($a, $b) = @_; return encode_json([map { $_ + 0 } @$a]) eq encode_json([map { $_ + 0 } @{$b // []}]) }

# Why a Split differs from the row; undef: it does not.
sub wrong_split {
    my ($split, $want, $row, $text) = @_;
    my $seen = encode_json($split);
    return "not the axis: $seen" if $want =~ /^axis omitted/ && $split->{axis} ne '0';
    return "not the axis: $seen" if $want =~ /axis=(\S+)/ && $split->{axis} ne ($1 eq '@ax' ? '@ax' : $1);
    return "no written axis: $text" if $row->{'target opset'} == 1 && $text !~ /axis = /;
    return undef if $want =~ /unchanged|axis=\@ax kept|same schema/;
    my $constant = $split->{form} =~ /^(initializer|constant)$/;
    if ($want =~ /split=\@sz attr/) {
        return $split->{form} eq 'attribute' && $split->{lengths} eq '@sz' ? undef : "no reference: $seen";
    } elsif ($want =~ /value_ints=\@sz/) {
        return $text =~ /value_ints(?: : ints)? = \@sz/ ? undef : "no reference: $text";
    } elsif ($want =~ /split=(\[[^]]*\]) attr/) {
        return $split->{form} eq 'attribute' && same(list($1), $split->{lengths}) ? undef : "no such attribute: $seen";
    } elsif ($want =~ /split input=(\[[^]]*\])/) {
        return $constant && same(list($1), $split->{lengths}) ? undef : "no such input: $seen";
    } elsif ($want =~ /no split/) {
        return $split->{form} eq 'equal' ? undef : "not equal parts: $seen";
    } elsif ($want =~ /num_outputs=(\d+)/) {
        return $split->{form} eq 'num_outputs' && $split->{num_outputs} == $1 ? undef : "no such num_outputs: $seen";
    } elsif ($want =~ /split input kept|^computed/) {
        return $split->{form} =~ /^(dynamic|computed)$/ ? undef : "not an input of run time: $seen";
    }
    return $constant ? undef : "no constant input: $seen";
}

sub wrong_result {
    my ($row, $want, $path, $outputs_before) = @_;
    my ($status, $json, $err) = run('show', '-f', 'json', $path);
    return "show: $err" if $status;
    my $shown = decode_json($json);
    my (undef, $text) = run('show', '--text', $path);
    return "opset: $json" if $shown->{opsets}[0]{version} != $row->{'target opset'};
    my $splits = $shown->{splits};
    return @$splits == 0 && $text =~ /\bSlice\b/ ? undef : "not slices: $text" if $want eq 'slices';
    return undef if $want eq 'none';
    return "no Split: $text" if !@$splits;
    for my $split (@$splits) {
        my $wrong = wrong_split($split, $want, $row, $text);
        return $wrong if $wrong;
        my $added = $want =~ /\+ (\d+) fresh/ ? $1 : 0;
        return "outputs: $json" if $added && $split->{outputs} != $outputs_before + $added;
    }
    return undef;
}

# Lint's findings in the source: the error of the table with its id, else no error of SPL. Returns the id.
sub test_lint {
    my ($row, $path) = @_;
    my (undef, $found) = run('lint', $path);
    my ($fault) = $row->{note} =~ /^(E-[A-Z0-9-]+(?:<[A-Z0-9]+)?)/;
    my $id = $id_of{$fault // ''};
    my @errors = $found =~ /error: .* \[((?:SPL|OPS)\d+ [a-z0-9-]+)\]/g;
    is("@errors", $id // '', "$row->{id}: lint's errors of the node") or diag($found);
    like($found, qr/warning: .* \[$warned{$row->{id}}\]/, "$row->{id}: lint's warning") if $warned{$row->{id}};
    return $id;
}

sub outputs_of { my ($directory) = @_; return map { s{.*/}{}r => read_file($_) } glob "$directory/*" }

# What is lowered for DirectML gives what the model gives, where both can be run on inputs that are drawn.
sub test_lowered {
    my ($row, $path) = @_;
    my ($json, $whole, $lowered) = map { "$work/$_" } qw(lowered.json whole lowered);
    return if (run('export', $path, '--to', 'directml', '-o', $json))[0] != 0;
    system 'rm', '-rf', $whole, $lowered;
    return if (run('run', $path, '--random', '-o', $whole))[0] != 0;
    my ($status, undef, $err) = run('run', $json, '--random', '-o', $lowered);
    return ok(0, "$row->{id}: what is lowered for DirectML runs") || diag($err) if $status;
    my %wanted = outputs_of($whole);
    my %seen = outputs_of($lowered);
    my @wrong = grep { defined $seen{$_} && $seen{$_} ne $wanted{$_} } sort keys %wanted;
    is("@wrong", '', "$row->{id}: what is lowered for DirectML gives the same");
    $lowered_count++;
}

sub test_row {
    my ($row) = @_;
    my ($id, $target) = @$row{'id', 'target opset'};
    my ($verdict, $want) = $decided{$id} ? @{$decided{$id}} : ($row->{'expected verdict'}, $row->{'expected result form'});
    my $name = "$id: $row->{from_opset} -> $target, $row->{form}, $row->{dtype}$row->{shape}: $verdict";
    my ($before, $after) = ("$work/before.onnx", "$work/after.onnx");
    unlink $before, $after;
    return fail("$name (no model)") if !make_model($row, $before);
    my $fault = test_lint($row, $before);
    test_lowered($row, $before);
    my ($status, $out, $err) = run('convert', $before, '--opset', $target, '-o', $after, '--verify');
    if ($verdict ne 'convert') {
        my $named = $err =~ /\S/;
        ok($status == 1 || $status == 3 || $status == 2, "$name: exit status") or diag("exit status $status\n$out$err");
        ok($named && !-e $after, "$name: the reason is given, nothing is written") or diag("$out$err");
        my ($name) = $row->{note} =~ /^(E-[A-Z-]+)/;
        $fault //= $blocked_as{$name // ''};
        like($err, qr/: \Q$fault\E: /, "$id: convert refuses with lint's id") if $fault;
        return;
    }
    ok($status == 0, "$name: exit status 0") or return diag("exit status $status\n$out$err");
    my $outputs = $row->{form} =~ /(\d+) outputs/ ? $1 : 0;
    my $wrong = wrong_result($row, $want, $after, $outputs);
    ok(!defined $wrong, "$name: $want") or diag($wrong);
}

# M188's lengths are in a file beside the model.
open my $lengths, '>:raw', "$work/lengths.bin" or die "lengths.bin: $!";
print $lengths pack 'q<2', 2, 4;
close $lengths;

for my $row (split_rows()) {
    next if "$row->{from_opset} $row->{'target opset'}" =~ /[A-Z]/;    # another dialect has a test of its own
    test_row($row) if !@ARGV || grep { $_ eq $row->{id} } @ARGV;
}
ok(@ARGV || $lowered_count > 140, "$lowered_count rows were lowered for DirectML and run");
done_testing();
