#!/usr/bin/perl
# Every allocation of show fails once, of a model whose weights lie in Constants: the command reports each.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Fault;
use Test::More;

my $before = fresh();
local $Fault::opshift = "$builddir/tests/fault/thin";
my ($runs, @found) = sweep('show', [qw(show constants.onnx)], 'memory', error_of('ENOMEM'),
    { before => $before, places => sub { return 1 .. $_[0] }, onwards => 0 });
ok(!@found && $runs > 100, "weights in Constants: $runs faults are reported");
diag($_) for @found;
done_testing();
