import { spawn } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { z } from 'zod';

/** The product as `npm start` runs it, with data, secrets and ports of its own. */
export interface Product {
  readonly webUrl: string;
  readonly sandboxUrl: string;
  /** What its programs were given. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const START = fileURLToPath(new URL('../../scripts/stack/main.ts', import.meta.url));
const ANY_PORT = '0';
/** Settings of a stack that the user runs, which are none of this one's. */
const OF_ANOTHER_STACK = /^(DATABASE_URL|PORT|SANDBOX_.*|SWITCHYARD_.*)$/;
/** Long enough to build the pages. */
const READY_LIMIT_MS = 600_000;
const READY_CHECK_MS = 200;

const runSchema = z.object({ webUrl: z.string() });

/** Starts it in a new folder, which is removed when it stops. Throws with the end of its output when it stops before it is ready. */
export async function startProduct(): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-drill-'));
  chmodSync(folder, 0o755); // as root, PostgreSQL runs under another account, which has to get in
  const log = join(folder, 'start.txt');
  const output = openSync(log, 'a');
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_ANOTHER_STACK.test(name)));
  const ports = {
    PORT: ANY_PORT,
    SANDBOX_PORT: ANY_PORT,
    SANDBOX_PAYSTACK_PORT: ANY_PORT,
    SANDBOX_FLUTTERWAVE_PORT: ANY_PORT,
  };
  const env = { ...inherited, ...ports, SWITCHYARD_LOCAL_DIR: folder, SWITCHYARD_DEMO_WEEK: '0' };
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', output, output, 'ipc'] });
  closeSync(output);
  let running = true;
  const ended = new Promise<void>((done) => child.once('exit', () => done())).then(() => {
    running = false;
  });
  const close = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + READY_LIMIT_MS;
  let webUrl = readWebUrl(folder);
  while (webUrl === null) {
    if (!running || performance.now() > deadline) {
      const said = readFileSync(log, 'utf8');
      await close();
      throw new Error(`the product does not start:\n${said}`);
    }
    await pause(READY_CHECK_MS);
    webUrl = readWebUrl(folder);
  }
  const environment = z.record(z.string(), z.string()).parse(parseEnv(readFileSync(join(folder, 'env'), 'utf8')));
  return { webUrl, sandboxUrl: environment.SWITCHYARD_SANDBOX_URL ?? '', environment, close };
}

/** Where the web listens; null until everything is ready. */
function readWebUrl(folder: string): string | null {
  try {
    return runSchema.parse(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))).webUrl;
  } catch {
    return null;
  }
}
