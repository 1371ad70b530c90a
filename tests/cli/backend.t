#!/bin/sh
# ONNX's own backend test cases, of any release: all cases whose operators have kernels pass, unchanged and converted.
. "${srcdir:-.}/tests/cli/tap.sh"

data=${OPSHIFT_TESTDATA:-/usr/share/libonnx-testdata/data}
[ -d "$data/node" ] || skip_all "Debian's libonnx-testdata is not installed"

# Cases whose data a later release of ONNX corrected: what their model's text holds, how they fail, and why. wrong.pl reads
# the results of `opshift test`; it prints "wrong CASE: REASON" for each of these, and "failed CASE: MESSAGE" for others.
cat >wrong.pl <<'SCRIPT'
use strict;
use warnings;
my $differs = qr/ is \S+, expected /;
my @wrong = (
    [qr/= AveragePool <(?=.*ceil_mode = 1)(?=.*dilations)/, $differs, 'a window beyond the padding was divided by too much'],
    [qr/int8\[.*= QLinearMatMul /s, qr/ is (-128|127), expected /, 'int8 wrapped around instead of saturating'],
    [qr/= LpNormalization /, qr/ is 0, expected -?nan /, '0 was divided by a norm of 0'],
    [qr/= Attention <.*qk_matmul_output_mode = 1/, qr/^output 'qk_matmul_output': /, 'another intermediate result was put out'],
    [qr/= Attention <.*softcap/, $differs, 'the soft cap came after the mask'],
    [qr/= Attention <.*kv_num_heads = (\d+), q_num_heads = (?!\1\b)/, $differs, 'grouped heads came in another order'],
    [qr/\[\d+, (\d+), \d+, \d+\] Q, \w+\[\d+, (?!\1,).*= Attention /s, $differs, 'grouped heads came in another order'],
);
while (<STDIN>) {
    my ($case, $directory) = /^not ok \d+ - ((\S+).*)/ or next;
    my ($message) = <STDIN> =~ /^# (.*)/;
    my $text = qx{"$ENV{opshift}" show --text "$directory/model.onnx"};
    my ($reason) = map { $_->[2] } grep { $text =~ $_->[0] && $message =~ $_->[1] } @wrong;
    print $reason ? "wrong $case: $reason\n" : "failed $case: $message\n";
}
SCRIPT
export opshift

# passes WHAT END ARGUMENT...: no case fails but those whose data was wrong; what ends with END is counted as skipped.
passes() {
    what=$1 end=$2
    shift 2
    run test -r "$@"
    perl wrong.pl <.out >failures
    is "" "$(grep '^failed' failures)" "$what: no case fails"
    sed -n "s/^wrong \(.*$end\): /\1: /p" failures >wrong
    while read -r line; do
        skip "${line%%: *}" "data that a later release corrected: ${line#*: }"
    done <wrong
    is "$([ -s failures ] && echo 1 || echo 0)" "$status" "$what: exit status"
}

passes "as they are" "" "$data"
passed=$(sed -n 's/^# \([0-9]*\) passed.*/\1/p' .out)
ok "$((passed < 1053))" "at least 1053 cases ran ($passed)"
is "" "$(grep '# SKIP' .out | grep -vE 'has no kernel for (Bernoulli|RandomUniformLike|ImageDecoder|RegexFullMatch|ai\.onnx\.preview\.training\.[A-Za-z]*) at|\(Dropout\): drops elements at random in training|\(Cast(Like)?\): .* ONNX does not say what becomes of it')" \
    "skipped are training, images, regular expressions, what draws numbers, and what ONNX leaves open"

for opset in 13 18 21; do
    passes "converted to opset $opset" " at opset $opset" "$data/node" "$data/simple" --convert $opset
done

done_testing
