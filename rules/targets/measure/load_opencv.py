"""Loads models, whose paths are lines of standard input, in OpenCV and prints for each a line: ok, or the error."""
import sys

import cv2

for line in sys.stdin:
    try:
        cv2.dnn.readNetFromONNX(line.rstrip("\n"))
        answer = "ok"
    except Exception as error:  # the binding raises cv2.error, and others for types that it lacks
        answer = " ".join(str(error).split()) or "fails"
    print(answer, flush=True)
