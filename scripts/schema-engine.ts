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
import { parseArgs } from 'node:util';
import pg from 'pg';
import { errorCode } from './bootstrap/problem.mjs';
import { lastPanic, loadEngine } from './schema-engine/wasm-engine.ts';
import { inDatabase, withConnection } from './stack/database.ts';

/** Code that the CLI's error display expects of a failed request. */
const REQUEST_FAILED = 4466;
/** The exit code of the binary after a panic. */
const PANICKED = 101;
/** PostgreSQL's code for what went wrong, and the code the Prisma CLI knows it by. */
const PRISMA_CODES: Readonly<Record<string, string>> = { '3D000': 'P1003', '42P04': 'P1009', '28P01': 'P1000', '28000': 'P1010' };
const UNREACHABLE = 'P1001';

const { values, positionals } = parseArgs({
  options: {
    /** `{"url": …}`; commands that need no database pass nothing. */
    datasource: { type: 'string', default: '{}' },
    datamodels: { type: 'string', multiple: true, default: [] },
    version: { type: 'boolean', default: false },
  },
  allowPositionals: true,
  strict: false,
});
const { url = '' }: { url?: string } = JSON.parse(String(values.datasource));

function trace(message: unknown): void {
  if (process.env.SCHEMA_ENGINE_DEBUG) console.error('[schema-engine]', message);
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

let engine: ReturnType<typeof loadEngine> | undefined;

async function answer(method: string, params: unknown): Promise<unknown> {
  if (method === 'createDatabase') return { databaseName: 'created' };
  const datamodels = [values.datamodels]
    .flat()
    .map((file): [string, string] => [String(file), readFileSync(String(file), 'utf8')]);
  engine ??= loadEngine({ databaseUrl: url, datamodels, trace });
  const opened = await engine;
  const handler = Reflect.get(opened, method === 'getDatabaseVersion' ? 'version' : method);
  if (typeof handler !== 'function') throw new Error(`The WebAssembly schema engine does not know the request ${method}`);
  return Reflect.apply(handler, opened, [params]);
}

/** Answers a request that failed, with the message of the engine's panic where it was one. */
function sendFailure(id: unknown, error: unknown, panic: string | null): void {
  trace(error);
  const message = panic ?? (error instanceof Error ? error.message : String(error));
  const data = { is_panic: panic !== null, message, meta: null, error_code: errorCode(error) };
  send({ id, error: { code: REQUEST_FAILED, message: 'An error happened. Check the data field for details.', data } });
}

let requestUnderWay: unknown;

async function handle(line: string): Promise<void> {
  trace(line.slice(0, 400));
  const request = JSON.parse(line);
  if (!request.method) return; // the CLI acknowledging something that was sent to it
  requestUnderWay = request.id;
  try {
    const result = await answer(request.method, request.params);
    // The binary prints a diff by asking the CLI to; the WebAssembly build returns it.
    const stdout = request.method === 'diff' && result instanceof Object ? Reflect.get(result, 'stdout') : undefined;
    if (stdout) send({ id: 0, method: 'print', params: { content: stdout } });
    send({ id: request.id, result: result ?? null });
  } catch (error) {
    sendFailure(request.id, error, lastPanic());
    if (lastPanic() !== null) process.exit(PANICKED); // the engine cannot be used after a panic
  }
}

/** Runs one of the engine's administrative commands. A failure is described on stderr as the JSON line that the CLI reads. */
async function administer(command: string | undefined): Promise<number> {
  const name = pg.escapeIdentifier(decodeURIComponent(new URL(url).pathname.slice(1)) || 'postgres');
  const maintain = (statement: string) => withConnection(inDatabase(url, 'postgres'), (client) => client.query(statement));
  try {
    if (command === 'can-connect-to-database') await withConnection(url, async () => undefined);
    else if (command === 'create-database') await maintain(`CREATE DATABASE ${name}`);
    else if (command === 'drop-database') await maintain(`DROP DATABASE ${name} WITH (FORCE)`);
    else throw new Error(`Unknown command ${command}`);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const fields = { error_code: PRISMA_CODES[errorCode(error) ?? ''] ?? UNREACHABLE, message };
    console.error(`\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}`);
    return 1;
  }
}

// Most panics surface outside of the request's promise. The CLI takes no answer and exit code 0 for success, so report them.
process.on('uncaughtException', (error) => {
  sendFailure(requestUnderWay, error, lastPanic() ?? error.message);
  process.exit(PANICKED);
});

if (values.version) {
  console.log('schema-engine-cli wasm');
} else if (positionals[0] === 'cli') {
  process.exitCode = await administer(positionals[1]);
} else {
  // One request at a time, in order: the engine holds one connection and its answers must not overtake each other.
  for await (const line of createInterface({ input: process.stdin })) await handle(line);
  process.exit(0);
}
