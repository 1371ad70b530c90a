#!/bin/sh
# Every step that changed an operator has a decision: kept, rewritten, or refused with a reason.
rules=${srcdir:-.}/rules

# Prints "operator direction opset verdict" for each decision.
verdicts() {
    awk '
        function keep(names, way, list, count, i) {
            count = split(names, list, /[][, ]+/)
            for (i = 1; i <= count; i++)
                if (list[i] != "") {
                    if (way != "down") print list[i], "up", opset, "kept"
                    if (way != "up") print list[i], "down", opset, "kept"
                }
        }
        function entry_end() { if (names != "") keep(names, way); names = ""; way = "both"; open = 0 }
        FNR == 1 {
            entry_end()
            opset = FILENAME; sub(/.*opset-/, "", opset); sub(/\/.*/, "", opset)
            compatible = FILENAME ~ /compatible\.yaml$/
        }
        compatible && /^- ops?:/ {
            entry_end()
            names = $0
            sub(/^- ops?: */, "", names)
            open = names ~ /^\[/ && names !~ /\]/
            next
        }
        compatible && open { names = names $0; open = $0 !~ /\]/; next }
        compatible && /^  direction:/ { way = $2; next }
        !compatible && /^op:/ { op = $2 }
        !compatible && /^domain:/ { op = $2 "." op }
        !compatible && /^(up|down):/ { print op, substr($1, 1, length($1) - 1), opset, "rule" }
        END { entry_end() }
    ' "$rules"/opset-*/*.yaml
}

# The steps in the operators' definitions; at an operator's first version, a rule may replace it on the way
# down.
steps() {
    awk -F'\t' 'FNR > 1 {
        print $1, $2, ($2 == "up" ? $4 : $3), ($7 == "op does not exist before" ? "birth" : "step")
    }' "$rules"/steps.tsv
}

{ steps; verdicts; } | awk '
    $4 == "birth" { step[$1 " " $2 " " $3] = 1; next }
    $4 == "step" { key = $1 " " $2 " " $3; if (!(key in step)) order[++count] = key; step[key] = 1; next }
    { key = $1 " " $2 " " $3; verdict[key] = verdict[key] " " $4; if (!(key in step)) extra[++extras] = key }
    END {
        print "1.." count + 1
        for (i = 1; i <= count; i++) {
            words = verdict[order[i]]
            good = split(words, list, " ") == 1
            printf "%s %d - %s:%s\n", good ? "ok" : "not ok", i, order[i], words == "" ? " not judged" : words
        }
        for (i = 1; i <= extras; i++)
            print "# judged, and no step: " extra[i]
        printf "%s %d - nothing is judged that is no step\n", extras ? "not ok" : "ok", count + 1
    }
'
