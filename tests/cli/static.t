#!/bin/sh
# The static command runs where there is no other file.
. "${srcdir:-.}/tests/cli/tap.sh"

grep -q '^COMMAND_LDFLAGS = .*-static' "$builddir/Makefile" || skip_all "built without --enable-static-command"
host=$(sed -n 's/^host_triplet = //p' "$builddir/Makefile")
readelf=$(command -v readelf) || skip_all "readelf is not here"

is "" "$($readelf -d "$opshift" | grep NEEDED)" "it needs no library"
is "" "$($readelf -l "$opshift" | grep INTERP)" "it needs no loader"

root=$work/root
mkdir "$root"
cp "$opshift" "$root/opshift"
cp "$tests/models/sample.txt" "$root/sample.txt"
# inside ARGUMENT...: runs it with the root directory that holds it alone; as root, or as a user in a namespace.
inside() {
    if [ "$(id -u)" = 0 ]; then
        chroot "$root" /opshift "$@"
    else
        unshare -r chroot "$root" /opshift "$@"
    fi
}
if ! inside --version >version 2>where; then
    case $host in
    $(uname -m)-*) ok 1 "it runs in an empty root directory: $(head -n 1 where)" ;;
    esac
    skip "in an empty root directory" "this machine cannot run $host in another root: $(head -n 1 where)"
    done_testing
    exit
fi
is "opshift" "$(cut -d ' ' -f 1 version)" "it runs in an empty root directory"
inside assemble sample.txt -o sample.onnx
ok $? "it makes a model"
inside convert sample.onnx --opset 18 -o sample-18.onnx --verify >log 2>&1
ok $? "it converts and verifies"
"$opshift" convert "$root/sample.onnx" --opset 18 -o outside.onnx >convert.log 2>&1
cmp "$root/sample-18.onnx" outside.onnx
ok $? "the same bytes come out"
inside verify sample.onnx sample-18.onnx --report certificate.json >log 2>&1
ok $? "it writes a certificate, which hashes both files"
inside run sample.onnx --random --shape N=4 >log 2>&1
ok $? "it runs a model"
inside export sample-18.onnx --to openvino --shape N=4 -o sample.xml >log 2>&1
[ -s "$root/sample.xml" ]
ok $? "it writes XML"
inside lint sample.xml >log 2>&1
ok $? "it reads XML"
inside lint -j 2 sample.onnx sample-18.onnx >log 2>&1
ok $? "it works in threads"
places=$(sed -n 's/^#define LIBEXEC_DIRECTORY "\(.*\)"/\1/p' "$builddir/lib/base/libexec.h")
is "opshift: sample.onnx: the program opshift-ort is missing: it is not beside this program nor in $places; install it, or name it in OPSHIFT_ORT_HELPER" \
    "$(inside run sample.onnx --random --shape N=4 --engine onnxruntime 2>&1)" "ONNX Runtime needs the helper program"
is "opshift: sample.onnx: ONNX Runtime cannot be loaded: /absent.so: cannot open shared object file: No such file or directory" \
    "$("$opshift" run "$root/sample.onnx" --random --shape N=4 --engine onnxruntime --ort /absent.so 2>&1 | sed "s|$root/||")" \
    "the helper program beside it loads libraries"

status=0
inside verify sample.onnx sample-18.onnx --shape N=4 --engine onnxruntime >said 2>&1 || status=$?
is "2 opshift: the program opshift-ort is missing: it is not beside this program nor in $places; install it, or name it in OPSHIFT_ORT_HELPER" \
    "$status $(tail -n 1 said)" "verify --engine onnxruntime needs it, too"
mkdir pair && cp "$opshift" "$builddir/opshift-ort" pair
runtime=$(. "$tests/cli/ort.sh" >/dev/null && echo "$OPSHIFT_ORT")
if [ -n "$runtime" ]; then
    env -i pair/opshift verify "$root/sample.onnx" "$root/sample-18.onnx" --shape N=4 --engine onnxruntime --ort "$runtime" >said 2>&1
    ok $? "verify --engine onnxruntime finds a helper beside the static file"
    sed 's/^/# /' said
else
    skip "verify --engine onnxruntime" "ONNX Runtime is not here; OPSHIFT_ORT can name its library"
fi

# image COMMAND ARGUMENT...: buildah, with all that it stores in $work.
image() {
    buildah --root "$work/store" --runroot "$work/state" --storage-driver vfs "$@" 2>>image.log
}
mkdir image && cp "$srcdir/packaging/oci/Containerfile" "$opshift" image
sh "$srcdir/packaging/licences" static >image/licences
if ! command -v buildah >/dev/null; then
    skip "it runs in a container image" "buildah is not here"
elif ! image build --isolation chroot -t opshift image >/dev/null; then
    skip "it runs in a container image" "buildah cannot build here: $(tail -n 1 image.log)"
else
    container=$(image from --pull-never opshift)
    is "$(cat version)" "$(image run --isolation chroot "$container" -- /opshift --version)" "it runs in a container image"
    image rm "$container" >/dev/null
fi
done_testing
