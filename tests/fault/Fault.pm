# Runs the command many times, each time with another failing call (shim.c), and checks the files that are left.
package Fault;
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../cli";
use Command qw($builddir $srcdir $work read_file write_file);
use Errno ();
use Exporter 'import';
use File::Find;
use File::Path qw(make_path remove_tree);
use JSON::PP qw(decode_json);
use Test::More;

our @EXPORT = qw($builddir error_of commands fresh run snapshot restore sweep write_file read_file $opshift $shim $work $world);

our $shim    = "$builddir/tests/fault/shim.so";
our $opshift = "$builddir/opshift";
our $world   = "$work/world";    # what the command sees; all in it is looked at
our $patience = 60;              # seconds that one run may take

plan skip_all => 'the fault library is not built on this system' unless -e $shim;
# A sanitizer must be loaded first, and has its own allocator.
my $symbols = `nm "$opshift" 2>/dev/null` // '';
plan skip_all => 'a sanitizer is in the way' if $symbols =~ /__(?:asan|tsan)_init/;

sub error_of {
    my ($name) = @_;
    return Errno->can($name)->();
}

# The bytes of every file below $world.
sub snapshot {
    my %seen;
    find({ no_chdir => 1, wanted => sub {
        lstat $_;
        return if $_ eq $world;
        $seen{ substr $_, length($world) + 1 } = -l _ ? 'link ' . readlink : -d _ ? 'directory' : -f _ ? 'file ' . read_file($_) : 'else';
    } }, $world);
    return \%seen;
}

sub restore {
    my ($wanted, $seen) = @_;
    for my $path (sort { length $b <=> length $a } keys %$seen) {
        next if defined $wanted->{$path} && $wanted->{$path} eq $seen->{$path};
        $seen->{$path} eq 'directory' ? remove_tree("$world/$path") : unlink "$world/$path";
    }
    for my $path (sort keys %$wanted) {
        next if defined $seen->{$path} && $wanted->{$path} eq $seen->{$path};
        if    ($wanted->{$path} eq 'directory')       { make_path("$world/$path") }
        elsif ($wanted->{$path} =~ /^file (.*)/s)  { write_file("$world/$path", $1) }
        elsif ($wanted->{$path} =~ /^link (.*)/s)  { symlink $1, "$world/$path" }
    }
}

# run(FAULT, ARGUMENT...): the result: {status, signal, out, err, fired, left, children, flags}. FAULT undef: nothing fails; 'flags':
# nothing fails, and flags has a line for each open.
sub run {
    my ($wish, @arguments) = @_;
    unlink "$work/fired", "$work/left", "$work/flags";
    my $child = fork // die "fork: $!";
    if ($child == 0) {
        chdir $world                       or die;
        open STDIN,  '<', '/dev/null'      or die;
        open STDOUT, '>', "$work/out"      or die;
        open STDERR, '>', "$work/err"      or die;
        $ENV{TMPDIR}              = "$world/tmp";
        $ENV{LC_ALL}              = 'C';
        if (defined $wish) {
            $ENV{LD_PRELOAD}          = $shim;
            $ENV{OPSHIFT_FAULT}       = $wish;
            $ENV{OPSHIFT_FAULT_FIRED} = "$work/fired";
            $ENV{OPSHIFT_FAULT_LEFT}  = "$work/left";
            $ENV{OPSHIFT_FAULT_FLAGS} = "$work/flags" if $wish eq 'flags';
        }
        exec $opshift, @arguments or die "$opshift: $!";
    }
    my $late = 0;
    local $SIG{ALRM} = sub { $late = 1; kill KILL => $child };
    alarm $patience;
    waitpid $child, 0;
    alarm 0;
    my ($left, $calls, $children) = -e "$work/left" ? split ' ', read_file("$work/left") : ();
    return { status => $? >> 8, signal => $? & 127, late => $late, out => read_file("$work/out"),
        err => read_file("$work/err"), fired => -e "$work/fired" ? read_file("$work/fired") : undef,
        left => $left, calls => $calls, children => $children, flags => -e "$work/flags" ? read_file("$work/flags") : '' };
}

# Nodes in rows of 4, 4, 8, 16 and 32. The list of names grows at the first operator of the last row, which is remembered
# where Relu was, and Relu comes again.
sub elementwise {
    my @operators = (('Relu') x 26, qw(Abs Neg Exp Floor Ceil Sqrt), 'Sin', ('Relu') x 31);
    return join "\n", map { "    z$_ = $operators[$_] (" . ($_ ? "z@{[$_ - 1]}" : 'x') . ')' } 0 .. $#operators;
}

my %models = (
    net => <<'MODEL',
< ir_version: 8, opset_import: ["" : 11] >
net (float[N, 6] x) => (float[N, 2] a, float[N, 4] b) { a, b = Split <axis = -1, split = [2, 4]> (x) }
MODEL
    external => <<'MODEL',
< ir_version: 8, opset_import: ["" : 13] >
net (float[6] x) => (float[2] a, float[4] b)
< int64[2] l = ["location": "data/l.bin"], float[6] w = ["location": "w.bin"] >
{ y = Add (x, w) a, b = Split <axis = 0> (y, l) }
MODEL
    folded => <<'MODEL',
< ir_version: 8, opset_import: ["" : 13] >
net (float[6, 4] x) => (float[2, 4] a, float[4, 4] b)
< int64[1] two = {2}, int64[1] one = {1} >
{ s = Shape (x) d = Gather <axis = 0> (s, one) l = Concat <axis = 0> (two, d) a, b = Split <axis = 0> (x, l) }
MODEL
    # Repeated nodes, with inferred types, and a call.
    alike => <<'MODEL' =~ s/\{ELEMENTWISE\}/elementwise()/er =~ s/\{LONG\}/'n' x 300/er,
< ir_version: 8, opset_import: ["" : 11, "f" : 1] >
net (float[4, 6] x) => (float[4, 2] a, float[4, 6] last) {
{ELEMENTWISE}
    [{LONG}] a, b = Split <axis = 1, split = [2, 4]> (x)
    [second] c, d = Split <axis = 1, split = [2, 4]> (z0)
    [third] e, f = Split <axis = 1, split = [2, 4]> (z1)
    g = Unsqueeze <axes = [0]> (e)
    h = Unsqueeze <axes = [0]> (c)
    i = Squeeze <axes = [0]> (h)
    j = Squeeze <axes = [0]> (g)
    k = ReduceSum <axes = [1]> (d)
    l = ReduceSum <axes = [1]> (f)
    m = f.F (l)
    last = Add (z63, m)
}
< domain: "f", opset_import: ["" : 11] > F (x) => (y) { t = Concat <axis = 1> (x, x) y = ReduceSum <axes = [1]> (t) }
MODEL
    # Lengths in Constants, some of them equal.
    constants => <<'MODEL',
< ir_version: 8, opset_import: ["" : 13] >
net (float[6] x) => (float[2] a, float[3] c, float[2] e, float[2] g) {
    j = Constant <value = int64[2] {2, 4}> ()
    a, b = Split <axis = 0> (x, j)
    k = Constant <value_ints = [3, 3]> ()
    c, d = Split <axis = 0> (x, k)
    l = Constant <value = int64[2] {2, 4}> ()
    e, f = Split <axis = 0> (x, l)
    m = Constant <value_ints = [2, 2]> ()
    g, h = Split <axis = 0> (f, m)
}
MODEL
    # Operators whose attributes became inputs, or whose meaning changed: most verbs of rules, up and down.
    kinds => <<'MODEL',
< ir_version: 4, opset_import: ["" : 9, "f" : 1] >
net (float[2, 4] x, bool c, float[1, 2, 4, 4] i) => (float[N, M] last, k, body, float[1, 2, 2, 2] pooled, u, q) {
    a = Slice <starts = [0, 1], ends = [2, 3], axes = [0, 1]> (x)
    b = Clip <min = 0.0, max = 6.0> (x)
    d = Pad <pads = [0, 1, 0, 1], value = 1.0> (b)
    e, f = TopK <k = 2, axis = -1> (d)
    g = Softmax <axis = 1> (e)
    h = Unsqueeze <axes = [0]> (g)
    j = Squeeze <axes = [0]> (h)
    l = ReduceSum <axes = [1], keepdims = 0> (j)
    m = Dropout <ratio = 0.25> (x)
    o, p = Split <axis = -1, split = [1, 3]> (m)
    n = Concat <axis = 0> (a, j)
    last = Cast <to = 1> (n)
    k = Sum (l, l)
    pooled = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (i)
    u = ArgMax <axis = 1> (p)
    q = f.F (x)
    body = If (c) <then_branch = t () => (r) { r = Clip <min = 0.0> (o) }, else_branch = s () => (v) { v = Neg (o) }>
}
< domain: "f", opset_import: ["" : 9] > F (x) => (y) { t = Slice <starts = [0], ends = [1]> (x) y = Hardmax <axis = 1> (t) }
MODEL
    old => <<'MODEL',
< ir_version: 3, opset_import: ["" : 5] >
net (float[2, 3] x, float[3] y, int64[2] s) => (a, b, d, f, h) {
    a = Add <broadcast = 1> (x, y)
    b = Cast <to = "DOUBLE"> (x)
    c = Constant <value = int64[2] {3, 2}> ()
    d = Reshape (x, c)
    e = Relu <consumed_inputs = [0]> (x)
    f = Gemm <broadcast = 1> (e, d, y)
    g = Max (x, x)
    h = Mean (g, x)
}
MODEL
    # A list of floats that becomes an attribute.
    scales => <<'MODEL',
< ir_version: 4, opset_import: ["" : 9] >
net (float[1, 1, 2, 2] x) => (float[1, 1, 4, 4] y) <float[4] s = {1.0, 1.0, 2.0, 2.0}> { y = Upsample (x, s) }
MODEL
    # A model with many findings.
    faulty => <<'MODEL',
< ir_version: 8, opset_import: ["" : 13, "g" : 1] >
net (float[2, 3] x, float[2] unread) => (float[2, 3] y, float[9] z, w) <float[2] spare = {1, 2}> {
    y = Relu (x)
    y = Neg <axis = 3> (missing)
    p, q = Split <axis = 7> (x)
    z = Reshape (x, x, x)
    w = g.F <alpha = 1> (x)
    dead = LeakyRelu <alpha = 1> (x)
    v = Loop (x, x) <body = b (i, j) => (k) { k = Identity (nowhere) }>
    o = Softmax <aixs = 1> (p)
}
< domain: "g", opset_import: ["" : 13] > F <beta> (x) => (y) { y = g.F (x) }
MODEL
    loops => <<'MODEL',
< ir_version: 8, opset_import: ["" : 13] >
net (float[2, 2] x) => (float[2, 2] y, float[N, 2, 2] all, float[1, 2] first) {
    n = Constant <value = int64 {3}> ()
    k = Constant <value = bool {1}> ()
    y, all = Loop (n, k, x) <body = b (int64 i, bool c, float[2, 2] s) => (bool d, float[2, 2] t, float[2, 2] u)
        { d = Identity (c) t = Add (s, s) u = MatMul (s, s) }>
    zero = Constant <value = int64 {0}> ()
    parts = SplitToSequence <axis = 0> (x)
    first = SequenceAt (parts, zero)
}
MODEL
    fixable => <<'MODEL',
< ir_version: 8, opset_import: ["" : 13, "" : 13] >
net (float[N, 6] x) => (float[N, 6] y) { y = Relu (x) }
MODEL
);

# A directory with the models.
sub fresh {
    remove_tree($world);
    make_path("$world/tmp", "$world/to", "$world/in/data");
    write_file("$world/net.txt", $models{net});
    write_file("$work/$_.txt", $models{$_}) for keys %models;
    my %places = (net => 'net.onnx', alike => 'alike.onnx', constants => 'constants.onnx', external => 'in/net.onnx', fixable => 'fixable.onnx', folded => 'folded.onnx',
        kinds => 'kinds.onnx', old => 'old5.onnx', faulty => 'faulty.onnx', loops => 'loops.onnx', scales => 'scales.onnx');
    for my $name (sort keys %models) {
        my $done = run(undef, 'assemble', "$work/$name.txt", '-o', $places{$name});
        die $done->{err} if $done->{status};
    }
    write_file("$world/in/data/l.bin", pack 'q<2', 2, 4);
    write_file("$world/in/w.bin",      pack 'f<6', 1 .. 6);
    # An unknown field of 600 KB: more than one write.
    write_file("$world/large.onnx", read_file("$world/net.onnx") . pack('C2', 0xC2, 0x3E) . "\x80\xCF\x24" . 'x' x 600_000);
    write_file("$world/x.npy", "\x93NUMPY\x01\x00" . pack('v', 118)
            . sprintf('%-117s', "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 6), }") . "\n" . pack('f<6', 1 .. 6));
    write_file("$world/old.onnx", 'what was there');
    run(undef, qw(convert net.onnx --opset 18 -o net18.onnx));
    run(undef, qw(verify net.onnx net18.onnx --report certificate.json));
    run(undef, qw(convert alike.onnx --opset 13 -o alike13.onnx));
    run(undef, qw(convert kinds.onnx --opset 21 -o kinds21.onnx));
    write_file("$world/$_.txt", $models{$_}) for qw(kinds loops);
    write_file("$world/lint.yaml", "select: [GRF, OPS, SPL]\nignore: [GRF012]\nseverity: {GRF003: warning}\nlimits: {calls: 50}\n");
    write_file("$world/mine/opset-11/clip.yaml", read_file("$srcdir/rules/opset-11/clip.yaml"));
    write_file("$world/mine/opset-13/split.yaml", read_file("$srcdir/rules/opset-13/split.yaml"));
    run(undef, qw(run net.onnx --input x=x.npy -o values));
    run(undef, qw(export net.onnx --to directml --shape x=1x6 -o lowered.json));
    make_path("$world/cases/split/test_data_set_0");
    write_file("$world/cases/split/model.onnx", read_file("$world/net.onnx"));
    my $tensor = sub { pack('C*', 8, shift, 8, shift, 16, 1, 0x4A) . pack('C', 4 * @_) . pack('f<*', @_) };
    write_file("$world/cases/split/test_data_set_0/input_0.pb",  $tensor->(1, 6, 1 .. 6));
    write_file("$world/cases/split/test_data_set_0/output_0.pb", $tensor->(1, 2, 1 .. 2));
    write_file("$world/cases/split/test_data_set_0/output_1.pb", $tensor->(1, 4, 3 .. 6));
    run(undef, qw(export net.onnx --to openvino -o ir.xml --shape x=2x6));
    return snapshot();
}

# Names and arguments of all tested commands; OPSHIFT_FAULT_ONLY, a pattern, selects some.
sub commands {
    my $only = $ENV{OPSHIFT_FAULT_ONLY} // '';
    return grep { $_->[0] =~ /$only/ } (@_,
        ['convert over itself',             qw(convert net.onnx --opset 18 -o net.onnx)],
        ['convert over another file',       qw(convert net.onnx --opset 18 -o old.onnx --sync)],
        ['convert, verified and reported',  qw(convert net.onnx --opset 18 -o new.onnx --verify --report report.json)],
        ['convert, lengths computed',       qw(convert folded.onnx --opset 11 -o new.onnx)],
        ['convert, nodes alike, up',        qw(convert alike.onnx --opset 13 -o new.onnx)],
        ['convert, nodes alike, down',      qw(convert alike13.onnx --opset 11 -o new.onnx)],
        ['convert, nodes alike, constants', qw(convert constants.onnx --opset 11 -o new.onnx)],
        ['convert to standard output',      qw(convert net.onnx --opset 18 -o -)],
        ['convert, external data copied',   qw(convert in/net.onnx --opset 14 -o to/net.onnx)],
        ['convert, external data flushed',  qw(convert in/net.onnx --opset 14 -o to/net.onnx --sync)],
        ['convert, external data linked',   qw(convert in/net.onnx --opset 14 -o to/net.onnx --external-data link --sync)],
        ['convert, external data kept',     qw(convert in/net.onnx --opset 11 -o to/net.onnx --external-data keep)],
        ['lint',                            qw(lint net.onnx in/net.onnx fixable.onnx)],
        ['lint into files',                 qw(lint net.onnx fixable.onnx -f json=lint.json -f sarif=lint.sarif)],
        ['lint with a baseline',            qw(lint fixable.onnx --baseline known.json --update-baseline)],
        ['lint --fix',                      qw(lint fixable.onnx --fix)],
        ['lint --fix, with a report',       qw(lint fixable.onnx --fix -f json=lint.json)],
        ['lint --fix into another file',    qw(lint fixable.onnx --fix -o old.onnx)],
        ['lint --diff',                     qw(lint fixable.onnx --diff)],
        ['verify',                          qw(verify net.onnx net18.onnx --report verified.json)],
        ['verify, nodes alike',             qw(verify alike.onnx alike13.onnx)],
        ['verify --replay',                 qw(verify net.onnx net18.onnx --replay certificate.json)],
        ['export to DirectML',              qw(export net.onnx --to directml --shape x=1x6 -o new.json)],
        ['export to DirectML, as C',        qw(export net.onnx --to directml --shape x=1x6 -f c -o new.c --report report.json)],
        ['run of what DirectML gets',       qw(run lowered.json --input x=x.npy -o made)],
        ['run',                             qw(run net.onnx --input x=x.npy -o made)],
        ['run, nodes alike',                qw(run alike.onnx --random -o made.npz)],
        ['run into one file',               qw(run net.onnx --random --shape N=2 -o made.npz)],
        ['show',                            qw(show in/net.onnx --text)],
        ['assemble',                        qw(assemble net.txt -o old.onnx)],
        ['diff',                            qw(diff net.onnx net18.onnx)],
        ['test',                            qw(test cases/split)],
        ['export to OpenVINO',              qw(export net.onnx --to openvino -o new.xml --sync)],
        ['export over an IR',               qw(export net18.onnx --to openvino -o ir.xml --report report.json)],
        ['import an IR',                    qw(import ir.xml --opset 18 -o new.onnx)],
        ['run an IR',                       qw(run ir.xml --random -o made.npz)],
    );
}

# Checks a run in which a call failed; gives the first violation, in words. A lint may also report in its report what it
# could not read.
sub verdict {
    my ($done, $clean, $before, $after, $seen, $how) = @_;
    my $may_leak = $how->{may_leak} // 0;
    return "took more than $patience seconds" if $done->{late};
    return "ended by signal $done->{signal}"  if $done->{signal};
    return "$done->{left} pieces of memory are not given back, else $clean->{left}"
        if defined $done->{left} && defined $clean->{left} && $done->{left} > $clean->{left} + $may_leak;
    for my $path (sort keys %$seen) {
        next if $done->{status} == 4 && $path =~ /\.(?:json|sarif)$/ && eval { decode_json(substr $seen->{$path}, 5); 1 };
        my @allowed = map { $_->{$path} // () } $before, $after;
        next if grep { $_ eq $seen->{$path} } @allowed;
        next if $how->{may_stay} && !@allowed && $path =~ $how->{may_stay};
        return @allowed ? "$path is neither the old file nor the new one" : "$path is left behind";
    }
    if (my ($model) = grep { m{^to/} } @{ $how->{arguments} }) {
        my $there = defined $seen->{$model} && $seen->{$model} eq $after->{$model};
        my ($lost) = $there ? grep { !defined $seen->{$_} } sort keys %$after : ();
        my ($stray) = $there || $how->{kind} eq 'unlink' ? () : grep { !defined $before->{$_} } sort keys %$seen;
        return "$model is there, but $lost is not" if defined $lost;
        return "$stray is left behind"             if defined $stray;
    }
    for my $path (sort keys %$before) {
        return "$path is gone" if !defined $seen->{$path} && defined $after->{$path};
    }
    if ($done->{status} == $clean->{status}) {
        return 'the answer is the same, but standard output is not' if $done->{out} ne $clean->{out};
        for my $path (sort keys %$after) {
            return "success, but $path is not the new file"
                if !defined $seen->{$path} || $seen->{$path} ne $after->{$path};
        }
        return undef;
    }
    return undef if $how->{loads} && $done->{status} == 127 && $done->{err} eq "out of memory\n";
    return "exit status $done->{status}" if $done->{status} != 4;
    return 'not a word' if $done->{err} !~ /^opshift: \S.*\S$/m && $done->{out} !~ /^\S+: error: .*unreadable-file/m;
    return undef;
}

# sweep(NAME, ARGUMENTS, KIND, DO, HOW): one run for each call of this kind. HOW: places(COUNT) which of so many calls
# fail, one in each run (memory alone; left out: all, until nothing fails any more); may_stay, names of files that may be
# left behind; onwards, all later calls fail too; may_leak, so many blocks of memory; loads, the C library's loader may end
# the command for lack of memory.
sub sweep {
    my ($name, $arguments, $kind, $deed, $how) = @_;
    $how //= {};
    my $before = $how->{before} // snapshot();
    my $clean  = run($kind eq 'memory' ? 'memory 0 0' : undef, @$arguments);
    die "$name: $clean->{err}" if $clean->{status} > 1 || $clean->{signal};
    my $after  = snapshot();
    restore($before, $after);
    my ($runs, @wrong) = (0);
    my @places = $how->{places} ? $how->{places}->($clean->{calls}) : ();
    for (my $at = 1; ; $at++) {
        my $place = $how->{places} ? shift @places : $at;
        last if !defined $place;
        my $done = run($kind . " $place" . ($how->{onwards} ? '+' : '') . " $deed", @$arguments);
        my $seen = snapshot();
        my $why  = verdict($done, $clean, $before, $after, $seen, { %$how, arguments => $arguments, kind => $kind });
        restore($before, $seen);
        last if !defined $done->{fired} && !$why && !$how->{places};
        $runs++;
        push @wrong, "call $place, " . ($done->{fired} // 'none') . ": $why (exit status $done->{status}): $done->{err}" if $why;
    }
    return ($runs, @wrong);
}

1;
