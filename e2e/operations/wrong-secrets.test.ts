import { randomBytes, randomUUID } from 'node:crypto';
import { reservePort } from '@switchyard/runtime/reserve-port';
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../harness/eventually.ts';
import { type Installation, prepareInstallation, type SpawnedWeb, spawnWeb } from './processes.ts';

/** Two starts, on a machine that is busy with other suites. */
const TIMEOUT_MS = 240_000;

let installation: Installation;
let right: SpawnedWeb;

beforeAll(async () => {
  installation = await prepareInstallation();
  right = await spawnWeb(installation.environment);
}, TIMEOUT_MS);
afterAll(async () => {
  await right?.terminate();
  await installation?.close();
});

const initiated = z.object({ data: z.object({ paymentId: z.string() }) });

async function pay(url: string): Promise<Response> {
  const body = { merchantOrderId: randomUUID(), amount: 2_500, currency: 'NGN', customer: { email: 'ada@example.com' } };
  return fetch(`${url}/v1/payments/initiate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${installation.merchant.testKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

test.each([
  ['SWITCHYARD_ENCRYPTION_KEYS', 'encryption_keys', () => `k1:${randomBytes(32).toString('base64')}`],
  ['SWITCHYARD_KEY_PEPPER', 'key_pepper', () => randomBytes(32).toString('base64')],
] as const)(
  'a process with a wrong %s is not ready and says why, and fails no payment that reaches it',
  {
    timeout: TIMEOUT_MS,
  },
  async (variable, name, secret) => {
    const { database, environment } = installation;
    // A key that was authenticated is what the pepper is checked against.
    const opened = await pay(right.url);
    expect(opened.status).toBe(200);
    const { paymentId } = initiated.parse(await opened.json()).data;
    await eventually('the check value of the pepper', async () =>
      (await database.prisma.secretCheck.count()) === 1 ? true : null,
    );
    const before = await database.prisma.payment.count();

    const metricsPort = await reservePort();
    const settings = { [variable]: secret(), METRICS_PORT: String(metricsPort) };
    const wrong = await spawnWeb(environment, settings, undefined, undefined, 'answering');
    onTestFinished(() => void wrong.child.kill('SIGKILL'));
    onTestFailed(() => console.error(`the process (exit code ${wrong.child.exitCode}) wrote:\n${wrong.output.join('')}`));
    const ready = await fetch(`${wrong.url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([
      503,
      { status: 'not_ready', checks: { database: 'ok', configuration: 'ok', secrets: `wrong_${name}` } },
    ]);
    const answer = await pay(wrong.url);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await database.prisma.payment.count()).toBe(before);
    // It says nothing of a payment that it cannot look up, in any form.
    const attempt = await database.prisma.attempt.findFirstOrThrow({ where: { paymentId }, include: { payment: true } });
    for (const [path, init] of [
      [`/v1/payments/${paymentId}/verify`, { method: 'POST' }],
      [`/compat/paystack/transaction/verify/${attempt.payment.merchantOrderId}`, { method: 'GET' }],
    ] as const) {
      const authorization = `Bearer ${installation.merchant.testKey}`;
      const unknown = await fetch(`${wrong.url}${path}`, { ...init, headers: { authorization } });
      expect([path, unknown.status, unknown.headers.get('retry-after')]).toEqual([path, 503, '2']);
    }
    if (name === 'encryption_keys') {
      const webhook = await fetch(`${wrong.url}/webhooks/${attempt.gateway}/${attempt.accountId}`, {
        method: 'POST',
        body: '{}',
      });
      expect([webhook.status, webhook.headers.get('retry-after')]).toEqual([503, '2']);
      const counted = await database.prisma.refusedWebhook.findMany({ where: { accountId: attempt.accountId } });
      expect(counted).toMatchObject([{ merchantId: attempt.merchantId, why: 'unreadable_account', count: 1 }]);
    }

    const lines = wrong.output
      .join('')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const messages = lines.filter(({ level }) => level === 50).map(({ error }) => String(error?.message));
    expect(messages).toContainEqual(expect.stringContaining(`${variable} is wrong`));
    expect(wrong.output.join('')).not.toContain(settings[variable]);
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toContain(`switchyard_secret_wrong{secret="${name}"} 1`);
    expect(metrics).toMatch(/^switchyard_ready(\{[^}]*\})? 0$/m);
    // The other process goes on.
    expect((await pay(right.url)).status).toBe(200);
  },
);
