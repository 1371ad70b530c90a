#!/usr/bin/perl
# Small files that took far more work, memory or output than their size allows. Work: four times as many elements take at
# most about four times the processor time. Memory: 64 times the file and 32 MiB (SECURITY.md).
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Command;
use POSIX ();
use Test::More;

my $limited = !$ENV{OPSHIFT} && read_file("$builddir/Makefile") !~ /fsanitize/;

# flood(KIND, COUNT...): flood.KIND.
sub flood {
    my ($name, @arguments) = @_;
    write_file("flood.$name", scalar qx($^X '$srcdir/tests/cli/floods.pl' @arguments));
    return "flood.$name";
}

# refused(FILE, STATUS, MESSAGE, ARGUMENT...): within the memory and ten seconds of processor time, which the sanitizers take
# several times.
sub refused {
    my ($file, $wanted, $message, @arguments) = @_;
    my ($status, $out, $err, $taken) = within($file, @arguments);
    is($status, $wanted, "@arguments");
    like($err . $out, $message, 'the message');
    ok($taken < ($limited ? 10000 : 60000), "$taken ms");
}

# within(FILE, ARGUMENT...): exit status, output, errors and milliseconds of opshift, in 64 times the file's size and 32 MiB.
sub within {
    my ($file, @arguments) = @_;
    my $room = 32768 + int(64 * (-s $file) / 1024);
    my @before = times;
    my $pid = fork // die "fork: $!";
    if ($pid == 0) {
        open STDIN,  '<', '/dev/null'  or die;
        open STDOUT, '>', "$work/.out" or die;
        open STDERR, '>', "$work/.err" or die;
        exec $limited ? ('sh', '-c', "ulimit -v $room; exec \"\$@\"", 'sh') : (), $opshift, @arguments or exit 127;
    }
    waitpid $pid, 0;
    my @after = times;
    return ($? & 127 ? 128 + ($? & 127) : $? >> 8, read_file("$work/.out"), read_file("$work/.err"),
        1000 * ($after[2] + $after[3] - $before[2] - $before[3]));
}

# linear(KIND, COUNT, STATUS, MESSAGE, COMMAND...): so many elements and four times as many, of which FILE in COMMAND stands for the file.
sub linear {
    my ($kind, $count, $wanted, $message, @command) = @_;
    my @taken;
    for my $times (1, 4) {
        my $file = flood($kind =~ /^(ports|same-names)$/ ? 'xml' : 'onnx', $kind, $count * $times);
        my ($status, $out, $err, $taken) = within($file, map { s/^FILE$/$file/r } @command);
        is($status, $wanted, "$kind, @command: " . $count * $times) or diag(substr $err, 0, 1000);
        like($err, $message, 'the message') if $message;
        push @taken, $taken;
    }
    ok($taken[1] <= 10 * $taken[0] + 150, "four times as many: $taken[0] and $taken[1] ms");
}

linear('elements', 2000, 1, undef, 'lint', 'FILE');
linear('elements', 2000, 0, undef, @$_) for ['infer', 'FILE', '-o', 'out.onnx'], ['convert', 'FILE', '--opset', 14, '-o', 'out.onnx'];
linear('dims',     2000, 0, undef, @$_) for ['infer', 'FILE', '-o', 'out.onnx'], ['convert', 'FILE', '--opset', 14, '-o', 'out.onnx'];
linear($_, 4000, 0, undef, 'infer', 'FILE', '-o', 'out.onnx') for qw(defaults parameters arguments);
linear('references', 2000, 0, undef, 'infer', 'FILE', '-o', 'out.onnx');

# ---- what is repeated ----

my @to11 = ('--opset', 11, '-o', 'out.onnx');
within(flood('onnx', 'long-name', 200000), 'convert', 'flood.onnx', @to11);
ok(-s 'out.onnx' < 2 * -s 'flood.onnx', 'a long name is no part of new names') or diag(-s 'out.onnx');
linear('einsum', 50000, 1, qr/cannot be converted to opset 11/, 'convert', 'FILE', @to11);
linear('replaced', 10, 0, undef, 'convert', 'FILE', '--opset', 17, '-o', 'out.onnx');
flood('onnx', 'taps', 5000);
my $taps = qx('$opshift' convert flood.onnx --opset 9 -o out.onnx 2>&1);
is($? >> 8, 1, 'nodes of many others');
like($taps, qr/^opshift: flood.onnx: the nodes that replace others would take more than \d+ bytes, 64 times the file; convert the model to an opset nearer to its own$/m, 'the message');
linear('uncalled', 3000, 1, undef, 'lint', 'FILE');
linear('uncalled', 3000, 0, undef, 'convert', 'FILE', '--opset', 14, '-o', 'out.onnx');
linear('dim-name', 300, 0, undef, 'show', 'FILE');
refused(flood('onnx', 'ranks', 3000), 3, qr/^opshift: flood.onnx: the inferred value infos take more than \d+ bytes, 16 times the file: .*; shorten them$/m, 'infer', 'flood.onnx', '-o', 'out.onnx');
refused(flood('onnx', 'lengths', 3000), 3, qr/^opshift: flood.onnx: node \d+ \(Split\): the dims and lengths of this and the Splits before it are more numbers than the file has bytes; use show --nodes$/m, 'show', 'flood.onnx');
for my $format ('json', 'c') {
    refused(flood('onnx', 'outputs', 5000), 0, qr/5000 outputs/, 'export', 'flood.onnx', '--to', 'directml', '-f', $format, '-o', 'out.json');
    refused(flood('onnx', 'outputs', 100000), 1, qr/node 0 \(Split\): this and the Splits before it have too many outputs: their descriptions take more than 64 times the file; export them in parts/,
        'export', 'flood.onnx', '--to', 'directml', '-f', $format, '-o', 'out.json');
}

# ---- names that are made ----

linear('layers', 5000, 1, qr/no counterpart of Det/, 'export', 'FILE', '--to', 'openvino', '-o', 'out.xml');
linear('ports', 10000, 0, undef, 'import', 'FILE', '--opset', 18, '-o', 'out.onnx');
linear('same-names', 4000, 0, undef, 'import', 'FILE', '--opset', 18, '-o', 'out.onnx');

write_file('after.onnx', scalar qx($^X '$srcdir/tests/cli/floods.pl' inside 3000 2000));
my ($status, $out) = within(flood('onnx', 'inside', 3000), 'diff', 'flood.onnx', 'after.onnx');
is($status, 1, 'diff: nodes inside one of a long name');
ok(length $out < 1000000, 'which is cut: ' . length $out);
linear('unknown', 2000, 1, undef, 'lint', '--fix', '-o', 'out.onnx', 'FILE');
linear('axes', 2000, 1, undef, 'lint', '--fix', '-o', 'out.onnx', 'FILE');
linear('constructs', 4000, 1, undef, 'lint', 'FILE');
refused(flood('onnx', 'concat', 8000), 1, qr/node 0 \(Concat\): the dims of its inputs and of those before it would take more than 48 times the model's file in an IR/, 'export', 'flood.onnx', '--to', 'openvino', '-o', 'out.xml');

# ---- what is computed ----

my $steps = qr/computing takes more than the limit of 6000000000 steps; raise it with --max-steps/;
refused(flood('onnx', 'empty-rows', 1), 3, qr/node 0 \(Normalizer\): $steps/, 'run', 'flood.onnx', '--random');
refused(flood('onnx', 'circle', 1000), 3, qr/node 0 \(TreeEnsemble\): a tree is a circle/, 'run', 'flood.onnx', '--random');
refused(flood('onnx', 'circle', 100000), 3, qr/node 0 \(TreeEnsemble\): $steps/, 'run', 'flood.onnx', '--random');
refused(flood('onnx', 'words', 650, 100), 0, qr/int64/, 'run', 'flood.onnx', '--random');
refused(flood('onnx', 'words', 650, 50000), 3, qr/node 0 \(LabelEncoder\): $steps/, 'run', 'flood.onnx', '--random');

# ---- files beside models ----

write_file('plain.onnx', scalar qx($^X '$srcdir/tests/cli/floods.pl' layers 1));
write_file('many.yaml', "targets: [" . join(', ', ('onnxruntime-cpu') x 60000) . "]\n");
refused('plain.onnx', 2, qr/^opshift: 60000 targets are named; at most 64 may be$/m, 'lint', '--config', 'many.yaml', 'plain.onnx');
write_file('same.yaml', "targets: [" . join(', ', ('onnxruntime-cpu') x 64) . "]\n");
is((within('plain.onnx', 'lint', '--config', 'same.yaml', 'plain.onnx'))[0], (within('plain.onnx', 'lint', '--target', 'onnxruntime-cpu', 'plain.onnx'))[0], 'a target that is named again is read once');
write_file('empty.json', '');
refused('plain.onnx', 2, qr/^opshift: empty.json: no baseline: it is empty; write one with --update-baseline$/m, 'lint', '--baseline', 'empty.json', 'plain.onnx');
write_file('nul.npy', "\x93NUMPY\x01\0\x46\0{'descr': '<f4\0', 'fortran_order': False, 'shape': (2, 2), }" . ' ' x 9 . "\n" . "\0" x 16);
refused('plain.onnx', 3, qr/^opshift: nul.npy: /m, 'run', 'plain.onnx', '--input', 'x=nul.npy', '-o', 'out');
done_testing;
