#!/usr/bin/perl
# Every allocation fails once, and then all from there on: the command says so, and leaves the old file or the new one.
# Of thousands, the first ones and then every so many; OPSHIFT_FAULT_ALL=1 in the environment tries them all. Where nodes
# are alike, much is remembered between them, and what computes lengths takes few: there each fails once.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Fault;
use Test::More;

my %step = (
    each    => sub { my ($at) = @_; return $at + 1 },
    once    => sub { my ($at) = @_; return $at + 1 + ($ENV{OPSHIFT_FAULT_ALL} || $at < 30 ? 0 : int $at / 8) },
    onwards => sub { my ($at) = @_; return $at + 1 + ($ENV{OPSHIFT_FAULT_ALL} ? 0 : int $at / 2) },
);
my $before = fresh();
sub faults_are_told {
    my ($name, $once, @arguments) = @_;
    my ($total, @wrong) = (0);
    for my $way ($once, 'onwards') {
        my ($runs, @found) = sweep($name, \@arguments, 'memory', error_of('ENOMEM'),
            { before => $before, step => $step{$way}, onwards => $way eq 'onwards' });
        $total += $runs;
        push @wrong, map { "$way: $_" } @found;
    }
    ok(!@wrong && $total > 0, "$name: $total faults");
    diag($_) for @wrong;
}

for my $command (commands()) {
    my ($name, @arguments) = @$command;
    faults_are_told($name, $name =~ /^convert, (?:lengths computed|nodes alike)/ ? 'each' : 'once', @arguments);
}

# Who asks the library once more gets the answer, and nothing of the first time stays.
$opshift = "$builddir/tests/fault/again";
faults_are_told('types, asked for again', 'each', 'alike.onnx');
done_testing();
