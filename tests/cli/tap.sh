# Test Anything Protocol for shell tests of the command. A test sources this, calls the functions, and ends with `done_testing`.
# Each test works in its own directory, $work, with the command in $opshift and the source tree's tests in $tests.
set -u
LC_ALL=C
export LC_ALL
srcdir=$(cd "${srcdir:-.}" && pwd)
builddir=$(cd "${builddir:-.}" && pwd)
tests=$srcdir/tests
# A wrapper may replace it: make check-valgrind runs it in valgrind.
opshift=${OPSHIFT:-$builddir/opshift}
work=$(mktemp -d "${TMPDIR:-/tmp}/opshift-test.XXXXXX")
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
test_count=0
failed=0

# ok STATUS WHAT: passes when STATUS is 0.
ok() {
    test_count=$((test_count + 1))
    if [ "$1" = 0 ]; then
        echo "ok $test_count - $2"
    else
        failed=$((failed + 1))
        echo "not ok $test_count - $2"
    fi
}

# is WANTED SEEN WHAT
is() {
    if [ "$1" = "$2" ]; then
        ok 0 "$3"
    else
        ok 1 "$3"
        printf '%s\n' "wanted: $1" "seen:   $2" | sed 's/^/# /' | head -n 20
    fi
}

# like PATTERN TEXT WHAT: a basic regular expression matches a line.
like() {
    if printf '%s\n' "$2" | grep -q -- "$1"; then
        ok 0 "$3"
    else
        ok 1 "$3"
        printf '%s\n' "wanted: $1" "seen:   $2" | sed 's/^/# /' | head -n 20
    fi
}

# run ARGUMENT...: runs opshift; leaves $status, $out and $err.
run() {
    status=0
    "$opshift" "$@" >"$work/.out" 2>"$work/.err" || status=$?
    out=$(cat "$work/.out")
    err=$(cat "$work/.err")
}

# children_of PROCESS: its child processes, a line each. Not pgrep: an empty Debian has none.
children_of() {
    for stat in /proc/[0-9]*/stat; do
        [ "$(sed 's/.*) . \([0-9]*\) .*/\1/' "$stat" 2>/dev/null)" = "$1" ] && basename "${stat%/stat}"
    done
}

# assemble NAME: the model of the text on standard input, NAME.txt and NAME.onnx.
assemble() {
    mkdir -p "$(dirname "$1")"
    cat >"$1.txt"
    "$opshift" assemble "$1.txt" -o "$1.onnx"
}

# answers STATUS WHAT ARGUMENT...: verify's exit status.
answers() {
    wanted_status=$1 what=$2
    shift 2
    run verify "$@"
    is "$wanted_status" "$status" "$what: exit status $wanted_status"
}

# fails STATUS MESSAGE WHAT ARGUMENT...: opshift returns this status, prints nothing, and has exactly this error
# message.
fails() {
    wanted_status=$1 wanted=$2 what=$3
    shift 3
    run "$@"
    is "$wanted_status" "$status" "$what: exit status $wanted_status"
    is "opshift: $wanted" "$err" "$what: message"
    is "" "$out" "$what: nothing on standard output"
}

skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

skip() {
    test_count=$((test_count + 1))
    echo "ok $test_count - $1 # SKIP $2"
}

done_testing() {
    echo "1..$test_count"
    [ "$failed" = 0 ]
}
