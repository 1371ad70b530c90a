#!/usr/bin/env node
// The native command where a package of this platform is installed, else the WebAssembly.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';

function native() {
    try {
        return createRequire(import.meta.url).resolve(`@opshift/${process.platform}-${process.arch}/bin/opshift`);
    } catch {
        return undefined;
    }
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

const args = process.argv.slice(2);
const program = native();
if (program) {
    const { status, signal, error } = spawnSync(program, args, { stdio: 'inherit' });
    if (error)
        console.error(`opshift: ${program}: ${error.message}`);
    process.exitCode = status ?? (signal ? 128 + constants.signals[signal] : 4);
} else {
    const { command } = await import('../command.mjs');
    const input = args.some((each) => each === '-' || each.endsWith('=-')) ? readFileSync(0) : undefined;
    const { status } = await command(args, {
        machine: true,
        input,
        environment: process.env,
        out: (bytes) => writeAll(1, bytes),
        err: (bytes) => writeAll(2, bytes),
    });
    process.exitCode = status;
}
