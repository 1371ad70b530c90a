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
        my $file = flood($kind eq 'ports' ? 'xml' : 'onnx', $kind, $count * $times);
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
done_testing;
