#!/bin/sh
# What ./bootstrap prints: a line for each step, the sample, and after the tests what passed and what was skipped; its packages
# and its build are not tried here, but by .ci/fresh.
. "${srcdir:-.}/tests/cli/tap.sh"

# A tree whose build is made: `make` does nothing, or what a file of its name says.
mkdir -p tree/build/tests/base tree/tests/cli tree/tests/models path
cp "$srcdir/bootstrap" tree/
cp "$tests/run.pl" tree/tests/
cp "$tests/models/sample.txt" tree/tests/models/
touch tree/configure tree/build/Makefile
printf '#!/bin/sh\nexec "%s" "$@"\n' "$opshift" >tree/build/opshift
cat >path/make <<'SCRIPT'
#!/bin/sh
echo "compiling"
[ ! -e "$0.fails" ] || { seq -f 'line %.0f' 100 && exit 3; }
SCRIPT
printf '#!/bin/sh\necho ok 1; echo "ok 2 # skip no thing"; echo "ok 3 # skip no thing"; echo stray >&2; echo 1..3\n' >tree/tests/cli/parts.t
printf '#!/bin/sh\necho "1..0 # SKIP make wasm has not been run"\n' >tree/tests/cli/whole.t
printf '#!/bin/sh\necho ok 1; echo 1..1\n' >tree/build/tests/base/good-t
chmod +x path/make tree/build/opshift tree/tests/cli/*.t tree/build/tests/base/good-t
PATH=$work/path:$PATH

# bootstrap ARGUMENT...: leaves $status, $out and $err.
bootstrap() {
    status=0
    tree/bootstrap "$@" >.out 2>.err || status=$?
    out=$(cat .out)
    err=$(cat .err)
}

bootstrap --help
is "0 " "$status $err" "--help"
like "^usage: ./bootstrap \[--no-install\] \[--check\]" "$out" "prints the usage"
bootstrap --chek
is "2 bootstrap: there is no option '--chek'; write ./bootstrap [--no-install] [--check]" "$status $err" "an unknown option"

bootstrap --no-install
is "0 " "$status $err" "a build"
is "== building (some minutes; build/bootstrap.log)
== converting a sample model from opset 11 to 18
\$ build/opshift assemble tests/models/sample.txt -o build/sample.onnx
\$ build/opshift convert build/sample.onnx --opset 18 -o build/sample-18.onnx
build/sample.onnx: opset 11 to 18: 4 nodes rewritten, 3 constants added
\$ build/opshift verify build/sample.onnx build/sample-18.onnx
\$ build/opshift show build/sample-18.onnx
== done: the command is build/opshift
Next:" "$(grep '^==\|^\$\|^Next\|constants added' .out)" "prints its steps, and the sample's commands"
is "compiling" "$(cat tree/build/bootstrap.log)" "what the build prints is in the log"

bootstrap --no-install --check
is "0 " "$status $err" "tests that pass"
is "Skipped, and why:
  tests/cli/parts.t: 2 of 3 tests: no thing
  tests/cli/whole.t: make wasm has not been run
All tests successful." "$(sed -n '/^Skipped/,/^All/p' .out)" "what was skipped and why"
is "Result: PASS" "$(tail -n 1 .out)" "the last line is the result"
is "" "$(grep stray .out)" "what a test writes to standard error is in its log alone"

printf '#!/bin/sh\necho not ok 1; echo "the reason" >&2; echo 1..1\n' >tree/build/tests/base/bad-t
chmod +x tree/build/tests/base/bad-t
bootstrap --no-install --check
is 1 "$status" "a test that fails: exit status 1"
like "^the reason" "$err" "its message"
like "^tests/base/bad-t .*Failed: 1)" "$err" "its name"
is "" "$(grep good-t .err)" "and nothing about what passed"
is "Result: FAIL
bootstrap: failed; the whole log is build/check.log" "$(tail -n 2 .err)" "the last lines are the result and the log"

touch path/make.fails
bootstrap --no-install
is 3 "$status" "a build that fails: its exit status"
is "line 61" "$(head -n 1 .err)" "the end of the log"
is "bootstrap: failed; the whole log is build/bootstrap.log" "$(tail -n 1 .err)" "and where it is"
done_testing
