#!/bin/sh
# Numbers have a decimal point in locales with a comma, too.
. "${srcdir:-.}/tests/cli/tap.sh"

comma=
# with_comma: a locale that writes 0,5; made here if the system has none.
with_comma() {
    for name in $(locale -a 2>/dev/null | grep -E '^(de|fr|es|it|nl|pl|cs|ru)_.*[uU][tT][fF]') de_DE.UTF-8; do
        if [ "$(LC_ALL=$name locale decimal_point 2>/dev/null)" = , ]; then
            comma=$name
            return 0
        fi
    done
    mkdir -p locales
    localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8 >localedef.log 2>&1 || true
    LOCPATH=$work/locales
    export LOCPATH
    comma=de_DE.UTF-8
    [ "$(LC_ALL=$comma locale decimal_point 2>/dev/null)" = , ]
}
with_comma || skip_all "there is no locale with a comma, and none can be made"

cat >net.txt <<'MODEL'
< ir_version: 8, opset_import: ["" : 13] >
net (float[2] x) => (float[2] y)
< float[2] w = {1.5, -2.25e-3} >
{
    c = LeakyRelu <alpha = 0.125> (x)
    d = Mul (c, w)
    e = Constant <value_floats = [0.5, 1.5]> ()
    y = Add (d, e)
}
MODEL

# both COMMAND...: the same output in both locales.
both() {
    "$opshift" "$@" >plain.out 2>plain.err
    plain=$?
    LC_ALL=$comma "$opshift" "$@" >comma.out 2>comma.err
    is "$plain" "$?" "$1: exit status $plain"
    cmp plain.out comma.out && cmp plain.err comma.err
    ok $? "$1: the same words"
}
both assemble net.txt -o -
LC_ALL=$comma "$opshift" assemble net.txt -o net.onnx
both show --text net.onnx
both run net.onnx --random
both convert net.onnx --opset 18 -o - --verify
both lint net.onnx --format json
mkdir cases
both test cases --rtol 0.5 --atol 1.5e-3
like "no model.onnx" "$(cat comma.err)" "a number with a point is one"
both test cases --rtol 0,5
like "test: --rtol must be a number from 0 on, not '0,5'" "$(cat comma.err)" "one with a comma is none"
both test cases --rtol inf
done_testing
