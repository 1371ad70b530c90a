#!/usr/bin/env perl
# Runs tests as `prove -j JOBS -e ''` does, and lists before its summary what was skipped and why: run.pl JOBS TEST...
use strict;
use warnings;
use TAP::Harness;
use TAP::Parser::Aggregator;

my ($jobs, @tests) = @ARGV;
my %skipped;    # the number of tests, by file and reason
my $harness = TAP::Harness->new({jobs => $jobs, exec => []});
$harness->callback(
    made_parser => sub {
        my ($parser, $job) = @_;
        my $count = sub { $skipped{$job->[0]}{$_[0]->explanation}++ if $_[0]->has_skip };
        $parser->callback($_ => $count) for qw(plan test);
    }
);
my $aggregate = TAP::Parser::Aggregator->new;
$aggregate->start;
$harness->aggregate_tests($aggregate, @tests);
$aggregate->stop;
print_skipped();
$harness->formatter->summary($aggregate);
exit($aggregate->has_problems ? 1 : 0);

sub print_skipped {
    print %skipped ? "Skipped, and why:\n" : "Skipped: nothing\n";
    for my $test (sort keys %skipped) {
        my ($parser) = $aggregate->parsers($test);
        for my $reason (sort keys %{$skipped{$test}}) {
            my $part = $parser->skip_all ? '' : "$skipped{$test}{$reason} of " . $parser->tests_run . ' tests: ';
            print '  ', $test =~ s{^\.\./}{}r, ": $part$reason\n";
        }
    }
}
