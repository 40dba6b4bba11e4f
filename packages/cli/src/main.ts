#!/usr/bin/env node
import { homedir } from 'node:os';
import { stderr, stdin, stdout } from 'node:process';
import { readSecret } from './read-secret.ts';
import { runCli } from './run-cli.ts';

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  homeFolder: homedir(),
  out: (text) => stdout.write(text),
  err: (text) => stderr.write(text),
  readSecret: (question) => readSecret(question, { input: stdin, output: stderr }, stopping.signal),
  signal: stopping.signal,
});
