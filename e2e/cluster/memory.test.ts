import { readFileSync } from 'node:fs';
import type { Database } from '@switchyard/db';
import { openDatabase } from '@switchyard/db/process';
import type { Gateway } from '@switchyard/gateways';
import { initiate } from '@switchyard/payments/initiate';
import { openTestPayments, type TestPayments, withGateways } from '@switchyard/payments/testing';
import { verify } from '@switchyard/payments/verify';
import { createTestMerchant, reloadConfiguration } from '@switchyard/runtime/testing';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';

/** `SOAK_PAYMENTS=200000` is the long form. */
const PAYMENTS = Number(process.env.SOAK_PAYMENTS ?? 1_500);
/** By then every plan is made, and every cache is as large as it becomes. */
const WARM_AT = PAYMENTS / 2;
const MOST_GROWTH = 1.05;

const call = { method: 'POST', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null };
const noTime = { add: () => undefined };

let tests: TestPayments;
let watchers: readonly Database[];
beforeAll(async () => {
  tests = await openTestPayments();
  const { pathname } = new URL(tests.database.url);
  watchers = [inject('adminDatabaseUrl'), ...inject('nodeDatabaseUrls')].map((url) => {
    return openDatabase({ url: Object.assign(new URL(url), { pathname }).href, maxConnections: 1 });
  });
});
afterAll(async () => {
  await Promise.all(watchers.map((watcher) => watcher.close()));
  await tests.close();
});

/** Private memory of the largest backend of this database on each server, in kB. */
async function measure(): Promise<readonly number[]> {
  return Promise.all(
    watchers.map(async ({ pool }) => {
      const { rows } = await pool.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'",
      );
      return Math.max(...rows.map(({ pid }) => readMemory(pid)));
    }),
  );
}

function readMemory(pid: number): number {
  const found = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]);
}

/** Gateways of which every third refuses a checkout, every ninth time both, and that have the money of every other. */
function gateways(n: () => number) {
  const refusal = { class: 'provider_fault', code: 'http_5xx', message: 'Down.' } as const;
  return withGateways(
    tests,
    (): Partial<Gateway> => ({
      async open(_access, { reference }) {
        const isFirst = reference.endsWith('00');
        if (n() % 9 === 0 || (n() % 3 === 0 && isFirst)) return { outcome: 'no', failure: refusal, call };
        const session = { raw: { reference }, reference, accessCode: '', redirectUrl: 'https://checkout.paystack.com/1' };
        return { outcome: 'yes', value: session, call };
      },
      async verify(_access, { reference, amount, currency }) {
        const paid = {
          reference,
          transactionId: reference,
          amount: amount.toString(),
          currency,
          fee: null,
          method: 'CARD',
          paidAt: null,
          reversed: false,
        };
        return { outcome: 'yes', value: paid, call };
      },
    }),
  );
}

const PENDING = `
SELECT merchant_id, id AS delivery_id, endpoint_id, payment_id, 'https://shop.example/hook' AS url
FROM webhook_delivery WHERE merchant_id = $1 AND state = 'PENDING' LIMIT 10`;
const SETTLE = 'SELECT failing_since, is_next_due FROM settle_delivery_attempts($1::uuid, $2::json) ORDER BY place';

async function deliverAll(merchantId: string): Promise<void> {
  const { pool } = tests.resources.database;
  const { rows } = await pool.query<object>({ name: 'soak-pending', text: PENDING, values: [merchantId] });
  const now = new Date();
  const result = {
    number: 1,
    started_at: now,
    ended_at: now,
    forgotten_before: now,
    duration_ms: 1,
    delivered: true,
    status: 200,
    failure: null,
    answer: null,
    retry_at: null,
    state: 'DELIVERED',
  };
  for (const row of rows) {
    await pool.query({ name: 'soak-settle', text: SETTLE, values: [merchantId, JSON.stringify([{ ...row, ...result }])] });
  }
}

test(`the backends that carry the statements of ${PAYMENTS} payments keep their memory`, { timeout: 14_400_000 }, async () => {
  const { merchantId } = await createTestMerchant(tests, { 'paystack-a': {}, 'paystack-b': {} });
  const endpoint = {
    merchantId,
    mode: 'test',
    url: 'https://shop.example/hook',
    description: '',
    types: [],
    actor: 'system:test',
  } as const;
  await createEndpoint(tests, endpoint);
  await reloadConfiguration(tests, merchantId);
  const configuration = tests.resources.configuration.merchant(merchantId);
  if (configuration === undefined) throw new Error('the merchant is not known');
  const caller = { configuration, mode: 'test' } as const;
  let n = 0;
  const context = gateways(() => n);
  const lines: string[] = [];
  let warm: readonly number[] = [];
  for (n = 1; n <= PAYMENTS; n++) {
    const order = {
      merchantOrderId: `order-${n}`,
      amount: 2_500n,
      currency: 'NGN',
      metadata: null,
      redirectUrl: null,
      customer: { email: 'ada@example.com', id: null, phone: null },
      paymentMethod: 'CARD',
      customerCountry: null,
      requestedGateway: null,
    } as const;
    const paymentId = context.newId();
    const begun = await initiate(context, caller, order, paymentId, noTime);
    if (begun.kind !== 'initiated') throw new Error(begun.kind);
    if (n % 2 === 0 && begun.payment.status === 'PENDING')
      await verify(context, caller, paymentId, { transactionId: null, cause: 'api' }, noTime);
    await deliverAll(merchantId);
    if (n % Math.ceil(PAYMENTS / 10) === 0) lines.push(`${n} payments: ${(await measure()).join(', ')} kB`);
    if (n === WARM_AT) warm = await measure();
  }
  const last = await measure();
  console.log(lines.join('\n'));
  const growth = last.map((kb, at) => kb / (warm[at] ?? 0));
  expect(Math.max(...growth), lines.join('\n')).toBeLessThan(MOST_GROWTH);
});
