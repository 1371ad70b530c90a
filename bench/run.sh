#!/bin/sh
# The cost of opshift as ratios to `cp` of the same file in the same run: the table of bench/RESULTS.md.
# usage: run.sh OPSHIFT MEASURE DIRECTORY; MEASURE is bench/measure, DIRECTORY needs room for three times the weights.
# RUNS: number of runs (5), of which the median counts; WEIGHTS: bytes of the large model (1000000000).
set -eu
opshift=$1 clock=$2 runs=${RUNS:-5} weights=${WEIGHTS:-1000000000} make_model=$(dirname "$0")/make-model.pl
work=$(mktemp -d "$3/bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
in=$work/in.onnx out=$work/out.onnx
export opshift in out

# Appends "wall processor kilobytes" of a shell command that runs $2 times in a row, per run, to the file $1.
measure() {
    rm -f "$out"
    # shellcheck disable=SC2016
    loop='for _ in $(seq "$times"); do eval "$text"; done'
    [ "$2" -gt 1 ] || loop="exec $3"
    times=$2 text=$3 "$clock" "$loop" 2>"$work/said" >"$work/once" || cat "$work/said" >&2
    awk -v times="$2" '{ print $1 / times, $2 / times, $3 }' "$work/once" >>"$1"
}

# TITLE BOUND COMMAND [TIMES]: the command alternates with cp; the row has medians, and the median of the pairs' ratios.
row() {
    rm -f "$work/cp" "$work/ours"
    for pair in $(seq "$runs"); do
        measure "$work/cp" "${4:-1}" 'cp "$in" "$out"'
        measure "$work/ours" "${4:-1}" "$3"
    done
    paste -d ' ' "$work/cp" "$work/ours" | awk -v title="$1" -v bound="$2" -v empty="$empty" '
        function median(list, count,   i, k, swap) {
            for (i = 1; i <= count; i++)
                for (k = i + 1; k <= count; k++)
                    if (list[k] < list[i]) { swap = list[i]; list[i] = list[k]; list[k] = swap }
            return list[int((count + 1) / 2)]
        }
        { cp[NR] = $1 * 1000; ours[NR] = $4 * 1000; wall[NR] = $4 / $1; processor[NR] = $5 / $2; peak[NR] = ($6 - empty) / 1024 }
        END { printf "| %s | %.1f ms | %.1f ms | %.2f | %.2f | %.1f MiB | %s |\n", title, median(cp, NR), median(ours, NR),
              median(wall, NR), median(processor, NR), median(peak, NR), bound }'
}

"$clock" 'exec /bin/true' >"$work/once"
empty=$(cut -d ' ' -f 3 "$work/once")
echo '| | `cp` | opshift | ratio, wall | ratio, processor | peak | at most |'
echo '| --- | --- | --- | --- | --- | --- | --- |'
perl "$make_model" weights "$weights" 11 >"$in"
row "$((weights / 1000000)) MB of weights, \`convert\`" '0.75, 5 MiB' '"$opshift" convert "$in" --opset 13 -o "$out"'
perl "$make_model" layers 5 11 >"$in"
row 'five nodes, `convert`' 1.15 '"$opshift" convert "$in" --opset 13 -o "$out"' 100
for kind in layers typed; do
    for from in 11 13; do
        to=$((24 - from))
        perl "$make_model" $kind 100000 $from >"$in"
        what="100,000 nodes, $([ $kind = typed ] && echo typed || echo untyped), $from to $to"
        row "$what, \`convert\`" '25, 24 MiB' "\"\$opshift\" convert \"\$in\" --opset $to -o \"\$out\""
        row "$what, \`convert --verify\`" '60, 64 MiB' "\"\$opshift\" convert \"\$in\" --opset $to -o \"\$out\" --verify"
        row "$what, \`show\`" 20 '"$opshift" show "$in"'
        row "$what, \`lint\`" 40 '"$opshift" lint "$in"'
    done
done

# Ten times the nodes, by instruction count.
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$opshift" "$@" 2>&1 >/dev/null | sed -n 's/^==[0-9]*== Collected : //p'
}
if command -v valgrind >/dev/null; then
    printf '\n| instructions, in millions | 5,000 nodes | 50,000 nodes | ratio |\n| --- | --- | --- | --- |\n'
    perl "$make_model" typed 5000 13 >"$in"
    perl "$make_model" typed 50000 13 >"$work/ten.onnx"
    for command in 'convert --opset 11' 'convert --verify --opset 11' show lint; do
        output=
        [ "${command%% *}" != convert ] || output="-o $out"
        # shellcheck disable=SC2086
        few=$(instructions $command "$in" $output) many=$(instructions $command "$work/ten.onnx" $output)
        awk -v command="$command" -v few="$few" -v many="$many" \
            'BEGIN { printf "| `%s` | %.0f | %.0f | %.1f |\n", command, few / 1e6, many / 1e6, many / few }'
    done
fi
