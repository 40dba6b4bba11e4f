#!/usr/bin/env node
import { homedir } from 'node:os';
import { stderr, stdin, stdout } from 'node:process';
import { readLine, readText } from './read-line.ts';
import { runCli } from './run-cli.ts';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => {
    // Over the `^C` of the terminal.
    if (stderr.isTTY) stderr.write('\r');
    stopping.abort();
  });
}
const streams = { input: stdin, output: stderr };

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  homeFolder: homedir(),
  out: (text) => stdout.write(text),
  err: (text) => stderr.write(text),
  readLine: async (text) => (stdin.isTTY ? readLine({ text, secret: false }, streams, stopping.signal) : null),
  readSecret: (text) => readLine({ text, secret: true }, streams, stopping.signal),
  readText: (limit) =>
    readText(streams, { signal: AbortSignal.any([stopping.signal, limit]), onInterrupt: () => stopping.abort() }),
  // npm runs a script in the project's folder, whichever it was called from.
  folder: (process.env.npm_lifecycle_event === 'certify' && process.env.INIT_CWD) || process.cwd(),
  signal: stopping.signal,
});
// Calls of a command that was stopped would keep the process.
if (stopping.signal.aborted) process.exit();
