#!/usr/bin/perl
# Files that are truncated or replaced before each call while they are read: an error, or the
# result for the old or the new file, never a mixture.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Copy qw(copy);
use lib dirname(__FILE__);
use Fault;
use Test::More;

my $before = fresh();

# all_moments(ARGUMENTS, DEED): each run with its files, until no call is left.
sub all_moments {
    my ($arguments, $deed, $prepare) = @_;
    my @runs;
    for (my $at = 1; ; $at++) {
        $prepare->() if $prepare;
        my $done = run("any $at $deed", @$arguments);
        $done->{seen} = snapshot();
        $done->{at}   = $at;
        restore($before, $done->{seen});
        return @runs if !defined $done->{fired};
        push @runs, $done;
    }
}

sub judge {
    my ($what, $runs, $good) = @_;
    my @wrong = grep { !$good->($_) } @$runs;
    ok(@$runs && !@wrong, "$what: " . @$runs . ' moments');
    diag("before call $_->{at}, $_->{fired}: status $_->{status}, signal $_->{signal}: $_->{err}$_->{out}") for @wrong;
}

# ---- truncated ----
my $large = ['net.onnx', 'large.onnx', 'in/net.onnx', 'in/data/l.bin'];
for my $case (
    ['convert',               'large.onnx',    qw(convert large.onnx --opset 18 -o old.onnx)],
    ['lint',                  'large.onnx',    qw(lint large.onnx)],
    ['show',                  'large.onnx',    qw(show large.onnx)],
    ['diff',                  'large.onnx',    qw(diff large.onnx net.onnx)],
    ['verify',                'large.onnx',    qw(verify large.onnx net18.onnx)],
    ['convert, its data',     'in/data/l.bin', qw(convert in/net.onnx --opset 11 -o old.onnx)],
    ['run, its input',        'x.npy',         qw(run net.onnx --input x=x.npy)],
) {
    my ($what, $file, @arguments) = @$case;
    my $clean = run(undef, @arguments);
    my $after = snapshot();
    restore($before, $after);
    judge("$what: a file that is emptied", [all_moments(\@arguments, "cut=$file")], sub {
        my ($done) = @_;
        my $old  = $done->{seen}{'old.onnx'};
        return 0 if $done->{signal} || $old ne $before->{'old.onnx'} && $old ne $after->{'old.onnx'};
        return 1 if $done->{status} == $clean->{status} && $done->{out} eq $clean->{out} && $old eq $after->{'old.onnx'};
        return $done->{status} =~ /^[34]$/ && "$done->{err}$done->{out}" =~ /shrank|is empty|ends at byte|cut short|became shorter|has 0 bytes|changed while|ends|is no .npy file/;
    });
}

# ---- changed in place: the first bytes are read long before the last ones ----
my @poke = qw(convert large.onnx --opset 18 -o old.onnx);
my %results;
utime 0, 0, "$world/large.onnx";
for my $wish (undef, 'any 1 poke=large.onnx') {
    my $done = run($wish, @poke);
    die $done->{err} if $done->{status};
    $results{ read_file("$world/old.onnx") } = 1;
    restore($before, snapshot());
}
is(keys %results, 2, 'a file that is written to gives another result');
judge('convert: a model that is written to', [all_moments(\@poke, 'poke=large.onnx', sub { utime 0, 0, "$world/large.onnx" })], sub {
    my ($done) = @_;
    my $old = substr $done->{seen}{'old.onnx'}, 5;
    return $results{$old} if $done->{status} == 0;
    return $done->{status} == 4 && $old eq 'what was there'
        && $done->{err} eq "opshift: large.onnx: the file changed while it was read; try again when no program writes to it\n";
});

# ---- replaced by rename, as an exporter does ----
my $other = read_file("$world/net18.onnx");
for my $case (['lint', qw(lint net.onnx)], ['show', qw(show net.onnx --text)], ['convert', qw(convert net.onnx --opset 15 -o old.onnx)]) {
    my ($what, @arguments) = @$case;
    my %answers;
    for my $bytes (read_file("$world/net.onnx"), $other) {
        write_file("$world/net.onnx", $bytes);
        my $done = run(undef, @arguments);
        $answers{ join "\0", $done->{status}, $done->{out}, read_file("$world/old.onnx") } = 1;
        restore($before, snapshot());
    }
    judge("$what: a model that is replaced", [all_moments(\@arguments, 'swap=net.onnx:next.onnx', sub { write_file("$world/next.onnx", $other) })],
        sub { my ($done) = @_; return $answers{ join "\0", $done->{status}, $done->{out}, substr($done->{seen}{'old.onnx'}, 5) } });
    restore($before, snapshot());
}
done_testing();
