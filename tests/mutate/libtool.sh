#!/bin/sh
# Compiles and links in libtool's place, without its cost: for mutate.pl. A library is a shared one, and its .la names it to
# the linker, so that a change of the library links no program again.
while :; do
    case $1 in
    --mode=compile) shift && exec "$@" ;;
    --mode=link) shift && break ;;
    *) shift ;;
    esac
done
out=
option=
for argument; do
    shift
    case $option in
    -o) out=$argument ;;
    '') case $argument in
        -o | -rpath | -version-info | -export-symbols-regex) option=$argument && continue ;;
        -no-undefined) ;;
        *) set -- "$@" "$argument" ;;
        esac ;;
    esac
    option=
done
case $out in
*.la)
    library=$PWD/${out%.la}.so
    "$@" -shared -Wl,-soname,"$library" -o "$library" && echo "INPUT($library)" >"$out"
    ;;
*) exec "$@" -o "$out" ;;
esac
