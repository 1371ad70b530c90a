#!/usr/bin/env node
// The native command where a package of this platform is installed, else the WebAssembly.
import { spawn } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

function native() {
    try {
        return createRequire(import.meta.url).resolve(`@opshift/${process.platform}-${process.arch}/bin/opshift`);
    } catch {
        return undefined;
    }
}

// Ends as the program ends: with its exit status, or by its signal.
function runNative(program, args) {
    const child = spawn(program, args, { stdio: 'inherit' });
    const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'];
    for (const signal of signals)
        process.on(signal, () => child.kill(signal));
    child.on('error', (error) => {
        console.error(`opshift: ${program}: ${error.message}`);
        process.exitCode = 4;
    });
    child.on('exit', (status, signal) => {
        for (const each of signals)
            process.removeAllListeners(each);
        if (signal)
            process.kill(process.pid, signal);
        else
            process.exitCode = status;
    });
}

function writeAll(descriptor, bytes) {
    for (let at = 0; at < bytes.length;)
        try {
            at += writeSync(descriptor, bytes, at);
        } catch (error) {
            if (error.code !== 'EAGAIN')
                throw error;
        }
}

async function runHere(args) {
    const { command } = await import('../command.mjs');
    const { status } = await command(args, {
        machine: true,
        input: () => readFileSync(0),
        environment: process.env,
        out: (bytes) => writeAll(1, bytes),
        err: (bytes) => writeAll(2, bytes),
    });
    process.exitCode = status;
}

const args = process.argv.slice(2);
const program = native();
if (program)
    runNative(program, args);
else
    await runHere(args);
