#!/bin/sh
# The cost of a conversion in instructions, independent of the machine's load. The limits are two to three times
# the measured cost: they find quadratic work, not a few percent.
. "${srcdir:-.}/tests/cli/tap.sh"
[ -z "${OPSHIFT:-}" ] || skip_all "what is inside valgrind already is not counted"
command -v valgrind >/dev/null || skip_all "valgrind is not here"
grep -q 'fsanitize' "$builddir/Makefile" && skip_all "valgrind does not run what the sanitizers built"
valgrind -q --tool=none true 2>/dev/null || skip_all "valgrind does not run on this machine"

# instructions ARGUMENT...: instructions of opshift, in $count.
instructions() {
    status=0
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$opshift" "$@" >.out 2>.err || status=$?
    count=$(sed -n 's/^==[0-9]*== Collected : //p' .err)
    [ "$status" = 0 ] && [ -n "$count" ] || { sed 's/^/# /' .err && count=999999999999; }
}

# at_most LIMIT SEEN WHAT
at_most() {
    echo "# $2 of at most $1"
    [ "$2" -le "$1" ]
    ok $? "$3"
}

# chain NODES OPSET [untyped]: a chain of Relu nodes, every fifth followed by a Split; all values are typed, or only
# the graph's input and output.
chain() {
    awk -v nodes="$1" -v opset="$2" -v typed="${3:-typed}" 'BEGIN {
        printf "<ir_version: 8, opset_import: [\"\" : %d]>\nchain (float[6] x0) => (float[6] x%d)\n<", opset, nodes
        printf " float[6] x0"
        for (i = 1; typed == "typed" && i < nodes; i++)
            printf ",\n float[6] x%d", i
        for (i = 0; typed == "typed" && i < nodes; i += 5)
            printf ",\n float[2] a%d, float[4] b%d", i, i
        if (opset >= 13)
            for (i = 0; i < nodes; i += 5)
                printf ",\n int64[2] n%d = {2, 4}", i
        printf ">\n{\n"
        for (i = 0; i < nodes; i++) {
            printf " x%d = Relu (x%d)\n", i + 1, i
            if (i % 5 == 0)
                printf opset < 13 ? " a%d, b%d = Split <axis = 0, split = [2, 4]> (x%d)\n" \
                                  : " a%d, b%d = Split <axis = 0> (x%d, n%d)\n", i, i, i, i
        }
        print "}"
    }' >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx || exit 1
}

# outputs COUNT: one Split with that many outputs.
outputs() {
    awk -v count="$1" 'BEGIN {
        printf "<ir_version: 8, opset_import: [\"\" : 13]>\nwide (float[%d] x) => (float[1] y0)\n{\n y0", count
        for (i = 1; i < count; i++)
            printf ", y%d", i
        print " = Split <axis = 0> (x)\n}"
    }' >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx || exit 1
}

# ---- a small model ---------------------------------------------------------------------------------------------------
chain 1 11
instructions convert chain.onnx --opset 13 -o out.onnx
start=$count
at_most 1500000 "$start" "a small model: instructions"

# ---- each node, and no more for many nodes ----------------------------------------------------------------------------
for step in '11 13 50000' '13 18 50000' '13 11 60000'; do
    set -- $step
    chain 500 "$1"
    instructions convert chain.onnx --opset "$2" -o out.onnx
    few=$(((count - start) / 500))
    chain 4000 "$1"
    instructions convert chain.onnx --opset "$2" -o out.onnx
    many=$(((count - start) / 4000))
    at_most "$3" "$few" "$1 to $2: instructions for each of 500 nodes"
    at_most $((few * 3 / 2)) "$many" "$1 to $2: as many for each of 4,000"
done

# ---- each node, where types follow from one another ---------------------------------------------------------------------
for step in '11 13 50000' '13 11 60000'; do
    set -- $step
    chain 500 "$1" untyped
    instructions convert chain.onnx --opset "$2" -o out.onnx
    few=$(((count - start) / 500))
    chain 4000 "$1" untyped
    instructions convert chain.onnx --opset "$2" -o out.onnx
    at_most "$3" "$few" "$1 to $2 without types: instructions for each of 500 nodes"
    at_most $((few * 3 / 2)) $(((count - start) / 4000)) "$1 to $2 without types: as many for each of 4,000"
done

# ---- each Split whose lengths a Constant of its own holds ---------------------------------------------------------------
# lengths COUNT KINDS FORM: Splits with KINDS different lengths, in Constants of that form.
lengths() {
    awk -v count="$1" -v kinds="$2" -v form="$3" 'BEGIN {
        printf "<ir_version: 8, opset_import: [\"\" : 13]>\nlengths (float[N] x0) => (float[N] x%d)\n{\n", count
        for (i = 0; i < count; i++) {
            first = i % kinds + 1
            printf form == "value" ? " n%d = Constant <value = int64[2] {%d, %d}> ()\n" \
                                   : " n%d = Constant <value_ints = [%d, %d]> ()\n", i, first, 30 - first
            printf " a%d, b%d = Split <axis = 0> (x%d, n%d)\n x%d = Relu (x%d)\n", i, i, i, i, i + 1, i
        }
        print "}"
    }' >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx || exit 1
}
for form in value value_ints; do
    lengths 500 1 "$form"
    instructions convert chain.onnx --opset 11 -o out.onnx
    few=$(((count - start) / 500))
    lengths 4000 1 "$form"
    instructions convert chain.onnx --opset 11 -o out.onnx
    many=$(((count - start) / 4000))
    at_most 180000 "$few" "$form: instructions for each of 500 Splits of the same lengths"
    at_most $((few * 3 / 2)) "$many" "as many for each of 4,000"
done

# ---- bodies of one node, each with a chain of its own -------------------------------------------------------------------
bodies() {
    awk -v count="$1" 'BEGIN {
        printf "<ir_version: 8, opset_import: [\"\" : 13, \"com.example\" : 1]>\nbodies (float[6] x) => (float[6] z)\n{\n"
        printf "y = com.example.Many <"
        for (i = 0; i < count; i++) {
            printf "%s b%d = g%d () => (v%d_69) {\n v%d_0 = Relu (x)", i ? "," : "", i, i, i, i
            for (k = 1; k < 70; k++)
                printf " v%d_%d = Relu (v%d_%d)", i, k, i, k - 1
            printf "}"
        }
        print "> ()\nz = Relu (y)\n}"
    }' >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx || exit 1
}
bodies 100
instructions convert chain.onnx --opset 11 -o out.onnx
few=$(((count - start) / 100))
bodies 1000
instructions convert chain.onnx --opset 11 -o out.onnx
at_most 400000 "$few" "instructions for each of 100 bodies of 70 nodes"
at_most $((few * 3 / 2)) $(((count - start) / 1000)) "as many for each of 1,000"

# ---- a dim that is never cut ----------------------------------------------------------------------------------------
chain 2000 11
instructions convert chain.onnx --opset 13 -o out.onnx
fixed=$count
sed -i 's/float\[/float[batch, /g; s/axis = 0/axis = 1/g' chain.txt
"$opshift" assemble chain.txt -o chain.onnx || exit 1
instructions convert chain.onnx --opset 13 -o out.onnx
at_most $((fixed * 6 / 5)) "$count" "where each value is declared, nothing is inferred for a dim with a name"

# ---- each output of one node -----------------------------------------------------------------------------------------
outputs 500
instructions convert chain.onnx --opset 18 -o out.onnx
few=$(((count - start) / 500))
outputs 4000
instructions convert chain.onnx --opset 18 -o out.onnx
at_most 2200 "$few" "instructions for each of 500 outputs"
at_most $((few * 3 / 2)) $(((count - start) / 4000)) "as many for each of 4,000"
# ---- each finding, in each format ------------------------------------------------------------------------------------
# unread COUNT: unused initializers.
unread() {
    awk -v count="$1" 'BEGIN {
        printf "<ir_version: 8, opset_import: [\"\" : 13]>\nunread (float[6] x) => (float[6] y)\n<"
        for (i = 0; i < count; i++)
            printf "%s int64[1] n%d = {1}", i ? "," : "", i
        print ">\n{ y = Relu (x) }"
    }' >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx || exit 1
}
lint() {
    instructions lint chain.onnx --no-config "$@"
}
for row in 'text 60000' 'json 60000' 'ndjson 60000' 'sarif 250000' 'github 60000' 'junit 60000'; do
    set -- $row
    format=$1
    unread 200
    lint -f "$format"
    few=$(((count - start) / 200))
    unread 3200
    lint -f "$format"
    at_most "$2" "$few" "$format: instructions for each of 200 findings"
    at_most $((few * 3 / 2)) $(((count - start) / 3200)) "as many for each of 3,200"
done

# ---- each fix and each edit that is shown -----------------------------------------------------------------------------
unread 200
lint --diff --exit-zero
few=$(((count - start) / 200))
unread 3200
lint --diff --exit-zero
at_most 60000 "$few" "--diff: instructions for each of 200 fixes"
at_most $((few * 3 / 2)) $(((count - start) / 3200)) "as many for each of 3,200"
for format in text json; do
    chain 500 11
    instructions convert chain.onnx --opset 13 --dry-run -f "$format"
    few=$(((count - start) / 100))
    chain 4000 11
    instructions convert chain.onnx --opset 13 --dry-run -f "$format"
    at_most 300000 "$few" "--dry-run -f $format: instructions for each of 100 edits"
    at_most $((few * 3 / 2)) $(((count - start) / 800)) "as many for each of 800"
done

# ---- many fixes in one place -------------------------------------------------------------------------------------------
# crowd KIND COUNT: dims of -1 in one value, repeated value infos, nodes in reverse order, or unnamed outputs.
crowd() {
    awk -v kind="$1" -v count="$2" 'BEGIN {
        dims = "6"
        for (i = 0; kind == "dims" && i < count; i++)
            dims = dims ",-1"
        printf "<ir_version: 8, opset_import: [\"\" : 13]>\ncrowd (float[%s] x0) => (float[] x%d)\n<", dims,
            kind == "nodes" ? count : 1
        for (i = 0; i < (kind == "values" ? count : 1); i++)
            printf "%s float[6] v", i ? "," : ""
        print ">\n{"
        for (i = kind == "nodes" ? count - 1 : 0; i >= 0; i--)
            printf " x%d = Relu (x%d)\n", i + 1, i
        printf " v"
        for (i = 0; kind == "outputs" && i < count; i++)
            printf ", \"\""
        print " = Split <axis = 0> (x0)\n}"
    }' >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx || exit 1
}
for row in 'dims 2500000' 'values 120000' 'nodes 150000' 'outputs 30000'; do
    set -- $row
    crowd "$1" 200
    lint --diff --exit-zero
    few=$(((count - start) / 200))
    crowd "$1" 3200
    lint --diff --exit-zero
    at_most "$2" "$few" "--diff, $1: instructions for each of 200"
    at_most $((few * 3 / 2)) $(((count - start) / 3200)) "as many for each of 3,200"
done

# ---- graphs that move into other nodes --------------------------------------------------------------------------------
# moved KIND COUNT: a SequenceMap, and of its inputs, of those of a Loop in it, or of Ifs that need constants that many.
moved() {
    awk -v kind="$1" -v count="$2" '
    function list(name, behind, same, i, all) {
        for (i = 0; i < count; i++)
            all = all (i ? ", " : "") name (same ? "" : i) behind
        return all
    }
    BEGIN {
        print "<ir_version: 8, opset_import: [\"\" : 17]> map (seq(float[4]) s, bool c, int64 n" (kind == "inputs" ? ", " list("float[4] w") : "") ") => (seq(float[4]) t) {"
        if (kind == "inputs")
            print "t = SequenceMap <body = b (float[4] a, " list("float[4] x") ") => (float[4] r) { r = Sum (a, " list("x") ") }> (s, " list("w") ")"
        else
            print "t = SequenceMap <body = b (float[4] a) => (float[4] r) { r = Neg (a)"
        if (kind == "loop")
            print list("o") " = Loop <body = l (int64 i, bool k, " list("p") ") => (k2, " list("q") ") <" list("float v", " = {1}") "> { k2 = Identity (k)"
        for (i = 0; kind == "loop" && i < count; i++)
            printf "q%d = Add (p%d, v%d)\n", i, i, i
        if (kind == "loop")
            print "}> (n, c, " list("a", "", 1) ")"
        for (i = 0; kind == "constants" && i < count; i++)
            printf "r%d = If (c) <then_branch = t () => (u%d) { u%d = LayerNormalization (a, a) }, else_branch = e () => (v%d) { v%d = Neg (a) }>\n", i, i, i, i, i
        print kind == "inputs" ? "}" : "}> (s) }"
    }' >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx || exit 1
}
for kind in inputs loop constants; do
    moved "$kind" 200
    instructions convert chain.onnx --opset 16 -o out.onnx
    few=$(((count - start) / 200))
    moved "$kind" 3000
    instructions convert chain.onnx --opset 16 -o out.onnx
    at_most "$few" $(((count - start) / 3000)) "a graph that moves, $kind: for each of 3,000 no more instructions than for each of 200"
done

# ---- each value of a run, before and after ---------------------------------------------------------------------------
# cuts COUNT: Splits whose outputs are graph outputs.
cuts() {
    awk -v count="$1" 'BEGIN {
        printf "<ir_version: 8, opset_import: [\"\" : 11]>\ncuts (float[N, %d] x) => (float[N, 1] y0", count
        for (i = 1; i < count; i++)
            printf ", float[N, 1] y%d", i
        printf ")\n{ y0"
        for (i = 1; i < count; i++)
            printf ", y%d", i
        print " = Split <axis = 1> (x) }"
    }' >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx || exit 1
    "$opshift" convert chain.onnx --opset 13 -o out.onnx >/dev/null || exit 1
}
for command in 'run chain.onnx --random --shape N=2' 'verify chain.onnx out.onnx' 'verify chain.onnx out.onnx --engine builtin'; do
    cuts 250
    # shellcheck disable=SC2086
    instructions $command
    few=$(((count - start) / 250))
    cuts 4000
    # shellcheck disable=SC2086
    instructions $command
    at_most 150000 "$few" "$command: instructions for each of 250 outputs"
    at_most $((few * 3 / 2)) $(((count - start) / 4000)) "as many for each of 4,000"
done

# ---- each function ---------------------------------------------------------------------------------------------------
# functions COUNT OPSET: each called once; their values have the same names.
functions() {
    awk -v count="$1" -v opset="$2" 'BEGIN {
        printf "<ir_version: 8, opset_import: [\"\" : %d, \"my\" : 1]>\ncalls (float[N, 8] v0) => (float[N, 8] v%d)\n{\n", opset, count
        for (i = 0; i < count; i++)
            printf " v%d = my.F%d (v%d)\n", i + 1, i, i
        print "}"
        for (i = 0; i < count; i++)
            printf "<domain: \"my\", opset_import: [\"\" : %d]>\nF%d (a) => (y)\n{\n%s = Split <axis = 1%s> (a%s)\n y = Concat <axis = 1> (c, b)\n}\n", \
                opset, i, opset < 13 ? " b, c" : " l = Constant <value_ints = [4, 4]> ()\n b, c", \
                opset < 13 ? ", split = [4, 4]" : "", opset < 13 ? "" : ", l"
    }' >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx || exit 1
}
for way in '11 13' '13 11'; do
    functions 250 "${way% *}"
    instructions convert chain.onnx --opset "${way#* }" -o out.onnx
    few=$(((count - start) / 250))
    functions 1000 "${way% *}"
    instructions convert chain.onnx --opset "${way#* }" -o out.onnx
    at_most 150000 "$few" "convert to ${way#* }: instructions for each of 250 functions"
    at_most $((few * 3 / 2)) $(((count - start) / 1000)) "as many for each of 1,000"
done

# ---- each input that is drawn ----------------------------------------------------------------------------------------
# takes COUNT: inputs, and as many initializers.
takes() {
    awk -v count="$1" 'BEGIN {
        printf "<ir_version: 8, opset_import: [\"\" : 13]>\ntakes (float[2] x0"
        for (i = 1; i < count; i++)
            printf ", float[2] x%d", i
        printf ") => (float[2] y)\n< float[1] w0 = {1}"
        for (i = 1; i < count; i++)
            printf ", float[1] w%d = {1}", i
        print ">\n{ y = Relu (x0) }"
    }' >chain.txt
    "$opshift" assemble chain.txt -o chain.onnx || exit 1
}
takes 250
instructions run chain.onnx --random
few=$(((count - start) / 250))
takes 4000
instructions run chain.onnx --random
at_most 150000 "$few" "run --random: instructions for each of 250 inputs"
at_most $((few * 3 / 2)) $(((count - start) / 4000)) "as many for each of 4,000"

# ---- each item of a sequence that grows ------------------------------------------------------------------------------
# A sequence is copied for each item, at a few instructions per item.
awk 'BEGIN {
    print "<ir_version: 8, opset_import: [\"\" : 13]>\ngrown (float[2] x) => (int64 n)\n{\n s0 = SequenceConstruct (x)"
    for (i = 0; i < 1000; i++)
        printf " r%d = Relu (x)\n s%d = SequenceInsert (s%d, r%d)\n", i, i + 1, i, i
    print " n = SequenceLength (s1000)\n}"
}' >chain.txt
"$opshift" assemble chain.txt -o chain.onnx || exit 1
instructions run chain.onnx --random
at_most 100000 $(((count - start) / 1000)) "run: instructions for each of 1,000 SequenceInserts"

# ---- a rule file of the same again and again -------------------------------------------------------------------------
# parsed SIZE START PIECE: instructions per byte of a file that is parsed or refused; %d in the piece is a counter.
parsed() {
    mkdir -p opset-13
    perl -e 'my ($size, $text, $piece) = @ARGV; for (my $at = 0; length $text < $size; $at++) { $text .= sprintf $piece, $at }
        print substr $text, 0, $size' "$@" >opset-13/many.yaml
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$opshift" rules check opset-13/many.yaml >.out 2>.err || :
    count=$(sed -n 's/^==[0-9]*== Collected : //p' .err)
    count=$((${count:-999999999999} / $1))
}
for piece in '[&a%d 1,' '[1,' ' [' ' w%d '; do
    start=$(echo "$piece" | cut -c 1)
    piece=$(echo "$piece" | cut -c 2-)
    parsed 50000 "$start" "$piece"
    few=$count
    parsed 400000 "$start" "$piece"
    at_most $((few * 3 / 2)) "$count" "a rule file of '$piece': instructions for each of 400,000 bytes"
    at_most 3000 "$count" "and no more than a file of YAML takes"
done
done_testing
