// Loads models, whose paths are lines of standard input, in ONNX Runtime and prints for each a line: ok, or the error.
// node load.mjs PACKAGE: the directory of onnxruntime-node, or of onnxruntime-web (its WebAssembly, on one thread).
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const ort = createRequire(import.meta.url)(process.argv[2]);
if (ort.env.wasm) ort.env.wasm.numThreads = 1;
const options = { executionProviders: [process.argv[2].includes("web") ? "wasm" : "cpu"], logSeverityLevel: 4,
    intraOpNumThreads: 1, interOpNumThreads: 1 };
for await (const path of createInterface({ input: process.stdin })) {
    let answer = "ok";
    try {
        // By its path where that can be, for external data.
        const model = ort.env.wasm ? readFileSync(path) : path;
        await (await ort.InferenceSession.create(model, options)).release();
    } catch (error) {
        answer = String(error.message ?? error).replace(/\s+/g, " ");
    }
    process.stdout.write(answer + "\n");
}
process.exit(0);
