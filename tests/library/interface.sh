#!/bin/sh
# The binary interface of libopshift: its functions, and the sizes of its public structs.
# Prints the list in tests/library/interface.txt; sizes are those of a 64-bit machine.
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
