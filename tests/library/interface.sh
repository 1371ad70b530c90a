#!/bin/sh
# What a program that is linked with libopshift relies on: the functions, and the size of each struct that is laid open to it.
# Prints the list that tests/library/interface.txt keeps; a struct's size is that of a machine with 64 bits.
set -eu
header=$(cd "$(dirname "$0")/../.." && pwd)/lib/opshift.h
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names() {
    perl -0777 -ne "s{/\\*.*?\\*/}{}gs; print \"\$1\\n\" while /$1/g" "$header" | LC_ALL=C sort
}

{
    printf '#include <stdio.h>\n#include "%s"\nint main(void)\n{\n' "$header"
    for struct in $(names 'struct\s+(opshift_\w+)\s*\{'); do
        printf 'printf("struct %s %%zu\\n", sizeof(struct %s));\n' "$struct" "$struct"
    done
    printf 'return 0;\n}\n'
} >"$work/sizes.c"
names 'OPSHIFT_API[^;{]*?\b(opshift_\w+)\s*\(' | sed 's/^/function /'
${CC:-cc} -std=c11 "$work/sizes.c" -o "$work/sizes"
"$work/sizes"
