# What bench/run.sh and bench/weights.sh measure with: two commands that take turns, and a row of a table for them. To be
# sourced; $work is a folder for its files, $runs says how often each command runs, $clock is bench/measure.
# shellcheck shell=sh disable=SC2154

# Appends "wall processor kilobytes" of a shell text that runs $2 times in a row, for one time, to the file $1.
measure() {
    # shellcheck disable=SC2016
    loop='for _ in $(seq "$times"); do eval "$text"; done'
    [ "$2" -gt 1 ] || loop=$3
    times=$2 text=$3 "$clock" "$loop" 2>"$work/said" >"$work/once" || cat "$work/said" >&2
    awk -v times="$2" '{ print $1 / times, $2 / times, $3 }' "$work/once" >>"$1"
}

# The row of a table from two files of measurements: medians, and the medians of the pairs' ratios.
row() {
    paste -d ' ' "$work/peer" "$work/ours" | awk -v title="$1" '
        function median(list, count,   i, k, swap) {
            for (i = 1; i <= count; i++)
                for (k = i + 1; k <= count; k++)
                    if (list[k] < list[i]) { swap = list[i]; list[i] = list[k]; list[k] = swap }
            return list[int((count + 1) / 2)]
        }
        function shown(seconds) { return seconds < 0.1 ? sprintf("%.1f ms", seconds * 1000) : sprintf("%.2f s", seconds) }
        { wall[NR] = $1; wall2[NR] = $4; cpu[NR] = $2; cpu2[NR] = $5; peak[NR] = $6
          ratio[NR] = $4 / $1; ratio2[NR] = $5 / $2 }
        END { printf "| %s | %s, %s | %s, %s | %.2f | %.2f | %.1f MiB |\n", title, shown(median(wall, NR)), shown(median(cpu, NR)),
              shown(median(wall2, NR)), shown(median(cpu2, NR)), median(ratio, NR), median(ratio2, NR), median(peak, NR) / 1024 }'
}

compare_run() {
    rm -f "$out" "$out.data"
    measure "$work/$1" "$2" "$3"
}

# TITLE PEER-COMMAND OUR-COMMAND [TIMES]: both are shell texts, on the files $model and $out. What is over
# within milliseconds runs many times for one measurement, and must not begin with exec then. Pair by pair the other one is
# first: what comes next gets the memory that this one left, and where that is not all that was used lately, one of
# two that always take turns gets the slow rest each time.
compare() {
    rm -f "$work/peer" "$work/ours"
    for pair in $(seq "$runs"); do
        [ $((pair % 2)) = 0 ] || compare_run peer "${4:-1}" "$2"
        compare_run ours "${4:-1}" "$3"
        [ $((pair % 2)) = 1 ] || compare_run peer "${4:-1}" "$2"
    done
    row "$1"
    rm -f "$out"
}

heading() {
    printf '\n| %s | %s: wall, processor | %s: the same | ratio, wall | ratio, processor | peak |\n' "$1" "$2" "${3:-opshift}"
    echo '| --- | --- | --- | --- | --- | --- |'
}
