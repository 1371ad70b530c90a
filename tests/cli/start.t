#!/bin/sh
# What a start costs whatever the command does: each page of tables with addresses is corrected in every process, each name is
# looked for in one library after the other, and each question to the processor takes microseconds under a hypervisor.
. "${srcdir:-.}/tests/cli/tap.sh"
command -v readelf >/dev/null || skip_all "readelf is not here"
grep -q 'fsanitize' "$builddir/Makefile" && skip_all "a build with sanitizers is not what users get"

# Bytes that are written once, when the file is loaded.
corrected() { readelf -SW "$1" | sed -n 's/.* \.data\.rel\.ro  *PROGBITS  *[0-9a-f]*  *[0-9a-f]*  *\([0-9a-f]*\) .*/\1/p'; }
has_symbol() { readelf -sW "$1" | grep -qE " $2(@|\$)"; }

program=$builddir/opshift
is "ELF" "$(head -c 4 "$program" | tail -c 3)" "opshift is a program as it was built, no script that looks for one"
held=$(sed -n 's/^COMMAND_LIBS = //p' "$builddir/Makefile")
case " $held " in
*" -l"[!:]*) skip "the command holds its small libraries" "built without their archives" ;;
*)
    is "libc.so.6 libm.so.6" "$(readelf -dW "$program" | sed -n '/NEEDED/s/.*\[\(.*\)\].*/\1/p' | grep -v '^ld-' | tr '\n' ' ' | sed 's/ $//')" \
        "the command holds its small libraries, and asks the system for two"
    ;;
esac
for file in "$program" "$builddir/.libs/libopshift.so"; do
    name=$(basename "$file")
    [ -e "$file" ] || { skip "$name" "built without a shared library" && continue; }
    size=$((0x$(corrected "$file" | grep . || echo 0)))
    echo "# $size bytes"
    [ "$size" -gt 0 ] && [ "$size" -le 114688 ]
    ok $? "$name: tables with addresses are at most 112 KiB"
    first=$(readelf -dW "$file" | sed -n '/NEEDED/{s/.*\[\(.*\)\].*/\1/p;q;}')
    echo "# $first"
    case $first in libc.*) true ;; *) false ;; esac
    ok $? "$name: names are looked for in the C library first"
    if has_symbol "$file" __x86_get_cpuid_feature_leaf; then
        ! has_symbol "$file" __cpu_indicator_init
        ok $? "$name: does not ask the processor what the C library knows"
    else
        skip "$name" "it asks nothing, or this C library does not tell"
    fi
done
done_testing
