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
  /** Environment of its programs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its programs, without the database. */
  readonly processIds: readonly number[];
  close(): Promise<void>;
}

export interface ProductOptions {
  /** Holds its data, and is kept when it stops; a new one, removed when it stops, unless given. */
  readonly folder?: string;
  /** Environment variables on top of those every such product gets. */
  readonly settings?: Readonly<Record<string, string>>;
}

const START = fileURLToPath(new URL('../../scripts/stack/main.ts', import.meta.url));
const ANY_PORT = '0';
/** Settings of a stack that the user runs, which do not apply to this one. */
const OF_ANOTHER_STACK = /^(DATABASE_URL|PORT|SANDBOX_.*|SWITCHYARD_.*)$/;
/** Long enough to build the pages. */
const READY_LIMIT_MS = 600_000;
const READY_CHECK_MS = 50;

const runSchema = z.object({ webUrl: z.string(), processes: z.array(z.object({ pid: z.number() })) });

/** Makes a new folder for the data of a product. */
export function makeProductFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-product-'));
  chmodSync(folder, 0o755); // as root, PostgreSQL runs under another account, which has to get in
  return folder;
}

/** Starts it. Throws with the end of its output when it stops before it is ready. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const folder = options.folder ?? makeProductFolder();
  const log = join(folder, 'start.txt');
  const output = openSync(log, 'a');
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_ANOTHER_STACK.test(name)));
  const ports = {
    PORT: ANY_PORT,
    SANDBOX_PORT: ANY_PORT,
  };
  const env = { ...inherited, ...ports, SWITCHYARD_LOCAL_DIR: folder, SWITCHYARD_DEMO_WEEK: '0', ...options.settings };
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', output, output, 'ipc'] });
  closeSync(output);
  let running = true;
  const ended = new Promise<void>((done) => child.once('exit', () => done())).then(() => {
    running = false;
  });
  const close = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await ended;
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + READY_LIMIT_MS;
  let run = readRun(folder);
  while (run === null) {
    if (!running || performance.now() > deadline) {
      const said = readFileSync(log, 'utf8');
      await close();
      throw new Error(`the product does not start:\n${said}`);
    }
    await pause(READY_CHECK_MS);
    run = readRun(folder);
  }
  const environment = z.record(z.string(), z.string()).parse(parseEnv(readFileSync(join(folder, 'env'), 'utf8')));
  const processIds = run.processes.map(({ pid }) => pid);
  return { webUrl: run.webUrl, sandboxUrl: environment.SWITCHYARD_SANDBOX_URL ?? '', environment, processIds, close };
}

/** Where the web listens, and its programs; null until everything is ready. */
function readRun(folder: string): z.infer<typeof runSchema> | null {
  try {
    return runSchema.parse(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')));
  } catch {
    return null;
  }
}
