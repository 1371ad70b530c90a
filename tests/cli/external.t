#!/bin/sh
# External data: read only below the model's directory, and copied along to another directory.
. "${srcdir:-.}/tests/cli/tap.sh"

cat >net.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[6] x) => (float[2] a, float[4] b)
< int64[2] l = ["location": "data/l.bin"], float[6] w = ["location": "a..b"] >
{ y = Add (x, w) a, b = Split <axis = 0> (y, l) }
MODEL
mkdir -p in/data
run assemble net.txt -o in/net.onnx
printf '\002\000\000\000\000\000\000\000\004\000\000\000\000\000\000\000' >in/data/l.bin
head -c 24 /dev/zero >in/a..b
before=$(cksum in/data/l.bin in/a..b)

# ---- policies ----
run convert in/net.onnx --opset 11 -o in/out.onnx
is 0 "$status" "strict: a file below the directory is read"
mv in/data/l.bin in/data/there.bin
ln -s there.bin in/data/l.bin
run convert in/net.onnx --opset 11 -o in/out.onnx
is 3 "$status" "strict: a link is not"
like "external data 'data/l.bin': the path contains a link, which is not followed; put the file itself there, or choose \
--external-policy inside" "$err" "strict: in these words"
run convert in/net.onnx --opset 11 -o in/out.onnx --external-policy inside
is 0 "$status" "inside: a link that stays inside is read"
ln -sf "$work/in/data/there.bin" in/data/l.bin
run convert in/net.onnx --opset 11 -o in/out.onnx --external-policy inside
is 0 "$status" "inside: also an absolute one"
mv in/data/there.bin outside.bin
ln -sf ../../outside.bin in/data/l.bin
for policy in inside hf-cache; do
    run convert in/net.onnx --opset 11 -o in/out.onnx --external-policy $policy
    is 3 "$status" "$policy: a link that leads out is not"
    like "a link leads out of the model's directory; it is not followed" "$err" "$policy: in these words"
done
rm in/data/l.bin
mv outside.bin in/data/l.bin
run convert in/net.onnx --opset 11 -o in/out.onnx --external-policy none
is 3 "$status" "none: nothing is read"
like "external data, which the external policy 'none' does not allow to be read" "$err" "none: in these words"

# lint, convert and run have the same policy: what one of them refuses is refused by the others.
mv in/data in/real
ln -s real in/data
said="external data 'data/l.bin': the path contains a link, which is not followed; put the file itself there, or choose \
--external-policy inside"
run lint in/net.onnx --ignore EXT014
is 1 "$status" "lint: a directory that is a link is an error"
like "^in/net.onnx: error: tensor 'l': $said .EXT019 link-refused.$" "$out" "lint: in these words"
run convert in/net.onnx --opset 11 -o in/out.onnx
is 3 "$status" "convert: it is refused"
like "$said" "$err" "convert: in the same words"
run run in/net.onnx --random
is 3 "$status" "run: too"
like "$said" "$err" "run: in the same words"
run lint in/net.onnx --external-policy inside
is 0 "$status" "inside: lint warns"
like "external data 'data/l.bin' is behind a symbolic link; put the file itself there .EXT006 link.$" "$out" "inside: of the link"
run run in/net.onnx --random --external-policy inside
is 0 "$status" "inside: run follows it"
rm in/data
mv in/real in/data
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
    for command in 'lint in/net.onnx' 'convert in/net.onnx --opset 14 -o in/out.onnx' 'show in/net.onnx' \
        'verify in/net.onnx in/net.onnx' 'diff in/net.onnx in/net.onnx' 'convert in/net.onnx --opset 14 -o none.onnx'; do
        # shellcheck disable=SC2086
        strace -f -e trace=file -o trace "$opshift" $command --external-policy none >/dev/null 2>&1
        is "" "$(grep -e 'in/data' -e 'in/a\.\.b' trace)" "none: external data is not touched: $command"
    done
else
    skip "none: external data is not touched" "strace is not here, or may not trace"
fi

# ---- a duplicate key: readers differ in which one counts ----
printf '\002\000\000\000\000\000\000\000\004\000\000\000\000\000\000\000' >in/data/m.bin
for pair in 'location data/m.bin' 'offset 0' 'length 16'; do
    key=${pair% *} value=${pair#* }
    sed "s|\"location\": \"data/l.bin\"|\"location\": \"data/l.bin\", \"offset\": \"0\", \"length\": \"16\", \"$key\": \"$value\"|" net.txt >twice.txt
    run assemble twice.txt -o in/twice.onnx
    fails 3 "in/twice.onnx: node 1 (Split): initializer 'l': external data: $key is given twice; it is not known which one \
counts; remove one of them" "$key twice" run in/twice.onnx --random -o made
    run lint in/twice.onnx --select EXT011
    is 1 "$status" "$key twice: lint finds an error, too"
    like "^in/twice.onnx: error: tensor 'l': external data: the key '$key' is given twice, and readers differ in which one \
counts; write it once .EXT011 key-twice.$" "$out" "$key twice: in these words"
done

# ---- locations that are not file names ----
long=$(printf '%05000d' 0)
sed "s|data/l.bin|$long|" net.txt >long.txt
run assemble long.txt -o in/long.onnx
run lint in/long.onnx --select EXT
is 1 "$status" "lint: a location that is too long is an error"
like "^in/long.onnx: error: tensor 'l': external data: its location has 5000 bytes, and at most 4095 are read; give the file \
a shorter name .EXT020 location-unreadable.$" "$out" "lint: in these words"
run run in/long.onnx --random
is 3 "$status" "run: it is refused"
perl -pe 's|data/l.bin|data/l\0bin|' <in/net.onnx >in/nul.onnx
run lint in/nul.onnx --select EXT
is 1 "$status" "lint: a location with a NUL is an error"
like "^in/nul.onnx: error: tensor 'l': external data: its location contains a NUL character; write a valid file name \
.EXT020 location-unreadable.$" "$out" "lint: in these words"
run run in/nul.onnx --random
is 3 "$status" "run: it is refused, too"

# Hugging Face's cache: snapshots/REVISION holds links to blobs.
mkdir -p cache/blobs cache/snapshots/main/data cache/other
cp in/data/l.bin cache/blobs/1234
cp in/net.onnx cache/blobs/5678
ln -s ../../../blobs/1234 cache/snapshots/main/data/l.bin
ln -s ../../blobs/5678 cache/snapshots/main/net.onnx
cp in/a..b cache/snapshots/main/a..b
said="cache/snapshots/main/net.onnx: \(.*: \)\{0,1\}external data 'data/l.bin': the path contains a link, which is not followed; put \
the file itself there, or choose --external-policy hf-cache"
for policy in strict inside; do
    run lint cache/snapshots/main/net.onnx --external-policy $policy
    like "^cache/snapshots/main/net.onnx: error: tensor 'l': external data 'data/l.bin': the path contains a link, which is not \
followed; put the file itself there, or choose --external-policy hf-cache .EXT019 link-refused.$" "$out" "$policy: lint names hf-cache"
    run convert cache/snapshots/main/net.onnx --opset 11 -o hf.onnx --external-policy $policy
    is 3 "$status" "$policy: convert refuses it"
    like "^opshift: $said$" "$err" "$policy: convert names hf-cache, and the model"
    run convert cache/snapshots/main/net.onnx --opset 14 -o hf.onnx --external-policy $policy
    like "^opshift: $said$" "$err" "$policy: and so where only the copy fails"
    run run cache/snapshots/main/net.onnx --random --external-policy $policy
    like "^opshift: $said$" "$err" "$policy: run names hf-cache"
done
run lint cache/snapshots/main/net.onnx --external-policy hf-cache --select EXT006
is "0 1 file checked: 0 errors, 0 warnings, 0 notes" "$status $out" "hf-cache: lint has nothing against a link to a blob"
run convert cache/snapshots/main/net.onnx --opset 11 -o hf.onnx --external-data keep --external-policy hf-cache
is 0 "$status" "hf-cache: a link to a blob is followed"
run convert cache/snapshots/main/net.onnx --opset 11 -o hf.onnx --external-data keep --external-policy inside
is 3 "$status" "inside: it is not"
mkdir cache/blobs/deep
cp in/data/l.bin cache/blobs/deep/1234
ln -sf ../../../blobs/deep/1234 cache/snapshots/main/data/l.bin
run convert cache/snapshots/main/net.onnx --opset 11 -o hf.onnx --external-data keep --external-policy hf-cache
is 3 "$status" "hf-cache: nor one to anything but a blob"

# ---- into another directory ----
mkdir to
run convert in/net.onnx --opset 14 -o to/net.onnx
is 0 "$status" "copy: the default"
cmp -s in/data/l.bin to/data/l.bin && cmp -s in/a..b to/a..b
ok $? "copy: the files go along, their directories too"
is "$before" "$(cksum in/data/l.bin in/a..b)" "copy: the input's are as they were"
is "a..b data net.onnx" "$(cd to && echo $(ls -A))" "copy: nothing else is there"
run convert in/net.onnx --opset 14 -o to/net.onnx
is 0 "$status" "copy: what is there already, and the same, stays"

printf 'something else, as long.' >to/a..b
cp to/net.onnx old.onnx
run convert in/net.onnx --opset 15 -o to/net.onnx
is 1 "$status" "copy: never over what differs"
is "opshift: to/net.onnx: to/a..b: exists already and differs from the model's external data; remove it, write elsewhere, or \
keep the external data" "$err" "copy: in these words"
cmp -s old.onnx to/net.onnx
ok $? "copy: and the model stays the old one"
is "something else, as long." "$(cat to/a..b)" "copy: what was there is as it was"
rm -r to/data
run convert in/net.onnx --opset 15 -o to/net.onnx
is "a..b net.onnx" "$(cd to && find . -type f | sed s,^..,, | sort | xargs)" "copy: what came before the refusal goes again"
rm -r to

mkdir to elsewhere
ln -s ../elsewhere to/data
run convert in/net.onnx --opset 14 -o to/net.onnx
is 3 "$status" "copy: no link is followed on the way"
is "" "$(ls -A elsewhere)" "copy: nothing is written outside"
is "data" "$(ls -A to)" "copy: nothing is left behind"
rm -r to

mkdir to
run convert in/net.onnx --opset 14 -o to/net.onnx --external-data link
is 0 "$status" "link"
[ in/a..b -ef to/a..b ] && [ ! -L to/a..b ]
ok $? "link: it is a hard link"
rm -r to

mkdir to
run convert in/net.onnx --opset 14 -o to/net.onnx --external-data keep
is 0 "$status" "keep"
is "net.onnx" "$(ls -A to)" "keep: only the model goes"
like "external data is not copied; put the files that lie beside in/net.onnx beside it too" "$err" "keep: the user is told"
rm -r to

mkdir to
rm in/a..b
run convert in/net.onnx --opset 14 -o to/net.onnx
is 0 "$status" "a file that is not beside the model cannot go along"
is "opshift: to/net.onnx: external data 'a..b' is missing and was not copied; put it beside the new model" "$err" \
    "which is told"

escape=$(printf '\033')
sed "s/a\.\.b/$escape[31mb/" net.txt >steers.txt
run assemble steers.txt -o in/steers.onnx
run convert in/steers.onnx --opset 14 -o to/net.onnx
is "opshift: to/net.onnx: external data '\x1b[31mb' is missing and was not copied; put it beside the new model" "$err" \
    "what steers a terminal is shown"

# ---- holes are kept, permissions are not widened ----
rm -rf holes to && mkdir holes to
cp in/net.onnx holes
cp -r in/data holes
truncate -s 3G holes/a..b
chmod 600 holes/a..b
printf x | dd of=holes/a..b bs=1 seek=1500000000 conv=notrunc 2>/dev/null
if [ "$(stat -c %b holes/a..b)" -lt 2048 ]; then
    run convert holes/net.onnx --opset 14 -o to/net.onnx
    is 0 "$status" "a sparse file of 3 GB goes along"
    [ "$(stat -c %b to/a..b)" -lt 2048 ]
    ok $? "and is as sparse"
    is "$(stat -c '%s %a' holes/a..b)" "$(stat -c '%s %a' to/a..b)" "as long, and for nobody else to read"
    cmp -s -i 1499999990 -n 20 holes/a..b to/a..b
    ok $? "with what it holds"
    run convert holes/net.onnx --opset 14 -o to/net.onnx
    is 0 "$status" "what is there already is compared, but for the holes"
    printf y | dd of=to/a..b bs=1 seek=2500000000 conv=notrunc 2>/dev/null
    run convert holes/net.onnx --opset 14 -o to/net.onnx
    is 1 "$status" "and refused where it differs"
    sed 's/"location": "a..b"/"location": "a..b", "checksum": "d8de8b5d2b4c1a4c64bf3e5a2cb1a36f5e0af5a1"/' net.txt >hollow.txt
    run assemble hollow.txt -o holes/net.onnx
    rm -r to && mkdir to
    run convert holes/net.onnx --opset 14 -o to/net.onnx
    is 3 "$status" "a checksum of 3 GB of nothing is not computed"
    is "opshift: holes/net.onnx: external data 'a..b': its checksum is not compared, for of its 3221225472 bytes hardly any are on \
the disk; fetch the file again, or keep the external data where it is" "$err" "convert: in these words"
    run lint holes/net.onnx --select EXT015
    like "external data 'a..b': its checksum is not compared, for of its 3221225472 bytes hardly any are on the disk" "$out" \
        "lint: in the same words"
    cat >solid.txt <<'MODEL'
<ir_version: 8, opset_import: ["" : 13]>
solid () => (float[N] y) <float[800000000] w = ["location": "a..b"]> { y = Identity (w) }
MODEL
    run assemble solid.txt -o holes/solid.onnx
    fails 3 "holes/solid.onnx: node 0 (Identity): initializer 'w': external data 'a..b': of its 3221225472 bytes hardly any are \
on the disk; it is not read; fetch the file again" "3 GB of nothing is not read into memory" run holes/solid.onnx --max-memory 8192
    truncate -s 900M holes/lean
    sed 's/a..b/lean/; s/800000000/200000000/' solid.txt >lean.txt
    run assemble lean.txt -o holes/lean.onnx
    fails 3 "holes/lean.onnx: node 0 (Identity): initializer 'w': external data 'lean': of its 943718400 bytes hardly any are \
on the disk; it is not read; fetch the file again" "nor are 900 MB" run holes/lean.onnx --max-memory 8192
else
    skip "a sparse file of 3 GB goes along" "this file system has no holes"
fi
rm -rf holes to

# ---- checksums: SHA-1 of the whole file ----
rm -rf sums to && mkdir sums to
sed 's/"location": "a..b"/"location": "w.bin", "checksum": "D8DE8B5D2B4C1A4C64BF3E5A2CB1A36F5E0AF5A1"/; s,data/,,' \
    net.txt >sums.txt
run assemble sums.txt -o sums/net.onnx
head -c 24 /dev/zero >sums/w.bin
cp in/data/l.bin sums/l.bin
run convert sums/net.onnx --opset 14 -o to/net.onnx
is 3 "$status" "copy: a file that is damaged is not passed on"
is "opshift: sums/net.onnx: external data 'w.bin': its SHA-1 is d3399b7262fb56cb9ed053d68db9291c410839c4, but the model's \
checksum is d8de8b5d2b4c1a4c64bf3e5a2cb1a36f5e0af5a1; fetch the file again, or keep the external data where it is" "$err" \
    "copy: in these words"
is "" "$(ls -A to)" "copy: nothing is left"
run convert sums/net.onnx --opset 14 -o to/net.onnx --external-data keep
is 0 "$status" "keep: it is not read"
sed 's/D8DE8B5D2B4C1A4C64BF3E5A2CB1A36F5E0AF5A1/d3399b7262fb56cb9ed053d68db9291c410839c4/' sums.txt >right.txt
run assemble right.txt -o sums/net.onnx
run convert sums/net.onnx --opset 14 -o to/net.onnx
is 0 "$status" "copy: a file that is whole is"
run lint sums/net.onnx --select EXT015
is 0 "$status" "lint: its checksum is right"
printf x >>sums/w.bin
run lint sums/net.onnx --select EXT015
is 1 "$status" "lint: a changed file is found"

# ---- files that the model reads are not overwritten ----
rm -rf in && mkdir -p in/data
run assemble net.txt -o in/net.onnx
printf '\002\000\000\000\000\000\000\000\004\000\000\000\000\000\000\000' >in/data/l.bin
head -c 24 /dev/zero >in/a..b
ln in/a..b in/hard.npz
ln -s a..b in/soft
cp net.txt in/net.txt
before=$(cd in && cksum net.onnx net.txt data/l.bin a..b)
# lost OPTION NAME PLACE: the message about an output that would overwrite external data.
lost() {
    echo "$1 and external data '$2' of in/net.onnx are the same file, '$3'; name another one"
}
for place in in/data/l.bin in/./a..b in/hard.npz in/soft; do
    name=a..b
    [ $place != in/data/l.bin ] || name=data/l.bin
    fails 2 "convert: $(lost "option '--output'" $name $place)" "convert -o ${place#in/}" \
        convert in/net.onnx --opset 14 -o "$place"
    fails 2 "convert: $(lost "option '--output'" $name $place)" "convert -o ${place#in/}, external data left alone" \
        convert in/net.onnx --opset 14 -o "$place" --external-data keep
done
fails 2 "convert: $(lost "option '--output'" a..b in/./a..b)" "convert -o, a policy that looks at nothing" \
    convert in/net.onnx --opset 14 -o in/./a..b --external-policy none
for place in in/net.onnx in/a..b; do
    said=$(lost "option '--report'" a..b $place)
    [ $place != in/net.onnx ] ||
        said="option '--report' and the model in/net.onnx are the same file, 'in/net.onnx'; name another one"
    fails 2 "convert: $said" "convert --report ${place#in/}" \
        convert in/net.onnx --opset 14 -o new.onnx --report "$place"
    fails 2 "verify: $said" "verify --report ${place#in/}" \
        verify in/net.onnx in/net.onnx --report "$place"
done
fails 2 "run: $(lost "option '--output'" a..b in/hard.npz)" "run -o" run in/net.onnx --random -o in/hard.npz
fails 2 "lint: option '--format json' and one of the models are the same file, 'in/net.onnx'; name another one" "lint -f json=FILE" \
    lint in/net.onnx -f json=in/net.onnx
fails 2 "assemble: option '--output' and the text are the same file, 'in/./net.txt'; name another one" "assemble -o" \
    assemble in/net.txt -o in/./net.txt
fails 2 "lint: $(lost "option '--format json'" a..b in/a..b)" "lint -f json=" lint in/net.onnx -f json=in/a..b
fails 2 "lint: $(lost "option '--format sarif'" a..b in/a..b)" "lint -f sarif= of many" lint in/net.onnx new.onnx in/data/l.bin -j 2 -f sarif=in/a..b
fails 2 "lint: $(lost "option '--format json'" a..b in/a..b)" "lint --fix -f json=" lint in/net.onnx --fix -f json=in/a..b
printf '{"version": 1, "findings": []}\n' >in/data/l.bin
fails 2 "lint: $(lost "the baseline" data/l.bin in/data/l.bin)" \
    "lint --update-baseline" lint in/net.onnx --update-baseline --baseline in/data/l.bin
printf '\002\000\000\000\000\000\000\000\004\000\000\000\000\000\000\000' >in/data/l.bin
is "$before" "$(cd in && cksum net.onnx net.txt data/l.bin a..b)" "all of them are as they were"
run convert in/net.onnx --opset 14 -o in/net.onnx
is 0 "$status" "the model itself may be converted where it lies"

# All external data is protected, wherever its tensor is; also behind an invalid tensor.
cat >everywhere.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13, "f" : 1] >
net (float[6] x, bool k) => (float[6] y)
{
  bad = Constant <value = float[6] = ["location": "../x"]> ()
  c = Constant <value = float[6] = ["location": "constant.bin"]> ()
  s = Constant <sparse_value = sparse_tensor(float[6]) {float[2] = ["location": "values.bin"], int64[2] = ["location": "indices.bin"]}> ()
  z = If (k) <then_branch = t () => (float[6] d) { d = Constant <value = float[6] = ["location": "branch.bin"]> () },
              else_branch = e () => (float[6] g) { g = Identity (c) }>
  y = f.own (z)
}
<domain: "f", opset_import: ["" : 13]>
own (a) => (b) { w = Constant <value = float[6] = ["location": "function.bin"]> () b = Add (a, w) }
MODEL
run assemble everywhere.txt -o everywhere.onnx
is 0 "$status" "tensors everywhere"
for place in constant values indices branch function; do
    echo precious >$place.bin
    said="and external data '$place.bin' of everywhere.onnx are the same file, '$place.bin'; name another one"
    fails 2 "convert: option '--output' $said" "a tensor in a $place" convert everywhere.onnx --opset 14 -o $place.bin
    fails 2 "lint: option '--format json' $said" \
        "a tensor in a $place, lint" lint everywhere.onnx -f json=$place.bin
done
is "precious" "$(cat constant.bin values.bin indices.bin branch.bin function.bin | uniq)" "they are as they were"
grep -v 'bad =' everywhere.txt >all-named.txt
run assemble all-named.txt -o all-named.onnx
mkdir all-named
run convert all-named.onnx --opset 14 -o all-named/net.onnx
is "branch.bin constant.bin function.bin indices.bin net.onnx values.bin" "$(ls all-named | tr '\n' ' ' | sed 's/ $//')" \
    "all of them go into another directory with the model"
# A malformed field in the first tensor does not hide later ones.
perl -e 'local $/; open my $f, "<", "everywhere.onnx"; my $d = <$f>; $d =~ s/\x08\x06\x10\x01/\x08\x06\x50\x01/; print $d' >odd.onnx
said="and external data 'branch.bin' of odd.onnx are the same file, 'branch.bin'; name another one"
fails 2 "lint: option '--format json' $said" \
    "behind a broken one" lint odd.onnx -f json=branch.bin
done_testing
