import { randomBytes } from 'node:crypto';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { startWorker } from '@switchyard/worker';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { type Installation, prepareInstallation } from './processes.ts';

const TIMEOUT_MS = 120_000;

let installation: Installation;
beforeAll(async () => {
  installation = await prepareInstallation();
}, TIMEOUT_MS);
afterAll(() => installation?.close());

const reportSchema = z.object({ status: z.string(), checks: z.record(z.string(), z.string()) });

/** Begins to start a worker; ends it, or its start, with the test. */
async function beginWorker(changes: Readonly<Record<string, string>>) {
  const port = await reservePort();
  const stopping = new AbortController();
  const environment = { ...installation.environment, ...changes, WORKER_METRICS_PORT: String(port) };
  const starting = startWorker(environment, { report: () => undefined, signal: stopping.signal });
  const ended = starting.then(
    (worker) => worker,
    () => null,
  );
  onTestFinished(async () => {
    stopping.abort();
    await (await ended)?.stop();
  });
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    return response === null ? null : { status: response.status, body: await response.json() };
  };
  return { ask };
}

test('a worker without its database answers on its health port, and says what it waits for', {
  timeout: TIMEOUT_MS,
}, async () => {
  const closedPort = await reservePort();
  const { ask } = await beginWorker({ DATABASE_URL: `postgresql://switchyard@127.0.0.1:${closedPort}/none` });
  expect(await eventually('its health port', () => ask('/livez'))).toMatchObject({ status: 200 });
  const ready = await ask('/readyz');
  const { status, checks } = reportSchema.parse(ready?.body);
  expect([ready?.status, status, checks.database, checks.jobs]).toEqual([503, 'not_ready', 'unavailable', 'starting']);
});

test('a worker with wrong encryption keys takes no work, and begins once nothing is sealed with others', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { prisma } = installation.database;
  const { ask } = await beginWorker({ SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}` });
  const ready = await eventually('a report', async () => {
    const report = await ask('/readyz');
    return reportSchema.safeParse(report?.body).data?.checks.secrets === 'wrong_encryption_keys' ? report : null;
  });
  expect(reportSchema.parse(ready.body).checks).toMatchObject({ database: 'ok', jobs: 'starting' });

  await prisma.gatewayAccount.updateMany({ data: { enabled: false } });
  await prisma.configurationRevision.updateMany({ data: { revision: { increment: 1 } } });
  await eventually('a worker that is ready', async () => ((await ask('/readyz'))?.status === 200 ? true : null));
});
