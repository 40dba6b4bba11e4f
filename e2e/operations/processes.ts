import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { onTestFinished } from 'vitest';
import { type Gateways, startGateways } from '../harness/gateways.ts';
import { createTestMerchant, type TestMerchant } from '../harness/merchants.ts';

const WEB_MAIN = fileURLToPath(new URL('web-main.ts', import.meta.url));
const MIGRATIONS = new URL('../../prisma/migrations/', import.meta.url);
/** Against processes that hang: a busy machine may take a minute to load one. */
const READY_LIMIT_MS = 180_000;
const POLL_MS = 50;
const { PATH, NODE_COMPILE_CACHE } = process.env;

/** A web process of its own, as the operating system sees it. */
export interface SpawnedWeb {
  readonly url: string;
  /** Its output so far. */
  readonly output: readonly string[];
  readonly child: ChildProcess;
  /** Sends SIGTERM. Resolves with the exit code. */
  terminate(): Promise<number | null>;
}

/** A database with a merchant, simulated gateways, and the environment of processes on them. */
export interface Installation {
  readonly database: TestDatabase;
  readonly gateways: Gateways;
  readonly merchant: TestMerchant;
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  close(): Promise<void>;
}

/** Prepares an installation without any process. Gateways send their webhooks to `publicUrl`, where nothing listens unless it is given. */
export async function prepareInstallation(publicUrl = 'http://127.0.0.1:1'): Promise<Installation> {
  const database = await createTestDatabase();
  await recordMigrations(database);
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_PUBLIC_URL: publicUrl,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    SWITCHYARD_AUTH_SECRET: randomBytes(32).toString('base64'),
    SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
    SWITCHYARD_REQUESTS_PER_SECOND: '100000',
  };
  const secrets = [environment.SWITCHYARD_KEY_PEPPER, environment.SWITCHYARD_ENCRYPTION_KEYS.slice('k1:'.length)];
  const gateways = await startGateways();
  const switchyard: Switchyard = openSwitchyard(environment, { write: () => undefined }, TEST_CONNECTION);
  const merchant = await createTestMerchant(switchyard, gateways, secrets, {});
  await switchyard.close();
  return {
    database,
    gateways,
    merchant,
    environment,
    secrets,
    async close() {
      await gateways.close();
      await database.close();
    },
  };
}

/** The databases of tests are copies that were made without the record that `prisma migrate deploy` keeps. */
async function recordMigrations({ pool }: TestDatabase): Promise<void> {
  const folders = readdirSync(MIGRATIONS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const names = folders.map(({ name }) => name);
  await pool.query('CREATE TABLE _prisma_migrations (migration_name text, finished_at timestamptz, rolled_back_at timestamptz)');
  await pool.query('INSERT INTO _prisma_migrations SELECT unnest($1::text[]), now(), NULL', [names]);
}

/**
 * Starts a web process, of this version unless given; resolves when it is ready, or answers at all with `until: 'answering'`. Throws with
 * its output when it does not become so.
 */
export async function spawnWeb(
  environment: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, string>> = {},
  port?: number,
  main: string = WEB_MAIN,
  until: 'ready' | 'answering' = 'ready',
): Promise<SpawnedWeb> {
  const listenOn = port ?? (await reservePort());
  const output: string[] = [];
  const child = spawn(process.execPath, [main], {
    env: { PATH, NODE_COMPILE_CACHE, ...environment, ...settings, PORT: String(listenOn) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const ended = new Promise<number | null>((exited) => child.once('exit', exited));
  const url = `http://127.0.0.1:${listenOn}`;
  const deadline = performance.now() + READY_LIMIT_MS;
  while (!(await isReady(url, until === 'answering' ? [200, 503] : [200]))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the web process is not ready:\n${output.join('')}`);
    }
    await pause(POLL_MS);
  }
  return {
    url,
    output,
    child,
    terminate() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** True if a process says that it takes work, or answers with another status that will do. */
async function isReady(url: string, statuses: readonly number[]): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) });
    await response.body?.cancel();
    return statuses.includes(response.status);
  } catch {
    return false;
  }
}

const WORKER_MAIN = fileURLToPath(new URL('../../apps/worker/src/main.ts', import.meta.url));

/** A worker process of its own, as the operating system sees it. */
export interface SpawnedWorker {
  /** Its standard output so far. */
  readonly output: readonly string[];
  /** Sends SIGTERM; resolves with the exit code, null when a signal ended it. */
  terminate(): Promise<number | null>;
  /** Ends it as a crash would. */
  kill(): void;
}

/**
 * Starts a worker process, of this version unless given, for the test that runs. It ends with the test at the latest: one that a failed test leaves would keep
 * the output of the whole run open, and so the run from ending.
 */
export function spawnWorker(environment: Readonly<Record<string, string>>, main: string = WORKER_MAIN): SpawnedWorker {
  const child = spawn(process.execPath, [main], {
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const ended = new Promise<number | null>((exited) => child.once('exit', exited));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    output,
    kill: () => void child.kill('SIGKILL'),
    terminate() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
