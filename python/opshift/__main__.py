"""python -m opshift: the command, which the wheel installs beside the interpreter's other scripts."""
import os
import sys
import sysconfig
from typing import Iterator


def places() -> Iterator[str]:
    name = "opshift" + (sysconfig.get_config_var("EXE") or "")
    here = os.path.dirname(os.path.abspath(__file__))
    yield os.path.join(sysconfig.get_path("scripts"), name)
    yield os.path.join(sysconfig.get_path("scripts", os.name + "_user"), name)
    yield os.path.join(os.path.dirname(here), "bin", name)  # pip install --target
    yield os.path.join("/usr/bin", name)  # a distribution's package


def main() -> int:
    for place in places():
        if os.access(place, os.X_OK):
            os.execv(place, ["opshift"] + sys.argv[1:])
    print("opshift: the command is not beside this package; install it anew with pip", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
