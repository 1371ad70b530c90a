// Loads models, whose paths are lines of standard input, in OpenCV's build for JavaScript and prints for each a line: ok, or the error.
// node load_opencv.cjs PACKAGE: the directory of @techstark/opencv-js.
const fs = require("fs");
const readline = require("readline");

async function main() {
    const module = require(process.argv[2]); // a promise, or in older ones an object with "then", which await does not end with
    const cv = module instanceof Promise ? await module : module;
    if (!cv.Mat) await new Promise((resolve) => (cv.onRuntimeInitialized = resolve));
    for await (const path of readline.createInterface({ input: process.stdin })) {
        let answer = "ok";
        try {
            cv.FS_createDataFile("/", "model.onnx", fs.readFileSync(path), true, true, false);
            cv.readNetFromONNX("/model.onnx").delete();
        } catch (error) {
            if (error instanceof WebAssembly.RuntimeError) process.exit(1); // nothing can be run any more
            answer = (typeof error === "number" ? cv.exceptionFromPtr(error).msg : String(error)).replace(/\s+/g, " ");
        }
        cv.FS_unlink("/model.onnx");
        fs.writeSync(1, answer + "\n");
    }
    process.exit(0);
}
main();
