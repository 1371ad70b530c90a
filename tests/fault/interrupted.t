#!/usr/bin/perl
# Every call that a signal may interrupt is interrupted once: the result is the same, and no child process is left.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Fault;
use POSIX qw(mkfifo);
use Test::More;

my @kinds = qw(read write poll wait reserve splice sync close);
my $before = fresh();

# What a pipe gives, which a process of its own writes.
sub fed {
    my ($wish, $file, @arguments) = @_;
    my $writer = fork // die "fork: $!";
    if ($writer == 0) {
        my $bytes = read_file("$world/$file");
        select undef, undef, undef, 0.1;    # after the reader: it waits for the writer
        open my $pipe, '>', "$work/pipe" or POSIX::_exit(1);
        syswrite $pipe, $bytes;
        POSIX::_exit(0);
    }
    my $done = run($wish, @arguments);
    kill KILL => $writer;
    waitpid $writer, 0;
    return $done;
}

sub difference {
    my ($done, $clean, $seen, $after) = @_;
    return "took more than $Fault::patience seconds" if $done->{late};
    return "exit status $done->{status}, signal $done->{signal}" if $done->{status} != $clean->{status} || $done->{signal};
    return "$_ differs" for grep { $done->{$_} ne $clean->{$_} } qw(out err);
    return 'a child process is left' if $done->{children};
    return "$_ differs" for grep { ($seen->{$_} // '') ne ($after->{$_} // '') } sort keys %{ { %$seen, %$after } };
    return undef;
}

# interrupt_each(NAME, RUN, KIND...): RUN is called with a wish, once for each call of each kind.
my %met;
sub interrupt_each {
    my ($name, $run, @kinds) = @_;
    my $clean = $run->('any 0 0');
    my $after = snapshot();
    restore($before, $after);
    my ($total, @wrong) = (0);
    for my $kind (@kinds) {
        for (my $at = 1; ; $at++) {
            my $done = $run->("$kind $at " . error_of('EINTR'));
            my $seen = snapshot();
            restore($before, $seen);
            last if !defined $done->{fired};
            my $why = difference($done, $clean, $seen, $after);
            push @wrong, "$kind $at, $done->{fired}: $why: $done->{err}" if $why;
            $met{$done->{fired}}++;
            $total++;
        }
    }
    ok(!@wrong && $total > 0, "$name: $total interruptions");
    diag($_) for @wrong;
}

mkfifo("$work/pipe", 0600) or die "$work/pipe: $!";
for my $command (commands(
    ['convert what is large',         qw(convert large.onnx --opset 18 -o old.onnx)],
    ['run, external data',            qw(run in/net.onnx --random -o made)],
    ['lint into a device',            qw(lint net.onnx -f json=/dev/null)],
)) {
    my ($name, @arguments) = @$command;
    interrupt_each($name, sub { run($_[0], @arguments) }, @kinds);
}
interrupt_each('show a pipe', sub { fed($_[0], 'net.onnx', 'show', "$work/pipe") }, @kinds);

# ---- the helper program: it responds, exits, or exceeds its time ----
my $runtime = "$builddir/tests/fault/runtime.so";
my @helped = (qw(run net.onnx --random --shape N=2 --engine onnxruntime --ort), $runtime);
for my $case (['answers', '', [@kinds]], ['ends', 'end', [@kinds]], ['takes too long', 'hang', ['wait'], qw(--max-seconds 1)]) {
    my ($name, $deed, $interrupted, @more) = @$case;
    local $ENV{OPSHIFT_RUNTIME} = $deed;
    interrupt_each("a helper that $name", sub { run($_[0], @helped, @more) }, @$interrupted);
}
for my $function ($ENV{OPSHIFT_FAULT_ONLY} ? () : qw(pread read pwrite write poll waitpid send recv fsync close)) {
    ok($met{$function}, "$function was interrupted");
}
done_testing();
