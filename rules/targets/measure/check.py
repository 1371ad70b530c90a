"""check.py RUNTIME OPSHIFT DIRECTORY OPERATOR...: loads the models of some operators in a runtime, and prints each of which its profile tells
otherwise. Ends with a line of counts, and status 1 where one differs."""
import json
import subprocess
import sys

import cases


def verdicts(opshift, runtime, paths):
    for at in range(0, len(paths), 500):
        child = subprocess.run([opshift, "targets", "--check", *paths[at:at + 500], "--target", runtime, "-f", "json"],
                               stdout=subprocess.PIPE, check=False)
        for row in json.loads(child.stdout)["rows"]:
            yield row["verdict"], row.get("why", "")


def main():
    runtime, opshift, directory, operators = sys.argv[1], sys.argv[2], sys.argv[3], set(sys.argv[4:])
    every = cases.write(directory, lambda schema: sorted({schema["since"], schema["last"]}),
                        lambda schema: not operators or schema["operator"] in operators)
    answers = cases.answers(runtime, directory, every)
    told = wrong = 0
    for case, answer, (verdict, why) in zip(every, answers, verdicts(opshift, runtime, [case["path"] for case in every])):
        measured = cases.verdict(answer)
        if measured == "invalid" or verdict == "invalid":
            continue
        if (measured == "found") == (verdict == "runs"):
            told += 1
        else:
            wrong += 1
            print("%s: %s, and the runtime: %s; %s" % (cases.label(case), verdict, answer, why))
    print("%d told rightly, %d wrongly" % (told, wrong))
    sys.exit(wrong > 0)


main()
