#!/usr/bin/env node
import { homedir } from 'node:os';
import { stderr, stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { runCli } from './run-cli.ts';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

/** Asks for a line that is not shown while it is typed; reads it from a pipe where there is no terminal. */
async function readSecret(question: string): Promise<string> {
  if (stdin.isTTY) stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY });
  try {
    return await lines.question('', { signal: stopping.signal });
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  homeFolder: homedir(),
  out: (text) => stdout.write(text),
  err: (text) => stderr.write(text),
  readSecret,
  signal: stopping.signal,
});
