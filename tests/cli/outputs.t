#!/bin/sh
# All output files of a command are known before the first is written: no two are the same file, and none is a file
# that is read and must stay, by any path. All are written in the same way.
. "${srcdir:-.}/tests/cli/tap.sh"

mkdir in out
cat >in/net.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[2] x) => (float[2] y) < float[2] w = ["location": "w.bin"] > { y = Add (x, w) }
MODEL
run assemble in/net.txt -o in/net.onnx
printf '\0\0\200\077\0\0\0\100' >in/w.bin
ln -s out link
same="are the same file"
two="option '--output' and option '--report' $same"

# ---- external data of the model ----
copy="the copy of external data 'w.bin' $same"
fails 2 "convert: option '--output' and $copy, 'out/w.bin'; name another one" "the model where its data goes" \
    convert in/net.onnx --opset 14 -o out/w.bin
fails 2 "convert: option '--output' and $copy, 'link/./w.bin'; name another one" "by another path" \
    convert in/net.onnx --opset 14 -o link/./w.bin
fails 2 "convert: option '--report' and $copy, 'out/w.bin'; name another one" "a report where data goes" \
    convert in/net.onnx --opset 14 -o out/o.onnx --report out/w.bin
is "" "$(ls -A out)" "nothing is written"
run convert in/net.onnx --opset 14 -o out/o.onnx --report out/r.json
is 0 "$status" "each in a place of its own"
run convert in/net.onnx --opset 14 -o out/o.onnx --report out/r.json
is 0 "$status" "and once more over these"
ln out/w.bin out/hard.json
fails 2 "convert: option '--report' and $copy, 'out/hard.json'; name another one" "a hard link to where data goes" \
    convert in/net.onnx --opset 14 -o out/o.onnx --report out/hard.json
run convert in/net.onnx --opset 14 -o out/w.json --report out/W.bin --external-data keep
is 0 "$status" "other names are others, where the file system tells cases apart"
run convert in/net.onnx --opset 14 -o out/case.json --report out/Case.json --external-data keep
is "0 " "$status $(ls -A out | grep '^\.')" "two that are to be made, too; the file that tried it is gone"
rm -f out/[cC]ase.json

# ---- two outputs ----
for path in out/o.onnx out/./o.onnx out//o.onnx out/../out/o.onnx link/o.onnx ./out/new.onnx; do
    file=out/${path##*/}
    fails 2 "convert: $two, '$file'; name another one" "the report in the model's place: $path" \
        convert in/net.onnx --opset 14 -o "$file" --report "$path"
done
ln -s o.onnx out/soft.json
fails 2 "convert: $two, 'out/o.onnx'; name another one" "a link to it" \
    convert in/net.onnx --opset 14 -o out/o.onnx --report out/soft.json
fails 2 "convert: option '--output' and option '--report' both go to standard output; name a file for one" "standard output twice" \
    convert in/net.onnx --opset 14 -o - --report -
status=0
"$opshift" convert in/net.onnx --opset 14 -o - --report redirected >redirected 2>err || status=$?
is "2 opshift: convert: $two, '-'; name another one" "$status $(cat err)" "standard output that is the file"
is "" "$(cat redirected)" "nothing is written there"
mkfifo pipe
fails 2 "convert: $two, 'pipe'; name another one" "one pipe for both" convert in/net.onnx --opset 14 -o pipe --report ./pipe
run convert in/net.onnx --opset 14 -o /dev/null --report /dev/null
is 0 "$status" "a device takes what comes"
for first in a ./a; do
    fails 2 "lint: option '--format json' and option '--format sarif' $same, '$first'; name another one" "two formats in $first" \
        lint in/net.onnx -f json=$first -f sarif=a
done
fails 2 "lint: option '--format json' and option '--format json' $same, 'a'; name another one" "one format twice" \
    lint in/net.onnx -f json=a -f json=a
fails 2 "lint: option '--format json' and the baseline $same, 'a'; name another one" "a report in the baseline's place" \
    lint in/net.onnx -f json=a --baseline ./a --update-baseline
fails 2 "lint: option '--output' and option '--format json' $same, 'a'; name another one" "a report in the fixed model's place" \
    lint in/net.onnx --fix -o a -f json=./a
fails 2 "lint: option '--output' and option '--format json' both go to standard output; name a file for one" \
    "the fixed model and a report" lint in/net.onnx --fix -o - -f json=-
[ ! -e a ]
ok $? "none of them is written"

# ---- inputs ----
printf '{"version": 1, "findings": []}\n' >known.json
fails 2 "lint: option '--format json' and the baseline $same, './known.json'; name another one" "the baseline that is read" \
    lint in/net.onnx -f json=./known.json --baseline known.json
echo 'fail-level: error' >config.yaml
fails 2 "lint: option '--format json' and the configuration $same, 'config.yaml'; name another one" "the configuration" \
    lint in/net.onnx -f json=config.yaml --config ./config.yaml
printf 'in/net.onnx\0' >list
fails 2 "lint: option '--format json' and option '--files0-from' $same, 'list'; name another one" "the list of models" \
    lint --files0-from list -f json=list
run run in/net.onnx --random -o x.npz
cp x.npz x.keep
fails 2 "run: option '--output' and option '--input' $same, './x.npz'; name another one" "an input's archive" \
    run in/net.onnx --input x=x.npz -o ./x.npz
cmp -s x.npz x.keep
ok $? "which stays"
mkdir values
run run in/net.onnx --random -o values
fails 2 "run: output 'y' and option '--input' $same, './values/y.npy'; name another one" "an input in the directory of outputs" \
    run in/net.onnx --input x=values/y.npy -o ./values
cat >like.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[2] x) => (float[2] "w.bin") < float[2] w = ["location": "w.bin.npy"] > { "w.bin" = Add (x, w) }
MODEL
run assemble like.txt -o like.onnx
cp in/w.bin w.bin.npy
fails 2 "run: output 'w.bin' and external data 'w.bin.npy' of like.onnx $same, './w.bin.npy'; name another one" \
    "an output where external data is" run like.onnx --random -o .
cmp -s w.bin.npy in/w.bin
ok $? "which stays"

run verify in/net.onnx in/net.onnx --report -
is 0 "$status" "a certificate on standard output"
is "{" "$(printf '%s\n' "$out" | head -n 1)" "which has nothing else"

# ---- one way of writing ----
echo old >kept.json
chmod 640 kept.json
run lint in/net.onnx -f json=kept.json
is "0 640" "$status $(stat -c %a kept.json)" "a report keeps the permissions of what was there"
chmod 600 kept.json
run verify in/net.onnx in/net.onnx --report kept.json
is "0 600" "$status $(stat -c %a kept.json)" "so does a certificate"
if setfattr -n user.label -v precious kept.json 2>/dev/null; then
    run convert in/net.onnx --opset 14 -n --report kept.json
    is "0 precious" "$status $(getfattr --only-values -n user.label kept.json)" "and attributes of the user"
else
    skip "and attributes of the user" "this file system has no attributes of the user, or setfattr is not here"
fi
if [ "$(id -u)" = 0 ]; then
    chown 12345:54321 kept.json
    run lint in/net.onnx -f sarif=kept.json
    is "0 12345:54321" "$status $(stat -c %u:%g kept.json)" "and the owner"
else
    skip "and the owner" "only root gives files away"
fi
(umask 027 && "$opshift" lint in/net.onnx -f json=fresh.json)
is 640 "$(stat -c %a fresh.json)" "a new one goes by the umask"
ln -s kept.json behind.json
run lint in/net.onnx -f json=behind.json
[ -L behind.json ]
ok $? "what a link names is replaced, not the link"
ln -s nothing dangling.json
fails 4 "dangling.json: is a dangling symbolic link; remove it, or write elsewhere" "a link to nothing" \
    lint in/net.onnx -f json=dangling.json
fails 4 "in: is a directory; name a file in it" "a directory" lint in/net.onnx -f json=in
is "" "$(find . -name '*.opshift')" "no temporary file is left"
done_testing
