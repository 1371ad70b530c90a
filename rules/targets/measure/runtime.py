"""Gives models to a runtime, in a process of its own that may crash, and returns what it answers."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COMMANDS = {
    "onnxruntime-cpu": lambda: ["node", HERE + "/load.mjs", os.environ["OPSHIFT_ORT_NODE"]],
    "onnxruntime-web": lambda: ["node", HERE + "/load.mjs",
                                os.environ.get("OPSHIFT_ORT_WEB") or
                                os.path.dirname(os.environ["OPSHIFT_ORT_NODE"].rstrip("/")) + "/onnxruntime-web"],
    "opencv": lambda: [sys.executable, HERE + "/load_opencv.py"],
    "opencv-js": lambda: ["node", HERE + "/load_opencv.cjs", os.environ["OPSHIFT_OPENCV_JS"]],
}
BATCH = 400  # models for one process, so that what it leaks is freed


def answers(runtime, paths):
    """Yields for each path "ok" or the error; "crash" where the process died."""
    at = 0
    while at < len(paths):
        batch = paths[at:at + BATCH]
        child = subprocess.run(COMMANDS[runtime](), input="".join(path + "\n" for path in batch),
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, errors="replace")
        lines = child.stdout.split("\n")[:-1]
        yield from lines
        at += len(lines)
        if len(lines) < len(batch):
            yield "crash"
            at += 1
