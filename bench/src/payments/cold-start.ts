import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Bench, startBenchProduct } from './environment.ts';
import { median } from './summary.ts';

/** Seconds from the start of a process to the first payment that is read. Medians. */
export interface ColdStart {
  /** The web process alone, while the database runs. */
  readonly webSeconds: number;
  /** Everything that `npm start` starts, on existing data. */
  readonly allSeconds: number;
}

const WEB = fileURLToPath(new URL('../../../apps/web/', import.meta.url));
const CHECK_MS = 20;
const LIMIT_MS = 60_000;

/** Measures starts. Stops the product, which therefore cannot be measured any more. */
export async function measureColdStart(bench: Bench, times: number): Promise<ColdStart> {
  const web: number[] = [];
  for (let time = 0; time < times; time++) web.push(await startWeb(bench));
  await bench.running.close();
  const all: number[] = [];
  for (let time = 0; time < times; time++) all.push(await startAll(bench));
  return { webSeconds: median(web), allSeconds: median(all) };
}

async function startWeb(bench: Bench): Promise<number> {
  const startedAt = performance.now();
  const web = await startWebProcess(bench);
  const seconds = (performance.now() - startedAt) / 1_000;
  await web.close();
  return seconds;
}

/** One more web process on the product's data. */
export interface WebProcess {
  readonly pid: number;
  readonly origin: string;
  close(): Promise<void>;
}

/** Starts one more web process on the product's data; resolves when it has answered about a payment. */
export async function startWebProcess(bench: Bench): Promise<WebProcess> {
  return startWebWith(bench.running.environment, (origin) => firstAnswer(bench, origin));
}

/** Starts a web process in an environment; resolves when it has answered. */
export async function startWebWith(
  environment: Readonly<Record<string, string>>,
  answered: (origin: string) => Promise<void>,
): Promise<WebProcess> {
  const port = await freePort();
  const env = { ...process.env, ...environment, NODE_ENV: 'production', PORT: String(port) };
  const child = spawn(process.execPath, ['server.ts'], { cwd: WEB, env, stdio: 'ignore' });
  const ended = new Promise((done) => child.once('exit', done));
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  const origin = `http://127.0.0.1:${port}`;
  try {
    await answered(origin);
  } catch (error) {
    await close();
    throw error;
  }
  return { pid: child.pid ?? 0, origin, close };
}

async function startAll(bench: Bench): Promise<number> {
  const startedAt = performance.now();
  const product = await startBenchProduct({ folder: bench.folder });
  try {
    await firstAnswer(bench, product.webUrl);
    return (performance.now() - startedAt) / 1_000;
  } finally {
    await product.close();
  }
}

async function firstAnswer({ merchant, templateId }: Bench, origin: string): Promise<void> {
  const headers = { authorization: `Bearer ${merchant.testKey}` };
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    const status = await fetch(`${origin}/v1/payments/${templateId}`, { headers }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    await pause(CHECK_MS);
  }
  throw new Error(`nothing answered at ${origin}`);
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
