#!/bin/sh
# Failing writes: full disks, limits on file sizes, read-only directories, outputs that are
# closed, full, or not read any more; and concurrent writers.
. "${srcdir:-.}/tests/cli/tap.sh"

cat >net.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 11] >
net (float[N, 6] x) => (float[N, 2] a, float[N, 4] b) { a, b = Split <axis = -1, split = [2, 4]> (x) }
MODEL
run assemble net.txt -o net.onnx
# An unknown field of 3,000,000 bytes.
{ cat net.onnx && printf '\302\076\300\215\267\001' && head -c 3000000 /dev/zero | tr '\0' x; } >large.onnx
run convert large.onnx --opset 18 -o good.onnx
is 0 "$status" "a large model"
size=$(wc -c <good.onnx)

# unharmed DIRECTORY WHAT: only the old file is there.
unharmed() {
    is "old" "$(cat "$1/out.onnx")" "$2: the old file stays"
    is "out.onnx" "$(ls -A "$1")" "$2: no temporary file is left"
}

# ---- no room ----
mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=1m tmpfs disk 2>/dev/null; then
    trap 'umount "$work/disk"; chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
    echo old >disk/out.onnx
    run convert large.onnx --opset 18 -o disk/out.onnx
    is 4 "$status" "a full disk: exit status 4"
    like "opshift: disk/out.onnx: cannot be written: No space left on device; free some space, or write elsewhere" "$err" \
        "a full disk: in these words"
    unharmed disk "a full disk"
    run lint net.onnx -f json=disk/out.onnx
    is 0 "$status" "a report that fits is written"
    echo old >disk/out.onnx
    head -c 2000000 /dev/zero >disk/filler 2>/dev/null
    run lint net.onnx -f json=disk/out.onnx
    is 4 "$status" "a full disk, a report: exit status 4"
    like "No space left on device" "$err" "a full disk, a report: it says why"
    rm disk/filler
    unharmed disk "a full disk, a report"
    head -c 2000000 /dev/zero >disk/filler 2>/dev/null
    run convert net.onnx --opset 18 -o disk/out.onnx
    is 4 "$status" "a full disk, a small model: exit status 4"
    rm disk/filler
    unharmed disk "a full disk, a small model"
    TMPDIR=$work/disk "$opshift" convert large.onnx --opset 18 -o - >piped.onnx 2>err
    is 4 $? "standard output wants room for a temporary file"
    like "No space left on device" "$(cat err)" "which is told"
    is "" "$(cat piped.onnx)" "and nothing comes out"
    umount disk
    trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
else
    skip "a full disk" "mounting a small one is not allowed here"
fi

# ---- a limit on the size of files ----
echo old >disk/out.onnx
status=0
(ulimit -f 1 && exec "$opshift" convert large.onnx --opset 18 -o disk/out.onnx) >/dev/null 2>err || status=$?
is 4 "$status" "a limit on the size of files: exit status 4"
is "opshift: disk/out.onnx: cannot be written: File too large; raise the limit on the size of files" "$(cat err)" \
    "a limit on the size of files: in these words"
unharmed disk "a limit on the size of files"

# ---- a read-only directory ----
chmod 755 "$work" && chmod 644 ./*.onnx
chmod 555 disk
if [ "$(id -u)" != 0 ]; then
    as_nobody() { "$@"; }
elif command -v setpriv >/dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
    as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
fi
if command -v as_nobody >/dev/null && as_nobody "$opshift" --version >/dev/null 2>&1; then
    status=0
    as_nobody "$opshift" convert net.onnx --opset 18 -o disk/new.onnx >/dev/null 2>err || status=$?
    is 4 "$status" "a read-only directory: exit status 4"
    like "opshift: disk/new.onnx: cannot be written: Permission denied; check the directory and its permissions, or write elsewhere" \
        "$(cat err)" "a read-only directory: in these words"
    status=0
    as_nobody "$opshift" lint net.onnx -f json=disk/new.json >/dev/null 2>err || status=$?
    is 4 "$status" "a read-only directory, a report: exit status 4"
    like "Permission denied" "$(cat err)" "a read-only directory, a report: it says why"
    chmod 000 net.onnx
    for command in "show" "lint" "convert --opset 18 -o -" "run --random"; do
        status=0
        as_nobody "$opshift" $command net.onnx >out 2>err || status=$?
        is 4 "$status" "$command, of a model that may not be read: exit status 4"
        like "may not be read; check its permissions" "$(cat out err)" "$command: in these words"
    done
    chmod 644 net.onnx
    unharmed disk "a read-only directory"
else
    skip "a directory that may not be written" "there is no way to be somebody else here"
fi
chmod 755 disk

# ---- standard output ----
for command in "show net.onnx" "show net.onnx --text" "lint net.onnx" "lint net.onnx -f json" "convert net.onnx --opset 18 -o -" \
    "convert net.onnx --opset 18 -o other.onnx" "verify net.onnx net.onnx" "diff net.onnx large.onnx" "run net.onnx --random --shape N=2" \
    "explain SPL001" "rules list" "help" "--version"; do
    rm -f other.onnx
    wanted=4
    if [ -e /dev/full ]; then
        "$opshift" $command >/dev/full 2>err
        is $wanted $? "$command, to a full device: exit status 4"
        like "^opshift: .*No space left on device" "$(cat err)" "$command, to a full device: it says why"
    fi
    "$opshift" $command >&- 2>err
    is $wanted $? "$command, to nowhere: exit status 4"
    like "^opshift: .*\(Bad file descriptor\|cannot be written\)" "$(cat err)" "$command, to nowhere: it says why"
done
mkfifo pipe
for command in "show net.onnx" "lint net.onnx -f json" "convert large.onnx --opset 18 -o -"; do
    (
        exec 3<>pipe # so that opening does not block
        exec 4>pipe 3<&-
        "$opshift" $command >&4 2>err
        echo $? >status
    )
    is 4 "$(cat status)" "$command, to who has gone: exit status 4"
    is "" "$(cat err)" "$command, to who has gone: nobody is left to be told"
done
is "" "$(find . -name '.*.opshift')" "no temporary file is left"

# ---- descriptors closed at the start: no file gets the number of one ----
"$opshift" convert net.onnx --opset 18 -o want.onnx >/dev/null 2>&1
for closed in '0<&-' '1>&-' '2>&-' '0<&- 2>&-' '0<&- 1>&- 2>&-'; do
    rm -f got.onnx report.json
    eval "\"\$opshift\" convert net.onnx --opset 18 -o got.onnx --report report.json 2>said $closed"
    cmp -s want.onnx got.onnx
    ok $? "with $closed the model is what it always is"
    perl -MJSON::PP -e 'local $/; open my $f, "<", "report.json" or exit 1; decode_json(<$f>)'
    ok $? "with $closed the report is nothing but the report"
done
rm -f want.onnx got.onnx report.json

# ---- concurrent writers ----
for opset in 13 14 15 16 17 18; do
    "$opshift" convert large.onnx --opset $opset -o want-$opset.onnx >/dev/null
done
for round in 1 2 3; do
    for opset in 13 14 15 16 17 18; do
        "$opshift" convert large.onnx --opset $opset -o disk/out.onnx >/dev/null 2>>errors &
    done
    wait
    whole=no
    for opset in 13 14 15 16 17 18; do
        cmp -s want-$opset.onnx disk/out.onnx && whole=yes
    done
    is yes $whole "six that write to one place, round $round: one of them is there, whole"
done
is "" "$(cat errors)" "none of them minds the others"
is "out.onnx" "$(ls -A disk)" "nothing else is left"
is "$size" "$(wc -c <good.onnx)" "and what was not written to is as it was"
done_testing
