// Loads models in ONNX Runtime: each line of standard input is a path; prints "ok" or the error, on one line each.
'use strict';
const ort = require(process.env.OPSHIFT_ORT_NODE || 'onnxruntime-node');
const fs = require('fs');

(async () => {
  for (const path of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
    let answer = 'ok';
    try {
      const session = await ort.InferenceSession.create(path, {logSeverityLevel: 4, graphOptimizationLevel: 'disabled', intraOpNumThreads: 1, interOpNumThreads: 1});
      await session.release();
    } catch (error) {
      answer = String(error.message).replace(/\s+/g, ' ');
    }
    fs.writeSync(1, answer + '\n');
  }
})();
