#!/usr/bin/perl
# Every allocation fails once, and then all from there on: the command reports it, and leaves the old file or the new
# one.
# Of many allocations, each run takes every n-th, from another start each day, so that all are covered in turn.
# OPSHIFT_FAULT_TURN=N sets the start; OPSHIFT_FAULT_ALL=1 takes all of them.
use strict;
use warnings;
use File::Basename qw(dirname);
use lib dirname(__FILE__);
use Fault;
use Test::More;

my $turn = $ENV{OPSHIFT_FAULT_TURN} // int(time / 86_400);
my $most = $ENV{OPSHIFT_FAULT_ALL} ? 1e9 : $ENV{OPSHIFT_FAULT_MOST} // 24;

# The calls that fail in this run: at most `wanted`, and all over the turns.
sub places {
    my ($count, $wanted) = @_;
    my $stride = int(($count + $wanted - 1) / $wanted) || 1;
    my @places;
    for (my $at = $turn % $stride + 1; $at <= $count; $at += $stride) { push @places, $at }
    return @places;
}

my $before = fresh();
sub faults_are_told {
    my ($name, $wanted, @arguments) = @_;
    my ($total, @wrong) = (0);
    for my $onwards (0, 1) {
        local $Fault::opshift = $onwards || $opshift =~ /again/ ? $opshift : "$builddir/tests/fault/thin";
        my ($runs, @found) = sweep($name, \@arguments, 'memory', error_of('ENOMEM'),
            { before => $before, places => sub { places($_[0], $onwards ? $wanted / 4 : $wanted) }, onwards => $onwards,
                # libxml2 loses what it had of an element when its list of open elements cannot grow.
                $name =~ /OpenVINO|\bIR$/ ? (loads => 1, may_leak => 2) : () });
        $total += $runs;
        push @wrong, map { ($onwards ? 'onwards: ' : 'once: ') . $_ } @found;
    }
    ok(!@wrong && $total > 0, "$name: $total faults, turn $turn");
    diag($_) for @wrong;
}

# Commands in addition to those in files.t, which write files.
my @more = (
    ['convert up, most verbs',     qw(convert kinds.onnx --opset 21 -o new.onnx)],
    ['convert down, most verbs',   qw(convert kinds21.onnx --opset 9 -o new.onnx)],
    ['convert up from far below',  qw(convert old5.onnx --opset 13 -o new.onnx -v)],
    ['convert down, floats',       qw(convert scales.onnx --opset 7 -o new.onnx)],
    ['convert, refused',           qw(convert kinds21.onnx --opset 1 --dry-run -f json)],
    ['convert --how-far',          qw(convert kinds.onnx --how-far)],
    ['convert, sequences',         qw(convert loops.onnx --split-sequences --opset 18 -o new.onnx)],
    ['convert, to sequences',      qw(convert net.onnx --split-sequences to-sequence --opset 13 -o new.onnx)],
    ['convert with own rules',     qw(convert net.onnx --opset 18 --rules mine --freeze-initializers -o new.onnx)],
    ['convert, verified by runs',  qw(convert kinds.onnx --opset 13 --verify --engine builtin --draws 1 -o new.onnx)],
    ['lint, much is found',        qw(lint faulty.onnx)],
    ['lint of many kinds',         qw(lint kinds.onnx loops.onnx old5.onnx -j 1 -f ndjson)],
    ['lint --to',                  qw(lint kinds21.onnx --to 9 -f github)],
    ['lint --target',              qw(lint loops.onnx --target onnxruntime-cpu -f junit)],
    ['lint with a configuration',  qw(lint faulty.onnx --config lint.yaml -f sarif)],
    ['lint --fix, much is found',  qw(lint faulty.onnx --fix --fail-level never -o new.onnx)],
    ['lint --list-checks',         qw(lint --list-checks -f json)],
    ['lint --list-targets',        qw(lint --list-targets)],
    ['targets, whole',             qw(targets all)],
    ['targets, the page',          qw(targets --markdown opencv)],
    ['targets --check',            qw(targets --check kinds.onnx --target tract --target opencv@4.6)],
    ['verify as a page',           qw(verify net.onnx net18.onnx --report page.html)],
    ['verify, most verbs',         qw(verify kinds.onnx kinds21.onnx -f json)],
    ['verify with an engine',      qw(verify folded.onnx folded.onnx --engine builtin --draws 1)],
    ['run, loops',                 qw(run loops.onnx --random)],
    ['run, folded',                qw(run folded.onnx --random -o made)],
    ['show',                       qw(show kinds.onnx)],
    ['show as JSON',               qw(show in/net.onnx -f json)],
    ['show --nodes',               qw(show net.onnx --nodes)],
    ['show --nodes as JSON',       qw(show net.onnx --nodes -f json)],
    ['show --text, many kinds',    qw(show kinds21.onnx --text)],
    ['assemble, many kinds',       qw(assemble kinds.txt -o new.onnx)],
    ['diff, as JSON',              qw(diff kinds.onnx kinds21.onnx -f json)],
    ['test --convert',             qw(test -r cases --convert 18)],
    ['explain',                    qw(explain GRF001 SPL001)],
    ['explain --all',              qw(explain --all --markdown)],
    ['rules list',                 qw(rules list -f json)],
    ['rules list, own rules',      qw(rules list --rules mine)],
    ['rules check',                qw(rules check mine/opset-11/clip.yaml)],
    ['help',                       qw(help convert)],
);
for my $command (commands(@more)) {
    my ($name, @arguments) = @$command;
    faults_are_told($name, $most, @arguments);
}

# A repeated query of the library succeeds, and nothing of the first one is left.
$opshift = "$builddir/tests/fault/again";
faults_are_told('types, asked for again', 1000, 'alike.onnx');
done_testing();
