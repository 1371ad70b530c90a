"""load.py RUNTIME MODEL...: prints a line for each model: its path, a tab, and ok or the runtime's error. - reads the paths."""
import sys

import runtime

paths = sys.argv[2:]
if paths == ["-"]:
    paths = sys.stdin.read().split("\n")[:-1]
for path, answer in zip(paths, runtime.answers(sys.argv[1], paths)):
    print(path, answer, sep="\t", flush=True)
