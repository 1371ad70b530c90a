#!/bin/sh
# Repeated parts of a file: four times as many take about four times as long, not sixteen times.
. "${srcdir:-.}/tests/cli/tap.sh"
grep -q fsanitize "$builddir/Makefile" && skip_all "slow under sanitizers, which find nothing here that others do not"

# seconds COMMAND...: processor time in ms, in $taken.
seconds() {
    taken=$(perl -e 'open STDOUT, ">/dev/null"; open STDERR, ">&STDOUT" or die; system @ARGV; my @times = times; open my $out, ">", ".taken" or die; printf $out "%d", 1000 * ($times[2] + $times[3])' "$@" && cat .taken)
}

for kind in attributes calls constants dims dims-of-one equal-names graphs initializers inputs operators outputs reads value-infos; do
    perl "$tests/cli/many.pl" $kind 5000 >few.onnx
    perl "$tests/cli/many.pl" $kind 20000 >many.onnx
    for command in 'show' 'lint' 'convert --opset 13 -o out.onnx' 'infer -o out.onnx'; do
        set -- $command
        verb=$1
        shift
        seconds "$opshift" "$verb" few.onnx "$@"
        few=$taken
        seconds "$opshift" "$verb" many.onnx "$@"
        echo "# $kind, $verb: $few and $taken ms"
        [ "$taken" -le $((few * 10 + 150)) ]
        ok $? "$kind, $verb: four times as many"
    done
done
done_testing
