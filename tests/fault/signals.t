#!/usr/bin/perl
# A signal before each call to the file system. Killed, the command leaves the old file or the new one, and at
# most a temporary file with the known name; terminated, it cleans up and ends by that signal.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Fault;
use POSIX qw(SIGHUP SIGINT SIGKILL SIGTERM);
use Test::More;

my $stale = qr{(?:^|/)\.[^/]+\.[\w-]{6}\.opshift$};
my $named = qr{^to/(?:data$|data/l\.bin$|w\.bin$)|^made$|^made/};    # output before the model, also complete

# Each file is old or new; after SIGKILL a temporary file may be left.
sub wrong {
    my ($done, $before, $after, $number) = @_;
    my $seen = snapshot();
    my @allowed = $number == SIGKILL ? grep { $_ =~ $stale } keys %$seen : ();
    my %allowed = map { $_ => 1 } @allowed;
    my $why;
    for my $path (sort keys %$seen) {
        next if $allowed{$path} || grep { defined $_->{$path} && $_->{$path} eq $seen->{$path} } $before, $after;
        $why //= defined $before->{$path} || defined $after->{$path} ? "$path is neither the old file nor the new one" : "$path is left behind";
    }
    $why //= "$_ is gone" for grep { !defined $seen->{$_} && defined $after->{$_} } keys %$before;
    restore($before, $seen);
    $why //= "ended with status $done->{status}, signal $done->{signal}"
        if $done->{signal} != $number && !($number != SIGKILL && $done->{signal} == 0 && $done->{status} <= 1);
    return $why;
}

my $before = fresh();
for my $command (commands()) {
    my ($name, @arguments) = @$command;
    run(undef, @arguments);
    my $after = snapshot();
    restore($before, $after);
    my ($total, @wrong) = (0);
    for my $number (SIGKILL, SIGTERM, SIGINT, SIGHUP) {
        for (my $at = 1; ; $at++) {
            my $done = run("any $at signal=$number", @arguments);
            last if !defined $done->{fired};
            my $why = wrong($done, $before, $after, $number);
            push @wrong, "signal $number before call $at, $done->{fired}: $why: $done->{err}" if $why;
            $total++;
        }
        restore($before, snapshot());
    }
    ok(!@wrong && $total > 0, "$name: $total signals");
    diag($_) for @wrong;
}
# ---- repeated signals before each call: no files are left either ----
for my $command (commands()) {
    my ($name, @arguments) = @$command;
    my ($total, @wrong) = (0);
    for (my $at = 1; ; $at++) {
        my $done  = run("any $at+ signal=" . SIGTERM, @arguments);
        my $seen  = snapshot();
        my @stale = grep { $_ =~ $stale } keys %$seen;
        restore($before, $seen);
        last if !defined $done->{fired};
        $total++;
        push @wrong, "before call $at, $done->{fired}: @stale, signal $done->{signal}, status $done->{status}"
            if @stale || ($done->{signal} != SIGTERM && ($done->{signal} || $done->{status} > 1));
    }
    ok(!@wrong && $total > 5, "signal upon signal: $name: $total moments");
    diag($_) for @wrong;
}
done_testing();
