#!/bin/sh
# The installed tree: man pages, and programs built against it.
. "${srcdir:-.}/tests/cli/tap.sh"

# Users do not link with a build with sanitizers or without a shared library.
library=$builddir/.libs/libopshift.so
[ -e "$library" ] || skip_all "built without a shared library"
command -v pkg-config >/dev/null || skip_all "pkg-config is not here"

unset MAKEFLAGS MAKELEVEL MFLAGS
make -s -C "$builddir" install DESTDIR="$work/root" >"$work/install.log" 2>&1
ok $? "make install"
prefix=$(sed -n 's/^prefix = //p' "$builddir/Makefile")
archive=
[ -e "$builddir/.libs/libopshift.a" ] && archive=lib/libopshift.a
# Where the loader searches is said by ldconfig, which is none here; $loader notes what is asked of it.
loader=$work/loader
mkdir path && printf '#!/bin/sh\n[ $# = 0 ] && echo renewed >>%s\necho "/somewhere/lib: (from /etc/ld.so.conf:1)"\n' "$loader" >path/ldconfig
printf '#!/bin/sh\necho "${user:-0}"\n' >path/id && chmod +x path/*
# renewed WANTED WHAT VARIABLE...: does the end of an installation with these variables renew the loader's cache?
renewed() {
    wanted=$1 what=$2
    shift 2
    rm -f "$loader"
    PATH=$work/path:$PATH make -s -C "$builddir" install-exec-hook "$@" >hook.log 2>&1
    is "0 $wanted" "$? $(cat "$loader" 2>/dev/null)" "$what"
}
renewed "renewed" "root, into a directory that the loader searches: its cache is renewed" libdir=/somewhere/lib
renewed "" "into another directory: not" libdir=/somewhere/library
renewed "" "into a copy of the root: not" libdir=/somewhere/lib DESTDIR="$work/root"
user=1000
export user
renewed "" "not root: not" libdir=/somewhere/lib
unset user
for file in bin/opshift libexec/opshift-ort include/opshift.h include/opshift/directml_structs.h $archive lib/libopshift.so lib/pkgconfig/opshift.pc \
    share/man/man1/opshift.1 share/man/man1/opshift-convert.1 share/bash-completion/completions/opshift \
    share/zsh/site-functions/_opshift share/fish/vendor_completions.d/opshift.fish; do
    [ -e "$work/root$prefix/$file" ]
    ok $? "$file is installed"
done

PKG_CONFIG_PATH=$work/root$prefix/lib/pkgconfig
PKG_CONFIG_SYSROOT_DIR=$work/root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
flags=$(pkg-config --cflags --libs opshift)
ok $? "opshift.pc is understood"
if [ -z "$archive" ]; then
    PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH pkg-config --cflags --libs opshift >/dev/null
    ok $? "the shared library alone needs no other library's development files"
fi

LD_LIBRARY_PATH=$work/root$prefix/lib
export LD_LIBRARY_PATH
"$work/root$prefix/bin/opshift" assemble "$tests/models/sample.txt" -o sample.onnx
ok $? "the installed command runs"
out=$("$work/root$prefix/bin/opshift" run sample.onnx --random --shape N=4 --engine onnxruntime --ort /absent.so 2>&1)
is "opshift: sample.onnx: ONNX Runtime cannot be loaded: /absent.so: cannot open shared object file: No such file or directory" \
    "$out" "it finds its helper program"
for source in "$srcdir"/examples/*.c; do
    name=$(basename "$source" .c)
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror "$source" -o "$name" $flags 2>build.log
    ok $? "examples/$name.c builds against the installed tree"
    sed 's/^/# /' build.log
done
./show sample.onnx >show.json
ok $? "the example show runs"
./convert sample.onnx 18 converted.onnx >convert.log
ok $? "the example convert runs"
./walk sample.onnx >walk.txt && grep -q '^Split: ' walk.txt
ok $? "the example walk runs"
is "nodes in the way: 0" "$(./plan sample.onnx 18 | tail -n 1)" "the example plan runs"
is "" "$(./lint sample.onnx)" "the example lint finds no error in the sample"
./verify sample.onnx 18 verified.onnx >verify.json
ok $? "the example verify runs"
cmp converted.onnx verified.onnx
ok $? "both examples write the same model"
./pieces sample.onnx 18 | cmp - converted.onnx
ok $? "the example pieces, too"
run convert sample.onnx --opset 18 -o command.onnx
cmp converted.onnx command.onnx
ok $? "so does the command"

# The library finds its helper program relative to its own path.
cat >engine.c <<'SOURCE'
#include <opshift.h>
#include <stdio.h>
int main(void)
{
    struct opshift_run_options options = {.size = sizeof options, .engine = "onnxruntime", .ort = "/absent.so"};
    struct opshift_error error = {0};
    char *version = NULL;
    opshift_engine_version(&options, &version, &error);
    puts(error.text);
    return 0;
}
SOURCE
# shellcheck disable=SC2086
${CC:-cc} -std=c11 engine.c -o engine $flags
is "ONNX Runtime cannot be loaded: /absent.so: cannot open shared object file: No such file or directory" "$(./engine)" \
    "a program that is linked with the library finds the helper"

# A C++ program can include the header.
printf '#include <opshift.h>\nint main() { return opshift_version() == nullptr; }\n' >plus.cc
if command -v c++ >/dev/null; then
    # shellcheck disable=SC2086
    c++ -Wall -Wextra -Werror plus.cc -o plus $flags && ./plus
    ok $? "a C++ program builds and runs"
else
    skip "a C++ program builds and runs" "no C++ compiler"
fi

if command -v mandoc >/dev/null; then
    is "" "$(mandoc -Tlint -Wwarning "$work/root$prefix"/share/man/man1/*.1 2>&1 | grep -v 'missing date' || true)" \
        "mandoc finds nothing wrong with the man pages"
else
    skip "mandoc finds nothing wrong with the man pages" "mandoc is not here"
fi

make -s -C "$builddir" uninstall DESTDIR="$work/root" >"$work/uninstall.log" 2>&1
is "" "$(find "$work/root" -type f)" "make uninstall leaves nothing"

done_testing
