#!/bin/sh
# Archives of inputs that are larger than they seem, or inconsistent.
. "${srcdir:-.}/tests/cli/tap.sh"
perl -MCompress::Raw::Zlib -e 1 2>/dev/null || skip_all "Perl has no Compress::Raw::Zlib"

archive() {
    perl "$tests/cli/npz.pl" "$@"
}
"$opshift" assemble - -o net.onnx <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
g (float[N] x, float[M] y) => (float[K] z) { z = Concat <axis = 0> (x, y) }
MODEL

archive x:5 y:7 >both.npz
run run net.onnx -i both.npz
is "0 z  float[12]  0, 0, 0, 0, 0, 0, ..." "$status $out" "two deflated entries are read"
fails 2 "both.npz: the archive has more than one entry; give it without a name, so that each entry goes by its own" \
    "two entries for one name" run net.onnx -i x=both.npz

archive x:5 y:7=0 >shared.npz
fails 3 "shared.npz: the .npz archive is damaged: two entries have the same bytes" "two entries of one member" \
    run net.onnx -i shared.npz
archive x:5 x:7 >twice.npz
fails 3 "twice.npz: the .npz archive is damaged: two entries are called 'x'" "a name that is there twice" run net.onnx -i twice.npz

# A hundred entries of 60 MB each, from one member of 60 KB.
archive x:15000000 $(i=0; while [ $i -lt 100 ]; do echo "x$i:1=0"; i=$((i + 1)); done) >bomb.npz
[ "$(wc -c <bomb.npz)" -lt 120000 ]
ok $? "an archive of a hundred KB"
fails 3 "bomb.npz: the .npz archive is damaged: two entries have the same bytes" "that would unpack to 6 GB" run net.onnx -i bomb.npz

# Valid, but highly compressed: the user decides.
archive x:10000000 y:10000000 >large.npz
bytes=$(wc -c <large.npz)
fails 3 "large.npz: unpacks to more than 64 MiB from $bytes bytes; if that is meant, allow it with --max-memory" \
    "what unpacks a thousandfold" run net.onnx -i large.npz
run run net.onnx -i large.npz --max-memory 500
is "0 z  float[20000000]  0, 0, 0, 0, 0, 0, ..." "$status $out" "with --max-memory it is read"
fails 3 "large.npz: entry 'y': takes the inputs to more than 70 MiB of memory; raise the limit with --max-memory" \
    "and that is a limit of all inputs" run net.onnx -i large.npz --max-memory 70
archive x:10000000 >x.npz
archive y:10000000 >y.npz
fails 3 "y.npz: entry 'y': takes the inputs to more than 70 MiB of memory; raise the limit with --max-memory" \
    "of several files too" run net.onnx -i x.npz -i y.npz --max-memory 70
perl -e 'print "\x93NUMPY\x01\x00", pack("v", 118), sprintf("%-117s", "{q(descr): 1}"), "\n", "\0" x 2000000' >x.npy
fails 3 "x.npy: takes the inputs to more than 1 MiB of memory; raise the limit with --max-memory" "and of plain files" \
    run net.onnx -i x=x.npy --max-memory 1

# An entry with a wrong size.
perl -e 'local $/; binmode STDOUT; open my $f, "<", "both.npz"; $_ = <$f>; my $at = rindex $_, "PK\1\2"; substr($_, $at + 24, 4) = pack "V", 100; print' >less.npz
fails 3 "less.npz: entry 'y': the .npz archive is damaged: an entry does not unpack" "more than an entry says" run net.onnx -i less.npz
perl -e 'local $/; binmode STDOUT; open my $f, "<", "both.npz"; $_ = <$f>; my $at = rindex $_, "PK\1\2"; substr($_, $at + 24, 4) = pack "V", 4e9; print' >more.npz
fails 3 "more.npz: unpacks to more than 64 MiB from $(wc -c <more.npz) bytes; if that is meant, allow it with --max-memory" \
    "a size that nothing is behind" run net.onnx -i more.npz
run run net.onnx -i more.npz --max-memory 8000
like "^opshift: more.npz: entry 'y': claims 4000000000 bytes, more than [0-9]* packed ones can hold or are read$" "$err" \
    "which is not believed either where memory is allowed"
done_testing
