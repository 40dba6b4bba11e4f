import { Agent, createServer, type Server, request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { type Installation, prepareInstallation, type SpawnedWeb, spawnWeb } from './processes.ts';

const CHECK_MS = 50;
const ANSWER_WITHIN_MS = 30_000;
/** Several times as long as the balancer takes to notice. */
const DRAIN_DELAY_MS = 3_000;
/** Each asks again once it was answered: a slow machine is asked less, and has no queue that grows until the database refuses. */
const CUSTOMERS = 3;
const PAUSE_MS = 250;
/** Four starts, on a machine that is busy with other suites. */
const TIMEOUT_MS = 240_000;

const answerSchema = z.object({ data: z.object({ paymentId: z.uuid() }) });

let installation: Installation;
let webs: SpawnedWeb[];
const balancers: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  installation = await prepareInstallation();
  webs = await Promise.all([0, 1].map(() => start()));
});
afterAll(async () => {
  for (const balancer of balancers) await balancer.close();
  await Promise.all((webs ?? []).map((web) => web.terminate()));
  await installation?.close();
});

function start(port?: number): Promise<SpawnedWeb> {
  return spawnWeb(installation.environment, { DRAIN_DELAY_MS: String(DRAIN_DELAY_MS) }, port);
}

/**
 * A load balancer over kept connections, that sends to ready processes in turn and repeats nothing. When none is ready, because the
 * database of both answers late, it sends to those that still accept connections, as balancers do.
 */
async function balance(urls: readonly string[]): Promise<{ readonly url: string; readonly ready: ReadonlySet<string> }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const ready = new Set(urls);
  const accepting = new Set(urls);
  let turn = 0;
  let closed = false;
  const watching = urls.map(async (url) => {
    while (!closed) {
      const state = await stateOf(url);
      if (state === 'ready') ready.add(url);
      else ready.delete(url);
      if (state === 'gone') accepting.delete(url);
      else accepting.add(url);
      await pause(CHECK_MS);
    }
  });
  const server: Server = createServer((incoming, outgoing) => {
    const targets = [...(ready.size > 0 ? ready : accepting)];
    turn += 1;
    const target = targets[turn % targets.length];
    if (target === undefined) {
      outgoing.writeHead(502).end('no process accepts connections');
      return;
    }
    const { method, url = '/', headers } = incoming;
    const forwarded = send(new URL(url, target), { method, headers, agent }, (answer) => {
      const { connection: _, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(outgoing);
    });
    forwarded.on('error', (error) => outgoing.writeHead(502).end(String(error)));
    incoming.pipe(forwarded);
  });
  // A connection that it closed while a request is on its way would be its own fault, not that of a restart.
  server.keepAliveTimeout = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  balancers.push({
    async close() {
      closed = true;
      await Promise.all(watching);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the balancer has no port');
  return { url: `http://127.0.0.1:${address.port}`, ready };
}

/** State that a process reports. A busy machine may take seconds to answer; one that has ended refuses the connection at once. */
async function stateOf(url: string): Promise<'ready' | 'unready' | 'gone'> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    await response.body?.cancel();
    return response.status === 200 ? 'ready' : 'unready';
  } catch {
    return 'gone';
  }
}

test('restarting each of two web processes twice fails no request and loses no payment', { timeout: TIMEOUT_MS }, async () => {
  const { url, ready } = await balance(webs.map((web) => web.url));
  const headers = { authorization: `Bearer ${installation.merchant.testKey}`, 'content-type': 'application/json' };
  const failures: string[] = [];
  const acknowledged = new Set<string>();
  let sent = 0;
  let isOver = false;

  async function initiateAndRead(number: number): Promise<void> {
    try {
      const body = JSON.stringify({
        merchantOrderId: `rolling-${number}`,
        amount: 2_500,
        currency: 'NGN',
        paymentMethod: 'CARD',
        customer: { email: 'ada@example.com' },
      });
      const initiated = await fetch(`${url}/v1/payments/initiate`, { method: 'POST', headers, body });
      const text = await initiated.text();
      if (initiated.status !== 200) throw new Error(`${initiated.status} ${text} ${errorsLogged()}`);
      const { paymentId } = answerSchema.parse(JSON.parse(text)).data;
      acknowledged.add(paymentId);
      const read = await fetch(`${url}/v1/payments/${paymentId}`, { headers });
      if (read.status !== 200) throw new Error(`${read.status} ${await read.text()}`);
      await read.text();
    } catch (error) {
      failures.push(`${number}: ${error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : 'no error'}`);
    }
  }

  const errorsLogged = () =>
    webs
      .flatMap(({ output }) =>
        output
          .join('')
          .split('\n')
          .filter((line) => line.includes('a request failed')),
      )
      .join('\n');

  const customers = Array.from({ length: CUSTOMERS }, async () => {
    while (!isOver) {
      sent += 1;
      await initiateAndRead(sent);
      await pause(PAUSE_MS);
    }
  });
  const exits: (number | null)[] = [];
  try {
    for (const index of [0, 1, 0, 1]) {
      const web = webs[index];
      if (web === undefined) throw new Error('there is no such process');
      await eventually('both processes in the balance', async () => (ready.size === webs.length ? true : null));
      exits.push(await web.terminate());
      webs[index] = await start(Number(new URL(web.url).port));
    }
    await pause(PAUSE_MS);
  } finally {
    isOver = true;
    await Promise.all(customers);
  }
  expect(failures).toEqual([]);
  expect(exits).toEqual([0, 0, 0, 0]);
  const { rows } = await installation.database.pool.query<{ id: string; status: string }>('SELECT id, status FROM payment');
  expect(rows.length).toBe(sent);
  expect(acknowledged).toEqual(new Set(rows.map(({ id }) => id)));
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['PENDING']));
});
