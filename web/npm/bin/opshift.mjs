#!/usr/bin/env node
// The native command where a package of this platform is installed, else the WebAssembly.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const requireHere = createRequire(import.meta.url);
const AUTHOR = 'the opshift maintainers';

// Of what is installed under the name of the package: why it is not run; undefined: it is the program of this version.
function mismatch(name, program) {
    const { version } = requireHere('../package.json');
    const found = requireHere(`${name}/package.json`);
    if (found.name !== name || found.author !== AUTHOR)
        return `what is installed as ${name} calls itself '${found.name}' of '${found.author}'`;
    if (found.version !== version)
        return `${name} has version ${found.version}, and opshift ${version}`;
    const told = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 10000 });
    if (told.stdout !== `opshift ${version}\n`)
        return `the program of ${name} is not opshift ${version}`;
    return undefined;
}

// undefined: there is none for this platform, or it is not that of this version.
function native() {
    const name = `@opshift/${process.platform}-${process.arch}`;
    let program, why;
    try {
        program = requireHere.resolve(`${name}/bin/opshift`);
        why = mismatch(name, program);
    } catch (error) {
        if (error.code === 'MODULE_NOT_FOUND' && program === undefined)
            return undefined;
        why = `${name} has no package.json that can be read`;
    }
    if (why)
        console.error(`opshift: ${why.replace(/[^ -~]/g, '?')}; it is not run, the WebAssembly is; install both again at one version`);
    return why ? undefined : program;
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
