#!/usr/bin/env node
/**
 * Replaces Prisma's schema engine, a binary that the CLI would otherwise download from the internet.
 *
 * The CLI starts whatever `PRISMA_SCHEMA_ENGINE_BINARY` names and sends it JSON-RPC, one message a line. This program passes
 * each request to the same engine built as WebAssembly, which comes from the package registry, and lets it reach PostgreSQL
 * through the driver adapter. `scripts/prisma.ts` sets the variable; set it to the empty string to let Prisma use its own.
 * `SCHEMA_ENGINE_DEBUG=1` prints the messages to stderr.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { administer } from './schema-engine/administer.mjs';
import { lastPanic, loadEngine } from './schema-engine/engine.mjs';

/** What the CLI's error display expects of a failed request. */
const REQUEST_FAILED = 4466;
/** The exit code of the binary after a panic. */
const PANICKED = 101;

const args = process.argv.slice(2);

/** @param {string} name */
function valuesOf(name) {
  return args.flatMap((arg, index) => (arg === name ? [args[index + 1] ?? ''] : []));
}

/** @param {unknown} message */
function trace(message) {
  if (process.env.SCHEMA_ENGINE_DEBUG) console.error('[schema-engine]', message);
}

/** @param {object} message */
function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** The CLI passes `{"url": …}`; commands that need no database pass nothing. */
function databaseUrl() {
  const [datasource] = valuesOf('--datasource');
  const parsed = datasource ? JSON.parse(datasource) : {};
  return typeof parsed.url === 'string' ? parsed.url : '';
}

/** @type {Promise<import('@prisma/schema-engine-wasm/schema_engine_bg').SchemaEngine> | undefined} */
let engine;

function openEngine() {
  engine ??= loadEngine({
    databaseUrl: databaseUrl(),
    datamodels: valuesOf('--datamodels').map((file) => [file, readFileSync(file, 'utf8')]),
    trace,
  });
  return engine;
}

/**
 * @param {string} method
 * @param {unknown} params
 */
async function answer(method, params) {
  if (method === 'createDatabase') return { databaseName: 'created' };
  const opened = await openEngine();
  const handler = Reflect.get(opened, method === 'getDatabaseVersion' ? 'version' : method);
  if (typeof handler !== 'function') throw new Error(`The WebAssembly schema engine does not know the request ${method}`);
  return Reflect.apply(handler, opened, [params]);
}

/**
 * @param {unknown} id of the request that failed
 * @param {unknown} error
 * @param {string | null} panic the engine's message before it aborted
 */
function sendFailure(id, error, panic) {
  trace(error);
  const message = panic ?? (error instanceof Error ? error.message : String(error));
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const data = { is_panic: panic !== null, message, meta: null, error_code: code };
  send({ id, error: { code: REQUEST_FAILED, message: 'An error happened. Check the data field for details.', data } });
}

/** @type {unknown} */
let requestUnderWay;

/** @param {string} line */
async function handle(line) {
  trace(line.slice(0, 400));
  const request = JSON.parse(line);
  if (!request.method) return; // the CLI acknowledging something that was sent to it
  requestUnderWay = request.id;
  try {
    const result = await answer(request.method, request.params);
    // The binary prints a diff by asking the CLI to; the WebAssembly build returns it.
    if (request.method === 'diff' && result?.stdout) send({ id: 0, method: 'print', params: { content: result.stdout } });
    send({ id: request.id, result: result ?? null });
  } catch (error) {
    sendFailure(request.id, error, lastPanic());
    if (lastPanic() !== null) process.exit(PANICKED); // the engine cannot be used after a panic
  }
}

// Most panics surface outside of the request's promise. The CLI takes no answer and exit code 0 for success, so report them.
process.on('uncaughtException', (error) => {
  sendFailure(requestUnderWay, error, lastPanic() ?? error.message);
  process.exit(PANICKED);
});

if (args.includes('--version')) {
  console.log('schema-engine-cli wasm');
} else if (args.includes('cli')) {
  process.exitCode = await administer(args[args.indexOf('cli') + 1] ?? '', databaseUrl());
} else {
  // One request at a time, in order: the engine holds one connection and its answers must not overtake each other.
  for await (const line of createInterface({ input: process.stdin })) await handle(line);
  process.exit(0);
}
